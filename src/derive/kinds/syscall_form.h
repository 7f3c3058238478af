/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "derive/engine/engine.h"

/*
 * A system call is recorded in two forms: as raw_syscalls:sys_enter and sys_exit, or as
 * events of its own, syscalls:sys_enter_NAME and sys_exit_NAME (LTTng has only these).
 * The kernel writes both at the same places, so a trace with both forms has each call
 * twice.
 */
enum kft_call_form {
	KFT_CALL_RAW = 1,
	KFT_CALL_NAMED = 2,
};

/* Fields by which kft_call_number() finds the call in events of the second form. */
#define KFT_CALL_NUMBER_FIELDS "?__syscall_nr", "?id"
#define KFT_CALL_OWN_FIELDS    2 /* index of the next field */

/* Events of the second form for a kind, with further fields that it needs. */
#define KFT_CALL_ENTER(of_name, ...)                                          \
	{                                                                     \
		"syscalls", (of_name), {KFT_CALL_NUMBER_FIELDS, __VA_ARGS__}, \
			KFT_KIND_BEGINS, .is_other_form = true,               \
					 .class_key = kft_call_class_key      \
	}
#define KFT_CALL_EXIT(of_name)                                                         \
	{                                                                              \
		"syscalls", (of_name), {KFT_CALL_NUMBER_FIELDS, "ret"}, KFT_KIND_ENDS, \
			.is_other_form = true, .class_key = kft_call_class_key         \
	}

/* class_key of events of the second form, found by their name. */
uint64_t kft_call_class_key(struct kft_trace *t, const struct kft_class *cls);

/*
 * The call's number in an event of the second form, as in raw_syscalls. If it is unknown,
 * because LTTng records neither it nor the machine, the result is another key for calls
 * of this name.
 */
uint64_t kft_call_number(const struct kft_kind_input *in);

/* Whether a number is such a key. */
bool kft_call_is_name(uint64_t nr);

/*
 * Calls that return from a signal handler: rt_sigreturn() and sigreturn(). They leave no
 * number of their own behind, so their return has no event of the second form.
 */
struct kft_call_returns {
	uint64_t calls[2];
};

void kft_call_returns_find(struct kft_trace *t, struct kft_call_returns *ret);
bool kft_call_is_return(const struct kft_call_returns *r, uint64_t nr);

/* Appends the name of a call, if it is known. */
void kft_call_name(struct kft_trace *t, uint64_t nr, struct kft_strbuf *sb);
