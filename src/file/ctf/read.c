// SPDX-License-Identifier: LGPL-2.1-or-later
/* Opens directories of CTF traces. */
#include "file/ctf/read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/dir.h"
#include "base/err.h"
#include "base/io.h"
#include "file/ctf/reader.h"
#include "file/ctf/text.h"

#define METADATA "metadata"

bool kft_ctf_match(const void *head, size_t len)
{
	return kft_ctf_is_metadata(head, len);
}

/* Maps a regular file; an empty one has no data. */
static int map_file(int dir, const char *name, struct kft_ctf_file *ret)
{
	_cleanup_close_ int fd = openat(dir, name,
					O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	*ret = (struct kft_ctf_file){.size = st.st_size};
	if (!st.st_size)
		return 0;
	int r = kft_mapped_create(fd, st.st_size, &ret->map);
	if (r == 0)
		ret->data = kft_mapped_data(ret->map);
	return r;
}

static int read_metadata(struct kft_ctf_reader *c, int dir, struct kft_err *e)
{
	struct kft_ctf_file f = {};
	int r = map_file(dir, METADATA, &f);

	if (r < 0)
		return kft_err_sys(e, r, "cannot read 'metadata'");
	r = kft_ctf_setup(c, f.data, f.size, e);
	kft_ctf_unmap(&f);
	return r;
}

static int by_name(const void *pa, const void *pb)
{
	const char *const *a = pa;
	const char *const *b = pb;

	return strcmp(*a, *b);
}

typedef KFT_VEC(char *) names_vec;

static void finish_names(names_vec *names)
{
	kft_vec_for_each(names, n)
		free(*n);
	kft_vec_finish(names);
}

/* Lists the files that may have packets, sorted by name. */
static int list_files(int dir, names_vec *ret)
{
	_cleanup_closedir_ DIR *d = kft_opendir_at(dir, ".");
	const char *entry;

	if (!d)
		return -errno;
	while ((entry = kft_dir_next(d))) {
		if (entry[0] == '.' || strcmp(entry, METADATA) == 0 ||
		    ret->len == KFT_CTF_FILES_MAX)
			continue;
		char *name = strdup(entry);
		if (!name || !kft_vec_push(ret, name)) {
			free(name);
			return -ENOMEM;
		}
	}
	if (ret->len)
		qsort(ret->data, ret->len, sizeof(*ret->data), by_name);
	return 0;
}

static int add_file(struct kft_ctf_reader *c, int dir, const char *path, const char *name)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf shown = {};
	struct kft_ctf_file f;
	int r = map_file(dir, name, &f);

	/*
	 * Directories (LTTng's "index") and other special files
	 * are not part of the trace.
	 */
	if (r == -EINVAL || (r == 0 && !f.size))
		return 0;
	if (r < 0)
		return r;
	kft_strbuf_add_escaped(&shown, path, strlen(path));
	kft_strbuf_addc(&shown, '/');
	kft_strbuf_add_escaped(&shown, name, strlen(name));
	f.path = kft_arena_strdup(&c->trace->arena, kft_strbuf_cstr(&shown));
	if (!f.path || !kft_vec_push(&c->files, f)) {
		kft_ctf_unmap(&f);
		return -ENOMEM;
	}
	return 0;
}

static int add_files(struct kft_ctf_reader *c, int dir, const char *path,
		     struct kft_err *e)
{
	_cleanup_(finish_names) names_vec names = {};
	int r = list_files(dir, &names);

	kft_vec_for_each(&names, name) {
		if (r == 0)
			r = add_file(c, dir, path, *name);
		if (r < 0)
			return kft_err_sys(e, r, "cannot read '%s'", *name);
	}
	if (r < 0)
		return kft_err_sys(e, r, "cannot list its files");
	if (!c->files.len)
		kft_trace_note(c->trace, 0,
			       "no events: no stream file beside '%s%smetadata' has data",
			       c->label ? c->label : "", c->label ? "/" : "");
	return 0;
}

static int read_trace(struct kft_ctf_reader *c, int dir, const char *path,
		      struct kft_err *e)
{
	int r = read_metadata(c, dir, e);

	if (r == 0)
		r = add_files(c, dir, path, e);
	return r < 0 ? r : kft_ctf_start(c);
}

static bool has_metadata(int dir)
{
	return kft_find_at(dir, METADATA) == 0;
}

/* A search for traces below a directory: "kernel", "ust/uid/1000/64-bit". */
struct search {
	names_vec found; /* sorted by name */
	size_t entries; /* number of directory entries visited */
};

static void finish_search(struct search *s)
{
	finish_names(&s->found);
}

static int search_below(struct search *s, int dir, const char *path, unsigned int depth);

static int search_entry(struct search *s, int dir, const char *path, const char *name,
			unsigned int depth)
{
	_cleanup_close_ int below = openat(
		dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (depth ? O_NOFOLLOW : 0));
	_cleanup_free_ char *whole = NULL;

	if (below < 0)
		return 0;
	if (asprintf(&whole, "%s%s%s", path, *path ? "/" : "", name) < 0)
		return -ENOMEM;
	if (!has_metadata(below))
		return search_below(s, below, whole, depth + 1);
	if (s->found.len == KFT_CTF_TRACES_MAX)
		return 0;
	if (!kft_vec_push(&s->found, whole))
		return -ENOMEM;
	whole = NULL;
	return 0;
}

static int search_below(struct search *s, int dir, const char *path, unsigned int depth)
{
	_cleanup_(finish_names) names_vec names = {};
	int r = depth > KFT_CTF_DEPTH_MAX ? 0 : list_files(dir, &names);

	/* A directory that cannot be listed is skipped. */
	if (r < 0)
		return r == -ENOMEM ? r : 0;
	kft_vec_for_each(&names, name) {
		if (r == 0 && s->entries++ < KFT_CTF_ENTRIES_MAX)
			r = search_entry(s, dir, path, *name, depth);
	}
	return r;
}

