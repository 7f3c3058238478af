/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_MARK_H
#define KFT_MARK_H

/*
 * Writes a program's marks into all traces that are being recorded. This header is
 * complete: no library is needed. docs/formats/marks.md describes the text of a mark.
 *
 *	kft_mark("frame ready");		a moment
 *	kft_markf("frame %d", n);		the same, with the format of printf(3)
 *	kft_mark_value("queue", n);		a value from now on
 *	kft_begin("decode"); ... kft_end();	a scope of this thread
 *
 * Each returns the number of sessions that it wrote to: 0 when no session records,
 * or the program may not write to tracefs. The list of sessions is refreshed at most
 * every 10 ms, so that a mark in the first 10 ms of a session may be missing; a mark
 * without a session costs one read of a coarse clock. With KFT_SESSION=NAME in the
 * environment, marks go to that session only. Any thread may call these; they
 * preserve errno. In strict C (-std=c99) the coarse clock needs this header to be
 * included first, or _DEFAULT_SOURCE to be defined before the first header;
 * otherwise the time of day is read.
 */
#if !defined(_DEFAULT_SOURCE) && !defined(_GNU_SOURCE)
#define _DEFAULT_SOURCE 1
#endif
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* In strict C, glibc has these flags only under internal names. */
#if defined(O_CLOEXEC) && defined(O_NOFOLLOW)
#define KFT_MARK_CLOEXEC  O_CLOEXEC
#define KFT_MARK_NOFOLLOW O_NOFOLLOW
#elif defined(__O_CLOEXEC) && defined(__O_NOFOLLOW)
#define KFT_MARK_CLOEXEC  __O_CLOEXEC
#define KFT_MARK_NOFOLLOW __O_NOFOLLOW
#else
#error "<kft/mark.h> needs _DEFAULT_SOURCE: define it before the first #include"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define KFT_MARK_BYTES_MAX    320
#define KFT_MARK_NAME_MAX     256
#define KFT_MARK_SESSIONS_MAX 16
#define KFT_MARK_LOOK_MS      10
#define KFT_MARK_TRACEFS      "/sys/kernel/tracing"
#define KFT_MARK_INSTANCES    KFT_MARK_TRACEFS "/instances"
#define KFT_MARK_RUN_DIR      "/run/kft"

/* A thread's list of sessions that record. */
struct kft_mark_state {
	int64_t look_ms; /* time of the next refresh */
	unsigned int n;
	char markers[KFT_MARK_SESSIONS_MAX][128];
};

