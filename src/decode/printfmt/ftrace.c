// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints the tracers' own events as the kernel does. */
#include "decode/printfmt/ftrace.h"

#include <errno.h>
#include <string.h>

#include "base/digits.h"
#include "decode/printfmt/eval.h"

enum kind {
	KERNEL_STACK,
	USER_STACK,
	RAW_DATA,
	BPRINT,
	GRAPH_ENTRY,
	GRAPH_EXIT,
};

#define FIELDS_MAX 4

struct known {
	const char *name;
	enum kind kind;
	const char *fields[FIELDS_MAX]; /* fields that the event must have */
};

static const struct known known[] = {
	{"kernel_stack", KERNEL_STACK, {"caller"}},
	{"user_stack", USER_STACK, {"caller"}},
	{"raw_data", RAW_DATA, {"id", "buf"}},
	{"bprint", BPRINT, {"ip", "fmt", "buf"}},
	{"funcgraph_entry", GRAPH_ENTRY, {"func", "depth"}},
	/* With the return address of the call, since 6.13. */
	{"fgraph_retaddr_entry", GRAPH_ENTRY, {"func", "depth"}},
	{"funcgraph_exit", GRAPH_EXIT, {"func", "depth", "calltime", "rettime"}},
};

struct kft_ftrace_event {
	enum kind kind;
	const struct kft_field *fields[FIELDS_MAX]; /* in the order of known[] */
};

/* FTRACE_RETFUNC_DEPTH of the kernel is 50. */
#define GRAPH_DEPTH_MAX 64
#define GRAPH_INDENT	2
/* A limit above the number of CPUs of any kernel. */
#define GRAPH_CPUS_MAX 65536

/*
 * Functions that were entered, by depth: the kernel keeps the same state
 * for print_graph_return().
 */
struct kft_graph_cpu {
	uint64_t entered[GRAPH_DEPTH_MAX];
};

void kft_ftrace_finish(struct kft_ftrace *f)
{
	kft_bprint_finish(&f->bprint);
	for (size_t i = 0; i < f->n_cpus; i++)
		free(f->cpus[i]);
	free(f->cpus);
	*f = (struct kft_ftrace){};
}

static bool find_fields(const struct kft_class *cls, const struct known *k,
			struct kft_ftrace_event *fe)
{
	for (size_t i = 0; i < FIELDS_MAX && k->fields[i]; i++) {
		const struct kft_field *f = kft_class_field(cls, k->fields[i]);

		if (!f)
			return false;
		/* Fields that are read as numbers have to be integers. */
		bool is_array = strcmp(f->name, "caller") == 0 ||
				strcmp(f->name, "buf") == 0;
		if (!is_array && f->kind != KFT_FIELD_INT)
			return false;
		fe->fields[i] = f;
	}
	return true;
}

int kft_ftrace_compile(struct kft_arena *arena, const struct kft_class *cls,
		       const struct kft_ftrace_event **ret)
{
	*ret = NULL;
	if (strcmp(cls->system, "ftrace") != 0)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		struct kft_ftrace_event fe = {.kind = known[i].kind};

		if (strcmp(cls->name, known[i].name) != 0 ||
		    !find_fields(cls, &known[i], &fe))
			continue;
		struct kft_ftrace_event *copy = kft_arena_alloc(arena, sizeof(*copy));
		if (!copy)
			return -ENOMEM;
		*copy = fe;
		*ret = copy;
		return 0;
	}
	return 0;
}

static uint64_t number(const struct kft_print_ctx *c, const struct kft_field *f)
{
	uint64_t v = kft_load_sized(c->data + f->offset, f->size, c->swap);

	return kft_expr_norm(v, f->size, f->is_signed);
}

/*
 * The bytes from an array's start to the record's end: the array is longer than declared.
 */
static struct kft_bytes rest(const struct kft_print_ctx *c, const struct kft_field *f)
{
	if (c->size <= f->offset)
		return (struct kft_bytes){.p = c->data};
	return (struct kft_bytes){.p = c->data + f->offset, .len = c->size - f->offset};
}

