// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes kernel events from a plan's probes. */
#include "tracefs/sources/probe_events.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/err.h"
#include "base/glob.h"
#include "base/interrupted.h"
#include "base/io.h"
#include "base/map.h"
#include "base/suggest.h"
#include "decode/types/btf_fetch.h"
#include "decode/types/dwarf.h"
#include "decode/types/elf.h"
#include "tracefs/control/catalog.h"
#include "tracefs/control/mount.h"
#include "tracefs/sources/filter.h"
#include "tracefs/sources/stack_trigger.h"
#include "tracefs/sources/uprobe_args.h"

#define BTF_FILE	    "sys/kernel/btf/vmlinux"
#define BTF_MAX_BYTES	    ((size_t)256 << 20)
#define KALLSYMS_MAX_BYTES  ((size_t)256 << 20)
#define ERROR_LOG_MAX_BYTES 65536
#define PROGRAM_MAX_BYTES   ((uint64_t)4 << 30)
/*
 * The most concurrent calls that a return probe can follow, the same as for triggers
 * (probes.c).
 */
#define MAX_ACTIVE 512

/* State while the events of a session are made. */
struct maker {
	struct kft_host *host;
	int tracefs_fd;
	struct kft_probe_events *events;
	struct kft_strbuf btf_bytes;
	struct kft_btf btf;
	bool btf_tried;
	bool has_btf;
	bool is_trial; /* nothing is sent to the kernel */
	struct kft_err *e;
};

/* A program or library that probes are put into. */
struct program {
	char path[PATH_MAX];
	void *data;
	size_t size;
	struct kft_elf_functions functions;
	struct kft_dwarf *dwarf; /* owned; opened when arguments by name are asked for */
};

static bool is_taken(const struct kft_probe_events *p, const char *name)
{
	kft_vec_for_each(&p->list, event)
		if (strcmp(event->name, name) == 0)
			return true;
	return false;
}

/*
 * Adds an event with a unique C identifier, which the kernel requires as its name:
 * "vfs_read", "vfs_read_return", "vfs_read_2".
 */
static int add_event(struct maker *m, const struct kft_plan_probe *probe,
		     const char *symbol, struct kft_probe_event **ret)
{
	struct kft_probe_event event = {.filter = probe->filter, .stack = probe->stack};
	char base[KFT_PROBE_EVENT_NAME_MAX - 16];
	size_t n = 0;

	if (m->events->list.len >= KFT_PROBE_EVENTS_MAX)
		return kft_err_set(m->e, -E2BIG, "more than %d probes",
				   KFT_PROBE_EVENTS_MAX);
	if (*symbol >= '0' && *symbol <= '9')
		base[n++] = '_';
	for (; *symbol && n < sizeof(base) - 1; symbol++) {
		bool is_plain = *symbol == '_' || (*symbol >= '0' && *symbol <= '9') ||
				((*symbol | 0x20) >= 'a' && (*symbol | 0x20) <= 'z');

		base[n++] = is_plain ? *symbol : '_';
	}
	base[n] = '\0';
	const char *suffix = probe->at_return ? "_return" : "";
	(void)snprintf(event.name, sizeof(event.name), "%s%s", base, suffix);
	for (unsigned int i = 2; is_taken(m->events, event.name); i++)
		(void)snprintf(event.name, sizeof(event.name), "%s%s_%u", base, suffix,
			       i);
	if (!kft_vec_push(&m->events->list, event))
		return kft_err_memory(m->e);
	*ret = &m->events->list.data[m->events->list.len - 1];
	return 0;
}

/* Adds the kernel's reason for refusing the last command; false when it gave none. */
static bool add_kernel_words(const struct maker *m, struct kft_strbuf *sb)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf log = {};
	static const char mark[] = "error: ";
	const char *last = NULL;

	if (kft_read_at(m->tracefs_fd, "error_log", ERROR_LOG_MAX_BYTES, &log) < 0)
		return false;
	for (const char *p = strstr(kft_strbuf_cstr(&log), mark); p;
	     p = strstr(p + 1, mark))
		last = p + strlen(mark);
	if (!last)
		return false;
	kft_strbuf_adds(sb, ": ");
	kft_strbuf_add_escaped(sb, last, strcspn(last, "\n"));
	return true;
}

/* Suggests names near a refused function, which may be in the list itself. */
static void suggest_functions(const struct maker *m, const char *symbol,
			      struct kft_strbuf *sb)
{
	struct kft_catalog catalog = {};
	struct kft_suggest s;

