// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints events by their class' print format. */
#include "decode/printfmt/print.h"

#include <errno.h>
#include <string.h>

#include "decode/printfmt/ftrace.h"
#include "decode/printfmt/parse.h"
#include "decode/printfmt/program.h"
#include "decode/printfmt/raw.h"
#include "model/syscall.h"

#define ID_COUNT (UINT16_MAX + 1)

/* The compiled format of a class. */
struct printing {
	const struct kft_class *cls;
	const struct kft_print_program *program; /* NULL: fields are printed raw */
	/* used instead of the program if not NULL */
	const struct kft_ftrace_event *ftrace;
	const char *why; /* reason for the missing program */
	const struct kft_field *pid; /* NULL: the class has no pid */
	uint32_t record_bytes; /* least size of a record */
};

struct kft_printer {
	struct kft_trace *trace;
	struct kft_arena arena;
	struct kft_print_env env;
	struct kft_ftrace ftrace;
	/* NULL: the machine's system calls are not known */
	const struct kft_syscalls *syscalls;
	struct printing **by_id; /* owned array of ID_COUNT; NULL: not compiled yet */
	uint8_t *padded; /* owned: copy of a record that is shorter than its class */
	size_t padded_bytes;
	uint64_t raw_count;
};

int kft_printer_create(struct kft_trace *t, struct kft_printer **ret)
{
	struct kft_printer *p = calloc(1, sizeof(*p));

	if (!p)
		return -ENOMEM;
	p->trace = t;
	p->syscalls = kft_trace_syscalls(t);
	p->by_id = calloc(ID_COUNT, sizeof(*p->by_id));
	p->ftrace.bprint.arena = &p->arena;
	p->ftrace.bprint.long_size = t->classes.long_size;
	int r = kft_print_env_init(&p->env, t);
	if (r < 0 || !p->by_id) {
		(void)kft_printer_destroy(p);
		return -ENOMEM;
	}
	*ret = p;
	return 0;
}

struct kft_printer *kft_printer_destroy(struct kft_printer *p)
{
	if (!p)
		return NULL;
	kft_ftrace_finish(&p->ftrace);
	kft_print_env_finish(&p->env);
	kft_arena_finish(&p->arena);
	free(p->by_id);
	free(p->padded);
	free(p);
	return NULL;
}

/* The end of the last field at a fixed offset; raw printing reads them all. */
static uint32_t fields_end(const struct kft_class *cls)
{
	uint32_t end = 0;

	for (uint32_t i = 0; i < cls->n_fields; i++)
		end = KFT_MAX(end, cls->fields[i].offset + cls->fields[i].size);
	return end;
}

static bool is_function(const struct kft_class *cls)
{
	return strcmp(cls->system, "ftrace") == 0 && strcmp(cls->name, "function") == 0;
}

/*
 * The format of the tracers' event "function" starts with a blank that
 * trace-cmd does not print.
 */
static void drop_leading_blank(const struct kft_class *cls, struct kft_print_op *op)
{
	if (is_function(cls) && op->text_len && op->text[0] == ' ') {
		op->text++;
		op->text_len--;
	}
}

/* Changes "NR 59 (...)" to "NR 59 execve (...)". */
static void name_syscalls(const struct kft_printer *p, const struct kft_class *cls,
			  struct kft_print_op *op)
{
	bool is_number = op->kind == KFT_PRINT_S32 || op->kind == KFT_PRINT_S64;

	if (p->syscalls && is_number && strcmp(cls->system, "raw_syscalls") == 0 &&
	    op->text_len == 3 && memcmp(op->text, "NR ", 3) == 0) {
		op->digits = op->kind == KFT_PRINT_S32 ? 4 : 8;
		op->kind = KFT_PRINT_SYSCALL;
		op->syscalls = p->syscalls;
	}
}

/* Kernels before 5.7 print names of functions, but their print fmt has addresses. */
static const char *print_fmt(const struct kft_class *cls)
{
	if (is_function(cls) &&
	    strcmp(cls->print_fmt, "\" %lx <-- %lx\", REC->ip, REC->parent_ip") == 0)
		return "\" %ps <-- %ps\", (void *)REC->ip, (void *)REC->parent_ip";
	return cls->print_fmt;
}

