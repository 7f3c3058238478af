// SPDX-License-Identifier: LGPL-2.1-or-later
/* Keeps symbols of kernel modules that are loaded and removed during a recording. */
#include "decode/module_symbols.h"

#include <errno.h>
#include <inttypes.h>

#include "base/map.h"
#include "base/scan.h"
#include "base/vec.h"
#include "decode/kallsyms.h"

/* Two modules never share a page, and pages have at least this many bytes. */
#define PAGE_MASK 4095
/*
 * Since Linux 6.4 a module's functions, data and init functions lie apart. Symbols closer
 * than this belong to one part.
 */
#define PART_GAP 65536

/* Limits for untrusted files; a real machine has hundreds of modules. */
#define LOADS_MAX 8192
#define PAIRS_MAX (1U << 20)
/* Blocks are read again for each range that their load shares: a limit for files. */
#define AGAIN_MAX_BYTES (64U << 20)

/* One load of a module. All text is borrowed from the blocks. */
struct load {
	const char *key; /* "NAME ADDRESS" */
	const char *body;
	const char *gone; /* the line that marks the module as gone; NULL: missing */
	size_t key_len;
	size_t body_len;
	/* The module can have been there from since to until. */
	uint64_t since;
	uint64_t until;
};

struct loads {
	KFT_VEC(struct load) list;
	KFT_VEC(struct load) unseen; /* only their names and times are known */
	bool has_times;
};

/*
 * A range of addresses of one module, or of two that share it; both ends are inclusive.
 */
struct extent {
	uint64_t first;
	uint64_t last;
	const struct load *load; /* borrowed */
};

struct extents {
	KFT_VEC(struct extent) list;
};

/* The next line without its newline; NULL at the end of the text. */
static const char *next_line(const char **at, const char *end, size_t *ret_len)
{
	const char *line = *at;
	const char *stop = line < end ? memchr(line, '\n', end - line) : NULL;

	if (!stop)
		return NULL;
	*ret_len = stop - line;
	*at = stop + 1;
	return line;
}

/*
 * The line of a list that starts with this text, or is equal to it if the
 * text ends with a newline.
 */
static const char *find_line(const struct kft_strbuf *list, const char *start, size_t len)
{
	const char *at = list->buf;
	const char *end = list->buf + list->len;
	const char *line;
	size_t line_len;

	while ((line = next_line(&at, end, &line_len)))
		if (line_len + 1 >= len && memcmp(line, start, len) == 0)
			return line;
	return NULL;
}

/*
 * Appends name and address of "NAME SIZE USERS BY STATE 0xADDRESS". The size is no part
 * of the key: a module shrinks when its init functions are freed.
 */
static void add_key(const char *line, size_t len, struct kft_strbuf *sb)
{
	const char *end = line + len;
	const char *name_end = memchr(line, ' ', len);
	const char *address = memmem(line, len, " 0x", 3);

	if (!name_end || !address)
		return;
	const char *blank = memchr(address + 1, ' ', end - address - 1);

	kft_strbuf_add(sb, line, name_end - line);
	kft_strbuf_add(sb, address, (blank ? blank : end) - address);
	kft_strbuf_addc(sb, '\n');
}

void kft_modules_list(const struct kft_strbuf *proc, struct kft_strbuf *ret)
{
	const char *at = proc->buf;
	const char *line;
	size_t len;

	while ((line = next_line(&at, proc->buf + proc->len, &len)))
		add_key(line, len, ret);
}

void kft_modules_minus(const struct kft_strbuf *list, const struct kft_strbuf *other,
		       struct kft_strbuf *ret)
{
	const char *at = list->buf;
	const char *line;
	size_t len;

	while ((line = next_line(&at, list->buf + list->len, &len)))
		if (!find_line(other, line, len + 1))
			kft_strbuf_add(ret, line, len + 1);
}

/*
 * The module of "ADDRESS TYPE SYMBOL\t[MODULE]" with its brackets;
 * NULL: the kernel's own.
 */
static const char *module_of(const char *line, size_t len, size_t *ret_len)
{
	const char *open = len && line[len - 1] == ']' ? memrchr(line, '[', len) : NULL;

	*ret_len = open ? line + len - open : 0;
	return open;
}

static bool same_text(const char *a, size_t a_len, const char *b, size_t b_len)
{
	return a_len == b_len && (!a_len || memcmp(a, b, a_len) == 0);
}

