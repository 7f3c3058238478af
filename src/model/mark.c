// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses the text of a mark, an event of trace_marker. */
#include "model/mark.h"

#include <stdbool.h>
#include <string.h>

static struct kft_mark_text next_field(struct kft_mark_text *rest)
{
	const char *bar = rest->len ? memchr(rest->data, '|', rest->len) : NULL;
	struct kft_mark_text field = {rest->data,
				      bar ? (size_t)(bar - rest->data) : rest->len};
	size_t taken = field.len + (bar != NULL);

	rest->data += taken;
	rest->len -= taken;
	return field;
}

static bool is_number(struct kft_mark_text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (t.data[i] < '0' || t.data[i] > '9')
			return false;
	return t.len > 0;
}

/*
 * False for text that only resembles a typed mark: all of it is the name of an instant.
 */
static bool parse_typed(struct kft_mark_text all, struct kft_mark *m)
{
	struct kft_mark_text rest = all;
	struct kft_mark_text type = next_field(&rest);

	if (type.len != 1 || !strchr("BESFIC", type.data[0]))
		return false;
	m->type = type.data[0];
	m->pid = next_field(&rest);
	m->name = next_field(&rest);
	m->cookie = next_field(&rest);
	if (m->type == 'E')
		return m->pid.len == 0 || is_number(m->pid);
	if (!is_number(m->pid) || !m->name.len)
		return false;
	if (m->type == 'S' || m->type == 'F')
		return m->cookie.len > 0;
	struct kft_mark_text digits = m->cookie;

	if (digits.len && digits.data[0] == '-')
		digits = (struct kft_mark_text){digits.data + 1, digits.len - 1};
	return m->type != 'C' || is_number(digits);
}

struct kft_mark kft_mark_parse(const char *text, size_t len)
{
	struct kft_mark m = {};

	if (len && text[len - 1] == '\n')
		len--;
	const struct kft_mark_text all = {text, len};

	return parse_typed(all, &m) ? m : (struct kft_mark){.type = 'I', .name = all};
}
