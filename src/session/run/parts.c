// SPDX-License-Identifier: LGPL-2.1-or-later
/* Opens and drives the parts of a detached session. */
#include "session/run/parts.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"

/* The names of the backends, a line each, the lead last. Without it: the first backend. */
#define BACKENDS_FILE "backends"

static int open_one(struct kft_run *r, const struct kft_backend_ops *ops,
		    struct kft_err *e)
{
	if (r->n_parts == KFT_BACKENDS_MAX)
		return -E2BIG;
	int n = ops->detached->open(r, &r->parts[r->n_parts], e);
	r->n_parts += n == 0;
	return n;
}

static int open_named(struct kft_run *r, const char *name, struct kft_err *e)
{
	for (size_t i = 0; kft_backends[i]; i++)
		if (strcmp(kft_backends[i]->name, name) == 0 && kft_backends[i]->detached)
			return open_one(r, kft_backends[i], e);
	return kft_err_set(e, -EINVAL, "session '%s' was made by another kft: no '%s'",
			   r->dir.name, name);
}

int kft_run_parts_open(struct kft_run *r, struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};
	char *save = NULL;

	if (KFT_BACKENDS_MAX == 1 ||
	    kft_rundir_read(&r->dir, BACKENDS_FILE, &text, NULL) < 0)
		return open_one(r, kft_backends[0], e);
	(void)kft_strbuf_cstr(&text);
	int n = 0;
	for (char *line = strtok_r(text.buf, "\n", &save); line && n == 0;
	     line = strtok_r(NULL, "\n", &save))
		n = open_named(r, line, e);
	return n;
}

void kft_run_parts_close(struct kft_run *r)
{
	while (r->n_parts > 0) {
		struct kft_part *p = r->parts[--r->n_parts];

		kft_part_ops(p)->close(p);
	}
	r->is_attached = false;
}

static int list(const struct kft_run *r, const struct kft_shares *shares,
		struct kft_err *e)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	for (size_t i = 0; i < shares->n; i++)
		kft_strbuf_addf(&text, "%s\n", shares->items[i].ops->name);
	if (!kft_strbuf_ok(&text))
		return kft_err_memory(e);
	return kft_rundir_write(&r->dir, BACKENDS_FILE, text.buf, text.len, e);
}

static bool are_those(const struct kft_run *r, const struct kft_shares *shares)
{
	bool same = r->n_parts == shares->n;

	for (size_t i = 0; i < r->n_parts && same; i++)
		same = r->parts[i]->ops == shares->items[i].ops;
	return same;
}

int kft_run_parts_choose(struct kft_run *r, const struct kft_shares *shares,
			 struct kft_err *e)
{
	if (KFT_BACKENDS_MAX == 1 || are_those(r, shares))
		return 0;
	int n = kft_run_parts_undo(r, e);

	kft_run_parts_close(r);
	/* Listed first: a killed process leaves nothing of a backend that is not listed. */
	if (n == 0)
		n = list(r, shares, e);
	for (size_t i = 0; i < shares->n && n == 0; i++)
		n = open_one(r, shares->items[i].ops, e);
	return n;
}

int kft_run_parts_attach(struct kft_run *r, struct kft_err *e)
{
	int n = 0;

	for (size_t i = 0; i < r->n_parts && n == 0; i++)
		n = kft_part_ops(r->parts[i])->attach(r->parts[i], e);
	r->is_attached = n == 0;
	return n;
}

static int record(const struct kft_run *r, size_t n_parts, bool on)
{
	int n = 0;

	for (size_t i = 0; i < n_parts; i++) {
		/* The lead starts last and stops first. */
		struct kft_part *p = r->parts[on ? i : n_parts - 1 - i];
		int switched = kft_part_ops(p)->record(p, on);

		n = n < 0 ? n : switched;
	}
	return n;
}

int kft_run_parts_record(const struct kft_run *r, bool on)
{
	return record(r, r->n_parts, on);
}

int kft_run_others_record(const struct kft_run *r, bool on)
{
	return record(r, r->n_parts - 1, on);
}

int kft_run_parts_undo(struct kft_run *r, struct kft_err *e)
{
	int n = 0;

	for (size_t i = r->n_parts; i-- > 0;) {
		int undone =
			kft_part_ops(r->parts[i])->undo(r->parts[i], n < 0 ? NULL : e);

		n = n < 0 ? n : undone;
	}
	r->is_attached = false;
	return n;
}
