// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The loop over the stops of followed tasks. All tasks are seized (PTRACE_SEIZE): only then do
 * group-stops stay what they are, and can a running task be stopped without a signal.
 */
#include "ptrace/follow.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "base/dir.h"
#include "base/err.h"
#include "base/map.h"
#include "base/now.h"
#include "base/units.h"
#include "ptrace/call_info.h"
#include "ptrace/start.h"

/* A stop by PTRACE_O_TRACESYSGOOD. */
#define CALL_STOP (SIGTRAP | 0x80)

/* After this time without a stop, text that was held back is shown. */
#define IDLE_US 50000

/* Stops that are taken at once, so that each task has its turn: the kernel's list has an order. */
#define TAKEN_MAX 256

/* The kernel's result of a call that restart_syscall goes on with: include/linux/errno.h */
#define ERESTART_RESTARTBLOCK 516

/* Rounds over /proc/PID/task until no new thread is found. */
#define ATTACH_ROUNDS 16

struct task {
	struct kft_traced_task traced;
	bool is_hidden; /* the child before it executes the program */
	bool is_skipped; /* the sink does not want the current call */
	int64_t interrupted; /* the last call that restart_syscall may go on with */
	uint64_t cpu_ns; /* of the task, when it entered the call */
};

struct stop {
	pid_t tid;
	int status;
	uint64_t cpu_ns;
};

struct kft_ptrace {
	struct kft_ptrace_options options;
	struct kft_traced_sink sink;
	struct kft_traced_source memory;
	struct kft_map tasks; /* tid: struct task * */
	size_t n_tasks;
	pid_t command; /* 0: none was started */
	struct kft_ptrace_start start;
	bool has_executed;
	bool filtered; /* the command has a seccomp filter */
	int status; /* of the command */
	bool is_leaving; /* tasks are detached at their next stop */
	bool idle_armed;
	int ended_by; /* the signal that asked run() to end; 0 */
	struct stop taken[TAKEN_MAX];
};

/* Written by handlers of signals only. */
static volatile sig_atomic_t asked_to_end;
static volatile sig_atomic_t alarm_rang;

static void on_end(int number)
{
	asked_to_end = number;
	/* If the signal came just before the wait, the alarm ends that. */
	(void)alarm(1);
}

static void on_alarm(int number)
{
	alarm_rang = 1;
}

static void catch_signal(int number, void (*handler)(int))
{
	/* Without SA_RESTART, so that the wait ends. */
	struct sigaction sa = {.sa_handler = handler};

	(void)sigemptyset(&sa.sa_mask);
	(void)sigaction(number, &sa, NULL);
}

struct kft_ptrace *kft_ptrace_create(const struct kft_ptrace_options *o,
				     const struct kft_traced_sink *sink)
{
	struct kft_ptrace *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->options = *o;
	p->sink = *sink;
	p->memory.read = kft_call_memory;
	p->start.go_fd = p->start.error_fd = -1;
	return p;
}

static struct task *find_task(const struct kft_ptrace *p, pid_t tid)
{
	uint64_t *slot = kft_map_get(&p->tasks, (uint64_t)tid);

	return slot ? (struct task *)(uintptr_t)*slot : NULL;
}

static struct task *add_task(struct kft_ptrace *p, pid_t tid)
{
	struct task *t = calloc(1, sizeof(*t));
	uint64_t *slot = t ? kft_map_put(&p->tasks, (uint64_t)tid) : NULL;

	if (!slot) {
		free(t);
		return NULL;
	}
	*slot = (uintptr_t)t;
	t->traced.tid = t->traced.call.tid = tid;
	t->traced.call.source = &p->memory;
	t->interrupted = -1;
	p->n_tasks++;
	return t;
}

/* Tells the sink of a task; the child before its program is nothing to show yet. */
static struct task *begin_task(struct kft_ptrace *p, pid_t tid)
{
	struct task *t = add_task(p, tid);

	if (t)
		p->sink.attach(p->sink.arg, &t->traced);
	return t;
}

