// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes arguments of calls on tasks: programs, children, limits, capabilities and processors. */
#include "strace/forms.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <sys/wait.h>

#include "strace/choose.h"
#include "strace/members.h"

/* Arguments of a program that are read at all. */
#define ARGV_MAX 65536

#define CPUS_BYTES_MAX 1024

static const struct kft_member timeval[] = {
	{"tv_sec", KFT_MEMBER_LONG}, {"tv_usec", KFT_MEMBER_ULONG}, {}};
static const struct kft_member rusage[] = {
	{"ru_utime", KFT_MEMBER_STRUCT, timeval},
	{"ru_stime", KFT_MEMBER_STRUCT, timeval},
	{"ru_maxrss", KFT_MEMBER_LONG, .verbose = true},
	{"ru_ixrss", KFT_MEMBER_LONG, .verbose = true},
	{"ru_idrss", KFT_MEMBER_LONG, .verbose = true},
	{"ru_isrss", KFT_MEMBER_LONG, .verbose = true},
	{"ru_minflt", KFT_MEMBER_LONG, .verbose = true},
	{"ru_majflt", KFT_MEMBER_LONG, .verbose = true},
	{"ru_nswap", KFT_MEMBER_LONG, .verbose = true},
	{"ru_inblock", KFT_MEMBER_LONG, .verbose = true},
	{"ru_oublock", KFT_MEMBER_LONG, .verbose = true},
	{"ru_msgsnd", KFT_MEMBER_LONG, .verbose = true},
	{"ru_msgrcv", KFT_MEMBER_LONG, .verbose = true},
	{"ru_nsignals", KFT_MEMBER_LONG, .verbose = true},
	{"ru_nvcsw", KFT_MEMBER_LONG, .verbose = true},
	{"ru_nivcsw", KFT_MEMBER_LONG, .verbose = true},
	{}};
static const struct kft_member cap_header[] = {
	{"version", KFT_MEMBER_SET, &kft_arg_cap_version}, {"pid", KFT_MEMBER_INT}, {}};

/* An array of pointers to strings that ends with NULL. */
static void add_strings(struct kft_strace_text *t, uint64_t address)
{
	uint64_t at;
	size_t max = t->style->verbose ? ARGV_MAX : t->style->string_max;

	if (!kft_strace_read_word(t, address, &at)) {
		kft_strace_address(t, address);
		return;
	}
	kft_strbuf_addc(t->sb, '[');
	for (unsigned int i = 0;; i++) {
		if (!kft_strace_read_word(t, address + (uint64_t)i * t->word, &at)) {
			kft_strbuf_addf(t->sb, "%s... /* ", i ? ", " : "");
			kft_strace_address(t, address + (uint64_t)i * t->word);
			kft_strbuf_adds(t->sb, " */");
			break;
		}
		if (!at)
			break;
		kft_strbuf_adds(t->sb, i ? ", " : "");
		if (i == max || t->sb->len > KFT_STRACE_TEXT_MAX) {
			kft_strbuf_adds(t->sb, "...");
			break;
		}
		kft_strace_string(t, at, false);
	}
	kft_strbuf_addc(t->sb, ']');
}

void kft_form_strings(struct kft_strace_text *t, uint64_t v)
{
	add_strings(t, v);
}

void kft_form_environ(struct kft_strace_text *t, uint64_t v)
{
	unsigned int n = 0;
	uint64_t at = 0;

	if (t->style->verbose) {
		add_strings(t, v);
		return;
	}
	kft_strace_address(t, v);
	if (!kft_strace_read_word(t, v, &at))
		return;
	while (n < ARGV_MAX && kft_strace_read_word(t, v + (uint64_t)n * t->word, &at) &&
	       at)
		n++;
	kft_strbuf_addf(t->sb, " /* %u var%s%s */", n, n == 1 ? "" : "s",
			at ? ", unterminated" : "");
}

/* Native calls of x86_64 have the pointer for the child before that for its TLS. */
static void find_clone_pointers(const struct kft_strace_text *t, uint64_t *ret_child,
				uint64_t *ret_tls)
{
	bool child_first = false;

#ifdef __x86_64__
	child_first = t->call->abi == KFT_TRACED_NATIVE;
#endif
	*ret_child = kft_strace_arg(t, child_first ? 3 : 4);
	*ret_tls = kft_strace_arg(t, child_first ? 4 : 3);
}

