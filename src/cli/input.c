// SPDX-License-Identifier: GPL-2.0-only
#include "cli/input.h"

#include <inttypes.h>

#include "base/err.h"

const char *cli_input_path(int argc, char **argv)
{
	return argc ? argv[0] : CLI_TRACE_DEFAULT;
}

bool cli_input_damage(struct kft_trace *t, struct kft_err *ret)
{
	const struct kft_err *first = t->damage.code ? &t->damage : NULL;
	uint64_t places = t->damage.code != 0;

	kft_vec_for_each(&t->buffers, b) {
		kft_vec_for_each(&b->streams, s) {
			places += (*s)->damage_count;
			if (!first && (*s)->damage_count)
				first = &(*s)->damage;
		}
	}
	if (!first)
		return false;
	*ret = *first;
	if (places > 1)
		kft_err_hint(ret,
			     "%" PRIu64 " more places are damaged; what could be read "
			     "was shown",
			     places - 1);
	return true;
}

int cli_input_finish(struct cli *c, const char *path, struct kft_trace *t)
{
	kft_vec_for_each(&t->notes, n)
		cli_print_note("'%s' at byte %" PRIu64 ": %s", path, n->offset, n->text);
	if (t->unfinished)
		cli_print_note("'%s': the recording was not finished; what reached the "
			       "disk is shown",
			       path);
	return cli_input_damage(t, &c->err) ? CLI_DAMAGED : CLI_OK;
}
