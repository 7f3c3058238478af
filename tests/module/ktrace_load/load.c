// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes every call of <kft/ktrace.h> from processes, softirqs, hard interrupts and NMIs of all
 * CPUs, and counts them. /sys/kernel/debug/ktrace_load/run takes the number of calls of each
 * process, or the name of a call to make once; counts has a line for each CPU and context.
 */
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/debugfs.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>
#include <linux/version.h>

#include "load.h"

unsigned int load_counts[NR_CPUS][KTRACE_N_FUNCS][CALLS];

static DEFINE_PER_CPU(struct hrtimer, timers);
static DEFINE_PER_CPU(struct tasklet_struct, tasklets);
static unsigned int process_calls;
static atomic_t processes;
static DECLARE_COMPLETION(ended);
static struct dentry *dir;

static void softirq(struct tasklet_struct *t)
{
	LOAD_CALLS(softirq);
}

static enum hrtimer_restart hardirq(struct hrtimer *t)
{
	LOAD_CALLS(hardirq);
	tasklet_schedule(this_cpu_ptr(&tasklets));
	nmi_send();
	return HRTIMER_NORESTART;
}

/*
 * Started by each round of a process, to fire at some moment of its calls. One that repeats itself
 * would leave a slow machine no time for anything else.
 */
static void start_timer(unsigned int round)
{
	struct hrtimer *t = this_cpu_ptr(&timers);

	if (!hrtimer_active(t))
		hrtimer_start(t, ns_to_ktime(500 * (round % 64)),
			      HRTIMER_MODE_REL_PINNED_HARD);
}

static int process(void *unused)
{
	unsigned int i;

	for (i = 0; i < process_calls; i++) {
		start_timer(i);
		LOAD_CALLS(process);
		cond_resched();
	}
	if (atomic_dec_and_test(&processes))
		complete(&ended);
	return 0;
}

static int start_processes(void)
{
	unsigned int cpu;

	atomic_set(&processes, num_online_cpus());
	for_each_online_cpu(cpu)
	{
		struct task_struct *task = kthread_create_on_cpu(process, NULL, cpu,
								 "ktrace_load/%u");

		if (IS_ERR(task))
			return PTR_ERR(task);
		wake_up_process(task);
	}
	return 0;
}

static int load(unsigned int calls)
{
	unsigned int cpu;
	int r;

	memset(load_counts, 0, sizeof(load_counts));
	process_calls = calls;
	reinit_completion(&ended);
	if (!nmi_start())
		pr_info("ktrace_load: no NMIs here\n");
	r = start_processes();
	if (!r)
		wait_for_completion(&ended);
	for_each_online_cpu(cpu)
	{
		hrtimer_cancel(per_cpu_ptr(&timers, cpu)); /* no NMI is sent any more */
		tasklet_kill(per_cpu_ptr(&tasklets, cpu));
	}
	nmi_stop();
	return r;
}

static int call(const char *name)
{
	if (!strcmp(name, "mark"))
		kptrace_mark();
	else if (!strcmp(name, "pause"))
		kptrace_pause();
	else if (!strcmp(name, "restart"))
		kptrace_restart();
	else
		return -EINVAL;
	return 0;
}

static ssize_t run_write(struct file *file, const char __user *user, size_t size,
			 loff_t *offset)
{
	char text[32] = "";
	unsigned int calls;
	int r;

	if (size >= sizeof(text) || copy_from_user(text, user, size))
		return -EFAULT;
	r = kstrtouint(strim(text), 0, &calls) ? call(strim(text)) : load(calls);
	return r ? r : size;
}

static const struct file_operations run_operations = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = run_write,
};

static int counts_show(struct seq_file *m, void *unused)
{
	unsigned int cpu, context, call;

	for_each_online_cpu(cpu) for (context = 0; context < KTRACE_N_FUNCS; context++)
	{
		seq_printf(m, "%u %s", cpu, ktrace_func_names[context]);
		for (call = 0; call < CALLS; call++)
			seq_printf(m, " %u", load_counts[cpu][context][call]);
		seq_putc(m, '\n');
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(counts);

static int __init load_init(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
	{
		struct hrtimer *t = per_cpu_ptr(&timers, cpu);

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
		hrtimer_setup(t, hardirq, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
#else
		hrtimer_init(t, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
		t->function = hardirq;
#endif
		tasklet_setup(per_cpu_ptr(&tasklets, cpu), softirq);
	}
	dir = debugfs_create_dir("ktrace_load", NULL);
	debugfs_create_file("run", 0200, dir, NULL, &run_operations);
	debugfs_create_file("counts", 0400, dir, NULL, &counts_fops);
	return 0;
}

static void __exit load_exit(void)
{
	debugfs_remove(dir);
}

module_init(load_init);
module_exit(load_exit);
MODULE_LICENSE("GPL");