static void remove_task(struct kft_ptrace *p, struct task *t)
{
	uint64_t *slot = kft_map_get(&p->tasks, (uint64_t)t->traced.tid);

	if (slot && *slot == (uintptr_t)t)
		*slot = 0;
	kft_traced_call_finish(&t->traced.call);
	free(t);
	p->n_tasks--;
}

static unsigned long trace_options(const struct kft_ptrace *p)
{
	unsigned long o = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT;

	if (p->options.follow)
		o |= PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK;
	/* A task with the filter and without a tracer would get ENOSYS for the filtered calls. */
	if (p->filtered)
		o |= PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL;
	return o;
}

/* Lets a task go on; it may have been killed meanwhile, which the next wait reports. */
static void go_on(const struct kft_ptrace *p, const struct task *t, int number)
{
	bool to_next_call = !p->filtered || (t->traced.in_call && !t->is_skipped);

	(void)ptrace(to_next_call ? PTRACE_SYSCALL : PTRACE_CONT, t->traced.tid, NULL,
		     (void *)(intptr_t)number);
}

static bool is_exec(const struct task *t)
{
	const struct kft_traced_call *c = &t->traced.call;

	/* The child is this program until then, so the ABI is that of kft. */
	return c->number == SYS_execve && c->abi == KFT_TRACED_NATIVE;
}

static void enter(struct kft_ptrace *p, struct task *t, uint64_t cpu_ns)
{
	struct kft_traced_call *c = &t->traced.call;

	kft_traced_call_begin(c);
	t->traced.in_call = true;
	if (t->is_hidden && is_exec(t))
		t->is_hidden = false;
	t->is_skipped = t->is_hidden || !p->sink.wants(p->sink.arg, c->abi, c->number);
	if (t->is_skipped)
		return;
	c->entered_ns = kft_now_ns();
	c->resumes = t->interrupted;
	t->cpu_ns = cpu_ns;
	p->sink.enter(p->sink.arg, &t->traced);
}

static void leave(struct kft_ptrace *p, struct task *t, uint64_t cpu_ns)
{
	struct kft_traced_call *c = &t->traced.call;

	t->traced.in_call = false;
	t->interrupted = c->is_error && c->result == -ERESTART_RESTARTBLOCK ? c->number
									    : -1;
	if (t->is_skipped)
		return;
	c->at_exit = true;
	c->left_ns = kft_now_ns();
	c->cpu_ns = cpu_ns > t->cpu_ns ? cpu_ns - t->cpu_ns : 0;
	p->sink.leave(p->sink.arg, &t->traced);
	/* A program that could not be executed is kft's error: what the child does then is not shown. */
	if (t->traced.tid == p->command && !p->has_executed && c->is_error && is_exec(t))
		t->is_hidden = true;
}

/*
 * An entry, an exit, or the exit from the fork that made this task, which has no entry here. In
 * a skipped call only the exit can come.
 */
static void call_stop(struct kft_ptrace *p, struct task *t, uint64_t cpu_ns)
{
	if (t->traced.in_call && t->is_skipped) {
		t->traced.in_call = false;
		return;
	}
	int stop = kft_call_info(t->traced.tid, &t->traced.call);

	if (stop == KFT_CALL_EXIT && t->traced.in_call)
		leave(p, t, cpu_ns);
	else if (stop == KFT_CALL_ENTRY || stop == KFT_CALL_SECCOMP)
		enter(p, t, cpu_ns);
}

/* The entry by a filter comes after the entry stop, if there was one. */
static void seccomp_stop(struct kft_ptrace *p, struct task *t, uint64_t cpu_ns)
{
	if (!t->traced.in_call)
		call_stop(p, t, cpu_ns);
}

/* The thread that executes a program takes the id of its process, whose first thread is gone. */
static struct task *executed(struct kft_ptrace *p, struct task *t)
{
	unsigned long former;
	pid_t tid = t->traced.tid;

	if (ptrace(PTRACE_GETEVENTMSG, tid, NULL, &former) < 0)
		return t;
	if (tid == p->command)
		p->has_executed = true;
	t->is_hidden = false;
	struct task *other = (pid_t)former == tid ? NULL : find_task(p, (pid_t)former);