/* Finds a module's line in a list; the name has its brackets. */
static const char *find_module(const struct kft_strbuf *list, const char *module,
			       size_t len)
{
	char start[128];

	if (len < 3 || len > sizeof(start))
		return NULL;
	memcpy(start, module + 1, len - 2);
	start[len - 2] = ' ';
	return find_line(list, start, len - 1);
}

/* The last mark in the blocks before this line of a list; NUL: there is none. */
static char last_mark(const struct kft_strbuf *blocks, const char *line, size_t len)
{
	const char *at = blocks->buf;
	const char *end = blocks->buf + blocks->len;
	char mark = '\0';

	while (at < end && (at = memmem(at, end - at, line, len))) {
		if (at > blocks->buf && strchr("=+-", at[-1]))
			mark = at[-1];
		at++;
	}
	return mark;
}

void kft_modules_add_times(uint64_t since, uint64_t until, struct kft_strbuf *blocks)
{
	kft_strbuf_addf(blocks, "@%" PRIu64 " %" PRIu64 "\n", since, until);
}

static bool has_module(const struct kft_strbuf *list, const char *name, size_t len)
{
	const char *at = list->buf;
	const char *line;
	size_t line_len;

	while ((line = next_line(&at, list->buf + list->len, &line_len)))
		if (line_len > len && line[len] == ' ' && memcmp(line, name, len) == 0)
			return true;
	return false;
}

void kft_modules_unseen(const struct kft_strbuf *removed, const struct kft_strbuf *before,
			const struct kft_strbuf *now, struct kft_strbuf *ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf seen = {};
	const char *at = removed->buf;
	const char *line;
	size_t len;

	while ((line = next_line(&at, removed->buf + removed->len, &len))) {
		bool is_listed = has_module(before, line, len) ||
				 has_module(now, line, len);
		struct kft_strbuf *to = is_listed && !find_line(&seen, line, len + 1)
						? &seen
						: ret;

		if (!find_line(to, line, len + 1))
			kft_strbuf_add(to, line, len + 1);
	}
}

void kft_modules_add_unseen(const struct kft_strbuf *unseen, struct kft_strbuf *blocks)
{
	const char *at = unseen->buf;
	const char *line;
	size_t len;

	while ((line = next_line(&at, unseen->buf + unseen->len, &len))) {
		kft_strbuf_addc(blocks, '?');
		kft_strbuf_add(blocks, line, len + 1);
	}
}

void kft_modules_add_gone(const struct kft_strbuf *gone, struct kft_strbuf *blocks)
{
	const char *at = gone->buf;
	const char *line;
	size_t len;

	while ((line = next_line(&at, gone->buf + gone->len, &len))) {
		if (last_mark(blocks, line, len + 1) == '-')
			continue;
		kft_strbuf_addc(blocks, '-');
		kft_strbuf_add(blocks, line, len + 1);
	}
}

/*
 * Begins a module's block. NULL for a module that has a block
 * already, or is not in the list.
 */
static const char *begin_block(const struct kft_strbuf *list, const char *module,
			       size_t module_len, const struct kft_strbuf *before,
			       struct kft_strbuf *blocks)
{
	const char *line = module ? find_module(list, module, module_len) : NULL;
	size_t len = line ? strchr(line, '\n') + 1 - line : 0;
	char mark = line ? last_mark(before, line, len) : '\0';

	if (!line || mark == '=' || mark == '+')
		return NULL;
	/* A second part of a module in the text is not another load of it. */
	if (mark == '-' && last_mark(blocks, line, len) == '+')
		return NULL;
	kft_strbuf_addc(blocks, mark ? '+' : '=');
	kft_strbuf_add(blocks, line, len);
	return mark ? NULL : line;
}

void kft_modules_add_blocks(const struct kft_strbuf *list,
			    const struct kft_blob *kallsyms, struct kft_strbuf *blocks)
{
	const char *at = kallsyms->data;
	const char *last = NULL;
	const char *wanted = NULL;
	const char *line;
	size_t last_len = 0;
	size_t len;

	if (!list->len)
		return;
	/*
	 * After all modules (since 4.15) come freed init functions, which ftrace
	 * remembers because traces may contain them.
	 */
	_cleanup_(kft_strbuf_finish) struct kft_strbuf before = {};

	kft_strbuf_add(&before, blocks->buf, blocks->len);
	while ((line = next_line(&at, kallsyms->data + kallsyms->len, &len))) {
		size_t module_len;
		const char *module = module_of(line, len, &module_len);

		if (!same_text(module, module_len, last, last_len))
			wanted = begin_block(list, module, module_len, &before, blocks);
		last = module;
		last_len = module_len;
		if (wanted)
			kft_strbuf_add(blocks, line, len + 1);
	}
}

