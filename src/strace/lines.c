// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Writes what tasks do as lines. A call's line begins when it is entered, so that a call that
 * waits is seen; another task's line interrupts it ("<unfinished ...>", "<... read resumed>").
 */
#include "strace/lines.h"

#include <stdio.h>
#include <sys/wait.h>
#include <time.h>

#include "base/now.h"
#include "strace/args.h"
#include "strace/forms.h"
#include "strace/paths.h"
#include "strace/socketcall.h"

/* A file of lines: one for all tasks, or one for each. */
struct file {
	struct kft_strbuf text; /* what is not written out yet */
	size_t line_start; /* index of the line that has begun; its task is `open` */
	size_t written; /* bytes of this line that are written out already */
	const struct kft_traced_task *open; /* NULL: no line has begun */
	uint64_t last_ns; /* when the last line began (-r) */
};

struct task {
	struct file own; /* with -ff */
	struct kft_strbuf args;
	struct kft_strbuf note;
	struct kft_strace_text text;
	const char *name; /* of the call; points to `unknown` if it has none */
	char unknown[32];
	bool is_shown; /* the call */
	bool is_held; /* its line waits for the result: the status decides */
};

struct kft_strace_lines {
	const struct kft_strace_options *o;
	struct file shared;
	struct kft_strace_summary summary;
	size_t n_tasks;
};

static const char red[] = "\033[31m";
static const char yellow[] = "\033[33m";
static const char plain[] = "\033[m";

static struct task *task_of(struct kft_strace_lines *l, struct kft_traced_task *t)
{
	if (!t->user) {
		t->user = calloc(1, sizeof(struct task));
		l->n_tasks += t->user != NULL;
	}
	return t->user;
}

static void forget(struct kft_strace_lines *l, struct kft_traced_task *t)
{
	struct task *own = TAKE(t->user);

	if (l->shared.open == t)
		l->shared.open = NULL;
	if (!own)
		return;
	kft_strbuf_finish(&own->own.text);
	kft_strbuf_finish(&own->args);
	kft_strbuf_finish(&own->note);
	free(own);
	l->n_tasks--;
}

static struct file *file_of(struct kft_strace_lines *l, struct task *own)
{
	return l->o->tasks_apart ? &own->own : &l->shared;
}

static void write_out(struct kft_strace_lines *l, struct file *f, pid_t tid)
{
	f->written += f->text.len - f->line_start;
	l->o->write(l->o->arg, tid, &f->text);
	/* The writer may keep text for later. */
	f->line_start = f->text.len;
}

static void end_line(struct kft_strace_lines *l, struct file *f, pid_t tid)
{
	kft_strbuf_addc(&f->text, '\n');
	f->open = NULL;
	write_out(l, f, tid);
}

static void add_clock(struct kft_strace_lines *l, struct file *f)
{
	uint64_t now = kft_clock_ns(CLOCK_REALTIME);
	unsigned long us = (unsigned long)(now / 1000 % 1000000);
	time_t sec = (time_t)(now / 1000000000);
	char text[16];
	struct tm tm;

	if (l->o->clock == KFT_STRACE_EPOCH) {
		kft_strbuf_addf(&f->text, "%llu.%06lu ", (unsigned long long)sec, us);
		return;
	}
	if (!localtime_r(&sec, &tm) || !strftime(text, sizeof(text), "%H:%M:%S", &tm))
		return;
	kft_strbuf_adds(&f->text, text);
	if (l->o->clock == KFT_STRACE_MICROSECONDS)
		kft_strbuf_addf(&f->text, ".%06lu", us);
	kft_strbuf_addc(&f->text, ' ');
}

static void add_since_last(struct file *f)
{
	uint64_t now = kft_now_ns();
	uint64_t since = f->last_ns ? now - f->last_ns : 0;

	f->last_ns = now;
	kft_strbuf_addf(&f->text, "%6llu.%06llu ",
			(unsigned long long)(since / 1000000000),
			(unsigned long long)(since / 1000 % 1000000));
}

/* Begins a line; one of another task that has begun is left unfinished. */
static struct file *begin_line(struct kft_strace_lines *l, struct kft_traced_task *t,
			       struct task *own)
{
	struct file *f = file_of(l, own);

