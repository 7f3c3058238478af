// SPDX-License-Identifier: LGPL-2.1-or-later
/* Maps names of LTTng's and perf's events to the kernel's. */
#include "file/ctf/kernel.h"

#include <stdio.h>
#include <string.h>

/*
 * Rules by which LTTng derives its names from the kernel's, used in both directions: the
 * first matching rule decides.
 */
static const struct {
	const char *prefix;
	const char *system;
	size_t strip; /* bytes of the prefix that the kernel's name lacks */
	const char *instead; /* text in the kernel's name in their place; NULL: none */
} rules[] = {
	{"syscall_entry_", "syscalls", 14, "sys_enter_"},
	{"syscall_exit_", "syscalls", 13, "sys_exit_"},
	{"compat_syscall_entry_", "syscalls", 21, "compat_sys_enter_"},
	{"compat_syscall_exit_", "syscalls", 20, "compat_sys_exit_"},
	{"irq_softirq_", "irq", 4, NULL},
	{"irq_tasklet_", "irq", 4, NULL},
	{"irq_", "irq", 0, NULL},
	{"sched_", "sched", 0, NULL},
	{"timer_hrtimer_", "timer", 6, NULL},
	{"timer_itimer_", "timer", 6, NULL},
	{"timer_", "timer", 0, NULL},
	{"workqueue_", "workqueue", 0, NULL},
	{"signal_", "signal", 0, NULL},
	{"power_", "power", 6, NULL},
	{"block_", "block", 0, NULL},
	{"kmem_cache_", "kmem", 0, NULL},
	{"kmem_", "kmem", 5, NULL},
	{"mm_vmscan_", "vmscan", 0, NULL},
	{"mm_compaction_", "compaction", 0, NULL},
	{"net_if_", "net", 6, "netif"},
	{"net_napi_", "net", 4, NULL},
	{"net_", "net", 0, NULL},
	{"napi_", "napi", 0, NULL},
	{"skb_kfree", "skb", 9, "kfree_skb"},
	{"skb_consume", "skb", 11, "consume_skb"},
	{"skb_", "skb", 0, NULL},
	{"udp_", "udp", 0, NULL},
	{"rcu_", "rcu", 0, NULL},
	{"jbd2_", "jbd2", 0, NULL},
	{"ext3_", "ext3", 0, NULL},
	{"ext4_", "ext4", 0, NULL},
	{"btrfs_", "btrfs", 0, NULL},
	{"writeback_", "writeback", 0, NULL},
	{"scsi_", "scsi", 0, NULL},
	{"module_", "module", 0, NULL},
	{"printk_console", "printk", 7, NULL},
	{"regmap_", "regmap", 0, NULL},
	{"regulator_", "regulator", 0, NULL},
	{"gpio_", "gpio", 0, NULL},
	{"i2c_", "i2c", 0, NULL},
	{"random_", "random", 7, NULL},
	{"rpm_", "rpm", 0, NULL},
	{"kvm_x86_", "kvm", 8, "kvm_"},
	{"kvm_", "kvm", 0, NULL},
	{"x86_irq_vectors_", "irq_vectors", 16, NULL},
	{"x86_exceptions_", "exceptions", 15, NULL},
	{"lttng_", "lttng", 0, NULL},
};

static void set(char *to, const char *from, size_t len)
{
	len = KFT_MIN(len, (size_t)KFT_CTF_NAME_MAX - 1);
	memcpy(to, from, len);
	to[len] = '\0';
}

void kft_ctf_kernel_name(const char *ctf_name, struct kft_ctf_kernel_name *ret)
{
	const char *colon = strchr(ctf_name, ':');

	if (colon && colon > ctf_name && colon[1]) {
		set(ret->system, ctf_name, colon - ctf_name);
		set(ret->name, colon + 1, strlen(colon + 1));
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		const char *instead = rules[i].instead ? rules[i].instead : "";
		const char *rest = ctf_name + rules[i].strip;
		size_t n = strlen(instead);

		if (strncmp(ctf_name, rules[i].prefix, strlen(rules[i].prefix)) != 0)
			continue;
		set(ret->system, rules[i].system, strlen(rules[i].system));
		set(ret->name, instead, n);
		set(ret->name + n, rest,
		    KFT_MIN(strlen(rest), (size_t)KFT_CTF_NAME_MAX - 1 - n));
		return;
	}
	set(ret->system, "ctf", 3);
	set(ret->name, ctf_name, strlen(ctf_name));
}