static int compile(struct kft_printer *p, struct printing *pr)
{
	struct kft_trace *t = p->trace;
	struct kft_fmt_env env = {.cls = pr->cls,
				  .arena = &p->arena,
				  .trace = t,
				  .long_size = t->classes.long_size,
				  .big_endian = t->meta.big_endian};
	struct kft_fmt_parsed parsed;

	int r = kft_fmt_parse(&env, print_fmt(pr->cls), &parsed, &pr->why);
	if (r < 0)
		return r;
	r = kft_print_compile(&p->arena, env.long_size, parsed.format, parsed.format_len,
			      parsed.args, parsed.n_args, &pr->program, &pr->why);
	if (r == 0)
		drop_leading_blank(pr->cls, pr->program->ops);
	if (r == 0)
		name_syscalls(p, pr->cls, pr->program->ops);
	return r;
}

static struct printing *prepare(struct kft_printer *p, uint16_t id)
{
	struct printing *pr = kft_arena_alloc(&p->arena, sizeof(*pr));

	if (!pr)
		return NULL;
	pr->cls = kft_trace_class(p->trace, id);
	if (pr->cls) {
		pr->record_bytes = fields_end(pr->cls);
		pr->pid = kft_class_field(pr->cls, "common_pid");
		if (kft_ftrace_compile(&p->arena, pr->cls, &pr->ftrace) < 0)
			return NULL;
		if (compile(p, pr) == -ENOMEM)
			return NULL;
	}
	p->by_id[id] = pr;
	return pr;
}

static inline struct printing *get(struct kft_printer *p, uint16_t id)
{
	struct printing *pr = p->by_id[id];

	return likely(pr) ? pr : prepare(p, id);
}

/* Copies a record that is shorter than its class, and appends zeros. */
static const uint8_t *pad(struct kft_printer *p, const struct kft_event *ev, size_t need)
{
	if (p->padded_bytes < need) {
		uint8_t *bigger = realloc(p->padded, need);

		if (!bigger)
			return NULL;
		p->padded = bigger;
		p->padded_bytes = need;
	}
	if (ev->size)
		memcpy(p->padded, ev->data, ev->size);
	memset(p->padded + ev->size, 0, need - ev->size);
	return p->padded;
}

static inline bool make_ctx(struct kft_printer *p, const struct printing *pr,
			    const struct kft_event *ev, struct kft_print_ctx *c)
{
	c->data = ev->data;
	c->size = ev->size;
	c->swap = p->trace->swap;
	c->long_size = p->trace->classes.long_size;
	c->env = &p->env;
	p->env.ev = ev;
	p->env.pid = pr->pid;
	if (unlikely(ev->size < pr->record_bytes))
		c->data = pad(p, ev, pr->record_bytes);
	return c->data;
}

static void drop_line_end(struct kft_strbuf *out, size_t start)
{
	if (out->len > start && out->buf[out->len - 1] == '\n')
		out->len--;
}

static void add_failed(struct kft_printer *p, const struct printing *pr,
		       const struct kft_print_ctx *c, struct kft_strbuf *out)
{
	p->raw_count++;
	kft_strbuf_adds(out, "[FAILED TO PARSE]");
	kft_raw_add_fields(c, pr->cls, NULL, out);
}

void kft_printer_info(struct kft_printer *p, const struct kft_event *ev,
		      struct kft_strbuf *out)
{
	struct printing *pr = get(p, ev->id);
	struct kft_print_ctx c;
	size_t start = out->len;

	if (unlikely(!pr || !pr->cls)) {
		kft_strbuf_adds(out, "[UNKNOWN EVENT]");
		return;
	}
	if (!make_ctx(p, pr, ev, &c)) {
		out->failed = true;
		return;
	}
	if (pr->ftrace)
		kft_ftrace_print(&p->ftrace, pr->ftrace, &c, ev->cpu, out);
	else if (likely(pr->program))
		kft_print_run(pr->program, &c, out);
	else
		add_failed(p, pr, &c, out);
	drop_line_end(out, start);
}

bool kft_printer_follow(struct kft_printer *p, const struct kft_event *ev)
{
	struct printing *pr = get(p, ev->id);
	struct kft_print_ctx c;

	if (!pr)
		return true;
	if (pr->ftrace && make_ctx(p, pr, ev, &c))
		kft_ftrace_follow(&p->ftrace, pr->ftrace, &c, ev->cpu);
	return pr->ftrace;
}

struct kft_printer_place {
	struct kft_ftrace ftrace; /* without bprint, which is only a cache */
};