	if (f->open) {
		kft_strbuf_adds(&f->text, " <unfinished ...>");
		end_line(l, f, f->open->tid);
	}
	f->line_start = f->text.len;
	f->written = 0;
	f->open = t;
	if (l->o->pid_columns && !l->o->tasks_apart)
		kft_strbuf_addf(&f->text, "%-5d ", t->tid);
	else if (l->n_tasks > 1 && !l->o->tasks_apart)
		kft_strbuf_addf(&f->text, "[pid %5d] ", t->tid);
	if (l->o->since_last)
		add_since_last(f);
	if (l->o->clock)
		add_clock(l, f);
	return f;
}

static void set_name(struct task *own, const struct kft_traced_call *c)
{
	own->name = kft_syscall_name(kft_strace_syscalls(c->abi), c->number);
	if (own->name)
		return;
	(void)snprintf(own->unknown, sizeof(own->unknown), "syscall_%#llx",
		       (unsigned long long)c->number);
	own->name = own->unknown;
}

static void begin_text(struct kft_strace_lines *l, struct kft_traced_task *t,
		       struct task *own)
{
	const struct kft_syscalls *s = kft_strace_syscalls(t->call.abi);
	unsigned int word = t->call.abi == KFT_TRACED_32 ? 4 : sizeof(long);

	set_name(own, &t->call);
	if (strcmp(own->name, "socketcall") == 0) {
		const char *name = kft_strace_socketcall(&t->call, word);

		own->name = name ? name : own->name;
	}
	kft_strbuf_clear(&own->args);
	own->text = (struct kft_strace_text){
		.call = &t->call,
		.style = &l->o->style,
		.signature = kft_plain_signature_find(own->name,
						      s ? kft_syscalls_machine(s) : NULL),
		.sb = &own->args,
		.note = &own->note,
		.word = word,
	};
}

/* A path is one of -P. */
static bool is_path(const struct kft_strace_lines *l, const char *path, size_t len)
{
	for (const char *const *p = l->o->paths; *p; p++)
		if (strlen(*p) == len && memcmp(*p, path, len) == 0)
			return true;
	return false;
}

static bool is_path_at(const struct kft_strace_lines *l, struct kft_traced_call *c,
		       uint64_t address)
{
	for (const char *const *p = l->o->paths; *p; p++) {
		char path[4096];
		size_t len = strlen(*p) + 1;

		if (len <= sizeof(path) &&
		    kft_traced_read(c, address, path, len) == len &&
		    memcmp(path, *p, len) == 0)
			return true;
	}
	return false;
}

/* Whether a path or a descriptor of the call is one of -P. */
static bool has_path(const struct kft_strace_lines *l, struct task *own)
{
	struct kft_strace_text *t = &own->text;

	for (unsigned int i = 0;
	     t->signature && i < KFT_CALL_ARGS && t->signature->args[i]; i++) {
		const struct kft_arg_type *type = t->signature->args[i];
		uint64_t v = kft_strace_arg(t, i);

		if (type == &kft_arg_path && is_path_at(l, t->call, v))
			return true;
		if (type != &kft_arg_fd && type != &kft_arg_at &&
		    type != &kft_arg_fd_anonymous)
			continue;
		char path[PATH_MAX];
		ssize_t len = kft_strace_link(t->call->tid, (int32_t)v, path);

		if (len >= 0 && is_path(l, path, (size_t)len))
			return true;
	}
	return false;
}

static bool wants(void *arg, enum kft_traced_abi abi, int64_t number)
{
	struct kft_strace_lines *l = arg;

	return kft_strace_chooses(&l->o->choice, abi, number);
}

static void enter(void *arg, struct kft_traced_task *t)
{
	struct kft_strace_lines *l = arg;
	struct task *own = task_of(l, t);

	if (!own)
		return;
	own->is_shown = l->o->lines;
	own->is_held = l->o->choice.status != KFT_STRACE_ANY_STATUS;
	if (!l->o->lines && !l->o->paths)
		return;
	begin_text(l, t, own);
	if (l->o->paths && !has_path(l, own)) {
		own->is_shown = false;
		/* Neither shown nor counted. */
		own->name = NULL;
		return;
	}
	if (!own->is_shown)
		return;
	kft_strace_args(&own->text);
	if (own->is_held)
		return;
	struct file *f = begin_line(l, t, own);

	kft_strbuf_adds(&f->text, own->name);
	kft_strbuf_addc(&f->text, '(');
	kft_strbuf_add(&f->text, own->args.buf, own->args.len);
	kft_strbuf_clear(&own->args);
}