	if (kft_catalog_read(m->host, KFT_CATALOG_FUNCTIONS, NULL, &catalog, NULL) < 0)
		return;
	kft_suggest_init(&s, symbol);
	kft_vec_for_each(&catalog.entries, f)
		if (strcmp(f->name, symbol) != 0)
			kft_suggest_add(&s, f->name, strlen(f->name));
	(void)kft_suggest_text(&s, sb);
	kft_catalog_finish(&catalog);
}

static int refused(const struct maker *m, const struct kft_plan_probe *probe, int code)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf why = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf near = {};
	const char *list = probe->is_user ? "uprobe_events" : "kprobe_events";

	if (code == -ENOENT && !m->is_trial &&
	    faccessat(m->tracefs_fd, list, F_OK, 0) < 0)
		return kft_err_set(m->e, -EOPNOTSUPP,
				   "this kernel has no probes of %s (%s)",
				   probe->is_user ? "programs" : "its functions", list);
	if (code == -ENOENT)
		kft_strbuf_adds(&why, ": the kernel has no such function");
	else if (!add_kernel_words(m, &why))
		kft_strbuf_addf(&why, ": %s", strerror(-code));
	kft_err_set(m->e, code, "cannot put a probe on '%.200s'%s", probe->symbol,
		    kft_strbuf_cstr(&why));
	if (!probe->is_user)
		suggest_functions(m, probe->symbol, &near);
	if (near.len)
		kft_err_hint(m->e, "%s", kft_strbuf_cstr(&near));
	else
		kft_host_hint(m->host, code, m->e);
	return code;
}

/*
 * Checks that the kernel has the function. "FUNCTION+OFFSET" and "MODULE:FUNCTION" are
 * not checked.
 */
static int try_function(const struct maker *m, const struct kft_plan_probe *probe)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf kallsyms = {};
	size_t len = strlen(probe->symbol);
	int r = kft_read_at(m->host->root_fd, "proc/kallsyms", KALLSYMS_MAX_BYTES,
			    &kallsyms);
	const char *p = kft_strbuf_cstr(&kallsyms);

	if (r < 0 || strpbrk(probe->symbol, "+:"))
		return 0;
	for (; (p = strstr(p, probe->symbol)); p++)
		if (p > kallsyms.buf && p[-1] == ' ' && p[len] <= ' ')
			return 0;
	return refused(m, probe, -ENOENT);
}

static int send(const struct maker *m, const struct kft_plan_probe *probe,
		struct kft_strbuf *command)
{
	if (!kft_strbuf_ok(command))
		return kft_err_memory(m->e);
	if (m->is_trial)
		return probe->is_user ? 0 : try_function(m, probe);
	int r = kft_write_at(m->tracefs_fd,
			     probe->is_user ? "uprobe_events" : "kprobe_events", O_APPEND,
			     command->buf, command->len);
	return r < 0 ? refused(m, probe, r) : 0;
}

typedef int arg_fn(void *arg, const char *text);

/* Calls add for each argument of a list that commas separate. */
static int for_each_arg(const char *args, arg_fn *add, void *arg)
{
	_cleanup_free_ char *copy = args ? strdup(args) : NULL;
	char *save = NULL;
	int r = args && !copy ? -ENOMEM : 0;

	for (char *word = copy ? strtok_r(copy, ",", &save) : NULL; word && r == 0;
	     word = strtok_r(NULL, ",", &save)) {
		word += strspn(word, " \t");
		for (char *end = word + strlen(word);
		     end > word && (end[-1] == ' ' || end[-1] == '\t');)
			*--end = '\0';
		r = add(arg, word);
	}
	return r;
}

/* A kernel without types is no error here: arguments by number do not need them. */
static int read_btf(struct maker *m)
{
	if (m->btf_tried)
		return 0;
	m->btf_tried = true;
	int r = kft_read_at(m->host->root_fd, BTF_FILE, BTF_MAX_BYTES, &m->btf_bytes);
	if (r == 0)
		r = kft_btf_open(m->btf_bytes.buf, m->btf_bytes.len, &m->btf);
	m->has_btf = r == 0;
	return r == -ENOMEM ? kft_err_set(m->e, r, "out of memory") : 0;
}

struct kernel_args {
	struct kft_btf_fetch fetch;
	struct kft_strbuf *command;
	struct kft_err *e;
};

static int add_kernel_arg(void *arg, const char *text)
{
	struct kernel_args *a = arg;

	kft_strbuf_addc(a->command, ' ');
	return kft_btf_fetch(&a->fetch, text, a->command, a->e);
}

