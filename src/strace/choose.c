// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the expressions of -e: which calls, signals and results are shown. */
#include "strace/choose.h"

#include <errno.h>
#include <regex.h>
#include <sys/utsname.h>

#include "base/err.h"
#include "base/scan.h"
#include "base/suggest.h"
#include "base/units.h"
#include "strace/text.h"

const struct kft_syscalls *kft_strace_syscalls(enum kft_traced_abi abi)
{
	static const struct kft_syscalls *tables[KFT_N_TRACED_ABIS];
	struct utsname u;

	if (!tables[abi]) {
		if (abi == KFT_TRACED_32)
			tables[abi] = kft_syscalls_of("i386", 4);
		else if (sizeof(long) == 4)
#ifdef __i386__
			tables[abi] = kft_syscalls_of("i386", 4);
#else
			tables[abi] = kft_syscalls_of("armv7", 5);
#endif
		else if (uname(&u) == 0)
			tables[abi] = kft_syscalls_of(u.machine, strlen(u.machine));
	}
	return tables[abi];
}

void kft_strace_choice_init(struct kft_strace_choice *c)
{
	memset(c->calls, true, sizeof(c->calls));
	c->others = true;
	c->all = true;
	c->signals = UINT64_MAX;
	c->status = KFT_STRACE_ANY_STATUS;
}

bool kft_strace_chooses(const struct kft_strace_choice *c, enum kft_traced_abi abi,
			int64_t number)
{
	return number < 0 || number >= KFT_SYSCALLS ? c->others : c->calls[abi][number];
}

/* The next word of a list with commas; the length is 0 at its end. */
static size_t next_word(const char **list, const char **ret)
{
	while (**list == ',')
		++*list;
	*ret = *list;
	size_t len = strcspn(*list, ",");

	*list += len;
	return len;
}

static const struct kft_plain_signature *signature_of(enum kft_traced_abi abi,
						      const char *name)
{
	const struct kft_syscalls *s = kft_strace_syscalls(abi);

	return kft_plain_signature_find(name, s ? kft_syscalls_machine(s) : NULL);
}

static bool has_path(const struct kft_plain_signature *s)
{
	for (unsigned int i = 0; s && i < KFT_CALL_ARGS && s->args[i]; i++)
		if (s->args[i] == &kft_arg_path)
			return true;
	return false;
}

static bool has_descriptor(const struct kft_plain_signature *s)
{
	static const struct kft_arg_type *const types[] = {
		&kft_arg_fd,	  &kft_arg_at,	    &kft_arg_fd_anonymous,
		&kft_arg_fds_out, &kft_arg_pollfds, &kft_arg_fdset};

	for (unsigned int i = 0; s && i < KFT_CALL_ARGS && s->args[i]; i++)
		for (unsigned int k = 0; k < ARRAY_SIZE(types); k++)
			if (s->args[i] == types[k])
				return true;
	return s && s->result == &kft_arg_fd;
}

static const char *find_group(const char *name)
{
	for (const struct kft_strace_group *g = kft_strace_groups; g->name; g++)
		if (strcmp(g->name, name) == 0)
			return g->calls;
	return NULL;
}

/* One word of a list of calls, and what it selects. */
struct selector {
	const char *name; /* a call; NULL: none */
	const char *group; /* names of calls; NULL: none */
	bool files;
	bool descriptors;
	bool all;
	regex_t *pattern; /* NULL: none */
	bool abis[KFT_N_TRACED_ABIS];
};

static bool selects(const struct selector *s, enum kft_traced_abi abi, const char *call)
{
	if (s->all)
		return true;
	if (s->pattern)
		return regexec(s->pattern, call, 0, NULL, 0) == 0;
	if (s->files)
		return kft_has_word(find_group("file"), call) ||
		       has_path(signature_of(abi, call));
	/* Sockets have a group of their own. */
	if (s->descriptors)
		return kft_has_word(find_group("desc"), call) ||
		       (has_descriptor(signature_of(abi, call)) &&
			!kft_has_word(find_group("network"), call));
	return s->group ? kft_has_word(s->group, call) : strcmp(s->name, call) == 0;
}