static void add_tid_at(struct kft_strace_text *t, uint64_t address)
{
	int32_t tid;

	if (t->call->is_error || !kft_strace_read(t, address, &tid, sizeof(tid)))
		kft_strace_address(t, address);
	else
		kft_strbuf_addf(t->sb, "[%d]", tid);
}

/* struct user_desc of x86: its last word consists of bits. */
static void add_user_desc(struct kft_strace_text *t, uint64_t address)
{
	static const struct {
		const char *name;
		uint32_t mask;
	} bits[] = {{"seg_32bit", 1},
		    {"contents", 3},
		    {"read_exec_only", 1},
		    {"limit_in_pages", 1},
		    {"seg_not_present", 1},
		    {"useable", 1},
		    {"lm", 1}};
	uint32_t d[4];

	if (!kft_strace_read(t, address, d, sizeof(d))) {
		kft_strace_address(t, address);
		return;
	}
	kft_strbuf_adds(t->sb, "{entry_number=");
	kft_strace_id(t, d[0]);
	kft_strbuf_addf(t->sb, ", base_addr=%#08x, limit=%#08x", d[1], d[2]);
	/* The last bit is one of 64-bit programs. */
	for (unsigned int i = 0; i < ARRAY_SIZE(bits) - (t->word == 4); i++) {
		kft_strbuf_addf(t->sb, ", %s=%u", bits[i].name, d[3] & bits[i].mask);
		d[3] >>= bits[i].mask == 3 ? 2 : 1;
	}
	kft_strbuf_addc(t->sb, '}');
}

/* The thread's own data: on i386 a segment. */
static void add_tls(struct kft_strace_text *t, uint64_t tls)
{
#if defined(__x86_64__) || defined(__i386__)
	if (t->word == 4) {
		add_user_desc(t, tls);
		return;
	}
#endif
	kft_strace_address(t, tls);
}

void kft_form_clone_tail(struct kft_strace_text *t, uint64_t v)
{
	uint64_t flags = kft_strace_arg(t, 0);
	uint64_t child;
	uint64_t tls;

	find_clone_pointers(t, &child, &tls);
	if (flags & (CLONE_PARENT_SETTID | 0x1000 /* CLONE_PIDFD */)) {
		kft_strbuf_adds(t->sb, ", parent_tid=");
		add_tid_at(t, kft_strace_arg(t, 2));
	}
	if (flags & CLONE_SETTLS) {
		kft_strbuf_adds(t->sb, ", tls=");
		add_tls(t, tls);
	}
	if (flags & (CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID)) {
		kft_strbuf_adds(t->sb, ", child_tidptr=");
		kft_strace_address(t, child);
	}
	t->ended = true;
}

/* struct clone_args: include/uapi/linux/sched.h */
enum {
	C_FLAGS,
	C_PIDFD,
	C_CHILD_TID,
	C_PARENT_TID,
	C_EXIT_SIGNAL,
	C_STACK,
	C_STACK_SIZE,
	C_TLS,
	C_N
};

static bool read_clone3(const struct kft_strace_text *t, uint64_t address, uint64_t *args)
{
	return kft_strace_arg(t, 1) >= C_N * sizeof(*args) &&
	       kft_traced_read(t->call, address, args, C_N * sizeof(*args)) ==
		       C_N * sizeof(*args);
}

