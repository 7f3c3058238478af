// SPDX-License-Identifier: GPL-2.0-only
/*
 * usage: formats CORPUS
 * Compiles every print fmt of the corpus and says which cannot be: "SYSTEM: REASON
 * (EVENTS)", sorted by the script that runs this.
 */
#include <stdio.h>
#include <string.h>

#include "corpus.h"
#include "decode/printfmt/print.h"

/* Each event is named once, however many kernels have it. */
static bool seen_before(const struct corpus *c, const struct corpus_text *x,
			const struct kft_trace *const traces[2])
{
	const struct kft_class *cls =
		traces[x->long_size == 8]->classes.texts.data[x->id - 1].cls;

	for (const struct corpus_text *y = c->texts.data; y < x; y++) {
		const struct kft_class *other =
			traces[y->long_size == 8]->classes.texts.data[y->id - 1].cls;

		if (strcmp(x->system, y->system) == 0 && other &&
		    strcmp(cls->name, other->name) == 0 &&
		    strcmp(cls->print_fmt, other->print_fmt) == 0)
			return true;
	}
	return false;
}

static int print_raw(const struct corpus *c, struct kft_trace *const traces[2],
		     struct kft_printer *const printers[2])
{
	size_t broken = 0;

	kft_vec_for_each(&c->texts, x) {
		struct kft_printer *p = printers[x->long_size == 8];
		const struct kft_class *cls = kft_trace_class(traces[x->long_size == 8],
							      x->id);
		const char *why = kft_printer_why_raw(p, x->id);

		if (!cls) {
			printf("%s: text %u is broken\n", x->system, x->id);
			broken++;
		} else if (why &&
			   !seen_before(c, x, (const struct kft_trace *const *)traces)) {
			printf("%s: %s\n", x->system, why);
		}
	}
	return broken ? 1 : 0;
}

int main(int argc, char **argv)
{
	struct corpus c = {};
	struct kft_trace *traces[2];
	struct kft_printer *printers[2];

	if (argc != 2)
		return 2;
	int status = corpus_load(&c, argv[1]);
	if (status) {
		corpus_finish(&c);
		return status;
	}
	for (int i = 0; i < 2; i++) {
		traces[i] = corpus_trace(&c, i ? 8 : 4);
		if (kft_printer_create(traces[i], &printers[i]) < 0)
			return 1;
	}
	status = print_raw(&c, traces, printers);
	for (int i = 0; i < 2; i++) {
		(void)kft_printer_destroy(printers[i]);
		(void)kft_trace_destroy(traces[i]);
	}
	corpus_finish(&c);
	return status;
}
