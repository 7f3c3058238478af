// SPDX-License-Identifier: GPL-2.0-only
#include "t.h"

#include "model/trace.h"

static unsigned int destroyed;
static unsigned int order_ok;

static void stream_destroy(struct kft_stream *s)
{
	order_ok += destroyed < 2;
	destroyed++;
	free(s);
}

static const struct kft_stream_ops stream_ops = {.destroy = stream_destroy};

static void reader_destroy(struct kft_trace *t)
{
	order_ok += destroyed == 2;
	destroyed++;
}

static struct kft_stream *stream_new(void)
{
	struct kft_stream *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	s->ops = &stream_ops;
	return s;
}

static void destroy_closes_streams_before_the_reader(void **state)
{
	struct kft_trace *t;

	assert_int_equal(kft_trace_create(&t), 0);
	assert_true(kft_vec_push(&t->buffers, (struct kft_buffer){}));
	assert_true(kft_vec_push(&t->buffers.data[0].streams, stream_new()));
	assert_true(kft_vec_push(&t->buffers.data[0].streams, stream_new()));
	t->destroy = reader_destroy;
	assert_null(kft_trace_destroy(t));
	assert_int_equal(destroyed, 3);
	assert_int_equal(order_ok, 3);
	assert_null(kft_trace_destroy(NULL));
}

static void notes_are_copied_and_bounded(void **state)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	char text[2000];

	assert_int_equal(kft_trace_create(&t), 0);
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	kft_trace_note(t, 7, "unknown option %d", 4711);
	kft_trace_note(t, 8, "%s", text);
	memset(text, 'y', sizeof(text) - 1);
	for (unsigned int i = 0; i < 1000; i++)
		kft_trace_note(t, i, "n");
	assert_string_equal(t->notes.data[0].text, "unknown option 4711");
	assert_int_equal(t->notes.data[0].offset, 7);
	assert_int_equal(strlen(t->notes.data[1].text), 511);
	assert_int_equal(t->notes.data[1].text[0], 'x');
	assert_int_equal(t->notes.len, 100);
	assert_string_equal(t->notes.data[99].text, "further notes are left out");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(destroy_closes_streams_before_the_reader),
	cmocka_unit_test(notes_are_copied_and_bounded),
};

T_MAIN(tests)