/* Opens the directory at path, or the one of the metadata file at path. */
static int open_dir(const char *path, int *ret_fd, char **ret_path)
{
	_cleanup_free_ char *name = strdup(path);
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (!name) {
		kft_closep(&fd);
		return -ENOMEM;
	}
	if (fd < 0 && errno == ENOTDIR) {
		char *slash = strrchr(name, '/');

		(void)strcpy(slash ? slash + (slash == name) : name, slash ? "" : ".");
		fd = open(*name ? name : "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	if (fd < 0)
		return -errno;
	*ret_fd = fd;
	*ret_path = TAKE(name);
	return 0;
}

/* Reads the trace in a directory below dir. */
static int read_below(struct kft_ctf_reader *c, int dir, const char *path,
		      const char *below, struct kft_err *e)
{
	_cleanup_close_ int fd = openat(dir, below, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	_cleanup_free_ char *whole = NULL;

	if (fd < 0)
		return kft_err_sys(e, -errno, "cannot open it");
	if (asprintf(&whole, "%s/%s", path, below) < 0)
		return -ENOMEM;
	return read_trace(c, fd, whole, e);
}

static const char *label_of(struct kft_trace *t, const char *below)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	kft_strbuf_add_escaped(&sb, below, strlen(below));
	return kft_arena_strdup(&t->arena, kft_strbuf_cstr(&sb));
}

static const char *host_of(const struct kft_ctf_reader *c)
{
	const char *host = kft_ctf_env_get(&c->meta, "hostname");

	return host ? host : kft_ctf_env_get(&c->meta, "host");
}

static bool differ(const char *a, const char *b)
{
	return a && b && strcasecmp(a, b) != 0;
}

/* A clock without an offset counts from its own origin, not from 1970. */
static bool has_origin(const struct kft_ctf_clock *c)
{
	return c->offset_s || c->offset;
}

/*
 * Times and CPUs of two machines, or of two boots of one, would be mistaken for those of
 * one machine. Traces without enough facts to compare are accepted.
 */
static int check_together(const struct kft_ctf_reader *a, const struct kft_ctf_reader *b,
			  struct kft_err *e)
{
	const struct kft_ctf_clock *x = a->meta.clocks.len ? a->meta.clocks.data : NULL;
	const struct kft_ctf_clock *y = b->meta.clocks.len ? b->meta.clocks.data : NULL;
	const char *why = NULL;

	if (differ(host_of(a), host_of(b)))
		why = "they are of different machines";
	else if (x && y && differ(x->uuid, y->uuid))
		why = "their clocks are different ones";
	else if (x && y && has_origin(x) != has_origin(y))
		why = "only one of their clocks counts from 1970";
	if (!why)
		return 0;
	(void)kft_err_set(e, -EINVAL, "traces '%s' and '%s' do not belong together: %s",
			  a->label, b->label, why);
	kft_err_hint(e, "open one by giving its own directory");
	return -EINVAL;
}

/*
 * Merges all traces found into one, with times in nanoseconds since 1970. A trace that
 * cannot be read is damage if another one can.
 */
static int read_several(struct kft_trace *t, int dir, const char *path,
			const struct search *s, struct kft_err *e)
{
	struct kft_ctf_reader *c = t->reader;
	const struct kft_ctf_reader *first = NULL;
	int r = 0;

	for (size_t i = 0; i < s->found.len; i++) {
		const char *label = label_of(t, s->found.data[i]);
		struct kft_err why = {};

		if (!label || (i && kft_ctf_add_reader(t, label, &c) < 0))
			return -ENOMEM;
		c->label = label;
		r = read_below(c, dir, path, s->found.data[i], &why);
		if (r == -ENOMEM)
			return r;
		if (r == 0 && first && check_together(first, c, e) < 0)
			return -EINVAL;
		if (r == 0 && !first)
			first = c;
		if (r < 0 && !t->damage.code)
			(void)kft_err_set(&t->damage, r, "'%s': %s", label, why.msg);
	}
	if (!first) {
		*e = t->damage;
		return r;
	}
	/* No trace has events: add the one buffer that every trace has. */
	struct kft_buffer b = {.clock = t->meta.clock, .page_size = t->meta.page_size};
	if (!t->buffers.len && !kft_vec_push(&t->buffers, b))
		return -ENOMEM;
	t->meta.clock = t->buffers.data[0].clock;
	return 0;
}

static int read_all(struct kft_trace *t, const char *path, struct kft_err *e)
{
	_cleanup_(finish_search) struct search s = {};
	_cleanup_free_ char *dir_path = NULL;
	_cleanup_close_ int dir = -1;
	int r = open_dir(path, &dir, &dir_path);

	if (r < 0)
		return r;
	if (has_metadata(dir))
		return read_trace(t->reader, dir, dir_path, e);
	r = search_below(&s, dir, "", 0);
	if (r < 0)
		return r;
	if (!s.found.len)
		return kft_err_set(e, -ENOENT, "no 'metadata' is in it");
	if (s.found.len == 1)
		return read_below(t->reader, dir, dir_path, s.found.data[0], e);
	return read_several(t, dir, dir_path, &s, e);
}

int kft_ctf_open(const char *path, struct kft_trace **ret, struct kft_err *e)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	struct kft_err why = {};
	int r = kft_ctf_create(&t);

	if (r == 0)
		r = read_all(t, path, &why);
	if (r < 0) {
		if (!why.code)
			(void)kft_err_sys(&why, r, "cannot open it");
		if (e)
			*e = why;
		return r;
	}
	*ret = TAKE(t);
	return 0;
}
