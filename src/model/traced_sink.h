/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <signal.h>

#include "model/traced_call.h"

/* A task that is followed. An engine creates and destroys it; the sink may hang its own on it. */
struct kft_traced_task {
	pid_t tid;
	struct kft_traced_call call; /* the current one, or the last one */
	bool in_call;
	void *user; /* the sink's: freed when the task has ended or was left */
};

/* The functions that an engine calls for each event of the followed tasks, in the order of the events. */
struct kft_traced_sink {
	void *arg; /* borrowed; the first argument of all */
	/* Whether the call of t->call.number is wanted: others are neither entered nor left. */
	bool (*wants)(void *arg, enum kft_traced_abi abi, int64_t number);
	void (*enter)(void *arg, struct kft_traced_task *t);
	void (*leave)(void *arg, struct kft_traced_task *t);
	/* info has the layout of this machine's ABI; NULL: the engine could not read it. */
	void (*signal)(void *arg, struct kft_traced_task *t, int number,
		       const siginfo_t *info);
	void (*stop)(void *arg, struct kft_traced_task *t, int number);
	/* A task is about to end; its call, if it is in one, does not return. */
	void (*die)(void *arg, struct kft_traced_task *t);
	/* The status of waitpid(2); t is destroyed afterwards, as by the next two. */
	void (*end)(void *arg, struct kft_traced_task *t, int status);
	/* Another thread has executed a program and goes on with this task's id. */
	void (*supersede)(void *arg, struct kft_traced_task *t, pid_t by);
	void (*detach)(void *arg, struct kft_traced_task *t);
	void (*attach)(void *arg, struct kft_traced_task *t);
	/* No event has come for a moment: the sink may show the text that it holds back. */
	void (*idle)(void *arg);
};
