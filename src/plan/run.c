// SPDX-License-Identifier: LGPL-2.1-or-later
/* Manages the memory of configurations. */
#include "plan/run.h"

void kft_config_finish(struct kft_config *c)
{
	kft_vec_for_each(&c->runs, run) {
		kft_vec_finish(&run->funclist);
		kft_vec_finish(&run->nofunclist);
		kft_vec_finish(&run->pids);
		kft_vec_finish(&run->comms);
		kft_vec_finish(&run->events);
	}
	kft_vec_finish(&c->runs);
	kft_arena_finish(&c->arena);
}

static bool has_address(const struct kft_config_funcs *list)
{
	kft_vec_for_each(list, f)
		if (f->kind == KFT_FUNC_ADDR)
			return true;
	return false;
}

bool kft_config_has_addresses(const struct kft_config *c)
{
	kft_vec_for_each(&c->runs, run)
		if (run->start.func.kind == KFT_FUNC_ADDR ||
		    run->stop.func.kind == KFT_FUNC_ADDR || has_address(&run->funclist) ||
		    has_address(&run->nofunclist))
			return true;
	return false;
}
