// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads the deep stacks that a KFT run found. */
#include "derive/calls/stack_marks.h"

#include <errno.h>
#include <string.h>

#include "base/bits.h"
#include "model/call.h"
#include "model/merge.h"

/* No stack has as many frames: the smallest one takes 8 bytes of 64 KB. */
#define FRAMES_MAX 8192

static const char stack_text[] = "kft: stack ";
static const char frame_text[] = "kft: frame ";

struct frame {
	uint32_t func;
	uint32_t offset;
};

struct reader {
	struct kft_trace *trace;
	const struct kft_class *cls;
	const struct kft_field *text;
	struct kft_intern *names;
	struct kft_stack_marks *marks;
	uint64_t ts; /* time of the stack of the next frames */
	KFT_VEC(struct frame) frames; /* owned; the innermost first */
};

static uint32_t read_offset(const char *p, const char *end)
{
	static const char digits[] = "0123456789abcdef";
	uint32_t v = 0;

	if (end - p < 3 || memcmp(p, "0x", 2) != 0)
		return 0;
	for (p += 2; p < end; p++) {
		const char *digit = memchr(digits, *p, sizeof(digits) - 1);

		if (!digit)
			break;
		v = v << 4 | (uint32_t)(digit - digits);
	}
	return v;
}

/* Adds a frame: "DEPTH SIZE name+0x5/0x20". */
static int add_frame(struct reader *r, const char *p, const char *end)
{
	struct frame frame = {};

	for (unsigned int i = 0; i < 2 && p; i++) {
		p = memchr(p, ' ', end - p);
		p = p ? p + 1 : NULL;
	}
	if (!p || p == end || r->frames.len >= FRAMES_MAX)
		return 0;
	const char *plus = memchr(p, '+', end - p);
	int err = kft_intern(r->names, p, (plus ? plus : end) - p, &frame.func);

	if (err < 0)
		return err;
	if (plus)
		frame.offset = read_offset(plus + 1, end);
	return kft_vec_push(&r->frames, frame) ? 0 : -ENOMEM;
}

/* Appends the frames of a complete stack to the marks. */
static int end_stack(struct reader *r)
{
	size_t n = r->frames.len;

	r->frames.len = 0;
	for (size_t i = n; i-- > 0;) {
		const struct frame *frame = &r->frames.data[i];
		const struct frame *outer = i + 1 < n ? frame + 1 : NULL;
		struct kft_stack_mark mark = {
			.ts = r->ts,
			.func = frame->func,
			.caller = outer ? outer->func : KFT_INTERN_NONE,
			.caller_offset = outer ? outer->offset : 0,
			.depth = n - 1 - i,
		};

		if (r->marks->marks.len >= KFT_CALLS_MAX)
			return -E2BIG;
		if (!kft_vec_push(&r->marks->marks, mark))
			return -ENOMEM;
	}
	return 0;
}

static int read_event(struct reader *r, const struct kft_event *ev)
{
	const char *text;
	size_t len;

	if (!kft_event_str(ev, r->text, r->trace->swap, &text, &len))
		return 0;
	if (len && text[len - 1] == '\n')
		len--;
	if (len >= strlen(frame_text) && !memcmp(text, frame_text, strlen(frame_text)))
		return add_frame(r, text + strlen(frame_text), text + len);
	if (len < strlen(stack_text) || memcmp(text, stack_text, strlen(stack_text)) != 0)
		return 0;
	int err = end_stack(r);

	r->ts = ev->ts;
	return err;
}

static int read_all(struct reader *r, const struct kft_scope *scope)
{
	uint64_t wanted[KFT_ID_WORDS] = {};
	struct kft_scope marks = scope ? *scope : (struct kft_scope){};
	_cleanup_(kft_merge_destroyp) struct kft_merge *merge = NULL;
	const struct kft_event *ev;

	kft_bits_add(wanted, r->cls->id);
	marks.wanted = wanted;
	int err = kft_merge_create(r->trace, &marks, &merge);

	while (!err && (err = kft_merge_next(merge, &ev)) > 0)
		err = ev->id == r->cls->id ? read_event(r, ev) : 0;
	return err < 0 ? err : end_stack(r);
}

int kft_stack_marks_read(struct kft_trace *t, const struct kft_scope *scope,
			 struct kft_intern *names, struct kft_stack_marks *ret)
{
	struct reader r = {.trace = t, .names = names, .marks = ret};

	r.cls = kft_class_table_find(&t->classes, "ftrace", "print");
	r.text = r.cls ? kft_class_field(r.cls, "buf") : NULL;
	int err = r.text ? read_all(&r, scope) : 0;

	kft_vec_finish(&r.frames);
	return err;
}

void kft_stack_marks_finish(struct kft_stack_marks *m)
{
	kft_vec_finish(&m->marks);
}