static int make_kernel_probe(struct maker *m, const struct kft_plan_probe *probe)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf command = {};
	struct kft_probe_event *event;
	int r = probe->args ? read_btf(m) : 0;

	if (r == 0)
		r = add_event(m, probe, probe->symbol, &event);
	if (r < 0)
		return r;
	struct kernel_args args = {
		.fetch = {m->has_btf ? &m->btf : NULL, probe->symbol, probe->at_return,
			  sizeof(long)},
		.command = &command,
		.e = m->e,
	};
	if (probe->at_return)
		kft_strbuf_addf(&command, "r%d:", MAX_ACTIVE);
	else
		kft_strbuf_adds(&command, "p:");
	kft_strbuf_addf(&command, "%s/%s %s", m->events->group, event->name,
			probe->symbol);
	/*
	 * A trial on a kernel without types does not check arguments: the lack of types
	 * is reported for the kernel, not for each probe.
	 */
	if (!m->is_trial || m->has_btf)
		r = for_each_arg(probe->args, add_kernel_arg, &args);
	return r < 0 ? r : send(m, probe, &command);
}

/*
 * Makes a probe, or makes it without arguments and filter if that fails, for example on a
 * kernel without types, or leaves it out, because some functions cannot be probed. The
 * event of a refused command, the last one, is removed from the list.
 */
static int make_optional_probe(struct maker *m, const struct kft_plan_probe *probe,
			       const struct kft_notify *notify)
{
	struct kft_plan_probe bare = *probe; /* owns nothing */
	struct kft_err *e = m->e;
	struct kft_err err = {};
	size_t before = m->events->list.len;

	m->e = &err;
	int r = make_kernel_probe(m, probe);
	if (r < 0 && probe->args) {
		m->events->list.len = before;
		bare.args = NULL;
		bare.filter = NULL;
		r = make_kernel_probe(m, &bare);
	}
	m->e = e;
	if (r == 0)
		return 0;
	m->events->list.len = before;
	kft_notify(notify, "not recorded: %s", err.msg);
	return 0;
}

static void program_finish(struct program *p)
{
	kft_dwarf_close(p->dwarf);
	kft_elf_functions_finish(&p->functions);
	if (p->data)
		(void)munmap(p->data, p->size);
}

static int map_program(struct program *p)
{
	_cleanup_close_ int fd = open(p->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode) || !st.st_size)
		return -ENOEXEC;
	if ((uint64_t)st.st_size > PROGRAM_MAX_BYTES || (uint64_t)st.st_size > SIZE_MAX)
		return -EFBIG;
	void *data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		return -errno;
	p->data = data;
	p->size = (size_t)st.st_size;
	return kft_elf_functions(p->data, p->size, &p->functions);
}

static int open_program(const struct maker *m, const char *path, struct program *p)
{
	int r = realpath(path, p->path) ? map_program(p) : -errno;

	/* A path in uprobe_events cannot have blanks, which end a word. */
	if (r == 0 && strpbrk(p->path, " \t\n"))
		return kft_err_set(
			m->e, -EINVAL,
			"cannot probe '%s': the kernel takes no path with blanks",
			p->path);
	if (r == -ENOEXEC)
		return kft_err_set(m->e, r, "not an ELF program or library: '%s'", path);
	return r < 0 ? kft_err_sys(m->e, r, "cannot read program '%s'", path) : 0;
}

struct user_args {
	const struct maker *maker;
	const struct kft_plan_probe *probe;
	struct program *program;
	const struct kft_elf_function *function;
	struct kft_strbuf *command;
};

static int fetch_by_name(const struct user_args *a,
			 const struct kft_dwarf_function *known, const char *text)
{
	struct kft_btf_fetch fetch = {.function = a->function->name,
				      .sources = known->sources.data,
				      .long_size = sizeof(long)};
	struct kft_btf btf;
	int r = kft_btf_open(known->types.buf, known->types.len, &btf);

	if (r < 0)
		return kft_err_sys(a->maker->e, r, "cannot use the types of '%.200s'",
				   a->function->name);
	fetch.btf = &btf;
	kft_strbuf_addc(a->command, ' ');
	r = kft_btf_fetch(&fetch, text, a->command, a->maker->e);
	kft_btf_close(&btf);
	return r;
}

static int add_by_name(const struct user_args *a, const char *text)
{
	struct program *p = a->program;
	struct kft_err *e = a->maker->e;
	struct kft_dwarf_function known;
	int r = p->dwarf ? 0
			 : kft_dwarf_open(p->path, p->functions.machine, &p->dwarf, e);

	if (r == 0)
		r = kft_dwarf_function(p->dwarf, a->function, &known, e);
	if (r < 0)
		return r;
	r = fetch_by_name(a, &known, text);
	kft_dwarf_function_finish(&known);
	return r;
}

