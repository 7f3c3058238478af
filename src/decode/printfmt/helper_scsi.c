// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints command descriptor blocks as drivers/scsi/scsi_trace.c of the kernel does. */
#include "decode/printfmt/helper.h"
#include "decode/printfmt/parts.h"

#define VARIABLE_LENGTH 0x7f

static int action_of(struct kft_bytes b)
{
	static const struct kft_part action16 = KFT_PART_BITS("", 1, 0, 0x1f);
	static const struct kft_part action32 = KFT_PART("", 8, 2);

	return kft_part_value(b.p[0] == VARIABLE_LENGTH ? &action32 : &action16, b, true);
}

/* READ(6) and WRITE(6): a length of 0 means 256. */
static void add_rw6(struct kft_bytes b, struct kft_strbuf *sb)
{
	static const struct kft_part lba[] = {{"lba=", 1, 3, 0, 0x1fffff, 'u'},
					      KFT_PART_END};
	uint8_t len = b.len > 4 ? b.p[4] : 0;

	kft_parts_add(lba, b, true, sb);
	kft_strbuf_adds(sb, " txlen=");
	kft_strbuf_addu(sb, len ? len : 256, 1);
}

/* UNMAP: a header of 8 bytes, then a list of descriptors of 16 bytes. */
static void add_unmap(struct kft_bytes b, struct kft_strbuf *sb)
{
	static const struct kft_part bytes = KFT_PART("", 7, 2);
	uint32_t n = kft_part_value(&bytes, b, true);

	kft_strbuf_adds(sb, "regions=");
	kft_strbuf_addu(sb, (n - 8) / 16, 1);
}

static void parse_cdb(const struct kft_print_ctx *c, const struct kft_expr *const *args,
		      struct kft_strbuf *sb)
{
	struct kft_bytes b = kft_eval_bytes(c, args[1]);
	bool has_actions = false;

	if (b.len == 0)
		return;
	if (b.p[0] == 0x08 || b.p[0] == 0x0a) {
		add_rw6(b, sb);
		return;
	}
	if (b.p[0] == 0x42) {
		add_unmap(b, sb);
		return;
	}
	for (const struct kft_part_command *cmd = kft_scsi_commands; cmd->parts; cmd++) {
		if (cmd->opcode != b.p[0])
			continue;
		if (cmd->action < 0 || cmd->action == action_of(b)) {
			kft_strbuf_adds(sb, cmd->name);
			kft_parts_add(cmd->parts, b, true, sb);
			return;
		}
		has_actions = true;
	}
	kft_strbuf_adds(sb, has_actions && b.p[0] != VARIABLE_LENGTH ? "UNKNOWN" : "-");
}

const struct kft_helper kft_helpers_scsi[] = {
	{"scsi_trace_parse_cdb", "pbn", parse_cdb},
	{},
};
