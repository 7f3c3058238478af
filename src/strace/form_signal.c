// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes signals of system calls. */
#include "strace/forms.h"

#include <signal.h>

#include "model/syscall.h"
#include "strace/members.h"

#define SIGNALS 64
/* The signal mask in the frame of a handler on x86_64: arch/x86/include/asm/sigframe.h. */
#define FRAME_MASK 296

static const struct kft_member stack[] = {{"ss_sp", KFT_MEMBER_POINTER},
					  {"ss_flags", KFT_MEMBER_SET, &kft_arg_ss_flags},
					  {"ss_size", KFT_MEMBER_ULONG},
					  {}};

void kft_form_signals(const struct kft_strace_text *t, uint64_t set)
{
	bool is_most = __builtin_popcountll(set) >= SIGNALS * 2 / 3;
	const char *gap = "";

	if (is_most)
		set = ~set;
	kft_strbuf_adds(t->sb, is_most ? "~[" : "[");
	for (uint32_t i = 1; i <= SIGNALS; i++) {
		if (!(set >> (i - 1) & 1))
			continue;
		kft_strbuf_adds(t->sb, gap);
		size_t start = t->sb->len;

		kft_strace_signal(t, i);
		/* The prefix goes: "SIGTERM" becomes "TERM". */
		if (kft_strbuf_ok(t->sb)) {
			memmove(t->sb->buf + start, t->sb->buf + start + 3,
				t->sb->len - start - 3);
			t->sb->len -= 3;
		}
		gap = " ";
	}
	kft_strbuf_addc(t->sb, ']');
}

/* Fewer bytes than `least` are no set for the kernel. */
static void add_set_at(const struct kft_strace_text *t, uint64_t address, uint64_t bytes,
		       uint64_t least)
{
	uint64_t set = 0;

	if (bytes < least || bytes > sizeof(set) ||
	    !kft_strace_read(t, address, &set, (size_t)bytes))
		kft_strace_address(t, address);
	else
		kft_form_signals(t, set);
}

void kft_form_sigset_in(struct kft_strace_text *t, uint64_t v)
{
	unsigned int i = t->at + 1;

	/* The size of the set is the next argument that is a size. */
	while (i < KFT_CALL_ARGS && t->signature->args[i] &&
	       t->signature->args[i] != &kft_arg_size)
		i++;
	/* rt_sigpending, which begins with the set, takes parts of one. */
	add_set_at(t, v,
		   i < KFT_CALL_ARGS && t->signature->args[i] ? kft_strace_arg(t, i) : 8,
		   t->at ? t->word : 1);
}

void kft_form_sigset_out(struct kft_strace_text *t, uint64_t v)
{
	kft_form_sigset_in(t, v);
}

/* The last argument of pselect6: a set and its size. */
void kft_form_sigmask6(struct kft_strace_text *t, uint64_t v)
{
	char data[16];

	if (!kft_strace_read(t, v, data, 2 * (size_t)t->word)) {
		kft_strace_address(t, v);
		return;
	}
	kft_strbuf_adds(t->sb, "{sigmask=");
	add_set_at(t, kft_strace_word(t, data),
		   KFT_MIN(kft_strace_word(t, data + t->word), (uint64_t)8), t->word);
	kft_strbuf_addf(t->sb, ", sigsetsize=%llu}",
			(unsigned long long)kft_strace_word(t, data + t->word));
}

void kft_form_sigreturn(struct kft_strace_text *t, uint64_t v)
{
	uint64_t set;

	if (t->word == 8 &&
	    kft_strace_read(t, t->call->stack + FRAME_MASK, &set, sizeof(set))) {
		kft_strbuf_adds(t->sb, "{mask=");
		kft_form_signals(t, set);
		kft_strbuf_addc(t->sb, '}');
	}
	t->ended = true;
}

static void add_handler(const struct kft_strace_text *t, uint64_t handler)
{
	static const char *const names[] = {"SIG_DFL", "SIG_IGN", "SIG_ERR"};
	uint64_t error = t->word == 8 ? UINT64_MAX : UINT32_MAX;

	if (handler <= 1)
		kft_strbuf_adds(t->sb, names[handler]);
	else if (handler == error)
		kft_strbuf_adds(t->sb, names[2]);
	else
		kft_strace_address(t, handler);
}

