// SPDX-License-Identifier: GPL-2.0-only
/* Reads KFT configurations for verbs and prints their mistakes. */
#include "cli/config_file.h"

#include <errno.h>
#include <fcntl.h>

#include "base/err.h"
#include "base/io.h"
#include "tracefs/sources/funcmap.h"
#include "tracefs/control/instance.h"
#include "tracefs/control/mount.h"
#include "decode/kallsyms.h"
#include "plan/kft/parser.h"

#define KALLSYMS	  "/proc/kallsyms"
#define MAP_MAX_BYTES	  (128u << 20)
#define TRACERS_MAX_BYTES 4096

static const char *shown_name(const char *path)
{
	return strcmp(path, "-") == 0 ? "standard input" : path;
}

static int read_text(const char *path, size_t max_bytes, struct kft_strbuf *ret,
		     struct kft_err *e)
{
	int r = strcmp(path, "-") == 0 ? kft_read_fd(STDIN_FILENO, max_bytes, ret)
				       : kft_read_at(AT_FDCWD, path, max_bytes, ret);

	return r < 0 ? kft_err_sys(e, r, "cannot read '%s'", shown_name(path)) : 0;
}

int cli_config_complain(const struct kft_diags *diags, const char *path)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_diags_text(diags, shown_name(path), &sb);
	if (kft_strbuf_ok(&sb))
		(void)!kft_write_all(STDERR_FILENO, sb.buf, sb.len);
	return -EINVAL;
}

int cli_config_read(struct cli *c, const char *path, struct kft_strbuf *sb,
		    struct kft_config *ret)
{
	_cleanup_(kft_diags_finish) struct kft_diags diags = {};
	int r = read_text(path, KFT_CONFIG_MAX_BYTES, sb, &c->err);

	if (r < 0)
		return r;
	r = kft_config_parse(kft_strbuf_cstr(sb), sb->len, &diags, ret);
	if (kft_diags_any(&diags))
		return cli_config_complain(&diags, path);
	return r < 0 ? kft_err_sys(&c->err, r, "cannot read '%s'", shown_name(path)) : 0;
}

static int visit_funcmap(void *ctx, kft_function_visit *visit, void *visit_arg)
{
	const struct kft_funcmap *m = ctx;

	for (size_t i = 0; i < kft_funcmap_len(m); i++) {
		const char *name = m->catalog.entries.data[i].name;
		int r = visit(visit_arg, name, strlen(name), m->addrs ? m->addrs[i] : 0);

		if (r)
			return r;
	}
	return 0;
}

static int resolve(struct cli *c, const char *path, struct kft_config *config,
		   const struct kft_functions *fns)
{
	_cleanup_(kft_diags_finish) struct kft_diags diags = {};
	int r = kft_config_resolve(config, fns, &diags);

	if (kft_diags_any(&diags))
		return cli_config_complain(&diags, path);
	return r < 0 ? kft_err_sys(&c->err, r, "cannot look functions up") : 0;
}

int cli_config_resolve(struct cli *c, const char *path, struct kft_host *host,
		       struct kft_config *config)
{
	struct kft_funcmap *m;
	int r = kft_funcmap_of(host, true, &m, &c->err);

	if (r < 0)
		return r;
	/* Only addresses need /proc/kallsyms, which not every user may read. */
	if (kft_config_has_addresses(config))
		(void)!kft_funcmap_load_addrs(m, host, NULL);
	return resolve(c, path, config,
		       &(struct kft_functions){
			       .each = visit_funcmap, .ctx = m, .what = "this kernel"});
}

static int read_symbols(struct cli *c, const char *map, struct kft_strbuf *text,
			struct kft_symbol_table *t)
{
	size_t bad;
	int r = read_text(map, MAP_MAX_BYTES, text, &c->err);

	if (r < 0)
		return r;
	r = kft_kallsyms_parse(text->buf, text->len, t, &bad);
	if (r < 0 || !t->syms.len)
		return kft_err_set(&c->err, r < 0 ? r : -EINVAL, "'%s' holds no symbols",
				   map);
	return 0;
}

int cli_config_resolve_map(struct cli *c, const char *path, const char *map,
			   struct kft_config *config)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_symbol_table_finish) struct kft_symbol_table t = {};
	int r = read_symbols(c, map, &text, &t);

	if (r < 0)
		return r;
	struct kft_functions fns = kft_functions_of_symbols(&t, map);
	return resolve(c, path, config, &fns);
}

static int visit_builtin(void *ctx, kft_function_visit *visit, void *visit_arg)
{
	const struct kft_symbol_table *t = ctx;

	kft_vec_for_each(&t->syms, s) {
		int r = s->module ? 0 : visit(visit_arg, s->name, s->name_len, s->addr);

		if (r)
			return r;
	}
	return 0;
}

int cli_config_resolve_boot(struct cli *c, const char *path, const char *map,
			    struct kft_config *config)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	_cleanup_(kft_symbol_table_finish) struct kft_symbol_table t = {};
	int r = read_symbols(c, map ? map : KALLSYMS, &text, &t);
	struct kft_functions fns = {.each = visit_builtin,
				    .ctx = &t,
				    .what = "the kernel itself (modules come too late)"};

	/* Only root sees the addresses. */
	if (r < 0 && !map)
		kft_err_hint(&c->err, "run kft as root, give a System.map with --map, or "
				      "look nothing up with --syntax");
	return r < 0 ? r : resolve(c, path, config, &fns);
}

static bool opens(int dirfd, const char *path, int flags)
{
	_cleanup_close_ int fd = openat(dirfd, path, flags | O_CLOEXEC);

	return fd >= 0;
}

static bool lists_graph(int dirfd)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	return kft_read_at(dirfd, "available_tracers", TRACERS_MAX_BYTES, &sb) == 0 &&
	       strstr(kft_strbuf_cstr(&sb), "function_graph");
}

static bool instances_have_graph(struct kft_host *host)
{
	struct kft_instance i;

	if (kft_instance_create(host, NULL, &i, NULL) < 0)
		return false;
	bool has = lists_graph(i.fd);
	(void)!kft_instance_remove(&i, NULL);
	return has;
}

void cli_config_caps(struct kft_host *host, struct kft_config_caps *ret)
{
	int t;

	*ret = (struct kft_config_caps){};
	if (kft_tracefs_open(host, &t, NULL) < 0)
		return;
	/* Under lockdown this open fails, and the tracer would record nothing. */
	ret->function_filter = opens(t, "set_ftrace_filter", O_WRONLY | O_APPEND);
	ret->function_graph = ret->function_filter && lists_graph(t);
	ret->graph_instances = ret->function_graph && instances_have_graph(host);
	ret->thresh = opens(t, "tracing_thresh", O_WRONLY);
	ret->kprobes = opens(t, "kprobe_events", O_WRONLY | O_APPEND);
	/*
	 * The option only exists while the tracer is set; the tracer
	 * has had it since 2.6.39.
	 */
	ret->irqs_option = ret->function_graph;
	ret->pid_filter = opens(t, "set_ftrace_pid", O_WRONLY | O_APPEND);
	ret->stack_tracer = opens(t, "stack_max_size", O_WRONLY);
}

int cli_config_possible(struct cli *c, const char *path, const struct kft_config *config,
			const struct kft_config_caps *caps)
{
	_cleanup_(kft_diags_finish) struct kft_diags diags = {};

	kft_vec_for_each(&config->runs, run)
		(void)!kft_run_config_possible(run, caps, &diags);
	return kft_diags_any(&diags) ? cli_config_complain(&diags, path) : 0;
}
