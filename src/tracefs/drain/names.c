// SPDX-License-Identifier: LGPL-2.1-or-later
/* Records the names of tasks with their times. */
#include "tracefs/drain/names.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/eventfd.h>

#include "base/thread.h"
#include "tracefs/control/control_file.h"
#include "tracefs/sources/name_events.h"
#include "tracefs/control/tracefs_dir.h"
#include "tracefs/control/setup.h"

/*
 * Enough for 17,000 new tasks a second on each CPU, at 60 bytes a record and 4 reads a
 * second.
 */
#define BUFFER_BYTES (256U << 10)
#define LOOK_MS	     250

struct kft_names {
	struct kft_instance instance;
	struct kft_tracefs_dir place; /* the same instance, for kft_setup() */
	int guard_fd; /* owned */
	struct kft_name_events events;
	struct kft_sink *sink; /* borrowed */
	int stop_fd; /* owned */
	pthread_t thread;
	bool running;
	/* The thread owns the next two until it has ended. */
	struct kft_strbuf records;
	size_t n_left_out;
};

static bool begin(const struct kft_ledger *ledger, struct kft_names *n,
		  const struct kft_plan *session_plan)
{
	const struct kft_plan plan = {
		.clock = session_plan->clock,
		.buffer_bytes = BUFFER_BYTES,
	};

	if (kft_tracefs_dir_open_instance(ledger, n->instance.name, &n->place) < 0)
		return false;
	n->guard_fd = kft_setup_guard(&n->place);
	n->stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return n->stop_fd >= 0 && kft_setup(&n->place, &plan, NULL) == 0 &&
	       kft_name_events_open(&n->events, ledger->host, n->instance.fd) == 0 &&
	       kft_name_events_enable(n->instance.fd) == 0;
}

void kft_names_open(const struct kft_ledger *ledger, const struct kft_plan *plan,
		    const struct kft_instance *session, struct kft_names **ret)
{
	char name[KFT_INSTANCE_NAME_MAX];
	struct kft_names *n = calloc(1, sizeof(*n));

	*ret = NULL;
	if (!n)
		return;
	n->instance.fd = -1;
	n->instance.instances_fd = -1;
	n->place.fd = -1;
	n->guard_fd = -1;
	n->stop_fd = -1;
	int len = snprintf(name, sizeof(name), "%s" KFT_NAME_EVENTS_SUFFIX,
			   kft_instance_session(session->name));
	if (len < (int)sizeof(name) &&
	    kft_instance_create(ledger->host, name, &n->instance, NULL) == 0 &&
	    begin(ledger, n, plan)) {
		*ret = n;
		return;
	}
	(void)!kft_names_close(n, NULL);
}

/* Reads all events so far and passes the new records to the sink. */
static void take_all(struct kft_names *n)
{
	size_t before = n->records.len;

	n->n_left_out += kft_name_events_read(&n->events, &n->records);
	if (n->sink->ops->names)
		n->sink->ops->names(n->sink, n->records.buf + before,
				    n->records.len - before);
}

static void *names_main(void *arg)
{
	struct kft_names *n = arg;
	struct pollfd stop = {.fd = n->stop_fd, .events = POLLIN};

	(void)pthread_setname_np(pthread_self(), "kft-tasks");
	do {
		take_all(n);
	} while (poll(&stop, 1, LOOK_MS) <= 0);
	take_all(n);
	return NULL;
}

int kft_names_start(struct kft_names *n, struct kft_sink *sink,
		    const struct kft_strbuf *first)
{
	n->sink = sink;
	kft_strbuf_add(&n->records, first->buf, first->len);
	if (n->sink->ops->names)
		n->sink->ops->names(sink, first->buf, first->len);
	int r = kft_thread_start(&n->thread, KFT_THREAD_SMALL_STACK, names_main, n);

	n->running = r == 0;
	return r;
}

static void join(struct kft_names *n)
{
	uint64_t one = 1;

	if (!n->running)
		return;
	(void)!write(n->stop_fd, &one, sizeof(one));
	(void)pthread_join(n->thread, NULL);
	n->running = false;
}

int kft_names_end(struct kft_names *n, const struct kft_notify *notify,
		  struct kft_meta *meta)
{
	if (!n)
		return 0;
	(void)!kft_control_file_set(n->instance.fd, "tracing_on", "0");
	join(n);
	uint64_t lost = kft_name_events_lost(&n->events) + n->n_left_out;
	if (lost)
		kft_notify(notify, "%llu names of tasks are missing: too many were born",
			   (unsigned long long)lost);
	if (!kft_strbuf_ok(&n->records))
		return -ENOMEM;
	return kft_meta_set_blob(meta, &meta->names, n->records.buf, n->records.len);
}

int kft_names_close(struct kft_names *n, struct kft_err *e)
{
	if (!n)
		return 0;
	join(n);
	kft_name_events_close(&n->events);
	kft_closep(&n->stop_fd);
	kft_closep(&n->guard_fd);
	kft_tracefs_dir_close(&n->place);
	kft_strbuf_finish(&n->records);
	int r = kft_instance_remove(&n->instance, e);
	free(n);
	return r;
}
