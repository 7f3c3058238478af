// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finds KPTrace's record for an event: the record that kft reads as this event, or that
 * of a function which today's kernel replaces by an event, or that of a probed function.
 */
#include <stdio.h>
#include <string.h>

#include "export/kpt/kpt.h"

#define OWN_SYSTEM "kptrace"
#define NAME_BYTES 128

/*
 * Events of today's kernels that replace functions which KPTrace
 * probed (sets/symbols.conf).
 */
struct twin {
	const char *system;
	const char *name;
	const char *code;
	const char *fields[3]; /* in the order of the record; "": the event lacks it */
	const char *back; /* code of the function's return; NULL: another event has it */
	const char *back_field;
};

/* clang-format off */
static const struct twin twins[] = {
	{"kmem", "kmalloc", "MM", {"bytes_req", "gfp_flags"}, "Mm", "ptr"},
	{"kmem", "kmalloc_node", "MM", {"bytes_req", "gfp_flags"}, "Mm", "ptr"},
	{"kmem", "kfree", "MF", {"ptr"}, NULL, NULL},
	{"kmem", "kmem_cache_alloc", "MS", {"", "gfp_flags"}, "Ms", "ptr"},
	{"kmem", "kmem_cache_alloc_node", "MS", {"", "gfp_flags"}, "Ms", "ptr"},
	{"kmem", "kmem_cache_free", "MX", {"", "ptr"}, NULL, NULL},
	{"kmem", "mm_page_alloc", "MA", {"gfp_flags", "order"}, NULL, NULL},
	{"kmem", "mm_page_free", "MZ", {"", "order"}, NULL, NULL},
	{"vmalloc", "alloc_vmap_area", "MV", {"size"}, "Mv", "addr"},
	{"vmalloc", "free_vmap_area_noflush", "MQ", {"va_start"}, NULL, NULL},
	{"exceptions", "page_fault_kernel", "MD", {"ip", "error_code", "address"}, NULL, NULL},
	{"net", "netif_receive_skb", "NR", {}, NULL, NULL},
	{"net", "net_dev_queue", "NX", {}, NULL, NULL},
	{"net", "net_dev_xmit", "Nx", {"rc"}, NULL, NULL},
	{"timer", "itimer_state", "IS", {"which"}, NULL, NULL},
	{"timer", "itimer_expire", "IE", {}, NULL, NULL},
	{"sched", "sched_process_exit", "KX", {}, NULL, NULL},
};

/* Functions that KPTrace probed and that have other names now. */
static const char *const renamed[][2] = {
	{"__kthread_create_on_node", "kthread_create"},
	{"kthread_create_on_node", "kthread_create"},
	{"futex_hash", "hash_futex"},
	{"irq_exit_rcu_return", "irq_exit"},
	{"irq_exit_return", "irq_exit"},
	{"vmalloc_noprof", "vmalloc"},
	{"__up", "up_wake"},
};
/* clang-format on */

static const struct kft_kpt_record *find_record(const char *system, const char *name)
{
	for (size_t i = 0; i < kft_kpt_n_records; i++)
		if (strcmp(kft_kpt_records[i].name, name) == 0 &&
		    strcmp(kft_kpt_records[i].system, system) == 0)
			return &kft_kpt_records[i];
	return NULL;
}

static const struct kft_kpt_record *record_of(const char *code)
{
	return kft_kpt_find(code, strlen(code));
}

static void take_own(struct kft_kpt_row *row, const struct kft_class *c)
{
	row->record = find_record(c->system, c->name);
	for (size_t i = 0;
	     row->record && i < KFT_KPT_FIELDS && row->record->fields[i].type; i++)
		row->fields[i] = kft_class_field(c, row->record->fields[i].name);
}

/*
 * Takes the times of a timer from separate fields; kernels before 5.6 have microseconds.
 */
static void take_timer(struct kft_kpt_row *row, const struct kft_class *c)
{
	static const char *const names[][2] = {{"interval_sec", NULL},
					       {"interval_nsec", "interval_usec"},
					       {"value_sec", NULL},
					       {"value_nsec", "value_usec"}};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		row->times[i] = kft_class_field(c, names[i][0]);
		if (!row->times[i] && names[i][1])
			row->times[i] = kft_class_field(c, names[i][1]);
	}
	row->has_times = true;
}

static void take_twin(struct kft_kpt_row *row, const struct kft_class *c)
{
	const struct twin *t = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(twins) && !t; i++)
		if (strcmp(twins[i].name, c->name) == 0 &&
		    strcmp(twins[i].system, c->system) == 0)
			t = &twins[i];
	if (!t)
		return;
	row->record = record_of(t->code);
	for (size_t i = 0; i < ARRAY_SIZE(t->fields) && t->fields[i]; i++)
		row->fields[i] = kft_class_field(c, t->fields[i]);
	if (strcmp(t->code, "IS") == 0)
		take_timer(row, c);
	if (t->back) {
		row->back = record_of(t->back);
		row->back_field = kft_class_field(c, t->back_field);
	}
}

/* Copies the function's name; "up_2" is a second probe of up. */
static void copy_function(const struct kft_class *c, bool is_return, char *to,
			  size_t size)
{
	size_t len = strlen(c->name);
	size_t digits = 0;

	while (digits < len && c->name[len - 1 - digits] >= '0' &&
	       c->name[len - 1 - digits] <= '9')
		digits++;
	if (digits && digits < len && c->name[len - 1 - digits] == '_' &&
	    !find_record(OWN_SYSTEM, c->name))
		len -= digits + 1;
	(void)snprintf(to, size, "%.*s", (int)KFT_MIN(len, size - 1), c->name);
	for (size_t i = 0; i < ARRAY_SIZE(renamed); i++)
		if (strcmp(to, renamed[i][0]) == 0)
			(void)snprintf(to, size, "%s", renamed[i][1]);
	/*
	 * The return of FUNCTION is FUNCTION_return in kft and
	 * FUNCTION_ret in the record.
	 */
	char *end = strstr(to, "_return");
	if (is_return && end && !end[strlen("_return")])
		end[strlen("_ret")] = '\0';
}

/* Takes the arguments in the order of recording, after the probe's address. */
static void take_arguments(struct kft_kpt_row *row, const struct kft_class *c, size_t to)
{
	for (uint32_t i = c->n_common; i < c->n_fields && to < KFT_KPT_FIELDS; i++) {
		if (strncmp(c->fields[i].name, "__probe_", 8) == 0)
			continue;
		if (row->record->fields[to].type)
			row->fields[to++] = &c->fields[i];
	}
}

/* Handles a probed function: by KPTrace's record for it, else as a user's probe. */
static void take_probe(struct kft_kpt_row *row, const struct kft_class *c)
{
	const struct kft_field *ip = kft_class_field(c, "__probe_ip");
	const struct kft_field *function = kft_class_field(c, "__probe_func");
	char name[NAME_BYTES];

	if (!ip && !function)
		return;
	copy_function(c, function != NULL, name, sizeof(name));
	row->record = find_record(OWN_SYSTEM, name);
	if (row->record) {
		take_arguments(row, c, 0);
	} else if (function) {
		row->record = record_of("u");
		take_arguments(row, c, 0);
		row->fields[1] = function;
	} else {
		row->record = record_of("U");
		row->fields[0] = ip;
		take_arguments(row, c, 1);
	}
}

void kft_kpt_meet(struct kft_kpt_row *row, const struct kft_class *c)
{
	take_own(row, c);
	if (!row->record)
		take_twin(row, c);
	if (!row->record)
		take_probe(row, c);
}
