/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "base/strbuf.h"
#include "model/trace.h"

/*
 * Prints events as text by the kernel's `print fmt` of their class, compiled once per
 * class. docs/formats/print.md lists the differences from trace-cmd.
 *
 * A printer belongs to one thread. Several can print the same trace, after its symbols
 * and the classes of their events were loaded once. The text is safe for a terminal (the
 * only control characters are newlines and tabs of the print fmt itself) and does not end
 * with a newline. Lack of memory is reported by kft_strbuf_ok().
 */
struct kft_printer;

/* The trace outlives the printer. -ENOMEM. */
int kft_printer_create(struct kft_trace *t, struct kft_printer **ret) __must_check;
struct kft_printer *kft_printer_destroy(struct kft_printer *p);
KFT_DEFINE_CLEANUP(struct kft_printer *, kft_printer_destroy)

/*
 * Appends the text that `trace-cmd report` prints after "name: ". An event with a print fmt
 * that cannot be compiled is printed as "[FAILED TO PARSE] field=value ...", and counted.
 *
 * Entries and exits of the function graph have to come in the order of the trace for each
 * CPU; otherwise an exit repeats the name of its function although its entry was printed.
 */
void kft_printer_info(struct kft_printer *p, const struct kft_event *ev,
		      struct kft_strbuf *out);

/*
 * For printing a trace in pieces with several printers: follow() updates a
 * printer like kft_printer_info(), without printing; save() stores the state that
 * the next event depends on, and restore() makes another printer continue there.
 * *place is allocated when it is NULL. -ENOMEM. follow() returns false when it
 * does nothing for any event of this id.
 */
struct kft_printer_place;
bool kft_printer_follow(struct kft_printer *p, const struct kft_event *ev);
int kft_printer_save(const struct kft_printer *p,
		     struct kft_printer_place **place) __must_check;
int kft_printer_restore(struct kft_printer *p,
			const struct kft_printer_place *place) __must_check;
struct kft_printer_place *kft_printer_place_destroy(struct kft_printer_place *place);

/*
 * Prints a function's entry and the exit right after it as one line: "1.2 us | f();".
 * Only for events for which kft_printer_is_leaf() is true; it accepts NULL for next.
 */
bool kft_printer_is_leaf(struct kft_printer *p, const struct kft_event *entry,
			 const struct kft_event *next);
void kft_printer_leaf(struct kft_printer *p, const struct kft_event *entry,
		      const struct kft_event *exit, struct kft_strbuf *out);

/*
 * Appends " field=value field=value" for all but the common fields,
 * like trace-cmd report -R.
 */
void kft_printer_raw(struct kft_printer *p, const struct kft_event *ev,
		     struct kft_strbuf *out);

/* For tests: appends one field of the event's class, as text or as a JSON value. */
void kft_printer_field(struct kft_printer *p, const struct kft_event *ev,
		       const struct kft_field *f, struct kft_strbuf *out);
void kft_printer_field_json(struct kft_printer *p, const struct kft_event *ev,
			    const struct kft_field *f, struct kft_strbuf *out);

/*
 * For tests: the reason why the class is printed raw, or NULL.
 * Compiles it first if needed.
 */
const char *kft_printer_why_raw(struct kft_printer *p, uint16_t id);

/*
 * For tests: the number of events that were printed raw because their print
 * fmt could not be compiled.
 */
uint64_t kft_printer_raw_count(const struct kft_printer *p);