/* The line goes on where it was interrupted, or begins if it was held. */
static struct file *resume_line(struct kft_strace_lines *l, struct kft_traced_task *t,
				struct task *own)
{
	struct file *f = file_of(l, own);

	if (f->open == t)
		return f;
	f = begin_line(l, t, own);
	if (own->is_held)
		kft_strbuf_addf(&f->text, "%s(", own->name);
	else
		kft_strbuf_addf(&f->text, "<... %s resumed>", own->name);
	return f;
}

/* Blanks up to the column of results. */
static void add_blanks(struct kft_strace_lines *l, struct file *f)
{
	size_t at = f->text.len - f->line_start + f->written;

	if (at < l->o->column)
		kft_strbuf_fill(&f->text, ' ', l->o->column - at);
}

static bool is_chosen(const struct kft_strace_lines *l, enum kft_strace_status status)
{
	return l->o->choice.status & status;
}

static void leave(void *arg, struct kft_traced_task *t)
{
	struct kft_strace_lines *l = arg;
	struct task *own = task_of(l, t);
	const struct kft_traced_call *c = &t->call;

	if (own && l->o->counts && (!l->o->paths || own->name))
		kft_strace_summary_add(&l->summary, c);
	if (!own || !own->is_shown ||
	    !is_chosen(l, c->is_error ? KFT_STRACE_FAILED : KFT_STRACE_SUCCESSFUL))
		return;
	struct file *f = resume_line(l, t, own);

	kft_strace_args(&own->text);
	kft_strbuf_add(&f->text, own->args.buf, own->args.len);
	kft_strbuf_adds(&f->text, ") ");
	add_blanks(l, f);
	kft_strbuf_adds(&f->text, "= ");
	kft_strbuf_clear(&own->args);
	kft_strace_result(&own->text);
	bool is_red = c->is_error && l->o->colour;

	kft_strbuf_adds(&f->text, is_red ? red : "");
	kft_strbuf_add(&f->text, own->args.buf, own->args.len);
	kft_strbuf_adds(&f->text, is_red ? plain : "");
	if (l->o->durations)
		kft_strbuf_addf(
			&f->text, " <%llu.%06llu>",
			(unsigned long long)((c->left_ns - c->entered_ns) / 1000000000),
			(unsigned long long)((c->left_ns - c->entered_ns) / 1000 %
					     1000000));
	end_line(l, f, t->tid);
}

/* Ends the line of a call that does not return. */
static void end_call(struct kft_strace_lines *l, struct kft_traced_task *t,
		     struct task *own, const char *unfinished, const char *end)
{
	struct file *f = resume_line(l, t, own);

	if (own->is_held) {
		kft_strbuf_add(&f->text, own->args.buf, own->args.len);
		kft_strbuf_clear(&own->args);
	}
	kft_strbuf_adds(&f->text, unfinished);
	if (*end) {
		kft_strbuf_adds(&f->text, ") ");
		add_blanks(l, f);
		kft_strbuf_adds(&f->text, end);
	}
	end_line(l, f, t->tid);
}

static void die(void *arg, struct kft_traced_task *t)
{
	struct kft_strace_lines *l = arg;
	struct task *own = task_of(l, t);

	if (own && own->is_shown && t->in_call && is_chosen(l, KFT_STRACE_UNFINISHED)) {
		bool is_exit = strcmp(own->name, "exit") == 0 ||
			       strcmp(own->name, "exit_group") == 0;

		end_call(l, t, own, is_exit ? "" : " <unfinished ...>", "= ?");
	}
	if (own)
		own->is_shown = false;
}

/* A line of an event; the text is appended to the file that is returned. */
static struct file *begin_event(struct kft_strace_lines *l, struct kft_traced_task *t,
				const char *mark)
{
	struct task *own = task_of(l, t);

	if (!own || !l->o->lines)
		return NULL;
	struct file *f = begin_line(l, t, own);

	kft_strbuf_adds(&f->text, l->o->colour ? yellow : "");
	kft_strbuf_adds(&f->text, mark);
	return f;
}

static void end_event(struct kft_strace_lines *l, struct kft_traced_task *t,
		      struct file *f, const char *mark)
{
	kft_strbuf_adds(&f->text, mark);
	kft_strbuf_adds(&f->text, l->o->colour ? plain : "");
	end_line(l, f, t->tid);
}