static bool has_key(const struct load *load, const char *key, size_t len)
{
	return same_text(load->key, load->key_len, key, len);
}

/* Reads a line "@SINCE UNTIL"; false where it has no such numbers. */
static bool read_times(const char *line, size_t len, uint64_t *since, uint64_t *until)
{
	char text[64];
	const char *p = text + 1;
	uint64_t from;
	uint64_t to;

	if (len >= sizeof(text))
		return false;
	memcpy(text, line, len);
	text[len] = '\0';
	if (!kft_scan_u64(&p, &from) || !kft_scan_text(&p, " ") || !kft_scan_u64(&p, &to))
		return false;
	*since = from;
	*until = to;
	return true;
}

static void mark_gone(struct loads *loads, const struct load *line, uint64_t until)
{
	kft_vec_for_each(&loads->list, l) {
		if (l->gone || !has_key(l, line->key, line->key_len))
			continue;
		l->gone = line->key;
		l->until = until;
	}
}

/* The symbols of a module that came again are those of its first load. */
static void find_body(const struct loads *loads, struct load *again)
{
	kft_vec_for_each(&loads->list, l) {
		if (!has_key(l, again->key, again->key_len))
			continue;
		again->body = l->body;
		again->body_len = l->body_len;
		return;
	}
}

/* A line "-KEY" after a block marks the check that no longer found the module. */
static int split_blocks(const struct kft_blob *blocks, struct loads *ret)
{
	const char *at = blocks->data;
	const char *line;
	uint64_t since = 0;
	uint64_t until = UINT64_MAX;
	struct load *last = NULL;
	size_t len;

	while ((line = next_line(&at, blocks->data + blocks->len, &len))) {
		struct load load = {.key = line + 1,
				    .key_len = len - 1,
				    .body = at,
				    .since = since,
				    .until = UINT64_MAX};

		if (*line == '=' || *line == '+') {
			if (ret->list.len == LOADS_MAX)
				return -E2BIG;
			if (*line == '+')
				find_body(ret, &load);
			if (!kft_vec_push(&ret->list, load))
				return -ENOMEM;
			last = *line == '=' ? &ret->list.data[ret->list.len - 1] : NULL;
		} else if (*line == '-') {
			mark_gone(ret, &load, until);
			last = NULL;
		} else if (*line == '@') {
			ret->has_times |= read_times(line, len, &since, &until);
			last = NULL;
		} else if (*line == '?') {
			if (ret->unseen.len == LOADS_MAX)
				return -E2BIG;
			load.until = until;
			if (!kft_vec_push(&ret->unseen, load))
				return -ENOMEM;
			last = NULL;
		} else if (last) {
			last->body_len += len + 1;
		}
	}
	return 0;
}

static int by_first(const void *pa, const void *pb)
{
	const struct extent *a = pa;
	const struct extent *b = pb;

	return (a->first > b->first) - (a->first < b->first);
}

/* Adds the page of each symbol, unless it is the page added last. */
static int add_pages(const struct load *load, struct extents *x)
{
	const char *at = load->body;
	const char *line;
	size_t len;

	while ((line = next_line(&at, load->body + load->body_len, &len))) {
		struct kft_symbol s;

		if (kft_kallsyms_parse_line(line, line + len, &s) <= 0)
			continue;
		const struct extent page = {s.addr & ~(uint64_t)PAGE_MASK,
					    s.addr | PAGE_MASK, load};
		struct extent *last = x->list.len ? &x->list.data[x->list.len - 1] : NULL;

		if (last && last->load == load && last->first == page.first)
			continue;
		if (!kft_vec_push(&x->list, page))
			return -ENOMEM;
	}
	return 0;
}

/* Merges the pages of one load, from index n on, into extents. */
static void join_pages(struct extents *x, size_t n)
{
	size_t kept = n;

	if (x->list.len == n)
		return;
	qsort(x->list.data + n, x->list.len - n, sizeof(*x->list.data), by_first);
	for (size_t i = n + 1; i < x->list.len; i++) {
		struct extent *last = &x->list.data[kept];
		const struct extent *page = &x->list.data[i];

		if (page->first <= last->last || page->first - last->last < PART_GAP)
			last->last = page->last;
		else
			x->list.data[++kept] = *page;
	}
	x->list.len = kept + 1;
}

