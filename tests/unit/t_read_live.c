// SPDX-License-Identifier: GPL-2.0-only
#include "dat.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/registry.h"
#include "file/tracedat/format.h"
#include "model/merge.h"
#include "tmpdir.h"

/* kft's own numbers are little endian in every file. */
static void live_option(struct kft_strbuf *options, bool big, uint32_t version,
			uint32_t n_cpus)
{
	struct kft_strbuf data = {};

	t_put(&data, false, version, 4);
	t_put(&data, false, 256, 4);
	t_put(&data, false, n_cpus, 4);
	kft_strbuf_add(&data, "mono_raw", 9);
	t_dat_option(options, big, KFT_OPTION_LIVE, data.buf, data.len);
	kft_strbuf_finish(&data);
}

/* x.dat as a recorder leaves it from its first moment on. */
static void write_live_of(struct tmpdir *d, struct t_dat *dat, bool big)
{
	struct kft_strbuf options = {};

	live_option(&options, big, 1, 3);
	t_dat_build(dat, &(struct t_dat_spec){.no_buffers = true,
					      .options = &options,
					      .big = big,
					      .n_cpus = 3});
	tmpdir_write(d, "x.dat", dat->bytes.buf, dat->bytes.len);
	assert_int_equal(mkdir(tmpdir_path(d, "x.dat.parts"), 0700), 0);
	kft_strbuf_finish(&options);
}

static void write_live(struct tmpdir *d, struct t_dat *dat)
{
	write_live_of(d, dat, false);
}

/* The first len bytes of three pages of a CPU. */
static void write_cpu(struct tmpdir *d, const struct t_dat *dat, unsigned int cpu,
		      size_t len)
{
	struct kft_strbuf pages = {};
	char name[40];

	(void)snprintf(name, sizeof(name), "x.dat.parts/cpu%u", cpu);
	for (unsigned int i = 0; i < 3; i++)
		t_dat_page(dat, &pages, cpu, i);
	tmpdir_write(d, name, pages.buf, len);
	kft_strbuf_finish(&pages);
}

static struct kft_trace *open_live(struct tmpdir *d)
{
	struct kft_trace *t;
	struct kft_err e = {};

	if (kft_file_open(tmpdir_path(d, "x.dat"), &t, &e) < 0)
		fail_msg("%s", e.msg);
	return t;
}

static size_t count(struct kft_trace *t, uint64_t *ret_lost)
{
	_cleanup_(kft_merge_destroyp) struct kft_merge *m = NULL;
	const struct kft_event *ev;
	unsigned int next[3] = {};
	size_t n = 0;

	*ret_lost = 0;
	assert_int_equal(kft_merge_create(t, NULL, &m), 0);
	while (kft_merge_next(m, &ev) > 0) {
		unsigned int i = next[ev->cpu]++;

		assert_int_equal(ev->ts, t_dat_ts(ev->cpu, i / T_DAT_PAGE_EVENTS,
						  i % T_DAT_PAGE_EVENTS));
		*ret_lost += ev->lost_before;
		n++;
	}
	return n;
}

static void an_unfinished_recording_is_read_from_its_parts(void **state)
{
	struct tmpdir *d = *state;
	struct t_dat dat;
	uint64_t lost;

	write_live(d, &dat);
	write_cpu(d, &dat, 0, 768);
	/* CPU 1 has written nothing, CPU 2 was offline. */
	write_cpu(d, &dat, 1, 0);
	struct kft_trace *t = open_live(d);
	assert_true(t->unfinished);
	assert_string_equal(t->damage.msg, "");
	assert_int_equal(t->buffers.len, 1);
	assert_int_equal(t->buffers.data[0].streams.len, 1);
	assert_int_equal(t->buffers.data[0].page_size, 256);
	assert_string_equal(t->buffers.data[0].clock.name, "mono_raw");
	assert_int_equal(t->meta.cpu_count, 3);
	assert_int_equal(count(t, &lost), 15);
	assert_int_equal(lost, 0);
	kft_trace_destroy(t);
	t_dat_finish(&dat);
}

