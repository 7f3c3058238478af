// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes times of system calls. */
#include "strace/forms.h"

#include <errno.h>
#include <sys/stat.h>

#include "strace/members.h"

/* A nanosleep that a signal interrupted; include/linux/errno.h. */
#define ERESTART_RESTARTBLOCK 516

static const struct kft_member timespec[] = {
	{"tv_sec", KFT_MEMBER_LONG}, {"tv_nsec", KFT_MEMBER_ULONG}, {}};
static const struct kft_member timespec64[] = {
	{"tv_sec", KFT_MEMBER_S64}, {"tv_nsec", KFT_MEMBER_U64}, {}};
static const struct kft_member timeval[] = {
	{"tv_sec", KFT_MEMBER_LONG}, {"tv_usec", KFT_MEMBER_ULONG}, {}};
static const struct kft_member timezone_members[] = {
	{"tz_minuteswest", KFT_MEMBER_INT}, {"tz_dsttime", KFT_MEMBER_INT}, {}};
static const struct kft_member itimerspec[] = {
	{"it_interval", KFT_MEMBER_STRUCT, timespec},
	{"it_value", KFT_MEMBER_STRUCT, timespec},
	{}};
static const struct kft_member itimerval[] = {{"it_interval", KFT_MEMBER_STRUCT, timeval},
					      {"it_value", KFT_MEMBER_STRUCT, timeval},
					      {}};
static const struct kft_member tms[] = {{"tms_utime", KFT_MEMBER_TICKS},
					{"tms_stime", KFT_MEMBER_TICKS},
					{"tms_cutime", KFT_MEMBER_TICKS},
					{"tms_cstime", KFT_MEMBER_TICKS},
					{}};

#define FORM(name, members)                                         \
	void kft_form_##name(struct kft_strace_text *t, uint64_t v) \
	{                                                           \
		kft_members_at(t, members, v);                      \
	}
FORM(timespec_in, timespec)
FORM(timespec_out, timespec)
FORM(timespec64_in, timespec64)
FORM(timespec64_out, timespec64)
FORM(timeval_in, timeval)
FORM(timeval_out, timeval)
FORM(timezone_in, timezone_members)
FORM(timezone_out, timezone_members)
FORM(itimerspec_in, itimerspec)
FORM(itimerspec_out, itimerspec)
FORM(itimerval_in, itimerval)
FORM(itimerval_out, itimerval)
FORM(tms_out, tms)
#undef FORM

/* The rest of a sleep is written only when a signal ended it. */
static void add_left(struct kft_strace_text *t, const struct kft_member *members,
		     uint64_t v)
{
	int64_t r = t->call->result;

	if (t->call->is_error && (r == -EINTR || r == -ERESTART_RESTARTBLOCK))
		kft_members_at(t, members, v);
	else
		kft_strace_address(t, v);
}

void kft_form_timespec_left(struct kft_strace_text *t, uint64_t v)
{
	add_left(t, timespec, v);
}

void kft_form_timespec64_left(struct kft_strace_text *t, uint64_t v)
{
	add_left(t, timespec64, v);
}

void kft_form_time_out(struct kft_strace_text *t, uint64_t v)
{
	uint64_t time;

	if (!kft_strace_read_word(t, v, &time)) {
		kft_strace_address(t, v);
		return;
	}
	kft_strbuf_addf(t->sb, "[%lld", (long long)time);
	kft_strace_date(t, (int64_t)time, 0);
	kft_strbuf_addc(t->sb, ']');
}

/* Two times of a file; a long has `word` bytes. */
static void add_file_times(struct kft_strace_text *t, uint64_t address, unsigned int word,
			   bool is_ns)
{
	char data[32];
	int64_t times[4] = {};

	if (!kft_strace_read(t, address, data, 4 * (size_t)word)) {
		kft_strace_address(t, address);
		return;
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(times); i++)
		if (word == 8)
			memcpy(&times[i], data + 8 * i, 8);
		else
			times[i] = ((const int32_t *)(const void *)data)[i];
	kft_strbuf_addc(t->sb, '[');
	for (unsigned int i = 0; i < ARRAY_SIZE(times); i += 2) {
		int64_t part = times[i + 1];

		if (i)
			kft_strbuf_adds(t->sb, ", ");
		if (is_ns && (part == UTIME_NOW || part == UTIME_OMIT)) {
			kft_strbuf_adds(t->sb,
					part == UTIME_NOW ? "UTIME_NOW" : "UTIME_OMIT");
			continue;
		}
		kft_strbuf_addf(t->sb, "{tv_sec=%lld, tv_%csec=%llu}",
				(long long)times[i], is_ns ? 'n' : 'u',
				word == 8 ? (unsigned long long)part : (uint32_t)part);
		if (part >= 0 && part < (is_ns ? 1000000000 : 1000000))
			kft_strace_date(t, times[i], is_ns ? part : part * 1000);
	}
	kft_strbuf_addc(t->sb, ']');
}

void kft_form_utimbuf_in(struct kft_strace_text *t, uint64_t v)
{
	uint64_t accessed;
	uint64_t modified;

	if (!kft_strace_read_word(t, v, &accessed) ||
	    !kft_strace_read_word(t, v + t->word, &modified)) {
		kft_strace_address(t, v);
		return;
	}
	kft_strbuf_addf(t->sb, "{actime=%lld", (long long)accessed);
	kft_strace_date(t, (int64_t)accessed, 0);
	kft_strbuf_addf(t->sb, ", modtime=%lld", (long long)modified);
	kft_strace_date(t, (int64_t)modified, 0);
	kft_strbuf_addc(t->sb, '}');
}

void kft_form_timespecs_in(struct kft_strace_text *t, uint64_t v)
{
	add_file_times(t, v, t->word, true);
}

void kft_form_timespecs64_in(struct kft_strace_text *t, uint64_t v)
{
	add_file_times(t, v, 8, true);
}

void kft_form_timevals_in(struct kft_strace_text *t, uint64_t v)
{
	add_file_times(t, v, t->word, false);
}
