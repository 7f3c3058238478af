// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Prints commands as drivers/nvme/host/trace.c of the kernel does: command
 * dwords 10 to 15, little endian.
 */
#include "decode/printfmt/hexdump.h"
#include "decode/printfmt/helper.h"
#include "decode/printfmt/parts.h"

static const struct kft_part delete_sq[] = {KFT_PART("sqid=", 0, 2), KFT_PART_END};
static const struct kft_part create_sq[] = {
	KFT_PART("sqid=", 0, 2), KFT_PART(", qsize=", 2, 2),
	KFT_PART_HEX(", sq_flags=0x", 4, 2), KFT_PART(", cqid=", 6, 2), KFT_PART_END};
static const struct kft_part delete_cq[] = {KFT_PART("cqid=", 0, 2), KFT_PART_END};
static const struct kft_part create_cq[] = {
	KFT_PART("cqid=", 0, 2), KFT_PART(", qsize=", 2, 2),
	KFT_PART_HEX(", cq_flags=0x", 4, 2), KFT_PART(", irq_vector=", 6, 2),
	KFT_PART_END};
static const struct kft_part identify[] = {KFT_PART("cns=", 0, 1),
					   KFT_PART(", ctrlid=", 2, 2), KFT_PART_END};
static const struct kft_part set_features[] = {KFT_PART_HEX("fid=0x", 0, 1),
					       {", sv=0x", 3, 1, 0, 0x8, 'x'},
					       KFT_PART_HEX(", cdw11=0x", 4, 4),
					       KFT_PART_END};
static const struct kft_part get_features[] = {KFT_PART_HEX("fid=0x", 0, 1),
					       {", sel=0x", 1, 1, 0, 0x7, 'x'},
					       KFT_PART_HEX(", cdw11=0x", 4, 4),
					       KFT_PART_END};
static const struct kft_part get_lba_status[] = {
	KFT_PART_HEX("slba=0x", 0, 8), KFT_PART_HEX(", mndw=0x", 8, 4),
	KFT_PART_HEX(", rl=0x", 12, 2), KFT_PART(", atype=", 15, 1), KFT_PART_END};
static const struct kft_part read_write[] = {
	KFT_PART("slba=", 0, 8),	  KFT_PART(", len=", 8, 2),
	KFT_PART_HEX(", ctrl=0x", 10, 2), KFT_PART(", dsmgmt=", 12, 4),
	KFT_PART(", reftag=", 16, 4),	  KFT_PART_END};
static const struct kft_part dsm[] = {KFT_PART("nr=", 0, 4),
				      KFT_PART(", attributes=", 4, 4), KFT_PART_END};
static const struct kft_part resv_register[] = {
	KFT_PART_BITS("rrega=", 0, 0, 7), KFT_PART_BITS(", iekey=", 0, 3, 1),
	KFT_PART_BITS(", ptpl=", 3, 6, 3), KFT_PART_END};
static const struct kft_part resv_acquire[] = {KFT_PART_BITS("racqa=", 0, 0, 7),
					       KFT_PART_BITS(", iekey=", 0, 3, 1),
					       KFT_PART(", rtype=", 1, 1), KFT_PART_END};
static const struct kft_part resv_release[] = {KFT_PART_BITS("rrela=", 0, 0, 7),
					       KFT_PART_BITS(", iekey=", 0, 3, 1),
					       KFT_PART(", rtype=", 1, 1), KFT_PART_END};
static const struct kft_part resv_report[] = {
	KFT_PART("numd=", 0, 4), KFT_PART_BITS(", eds=", 4, 0, 1), KFT_PART_END};
static const struct kft_part property_set[] = {
	KFT_PART("attrib=", 0, 1), KFT_PART_HEX(", ofst=0x", 4, 4),
	KFT_PART_HEX(", value=0x", 8, 8), KFT_PART_END};
static const struct kft_part property_get[] = {
	KFT_PART("attrib=", 0, 1), KFT_PART_HEX(", ofst=0x", 4, 4), KFT_PART_END};
static const struct kft_part connect[] = {
	KFT_PART("recfmt=", 0, 2),   KFT_PART(", qid=", 2, 2),
	KFT_PART(", sqsize=", 4, 2), KFT_PART(", cattr=", 6, 1),
	KFT_PART(", kato=", 8, 4),   KFT_PART_END};

struct command {
	uint8_t opcode;
	const struct kft_part *parts;
};

static const struct command admin[] = {
	{0x00, delete_sq},    {0x01, create_sq},      {0x04, delete_cq},
	{0x05, create_cq},    {0x06, identify},	      {0x09, set_features},
	{0x0a, get_features}, {0x86, get_lba_status},
};
static const struct command nvm[] = {
	{0x01, read_write},   {0x02, read_write},   {0x08, read_write},
	{0x7d, read_write},   {0x09, dsm},	    {0x0d, resv_register},
	{0x11, resv_acquire}, {0x15, resv_release}, {0x0e, resv_report},
};
static const struct command fabrics[] = {
	{0x00, property_set}, {0x01, connect}, {0x04, property_get}};

static void add_all_bytes(const char *label, struct kft_bytes b, struct kft_strbuf *sb)
{
	b.len = KFT_MIN(b.len, (size_t)24);
	kft_strbuf_adds(sb, label);
	kft_bytes_add_hex(b, ' ', sb);
}

static bool add_known(const struct command *cmds, size_t n, uint8_t opcode,
		      struct kft_bytes b, struct kft_strbuf *sb)
{
	for (size_t i = 0; i < n; i++) {
		if (cmds[i].opcode == opcode) {
			kft_parts_add(cmds[i].parts, b, false, sb);
			return true;
		}
	}
	return false;
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
	else if (!add_known(admin, ARRAY_SIZE(admin), opcode, b, sb))
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
	else if (!add_known(nvm, ARRAY_SIZE(nvm), opcode, b, sb))
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
	else if (!add_known(fabrics, ARRAY_SIZE(fabrics), type, b, sb))
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
