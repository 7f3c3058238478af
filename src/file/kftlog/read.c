// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads KFT's logs of any version. */
#include "file/kftlog/read.h"

#include <string.h>

#define NS_PER_US  1000
#define TOKENS_MAX 10 /* entry "no" "exit" pid function caller frame arg arg arg */

/* docs/formats/kft-log.md, "Header" */
static const char title[] = "Kernel Instrumentation Run ID";
static const char count_title[] = "Number of entries after filters =";
static const char dashes[] = "--------";

struct token {
	const char *text;
	size_t len;
};

int kft_log_init(struct kft_log *log, int fd)
{
	*log = (struct kft_log){};
	return kft_lines_init(&log->lines, fd);
}

void kft_log_finish(struct kft_log *log)
{
	kft_lines_finish(&log->lines);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static size_t split(const char *p, size_t len, struct token *tokens)
{
	const char *end = p + len;
	size_t n = 0;

	while (n < TOKENS_MAX) {
		while (p < end && is_blank(*p))
			p++;
		if (p == end)
			break;
		const char *start = p;

		while (p < end && !is_blank(*p))
			p++;
		tokens[n++] = (struct token){start, p - start};
	}
	return n;
}

/*
 * A decimal number of at most 18 digits, so that callers can check for overflow
 * after multiplying by 1,000.
 */
static bool read_number(const char *p, size_t len, uint64_t *ret)
{
	uint64_t v = 0;

	if (!len || len > 18)
		return false;
	for (size_t i = 0; i < len; i++) {
		if (p[i] < '0' || p[i] > '9')
			return false;
		v = v * 10 + (p[i] - '0');
	}
	*ret = v;
	return true;
}

static bool read_us(const struct token *t, uint64_t *ret_ns)
{
	uint64_t us;

	return read_number(t->text, t->len, &us) && !kft_mul(us, NS_PER_US, ret_ns);
}

static bool is(const struct token *t, const char *text)
{
	return t->len == strlen(text) && !memcmp(t->text, text, t->len);
}

/* "123" (us), "-1" (no exit) or "-2" (watched). */
static bool read_delta(const struct token *t, struct kft_call *call)
{
	call->dur_ns = 0;
	if (is(t, "-1"))
		call->end = KFT_CALL_OPEN;
	else if (is(t, "-2"))
		call->end = KFT_CALL_WATCHED;
	else if (read_us(t, &call->dur_ns))
		call->end = KFT_CALL_ENDED;
	else
		return false;
	return true;
}

/* "412", "-1" or "412.3": pid, and the CPU on machines with several. */
static bool read_pid(const struct token *t, struct kft_call *call)
{
	const char *dot = memchr(t->text, '.', t->len);
	size_t len = dot ? (size_t)(dot - t->text) : t->len;
	bool minus = len && *t->text == '-';
	uint64_t pid;
	uint64_t cpu;

	if (!read_number(t->text + minus, len - minus, &pid) || pid > INT32_MAX ||
	    (minus && pid != 1))
		return false;
	call->pid = minus ? KFT_CALL_IN_INTERRUPT : (int32_t)pid;
	call->cpu = KFT_CALL_NO_CPU;
	if (!dot)
		return true;
	if (!read_number(dot + 1, t->len - len - 1, &cpu) || cpu > INT32_MAX)
		return false;
	call->cpu = cpu;
	return true;
}

/*
 * Caller "caller+0x35" is stored without its offset. 1, 0 when the
 * line is not a row, -errno.
 */
static int read_names(const struct token *func, const struct token *caller,
		      struct kft_intern *names, struct kft_call *call)
{
	const char *plus = memchr(caller->text, '+', caller->len);
	size_t len = plus ? (size_t)(plus - caller->text) : caller->len;
	int r = kft_intern(names, func->text, func->len, &call->func);

	if (!r)
		r = kft_intern(names, caller->text, len, &call->caller);
	return r < 0 ? r : 1;
}

/* The arguments are the tokens after the frame pointer. */
static void read_args(const struct token *first, const struct token *last,
		      struct kft_call *call)
{
	call->args = first->text;
	call->args_len = last->text + last->len - first->text;
}

/* 1 when the line is a row, 0 when it is not, -errno. */
static int read_row(const char *text, size_t len, struct kft_intern *names,
		    struct kft_call *ret)
{
	struct token tokens[TOKENS_MAX];
	size_t n = split(text, len, tokens);
	struct kft_call call = {};
	bool no_exit = n > 2 && is(&tokens[1], "no") && is(&tokens[2], "exit");
	const struct token *rest = tokens + 2 + no_exit; /* from the pid on */
	size_t n_rest = n < 2u + no_exit ? 0 : n - 2 - no_exit;

	if (n_rest < 3 || !read_us(&tokens[0], &call.entry_ns) || !read_pid(rest, &call))
		return 0;
	if (no_exit)
		call.end = KFT_CALL_OPEN;
	else if (!read_delta(&tokens[1], &call))
		return 0;
	uint64_t exit_ns;

	if (kft_add(call.entry_ns, call.dur_ns, &exit_ns))
		return 0;
	if (n_rest >= 7)
		read_args(&rest[4], &rest[6], &call);
	int r = read_names(&rest[1], &rest[2], names, &call);

	if (r > 0)
		*ret = call;
	return r;
}

static bool starts_with(const struct kft_line *line, const char *text)
{
	size_t len = strlen(text);

	return line->len >= len && !memcmp(line->text, text, len);
}

/* Handles a line of the header, or one that begins another log. */
static void read_header(struct kft_log *log, const struct kft_line *line)
{
	struct token tokens[TOKENS_MAX];
	uint64_t count;

	if (starts_with(line, dashes)) {
		log->in_rows = true;
		log->run++;
	} else if (starts_with(line, count_title)) {
		size_t skip = strlen(count_title);
		size_t n = split(line->text + skip, line->len - skip, tokens);

		if (n && read_number(tokens[0].text, tokens[0].len, &count)) {
			log->has_expected = true;
			/*
			 * A sum that wraps does no harm: it is only compared
			 * with the number of rows.
			 */
			log->expected += count;
		}
	}
}

static bool is_empty(const struct kft_line *line)
{
	for (size_t i = 0; i < line->len; i++)
		if (!is_blank(line->text[i]))
			return false;
	return true;
}

static void count_bad(struct kft_log *log)
{
	if (!log->bad_lines++)
		log->first_bad = log->lines.number;
}

int kft_log_next(struct kft_log *log, struct kft_intern *names, struct kft_call *ret)
{
	struct kft_line line;
	int r;

	while ((r = kft_lines_next(&log->lines, &line)) > 0) {
		/* The rest of an overlong line; its start was counted as bad. */
		if (line.continues)
			continue;
		if (!log->in_rows || starts_with(&line, title)) {
			log->in_rows = false;
			read_header(log, &line);
			continue;
		}
		r = read_row(line.text, line.len, names, ret);
		if (r < 0)
			return r;
		if (r) {
			log->rows++;
			return 1;
		}
		if (!is_empty(&line) && !starts_with(&line, dashes))
			count_bad(log);
	}
	return r;
}