/* struct sigaction of the kernel, whose mask is last. */
void kft_form_sigaction_in(struct kft_strace_text *t, uint64_t v)
{
	char data[32];
	uint64_t set;

	if (!kft_strace_read(t, v, data, 3 * (size_t)t->word + 8)) {
		kft_strace_address(t, v);
		return;
	}
	uint64_t flags = kft_strace_word(t, data + t->word);

	kft_strbuf_adds(t->sb, "{sa_handler=");
	add_handler(t, kft_strace_word(t, data));
	kft_strbuf_adds(t->sb, ", sa_mask=");
	memcpy(&set, data + 3 * (size_t)t->word, sizeof(set));
	kft_form_signals(t, set);
	kft_strbuf_adds(t->sb, ", sa_flags=");
	kft_arg_add_set(&kft_arg_sa_flags, flags, t->sb);
	if (flags & 0x04000000) {
		kft_strbuf_adds(t->sb, ", sa_restorer=");
		kft_strace_address(t, kft_strace_word(t, data + 2 * (size_t)t->word));
	}
	kft_strbuf_addc(t->sb, '}');
}

void kft_form_sigaction_out(struct kft_strace_text *t, uint64_t v)
{
	kft_form_sigaction_in(t, v);
}

void kft_form_stack_in(struct kft_strace_text *t, uint64_t v)
{
	kft_members_at(t, stack, v);
}

void kft_form_stack_out(struct kft_strace_text *t, uint64_t v)
{
	kft_members_at(t, stack, v);
}

/* struct sigevent: value, signal, kind, thread */
void kft_form_sigevent_in(struct kft_strace_text *t, uint64_t v)
{
	char data[8 + 3 * 4];
	int32_t parts[3];

	if (!kft_strace_read(t, v, data, t->word + sizeof(parts))) {
		kft_strace_address(t, v);
		return;
	}
	uint64_t value = kft_strace_word(t, data);

	memcpy(parts, data + t->word, sizeof(parts));
	kft_strbuf_addc(t->sb, '{');
	if (value) {
		kft_strbuf_addf(t->sb,
				"sigev_value={sival_int=%d, sival_ptr=", (int32_t)value);
		kft_strace_address(t, value);
		kft_strbuf_adds(t->sb, "}, ");
	}
	kft_strbuf_adds(t->sb, "sigev_signo=");
	if (kft_strace_name(&kft_arg_sigev_notify, (uint32_t)parts[1]) &&
	    parts[1] != SIGEV_NONE)
		kft_strace_signal(t, (uint32_t)parts[0]);
	else
		kft_strbuf_addi(t->sb, parts[0]);
	kft_strbuf_adds(t->sb, ", sigev_notify=");
	kft_strace_set(t, &kft_arg_sigev_notify, (uint32_t)parts[1]);
	if (parts[1] == SIGEV_THREAD_ID)
		kft_strbuf_addf(t->sb, ", sigev_notify_thread_id=%d", parts[2]);
	kft_strbuf_addc(t->sb, '}');
}

static const struct kft_arg_type *codes_of(const siginfo_t *i)
{
	if (i->si_code <= 0 || i->si_code == SI_KERNEL)
		return &kft_arg_siginfo_code;
	switch (i->si_signo) {
	case SIGCHLD:
		return &kft_arg_siginfo_chld;
	case SIGSEGV:
		return &kft_arg_siginfo_segv;
	case SIGBUS:
		return &kft_arg_siginfo_bus;
	case SIGFPE:
		return &kft_arg_siginfo_fpe;
	case SIGILL:
		return &kft_arg_siginfo_ill;
	case SIGTRAP:
		return &kft_arg_siginfo_trap;
	case SIGIO:
		return &kft_arg_siginfo_poll;
	case SIGSYS:
		return &kft_arg_siginfo_sys;
	}
	return &kft_arg_siginfo_code;
}

static void add_child(struct kft_strace_text *t, const siginfo_t *i)
{
	kft_strbuf_addf(t->sb, ", si_pid=%d, si_uid=%u, si_status=", i->si_pid,
			i->si_uid);
	if (i->si_code == CLD_EXITED)
		kft_strbuf_addi(t->sb, i->si_status);
	else
		kft_strace_signal(t, (uint32_t)i->si_status);
	kft_strbuf_adds(t->sb, ", si_utime=");
	kft_strace_ticks(t, i->si_utime);
	kft_strbuf_adds(t->sb, ", si_stime=");
	kft_strace_ticks(t, i->si_stime);
}

static void add_value(struct kft_strace_text *t, const siginfo_t *i)
{
	kft_strbuf_addf(t->sb, ", si_int=%d, si_ptr=", i->si_int);
	kft_strace_address(t, (uint64_t)(uintptr_t)i->si_ptr);
}

static void add_sender(struct kft_strace_text *t, const siginfo_t *i)
{
	kft_strbuf_addf(t->sb, ", si_pid=%d, si_uid=", i->si_pid);
	kft_strace_id(t, i->si_uid);
}