/*
 * Adds an argument: "$arg1", "n=$arg1:s32", or "file->name" by the program's debugging
 * information.
 */
static int add_user_arg(void *arg, const char *text)
{
	const struct user_args *a = arg;

	if (strpbrk(text, "$=:") || a->probe->at_return)
		return kft_uprobe_arg(text, a->probe->at_return,
				      a->program->functions.machine, a->command,
				      a->maker->e);
	return add_by_name(a, text);
}

static int make_user_probe(struct maker *m, const struct kft_plan_probe *probe,
			   struct program *p, const struct kft_elf_function *f)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf command = {};
	const struct user_args args = {m, probe, p, f, &command};
	struct kft_probe_event *event;
	int r = add_event(m, probe, f->name, &event);

	if (r < 0)
		return r;
	kft_strbuf_addf(&command, "%c:%s/%s %s:0x%" PRIx64, probe->at_return ? 'r' : 'p',
			m->events->group, event->name, p->path, f->offset);
	r = for_each_arg(probe->args, add_user_arg, (void *)&args);
	return r < 0 ? r : send(m, probe, &command);
}

static int no_symbol(const struct maker *m, const struct kft_plan_probe *probe,
		     const struct program *p)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf near = {};
	struct kft_suggest s;

	kft_suggest_init(&s, probe->symbol);
	kft_vec_for_each(&p->functions.list, f)
		kft_suggest_add(&s, f->name, strlen(f->name));
	kft_err_set(m->e, -ENOENT, "'%s' has no function '%.200s'", p->path,
		    probe->symbol);
	if (kft_suggest_text(&s, &near))
		kft_err_hint(m->e, "%s", kft_strbuf_cstr(&near));
	else if (!p->functions.list.len)
		kft_err_hint(m->e, "it has no symbols: it was stripped");
	return -ENOENT;
}

static int make_user_probes(struct maker *m, const struct kft_plan_probe *probe)
{
	_cleanup_(program_finish) struct program p = {};
	uint64_t last = UINT64_MAX;
	size_t found = 0;
	int r = open_program(m, probe->program, &p);

	for (size_t i = 0; r == 0 && i < p.functions.list.len; i++) {
		const struct kft_elf_function *f = &p.functions.list.data[i];

		/* A function with several names is probed once, by its first name. */
		if (!kft_glob(probe->symbol, f->name) || f->offset == last)
			continue;
		last = f->offset;
		found++;
		r = make_user_probe(m, probe, &p, f);
		if (r == 0 && kft_is_interrupted())
			r = kft_err_sys(m->e, -EINTR, "cannot probe '%s'", p.path);
	}
	return r == 0 && !found ? no_symbol(m, probe, &p) : r;
}

int kft_probe_events_create(struct kft_host *host, const char *instance,
			    const struct kft_plan *plan, const struct kft_notify *notify,
			    struct kft_probe_events *ret, struct kft_err *e)
{
	struct kft_probe_events events = {};
	struct maker m = {.host = host, .events = &events, .is_trial = !ret, .e = e};
	int r = kft_tracefs_open(host, &m.tracefs_fd, e);

	kft_probe_group_name(instance, events.group);
	for (size_t i = 0; r == 0 && i < plan->n_probes; i++) {
		const struct kft_plan_probe *probe = &plan->probes[i];

		if (probe->is_user)
			r = make_user_probes(&m, probe);
		else if (probe->is_optional)
			r = make_optional_probe(&m, probe, notify);
		else
			r = make_kernel_probe(&m, probe);
	}
	kft_btf_close(&m.btf);
	kft_strbuf_finish(&m.btf_bytes);
	if (r < 0 || m.is_trial)
		kft_probe_events_finish(&events);
	else
		*ret = events;
	return r;
}

int kft_probe_events_enable(const struct kft_probe_events *p,
			    const struct kft_tracefs_dir *place, struct kft_err *e)
{
	int r = 0;

	kft_vec_for_each(&p->list, event) {
		char path[KFT_PLACE_FILE_MAX];

		/* The filter is removed with the event and needs no undoing. */
		if (event->filter)
			r = kft_filter_set(place->fd, p->group, event->name,
					   event->filter, e);
		if (r == 0 && event->stack)
			r = kft_stack_trigger_set(place, p->group, event->name,
						  event->filter, e);
		if (r < 0)
			return r;
		(void)snprintf(path, sizeof(path), "events/%s/%s/enable", p->group,
			       event->name);
		r = kft_tracefs_dir_set(place, path, "1", e);
		if (r < 0)
			return r;
	}
	return 0;
}

void kft_probe_events_finish(struct kft_probe_events *p)
{
	kft_vec_finish(&p->list);
}