void kft_form_clone3_args(struct kft_strace_text *t, uint64_t v)
{
	uint64_t a[C_N];

	if (!v || !read_clone3(t, v, a)) {
		kft_strace_address(t, v);
		return;
	}
	kft_strbuf_adds(t->sb, "{flags=");
	kft_strace_set(t, &kft_arg_clone, a[C_FLAGS]);
	if (a[C_FLAGS] >> 32)
		kft_strbuf_addf(t->sb, "|%#llx",
				(unsigned long long)(a[C_FLAGS] >> 32 << 32));
	if (a[C_FLAGS] & (CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID)) {
		kft_strbuf_adds(t->sb, ", child_tid=");
		kft_strace_address(t, a[C_CHILD_TID]);
	}
	if (a[C_FLAGS] & CLONE_PARENT_SETTID) {
		kft_strbuf_adds(t->sb, ", parent_tid=");
		kft_strace_address(t, a[C_PARENT_TID]);
	}
	kft_strbuf_adds(t->sb, ", exit_signal=");
	kft_strace_signal(t, (uint32_t)a[C_EXIT_SIGNAL]);
	kft_strbuf_adds(t->sb, ", stack=");
	kft_strace_address(t, a[C_STACK]);
	kft_strbuf_adds(t->sb, ", stack_size=");
	kft_strace_hex(t, a[C_STACK_SIZE]);
	if (a[C_FLAGS] & CLONE_SETTLS) {
		kft_strbuf_adds(t->sb, ", tls=");
		add_tls(t, a[C_TLS]);
	}
	kft_strbuf_addc(t->sb, '}');
}

void kft_form_clone3_tail(struct kft_strace_text *t, uint64_t v)
{
	uint64_t a[C_N];

	if (!t->call->is_error && read_clone3(t, kft_strace_arg(t, 0), a) &&
	    (a[C_FLAGS] & CLONE_PARENT_SETTID)) {
		kft_strbuf_adds(t->sb, " => {parent_tid=");
		add_tid_at(t, a[C_PARENT_TID]);
		kft_strbuf_addc(t->sb, '}');
	}
	kft_strbuf_addf(t->sb, ", %llu", (unsigned long long)v);
}

static void add_status(const struct kft_strace_text *t, int status)
{
	if (WIFSTOPPED(status)) {
		kft_strbuf_adds(t->sb, "{WIFSTOPPED(s) && WSTOPSIG(s) == ");
		kft_strace_signal(t, (uint32_t)WSTOPSIG(status));
	} else if (WIFSIGNALED(status)) {
		kft_strbuf_adds(t->sb, "{WIFSIGNALED(s) && WTERMSIG(s) == ");
		kft_strace_signal(t, (uint32_t)WTERMSIG(status));
		if (WCOREDUMP(status))
			kft_strbuf_adds(t->sb, " && WCOREDUMP(s)");
	} else if (WIFEXITED(status)) {
		kft_strbuf_addf(t->sb, "{WIFEXITED(s) && WEXITSTATUS(s) == %d",
				WEXITSTATUS(status));
	} else {
		kft_strbuf_adds(t->sb, "{WIFCONTINUED(s)");
	}
	kft_strbuf_addc(t->sb, '}');
}

void kft_form_wstatus(struct kft_strace_text *t, uint64_t v)
{
	int32_t status;

	if (t->call->is_error || t->call->result <= 0 ||
	    !kft_strace_read(t, v, &status, sizeof(status))) {
		kft_strace_address(t, v);
		return;
	}
	kft_strbuf_addc(t->sb, '[');
	add_status(t, status);
	kft_strbuf_addc(t->sb, ']');
}

void kft_form_rusage_out(struct kft_strace_text *t, uint64_t v)
{
	/* wait4 with WNOHANG may have found no child. */
	bool is_wait = t->signature->args[1] == &kft_arg_wstatus;

	if (is_wait && t->call->result <= 0)
		kft_strace_address(t, v);
	else
		kft_members_at(t, rusage, v);
}

static void add_limit(const struct kft_strace_text *t, uint64_t v, uint64_t infinity,
		      const char *name)
{
	if (v == infinity)
		kft_strbuf_adds(t->sb, name);
	else if (v > 1024 && v % 1024 == 0)
		kft_strbuf_addf(t->sb, "%llu*1024", (unsigned long long)(v / 1024));
	else
		kft_strbuf_addu(t->sb, v, 1);
}

static void add_limits(struct kft_strace_text *t, uint64_t address, unsigned int word,
		       const char *infinity_name)
{
	char data[16];
	uint64_t limits[2] = {};
	uint64_t infinity = word == 8 ? UINT64_MAX : UINT32_MAX;

	if (!kft_strace_read(t, address, data, 2 * (size_t)word)) {
		kft_strace_address(t, address);
		return;
	}
	memcpy(&limits[0], data, word);
	memcpy(&limits[1], data + word, word);
	kft_strbuf_adds(t->sb, "{rlim_cur=");
	add_limit(t, limits[0], infinity, infinity_name);
	kft_strbuf_adds(t->sb, ", rlim_max=");
	add_limit(t, limits[1], infinity, infinity_name);
	kft_strbuf_addc(t->sb, '}');
}

