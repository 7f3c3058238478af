// SPDX-License-Identifier: LGPL-2.1-or-later
/* The table of KPTrace's records. */
#include "file/kpt/records.h"

#include <string.h>

#define INT(name)                 \
	{                         \
		KFT_KPT_INT, name \
	}
#define HEX(name)                 \
	{                         \
		KFT_KPT_HEX, name \
	}
#define TEXT(name)                 \
	{                          \
		KFT_KPT_TEXT, name \
	}
#define COMM(name)                 \
	{                          \
		KFT_KPT_COMM, name \
	}
#define ARGS(name)                 \
	{                          \
		KFT_KPT_ARGS, name \
	}
#define OWN KFT_KPT_PLAIN, "kptrace"

/* clang-format off */
const struct kft_kpt_record kft_kpt_records[] = {
	/* Records that correspond to an event of the kernel. */
	{"C", KFT_KPT_SWITCH, "sched", "sched_switch",
	 {COMM("prev_comm"), INT("prev_pid"), INT("prev_state"), COMM("next_comm"),
	  INT("next_pid")}},
	{"W", KFT_KPT_WAKE, "sched", "sched_waking", {COMM("comm"), INT("pid")}},
	{"I", KFT_KPT_IRQ, "irq", "irq_handler_entry", {INT("irq"), TEXT("name")}},
	{"i", KFT_KPT_IRQ_BACK, "irq", "irq_handler_exit", {INT("irq"), INT("ret")}},
	{"S", KFT_KPT_SOFTIRQ, "irq", "softirq_entry", {INT("vec"), HEX("function")}},
	{"s", KFT_KPT_SOFTIRQ_BACK, "irq", "softirq_exit", {INT("vec")}},
	{"E", KFT_KPT_CALL, "raw_syscalls", "sys_enter",
	 {INT("id"), ARGS("args"), INT("text_arg"), TEXT("text")}},
	{"X", KFT_KPT_CALL_BACK, "raw_syscalls", "sys_exit", {INT("id"), INT("ret")}},
	{"K", KFT_KPT_MARK, "ftrace", "print", {HEX("ip"), TEXT("buf")}},
	{"KM", KFT_KPT_MARK, "ftrace", "print", {HEX("ip"), TEXT("buf")}},
	{"MD", KFT_KPT_PLAIN, "exceptions", "page_fault_user",
	 {HEX("ip"), HEX("error_code"), HEX("address")}},
	/*
	 * Records with an event of KPTrace's own, named after the probed
	 * function; "_ret" is its return.
	 */
	{"Ix", OWN, "irq_exit", {}},
	{"IP", OWN, "ipi", {HEX("function")}},
	{"ip", OWN, "ipi_ret", {}},
	{"HF", OWN, "hash_futex", {INT("word"), HEX("ptr"), INT("offset")}},
	{"KC", OWN, "kthread_create", {HEX("function")}},
	{"Kc", OWN, "kthread_create_ret", {INT("pid"), TEXT("comm")}},
	{"KT", OWN, "kernel_thread", {HEX("function")}},
	{"KD", OWN, "daemonize", {TEXT("comm")}},
	{"KX", OWN, "exit_thread", {}},
	{"KP", OWN, "pause", {}},
	{"KR", OWN, "restart", {}},
	{"U", OWN, "user", {HEX("function"), HEX("a0"), HEX("a1"), HEX("a2"), HEX("a3")}},
	{"u", OWN, "user_ret", {INT("ret"), HEX("function")}},
	{"MM", OWN, "kmalloc", {INT("size"), HEX("flags")}},
	{"Mm", OWN, "kmalloc_ret", {HEX("ptr")}},
	{"MV", OWN, "vmalloc", {INT("size")}},
	{"Mv", OWN, "vmalloc_ret", {HEX("ptr")}},
	{"MG", OWN, "get_free_pages", {HEX("gfp"), INT("order")}},
	{"Mg", OWN, "get_free_pages_ret", {HEX("ptr")}},
	{"MA", OWN, "alloc_pages", {HEX("gfp"), INT("order")}},
	{"Ma", OWN, "alloc_pages_ret", {HEX("ptr")}},
	{"MS", OWN, "kmem_cache_alloc", {HEX("cache"), HEX("flags")}},
	{"Ms", OWN, "kmem_cache_alloc_ret", {HEX("ptr")}},
	{"MF", OWN, "kfree", {HEX("ptr")}},
	{"MQ", OWN, "vfree", {HEX("ptr")}},
	{"MZ", OWN, "free_pages", {HEX("ptr"), INT("order")}},
	{"MX", OWN, "kmem_cache_free", {HEX("cache"), HEX("ptr")}},
	{"NR", OWN, "netif_receive_skb", {}},
	{"Nr", OWN, "netif_receive_skb_ret", {INT("ret")}},
	{"NX", OWN, "dev_queue_xmit", {}},
	{"Nx", OWN, "dev_queue_xmit_ret", {INT("ret")}},
	{"SS", OWN, "sock_sendmsg", {HEX("sock"), INT("len")}},
	{"Ss", OWN, "sock_sendmsg_ret", {INT("ret")}},
	{"SR", OWN, "sock_recvmsg", {HEX("sock"), INT("len"), HEX("flags")}},
	{"Sr", OWN, "sock_recvmsg_ret", {INT("ret")}},
	{"IS", OWN, "do_setitimer", {INT("which"), TEXT("interval_value")}},
	{"Is", OWN, "do_setitimer_ret", {INT("ret")}},
	{"IE", OWN, "it_real_fn", {HEX("timer")}},
	{"Ie", OWN, "it_real_fn_ret", {INT("ret")}},
	{"ZM", OWN, "mutex_lock", {HEX("mutex")}},
	{"Zm", OWN, "mutex_unlock", {HEX("mutex")}},
	{"ZL", OWN, "lock_kernel", {}},
	{"Zl", OWN, "unlock_kernel", {}},
	{"ZD", OWN, "down", {HEX("sem"), INT("count")}},
	{"ZI", OWN, "down_interruptible", {HEX("sem"), INT("count")}},
	{"ZT", OWN, "down_trylock", {HEX("sem"), INT("count")}},
	{"Zt", OWN, "down_trylock_ret", {INT("ret")}},
	{"ZU", OWN, "up", {HEX("sem"), INT("count")}},
	{"Zu", OWN, "up_wake", {HEX("sem")}},
	{"ZR", OWN, "down_read", {HEX("rwsem"), INT("activity")}},
	{"ZA", OWN, "down_read_trylock", {HEX("rwsem"), INT("activity")}},
	{"Za", OWN, "down_read_trylock_ret", {INT("ret")}},
	{"Zr", OWN, "up_read", {HEX("rwsem"), INT("activity")}},
	{"ZW", OWN, "down_write", {HEX("rwsem"), INT("activity")}},
	{"ZB", OWN, "down_write_trylock", {HEX("rwsem"), INT("activity")}},
	{"Zb", OWN, "down_write_trylock_ret", {INT("ret")}},
	{"Zw", OWN, "up_write", {HEX("rwsem"), INT("activity")}},
	/* The last row takes records of programs: their code and text become one text. */
	{"", KFT_KPT_OTHER, "kptrace", "record", {TEXT("text")}},
};
/* clang-format on */