/* Applies one rule backwards; -1: it cannot produce such a name. */
static int undo_rule(size_t i, const char *name, struct kft_ctf_lttng_name *ret)
{
	const char *instead = rules[i].instead ? rules[i].instead : "";
	const char *kept = rules[i].prefix + rules[i].strip;
	size_t n = strlen(instead);

	if (strncmp(name, instead, n) != 0 || strncmp(name + n, kept, strlen(kept)) != 0)
		return -1;
	int len = snprintf(ret->name, sizeof(ret->name), "%s%s", rules[i].prefix,
			   name + n + strlen(kept));
	return len < KFT_CTF_NAME_MAX ? 0 : -1;
}

bool kft_ctf_lttng_name(const char *system, const char *name,
			struct kft_ctf_lttng_name *ret)
{
	struct kft_ctf_kernel_name back;

	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		if (strcmp(rules[i].system, system) != 0 || undo_rule(i, name, ret) < 0)
			continue;
		/*
		 * The new name is valid only if an earlier rule does not
		 * map it to another event.
		 */
		kft_ctf_kernel_name(ret->name, &back);
		if (strcmp(back.system, system) == 0 && strcmp(back.name, name) == 0)
			return true;
	}
	return false;
}

/* Copied from the kernel's format files; those of 6.1 where versions differ. */
#define STATES                                                                         \
	"{ 0x0001, \"S\" }, { 0x0002, \"D\" }, { 0x0004, \"T\" }, { 0x0008, \"t\" }, " \
	"{ 0x0010, \"X\" }, { 0x0020, \"Z\" }, { 0x0040, \"P\" }, { 0x0080, \"I\" }"
#define SOFTIRQ                                                                         \
	"\"vec=%u [action=%s]\", REC->vec, __print_symbolic(REC->vec, { 0, \"HI\" }, "  \
	"{ 1, \"TIMER\" }, { 2, \"NET_TX\" }, { 3, \"NET_RX\" }, { 4, \"BLOCK\" }, "    \
	"{ 5, \"IRQ_POLL\" }, { 6, \"TASKLET\" }, { 7, \"SCHED\" }, { 8, \"HRTIMER\" }" \
	", { 9, \"RCU\" })"
#define HRTIMER_MODES                                                                \
	"{ 0x00, \"ABS\" }, { 0x01, \"REL\" }, { 0x02, \"ABS|PINNED\" }, "           \
	"{ 0x03, \"REL|PINNED\" }, { 0x04, \"ABS|SOFT\" }, { 0x05, \"REL|SOFT\" }, " \
	"{ 0x06, \"ABS|PINNED|SOFT\" }, { 0x07, \"REL|PINNED|SOFT\" }, "             \
	"{ 0x08, \"ABS|HARD\" }, { 0x09, \"REL|HARD\" }, "                           \
	"{ 0x0a, \"ABS|PINNED|HARD\" }, { 0x0b, \"REL|PINNED|HARD\" }"
#define TIMER_FLAGS                                                             \
	"__print_flags(REC->flags & 0x003c0000, \"|\", { 0x00040000, \"M\" }, " \
	"{ 0x00080000, \"D\" }, { 0x00100000, \"P\" }, { 0x00200000, \"I\" })"
#define WAKING "char comm[16];pid_t pid=tid;int prio+100;int target_cpu"
#define WAKING_FMT                                                          \
	"\"comm=%s pid=%d prio=%d target_cpu=%03d\", REC->comm, REC->pid, " \
	"REC->prio, REC->target_cpu"
#define COMM_PRIO     "char comm[16];pid_t pid=tid;int prio+100"
#define COMM_PRIO_FMT "\"comm=%s pid=%d prio=%d\", REC->comm, REC->pid, REC->prio"
#define DELAY	      "char comm[16];pid_t pid=tid;u64 delay"
#define DELAY_FMT                                                  \
	"\"comm=%s pid=%d delay=%Lu [ns]\", REC->comm, REC->pid, " \
	"(unsigned long long)REC->delay"
#define WORK	 "void * work;void * function"
#define WORK_FMT "\"work struct %p: function %ps\", REC->work, REC->function"
#define STATE_CPU                                               \
	"\"state=%lu cpu_id=%lu\", (unsigned long)REC->state, " \
	"(unsigned long)REC->cpu_id"

