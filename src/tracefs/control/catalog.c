// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lists the events, functions, tracers and clocks of a kernel. */
#include "tracefs/control/catalog.h"

#include <errno.h>
#include <linux/capability.h>

#include "base/err.h"
#include "base/glob.h"
#include "base/io.h"
#include "capture/caps.h"
#include "tracefs/control/mount.h"

/* 40,000 functions of a distribution's kernel are 1.5 MB. */
#define CATALOG_MAX_BYTES (64U << 20)

struct source {
	const char *path;
	const char *what;
	/* Cuts one line, or one word if `words` is set, into an entry; false to skip it. */
	bool (*parse)(char *line, struct kft_catalog_entry *ret);
	bool words; /* one line of words instead of a line each */
};

static bool parse_event(char *line, struct kft_catalog_entry *ret)
{
	static const char own[] = "synthetic:" KFT_HIST_PREFIX;

	*ret = (struct kft_catalog_entry){.name = line};
	return strchr(line, ':') && strncmp(line, own, strlen(own)) != 0;
}

/* Parses "ext4_map_blocks [ext4]". Newer kernels may append more fields, which are ignored. */
static bool parse_function(char *line, struct kft_catalog_entry *ret)
{
	*ret = (struct kft_catalog_entry){.name = line};
	char *blank = strpbrk(line, " \t");
	if (!blank)
		return *line != '\0';
	*blank = '\0';
	char *open = strchr(blank + 1, '[');
	char *close = open ? strchr(open, ']') : NULL;
	if (close) {
		*close = '\0';
		ret->detail = open + 1;
	}
	return *line != '\0';
}

static bool parse_tracer(char *word, struct kft_catalog_entry *ret)
{
	*ret = (struct kft_catalog_entry){.name = word};
	return true;
}

static bool parse_clock(char *word, struct kft_catalog_entry *ret)
{
	size_t len = strlen(word);

	*ret = (struct kft_catalog_entry){.name = word};
	if (word[0] == '[' && word[len - 1] == ']') {
		word[len - 1] = '\0';
		ret->name = word + 1;
		ret->current = true;
	}
	return true;
}

static const struct source sources[] = {
	[KFT_CATALOG_EVENTS] = {"available_events", "events", parse_event, false},
	[KFT_CATALOG_FUNCTIONS] = {"available_filter_functions", "functions",
				   parse_function, false},
	[KFT_CATALOG_TRACERS] = {"available_tracers", "tracers", parse_tracer, true},
	[KFT_CATALOG_CLOCKS] = {"trace_clock", "clocks", parse_clock, true},
};

static bool matches(enum kft_catalog_kind kind, const char *name, const char *glob)
{
	if (!glob || kft_glob(glob, name))
		return true;
	if (kind != KFT_CATALOG_EVENTS)
		return false;
	const char *colon = strchr(name, ':');
	if (kft_glob(glob, colon + 1))
		return true;
	char system[256];
	size_t len = colon - name;
	if (len >= sizeof(system))
		return false;
	memcpy(system, name, len);
	system[len] = '\0';
	return kft_glob(glob, system);
}

static int parse(struct kft_catalog *c, enum kft_catalog_kind kind, const char *glob)
{
	const struct source *src = &sources[kind];
	const char *separators = src->words ? " \t\n" : "\n";
	char *save = NULL;

	kft_strbuf_addc(&c->text, '\0');
	if (!kft_strbuf_ok(&c->text))
		return -ENOMEM;
	for (char *line = strtok_r(c->text.buf, separators, &save); line;
	     line = strtok_r(NULL, separators, &save)) {
		struct kft_catalog_entry entry;

		if (!src->parse(line, &entry) || !matches(kind, entry.name, glob))
			continue;
		if (!kft_vec_push(&c->entries, entry))
			return -ENOMEM;
	}
	return 0;
}

/* Marks the tracer in current_tracer as current; a kernel without that file has no tracers. */
static void mark_tracer(int tracefs, struct kft_catalog *c)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	if (kft_read_at(tracefs, "current_tracer", 256, &sb) < 0)
		return;
	while (sb.len && sb.buf[sb.len - 1] == '\n')
		sb.len--;
	kft_vec_for_each(&c->entries, it)
		it->current = strcmp(it->name, kft_strbuf_cstr(&sb)) == 0;
}

/* The error names the missing feature, the consequence, and the remedy if it is known. */
static int refuse_functions(const struct kft_host *host, int r, struct kft_err *e)
{
	if (r == -ENOENT) {
		(void)kft_err_set(e, r, "this kernel has no function tracer");
		kft_err_hint(e, "neither calls nor entries of functions can be recorded; "
				"a kernel with CONFIG_FUNCTION_TRACER and "
				"CONFIG_DYNAMIC_FTRACE can, as distributions have it");
		return r;
	}
	if (r == -EPERM && kft_caps_have(CAP_SYS_ADMIN)) {
		(void)kft_err_set(e, r, "this kernel keeps its function tracer locked");
		kft_err_hint(e, "neither calls nor entries of functions can be recorded: "
				"kernel lockdown or a security module forbids it even to "
				"root; 'kft doctor' shows the features that work");
		return r;
	}
	(void)kft_err_sys(e, r, "cannot list the kernel's functions");
	kft_host_hint(host, r, e);
	return r;
}

int kft_catalog_read(struct kft_host *host, enum kft_catalog_kind kind, const char *glob,
		     struct kft_catalog *ret, struct kft_err *e)
{
	const struct source *src = &sources[kind];
	struct kft_catalog c = {};
	int tracefs;
	int r = kft_tracefs_open(host, &tracefs, e);

	if (r < 0)
		return r;
	r = kft_read_at(tracefs, src->path, CATALOG_MAX_BYTES, &c.text);
	if (r == 0)
		r = parse(&c, kind, glob);
	if (r < 0) {
		kft_catalog_finish(&c);
		if (kind == KFT_CATALOG_FUNCTIONS)
			return refuse_functions(host, r, e);
		kft_err_sys(e, r, "cannot list the kernel's %s", src->what);
		kft_host_hint(host, r, e);
		return r;
	}
	if (kind == KFT_CATALOG_TRACERS)
		mark_tracer(tracefs, &c);
	*ret = c;
	return 0;
}

void kft_catalog_finish(struct kft_catalog *c)
{
	kft_vec_finish(&c->entries);
	kft_strbuf_finish(&c->text);
}
