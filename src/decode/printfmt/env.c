// SPDX-License-Identifier: LGPL-2.1-or-later
/* Looks up symbols and strings by address, with a cache. */
#include "decode/printfmt/env.h"

#include <errno.h>

#include "decode/trace_lazy.h"
#include "model/event.h"

#define CACHE_SLOTS (UINT32_C(1) << KFT_SYMBOL_CACHE_BITS)

int kft_print_env_init(struct kft_print_env *env, struct kft_trace *t)
{
	*env = (struct kft_print_env){.trace = t, .printk = kft_trace_printk(t)};
	env->cache = calloc(CACHE_SLOTS, sizeof(*env->cache));
	return env->cache ? 0 : -ENOMEM;
}

void kft_print_env_finish(struct kft_print_env *env)
{
	free(env->cache);
	*env = (struct kft_print_env){};
}

static bool is_plain(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (s[i] <= ' ' || s[i] >= 0x7f)
			return false;
	return true;
}

static void look_up(const struct kft_symbol_table *t, uint64_t addr,
		    struct kft_symbol_hit *hit)
{
	const struct kft_symbol *s = kft_symbol_lookup(t, addr);

	*hit = (struct kft_symbol_hit){.addr = addr};
	if (!s)
		return;
	/* The last symbol has no known end. */
	if (s == &t->syms.data[t->syms.len - 1] && s->addr != addr)
		return;
	hit->name = s->name;
	hit->len = s->name_len;
	hit->plain = is_plain(s->name, s->name_len);
	hit->offset = addr - s->addr;
}

const struct kft_symbol_hit *kft_print_env_symbol(struct kft_print_env *env,
						  uint64_t in_event)
{
	if (unlikely(!env->symbols))
		env->symbols = kft_trace_symbols(env->trace);
	const uint64_t addr = kft_symbol_at(env->symbols, in_event, env->ev->ts);
	uint64_t hash = addr * UINT64_C(0x9e3779b97f4a7c15);
	struct kft_symbol_hit *hit = &env->cache[hash >> (64 - KFT_SYMBOL_CACHE_BITS)];

	/* An empty slot has address 0, which is never a symbol. */
	if (unlikely(hit->addr != addr))
		look_up(env->symbols, addr, hit);
	return hit;
}

bool kft_print_env_user_symbol(const struct kft_print_env *env, uint64_t addr,
			       struct kft_user_symbol *ret)
{
	struct kft_trace *t = env->trace;
	uint64_t pid;

	return t->user_symbol && env->pid &&
	       kft_event_int(env->ev, env->pid, t->swap, &pid) &&
	       t->user_symbol(t, (uint32_t)pid, addr, env->ev->ts, ret);
}

void kft_print_env_add_symbol(struct kft_print_env *env, uint64_t addr, bool offset,
			      struct kft_strbuf *sb)
{
	const struct kft_symbol_hit *hit = kft_print_env_symbol(env, addr);

	struct kft_user_symbol user;

	if (!hit->name && kft_print_env_user_symbol(env, addr, &user)) {
		kft_user_symbol_add(&user, sb);
		return;
	}
	if (!hit->name) {
		kft_strbuf_add(sb, "0x", 2);
		kft_strbuf_addx(sb, addr, 1);
		return;
	}
	if (hit->plain)
		kft_strbuf_add(sb, hit->name, hit->len);
	else
		kft_strbuf_add_escaped(sb, hit->name, hit->len);
	if (offset) {
		kft_strbuf_add(sb, "+0x", 3);
		kft_strbuf_addx(sb, hit->offset, 1);
	}
}

void kft_print_env_add_string(struct kft_print_env *env, uint64_t addr,
			      struct kft_strbuf *sb)
{
	const uint64_t *slot = kft_map_get(env->printk, addr);

	if (!slot) {
		kft_strbuf_addx(sb, addr, 1);
		return;
	}
	const struct kft_blob *s = (const struct kft_blob *)(uintptr_t)*slot;
	size_t len = s->len;
	if (len && s->data[len - 1] == '\n')
		len--;
	kft_strbuf_add_escaped(sb, s->data, len);
}