int kft_printer_save(const struct kft_printer *p, struct kft_printer_place **place)
{
	if (!*place)
		*place = calloc(1, sizeof(**place));
	return *place ? kft_ftrace_copy(&(*place)->ftrace, &p->ftrace) : -ENOMEM;
}

int kft_printer_restore(struct kft_printer *p, const struct kft_printer_place *place)
{
	return kft_ftrace_copy(&p->ftrace, &place->ftrace);
}

struct kft_printer_place *kft_printer_place_destroy(struct kft_printer_place *place)
{
	if (place)
		kft_ftrace_finish(&place->ftrace);
	free(place);
	return NULL;
}

static bool same_task(const struct printing *pr, const struct kft_event *a,
		      const struct kft_event *b, bool swap)
{
	uint64_t pa;
	uint64_t pb;

	return pr->pid && kft_event_int(a, pr->pid, swap, &pa) &&
	       kft_event_int(b, pr->pid, swap, &pb) && pa == pb;
}

/* Whether both are complete events of the function graph, of the same task. */
static bool graph_pair(struct kft_printer *p, const struct kft_event *entry,
		       const struct kft_event *next, struct printing **ret_entry,
		       struct printing **ret_exit)
{
	*ret_entry = get(p, entry->id);
	if (!*ret_entry || !(*ret_entry)->ftrace)
		return false;
	*ret_exit = get(p, next->id);
	return *ret_exit && (*ret_exit)->ftrace &&
	       entry->size >= (*ret_entry)->record_bytes &&
	       next->size >= (*ret_exit)->record_bytes &&
	       same_task(*ret_entry, entry, next, p->trace->swap);
}

bool kft_printer_is_leaf(struct kft_printer *p, const struct kft_event *entry,
			 const struct kft_event *next)
{
	struct printing *pe;
	struct printing *px;
	struct kft_print_ctx c;
	struct kft_print_ctx xc;

	if (!next || !graph_pair(p, entry, next, &pe, &px))
		return false;
	return make_ctx(p, pe, entry, &c) && make_ctx(p, px, next, &xc) &&
	       kft_ftrace_is_leaf(pe->ftrace, &c, px->ftrace, &xc);
}

void kft_printer_leaf(struct kft_printer *p, const struct kft_event *entry,
		      const struct kft_event *exit, struct kft_strbuf *out)
{
	struct printing *pe;
	struct printing *px;
	struct kft_print_ctx c;
	struct kft_print_ctx xc;

	if (!graph_pair(p, entry, exit, &pe, &px) || !make_ctx(p, pe, entry, &c) ||
	    !make_ctx(p, px, exit, &xc))
		return;
	kft_ftrace_print_leaf(&p->ftrace, pe->ftrace, &c, px->ftrace, &xc, entry->cpu,
			      out);
}

void kft_printer_raw(struct kft_printer *p, const struct kft_event *ev,
		     struct kft_strbuf *out)
{
	struct printing *pr = get(p, ev->id);
	struct kft_print_ctx c;

	if (!pr || !pr->cls) {
		kft_strbuf_adds(out, "[UNKNOWN EVENT]");
		return;
	}
	if (make_ctx(p, pr, ev, &c))
		kft_raw_add_fields(&c, pr->cls, pr->program, out);
	else
		out->failed = true;
}

void kft_printer_field(struct kft_printer *p, const struct kft_event *ev,
		       const struct kft_field *f, struct kft_strbuf *out)
{
	struct printing *pr = get(p, ev->id);
	struct kft_print_ctx c;

	if (pr && pr->cls && make_ctx(p, pr, ev, &c))
		kft_raw_add_field(&c, f, pr->program, out);
}

void kft_printer_field_json(struct kft_printer *p, const struct kft_event *ev,
			    const struct kft_field *f, struct kft_strbuf *out)
{
	struct printing *pr = get(p, ev->id);
	struct kft_print_ctx c;

	if (pr && pr->cls && make_ctx(p, pr, ev, &c))
		kft_raw_add_json(&c, f, out);
	else
		kft_strbuf_adds(out, "null");
}

const char *kft_printer_why_raw(struct kft_printer *p, uint16_t id)
{
	struct printing *pr = get(p, id);

	if (!pr)
		return "out of memory";
	if (!pr->cls)
		return "no such event";
	return pr->ftrace || pr->program ? NULL : pr->why;
}

uint64_t kft_printer_raw_count(const struct kft_printer *p)
{
	return p->raw_count;
}
