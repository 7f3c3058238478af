// SPDX-License-Identifier: GPL-2.0-only
/* The status file of a watcher: every text that the parser returns lies in the file. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "watch/status.h"

static void check(const struct kft_watch_said *said, const char *text)
{
	const char *end = said->text.buf + said->text.len;

	FUZZ_ASSERT(!text || (text >= said->text.buf && text <= end &&
			      !memchr(text, '\n', strlen(text)) &&
			      !memchr(text, '\t', strlen(text))));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_(kft_watch_said_finish) struct kft_watch_said said = {};
	struct kft_strbuf text = {};

	kft_strbuf_add(&text, (const char *)data, size);
	if (kft_watch_said_parse(&text, &said) < 0)
		abort();
	kft_vec_for_each(&said.rows, row) {
		check(&said, row->condition);
		check(&said, row->why);
	}
	check(&said, said.along);
	check(&said, said.last_file);
	check(&said, said.trouble);
	return 0;
}