/* Marks the calls that a word selects; false: there are none. */
static bool mark(bool calls[KFT_N_TRACED_ABIS][KFT_SYSCALLS], const struct selector *s)
{
	bool any = false;

	for (int abi = 0; abi < KFT_N_TRACED_ABIS; abi++)
		for (int64_t i = 0; s->abis[abi] && i < KFT_SYSCALLS; i++) {
			const char *name = kft_syscall_name(kft_strace_syscalls(abi), i);

			if (name && selects(s, abi, name))
				calls[abi][i] = any = true;
		}
	return any;
}

static int unknown_call(const char *word, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf near_text = {};
	struct kft_suggest near;

	(void)kft_err_set(e, -EINVAL, "invalid system call '%s'", word);
	kft_suggest_init(&near, word);
	for (int64_t i = 0; i < KFT_SYSCALLS; i++) {
		const char *name =
			kft_syscall_name(kft_strace_syscalls(KFT_TRACED_NATIVE), i);

		if (name)
			kft_suggest_add(&near, name, strlen(name));
	}
	if (kft_suggest_text(&near, &near_text))
		kft_err_hint(e, "%s", kft_strbuf_cstr(&near_text));
	return -EINVAL;
}

static int mark_pattern(bool calls[KFT_N_TRACED_ABIS][KFT_SYSCALLS], const char *pattern,
			struct kft_err *e)
{
	regex_t regex;

	if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) != 0)
		return kft_err_set(e, -EINVAL, "invalid pattern '%s'", pattern);
	bool any = mark(calls,
			&(struct selector){.pattern = &regex, .abis = {true, true}});

	regfree(&regex);
	return any ? 0 : kft_err_set(e, -EINVAL, "no system call matches '%s'", pattern);
}

/* Cuts "@64" or "@32" off a word: it selects calls of that ABI only. False: it ends otherwise. */
static bool cut_abi(char *word, bool abis[KFT_N_TRACED_ABIS])
{
	char *suffix = strrchr(word, '@');

	abis[KFT_TRACED_NATIVE] = abis[KFT_TRACED_32] = true;
	if (!suffix)
		return true;
	*suffix++ = 0;
	abis[KFT_TRACED_NATIVE] = strcmp(suffix, sizeof(long) == 8 ? "64" : "32") == 0;
	abis[KFT_TRACED_32] = sizeof(long) == 8 && strcmp(suffix, "32") == 0;
	return abis[KFT_TRACED_NATIVE] || abis[KFT_TRACED_32];
}

/* Fills in the call or the group that a word names; false: there is no such group. */
static bool select_name(struct selector *s, const char *word)
{
	/* Groups that strace took before it had the percent sign. */
	static const char old_groups[] = "process network signal ipc memory";
	bool is_group = *word == '%';
	const char *name = word + is_group;

	s->name = name;
	s->all = strcmp(name, "all") == 0;
	s->files = strcmp(name, "file") == 0;
	s->descriptors = strcmp(name, "desc") == 0;
	if (is_group || kft_has_word(old_groups, name))
		s->group = find_group(strcmp(name, "net") == 0 ? "network" : name);
	return !is_group || s->all || s->files || s->descriptors || s->group;
}

static int mark_word(bool calls[KFT_N_TRACED_ABIS][KFT_SYSCALLS], char *word,
		     struct kft_err *e)
{
	bool is_optional = *word == '?';
	struct selector s = {};
	uint64_t number;

	word += is_optional;
	if (*word == '/')
		return mark_pattern(calls, word + 1, e);
	if (!cut_abi(word, s.abis))
		return is_optional ? 0 : unknown_call(word, e);
	if (kft_parse_u64(word, &number) == 0 && number < KFT_SYSCALLS) {
		for (int abi = 0; abi < KFT_N_TRACED_ABIS; abi++)
			calls[abi][number] |= s.abis[abi];
		return 0;
	}
	if ((select_name(&s, word) && mark(calls, &s)) || is_optional)
		return 0;
	return unknown_call(word, e);
}