/* Since 5.17, stands for an address in a trampoline of ftrace. */
#define TRAMPOLINE_MARKER INT32_MAX

/* Prints like the kernel's trace_stack_print(); ~0 marks the end of the stack. */
static void add_kernel_stack(const struct kft_print_ctx *c,
			     const struct kft_ftrace_event *fe, struct kft_strbuf *sb)
{
	struct kft_bytes b = rest(c, fe->fields[0]);
	uint64_t end = kft_expr_norm(UINT64_MAX, c->long_size, false);

	kft_strbuf_adds(sb, "<stack trace>");
	for (size_t i = 0; i + c->long_size <= b.len; i += c->long_size) {
		uint64_t addr = kft_load_sized(b.p + i, c->long_size, c->swap);

		if (addr == end)
			return;
		kft_strbuf_adds(sb, "\n => ");
		if (addr == TRAMPOLINE_MARKER)
			kft_strbuf_adds(sb, "[FTRACE TRAMPOLINE]");
		else
			kft_print_env_add_symbol(c->env, addr, false, sb);
	}
}

/*
 * Prints like the kernel's trace_user_stack_print() without the option sym-userobj, and
 * behind each address the symbol, if the trace has the mappings of its tasks.
 */
static void add_user_stack(const struct kft_print_ctx *c,
			   const struct kft_ftrace_event *fe, struct kft_strbuf *sb)
{
	struct kft_bytes b = rest(c, fe->fields[0]);
	uint64_t end = kft_expr_norm(UINT64_MAX, c->long_size, false);

	struct kft_user_symbol user;

	kft_strbuf_adds(sb, "<user stack trace>");
	for (size_t i = 0; i + c->long_size <= b.len; i += c->long_size) {
		uint64_t addr = kft_load_sized(b.p + i, c->long_size, c->swap);

		if (addr == 0 || addr == end)
			return;
		kft_strbuf_adds(sb, "\n =>  <");
		kft_strbuf_addx(sb, addr, 2 * c->long_size);
		kft_strbuf_addc(sb, '>');
		if (kft_print_env_user_symbol(c->env, addr, &user)) {
			kft_strbuf_addc(sb, ' ');
			kft_user_symbol_add(&user, sb);
		}
	}
}

/* Prints like the kernel's trace_raw_data(). */
static void add_raw_data(const struct kft_print_ctx *c, const struct kft_ftrace_event *fe,
			 struct kft_strbuf *sb)
{
	struct kft_bytes b = rest(c, fe->fields[1]);

	kft_strbuf_adds(sb, "# ");
	kft_strbuf_addx(sb, number(c, fe->fields[0]), 1);
	kft_strbuf_adds(sb, " buf:");
	for (size_t i = 0; i < b.len; i++) {
		kft_strbuf_addc(sb, ' ');
		kft_strbuf_addx(sb, b.p[i], 2);
	}
}

static void add_bprint(struct kft_ftrace *f, const struct kft_print_ctx *c,
		       const struct kft_ftrace_event *fe, struct kft_strbuf *sb)
{
	struct kft_bytes b = rest(c, fe->fields[2]);

	kft_print_env_add_symbol(c->env, number(c, fe->fields[0]), false, sb);
	kft_strbuf_add(sb, ": ", 2);
	kft_bprint_add(&f->bprint, c, number(c, fe->fields[1]), b.p, b.len, sb);
}

/* The state of a CPU; NULL for an invalid CPU, or when memory runs out. */
static struct kft_graph_cpu *graph_cpu(struct kft_ftrace *f, uint32_t cpu)
{
	if (likely(cpu < f->n_cpus && f->cpus[cpu]))
		return f->cpus[cpu];
	if (cpu >= GRAPH_CPUS_MAX)
		return NULL;
	if (cpu >= f->n_cpus) {
		size_t n = (size_t)cpu + 1;
		struct kft_graph_cpu **cpus = realloc(f->cpus,
						      n * sizeof(struct kft_graph_cpu *));

		if (!cpus)
			return NULL;
		memset(cpus + f->n_cpus, 0,
		       (n - f->n_cpus) * sizeof(struct kft_graph_cpu *));
		f->cpus = cpus;
		f->n_cpus = n;
	}
	f->cpus[cpu] = calloc(1, sizeof(*f->cpus[cpu]));
	return f->cpus[cpu];
}

