/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_TESTS_BOOT_TRACE_H
#define KFT_TESTS_BOOT_TRACE_H

/* A trace as a boot leaves it, from arrays. Include after t.h. */
#include "fake_trace.h"

#define BOOT_FUNC TYPED("initcall_t", "func", "8", "8", "0")

enum {
	BOOT_EXIT = 10,
	BOOT_ENTRY = 11,
	BOOT_FUNCTION = 12,
	BOOT_INIT_START = 20,
	BOOT_INIT_FINISH = 21,
	BOOT_INIT_LEVEL = 22,
	BOOT_MODULE_LOAD = 30,
	BOOT_PROBE_START = 500,
	BOOT_PROBE_STOP = 501,
};

static const char *const boot_formats[][2] = {
	{"ftrace", FUNCGRAPH_EXIT_FORMAT},
	{"ftrace", FUNCGRAPH_ENTRY_FORMAT},
	{"ftrace",
	 FORMAT("function", "12", LONG_FIELD("ip", "8") LONG_FIELD("parent_ip", "24"))},
	{"initcall", FORMAT("initcall_start", "20", BOOT_FUNC)},
	{"initcall", FORMAT("initcall_finish", "21", BOOT_FUNC FIELD("ret", "16"))},
	{"initcall", FORMAT("initcall_level", "22",
			    TYPED("__data_loc char[]", "level", "8", "4", "1"))},
	{"module",
	 FORMAT("module_load", "30", TYPED("__data_loc char[]", "name", "8", "4", "1"))},
	{"kft_boot", FORMAT("start", "500", LONG_FIELD("__probe_ip", "8"))},
	{"kft_boot", FORMAT("stop", "501", LONG_FIELD("__probe_func", "8"))},
};

union boot_record {
	struct {
		uint16_t type;
		uint8_t flags;
		uint8_t preempt_count;
		int32_t pid;
		uint64_t func;
		int32_t depth; /* an initcall's return value, in the record of its end */
		uint32_t overrun;
		uint64_t calltime;
		uint64_t rettime;
	} f;
	struct {
		uint64_t head;
		uint32_t loc;
		char text[20];
	} level;
};

struct boot_trace {
	struct kft_trace *trace;
	struct fake_stream *cpus[2];
	union boot_record records[2][64];
};

static inline int boot_trace_setup(void **state)
{
	struct boot_trace *b = calloc(1, sizeof(*b));

	assert_non_null(b);
	assert_int_equal(kft_trace_create(&b->trace), 0);
	b->trace->classes.parse = kft_format_parse;
	b->trace->classes.long_size = 8;
	b->trace->meta.long_size = 8;
	b->trace->meta.cpu_count = 2;
	for (size_t i = 0; i < ARRAY_SIZE(boot_formats); i++)
		assert_int_equal(kft_class_table_add(
					 &b->trace->classes, boot_formats[i][0],
					 boot_formats[i][1], strlen(boot_formats[i][1])),
				 0);
	for (uint32_t i = 0; i < 2; i++)
		b->cpus[i] = fake_add_stream(b->trace, 0, i);
	b->trace->have_symbols = true;
	*state = b;
	return 0;
}

static inline int boot_trace_teardown(void **state)
{
	struct boot_trace *b = *state;

	b->trace = kft_trace_destroy(b->trace);
	free(b);
	return 0;
}

/* Text is borrowed. */
static inline void boot_symbol_of(struct boot_trace *b, const char *name, uint64_t addr,
				  const char *module)
{
	const struct kft_symbol s = {.addr = addr,
				     .name = name,
				     .name_len = strlen(name),
				     .module = module,
				     .module_len = module ? strlen(module) : 0};

	assert_int_equal(kft_symbol_table_add(&b->trace->symbols, &s), 0);
	kft_symbol_table_sort(&b->trace->symbols);
}

static inline void boot_symbol(struct boot_trace *b, const char *name, uint64_t addr)
{
	boot_symbol_of(b, name, addr, NULL);
}

static inline union boot_record *boot_add(struct boot_trace *b, uint32_t cpu, uint64_t ts,
					  uint16_t id, int32_t pid, uint64_t func)
{
	struct fake_stream *s = b->cpus[cpu];
	union boot_record *r = &b->records[cpu][s->len];

	assert_true(s->len < ARRAY_SIZE(b->records[cpu]));
	r->f.type = id;
	r->f.pid = pid;
	r->f.func = func;
	s->evs[s->len++] = (struct kft_event){.ts = ts,
					      .data = (const uint8_t *)r,
					      .size = sizeof(*r),
					      .cpu = cpu,
					      .id = id};
	return r;
}

static inline void boot_add_exit(struct boot_trace *b, uint32_t cpu, uint64_t ts,
				 int32_t pid, uint64_t func, uint64_t duration)
{
	union boot_record *r = boot_add(b, cpu, ts, BOOT_EXIT, pid, func);

	r->f.calltime = ts - duration;
	r->f.rettime = ts;
}

static inline void boot_add_finish(struct boot_trace *b, uint64_t ts, int32_t pid,
				   uint64_t func, int32_t ret)
{
	boot_add(b, 0, ts, BOOT_INIT_FINISH, pid, func)->f.depth = ret;
}

static inline void boot_add_text(struct boot_trace *b, uint64_t ts, uint16_t id,
				 int32_t pid, const char *text)
{
	union boot_record *r = boot_add(b, 0, ts, id, pid, 0);
	size_t len = strlen(text) + 1;

	r->level.loc = (uint32_t)(len << 16) |
		       (uint32_t)((char *)r->level.text - (char *)r);
	memcpy(r->level.text, text, len);
}

static inline void boot_add_level(struct boot_trace *b, uint64_t ts, const char *level)
{
	boot_add_text(b, ts, BOOT_INIT_LEVEL, 1, level);
}

static inline void boot_add_load(struct boot_trace *b, uint64_t ts, int32_t pid,
				 const char *module)
{
	boot_add_text(b, ts, BOOT_MODULE_LOAD, pid, module);
}

#endif