const size_t kft_kpt_n_records = ARRAY_SIZE(kft_kpt_records);

const struct kft_kpt_record *kft_kpt_find(const char *code, size_t len)
{
	size_t i = 0;

	while (i + 1 < kft_kpt_n_records &&
	       (strlen(kft_kpt_records[i].code) != len ||
		memcmp(kft_kpt_records[i].code, code, len) != 0))
		i++;
	return &kft_kpt_records[i];
}

uint16_t kft_kpt_id(const struct kft_kpt_record *r)
{
	/* Both codes for marks have one class. */
	if (r->special == KFT_KPT_MARK)
		r = kft_kpt_find("K", 1);
	return (uint16_t)(KFT_KPT_FIRST_ID + (r - kft_kpt_records));
}

const char *const kft_kpt_call_prefixes[] = {"sys_",	     "SyS_",	     "__x64_sys_",
					     "__arm64_sys_", "__s390x_sys_", "__se_sys_",
					     "compat_sys_",  "do_",	     NULL};

const char *const kft_kpt_softirqs[KFT_KPT_VECTORS] = {
	"tasklet_hi_action", "run_timer_softirq",     "net_tx_action",
	"net_rx_action",     "blk_done_softirq",      "irq_poll_softirq",
	"tasklet_action",    "run_rebalance_domains", "hrtimer_run_softirq",
	"rcu_core_si",
};

int kft_kpt_vector(const char *function, size_t len)
{
	for (int i = 0; i < KFT_KPT_VECTORS; i++)
		if (strlen(kft_kpt_softirqs[i]) == len &&
		    memcmp(kft_kpt_softirqs[i], function, len) == 0)
			return i;
	return -1;
}
