// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes the page. */
#include "view/page.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <zlib.h>

#include "base/err.h"
#include "base/io.h"
#include "view/about.h"
#include "view/pack.h"
#include "view/template.h"
#include "view/thin.h"

/* Buffers the page before it is written. */
struct out {
	int fd;
	uint64_t bytes; /* written so far */
	struct kft_strbuf sb;
};

static int drain(struct out *o)
{
	if (!kft_strbuf_ok(&o->sb))
		return -ENOMEM;
	int r = kft_write_all(o->fd, o->sb.buf, o->sb.len);

	o->bytes += o->sb.len;
	kft_strbuf_clear(&o->sb);
	return r;
}

static void add_base64(struct kft_strbuf *sb, const uint8_t *data, size_t len)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";

	if (!kft_strbuf_reserve(sb, len / 3 * 4 + 4))
		return;
	for (size_t i = 0; i < len; i += 3) {
		size_t n = KFT_MIN(len - i, (size_t)3);
		uint32_t v = (uint32_t)data[i] << 16;

		if (n > 1)
			v |= (uint32_t)data[i + 1] << 8;
		if (n > 2)
			v |= data[i + 2];
		for (size_t k = 0; k < 4; k++)
			sb->buf[sb->len++] = k > n ? '=' : digits[v >> (18 - 6 * k) & 63];
	}
}

/* Adds bytes for the page's scripts in an element that browsers neither run nor show. */
static void add_data(struct kft_strbuf *sb, const char *id, uint64_t number,
		     const struct kft_strbuf *data)
{
	kft_strbuf_addf(sb,
			"<script type=\"application/octet-stream\" id=\"%s%" PRIu64 "\">",
			id, number);
	add_base64(sb, (const uint8_t *)data->buf, data->len);
	kft_strbuf_adds(sb, "</script>\n");
}

static int add_chunk(struct out *o, const struct kft_view_pack *p, size_t i)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf data = {};
	int r = kft_view_chunks_read(&p->chunks, i, &data);

	if (r < 0)
		return r;
	add_data(&o->sb, "c", i, &data);
	return drain(o);
}

static bool is_root(const struct kft_view_pack *p, size_t chunk)
{
	kft_vec_for_each(&p->roots, root)
		if (*root == chunk)
			return true;
	return false;
}

/* Writes the chunks that are roots, or all others; the least detailed first. */
static int add_chunks(struct out *o, const struct kft_view_pack *p, bool roots)
{
	for (int level = KFT_VIEW_LEVELS; level-- > 0;) {
		for (size_t i = 0; i < p->chunks.list.len; i++) {
			const struct kft_view_chunk *c = &p->chunks.list.data[i];
			int r = 0;

			if (c->level == level && !c->is_left_out &&
			    is_root(p, i) == roots)
				r = add_chunk(o, p, i);
			if (r < 0)
				return r;
		}
	}
	return 0;
}

static int add_about(struct kft_strbuf *sb, const struct kft_view_pack *p,
		     const char *name, bool is_served)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf json = {};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf packed = {};

	kft_view_about(p, name, is_served, &json);
	int r = kft_view_deflate(&json, &packed);

	if (!r)
		add_data(sb, "about", 0, &packed);
	return r;
}

static int unpack_template(struct kft_strbuf *ret)
{
	size_t bytes = 0;

	for (int i = 0; i < KFT_VIEW_PIECES; i++)
		bytes += kft_view_template_pieces[i];
	uLongf len = bytes;
	if (!kft_strbuf_reserve(ret, bytes) ||
	    uncompress((uint8_t *)ret->buf, &len, kft_view_template,
		       kft_view_template_bytes) != Z_OK)
		return -ENOMEM;
	ret->len = len;
	return 0;
}

static int write_page(struct out *o, const struct kft_view_pack *p, const char *name)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf template = {};
	const size_t *len = kft_view_template_pieces;
	int r = unpack_template(&template);

	if (r < 0)
		return r;
	kft_strbuf_add(&o->sb, template.buf, len[0]);
	r = add_about(&o->sb, p, name, false);
	if (!r)
		r = add_chunks(o, p, true);
	kft_strbuf_add(&o->sb, template.buf + len[0], len[1]);
	if (!r)
		r = add_chunks(o, p, false);
	kft_strbuf_add(&o->sb, template.buf + len[0] + len[1], len[2]);
	return r < 0 ? r : drain(o);
}

/*
 * Changes the page's policy, which forbids all connections, to allow those to the server.
 */
static void allow_own_server(struct kft_strbuf *page)
{
	static const char nobody[] = "connect-src 'none'";
	static const char server[] = "connect-src 'self'";
	const char *text = kft_strbuf_cstr(page);
	const char *policy = strstr(text, nobody);

	_Static_assert(sizeof(nobody) == sizeof(server), "in the place of each other");
	if (policy)
		memcpy(page->buf + (policy - text), server, strlen(server));
}

int kft_view_frame(const struct kft_view_pack *p, const char *name,
		   struct kft_strbuf *ret)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf template = {};
	const size_t *len = kft_view_template_pieces;
	int r = unpack_template(&template);

	if (r < 0)
		return r;
	kft_strbuf_add(ret, template.buf, len[0]);
	allow_own_server(ret);
	r = add_about(ret, p, name, true);
	kft_strbuf_add(ret, template.buf + len[0], len[1] + len[2]);
	return r == 0 && !kft_strbuf_ok(ret) ? -ENOMEM : r;
}

/* The bytes of the page that are left for chunks, before they are encoded as text. */
static uint64_t room(const struct kft_view_opts *opts)
{
	uint64_t fixed = 0;

	for (int i = 0; i < KFT_VIEW_PIECES; i++)
		fixed += kft_view_template_pieces[i];
	return opts->max_bytes > fixed ? (opts->max_bytes - fixed) / 4 * 3 : 0;
}

static void count_chunks(const struct kft_view_pack *p, struct kft_view_done *ret)
{
	kft_vec_for_each(&p->chunks.list, c) {
		ret->chunks++;
		ret->left_out += c->is_left_out;
	}
}

int kft_view_collect(struct kft_trace *t, const struct kft_view_opts *opts,
		     struct kft_view_pack *ret, struct kft_err *e)
{
	int r = 0;

	ret->chart = opts->chart;
	ret->all_texts = opts->all_texts;
	for (size_t i = 0; i < opts->n_counters && !r; i++)
		r = kft_view_counters_ask(&ret->counters, t, opts->counters[i], e);
	if (!r)
		r = kft_view_pack_run(t, ret, e);
	return r;
}

int kft_view_write(struct kft_trace *t, const struct kft_view_opts *opts, int fd,
		   struct kft_view_done *ret, struct kft_err *e)
{
	_cleanup_(kft_view_pack_finish) struct kft_view_pack p = {.chunks.fd = -1};
	struct out o = {.fd = fd};
	int r = kft_view_collect(t, opts, &p, e);

	if (r < 0)
		return r;
	if (opts->max_bytes)
		kft_view_thin(&p, room(opts), opts->exact, opts->n_exact);
	r = write_page(&o, &p, opts->name);
	kft_strbuf_finish(&o.sb);
	if (r < 0)
		return kft_err_sys(e, r, "cannot write the page");
	*ret = (struct kft_view_done){.events = p.events, .bytes = o.bytes};
	count_chunks(&p, ret);
	return 0;
}
