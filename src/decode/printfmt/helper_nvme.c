// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Prints commands as drivers/nvme/host/trace.c of the kernel does: command
 * dwords 10 to 15, little endian.
 */
#include "decode/printfmt/hexdump.h"
#include "decode/printfmt/helper.h"
#include "decode/printfmt/parts.h"

static void add_all_bytes(const char *label, struct kft_bytes b, struct kft_strbuf *sb)
{
	b.len = KFT_MIN(b.len, (size_t)24);
	kft_strbuf_adds(sb, label);
	kft_bytes_add_hex(b, ' ', sb);
}

static bool add_known(const struct kft_part_command *cmd, uint8_t opcode,
		      struct kft_bytes b, struct kft_strbuf *sb)
{
	while (cmd->parts && cmd->opcode != opcode)
		cmd++;
	if (cmd->parts)
		kft_parts_add(cmd->parts, b, false, sb);
	return cmd->parts;
}

/* NVM Express 5.23: bits 12 and 13 are the upper bits of the LBA format. */
static void add_format(struct kft_bytes b, struct kft_strbuf *sb)
{
	static const struct kft_part rest[] = {
		KFT_PART_BITS(", mset=", 0, 4, 1), KFT_PART_BITS(", pi=", 0, 5, 7),
		KFT_PART_BITS(", pil=", 1, 0, 1), KFT_PART_BITS(", ses=", 1, 1, 7),
		KFT_PART_END};

	kft_strbuf_adds(sb, "lbaf=");
	kft_strbuf_addu(sb, b.len > 1 ? (b.p[1] & 0x30) | (b.p[0] & 0xf) : 0, 1);
	kft_parts_add(rest, b, false, sb);
}

static void parse_admin(const struct kft_print_ctx *c, const struct kft_expr *const *args,
			struct kft_strbuf *sb)
{
	uint8_t opcode = kft_eval_number(c, args[1]);
	struct kft_bytes b = kft_eval_bytes(c, args[2]);

	if (opcode == 0x80)
		add_format(b, sb);
	else if (!add_known(kft_nvme_admin, opcode, b, sb))
		add_all_bytes("cdw10=", b, sb);
}

static void add_zone_send(struct kft_bytes b, struct kft_strbuf *sb)
{
	static const struct kft_part first[] = {KFT_PART("slba=", 0, 8),
						KFT_PART(", zsa=", 12, 1), KFT_PART_END};
	static const struct kft_part last[] = {KFT_PART(", all=", 13, 1), KFT_PART_END};
	static const char *const names[] = {
		[0x01] = "close zone",	 [0x02] = "finish zone",
		[0x03] = "open zone",	 [0x04] = "reset zone",
		[0x05] = "offline zone", [0x10] = "set zone descriptor extension"};
	uint8_t zsa = b.len > 12 ? b.p[12] : 0;

	kft_parts_add(first, b, false, sb);
	kft_strbuf_addc(sb, ':');
	kft_strbuf_adds(sb,
			zsa < ARRAY_SIZE(names) && names[zsa] ? names[zsa] : "reserved");
	kft_parts_add(last, b, false, sb);
}

static void add_zone_receive(struct kft_bytes b, struct kft_strbuf *sb)
{
	static const struct kft_part first[] = {
		KFT_PART("slba=", 0, 8), KFT_PART(", numd=", 8, 4),
		KFT_PART(", zra=", 12, 1), KFT_PART(", zrasf=", 13, 1), KFT_PART_END};
	static const struct kft_part last[] = {KFT_PART(", pr=", 14, 1), KFT_PART_END};
	static const char *const names[] = {
		[0x00] = "list all zones",
		[0x01] = "list the zones in the ZSE: Empty state",
		[0x02] = "list the zones in the ZSIO: Implicitly Opened state",
		[0x03] = "list the zones in the ZSEO: Explicitly Opened state",
		[0x04] = "list the zones in the ZSC: Closed state",
		[0x05] = "list the zones in the ZSF: Full state",
		[0x06] = "list the zones in the ZSRO: Read Only state",
		[0x07] = "list the zones in the ZSO: Offline state",
		[0x09] = "list the zones that have the zone attribute"};
	uint8_t zrasf = b.len > 13 ? b.p[13] : 0;

	kft_parts_add(first, b, false, sb);
	kft_strbuf_addc(sb, ':');
	kft_strbuf_adds(sb, zrasf < ARRAY_SIZE(names) && names[zrasf] ? names[zrasf]
								      : "reserved");
	kft_parts_add(last, b, false, sb);
}

static void parse_nvm(const struct kft_print_ctx *c, const struct kft_expr *const *args,
		      struct kft_strbuf *sb)
{
	uint8_t opcode = kft_eval_number(c, args[1]);
	struct kft_bytes b = kft_eval_bytes(c, args[2]);

	if (opcode == 0x79)
		add_zone_send(b, sb);
	else if (opcode == 0x7a)
		add_zone_receive(b, sb);
	else if (!add_known(kft_nvme_nvm, opcode, b, sb))
		add_all_bytes("cdw10=", b, sb);
}

static void add_auth(const char *length, struct kft_bytes b, struct kft_strbuf *sb)
{
	static const struct kft_part tail = KFT_PART("", 4, 4);
	static const char *const labels[] = {"spsp0=", ", spsp1=", ", secp="};

	for (size_t i = 0; i < ARRAY_SIZE(labels); i++) {
		kft_strbuf_adds(sb, labels[i]);
		kft_strbuf_addx(sb, b.len > i + 1 ? b.p[i + 1] : 0, 2);
	}
	kft_strbuf_adds(sb, length);
	kft_strbuf_addu(sb, kft_part_value(&tail, b, false), 1);
}

static void parse_fabrics(const struct kft_print_ctx *c,
			  const struct kft_expr *const *args, struct kft_strbuf *sb)
{
	uint8_t type = kft_eval_number(c, args[1]);
	struct kft_bytes b = kft_eval_bytes(c, args[2]);

	if (type == 0x05)
		add_auth(", tl=", b, sb);
	else if (type == 0x06)
		add_auth(", al=", b, sb);
	else if (!add_known(kft_nvme_fabrics, type, b, sb))
		add_all_bytes("specific=", b, sb);
}

static void disk_name(const struct kft_print_ctx *c, const struct kft_expr *const *args,
		      struct kft_strbuf *sb)
{
	struct kft_bytes b = kft_eval_bytes(c, args[1]);

	if (b.len == 0 || b.p[0] == '\0')
		return;
	kft_strbuf_adds(sb, "disk=");
	kft_strbuf_add_escaped(sb, (const char *)b.p, strnlen((const char *)b.p, b.len));
	kft_strbuf_adds(sb, ", ");
}

const struct kft_helper kft_helpers_nvme[] = {
	{"nvme_trace_disk_name", "pb", disk_name},
	{"nvme_trace_parse_admin_cmd", "pnb", parse_admin},
	{"nvme_trace_parse_nvm_cmd", "pnb", parse_nvm},
	{"nvme_trace_parse_fabrics_cmd", "pnb", parse_fabrics},
	{},
};