	if (!other)
		return t;
	p->sink.supersede(p->sink.arg, &t->traced, (pid_t)former);
	remove_task(p, t);
	uint64_t *old = kft_map_get(&p->tasks, (uint64_t)former);
	uint64_t *slot = kft_map_put(&p->tasks, (uint64_t)tid);

	/* The slot exists: the task of this id was in it. */
	if (old)
		*old = 0;
	*slot = (uintptr_t)other;
	other->traced.tid = other->traced.call.tid = tid;
	return other;
}

static bool is_stop_signal(int number)
{
	return number == SIGSTOP || number == SIGTSTP || number == SIGTTIN ||
	       number == SIGTTOU;
}

static void deliver(struct kft_ptrace *p, struct task *t, int number)
{
	siginfo_t info;
	bool has_info = ptrace(PTRACE_GETSIGINFO, t->traced.tid, NULL, &info) == 0;

	p->sink.signal(p->sink.arg, &t->traced, number, has_info ? &info : NULL);
}

/* The next stop of a new child may come before its parent's event: it is added at either. */
static void forked(struct kft_ptrace *p, const struct task *t)
{
	unsigned long child;

	if (ptrace(PTRACE_GETEVENTMSG, t->traced.tid, NULL, &child) == 0 &&
	    !find_task(p, (pid_t)child))
		(void)begin_task(p, (pid_t)child);
}

static void leave_task(struct kft_ptrace *p, struct task *t, int number)
{
	t->traced.in_call = t->traced.in_call && !t->is_skipped;
	p->sink.detach(p->sink.arg, &t->traced);
	(void)ptrace(PTRACE_DETACH, t->traced.tid, NULL, (void *)(intptr_t)number);
	remove_task(p, t);
}

static void ended(struct kft_ptrace *p, struct task *t, int status)
{
	if (t->traced.tid == p->command)
		p->status = status;
	if (t->is_hidden && !p->has_executed)
		p->sink.detach(p->sink.arg, &t->traced);
	else
		p->sink.end(p->sink.arg, &t->traced, status);
	remove_task(p, t);
}

/* Handles a stop and returns the signal that the task goes on with; -1: it stays stopped. */
static int handle_event(struct kft_ptrace *p, struct task **task, const struct stop *s)
{
	struct task *t = *task;
	int number = WSTOPSIG(s->status);

	switch (s->status >> 16) {
	case 0:
		if (number == CALL_STOP) {
			call_stop(p, t, s->cpu_ns);
			return 0;
		}
		deliver(p, t, number);
		return number;
	case PTRACE_EVENT_STOP:
		if (!is_stop_signal(number))
			return 0;
		p->sink.stop(p->sink.arg, &t->traced, number);
		return -1;
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		forked(p, t);
		return 0;
	case PTRACE_EVENT_EXEC:
		*task = executed(p, t);
		return 0;
	case PTRACE_EVENT_EXIT:
		t->traced.in_call = t->traced.in_call && !t->is_skipped;
		if (!t->is_hidden)
			p->sink.die(p->sink.arg, &t->traced);
		t->traced.in_call = false;
		return 0;
	case PTRACE_EVENT_SECCOMP:
		seccomp_stop(p, t, s->cpu_ns);
		return 0;
	}
	return 0;
}

/* A task that is left takes the signal along that it was stopped for. */
static void leave_at(struct kft_ptrace *p, struct task *t, const struct stop *s)
{
	int number = WSTOPSIG(s->status);
	int event = s->status >> 16;

	if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK ||
	    event == PTRACE_EVENT_CLONE)
		forked(p, t);
	leave_task(p, t, event == 0 && number != CALL_STOP ? number : 0);
}

