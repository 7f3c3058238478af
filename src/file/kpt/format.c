// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Writes the format texts of the events that KPTrace's records are read
 * as, in the kernel's syntax.
 */
#include "file/kpt/records.h"

static const struct {
	const char *type;
	const char *print; /* NULL: not printed */
	uint32_t bytes;
	const char *more; /* follows the name */
} types[] = {
	[KFT_KPT_INT] = {"long long", "%lld", 8, ""},
	[KFT_KPT_HEX] = {"unsigned long long", "0x%llx", 8, ""},
	[KFT_KPT_TEXT] = {"__data_loc char[]", "%s", 4, ""},
	[KFT_KPT_COMM] = {"char", "%s", KFT_KPT_COMM_BYTES, "[16]"},
	[KFT_KPT_ARGS] = {"unsigned long", NULL, 48, "[6]"},
};

uint32_t kft_kpt_offset(const struct kft_kpt_record *r, size_t field)
{
	uint32_t offset = KFT_KPT_HEAD_BYTES;

	for (size_t i = 0; i < field; i++)
		offset += types[r->fields[i].type].bytes;
	return offset;
}

static void add_field(const char *type, const char *name, const char *more,
		      uint32_t offset, uint32_t bytes, bool is_signed,
		      struct kft_strbuf *sb)
{
	kft_strbuf_addf(sb, "\tfield:%s %s%s;\toffset:%u;\tsize:%u;\tsigned:%d;\n", type,
			name, more, offset, bytes, is_signed);
}

static void add_print(const struct kft_kpt_record *r, struct kft_strbuf *sb)
{
	const char *blank = "";

	kft_strbuf_adds(sb, "\nprint fmt: \"");
	for (size_t i = 0; r->fields[i].type; i++) {
		if (!types[r->fields[i].type].print)
			continue;
		kft_strbuf_addf(sb, "%s%s=%s", blank, r->fields[i].name,
				types[r->fields[i].type].print);
		blank = " ";
	}
	kft_strbuf_addc(sb, '"');
	for (size_t i = 0; r->fields[i].type; i++) {
		if (r->fields[i].type == KFT_KPT_TEXT)
			kft_strbuf_addf(sb, ", __get_str(%s)", r->fields[i].name);
		else if (types[r->fields[i].type].print)
			kft_strbuf_addf(sb, ", REC->%s", r->fields[i].name);
	}
	kft_strbuf_addc(sb, '\n');
}

void kft_kpt_add_format(const struct kft_kpt_record *r, struct kft_strbuf *sb)
{
	kft_strbuf_addf(sb, "name: %s\nID: %u\nformat:\n", r->name, kft_kpt_id(r));
	add_field("unsigned short", "common_type", "", 0, 2, false, sb);
	add_field("unsigned char", "common_flags", "", 2, 1, false, sb);
	add_field("unsigned char", "common_preempt_count", "", 3, 1, false, sb);
	add_field("int", "common_pid", "", 4, 4, true, sb);
	kft_strbuf_addc(sb, '\n');
	for (size_t i = 0; i < KFT_KPT_FIELDS && r->fields[i].type; i++) {
		enum kft_kpt_type type = r->fields[i].type;

		add_field(types[type].type, r->fields[i].name, types[type].more,
			  kft_kpt_offset(r, i), types[type].bytes, type == KFT_KPT_INT,
			  sb);
	}
	add_print(r, sb);
}
