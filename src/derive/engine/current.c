// SPDX-License-Identifier: LGPL-2.1-or-later
/* States that follow one another. */
#include "derive/engine/current.h"

int kft_current_end(struct kft_current *c, const struct kft_kind_input *in,
		    const struct kft_interval_sink *sink)
{
	c->state.end_ns = in->ts;
	if (c->losses != in->losses)
		c->state.flags |= KFT_INTERVAL_LOSSES;
	return sink->take(sink->arg, &c->state);
}

int kft_current_cut(struct kft_current *c, const struct kft_kind_input *in,
		    const struct kft_interval_sink *sink)
{
	if (!c->is_known)
		return 0;
	c->is_known = false;
	c->state.flags |= KFT_INTERVAL_NOT_ENDED;
	return kft_current_end(c, in, sink);
}
