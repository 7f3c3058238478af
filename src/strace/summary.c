// SPDX-License-Identifier: LGPL-2.1-or-later
/* Counts system calls and writes the table of them. */
#include "strace/summary.h"

#include "base/vec.h"
#include "strace/choose.h"

#define RULE "------ ----------- ----------- --------- --------- ----------------\n"

void kft_strace_summary_add(struct kft_strace_summary *s, const struct kft_traced_call *c)
{
	if (c->number < 0 || c->number >= KFT_SYSCALLS)
		return;
	struct kft_strace_count *n = &s->counts[c->abi][c->number];

	n->name = kft_syscall_name(kft_strace_syscalls(c->abi), c->number);
	n->calls++;
	n->errors += c->is_error;
	n->ns += s->wall ? c->left_ns - c->entered_ns : c->cpu_ns;
}

static uint64_t average(const struct kft_strace_count *n)
{
	return n->calls ? n->ns / n->calls : 0;
}

static int compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? 1 : -(a > b);
}

static int compare(const void *pa, const void *pb, void *arg)
{
	const struct kft_strace_count *a = pa;
	const struct kft_strace_count *b = pb;
	int r = 0;

	switch (*(const enum kft_strace_sort *)arg) {
	case KFT_STRACE_BY_TIME:
		r = compare_u64(a->ns, b->ns);
		break;
	case KFT_STRACE_BY_CALLS:
		r = compare_u64(a->calls, b->calls);
		break;
	case KFT_STRACE_BY_ERRORS:
		r = compare_u64(a->errors, b->errors);
		break;
	case KFT_STRACE_BY_AVERAGE:
		r = compare_u64(average(a), average(b));
		break;
	case KFT_STRACE_BY_NAME:
	case KFT_STRACE_BY_NOTHING:
		break;
	}
	return r ? r : strcmp(a->name, b->name);
}

static void add_row(struct kft_strbuf *sb, const struct kft_strace_count *n,
		    uint64_t total_ns)
{
	kft_strbuf_addf(sb, "%6.2f %4llu.%06llu %11llu %9llu ",
			total_ns ? 100.0 * (double)n->ns / (double)total_ns : 0.0,
			(unsigned long long)(n->ns / 1000000000),
			(unsigned long long)(n->ns / 1000 % 1000000),
			(unsigned long long)(average(n) / 1000),
			(unsigned long long)n->calls);
	if (n->errors)
		kft_strbuf_addf(sb, "%9llu %s\n", (unsigned long long)n->errors, n->name);
	else
		kft_strbuf_addf(sb, "%9s %s\n", "", n->name);
}

void kft_strace_summary_text(const struct kft_strace_summary *s,
			     enum kft_strace_sort sort, struct kft_strbuf *sb)
{
	KFT_VEC(struct kft_strace_count) rows = {};
	struct kft_strace_count total = {.name = "total"};

	for (int abi = 0; abi < KFT_N_TRACED_ABIS; abi++)
		for (int i = 0; i < KFT_SYSCALLS; i++) {
			const struct kft_strace_count *n = &s->counts[abi][i];

			if (!n->calls || !n->name || !kft_vec_push(&rows, *n))
				continue;
			total.calls += n->calls;
			total.errors += n->errors;
			total.ns += n->ns;
		}
	if (rows.len && sort != KFT_STRACE_BY_NOTHING)
		qsort_r(rows.data, rows.len, sizeof(*rows.data), compare, &sort);
	kft_strbuf_adds(
		sb, "% time     seconds  usecs/call     calls    errors syscall\n" RULE);
	kft_vec_for_each(&rows, n)
		add_row(sb, n, total.ns);
	kft_strbuf_adds(sb, RULE);
	add_row(sb, &total, total.ns);
	kft_vec_finish(&rows);
}
