// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads and writes a trace's facts about its KFT run. */
#include "model/run_info.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static const char *const filter_words[] = {
	[KFT_RUN_FILTER_TIME] = "time",		[KFT_RUN_FILTER_NOINTS] = "noints",
	[KFT_RUN_FILTER_ONLYINTS] = "onlyints", [KFT_RUN_FILTER_FUNCTIONS] = "functions",
	[KFT_RUN_FILTER_TASKS] = "tasks",
};

/* Lines with a word and a number. */
static const struct {
	const char *word;
	size_t offset; /* of a uint64_t */
} numbers[] = {
	{"id", offsetof(struct kft_run_info, id)},
	{"earlier", offsetof(struct kft_run_info, not_found)},
	{"min", offsetof(struct kft_run_info, min_ns)},
	{"max", offsetof(struct kft_run_info, max_ns)},
	{"listed", offsetof(struct kft_run_info, n_functions)},
	{"excluded", offsetof(struct kft_run_info, n_excluded)},
	{"tasks", offsetof(struct kft_run_info, n_tasks)},
	{"looks", offsetof(struct kft_run_info, looks)},
	{"stacks", offsetof(struct kft_run_info, stacks)},
	{"longest-look", offsetof(struct kft_run_info, longest_look_ns)},
};

static uint64_t *number_of(struct kft_run_info *info, size_t i)
{
	return (uint64_t *)((char *)info + numbers[i].offset);
}

void kft_run_info_format(const struct kft_run_info *info, struct kft_strbuf *sb)
{
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		uint64_t n = *number_of((struct kft_run_info *)info, i);

		if (n || i == 0)
			kft_strbuf_addf(sb, "%s %" PRIu64 "\n", numbers[i].word, n);
	}
	kft_strbuf_addf(sb, "start %" PRIu64 " %s\n", info->start_ns, info->started);
	kft_strbuf_addf(sb, "stop %" PRIu64 " %s\n", info->stop_ns, info->stopped);
	for (size_t i = 0; i < KFT_RUN_FILTER_COUNT; i++)
		if (info->has_filter[i])
			kft_strbuf_addf(sb, "filter %s %" PRIu64 "%s\n", filter_words[i],
					info->filtered[i],
					info->in_kernel[i] ? " kernel" : "");
	if (info->traced_ns)
		kft_strbuf_addf(sb, "cost %" PRIu64 " %" PRIu64 "\n", info->traced_ns,
				info->untraced_ns);
}

struct words {
	const char *p;
	const char *end;
};

/* Takes the word up to the next blank, which is skipped; empty at the end. */
static struct words next_word(struct words *line)
{
	const char *blank = memchr(line->p, ' ', line->end - line->p);
	struct words word = {line->p, blank ? blank : line->end};

	line->p = blank ? blank + 1 : line->end;
	return word;
}

static bool is(const struct words *w, const char *text)
{
	return (size_t)(w->end - w->p) == strlen(text) &&
	       !memcmp(w->p, text, w->end - w->p);
}

static bool read_number(struct words *line, uint64_t *ret)
{
	struct words w = next_word(line);
	uint64_t v = 0;

	if (w.p == w.end)
		return false;
	for (; w.p < w.end; w.p++)
		if (*w.p < '0' || *w.p > '9' || kft_mul(v, UINT64_C(10), &v) ||
		    kft_add(v, (uint64_t)(*w.p - '0'), &v))
			return false;
	*ret = v;
	return true;
}

/* A text beyond the limit, which KFT's own texts never reach, is cut. */
static bool read_cause(struct words *line, uint64_t *ret_ns, char *ret_words)
{
	if (!read_number(line, ret_ns))
		return false;
	size_t len = KFT_MIN((size_t)(line->end - line->p),
			     (size_t)KFT_RUN_WORDS_MAX - 1);

	memcpy(ret_words, line->p, len);
	ret_words[len] = '\0';
	return true;
}

static bool read_filter(struct words *line, struct kft_run_info *info)
{
	struct words which = next_word(line);

	for (size_t i = 0; i < KFT_RUN_FILTER_COUNT; i++) {
		if (!is(&which, filter_words[i]))
			continue;
		info->has_filter[i] = true;
		if (!read_number(line, &info->filtered[i]))
			return false;
		struct words rest = next_word(line);
		info->in_kernel[i] = is(&rest, "kernel");
	}
	return true;
}

static bool read_line(struct words line, struct kft_run_info *info)
{
	struct words key = next_word(&line);

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (is(&key, numbers[i].word))
			return read_number(&line, number_of(info, i));
	if (is(&key, "start"))
		return read_cause(&line, &info->start_ns, info->started);
	if (is(&key, "stop"))
		return read_cause(&line, &info->stop_ns, info->stopped);
	if (is(&key, "filter"))
		return read_filter(&line, info);
	if (is(&key, "cost"))
		return read_number(&line, &info->traced_ns) &&
		       read_number(&line, &info->untraced_ns);
	return true;
}

int kft_run_info_parse(const struct kft_blob *text, struct kft_run_info *ret)
{
	struct kft_run_info info = {.is_known = true};
	const char *p = text->data;
	const char *end = p + text->len;

	while (p < end) {
		const char *nl = memchr(p, '\n', end - p);
		const char *line_end = nl ? nl : end;

		if (!read_line((struct words){p, line_end}, &info))
			return -EINVAL;
		p = line_end + 1;
	}
	if (!info.started[0] || !info.stopped[0])
		return -EINVAL;
	*ret = info;
	return 0;
}

void kft_run_window_format(const struct kft_run_window *w, struct kft_strbuf *sb)
{
	kft_strbuf_addf(sb, "window %" PRIu64 " %" PRIu64 "\n", w->start_ns, w->stop_ns);
}

static int add_window(struct words line, struct kft_run_windows *windows)
{
	const struct kft_run_window *last =
		windows->list.len ? &windows->list.data[windows->list.len - 1] : NULL;
	struct words key = next_word(&line);
	struct kft_run_window w;

	if (!is(&key, "window"))
		return 0;
	if (!read_number(&line, &w.start_ns) || !read_number(&line, &w.stop_ns) ||
	    w.stop_ns < w.start_ns || (last && w.start_ns < last->stop_ns))
		return -EINVAL;
	return kft_vec_push(&windows->list, w) ? 0 : -ENOMEM;
}

int kft_run_windows_parse(const struct kft_blob *text, struct kft_run_windows *ret)
{
	struct kft_run_windows windows = {};
	const char *p = text->len ? text->data : "";
	const char *end = p + text->len;
	int r = 0;

	while (r == 0 && p < end) {
		const char *nl = memchr(p, '\n', end - p);
		const char *line_end = nl ? nl : end;

		r = add_window((struct words){p, line_end}, &windows);
		p = line_end + 1;
	}
	if (r < 0)
		kft_run_windows_finish(&windows);
	else
		*ret = windows;
	return r;
}

void kft_run_windows_finish(struct kft_run_windows *w)
{
	kft_vec_finish(&w->list);
}

bool kft_run_windows_cut(const struct kft_run_windows *w, uint64_t entry_ns,
			 uint64_t exit_ns)
{
	/*
	 * Finds the first window that ends at or after the entry. A call that opened a
	 * window was entered before the window's start.
	 */
	size_t low = kft_count_leading(w->list.len, mid,
				       w->list.data[mid].stop_ns < entry_ns);
	return low < w->list.len && exit_ns > w->list.data[low].stop_ns;
}