/* Members of signals that a process has sent. */
static void add_sent(struct kft_strace_text *t, const siginfo_t *i)
{
	switch (i->si_code) {
	case SI_TIMER:
		kft_strbuf_addf(t->sb, ", si_timerid=%#x, si_overrun=%d",
				(unsigned int)i->si_timerid, i->si_overrun);
		add_value(t, i);
		break;
	case SI_SIGIO:
		kft_strbuf_addf(t->sb, ", si_band=%ld, si_fd=%d", i->si_band, i->si_fd);
		break;
	case SI_USER:
	case SI_TKILL:
		add_sender(t, i);
		break;
	default:
		add_sender(t, i);
		if (i->si_ptr)
			add_value(t, i);
	}
}

/* Members that the kernel fills in for signals of its own. */
static void add_cause(struct kft_strace_text *t, const siginfo_t *i)
{
	switch (i->si_signo) {
	case SIGCHLD:
		add_child(t, i);
		break;
	case SIGILL:
	case SIGFPE:
	case SIGSEGV:
	case SIGBUS:
		kft_strbuf_adds(t->sb, ", si_addr=");
		kft_strace_address(t, (uint64_t)(uintptr_t)i->si_addr);
		break;
	case SIGIO:
		kft_strbuf_addf(t->sb, ", si_band=%ld, si_fd=%d", i->si_band, i->si_fd);
		break;
	case SIGSYS:
		kft_strbuf_adds(t->sb, ", si_call_addr=");
		kft_strace_address(t, (uint64_t)(uintptr_t)i->si_call_addr);
		kft_strbuf_addf(t->sb, ", si_syscall=%d", i->si_syscall);
		break;
	default:
		if (i->si_pid || i->si_uid)
			add_sender(t, i);
		if (i->si_ptr)
			add_value(t, i);
	}
}

static void add_errno(struct kft_strace_text *t, int32_t number)
{
	const char *name = kft_errno_name(number);

	kft_strbuf_adds(t->sb, ", si_errno=");
	if (name)
		kft_strbuf_adds(t->sb, name);
	else
		kft_strbuf_addi(t->sb, number);
}

void kft_form_siginfo(struct kft_strace_text *t, const void *info)
{
	siginfo_t i;

	memcpy(&i, info, sizeof(i));
	if (!i.si_signo) {
		kft_strbuf_adds(t->sb, "{}");
		return;
	}
	kft_strbuf_adds(t->sb, "{si_signo=");
	kft_strace_signal(t, (uint32_t)i.si_signo);
	kft_strbuf_adds(t->sb, ", si_code=");
	kft_strace_set(t, codes_of(&i), (uint32_t)i.si_code);
	if (i.si_errno)
		add_errno(t, i.si_errno);
	if (i.si_code <= 0)
		add_sent(t, &i);
	else
		add_cause(t, &i);
	kft_strbuf_addc(t->sb, '}');
}

/* siginfo_t of 32-bit programs, from 12 bytes on: include/linux/compat.h. */
static void widen(const int32_t *from, siginfo_t *i)
{
	bool is_child = i->si_code > 0 && i->si_signo == SIGCHLD;
	bool is_fault = i->si_code > 0 &&
			(i->si_signo == SIGILL || i->si_signo == SIGFPE ||
			 i->si_signo == SIGSEGV || i->si_signo == SIGBUS);

	if (is_fault) {
		i->si_addr = (void *)(uintptr_t)(uint32_t)from[0];
	} else if (i->si_code == SI_SIGIO || (i->si_code > 0 && i->si_signo == SIGIO)) {
		i->si_band = from[0];
		i->si_fd = from[1];
	} else if (is_child) {
		i->si_pid = from[0];
		i->si_uid = (uid_t)from[1];
		i->si_status = from[2];
		i->si_utime = from[3];
		i->si_stime = from[4];
	} else {
		/* The members of a timer have the same places. */
		i->si_pid = from[0];
		i->si_uid = (uid_t)from[1];
		i->si_ptr = (void *)(uintptr_t)(uint32_t)from[2];
	}
}

static bool read_siginfo(const struct kft_strace_text *t, uint64_t address,
			 siginfo_t *ret)
{
	int32_t narrow[8];

	if (t->word == sizeof(long))
		return kft_strace_read(t, address, ret, sizeof(*ret));
	if (!kft_strace_read(t, address, narrow, sizeof(narrow)))
		return false;
	memset(ret, 0, sizeof(*ret));
	ret->si_signo = narrow[0];
	ret->si_errno = narrow[1];
	ret->si_code = narrow[2];
	widen(narrow + 3, ret);
	return true;
}

void kft_form_siginfo_in(struct kft_strace_text *t, uint64_t v)
{
	siginfo_t info;

	if (read_siginfo(t, v, &info))
		kft_form_siginfo(t, &info);
	else
		kft_strace_address(t, v);
}

void kft_form_siginfo_out(struct kft_strace_text *t, uint64_t v)
{
	kft_form_siginfo_in(t, v);
}
