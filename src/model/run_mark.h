/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The causes of a run's start and stop. */
enum kft_run_cause {
	KFT_CAUSE_NONE, /* has not happened */
	KFT_CAUSE_USER,
	KFT_CAUSE_TRIGGER, /* at a function or an event */
	KFT_CAUSE_TIME,
	KFT_CAUSE_FULL, /* the buffer had no more room */
	KFT_CAUSE_ENTRIES, /* as many calls were kept as were wanted */
	KFT_CAUSE_LIMIT, /* a recording has as much as it was to have */
	KFT_CAUSE_OTHER, /* another program switched recording off */
	KFT_CAUSE_DISK, /* the file could not be written for want of space */
	KFT_CAUSE_COUNT,
};

/*
 * kft writes these into a session's buffer when the session starts, stops, pauses, or goes on,
 * unless a function or an event does it: "kft: start CAUSE NS", NS on CLOCK_MONOTONIC.
 */
#define KFT_MARK_START	"kft: start "
#define KFT_MARK_STOP	"kft: stop "
#define KFT_MARK_PAUSE	"kft: pause "
#define KFT_MARK_RESUME "kft: resume "

/* Events of the probes that start and stop a run; a boot's are in a group of this name. */
#define KFT_PROBE_START "start"
#define KFT_PROBE_STOP	"stop"
#define KFT_BOOT_GROUP	"kft_boot"