void kft_form_rlimit_in(struct kft_strace_text *t, uint64_t v)
{
	add_limits(t, v, t->word, t->word == 8 ? "RLIM64_INFINITY" : "RLIM_INFINITY");
}

void kft_form_rlimit_out(struct kft_strace_text *t, uint64_t v)
{
	kft_form_rlimit_in(t, v);
}

void kft_form_rlimit64_in(struct kft_strace_text *t, uint64_t v)
{
	add_limits(t, v, 8, "RLIM64_INFINITY");
}

void kft_form_rlimit64_out(struct kft_strace_text *t, uint64_t v)
{
	kft_form_rlimit64_in(t, v);
}

/* Operations of futex(2): include/uapi/linux/futex.h; those in data/call_args have the names. */
enum {
	FUTEX_WAIT,
	FUTEX_WAKE,
	FUTEX_FD,
	FUTEX_REQUEUE,
	FUTEX_CMP_REQUEUE,
	FUTEX_WAKE_OP,
	FUTEX_LOCK_PI,
	FUTEX_UNLOCK_PI,
	FUTEX_TRYLOCK_PI,
	FUTEX_WAIT_BITSET,
	FUTEX_WAKE_BITSET,
	FUTEX_WAIT_REQUEUE_PI,
	FUTEX_CMP_REQUEUE_PI,
	FUTEX_LOCK_PI2,
};
#define FUTEX_CMD_MASK 0x7f

static void add_bitset(struct kft_strace_text *t, uint32_t v)
{
	kft_strbuf_adds(t->sb, ", ");
	if (v == UINT32_MAX)
		kft_strbuf_adds(t->sb, "FUTEX_BITSET_MATCH_ANY");
	else
		kft_strace_hex(t, v);
}

static void add_futex_timeout(struct kft_strace_text *t)
{
	/* The fourth argument of futex_time64 has the wider form. */
	if (t->signature->args[3] == &kft_arg_futex_timeout64)
		kft_form_timespec64_in(t, kft_strace_arg(t, 3));
	else
		kft_form_timespec_in(t, kft_strace_arg(t, 3));
}

/* Which of the four arguments after the operation exist depends on it. */
void kft_form_futex_value(struct kft_strace_text *t, uint64_t v)
{
	uint32_t op = (uint32_t)kft_strace_arg(t, 1) & FUTEX_CMD_MASK;

	t->ended = true;
	if (op == FUTEX_UNLOCK_PI || op == FUTEX_TRYLOCK_PI)
		return;
	if (op == FUTEX_LOCK_PI || op == FUTEX_LOCK_PI2) {
		add_futex_timeout(t);
		return;
	}
	kft_strbuf_addu(t->sb, (uint32_t)v, 1);
	if (op > FUTEX_LOCK_PI2) {
		kft_strbuf_adds(t->sb, ", ");
		kft_strace_address(t, kft_strace_arg(t, 3));
		kft_strbuf_adds(t->sb, ", ");
		kft_strace_address(t, kft_strace_arg(t, 4));
		kft_strbuf_adds(t->sb, ", ");
		kft_strace_hex(t, (uint32_t)kft_strace_arg(t, 5));
		return;
	}
	if (op == FUTEX_WAIT || op == FUTEX_WAIT_BITSET || op == FUTEX_WAIT_REQUEUE_PI) {
		kft_strbuf_adds(t->sb, ", ");
		add_futex_timeout(t);
	}
	if (op == FUTEX_REQUEUE || op == FUTEX_CMP_REQUEUE ||
	    op == FUTEX_CMP_REQUEUE_PI || op == FUTEX_WAKE_OP)
		kft_strbuf_addf(t->sb, ", %u", (uint32_t)kft_strace_arg(t, 3));
	if (op == FUTEX_REQUEUE || op == FUTEX_CMP_REQUEUE ||
	    op == FUTEX_CMP_REQUEUE_PI || op == FUTEX_WAKE_OP ||
	    op == FUTEX_WAIT_REQUEUE_PI) {
		kft_strbuf_adds(t->sb, ", ");
		kft_strace_address(t, kft_strace_arg(t, 4));
	}
	if (op == FUTEX_CMP_REQUEUE || op == FUTEX_CMP_REQUEUE_PI)
		kft_strbuf_addf(t->sb, ", %u", (uint32_t)kft_strace_arg(t, 5));
	if (op == FUTEX_WAKE_OP)
		kft_strbuf_addf(t->sb, ", %#x", (uint32_t)kft_strace_arg(t, 5));
	if (op == FUTEX_WAIT_BITSET || op == FUTEX_WAKE_BITSET)
		add_bitset(t, (uint32_t)kft_strace_arg(t, 5));
}

