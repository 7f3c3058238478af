/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_DECODE_PRINTFMT_PRINT_H
#define KFT_DECODE_PRINTFMT_PRINT_H

#include "base/strbuf.h"
#include "model/trace.h"

/*
 * Events as text: what the kernel's `print fmt` of their class says, compiled once per
 * class. docs/formats/print.md says where the result differs from trace-cmd's.
 *
 * A printer belongs to one thread; several may print the same trace once its symbols and
 * the classes of their events were asked for. Text appended is safe for a terminal (the only control characters
 * are line ends and tabs of the print fmt itself) and has no line end at its end. Running
 * out of memory shows in kft_strbuf_ok().
 */
struct kft_printer;

/* The trace outlives the printer. -ENOMEM. */
int kft_printer_create(struct kft_trace *t, struct kft_printer **ret) __must_check;
struct kft_printer *kft_printer_destroy(struct kft_printer *p);
KFT_DEFINE_CLEANUP(struct kft_printer *, kft_printer_destroy)

/*
 * What `trace-cmd report` prints behind "name: ". A class whose print fmt cannot be
 * compiled is printed as "[FAILED TO PARSE] field=value ...", and counted.
 *
 * Entries and exits of the function graph: in the order of the trace, per CPU, or an exit
 * says which function it is of although its entry was printed.
 */
void kft_printer_info(struct kft_printer *p, const struct kft_event *ev,
		      struct kft_strbuf *out);

/*
 * For printing a trace in pieces by several printers: follow() does to a printer what
 * kft_printer_info() does, but prints nothing; save() keeps what the next event depends
 * on, and restore() makes another printer continue there. *place is made when it is
 * NULL. -ENOMEM. follow() is false when it does nothing for any event of this id.
 */
struct kft_printer_place;
bool kft_printer_follow(struct kft_printer *p, const struct kft_event *ev);
int kft_printer_save(const struct kft_printer *p,
		     struct kft_printer_place **place) __must_check;
int kft_printer_restore(struct kft_printer *p,
			const struct kft_printer_place *place) __must_check;
struct kft_printer_place *kft_printer_place_destroy(struct kft_printer_place *place);

/*
 * A function's entry and the exit that follows it at once, as one line: "1.2 us | f();".
 * Only for events for which kft_printer_is_leaf() is true; next may be NULL there.
 */
bool kft_printer_is_leaf(struct kft_printer *p, const struct kft_event *entry,
			 const struct kft_event *next);
void kft_printer_leaf(struct kft_printer *p, const struct kft_event *entry,
		      const struct kft_event *exit, struct kft_strbuf *out);

/* " field=value field=value": all but the common fields, as trace-cmd report -R. */
void kft_printer_raw(struct kft_printer *p, const struct kft_event *ev,
		     struct kft_strbuf *out);

/* For tests: one field of the event's class, as text and as a JSON value. */
void kft_printer_field(struct kft_printer *p, const struct kft_event *ev,
		       const struct kft_field *f, struct kft_strbuf *out);
void kft_printer_field_json(struct kft_printer *p, const struct kft_event *ev,
			    const struct kft_field *f, struct kft_strbuf *out);

/* For tests: why the class is printed raw; NULL when it is not. Compiles it if need be. */
const char *kft_printer_why_raw(struct kft_printer *p, uint16_t id);

/* For tests: events printed raw so far because their print fmt could not be compiled. */
uint64_t kft_printer_raw_count(const struct kft_printer *p);

#endif