/*
 * Whether two loads can have used the same addresses: the later one came when the earlier
 * one was gone, and is a different module.
 */
static bool may_share(const struct load *a, const struct load *b)
{
	if (a > b)
		return may_share(b, a);
	return a->gone && a->gone < b->key && !has_key(a, b->key, b->key_len);
}

/* Merges overlapping ranges. */
static void merge(struct extents *x)
{
	size_t kept = 0;

	if (!x->list.len)
		return;
	qsort(x->list.data, x->list.len, sizeof(*x->list.data), by_first);
	for (size_t i = 1; i < x->list.len; i++) {
		struct extent *last = &x->list.data[kept];
		const struct extent *next = &x->list.data[i];

		if (next->first <= last->last)
			last->last = KFT_MAX(last->last, next->last);
		else
			x->list.data[++kept] = *next;
	}
	x->list.len = kept + 1;
}

/* The merged ranges that two extents share if both modules can have been there. */
static int intersect(const struct extents *x, struct extents *ret)
{
	size_t pairs = 0;

	for (size_t i = 0; i < x->list.len; i++) {
		const struct extent *a = &x->list.data[i];

		for (size_t j = i + 1; j < x->list.len; j++) {
			const struct extent *b = &x->list.data[j];

			if (b->first > a->last)
				break;
			if (pairs++ == PAIRS_MAX)
				return -E2BIG;
			const struct extent both = {.first = b->first,
						    .last = KFT_MIN(a->last, b->last)};
			if (may_share(a->load, b->load) &&
			    !kft_vec_push(&ret->list, both))
				return -ENOMEM;
		}
	}
	merge(ret);
	return 0;
}

/* Finds the ranges of all modules, and those that several had; both ascend, the latter never touch. */
static int find_shared(const struct loads *loads, struct extents *ret_own,
		       struct extents *ret)
{
	struct extents *x = ret_own;
	int r = 0;

	for (size_t i = 0; i < loads->list.len && r == 0; i++) {
		size_t before = x->list.len;

		r = add_pages(&loads->list.data[i], x);
		join_pages(x, before);
	}
	if (x->list.len)
		qsort(x->list.data, x->list.len, sizeof(*x->list.data), by_first);
	return r == 0 ? intersect(x, ret) : r;
}

static bool is_shared(const struct extents *shared, uint64_t addr)
{
	size_t lo = kft_count_leading(shared->list.len, mid,
				      shared->list.data[mid].last < addr);
	return lo < shared->list.len && shared->list.data[lo].first <= addr;
}

static void add_load(const struct load *load, const struct extents *shared,
		     struct kft_strbuf *ret)
{
	const char *at = load->body;
	const char *line;
	size_t len;

	if (!shared->list.len) {
		kft_strbuf_add(ret, load->body, load->body_len);
		return;
	}
	while ((line = next_line(&at, load->body + load->body_len, &len))) {
		struct kft_symbol s;

		if (kft_kallsyms_parse_line(line, line + len, &s) > 0 &&
		    is_shared(shared, s.addr)) {
			size_t digits = strcspn(line, " ");

			kft_strbuf_add(ret, line, digits);
			kft_strbuf_adds(ret, " t 0x");
			kft_strbuf_add(ret, line, digits);
			kft_strbuf_addc(ret, '\n');
		} else {
			kft_strbuf_add(ret, line, len + 1);
		}
	}
}

/* "NAME" of "ADDRESS TYPE NAME\t[MODULE]". */
static void add_own_name(const struct kft_symbol *s, struct kft_strbuf *ret)
{
	kft_strbuf_addf(ret, "%" PRIx64 " a kft:name:", s->addr);
	kft_strbuf_add(ret, s->name, s->name_len);
	kft_strbuf_adds(ret, "\t[");
	kft_strbuf_add(ret, s->module, s->module_len);
	kft_strbuf_adds(ret, "]\n");
}

/* Adds the names that a load had in a range that it shared: only kft reads them. */
static void add_own_lines(const struct load *load, const struct extent *range,
			  struct kft_strbuf *ret)
{
	const char *at = load->body;
	const char *line;
	size_t len;
	size_t name_len = strcspn(load->key, " \n");

