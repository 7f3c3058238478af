// SPDX-License-Identifier: LGPL-2.1-or-later
/* Numbers the functions that a kernel can trace. */
#include "tracefs/sources/funcmap.h"

#include <errno.h>
#include <fcntl.h>

#include "base/bits.h"
#include "base/err.h"
#include "base/glob.h"
#include "base/io.h"
#include "base/suggest.h"
#include "decode/kallsyms.h"

#define KALLSYMS_MAX_BYTES (128u << 20)
#define FILTER_MAX_BYTES   (64u << 20)

/* A hash of the name, which is never KFT_MAP_NO_KEY. */
static uint64_t key_of(const char *name, size_t len)
{
	return kft_hash_bytes(name, len) >> 1;
}

static bool is_name(const struct kft_catalog_entry *entry, const char *name, size_t len)
{
	return strncmp(entry->name, name, len) == 0 && !entry->name[len];
}

/* Goes from the last function to the first, so that each chain is in ascending order. */
static int index_names(struct kft_funcmap *m)
{
	size_t n = kft_funcmap_len(m);

	if (n >= UINT32_MAX)
		return -EFBIG;
	m->next = calloc(n + 1, sizeof(*m->next));
	if (!m->next)
		return -ENOMEM;
	for (size_t i = n; i-- > 0;) {
		const char *name = m->catalog.entries.data[i].name;
		uint64_t *place = kft_map_put(&m->by_name, key_of(name, strlen(name)));

		if (!place)
			return -ENOMEM;
		m->next[i] = (uint32_t)*place;
		*place = i + 1;
	}
	return 0;
}

int kft_funcmap_read(struct kft_host *host, struct kft_funcmap *ret, struct kft_err *e)
{
	struct kft_funcmap m = {};
	int r = kft_catalog_read(host, KFT_CATALOG_FUNCTIONS, NULL, &m.catalog, e);

	if (r < 0)
		return r;
	r = index_names(&m);
	if (r < 0) {
		kft_funcmap_finish(&m);
		return kft_err_sys(e, r, "cannot index the kernel's functions");
	}
	*ret = m;
	return 0;
}

void kft_funcmap_finish(struct kft_funcmap *m)
{
	kft_catalog_finish(&m->catalog);
	kft_map_finish(&m->by_name);
	free(m->next);
	free(m->addrs);
	*m = (struct kft_funcmap){};
}

void kft_funcmap_forget(struct kft_host *host)
{
	if (host->functions)
		kft_funcmap_finish(host->functions);
	free(TAKE(host->functions));
}

int kft_funcmap_of(struct kft_host *host, bool fresh, struct kft_funcmap **ret,
		   struct kft_err *e)
{
	if (fresh)
		kft_funcmap_forget(host);
	if (!host->functions) {
		struct kft_funcmap *m = malloc(sizeof(*m));
		int r = m ? kft_funcmap_read(host, m, e)
			  : kft_err_sys(e, -ENOMEM, "cannot index the functions");

		if (r < 0) {
			free(m);
			return r;
		}
		host->functions = m;
		host->forget_functions = kft_funcmap_forget;
	}
	*ret = host->functions;
	return 0;
}

/*
 * Returns i + 1 of the first function with this name in the chain from `at`, which is an
 * index plus 1; 0: none.
 */
static uint32_t find_name(const struct kft_funcmap *m, uint32_t at, const char *name,
			  size_t len)
{
	while (at && !is_name(&m->catalog.entries.data[at - 1], name, len))
		at = m->next[at - 1];
	return at;
}

static uint32_t first_name(const struct kft_funcmap *m, const char *name, size_t len)
{
	const uint64_t *place = kft_map_get(&m->by_name, key_of(name, len));

	return place ? find_name(m, (uint32_t)*place, name, len) : 0;
}

static uint32_t next_name(const struct kft_funcmap *m, uint32_t at)
{
	const char *name = m->catalog.entries.data[at - 1].name;

	return find_name(m, m->next[at - 1], name, strlen(name));
}

static bool same_module(const struct kft_catalog_entry *f, const struct kft_symbol *s)
{
	if (!f->detail || !s->module)
		return !f->detail && !s->module;
	return strncmp(f->detail, s->module, s->module_len) == 0 &&
	       !f->detail[s->module_len];
}

/*
 * Gives the symbol's address to the first function of its name and module that has none
 * yet: symbols and functions are both in the order of addresses.
 */