static inline int64_t kft_mark_now_ms(void)
{
#ifdef CLOCK_MONOTONIC_COARSE
	struct timespec ts = {0, 0};

	(void)clock_gettime(CLOCK_MONOTONIC_COARSE, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
#else
	struct timeval tv = {0, 0};

	(void)gettimeofday(&tv, NULL);
	return (int64_t)tv.tv_sec * 1000 + tv.tv_usec / 1000;
#endif
}

/* "kft-NAME" and "kft+NAME" are sessions; "kft-NAME+tasks" is only a part of one. */
static inline int kft_mark_is_session(const char *instance)
{
	const char *only = getenv("KFT_SESSION");

	if (strncmp(instance, "kft-", 4) != 0 && strncmp(instance, "kft+", 4) != 0)
		return 0;
	return only ? strcmp(instance + 4, only) == 0 : !strchr(instance + 4, '+');
}

/* Whether the session of a directory in /run/kft records at the top level of tracefs. */
static inline int kft_mark_is_top(const char *session)
{
	const char *only = getenv("KFT_SESSION");
	size_t skip = strncmp(session, "record+", 7) == 0 ? 7 : 0;
	char path[128];
	char text[5] = {0};

	if (*session == '.' || (only && strcmp(session + skip, only) != 0) ||
	    snprintf(path, sizeof(path), KFT_MARK_RUN_DIR "/%s/claim", session) >=
		    (int)sizeof(path))
		return 0;
	int fd = open(path, O_RDONLY | KFT_MARK_CLOEXEC | KFT_MARK_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return 0;
	ssize_t n = read(fd, text, sizeof(text));
	(void)close(fd);
	return n == (ssize_t)sizeof(text) && memcmp(text, "top 1", sizeof(text)) == 0;
}

/*
 * Before Linux 6.11 a session with functions has no instance: it
 * records at the top level.
 */
static inline void kft_mark_look_top(struct kft_mark_state *s)
{
	DIR *dir = opendir(KFT_MARK_RUN_DIR);
	struct dirent *d;

	if (!dir)
		return;
	while ((d = readdir(dir))) {
		if (!kft_mark_is_top(d->d_name))
			continue;
		if (s->n < KFT_MARK_SESSIONS_MAX)
			(void)strcpy(s->markers[s->n++],
				     KFT_MARK_TRACEFS "/trace_marker");
		break;
	}
	(void)closedir(dir);
}

static inline void kft_mark_look(struct kft_mark_state *s)
{
	DIR *dir = opendir(KFT_MARK_INSTANCES);
	struct dirent *d;

	s->n = 0;
	kft_mark_look_top(s);
	if (!dir)
		return;
	while (s->n < KFT_MARK_SESSIONS_MAX && (d = readdir(dir))) {
		size_t size = sizeof(s->markers[0]);

		if (kft_mark_is_session(d->d_name) &&
		    snprintf(s->markers[s->n], size,
			     KFT_MARK_INSTANCES "/%s/trace_marker",
			     d->d_name) < (int)size)
			s->n++;
	}
	(void)closedir(dir);
}

/*
 * The file is closed after each mark: an open file would keep its
 * session from being removed.
 */
static inline int kft_mark_to(const char *marker, const char *text, size_t len)
{
	int fd = open(marker, O_WRONLY | KFT_MARK_CLOEXEC);

	if (fd < 0)
		return 0;
	int done = write(fd, text, len) >= 0;
	(void)close(fd);
	return done;
}

static inline struct kft_mark_state *kft_mark_sessions(void)
{
	static __thread struct kft_mark_state state;
	int64_t now = kft_mark_now_ms();

	/* The time of day can be set back. */
	if (now >= state.look_ms || state.look_ms - now > KFT_MARK_LOOK_MS) {
		int saved = errno;

		kft_mark_look(&state);
		state.look_ms = now + KFT_MARK_LOOK_MS;
		errno = saved;
	}
	return &state;
}

static inline int kft_mark_write(const struct kft_mark_state *s, const char *text,
				 size_t len)
{
	int saved = errno;
	int written = 0;

	for (unsigned int i = 0; i < s->n; i++)
		written += kft_mark_to(s->markers[i], text, len);
	errno = saved;
	return written;
}

/* Makes the start of a mark, "KIND|PID|NAME"; '|' and newlines in the name become '_'. */
static inline size_t kft_mark_text(char *text, char kind, const char *name)
{
	int n = snprintf(text, KFT_MARK_BYTES_MAX, "%c|%ld|", kind, (long)getpid());
	size_t len = n > 0 ? (size_t)n : 0;
	size_t end = len + KFT_MARK_NAME_MAX;

	for (; *name && len < end; name++)
		text[len++] = *name == '|' || *name == '\n' ? '_' : *name;
	text[len] = '\0';
	return len;
}

static inline int kft_mark_kind(char kind, const char *name)
{
	struct kft_mark_state *s = kft_mark_sessions();
	char text[KFT_MARK_BYTES_MAX];

	if (!s->n || !name)
		return 0;
	return kft_mark_write(s, text, kft_mark_text(text, kind, name));
}

static inline int kft_mark(const char *name)
{
	return kft_mark_kind('I', name);
}

static inline int kft_begin(const char *name)
{
	return kft_mark_kind('B', name);
}

/* Ends the scope that this thread began last. */
static inline int kft_end(void)
{
	struct kft_mark_state *s = kft_mark_sessions();
	char text[32];

	if (!s->n)
		return 0;
	int n = snprintf(text, sizeof(text), "E|%ld", (long)getpid());
	return n > 0 ? kft_mark_write(s, text, (size_t)n) : 0;
}

static inline int kft_mark_value(const char *name, int64_t value)
{
	struct kft_mark_state *s = kft_mark_sessions();
	char text[KFT_MARK_BYTES_MAX];

	if (!s->n || !name)
		return 0;
	size_t len = kft_mark_text(text, 'C', name);
	int n = snprintf(text + len, sizeof(text) - len, "|%lld", (long long)value);
	return kft_mark_write(s, text, len + (n > 0 ? (size_t)n : 0));
}

/* Writes a mark with the format of printf(3). */
__attribute__((format(printf, 1, 2))) static inline int kft_markf(const char *fmt, ...)
{
	struct kft_mark_state *s = kft_mark_sessions();
	char name[KFT_MARK_NAME_MAX];
	va_list ap;

	if (!s->n || !fmt)
		return 0;
	va_start(ap, fmt);
	(void)vsnprintf(name, sizeof(name), fmt, ap);
	va_end(ap);
	return kft_mark(name);
}

#ifdef __cplusplus
}
#endif

#endif