static void add_caps(struct kft_strace_text *t, uint64_t set)
{
	const char *gap = "";

	for (uint32_t i = 0; i < 64; i++) {
		if (!(set >> i & 1))
			continue;
		kft_strbuf_addf(t->sb, "%s1<<", gap);
		kft_strace_set(t, &kft_arg_capability, i);
		gap = "|";
	}
	if (!*gap)
		kft_strbuf_addc(t->sb, '0');
}

void kft_form_cap_header(struct kft_strace_text *t, uint64_t v)
{
	kft_members_at(t, cap_header, v);
}

/* Three sets of 32 bits. But for the first version, three with the upper halves follow. */
void kft_form_cap_data_in(struct kft_strace_text *t, uint64_t v)
{
	uint32_t sets[6] = {};
	uint32_t version = 0;
	bool has_upper =
		kft_strace_read(t, kft_strace_arg(t, 0), &version, sizeof(version)) &&
		kft_strace_name(&kft_arg_cap_version, version) && version != 0x19980330;
	static const char *const names[] = {
		"{effective=", ", permitted=", ", inheritable="};

	if (!kft_strace_read(t, v, sets, has_upper ? sizeof(sets) : sizeof(sets) / 2)) {
		kft_strace_address(t, v);
		return;
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(names); i++) {
		kft_strbuf_adds(t->sb, names[i]);
		add_caps(t, sets[i] | (uint64_t)sets[i + 3] << 32);
	}
	kft_strbuf_addc(t->sb, '}');
}

void kft_form_cap_data_out(struct kft_strace_text *t, uint64_t v)
{
	kft_form_cap_data_in(t, v);
}

void kft_form_prctl_arg(struct kft_strace_text *t, uint64_t v)
{
	t->ended = true;
	switch ((uint32_t)kft_strace_arg(t, 0)) {
	case PR_SET_NAME:
		kft_strace_string(t, v, false);
		break;
	case PR_GET_NAME:
		if (t->call->is_error)
			kft_strace_address(t, v);
		else
			kft_strace_string(t, v, false);
		break;
	case PR_SET_PDEATHSIG:
		kft_strace_signal(t, (uint32_t)v);
		break;
	case PR_GET_PDEATHSIG:
	case PR_GET_CHILD_SUBREAPER: {
		int32_t number;

		if (!t->call->is_error && kft_strace_read(t, v, &number, sizeof(number)))
			kft_strbuf_addf(t->sb, "[%d]", number);
		else
			kft_strace_address(t, v);
		break;
	}
	case PR_CAPBSET_READ:
	case PR_CAPBSET_DROP:
		kft_strace_set(t, &kft_arg_capability, v);
		break;
	case PR_CAP_AMBIENT:
		kft_strace_set(t, &kft_arg_cap_ambient, v);
		kft_strbuf_adds(t->sb, ", ");
		if ((uint32_t)v == PR_CAP_AMBIENT_CLEAR_ALL)
			kft_strace_hex(t, kft_strace_arg(t, 2));
		else
			kft_strace_set(t, &kft_arg_capability, kft_strace_arg(t, 2));
		for (unsigned int i = 3; i < 5; i++) {
			kft_strbuf_adds(t->sb, ", ");
			kft_strace_hex(t, kft_strace_arg(t, i));
		}
		break;
	case PR_GET_DUMPABLE:
	case PR_GET_KEEPCAPS:
	case PR_GET_SECCOMP:
	case PR_GET_SECUREBITS:
	case PR_GET_TIMERSLACK:
	case PR_GET_TIMING:
		break;
	case PR_SET_DUMPABLE:
	case PR_SET_KEEPCAPS:
	case PR_SET_TIMERSLACK:
	case PR_SET_CHILD_SUBREAPER:
		kft_strbuf_addu(t->sb, v, 1);
		break;
	default:
		kft_strace_hex(t, v);
		t->ended = false;
	}
}