static const struct kft_ctf_kernel_event events[] = {
	{"sched", "sched_switch",
	 "char prev_comm[16];pid_t prev_pid=prev_tid;int prev_prio+100;long prev_state;"
	 "char next_comm[16];pid_t next_pid=next_tid;int next_prio+100",
	 "\"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s "
	 "next_pid=%d next_prio=%d\", REC->prev_comm, REC->prev_pid, REC->prev_prio, "
	 "(REC->prev_state & 0xff) ? __print_flags(REC->prev_state & 0xff, \"|\", " STATES
	 ") : \"R\", REC->prev_state & 0x100 ? \"+\" : \"\", REC->next_comm, "
	 "REC->next_pid, REC->next_prio"},
	{"sched", "sched_waking", WAKING, WAKING_FMT},
	{"sched", "sched_wakeup", WAKING, WAKING_FMT},
	{"sched", "sched_wakeup_new", WAKING, WAKING_FMT},
	{"sched", "sched_migrate_task",
	 "char comm[16];pid_t pid=tid;int prio+100;int orig_cpu;int dest_cpu",
	 "\"comm=%s pid=%d prio=%d orig_cpu=%d dest_cpu=%d\", REC->comm, REC->pid, "
	 "REC->prio, REC->orig_cpu, REC->dest_cpu"},
	{"sched", "sched_process_exec",
	 "__data_loc char[] filename;pid_t pid=tid;pid_t old_pid=old_tid",
	 "\"filename=%s pid=%d old_pid=%d\", __get_str(filename), REC->pid, "
	 "REC->old_pid"},
	{"sched", "sched_process_fork",
	 "char parent_comm[16];pid_t parent_pid=parent_tid;char child_comm[16];"
	 "pid_t child_pid=child_tid",
	 "\"comm=%s pid=%d child_comm=%s child_pid=%d\", REC->parent_comm, "
	 "REC->parent_pid, REC->child_comm, REC->child_pid"},
	{"sched", "sched_process_exit", COMM_PRIO, COMM_PRIO_FMT},
	{"sched", "sched_process_free", COMM_PRIO, COMM_PRIO_FMT},
	{"sched", "sched_process_wait", COMM_PRIO, COMM_PRIO_FMT},
	{"sched", "sched_wait_task", COMM_PRIO, COMM_PRIO_FMT},
	{"sched", "sched_stat_wait", DELAY, DELAY_FMT},
	{"sched", "sched_stat_sleep", DELAY, DELAY_FMT},
	{"sched", "sched_stat_iowait", DELAY, DELAY_FMT},
	{"sched", "sched_stat_blocked", DELAY, DELAY_FMT},
	{"sched", "sched_stat_runtime",
	 "char comm[16];pid_t pid=tid;u64 runtime;u64 vruntime",
	 "\"comm=%s pid=%d runtime=%Lu [ns] vruntime=%Lu [ns]\", REC->comm, REC->pid, "
	 "(unsigned long long)REC->runtime, (unsigned long long)REC->vruntime"},
	{"sched", "sched_stat_runtime", "char comm[16];pid_t pid=tid;u64 runtime",
	 "\"comm=%s pid=%d runtime=%Lu [ns]\", REC->comm, REC->pid, "
	 "(unsigned long long)REC->runtime"},
	{"sched", "sched_pi_setprio",
	 "char comm[16];pid_t pid=tid;int oldprio+100;int newprio+100",
	 "\"comm=%s pid=%d oldprio=%d newprio=%d\", REC->comm, REC->pid, REC->oldprio, "
	 "REC->newprio"},
	{"sched", "sched_kthread_stop", "char comm[16];pid_t pid=tid",
	 "\"comm=%s pid=%d\", REC->comm, REC->pid"},
	{"sched", "sched_kthread_stop_ret", "int ret", "\"ret=%d\", REC->ret"},
	{"irq", "irq_handler_entry", "int irq;__data_loc char[] name",
	 "\"irq=%d name=%s\", REC->irq, __get_str(name)"},
	{"irq", "irq_handler_exit", "int irq;int ret",
	 "\"irq=%d ret=%s\", REC->irq, REC->ret ? \"handled\" : \"unhandled\""},
	{"irq", "softirq_entry", "unsigned int vec", SOFTIRQ},
	{"irq", "softirq_exit", "unsigned int vec", SOFTIRQ},
	{"irq", "softirq_raise", "unsigned int vec", SOFTIRQ},
	{"timer", "hrtimer_cancel", "void * hrtimer", "\"hrtimer=%p\", REC->hrtimer"},
	{"timer", "hrtimer_expire_exit", "void * hrtimer",
	 "\"hrtimer=%p\", REC->hrtimer"},
	{"timer", "hrtimer_expire_entry", "void * hrtimer;s64 now;void * function",
	 "\"hrtimer=%p function=%ps now=%llu\", REC->hrtimer, REC->function, "
	 "(unsigned long long)REC->now"},
	{"timer", "hrtimer_init", "void * hrtimer;clockid_t clockid;unsigned int mode",
	 "\"hrtimer=%p clockid=%s mode=%s\", REC->hrtimer, __print_symbolic(REC->clockid, "
	 "{ 0, \"CLOCK_REALTIME\" }, { 1, \"CLOCK_MONOTONIC\" }, "
	 "{ 7, \"CLOCK_BOOTTIME\" }, { 11, \"CLOCK_TAI\" }), "
	 "__print_symbolic(REC->mode, " HRTIMER_MODES ")"},
	{"timer", "hrtimer_start",
	 "void * hrtimer;void * function;s64 expires;s64 softexpires;unsigned int mode",
	 "\"hrtimer=%p function=%ps expires=%llu softexpires=%llu mode=%s\", "
	 "REC->hrtimer, REC->function, (unsigned long long)REC->expires, "
	 "(unsigned long long)REC->softexpires, __print_symbolic(REC->mode, " HRTIMER_MODES
	 ")"},
	{"timer", "itimer_expire", "int which;pid_t pid;unsigned long long now",
	 "\"which=%d pid=%d now=%llu\", REC->which, (int)REC->pid, REC->now"},
	{"timer", "timer_cancel", "void * timer", "\"timer=%p\", REC->timer"},
	{"timer", "timer_init", "void * timer", "\"timer=%p\", REC->timer"},
	{"timer", "timer_expire_exit", "void * timer", "\"timer=%p\", REC->timer"},
	{"timer", "timer_expire_entry",
	 "void * timer;unsigned long now;void * function;unsigned long baseclk",
	 "\"timer=%p function=%ps now=%lu baseclk=%lu\", REC->timer, REC->function, "
	 "REC->now, REC->baseclk"},
	{"timer", "timer_start",
	 "void * timer;void * function;unsigned long expires;unsigned long now;"
	 "unsigned int flags",
	 "\"timer=%p function=%ps expires=%lu [timeout=%ld] cpu=%u idx=%u flags=%s\", "
	 "REC->timer, REC->function, REC->expires, (long)REC->expires - REC->now, "
	 "REC->flags & 0x0003ffff, REC->flags >> 22, " TIMER_FLAGS},
	{"workqueue", "workqueue_activate_work", "void * work",
	 "\"work struct %p\", REC->work"},
	{"workqueue", "workqueue_execute_start", WORK, WORK_FMT},
	{"workqueue", "workqueue_execute_end", WORK, WORK_FMT},
	{"signal", "signal_generate",
	 "int sig;int errno;int code;char comm[16];pid_t pid;int group;int result",
	 "\"sig=%d errno=%d code=%d comm=%s pid=%d grp=%d res=%d\", REC->sig, REC->errno, "
	 "REC->code, REC->comm, REC->pid, REC->group, REC->result"},
	{"signal", "signal_deliver",
	 "int sig;int errno;int code;unsigned long sa_handler;unsigned long sa_flags",
	 "\"sig=%d errno=%d code=%d sa_handler=%lx sa_flags=%lx\", REC->sig, REC->errno, "
	 "REC->code, REC->sa_handler, REC->sa_flags"},
	{"power", "cpu_idle", "u32 state;u32 cpu_id", STATE_CPU},
	{"power", "cpu_frequency", "u32 state;u32 cpu_id", STATE_CPU},
	{"raw_syscalls", "sys_enter", "long id;unsigned long args[6]",
	 "\"NR %ld (%lx, %lx, %lx, %lx, %lx, %lx)\", REC->id, REC->args[0], "
	 "REC->args[1], REC->args[2], REC->args[3], REC->args[4], REC->args[5]"},
	{"raw_syscalls", "sys_exit", "long id;long ret",
	 "\"NR %ld = %ld\", REC->id, REC->ret"},
};

const struct kft_ctf_kernel_event *
kft_ctf_kernel_event(const struct kft_ctf_kernel_name *name,
		     const struct kft_ctf_kernel_event *after)
{
	for (size_t i = after ? after - events + 1 : 0; i < ARRAY_SIZE(events); i++)
		if (strcmp(events[i].system, name->system) == 0 &&
		    strcmp(events[i].name, name->name) == 0)
			return &events[i];
	return NULL;
}