	kft_strbuf_addf(ret, "%" PRIx64 " a kft:load:%" PRIx64 ":%" PRIu64 ":%" PRIu64,
			range->first, range->last, load->since, load->until);
	kft_strbuf_adds(ret, "\t[");
	kft_strbuf_add(ret, load->key, name_len);
	kft_strbuf_adds(ret, "]\n");
	while ((line = next_line(&at, load->body + load->body_len, &len))) {
		struct kft_symbol s;

		if (kft_kallsyms_parse_line(line, line + len, &s) > 0 && s.module &&
		    s.addr >= range->first && s.addr <= range->last)
			add_own_name(&s, ret);
	}
}

/* Adds the names of all loads in the ranges that they shared. */
static void add_shared(const struct extents *own, const struct extents *shared,
		       struct kft_strbuf *ret)
{
	size_t bytes = 0;

	kft_vec_for_each(&shared->list, range) {
		const struct load *last = NULL;

		/* Extents are in the order of addresses, so a load may come twice. */
		kft_vec_for_each(&own->list, x) {
			if (x->last < range->first || x->load == last)
				continue;
			if (x->first > range->last)
				break;
			bytes += x->load->body_len;
			if (bytes > AGAIN_MAX_BYTES)
				return;
			add_own_lines(x->load, range, ret);
			last = x->load;
		}
	}
}

/* Adds lines that only kft reads, see decode/kallsyms.h. */
static void add_unseen(const struct loads *loads, struct kft_strbuf *ret)
{
	kft_vec_for_each(&loads->unseen, l) {
		kft_strbuf_addf(ret,
				"0 a " KFT_KALLSYMS_UNSEEN "%" PRIu64 ":%" PRIu64 "\t[",
				l->since, l->until);
		kft_strbuf_add(ret, l->key, l->key_len);
		kft_strbuf_adds(ret, "]\n");
	}
}

static uint64_t hash_name(const char *name, size_t len)
{
	return kft_hash_bytes(name, len) >> 1;
}

/* Maps the hashes of the names of all modules with a block. */
static int index_names(const struct loads *loads, struct kft_map *ret)
{
	kft_vec_for_each(&loads->list, l) {
		const char *blank = memchr(l->key, ' ', l->key_len);

		if (blank && !kft_map_put(ret, hash_name(l->key, blank - l->key)))
			return -ENOMEM;
	}
	return 0;
}

/* Appends the kernel's current symbols, without the modules that have a block. */
static void add_others(const struct kft_blob *kallsyms, const struct kft_map *names,
		       struct kft_strbuf *ret)
{
	const char *end = kallsyms->data + kallsyms->len;
	const char *at = kallsyms->data;
	const char *kept = at;
	const char *last = NULL;
	bool is_kept = true;
	const char *line;
	size_t last_len = 0;
	size_t len;

	while ((line = next_line(&at, end, &len))) {
		size_t module_len;
		const char *module = module_of(line, len, &module_len);

		if (same_text(module, module_len, last, last_len))
			continue;
		last = module;
		last_len = module_len;
		bool keep = module_len < 3 ||
			    !kft_map_get(names, hash_name(module + 1, module_len - 2));
		if (is_kept && !keep)
			kft_strbuf_add(ret, kept, line - kept);
		else if (keep && !is_kept)
			kept = line;
		is_kept = keep;
	}
	if (is_kept)
		kft_strbuf_add(ret, kept, at - kept);
}

int kft_modules_join(const struct kft_blob *kallsyms, const struct kft_blob *blocks,
		     struct kft_strbuf *ret)
{
	struct extents own = {};
	struct extents shared = {};
	struct loads loads = {};
	struct kft_map names = {};
	int r = split_blocks(blocks, &loads);

	if (r == 0)
		r = find_shared(&loads, &own, &shared);
	if (r == 0)
		r = index_names(&loads, &names);
	if (r == 0 && kallsyms->len)
		add_others(kallsyms, &names, ret);
	for (size_t i = 0; i < loads.list.len && r == 0; i++)
		if (loads.list.data[i].key[-1] == '=')
			add_load(&loads.list.data[i], &shared, ret);
	if (r == 0 && loads.has_times)
		add_shared(&own, &shared, ret);
	if (r == 0 && HAVE_SESSION_NAMES)
		add_unseen(&loads, ret);
	kft_map_finish(&names);
	kft_vec_finish(&own.list);
	kft_vec_finish(&shared.list);
	kft_vec_finish(&loads.list);
	kft_vec_finish(&loads.unseen);
	return r == 0 && !kft_strbuf_ok(ret) ? -ENOMEM : r;
}
