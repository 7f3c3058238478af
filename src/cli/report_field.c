// SPDX-License-Identifier: GPL-2.0-only
/* Checks the fields of `kft report`. */
#include "cli/report_field.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/suggest.h"
#include "output/report/report.h"

int cli_report_check_field(struct kft_trace *t, const char *name, struct kft_err *e)
{
	bool is_own = strncmp(name, KFT_REPORT_OWN, strlen(KFT_REPORT_OWN)) == 0;
	_cleanup_(kft_strbuf_finish) struct kft_strbuf hint = {};
	struct kft_suggest near;

	if (is_own)
		name += strlen(KFT_REPORT_OWN);
	kft_suggest_init(&near, name);
	kft_vec_for_each(&t->classes.texts, x) {
		if (!x->cls)
			continue;
		for (uint32_t i = is_own ? x->cls->n_common : 0; i < x->cls->n_fields;
		     i++) {
			const char *field = x->cls->fields[i].name;

			if (strcmp(field, name) == 0)
				return 0;
			kft_suggest_add(&near, field, strlen(field));
		}
	}
	int r = kft_err_set(e, -ENOENT, "no event of the trace has a field '%s'", name);
	if (kft_suggest_text(&near, &hint))
		kft_err_hint(e, "%s", kft_strbuf_cstr(&hint));
	return r;
}

int cli_report_check_wall(const struct kft_trace *t, struct kft_err *e)
{
	if (t->meta.wall.is_known)
		return 0;
	(void)kft_err_set(e, -ENODATA, "the trace does not contain the time of day");
	kft_err_hint(e,
		     "traces of kft record (clocks mono, mono_raw, boot, tai), trace-cmd "
		     "record --date, perf record -k mono and LTTng do");
	return -ENODATA;
}