static void handle(struct kft_ptrace *p, const struct stop *s)
{
	struct task *t = find_task(p, s->tid);

	if (!WIFSTOPPED(s->status)) {
		if (t)
			ended(p, t, s->status);
		return;
	}
	if (!t)
		t = begin_task(p, s->tid);
	if (!t) {
		/* Without memory for it, the task goes on alone. */
		(void)ptrace(PTRACE_DETACH, s->tid, NULL, NULL);
		return;
	}
	if (p->is_leaving) {
		leave_at(p, t, s);
		return;
	}
	int number = handle_event(p, &t, s);

	if (number < 0)
		(void)ptrace(PTRACE_LISTEN, s->tid, NULL, NULL);
	else
		go_on(p, t, number);
}

static bool take(struct kft_ptrace *p, struct stop *s, int flags)
{
	struct rusage usage = {};

	s->tid = wait4(-1, &s->status, __WALL | flags,
		       p->options.measure ? &usage : NULL);
	s->cpu_ns = (uint64_t)usage.ru_stime.tv_sec * 1000000000 +
		    (uint64_t)usage.ru_stime.tv_usec * 1000;
	return s->tid > 0;
}

/* While stops come, the alarm is armed: text that is held back waits no longer than that. */
static void arm_idle(struct kft_ptrace *p)
{
	struct itimerval in = {.it_value.tv_usec = IDLE_US};

	if (!p->idle_armed)
		(void)setitimer(ITIMER_REAL, &in, NULL);
	p->idle_armed = true;
}

static void rest(struct kft_ptrace *p)
{
	alarm_rang = 0;
	p->idle_armed = false;
	p->sink.idle(p->sink.arg);
}

/* Handles at least one stop. False: no task is left, or a signal came. */
static bool step(struct kft_ptrace *p)
{
	size_t n = 0;

	if (!take(p, &p->taken[0], 0))
		return errno == EINTR;
	n = 1;
	/* With one task nothing else can have stopped. */
	while (p->n_tasks > 1 && n < TAKEN_MAX && take(p, &p->taken[n], WNOHANG))
		n++;
	for (size_t i = 0; i < n; i++)
		handle(p, &p->taken[i]);
	arm_idle(p);
	return true;
}

/* Stops all tasks, to leave each at its next stop, whatever that is. */
static void leave_all(struct kft_ptrace *p)
{
	p->is_leaving = true;
	for (size_t i = 0; p->tasks.slots && i <= p->tasks.mask; i++) {
		const struct task *t =
			(const struct task *)(uintptr_t)p->tasks.slots[i].value;

		if (p->tasks.slots[i].key != KFT_MAP_NO_KEY && t)
			(void)ptrace(PTRACE_INTERRUPT, t->traced.tid, NULL, NULL);
	}
	while (p->n_tasks && step(p))
		continue;
}

/* Returns whether the tasks are to be left. */
static bool end_by(struct kft_ptrace *p, int number)
{
	p->ended_by = number;
	if (p->command)
		(void)kill(p->command, number);
	/* A command with a filter cannot be left: it has got the signal, and another one kills it. */
	if (!p->filtered)
		return true;
	catch_signal(SIGTERM, SIG_DFL);
	catch_signal(SIGHUP, SIG_DFL);
	return false;
}

static void catch_signals(const struct kft_ptrace *p)
{
	catch_signal(SIGALRM, on_alarm);
	catch_signal(SIGTERM, on_end);
	catch_signal(SIGHUP, on_end);
	/* A terminal sends these to the command, too, which decides what they mean. */
	catch_signal(SIGINT, p->command ? SIG_IGN : on_end);
	catch_signal(SIGQUIT, p->command ? SIG_IGN : on_end);
}

static int start_failed(struct kft_ptrace *p, struct kft_err *e)
{
	struct kft_ptrace_start_error failed;

	if (!p->command || p->has_executed ||
	    !kft_ptrace_start_failed(&p->start, &failed))
		return 0;
	if (failed.step == KFT_START_EXEC)
		return kft_err_sys(e, failed.error, "cannot run the command");
	(void)kft_err_sys(e, failed.error, "cannot install the filter of system calls");
	if (failed.error == -EACCES || failed.error == -EPERM)
		kft_err_hint(
			e, "without root, setuid programs have to lose their privileges: "
			   "--no-new-privs allows that");
	return e ? e->code : failed.error;
}