static void place_symbol(struct kft_funcmap *m, uint32_t *seen,
			 const struct kft_symbol *s)
{
	uint32_t first = 0;

	for (uint32_t at = first_name(m, s->name, s->name_len); at;
	     at = next_name(m, at)) {
		if (!same_module(&m->catalog.entries.data[at - 1], s))
			continue;
		first = first ? first : at;
		if (m->addrs[at - 1])
			continue;
		m->addrs[at - 1] = s->addr;
		break;
	}
	/* The number of symbols of a group of functions is counted at its first function. */
	if (first)
		seen[first - 1]++;
}

/* Clears ambiguous addresses: those of a name that has more symbols than functions. */
static void forget_ambiguous(struct kft_funcmap *m, const uint32_t *seen)
{
	for (size_t i = 0; i < kft_funcmap_len(m); i++) {
		const struct kft_catalog_entry *f = &m->catalog.entries.data[i];
		uint32_t functions = 0;
		struct kft_symbol s = {
			.module = f->detail,
			.module_len = f->detail ? strlen(f->detail) : 0,
		};

		if (seen[i] < 2)
			continue;
		for (uint32_t at = i + 1; at; at = next_name(m, at))
			functions += same_module(&m->catalog.entries.data[at - 1], &s);
		if (functions == seen[i])
			continue;
		for (uint32_t at = i + 1; at; at = next_name(m, at))
			if (same_module(&m->catalog.entries.data[at - 1], &s))
				m->addrs[at - 1] = 0;
	}
}

static int place_symbols(struct kft_funcmap *m, const struct kft_symbol_table *t)
{
	size_t n = kft_funcmap_len(m);
	_cleanup_free_ uint32_t *seen = calloc(n + 1, sizeof(*seen));

	m->addrs = calloc(n + 1, sizeof(*m->addrs));
	if (!m->addrs || !seen)
		return -ENOMEM;
	kft_vec_for_each(&t->syms, s)
		place_symbol(m, seen, s);
	forget_ambiguous(m, seen);
	return 0;
}

int kft_funcmap_load_addrs(struct kft_funcmap *m, struct kft_host *host,
			   struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_symbol_table_finish) struct kft_symbol_table t = {};
	size_t bad;

	if (m->addrs)
		return 0;
	int r = kft_read_at(host->root_fd, "proc/kallsyms", KALLSYMS_MAX_BYTES, &text);
	if (r == 0)
		r = kft_kallsyms_parse(text.buf, text.len, &t, &bad);
	if (r < 0)
		return kft_err_sys(e, r, "cannot read the kernel's symbols");
	if (!t.syms.len) {
		(void)kft_err_set(e, -EPERM, "the kernel hides its addresses");
		kft_err_hint(e,
			     "run as root with kernel.kptr_restrict below 2, or use the "
			     "functions' names");
		return -EPERM;
	}
	r = place_symbols(m, &t);
	return r < 0 ? kft_err_sys(e, r, "cannot index the kernel's symbols") : 0;
}

int kft_funcset_init(struct kft_funcset *s, const struct kft_funcmap *m)
{
	size_t n = kft_funcmap_len(m);
	uint64_t *bits = calloc(n / 64 + 1, sizeof(*bits));

	if (!bits)
		return -ENOMEM;
	*s = (struct kft_funcset){.bits = bits, .n_bits = n};
	return 0;
}

void kft_funcset_finish(struct kft_funcset *s)
{
	free(s->bits);
	*s = (struct kft_funcset){};
}

void kft_funcset_add(struct kft_funcset *s, size_t i)
{
	s->count += !kft_funcset_has(s, i);
	kft_bits_add(s->bits, i);
}

static size_t select_name(const struct kft_funcmap *m, const char *name,
			  struct kft_funcset *s)
{
	size_t count = 0;

	for (uint32_t at = first_name(m, name, strlen(name)); at; at = next_name(m, at)) {
		kft_funcset_add(s, at - 1);
		count++;
	}
	return count;
}

static size_t select_glob(const struct kft_funcmap *m, const char *glob,
			  struct kft_funcset *s)
{
	size_t count = 0;

	for (size_t i = 0; i < kft_funcmap_len(m); i++) {
		if (!kft_glob(glob, m->catalog.entries.data[i].name))
			continue;
		kft_funcset_add(s, i);
		count++;
	}
	return count;
}

static size_t select_addr(const struct kft_funcmap *m, uint64_t addr,
			  struct kft_funcset *s)
{
	for (size_t i = 0; addr && m->addrs && i < kft_funcmap_len(m); i++) {
		if (m->addrs[i] != addr)
			continue;
		kft_funcset_add(s, i);
		return 1;
	}
	return 0;
}