static void a_recording_of_the_other_byte_order_is_read(void **state)
{
	struct tmpdir *d = *state;
	struct t_dat dat;
	uint64_t lost;

	write_live_of(d, &dat, true);
	write_cpu(d, &dat, 2, 768);
	struct kft_trace *t = open_live(d);
	assert_string_equal(t->damage.msg, "");
	assert_int_equal(count(t, &lost), 15);
	kft_trace_destroy(t);
	t_dat_finish(&dat);
}

/* Wherever writing stopped: whole records, no complaint, nothing beyond. */
static void a_page_can_be_partly_there(void **state)
{
	struct tmpdir *d = *state;
	struct t_dat dat;
	uint64_t lost;

	write_live(d, &dat);
	for (size_t len = 0; len <= 768; len++) {
		size_t into = len % 256;
		size_t records = into < 32 ? 0 : (into - 16) / 16;

		write_cpu(d, &dat, 0, len);
		struct kft_trace *t = open_live(d);
		assert_int_equal(count(t, &lost),
				 len / 256 * 5 + KFT_MIN(records, (size_t)5));
		assert_int_equal(t->damage.code, 0);
		kft_vec_for_each(&t->buffers.data[0].streams, s)
			assert_int_equal((*s)->damage_count, 0);
		kft_trace_destroy(t);
	}
	t_dat_finish(&dat);
}

static void damage_inside_is_damage_all_the_same(void **state)
{
	struct tmpdir *d = *state;
	struct kft_strbuf pages = {};
	struct t_dat dat;
	uint64_t lost;

	write_live(d, &dat);
	for (unsigned int i = 0; i < 3; i++)
		t_dat_page(&dat, &pages, 0, i);
	t_patch(&pages, 512 + 8, false, 1000, 8);
	tmpdir_write(d, "x.dat.parts/cpu0", pages.buf, pages.len);
	struct kft_trace *t = open_live(d);
	assert_int_equal(count(t, &lost), 10);
	struct kft_stream *s = t->buffers.data[0].streams.data[0];
	assert_int_equal(s->damage_count, 1);
	assert_non_null(strstr(s->damage.msg, "x.dat.parts/cpu0': "));
	assert_non_null(strstr(s->damage.msg, "at byte 512:"));
	kft_trace_destroy(t);
	kft_strbuf_finish(&pages);
	t_dat_finish(&dat);
}

static void losses_and_tasks_come_from_the_parts(void **state)
{
	static const char tasks[] = "1 init\n17 newer name\n--tgids--\n17 16\n";
	struct tmpdir *d = *state;
	struct kft_strbuf records = {};
	struct t_dat dat;
	uint64_t lost;

	write_live(d, &dat);
	write_cpu(d, &dat, 0, 768);
	t_put(&records, false, 0, 8);
	t_put(&records, false, 1, 8);
	t_put(&records, false, t_dat_ts(0, 1, 0), 8);
	t_put(&records, false, 44, 8);
	/* The recorder was killed inside the second one. */
	t_put(&records, false, 0, 8);
	t_put(&records, false, 1, 8);
	tmpdir_write(d, "x.dat.parts/lost", records.buf, records.len);
	tmpdir_write(d, "x.dat.parts/tasks", tasks, strlen(tasks));
	struct kft_trace *t = open_live(d);
	assert_int_equal(t->damage.code, 0);
	assert_int_equal(t->meta.lost.len, 1);
	assert_int_equal(count(t, &lost), 15);
	assert_int_equal(lost, 44);
	assert_int_equal(t->meta.cmdlines.len, strlen("1 init\n17 newer name\n"));
	assert_memory_equal(t->meta.cmdlines.data, tasks, t->meta.cmdlines.len);
	assert_int_equal(t->meta.tgids.len, strlen("17 16\n"));
	assert_memory_equal(t->meta.tgids.data, "17 16\n", 6);
	kft_trace_destroy(t);
	kft_strbuf_finish(&records);
	t_dat_finish(&dat);
}

static void missing_parts_are_named(void **state)
{
	struct tmpdir *d = *state;
	struct t_dat dat;
	uint64_t lost;

	write_live(d, &dat);
	assert_int_equal(rmdir(tmpdir_path(d, "x.dat.parts")), 0);
	struct kft_trace *t = open_live(d);
	assert_true(t->unfinished);
	assert_int_equal(t->damage.code, -ENOENT);
	assert_non_null(strstr(t->damage.msg, "x.dat"));
	assert_int_equal(count(t, &lost), 0);
	kft_trace_destroy(t);
	t_dat_finish(&dat);
}

