// SPDX-License-Identifier: LGPL-2.1-or-later
/* Looks up the functions of a configuration. */
#include "plan/resolve.h"

#include <errno.h>
#include <string.h>

#include "base/glob.h"
#include "base/map.h"
#include "base/suggest.h"
#include "model/func_word.h"
#include "plan/renamed.h"

static int each_symbol(void *ctx, kft_function_visit *visit, void *arg)
{
	const struct kft_symbol_table *t = ctx;

	kft_vec_for_each(&t->syms, s) {
		int r = visit(arg, s->name, s->name_len, s->addr);

		if (r)
			return r;
	}
	return 0;
}

struct kft_functions kft_functions_of_symbols(const struct kft_symbol_table *t,
					      const char *what)
{
	return (struct kft_functions){
		.each = each_symbol, .ctx = (void *)t, .what = what};
}

/* A function in the configuration, linked to others with the same key. */
struct wanted {
	struct kft_config_func *func; /* in the configuration */
	bool is_trigger;
	struct wanted *next;
};

struct resolver {
	struct kft_arena arena; /* memory of all wanted */
	struct kft_map names; /* maps the hash of a name to its struct wanted * */
	struct kft_map addrs; /* maps an address to its struct wanted * */
	struct wanted *globs;
	KFT_VEC(struct wanted *) all; /* in the order of the text */
};

static void resolver_finish(struct resolver *r)
{
	kft_map_finish(&r->names);
	kft_map_finish(&r->addrs);
	kft_vec_finish(&r->all);
	kft_arena_finish(&r->arena);
}

/* The hash of a name, cut so that it is never KFT_MAP_NO_KEY. */
static uint64_t name_key(const char *name, size_t len)
{
	return kft_hash_bytes(name, len) >> 1;
}

static int want_keyed(struct kft_map *map, uint64_t key, struct wanted *w)
{
	/* The map cannot store one address, but functions never start there. */
	uint64_t *place = key == KFT_MAP_NO_KEY ? NULL : kft_map_put(map, key);

	if (!place)
		return key == KFT_MAP_NO_KEY ? 0 : -ENOMEM;
	w->next = (struct wanted *)(uintptr_t)*place;
	*place = (uintptr_t)w;
	return 0;
}

static int want(struct resolver *r, struct kft_config_func *f, bool is_trigger)
{
	struct wanted *w = kft_arena_alloc(&r->arena, sizeof(*w));

	if (!w || !kft_vec_push(&r->all, w))
		return -ENOMEM;
	*w = (struct wanted){.func = f, .is_trigger = is_trigger};
	f->match_count = 0;
	switch (f->kind) {
	case KFT_FUNC_NAME:
		return want_keyed(&r->names, name_key(f->word, strlen(f->word)), w);
	case KFT_FUNC_ADDR:
		return want_keyed(&r->addrs, f->addr, w);
	case KFT_FUNC_GLOB:
		w->next = r->globs;
		r->globs = w;
		break;
	}
	return 0;
}

static int want_trigger(struct resolver *r, struct kft_config_trigger *t)
{
	if (t->kind != KFT_TRIGGER_ENTRY && t->kind != KFT_TRIGGER_EXIT)
		return 0;
	return want(r, &t->func, true);
}

static int want_list(struct resolver *r, struct kft_config_funcs *list)
{
	kft_vec_for_each(list, f)
		if (want(r, f, false) < 0)
			return -ENOMEM;
	return 0;
}

static int want_all(struct resolver *r, struct kft_config *c)
{
	kft_vec_for_each(&c->runs, run) {
		if (want_trigger(r, &run->start) < 0 || want_trigger(r, &run->stop) < 0 ||
		    want_list(r, &run->funclist) < 0 ||
		    want_list(r, &run->nofunclist) < 0)
			return -ENOMEM;
	}
	return 0;
}

static struct wanted *wanted_at(const struct kft_map *map, uint64_t key)
{
	const uint64_t *place = kft_map_get(map, key);

	return place ? (struct wanted *)(uintptr_t)*place : NULL;
}

static bool is_name(const struct wanted *w, const char *name, size_t len)
{
	return strncmp(w->func->word, name, len) == 0 && !w->func->word[len];
}