void kft_funcmap_select(const struct kft_funcmap *m, const struct kft_plan_func *f,
			struct kft_funcset *s, size_t *ret_count)
{
	switch (f->kind) {
	case KFT_FUNC_NAME:
		*ret_count = select_name(m, f->name, s);
		break;
	case KFT_FUNC_GLOB:
		*ret_count = select_glob(m, f->name, s);
		break;
	case KFT_FUNC_ADDR:
		*ret_count = select_addr(m, f->addr, s);
		break;
	}
}

static int no_such_function(const struct kft_funcmap *m, const struct kft_plan_func *f,
			    struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf hint = {};
	struct kft_suggest near;

	if (f->kind == KFT_FUNC_ADDR)
		return kft_err_set(e, -ENOENT,
				   "no function that can be traced starts at 0x%llx",
				   (unsigned long long)f->addr);
	(void)kft_err_set(e, -ENOENT, "this kernel cannot trace a function '%s'",
			  f->name);
	kft_suggest_init(&near, f->name);
	kft_vec_for_each(&m->catalog.entries, it)
		kft_suggest_add(&near, it->name, strlen(it->name));
	if (kft_suggest_text(&near, &hint))
		kft_err_hint(e, "%s", kft_strbuf_cstr(&hint));
	return -ENOENT;
}

int kft_funcmap_select_all(struct kft_funcmap *m, struct kft_host *host,
			   const struct kft_plan_funcs *list, struct kft_funcset *s,
			   struct kft_err *e)
{
	for (size_t i = 0; i < list->len; i++) {
		const struct kft_plan_func *f = &list->items[i];
		size_t count;
		int r = f->kind == KFT_FUNC_ADDR ? kft_funcmap_load_addrs(m, host, e) : 0;

		if (r < 0)
			return r;
		kft_funcmap_select(m, f, s, &count);
		if (!count)
			return no_such_function(m, f, e);
	}
	return 0;
}

bool kft_funcset_is(const struct kft_funcset *s, const struct kft_funcmap *m,
		    const char *text, size_t len)
{
	const char *end = text + len;

	for (size_t i = 0; i < s->n_bits; i++) {
		if (!kft_funcset_has(s, i))
			continue;
		const char *nl = text < end ? memchr(text, '\n', end - text) : NULL;
		const char *stop = nl ? nl : end;
		const char *blank = memchr(text, ' ', stop - text);

		if (!is_name(&m->catalog.entries.data[i], text,
			     (blank ? blank : stop) - text))
			return false;
		text = nl ? nl + 1 : end;
	}
	/* Only commands (name:command:count) may follow the functions. */
	while (text < end) {
		const char *nl = memchr(text, '\n', end - text);
		const char *stop = nl ? nl : end;

		if (*text != '#' && !memchr(text, ':', stop - text))
			return false;
		text = nl ? nl + 1 : end;
	}
	return true;
}

static int write_indices(const struct kft_funcset *s, int dirfd, const char *path)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_close_ int fd = openat(dirfd, path, O_WRONLY | O_TRUNC | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	for (size_t i = 0; i < s->n_bits; i++) {
		if (!kft_funcset_has(s, i))
			continue;
		kft_strbuf_addu(&text, i + 1, 1);
		kft_strbuf_addc(&text, '\n');
	}
	if (!kft_strbuf_ok(&text))
		return -ENOMEM;
	/* The kernel parses one number in each write(), and applies all of them at close(). */
	int r = text.len ? kft_write_all(fd, text.buf, text.len) : 0;
	if (r == 0 && close(TAKE_FD(fd)) < 0)
		r = -errno;
	return r;
}

int kft_funcset_write(const struct kft_funcset *s, const struct kft_funcmap *m, int dirfd,
		      const char *path, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf now = {};
	int r = write_indices(s, dirfd, path);

	if (r < 0)
		return kft_err_sys(e, r, "cannot write %s", path);
	r = kft_read_at(dirfd, path, FILTER_MAX_BYTES, &now);
	if (r < 0)
		return kft_err_sys(e, r, "cannot read %s back", path);
	if (!kft_funcset_is(s, m, now.buf ? now.buf : "", now.len))
		return kft_err_set(e, -ESTALE,
				   "%s does not contain the list that was written to it: "
				   "a module was loaded or removed",
				   path);
	return 0;
}