static void only_regular_files_are_parts(void **state)
{
	struct tmpdir *d = *state;
	struct t_dat dat;
	uint64_t lost;

	write_live(d, &dat);
	assert_int_equal(mkfifo(tmpdir_path(d, "x.dat.parts/cpu0"), 0600), 0);
	write_cpu(d, &dat, 2, 768);
	/* A symbolic link may point to a file of another user, so it is not followed. */
	assert_int_equal(symlink("cpu2", tmpdir_path(d, "x.dat.parts/cpu1")), 0);
	struct kft_trace *t = open_live(d);
	assert_int_equal(t->damage.code, -EINVAL);
	assert_int_equal(count(t, &lost), 15);
	kft_trace_destroy(t);
	t_dat_finish(&dat);
}

static void symbols_of_later_modules_come_from_the_parts(void **state)
{
	static const char blocks[] = "=m 4096 0xffffffffc0400000\n"
				     "ffffffffc0400000 t m_one\t[m]\n";
	static const char symbol[] = "ffffffffc0400000 t m_one\t[m]\n";
	struct tmpdir *d = *state;
	struct t_dat dat;

	write_live(d, &dat);
	tmpdir_write(d, "x.dat.parts/modules", blocks, strlen(blocks));
	struct kft_trace *t = open_live(d);
	const struct kft_blob *kallsyms = kft_trace_kallsyms(t);
	assert_non_null(memmem(kallsyms->data, kallsyms->len, symbol, strlen(symbol)));
	assert_null(memchr(kallsyms->data, '=', kallsyms->len));
	kft_trace_destroy(t);
	t_dat_finish(&dat);
}

/* Opening a FIFO without a writer must not block, and a link is not followed. */
static void only_regular_files_are_losses_and_tasks(void **state)
{
	static const char *const names[] = {"x.dat.parts/lost", "x.dat.parts/tasks"};
	struct tmpdir *d = *state;
	struct t_dat dat;
	uint64_t lost;

	write_live(d, &dat);
	write_cpu(d, &dat, 0, 768);
	tmpdir_write(d, "others", "12 others\n", 10);
	for (size_t i = 0; i < 4; i++) {
		const char *name = names[i % 2];

		if (i < 2)
			assert_int_equal(mkfifo(tmpdir_path(d, name), 0600), 0);
		else
			assert_int_equal(symlink("../others", tmpdir_path(d, name)), 0);
		struct kft_trace *t = open_live(d);
		assert_true(t->damage.code == -EINVAL || t->damage.code == -ELOOP);
		assert_null(memmem(t->meta.cmdlines.data, t->meta.cmdlines.len, "others",
				   strlen("others")));
		assert_int_equal(count(t, &lost), 15);
		kft_trace_destroy(t);
		assert_int_equal(unlink(tmpdir_path(d, name)), 0);
	}
	t_dat_finish(&dat);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(an_unfinished_recording_is_read_from_its_parts,
					tmpdir_setup, tmpdir_teardown),
	cmocka_unit_test_setup_teardown(a_recording_of_the_other_byte_order_is_read,
					tmpdir_setup, tmpdir_teardown),
	cmocka_unit_test_setup_teardown(a_page_can_be_partly_there, tmpdir_setup,
					tmpdir_teardown),
	cmocka_unit_test_setup_teardown(damage_inside_is_damage_all_the_same,
					tmpdir_setup, tmpdir_teardown),
	cmocka_unit_test_setup_teardown(losses_and_tasks_come_from_the_parts,
					tmpdir_setup, tmpdir_teardown),
	cmocka_unit_test_setup_teardown(symbols_of_later_modules_come_from_the_parts,
					tmpdir_setup, tmpdir_teardown),
	cmocka_unit_test_setup_teardown(missing_parts_are_named, tmpdir_setup,
					tmpdir_teardown),
	cmocka_unit_test_setup_teardown(only_regular_files_are_parts, tmpdir_setup,
					tmpdir_teardown),
	cmocka_unit_test_setup_teardown(only_regular_files_are_losses_and_tasks,
					tmpdir_setup, tmpdir_teardown),
};

T_MAIN(tests)
