// SPDX-License-Identifier: LGPL-2.1-or-later
/* Makes an event class from a declaration in CTF metadata. */
#include "file/ctf/class.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "file/ctf/compile.h"
#include "file/ctf/layout.h"

static void write_text(const struct kft_ctf_kernel_name *name, uint16_t id,
		       const struct kft_ctf_layout *layout, struct kft_strbuf *text)
{
	kft_strbuf_adds(text, "name: ");
	/* Control characters could start a new line of the format text. */
	for (const char *p = name->name; *p; p++)
		kft_strbuf_addc(text, (unsigned char)*p < ' ' ? '?' : *p);
	kft_strbuf_addf(
		text,
		"\nID: %u\nformat:\n"
		"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
		"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
		"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"
		"\tsigned:0;\n"
		"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n",
		id);
	kft_strbuf_add(text, layout->fields.buf ? layout->fields.buf : "",
		       layout->fields.len);
	kft_strbuf_adds(text, "\nprint fmt: ");
	kft_strbuf_add(text, layout->print_fmt.buf ? layout->print_fmt.buf : "",
		       layout->print_fmt.len);
	kft_strbuf_addc(text, '\n');
}

/* Finds the offsets of prev_pid and next_pid in a sched_switch record. */
static void find_switch(const kft_ctf_leaves *leaves,
			const struct kft_ctf_kernel_name *name, struct kft_ctf_class *c)
{
	static const char *const prev[] = {"prev_tid", "prev_pid"};
	static const char *const next[] = {"next_tid", "next_pid"};

	if (strcmp(name->system, "sched") != 0 || strcmp(name->name, "sched_switch") != 0)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(prev); i++) {
		const struct kft_ctf_leaf *p =
			kft_ctf_leaf_find(leaves, KFT_CTF_EVENT_FIELDS, prev[i]);
		const struct kft_ctf_leaf *n =
			kft_ctf_leaf_find(leaves, KFT_CTF_EVENT_FIELDS, next[i]);

		if (p && n && p->is_placed && n->is_placed && p->size == 4 &&
		    n->size == 4 && p->kind == KFT_CTF_LEAF_INT &&
		    n->kind == KFT_CTF_LEAF_INT) {
			c->prev_pid_at = p->dst;
			c->next_pid_at = n->dst;
			return;
		}
	}
}

/*
 * kft's export writes raw_syscalls as LTTng writes calls, with a class for each call,
 * but with the fields of raw_syscalls. These classes are read as raw_syscalls again.
 * LTTng uses these fields only in sys_enter_unknown and sys_exit_unknown, for calls
 * that it has no description of; these keep their names, as its other calls are
 * events of their own as well.
 */
static void name_raw_call(const kft_ctf_leaves *leaves, struct kft_ctf_kernel_name *name)
{
	static const char *const raw[][2] = {{"sys_enter", "args"}, {"sys_exit", "ret"}};

	if (strcmp(name->system, "syscalls") != 0 ||
	    strcmp(name->name, "sys_enter_unknown") == 0 ||
	    strcmp(name->name, "sys_exit_unknown") == 0 ||
	    !kft_ctf_leaf_find(leaves, KFT_CTF_EVENT_FIELDS, "id"))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(raw); i++) {
		if (strncmp(name->name, raw[i][0], strlen(raw[i][0])) != 0 ||
		    !kft_ctf_leaf_find(leaves, KFT_CTF_EVENT_FIELDS, raw[i][1]))
			continue;
		(void)snprintf(name->system, sizeof(name->system), "raw_syscalls");
		(void)snprintf(name->name, sizeof(name->name), "%s", raw[i][0]);
		return;
	}
}

static int make_records(struct kft_ctf_class_maker *m, struct kft_ctf_class *c,
			const char *ctf_name, struct kft_strbuf *text,
			struct kft_ctf_kernel_name *ret_name)
{
	_cleanup_(kft_ctf_layout_finish) struct kft_ctf_layout layout = {};
	struct kft_arena *arena = &m->nodes.meta->arena;
	struct kft_ctf_kernel_name name;
	kft_ctf_leaves leaves = {};
	int r = kft_ctf_leaves_collect(&c->scopes, arena, &leaves);

	kft_ctf_kernel_name(ctf_name, &name);
	name_raw_call(&leaves, &name);
	if (r == 0)
		r = kft_ctf_layout_make(&layout, &leaves, arena, &name, m->is_lttng);
	if (r == 0)
		r = kft_ctf_compile(&c->scopes, &leaves, layout.fixed_bytes,
				    m->payload_align, arena, &c->program);
	if (r == 0) {
		c->has_pid = layout.has_pid;
		find_switch(&leaves, &name, c);
		write_text(&name, c->id, &layout, text);
		r = kft_strbuf_ok(text) ? 0 : -ENOMEM;
		*ret_name = name;
	}
	kft_vec_finish(&leaves);
	return r;
}

int kft_ctf_class_make(struct kft_ctf_class_maker *m, const struct kft_ctf_scopes *scopes,
		       const struct kft_ctf_event_class *ev, uint16_t id,
		       struct kft_strbuf *text, struct kft_ctf_class **ret,
		       struct kft_ctf_kernel_name *ret_name, struct kft_err *e)
{
	struct kft_ctf_class *c = kft_arena_alloc(&m->nodes.meta->arena, sizeof(*c));

	if (!c)
		return kft_err_sys(e, -ENOMEM, "cannot read the metadata");
	*c = (struct kft_ctf_class){.id = id, .ctf_id = ev->id, .scopes = *scopes};
	int r = kft_ctf_scopes_add(&m->nodes, &c->scopes, KFT_CTF_EVENT_CONTEXT,
				   ev->context, e);
	if (r == 0)
		r = kft_ctf_scopes_add(&m->nodes, &c->scopes, KFT_CTF_EVENT_FIELDS,
				       ev->fields, e);
	if (r < 0)
		return r;
	r = make_records(m, c, ev->name, text, ret_name);
	if (r < 0)
		return kft_err_sys(e, r, "cannot lay out an event");
	*ret = c;
	return 0;
}