void kft_form_arch_prctl_arg(struct kft_strace_text *t, uint64_t v)
{
	uint64_t word;
	/* ARCH_GET_FS, ARCH_GET_GS: arch/x86/include/uapi/asm/prctl.h */
	bool is_get = kft_strace_arg(t, 0) == 0x1003 || kft_strace_arg(t, 0) == 0x1004;

	if (kft_strace_arg(t, 0) == 0x1011 /* ARCH_GET_CPUID */) {
		t->ended = true;
	} else if (is_get && !t->call->is_error && kft_strace_read_word(t, v, &word)) {
		kft_strbuf_addc(t->sb, '[');
		kft_strace_address(t, word);
		kft_strbuf_addc(t->sb, ']');
	} else {
		kft_strace_hex(t, v);
	}
}

/* A class and a level within it. */
void kft_form_ioprio(struct kft_strace_text *t, uint64_t v)
{
	uint32_t priority = (uint32_t)v;

	kft_strbuf_adds(t->sb, "IOPRIO_PRIO_VALUE(");
	kft_strace_set(t, &kft_arg_ioprio_class, priority >> 13);
	kft_strbuf_addf(t->sb, ", %u)", priority & 0x1fff);
}

void kft_form_user_desc_in(struct kft_strace_text *t, uint64_t v)
{
	add_user_desc(t, v);
}

void kft_form_user_desc_out(struct kft_strace_text *t, uint64_t v)
{
	add_user_desc(t, v);
}

static void add_cpus(struct kft_strace_text *t, uint64_t address, uint64_t bytes)
{
	unsigned char set[CPUS_BYTES_MAX];
	const char *gap = "[";
	size_t n = 0;

	bytes = KFT_MIN(bytes, (uint64_t)sizeof(set));
	if (!kft_strace_read(t, address, set, (size_t)bytes)) {
		kft_strace_address(t, address);
		return;
	}
	for (unsigned int cpu = 0; cpu < 8 * bytes; cpu++) {
		if (!(set[cpu / 8] >> cpu % 8 & 1))
			continue;
		if (n++ >= t->style->string_max && !t->style->verbose) {
			kft_strbuf_addf(t->sb, "%s...", gap);
			gap = " ";
			break;
		}
		kft_strbuf_addf(t->sb, "%s%u", gap, cpu);
		gap = " ";
	}
	kft_strbuf_adds(t->sb, *gap == '[' ? "[]" : "]");
}

void kft_form_cpus_in(struct kft_strace_text *t, uint64_t v)
{
	add_cpus(t, v, (uint32_t)kft_strace_arg(t, t->at - 1));
}

void kft_form_cpus_out(struct kft_strace_text *t, uint64_t v)
{
	add_cpus(t, v, (uint64_t)t->call->result);
}

static void add_name(struct kft_strace_text *t, const char *name, const char *text)
{
	kft_strbuf_adds(t->sb, name);
	kft_strace_quoted(t, text, strnlen(text, 65), false, t->style->hex);
}

void kft_form_uname_out(struct kft_strace_text *t, uint64_t v)
{
	struct utsname u;

	if (!kft_strace_read(t, v, &u, sizeof(u))) {
		kft_strace_address(t, v);
		return;
	}
	add_name(t, "{sysname=", u.sysname);
	add_name(t, ", nodename=", u.nodename);
	if (t->style->verbose) {
		add_name(t, ", release=", u.release);
		add_name(t, ", version=", u.version);
		add_name(t, ", machine=", u.machine);
		add_name(t, ", domainname=", u.domainname);
	}
	kft_strbuf_adds(t->sb, t->style->verbose ? "}" : ", ...}");
}