/* The kernel's mark for the duration of a call. */
static char overhead(uint64_t duration_ns)
{
	return duration_ns > 1000000000 ? '$'
	       : duration_ns > 1000000	? '#'
	       : duration_ns > 100000	? '!'
	       : duration_ns > 10000	? '+'
					: ' ';
}

/*
 * Upper limit of a line of the graph without the function's name: with this room
 * reserved, the pieces need no further checks.
 */
#define GRAPH_ROOM (64 + GRAPH_INDENT * GRAPH_DEPTH_MAX)

static char *begin_line(struct kft_strbuf *sb)
{
	return kft_strbuf_reserve(sb, GRAPH_ROOM) ? sb->buf + sb->len : NULL;
}

static void end_line(struct kft_strbuf *sb, const char *p)
{
	sb->len = p - sb->buf;
}

/* Writes "+ 24.676 us   |  ": the number takes seven columns, or more if it is longer. */
static char *put_duration(char *p, uint64_t ns)
{
	*p++ = overhead(ns);
	*p++ = ' ';
	char *start = p;
	p = kft_put_u64(p, ns / 1000);
	if (p - start < 7) {
		unsigned int rest = ns % 1000;

		*p++ = '.';
		*p++ = '0' + rest / 100;
		p = kft_put_two(p, rest % 100);
	}
	size_t len = p - start;
	memcpy(p, " us        |  ", 14);
	p += 4;
	if (len < 7)
		p += 7 - len;
	memcpy(p, "|  ", 3);
	return p + 3;
}

static char *put_indent(char *p, uint64_t depth)
{
	size_t n = GRAPH_INDENT * KFT_MIN(depth, (uint64_t)GRAPH_DEPTH_MAX);

	/*
	 * Blanks are written in groups of eight; the last group may write past p + n,
	 * within the reserved room.
	 */
	for (size_t i = 0; i < n; i += 8)
		memcpy(p + i, "        ", 8);
	return p + n;
}

static void add_function(const struct kft_print_ctx *c, uint64_t func,
			 struct kft_strbuf *sb)
{
	const struct kft_symbol_hit *hit = kft_print_env_symbol(c->env, func);

	if (!hit->name)
		kft_strbuf_addx(sb, func, 1);
	else if (hit->plain)
		kft_strbuf_add(sb, hit->name, hit->len);
	else
		kft_strbuf_add_escaped(sb, hit->name, hit->len);
}

static void enter(struct kft_ftrace *f, uint32_t cpu, uint64_t depth, uint64_t func)
{
	struct kft_graph_cpu *g = graph_cpu(f, cpu);

	if (g && depth < GRAPH_DEPTH_MAX)
		g->entered[depth] = func;
}

/* Whether the function's entry was seen. */
static bool leave(struct kft_ftrace *f, uint32_t cpu, uint64_t depth, uint64_t func)
{
	struct kft_graph_cpu *g = graph_cpu(f, cpu);

	if (!g || depth >= GRAPH_DEPTH_MAX || g->entered[depth] != func)
		return false;
	g->entered[depth] = 0;
	return true;
}

static void add_entry(struct kft_ftrace *f, const struct kft_print_ctx *c,
		      const struct kft_ftrace_event *fe, uint32_t cpu,
		      struct kft_strbuf *sb)
{
	uint64_t func = number(c, fe->fields[0]);
	uint64_t depth = number(c, fe->fields[1]);

	char *p = begin_line(sb);

	if (!p)
		return;
	enter(f, cpu, depth, func);
	memcpy(p, "             |  ", 16);
	end_line(sb, put_indent(p + 16, depth));
	add_function(c, func, sb);
	kft_strbuf_add(sb, "() {", 4);
}

