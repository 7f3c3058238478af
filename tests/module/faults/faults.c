// SPDX-License-Identifier: GPL-2.0-only
/*
 * Faults that only the kernel can have, so that tests/vm/why.py can ask kft why for them. All
 * is on CPU 0: a timer (faults_tick) that fires each millisecond, a thread "faults-victim" of
 * a high priority that wants to run each millisecond, and the fault, FAULT_MS long.
 *
 * debugfs: echo FAULT [N] >faults/run plants one N times (TIMES) and returns when it is over.
 */
#include <linux/completion.h>
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <linux/version.h>
#include <linux/workqueue.h>

#define FAULT_MS 7
/* More than the tests need, because some occur while no other task wants the CPU. */
#define TIMES 24
#define STORM 70

static struct hrtimer tick;
static struct hrtimer kicker;
static struct task_struct *victim;
static struct dentry *dir;
static int irq_number;
static int times;
static int kicks;
static void (*kick)(void);
static DECLARE_COMPLETION(over);

static void spin_us(u64 us)
{
	u64 end = ktime_get_mono_fast_ns() + us * NSEC_PER_USEC;

	while (ktime_get_mono_fast_ns() < end)
		cpu_relax();
}

static void set_timer(struct hrtimer *t, enum hrtimer_restart (*fn)(struct hrtimer *))
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0)
	hrtimer_setup(t, fn, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
#else
	hrtimer_init(t, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	t->function = fn;
#endif
}

static void start_timer(void *timer)
{
	hrtimer_start(timer, ms_to_ktime(1), HRTIMER_MODE_REL_PINNED_HARD);
}

static enum hrtimer_restart faults_tick(struct hrtimer *t)
{
	hrtimer_forward_now(t, ms_to_ktime(1));
	return HRTIMER_RESTART;
}

static int victim_main(void *unused)
{
	while (!kthread_should_stop())
		usleep_range(1000, 1100);
	return 0;
}

/* Faults of a thread, at random times. */

static void keep_irqs_off(void)
{
	unsigned long flags;

	local_irq_save(flags);
	spin_us(FAULT_MS * 1000);
	local_irq_restore(flags);
}

static void keep_preemption_off(void)
{
	preempt_disable();
	spin_us(FAULT_MS * 1000);
	preempt_enable();
}

static void faults_hog(struct work_struct *w)
{
	spin_us(FAULT_MS * 1000);
}
static DECLARE_WORK(hog_work, faults_hog);

static void queue_hog(void)
{
	queue_work_on(0, system_wq, &hog_work);
	flush_work(&hog_work);
}

static int thread_main(void *fault)
{
	for (int i = 0; i < times; i++) {
		usleep_range(20000, 20000 + get_random_u32() % 20000);
		((void (*)(void))fault)();
	}
	kthread_complete_and_exit(&over, 0);
}

static int fork_thread(const char *name, int (*main)(void *), void *arg)
{
	struct task_struct *t = kthread_create(main, arg, "%s", name);

	if (IS_ERR(t))
		return PTR_ERR(t);
	kthread_bind(t, 0);
	wake_up_process(t);
	return 0;
}

static int by_thread(const char *name, void (*fault)(void))
{
	int r = fork_thread(name, thread_main, fault);

	if (r == 0)
		wait_for_completion(&over);
	return r;
}

/* What interrupts do. */

static void faults_tasklet(struct tasklet_struct *t)
{
	spin_us(FAULT_MS * 1000 / STORM);
}

static struct tasklet_struct storm[STORM];

static void raise_softirqs(void)
{
	for (int i = 0; i < STORM; i++)
		tasklet_schedule(&storm[i]);
}

static irqreturn_t faults_handler(int irq, void *unused)
{
	spin_us(FAULT_MS * 1000);
	return IRQ_HANDLED;
}

static void raise_irq(void)
{
	generic_handle_irq(irq_number);
}

static enum hrtimer_restart faults_kicker(struct hrtimer *t)
{
	kick();
	hrtimer_forward_now(t, ms_to_ktime(20));
	if (--kicks)
		return HRTIMER_RESTART;
	complete(&over);
	return HRTIMER_NORESTART;
}

static int by_interrupt(void (*fault)(void))
{
	int r;

	kick = fault;
	kicks = times;
	r = smp_call_function_single(0, start_timer, &kicker, 1);
	if (r < 0)
		return r;
	wait_for_completion(&over);
	/* The last softirqs are still to run. */
	msleep(3 * FAULT_MS);
	return 0;
}

/* A mutex with a sleeping owner. */

static DEFINE_MUTEX(mutex);
static DECLARE_COMPLETION(owned);

static int owner_main(void *unused)
{
	mutex_lock(&mutex);
	complete(&owned);
	msleep(3 * FAULT_MS);
	mutex_unlock(&mutex);
	kthread_complete_and_exit(&over, 0);
}

static int wait_for_owner(void)
{
	for (int i = 0; i < times; i++) {
		int r = fork_thread("faults-owner", owner_main, NULL);

		if (r < 0)
			return r;
		wait_for_completion(&owned);
		mutex_lock(&mutex);
		mutex_unlock(&mutex);
		wait_for_completion(&over);
	}
	return 0;
}

static int run(const char *fault)
{
	if (!strcmp(fault, "irqsoff"))
		return by_thread("faults-irqsoff", keep_irqs_off);
	if (!strcmp(fault, "preemptoff"))
		return by_thread("faults-preempt", keep_preemption_off);
	if (!strcmp(fault, "kworker"))
		return by_thread("faults-queuer", queue_hog);
	if (!strcmp(fault, "softirq"))
		return by_interrupt(raise_softirqs);
	if (!strcmp(fault, "irq"))
		return by_interrupt(raise_irq);
	if (!strcmp(fault, "mutex"))
		return wait_for_owner();
	return -EINVAL;
}

static ssize_t write_run(struct file *f, const char __user *text, size_t n, loff_t *at)
{
	char line[32] = "";
	char word[32];
	int r;

	if (n >= sizeof(line) || copy_from_user(line, text, n))
		return -EINVAL;
	times = TIMES;
	if (sscanf(line, "%31s %d", word, &times) < 1 || times < 1)
		return -EINVAL;
	r = run(word);
	return r < 0 ? r : n;
}

static const struct file_operations run_ops = {
	.owner = THIS_MODULE,
	.write = write_run,
};

/* An interrupt without a device: it happens when faults_kicker says so. */
static int make_irq(void)
{
	/* Without an owner: the module is not in use by its own interrupt. */
	int r = __irq_alloc_descs(-1, 0, 1, NUMA_NO_NODE, NULL, NULL);

	if (r < 0)
		return r;
	irq_number = r;
	irq_set_chip_and_handler(irq_number, &dummy_irq_chip, handle_simple_irq);
	irq_modify_status(irq_number, IRQ_NOREQUEST | IRQ_NOPROBE, 0);
	r = request_irq(irq_number, faults_handler, 0, "faults-device", &irq_number);
	if (r < 0)
		irq_free_desc(irq_number);
	return r;
}

static void free_irq_number(void)
{
	free_irq(irq_number, &irq_number);
	irq_free_desc(irq_number);
}

static int __init faults_init(void)
{
	int r = make_irq();

	if (r < 0)
		return r;
	victim = kthread_create(victim_main, NULL, "faults-victim");
	if (IS_ERR(victim)) {
		free_irq_number();
		return PTR_ERR(victim);
	}
	for (int i = 0; i < STORM; i++)
		tasklet_setup(&storm[i], faults_tasklet);
	set_timer(&tick, faults_tick);
	set_timer(&kicker, faults_kicker);
	smp_call_function_single(0, start_timer, &tick, 1);
	kthread_bind(victim, 0);
	sched_set_fifo(victim);
	wake_up_process(victim);
	dir = debugfs_create_dir("faults", NULL);
	debugfs_create_file("run", 0200, dir, NULL, &run_ops);
	return 0;
}

static void __exit faults_exit(void)
{
	debugfs_remove(dir);
	kthread_stop(victim);
	hrtimer_cancel(&tick);
	hrtimer_cancel(&kicker);
	for (int i = 0; i < STORM; i++)
		tasklet_kill(&storm[i]);
	free_irq_number();
}

module_init(faults_init);
module_exit(faults_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Faults for kft's tests");
