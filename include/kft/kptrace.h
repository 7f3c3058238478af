/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_KPTRACE_H
#define KFT_KPTRACE_H

/*
 * The calls of KPTrace's <trace/kptrace.h> under their names, for programs that have them. Text
 * and marks go to every session of kft's that records (<kft/mark.h>). KPTrace had one tracer: what is
 * paused is the session that KFT_SESSION names in the environment, else the flight recorder.
 * Errors are not told, as they were not. Programs that pause need libkft.
 */
#include <kft/mark.h>
#include <kft/pause.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As printf(3). */
#define kpprintf(...) ((void)kft_markf(__VA_ARGS__))

static inline void kptrace_write_record(const char *text)
{
	(void)kft_mark(text);
}

/* KPTrace's code of such a record. */
static inline void kptrace_mark(void)
{
	(void)kft_mark("KM");
}

static inline void kptrace_pause(void)
{
	(void)kft_pause(getenv("KFT_SESSION"), 0);
}

static inline void kptrace_restart(void)
{
	(void)kft_resume(getenv("KFT_SESSION"), 0);
}

#ifdef __cplusplus
}
#endif

#endif