static const struct kft_member sysinfo_head[] = {{"uptime", KFT_MEMBER_LONG}, {}};
static const struct kft_member sysinfo_loads[] = {
	{NULL, KFT_MEMBER_LONG},	   {NULL, KFT_MEMBER_ULONG},
	{NULL, KFT_MEMBER_ULONG},	   {NULL, KFT_MEMBER_ULONG},
	{"totalram", KFT_MEMBER_ULONG},	   {"freeram", KFT_MEMBER_ULONG},
	{"sharedram", KFT_MEMBER_ULONG},   {"bufferram", KFT_MEMBER_ULONG},
	{"totalswap", KFT_MEMBER_ULONG},   {"freeswap", KFT_MEMBER_ULONG},
	{"procs", KFT_MEMBER_SHORT},	   {NULL, KFT_MEMBER_SHORT},
	{"totalhigh", KFT_MEMBER_ULONG},   {"freehigh", KFT_MEMBER_ULONG},
	{"mem_unit", KFT_MEMBER_UNSIGNED}, {}};

void kft_form_sysinfo_out(struct kft_strace_text *t, uint64_t v)
{
	char data[KFT_MEMBERS_BYTES_MAX] = "";
	uint64_t loads[3];

	if (!kft_strace_read(t, v, data, kft_members_size(t, sysinfo_loads))) {
		kft_strace_address(t, v);
		return;
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(loads); i++)
		loads[i] = kft_strace_word(t, data + (i + 1) * (size_t)t->word);
	kft_members_add(t, sysinfo_head, data);
	t->sb->len--;
	kft_strbuf_addf(t->sb, ", loads=[%llu, %llu, %llu], ",
			(unsigned long long)loads[0], (unsigned long long)loads[1],
			(unsigned long long)loads[2]);
	size_t brace = t->sb->len;

	kft_members_add(t, sysinfo_loads, data);
	if (!kft_strbuf_ok(t->sb))
		return;
	memmove(t->sb->buf + brace, t->sb->buf + brace + 1, t->sb->len - brace - 1);
	t->sb->len--;
}

static void add_id(struct kft_strace_text *t, const void *element)
{
	uint32_t id;

	memcpy(&id, element, sizeof(id));
	kft_strace_id(t, id);
}

void kft_form_ids_in(struct kft_strace_text *t, uint64_t v)
{
	uint32_t n = (uint32_t)kft_strace_arg(t, t->at - 1);

	/* The kernel refuses more. */
	if (n > NGROUPS_MAX)
		kft_strace_address(t, v);
	else
		kft_strace_array(t, v, n, 4, add_id);
}

void kft_form_ids_out(struct kft_strace_text *t, uint64_t v)
{
	/* Without room the result is a number of groups, and nothing is written. */
	uint64_t n = kft_strace_arg(t, t->at - 1) ? (uint64_t)t->call->result : 0;

	kft_strace_array(t, v, n, 4, add_id);
}

void kft_form_param_in(struct kft_strace_text *t, uint64_t v)
{
	int32_t priority;

	if (!kft_strace_read(t, v, &priority, sizeof(priority)))
		kft_strace_address(t, v);
	else
		kft_strbuf_addf(t->sb, "[%d]", priority);
}

void kft_form_param_out(struct kft_strace_text *t, uint64_t v)
{
	kft_form_param_in(t, v);
}

void kft_form_int_out(struct kft_strace_text *t, uint64_t v)
{
	kft_form_param_in(t, v);
}

void kft_form_id_out(struct kft_strace_text *t, uint64_t v)
{
	kft_strace_array(t, v, 1, sizeof(uint32_t), add_id);
}

void kft_form_int64_out(struct kft_strace_text *t, uint64_t v)
{
	kft_form_offset_inout(t, v);
}

void kft_form_pointer_out(struct kft_strace_text *t, uint64_t v)
{
	uint64_t word;

	if (!kft_strace_read_word(t, v, &word)) {
		kft_strace_address(t, v);
		return;
	}
	kft_strbuf_addc(t->sb, '[');
	kft_strace_address(t, word);
	kft_strbuf_addc(t->sb, ']');
}

void kft_form_restart(struct kft_strace_text *t, uint64_t v)
{
	const char *name = kft_syscall_name(kft_strace_syscalls(t->call->abi),
					    t->call->resumes);

	kft_strbuf_addf(t->sb, "<... resuming interrupted %s ...>",
			name ? name : "system call");
}