int kft_ptrace_run(struct kft_ptrace *p, struct kft_err *e)
{
	catch_signals(p);
	if (p->command) {
		int r = kft_ptrace_start_go(&p->start);

		if (r < 0)
			return kft_err_sys(e, r, "cannot start the command");
	}
	while (p->n_tasks && step(p)) {
		int number = asked_to_end;

		if (alarm_rang)
			rest(p);
		asked_to_end = 0;
		if (number && end_by(p, number))
			break;
	}
	if (p->n_tasks)
		leave_all(p);
	p->sink.idle(p->sink.arg);
	return start_failed(p, e);
}

static int seize(struct kft_ptrace *p, pid_t tid)
{
	if (ptrace(PTRACE_SEIZE, tid, NULL, (void *)trace_options(p)) < 0)
		return -errno;
	if (!begin_task(p, tid))
		return -ENOMEM;
	/* At the stop that follows it begins to stop at calls, too. */
	(void)ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
	return 0;
}

int kft_ptrace_start(struct kft_ptrace *p, char *const argv[], void (*sigpipe)(int),
		     void (*sigxfsz)(int), struct kft_err *e)
{
	_cleanup_(kft_call_filter_finish) struct kft_call_filter filter = {};
	void (*const handlers[])(int) = {sigpipe, sigxfsz};
	int r = p->options.skip_calls ? kft_call_filter_make(&p->sink, &filter) : 0;

	if (r < 0)
		return kft_err_memory(e);
	r = kft_ptrace_start_fork(argv, p->options.skip_calls ? &filter : NULL,
				  p->options.no_new_privs, handlers, &p->start, e);
	if (r < 0)
		return r;
	p->filtered = p->options.skip_calls;
	p->command = p->start.pid;
	r = seize(p, p->command);
	if (r < 0)
		return kft_err_sys(e, r, "cannot trace the command");
	find_task(p, p->command)->is_hidden = true;
	return 0;
}

/* Seizes the threads of a process that are not followed yet; their number or -errno. */
static int seize_threads(struct kft_ptrace *p, pid_t pid)
{
	char path[64];
	int n = 0;

	(void)snprintf(path, sizeof(path), "/proc/%d/task", pid);
	_cleanup_closedir_ DIR *dir = kft_opendir_at(AT_FDCWD, path);

	for (const char *name; dir && (name = kft_dir_next(dir));) {
		uint64_t tid;

		if (kft_parse_u64(name, &tid) < 0 || find_task(p, (pid_t)tid))
			continue;
		int r = seize(p, (pid_t)tid);

		/* A thread may have ended since the directory was read. */
		if (r < 0 && r != -ESRCH)
			return r;
		n += r == 0;
	}
	return n;
}

int kft_ptrace_attach(struct kft_ptrace *p, pid_t pid, struct kft_err *e)
{
	int r = seize(p, pid);

	/* New threads of threads that are followed are followed from their beginning. */
	for (int round = 0; p->options.follow && r >= 0 && round < ATTACH_ROUNDS;
	     round++) {
		r = seize_threads(p, pid);
		if (r == 0)
			break;
	}
	if (r >= 0)
		return 0;
	(void)kft_err_sys(e, r, "cannot trace task %d", pid);
	if (r == -EPERM)
		kft_err_hint(
			e,
			"root may trace all programs that nothing else traces; others their "
			"own, if /proc/sys/kernel/yama/ptrace_scope is 0");
	return r;
}

int kft_ptrace_exit_code(const struct kft_ptrace *p)
{
	if (p->ended_by && (!p->command || !p->status))
		return p->command ? 128 + p->ended_by : 0;
	return WIFSIGNALED(p->status) ? 128 + WTERMSIG(p->status)
				      : WEXITSTATUS(p->status);
}

void kft_ptrace_destroy(struct kft_ptrace *p)
{
	if (!p)
		return;
	/* Without its byte, a child that waits ends. */
	kft_ptrace_start_finish(&p->start);
	if (p->n_tasks)
		leave_all(p);
	kft_map_finish(&p->tasks);
	free(p);
}