static int choose_calls(struct kft_strace_choice *c, const char *list, struct kft_err *e)
{
	bool marked[KFT_N_TRACED_ABIS][KFT_SYSCALLS] = {};
	bool is_negative = *list == '!';
	const char *word;
	size_t len;
	size_t n = 0;

	list += is_negative;
	bool is_none = strcmp(list, "none") == 0;

	for (; !is_none && (len = next_word(&list, &word)); n++) {
		_cleanup_free_ char *copy = strndup(word, len);
		int r = copy ? mark_word(marked, copy, e) : kft_err_memory(e);

		if (r < 0)
			return r;
	}
	if (!n && !is_none)
		return kft_err_set(e, -EINVAL, "no system call is given");
	for (int abi = 0; abi < KFT_N_TRACED_ABIS; abi++)
		for (int64_t i = 0; i < KFT_SYSCALLS; i++)
			c->calls[abi][i] = marked[abi][i] != is_negative;
	c->others = is_negative;
	c->all = false;
	return 0;
}

static bool signal_number(const char *name, size_t len, uint64_t *ret)
{
	_cleanup_free_ char *copy = strndup(name, len);

	if (!copy)
		return false;
	if (kft_parse_u64(copy, ret) == 0)
		return *ret > 0 && *ret <= 64;
	for (const struct kft_arg_name *n = kft_arg_signals.names; n->name; n++)
		if (strcasecmp(n->name, copy) == 0 ||
		    strcasecmp(n->name + 3, copy) == 0) {
			*ret = n->value;
			return true;
		}
	return false;
}

static int choose_signals(struct kft_strace_choice *c, const char *list,
			  struct kft_err *e)
{
	bool is_negative = *list == '!';
	uint64_t signals = 0;
	const char *word;
	size_t len;

	list += is_negative;
	while ((len = next_word(&list, &word))) {
		uint64_t number;

		if (len == 3 && memcmp(word, "all", len) == 0)
			signals = UINT64_MAX;
		else if (len == 4 && memcmp(word, "none", len) == 0)
			signals = 0;
		else if (signal_number(word, len, &number))
			signals |= UINT64_C(1) << (number - 1);
		else
			return kft_err_set(e, -EINVAL, "invalid signal '%.*s'", (int)len,
					   word);
	}
	c->signals = is_negative ? ~signals : signals;
	return 0;
}

static int choose_status(struct kft_strace_choice *c, const char *list, struct kft_err *e)
{
	static const char *const names[] = {"successful", "failed", "unfinished",
					    "unavailable", "detached"};
	bool is_negative = *list == '!';
	unsigned int status = 0;
	const char *word;
	size_t len;

	list += is_negative;
	while ((len = next_word(&list, &word))) {
		unsigned int i = 0;

		while (i < ARRAY_SIZE(names) &&
		       (strlen(names[i]) != len || memcmp(names[i], word, len) != 0))
			i++;
		if (i < ARRAY_SIZE(names))
			status |= 1u << i;
		else if (len == 3 && memcmp(word, "all", len) == 0)
			status = KFT_STRACE_ANY_STATUS;
		else if (len != 4 || memcmp(word, "none", len) != 0)
			return kft_err_set(e, -EINVAL, "invalid status '%.*s'", (int)len,
					   word);
	}
	c->status = is_negative ? KFT_STRACE_ANY_STATUS & ~status : status;
	return 0;
}

int kft_strace_choose(struct kft_strace_choice *c, const char *expression,
		      struct kft_err *e)
{
	static const struct {
		const char *name;
		int (*choose)(struct kft_strace_choice *c, const char *list,
			      struct kft_err *e);
	} kinds[] = {{"trace=", choose_calls},	  {"t=", choose_calls},
		     {"signal=", choose_signals}, {"signals=", choose_signals},
		     {"s=", choose_signals},	  {"status=", choose_status}};

	for (unsigned int i = 0; i < ARRAY_SIZE(kinds); i++) {
		size_t len = strlen(kinds[i].name);

		if (strncmp(expression, kinds[i].name, len) == 0)
			return kinds[i].choose(c, expression + len, e);
	}
	if (strchr(expression, '=')) {
		(void)kft_err_set(e, -EINVAL, "invalid expression '%s'", expression);
		kft_err_hint(e, "-e takes trace=, signal= and status=");
		return -EINVAL;
	}
	return choose_calls(c, expression, e);
}
