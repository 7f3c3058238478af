// SPDX-License-Identifier: GPL-2.0-only
/* The metadata of a CTF trace: its declarations, and the classes made from them. */
#include "fuzz.h"

#include <errno.h>

#include "file/ctf/reader.h"

static void check_class(const struct kft_class *c)
{
	FUZZ_ASSERT(c->n_fields >= c->n_common && c->n_common == 4);
	for (uint32_t i = 0; i < c->n_fields; i++)
		FUZZ_ASSERT(c->fields[i].offset + c->fields[i].size <=
			    KFT_CTF_RECORD_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(kft_trace_destroyp) struct kft_trace *t = NULL;
	struct kft_err e = {};

	if (kft_ctf_create(&t) < 0)
		return 0;
	int r = kft_ctf_setup(t->reader, data, size, &e);
	FUZZ_ASSERT(r == 0 || r == -ENOMEM || (e.code == r && *e.msg));
	if (r < 0)
		return 0;
	kft_vec_for_each(&t->classes.texts, x) {
		const struct kft_class *c =
			kft_trace_class(t, x - t->classes.texts.data + 1);

		/* Names that no format text can have make a broken one. */
		if (c)
			check_class(c);
	}
	return 0;
}
