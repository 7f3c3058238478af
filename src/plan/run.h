/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/plan.h>

#include "base/arena.h"
#include "base/vec.h"
#include "plan/kft/lexer.h"

/*
 * A KFT configuration as it was written: a list of runs, each with its clauses and their
 * positions. docs/config.md describes the language. Strings are owned by the
 * configuration's arena; one thread uses a configuration at a time.
 */

enum kft_clause {
	KFT_CLAUSE_START,
	KFT_CLAUSE_STOP,
	KFT_CLAUSE_MINTIME,
	KFT_CLAUSE_MAXTIME,
	KFT_CLAUSE_NOINTS,
	KFT_CLAUSE_ONLYINTS,
	KFT_CLAUSE_FUNCLIST,
	KFT_CLAUSE_NOFUNCLIST,
	KFT_CLAUSE_PID,
	KFT_CLAUSE_COMM,
	KFT_CLAUSE_EVENT,
	KFT_CLAUSE_WATCH,
	KFT_CLAUSE_LOGENTRIES,
	KFT_CLAUSE_AUTOREPEAT,
	KFT_CLAUSE_OVERWRITE,
	KFT_CLAUSE_UNTIMED,
	KFT_CLAUSE_PRIME,
	KFT_CLAUSE_COUNT,
};

struct kft_config_func {
	enum kft_func_kind kind;
	const char *word; /* as in the text */
	uint64_t addr; /* for KFT_FUNC_ADDR */
	struct kft_pos pos;
	/* Set by kft_config_resolve(): number of functions that match. */
	uint32_t match_count;
};

struct kft_config_funcs { /* a vector: base/vec.h */
	struct kft_config_func *data;
	size_t len;
	size_t cap;
};

struct kft_config_event {
	const char *pattern; /* "system:event", or as for kft record -e */
	const char *filter; /* NULL: no filter */
};

struct kft_config_trigger {
	enum kft_trigger_kind kind;
	struct kft_config_event event; /* for KFT_TRIGGER_EVENT: exactly one */
	struct kft_config_func func; /* for KFT_TRIGGER_ENTRY and KFT_TRIGGER_EXIT */
	uint64_t time_ns; /* for KFT_TRIGGER_TIME */
};

struct kft_run_config {
	struct kft_pos pos; /* position of begin */
	/* Position of each clause; line 0: it is missing. For lists: the first clause. */
	struct kft_pos clauses[KFT_CLAUSE_COUNT];
	struct kft_config_trigger start;
	struct kft_config_trigger stop;
	uint64_t mintime_ns; /* 0: no limit, also if written so */
	uint64_t maxtime_ns;
	bool noints;
	bool onlyints;
	struct kft_config_funcs funclist;
	struct kft_config_funcs nofunclist;
	KFT_VEC(uint32_t) pids;
	KFT_VEC(const char *) comms;
	KFT_VEC(struct kft_config_event) events;
	enum kft_watch_kind watch;
	uint64_t watch_bytes;
	uint64_t logentries; /* 0: not given */
	bool autorepeat;
	bool overwrite;
	bool untimed;
	bool prime;
};

struct kft_config {
	struct kft_arena arena;
	KFT_VEC(struct kft_run_config) runs;
};

void kft_config_finish(struct kft_config *c);

/* Whether any function is given by its address. */
bool kft_config_has_addresses(const struct kft_config *c);

static inline bool kft_run_config_has(const struct kft_run_config *run,
				      enum kft_clause clause)
{
	return run->clauses[clause].line != 0;
}