static uint64_t duration(const struct kft_print_ctx *c, const struct kft_ftrace_event *fe)
{
	return number(c, fe->fields[3]) - number(c, fe->fields[2]);
}

static void add_exit(struct kft_ftrace *f, const struct kft_print_ctx *c,
		     const struct kft_ftrace_event *fe, uint32_t cpu,
		     struct kft_strbuf *sb)
{
	uint64_t func = number(c, fe->fields[0]);
	uint64_t depth = number(c, fe->fields[1]);
	bool seen = leave(f, cpu, depth, func);
	char *p = begin_line(sb);

	if (!p)
		return;
	p = put_indent(put_duration(p, duration(c, fe)), depth);
	*p++ = '}';
	end_line(sb, p);
	/*
	 * The entry is missing above, so the closing brace gets the function's
	 * name, as in the kernel.
	 */
	if (!seen) {
		kft_strbuf_adds(sb, " /* ");
		add_function(c, func, sb);
		kft_strbuf_adds(sb, " */");
	}
}

void kft_ftrace_print(struct kft_ftrace *f, const struct kft_ftrace_event *fe,
		      const struct kft_print_ctx *c, uint32_t cpu, struct kft_strbuf *sb)
{
	switch (fe->kind) {
	case KERNEL_STACK:
		add_kernel_stack(c, fe, sb);
		break;
	case USER_STACK:
		add_user_stack(c, fe, sb);
		break;
	case RAW_DATA:
		add_raw_data(c, fe, sb);
		break;
	case BPRINT:
		add_bprint(f, c, fe, sb);
		break;
	case GRAPH_ENTRY:
		add_entry(f, c, fe, cpu, sb);
		break;
	case GRAPH_EXIT:
		add_exit(f, c, fe, cpu, sb);
		break;
	}
}

void kft_ftrace_follow(struct kft_ftrace *f, const struct kft_ftrace_event *fe,
		       const struct kft_print_ctx *c, uint32_t cpu)
{
	if (fe->kind != GRAPH_ENTRY && fe->kind != GRAPH_EXIT)
		return;
	uint64_t func = number(c, fe->fields[0]);
	uint64_t depth = number(c, fe->fields[1]);

	if (fe->kind == GRAPH_ENTRY)
		enter(f, cpu, depth, func);
	else
		(void)leave(f, cpu, depth, func);
}

int kft_ftrace_copy(struct kft_ftrace *to, const struct kft_ftrace *from)
{
	for (size_t i = 0; i < to->n_cpus; i++)
		if (to->cpus[i])
			*to->cpus[i] = (struct kft_graph_cpu){};
	for (size_t i = 0; i < from->n_cpus; i++) {
		if (!from->cpus[i])
			continue;
		struct kft_graph_cpu *g = graph_cpu(to, i);
		if (!g)
			return -ENOMEM;
		*g = *from->cpus[i];
	}
	return 0;
}

bool kft_ftrace_is_leaf(const struct kft_ftrace_event *entry,
			const struct kft_print_ctx *c,
			const struct kft_ftrace_event *exit,
			const struct kft_print_ctx *exit_c)
{
	return entry->kind == GRAPH_ENTRY && exit->kind == GRAPH_EXIT &&
	       number(c, entry->fields[0]) == number(exit_c, exit->fields[0]) &&
	       number(c, entry->fields[1]) == number(exit_c, exit->fields[1]);
}

void kft_ftrace_print_leaf(struct kft_ftrace *f, const struct kft_ftrace_event *entry,
			   const struct kft_print_ctx *c,
			   const struct kft_ftrace_event *exit,
			   const struct kft_print_ctx *exit_c, uint32_t cpu,
			   struct kft_strbuf *sb)
{
	char *p = begin_line(sb);

	if (!p)
		return;
	kft_ftrace_follow(f, entry, c, cpu);
	kft_ftrace_follow(f, exit, exit_c, cpu);
	p = put_duration(p, duration(exit_c, exit));
	end_line(sb, put_indent(p, number(c, entry->fields[1])));
	add_function(c, number(c, entry->fields[0]), sb);
	kft_strbuf_add(sb, "();", 3);
}
