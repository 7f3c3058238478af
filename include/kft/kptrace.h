/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_KPTRACE_H
#define KFT_KPTRACE_H

/*
 * The functions of KPTrace's <trace/kptrace.h> under their names, for programs that use
 * them. Text and marks go to every kft session that records (<kft/mark.h>). KPTrace had a
 * single tracer: pause and resume here apply to the session that KFT_SESSION names in the
 * environment, else to the flight recorder. As in KPTrace, errors are not reported.
 * Programs that pause need libkft.
 */
#include <kft/mark.h>
#include <kft/pause.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Takes the arguments of printf(3). */
#define kpprintf(...) ((void)kft_markf(__VA_ARGS__))

static inline void kptrace_write_record(const char *text)
{
	(void)kft_mark(text);
}

/* Writes KPTrace's code for a plain mark. */
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