static int count_matches(void *arg, const char *name, size_t len, uint64_t addr)
{
	struct resolver *r = arg;
	char text[KFT_FUNC_WORD_MAX];

	for (struct wanted *w = wanted_at(&r->names, name_key(name, len)); w; w = w->next)
		w->func->match_count += is_name(w, name, len);
	for (struct wanted *w = addr ? wanted_at(&r->addrs, addr) : NULL; w; w = w->next)
		w->func->match_count++;
	if (!r->globs || len >= sizeof(text))
		return 0;
	memcpy(text, name, len);
	text[len] = '\0';
	for (struct wanted *w = r->globs; w; w = w->next)
		w->func->match_count += kft_glob(w->func->word, text);
	return 0;
}

static int feed_suggest(void *arg, const char *name, size_t len, uint64_t addr)
{
	kft_suggest_add(arg, name, len);
	return 0;
}

/* Suggests the names most similar to a missing one. */
static int advise_name(const struct kft_functions *fns, const struct kft_config_func *f,
		       struct kft_diags *diags)
{
	const char *renamed = kft_renamed_advice(f->word);

	if (renamed) {
		kft_diag_hint(diags, "%s", renamed);
		return 0;
	}
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};
	struct kft_suggest s;

	kft_suggest_init(&s, f->word);
	int r = fns->each(fns->ctx, feed_suggest, &s);
	if (r < 0)
		return r;
	if (kft_suggest_text(&s, &sb))
		kft_diag_hint(diags, "%s", kft_strbuf_cstr(&sb));
	return 0;
}

struct below {
	uint64_t addr; /* wanted address */
	uint64_t best; /* highest address at or below it; 0: none */
	char name[KFT_FUNC_WORD_MAX];
};

static int find_below(void *arg, const char *name, size_t len, uint64_t addr)
{
	struct below *b = arg;

	if (!addr || addr > b->addr || addr <= b->best || len >= sizeof(b->name))
		return 0;
	b->best = addr;
	memcpy(b->name, name, len);
	b->name[len] = '\0';
	return 0;
}

static int advise_addr(const struct kft_functions *fns, const struct kft_config_func *f,
		       struct kft_diags *diags)
{
	struct below b = {.addr = f->addr};
	int r = fns->each(fns->ctx, find_below, &b);

	if (r < 0)
		return r;
	if (b.best)
		kft_diag_hint(diags, "the next lower one is %s at 0x%llx", b.name,
			      (unsigned long long)b.best);
	else
		kft_diag_hint(diags, "use the function's name; addresses of the kernel "
				     "are hidden from all but root, and change with "
				     "each boot");
	return 0;
}

static int complain_unknown(const struct kft_functions *fns,
			    const struct kft_config_func *f, struct kft_diags *diags)
{
	switch (f->kind) {
	case KFT_FUNC_NAME:
		kft_diag_add(diags, f->pos, "'%s': expected a function of %s", f->word,
			     fns->what);
		return advise_name(fns, f, diags);
	case KFT_FUNC_ADDR:
		kft_diag_add(diags, f->pos,
			     "'%s': expected the start of a function of %s", f->word,
			     fns->what);
		return advise_addr(fns, f, diags);
	case KFT_FUNC_GLOB:
		kft_diag_add(diags, f->pos, "'%s': no function of %s matches", f->word,
			     fns->what);
		break;
	}
	return 0;
}

static void complain_many(const struct kft_functions *fns,
			  const struct kft_config_func *f, struct kft_diags *diags)
{
	kft_diag_add(diags, f->pos,
		     "'%s': %s has %u functions of this name, expected one", f->word,
		     fns->what, f->match_count);
	kft_diag_hint(diags, "give the 0x address of the one that is meant");
}

static int complain(const struct resolver *rs, const struct kft_functions *fns,
		    struct kft_diags *diags)
{
	int wrong = 0;

	kft_vec_for_each(&rs->all, it) {
		const struct kft_config_func *f = (*it)->func;

		/* The search for similar names is slow, so it ends when diags is full. */
		if (diags->list.len == KFT_DIAGS_MAX)
			return -EINVAL;
		if (!f->match_count) {
			int r = complain_unknown(fns, f, diags);
			if (r < 0)
				return r;
			wrong = -EINVAL;
		} else if ((*it)->is_trigger && f->kind == KFT_FUNC_NAME &&
			   f->match_count > 1) {
			complain_many(fns, f, diags);
			wrong = -EINVAL;
		}
	}
	return wrong;
}

int kft_config_resolve(struct kft_config *c, const struct kft_functions *fns,
		       struct kft_diags *diags)
{
	_cleanup_(resolver_finish) struct resolver rs = {};
	int r = want_all(&rs, c);

	if (r == 0)
		r = fns->each(fns->ctx, count_matches, &rs);
	if (r == 0)
		r = complain(&rs, fns, diags);
	return r;
}