static bool shows_signal(const struct kft_strace_lines *l, int number)
{
	return number > 0 && number <= 64 && l->o->choice.signals >> (number - 1) & 1;
}

static struct kft_strace_text event_text(struct kft_strace_lines *l,
					 struct kft_traced_task *t, struct file *f)
{
	return (struct kft_strace_text){.call = &t->call,
					.style = &l->o->style,
					.sb = &f->text,
					.word = sizeof(long)};
}

static void signal_event(void *arg, struct kft_traced_task *t, int number,
			 const siginfo_t *info)
{
	struct kft_strace_lines *l = arg;
	struct file *f = shows_signal(l, number) ? begin_event(l, t, "--- ") : NULL;

	if (!f)
		return;
	struct kft_strace_text text = event_text(l, t, f);

	kft_strace_signal(&text, (uint32_t)number);
	kft_strbuf_addc(&f->text, ' ');
	if (info)
		kft_form_siginfo(&text, info);
	end_event(l, t, f, info ? " ---" : "---");
}

static void stop_event(void *arg, struct kft_traced_task *t, int number)
{
	struct kft_strace_lines *l = arg;
	struct file *f = shows_signal(l, number) ? begin_event(l, t, "--- stopped by ")
						 : NULL;

	if (!f)
		return;
	struct kft_strace_text text = event_text(l, t, f);

	kft_strace_signal(&text, (uint32_t)number);
	end_event(l, t, f, " ---");
}

static void end(void *arg, struct kft_traced_task *t, int status)
{
	struct kft_strace_lines *l = arg;
	bool is_shown = !l->o->choice.no_exits &&
			(!WIFSIGNALED(status) || shows_signal(l, WTERMSIG(status)));
	struct file *f = is_shown ? begin_event(l, t, "+++ ") : NULL;

	if (f && WIFSIGNALED(status)) {
		struct kft_strace_text text = event_text(l, t, f);

		kft_strbuf_adds(&f->text, "killed by ");
		kft_strace_signal(&text, (uint32_t)WTERMSIG(status));
		kft_strbuf_adds(&f->text, WCOREDUMP(status) ? " (core dumped)" : "");
	} else if (f) {
		kft_strbuf_addf(&f->text, "exited with %d", WEXITSTATUS(status));
	}
	if (f)
		end_event(l, t, f, " +++");
	forget(l, t);
}

static void supersede(void *arg, struct kft_traced_task *t, pid_t by)
{
	struct kft_strace_lines *l = arg;
	struct file *f = l->o->choice.no_exits ? NULL : begin_event(l, t, "+++ ");

	if (f) {
		kft_strbuf_addf(&f->text, "superseded by execve in pid %d", by);
		end_event(l, t, f, " +++");
	}
	forget(l, t);
}

static void detach(void *arg, struct kft_traced_task *t)
{
	struct kft_strace_lines *l = arg;
	struct task *own = task_of(l, t);

	if (own && own->is_shown && t->in_call && is_chosen(l, KFT_STRACE_DETACHED))
		end_call(l, t, own, " <detached ...>", "");
	forget(l, t);
}

static void attach(void *arg, struct kft_traced_task *t)
{
	(void)task_of(arg, t);
}

static void idle(void *arg)
{
	struct kft_strace_lines *l = arg;

	if (!l->o->tasks_apart && l->shared.text.len)
		write_out(l, &l->shared, 0);
}

struct kft_strace_lines *kft_strace_lines_create(const struct kft_strace_options *o)
{
	struct kft_strace_lines *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->o = o;
	l->summary.wall = o->counts_wall;
	return l;
}

void kft_strace_lines_destroy(struct kft_strace_lines *l)
{
	if (!l)
		return;
	kft_strbuf_finish(&l->shared.text);
	free(l);
}

struct kft_traced_sink kft_strace_lines_sink(struct kft_strace_lines *l)
{
	return (struct kft_traced_sink){
		.arg = l,
		.wants = wants,
		.enter = enter,
		.leave = leave,
		.signal = signal_event,
		.stop = stop_event,
		.die = die,
		.end = end,
		.supersede = supersede,
		.detach = detach,
		.attach = attach,
		.idle = idle,
	};
}

const struct kft_strace_summary *
kft_strace_lines_summary(const struct kft_strace_lines *l)
{
	return &l->summary;
}
