// SPDX-License-Identifier: LGPL-2.1-or-later
/* Prints command descriptor blocks as drivers/scsi/scsi_trace.c of the kernel does. */
#include "decode/printfmt/helper.h"
#include "decode/printfmt/parts.h"

static const struct kft_part rw10[] = {KFT_PART("lba=", 2, 4), KFT_PART(" txlen=", 7, 2),
				       KFT_PART_BITS(" protect=", 1, 5, 7), KFT_PART_END};
static const struct kft_part rw12[] = {KFT_PART("lba=", 2, 4), KFT_PART(" txlen=", 6, 4),
				       KFT_PART_BITS(" protect=", 1, 5, 7), KFT_PART_END};
static const struct kft_part rw16[] = {KFT_PART("lba=", 2, 8), KFT_PART(" txlen=", 10, 4),
				       KFT_PART_BITS(" protect=", 1, 5, 7), KFT_PART_END};
static const struct kft_part rw32[] = {
	KFT_PART("_32 lba=", 12, 8), KFT_PART(" txlen=", 28, 4),
	KFT_PART_BITS(" protect=", 10, 5, 7), KFT_PART(" ei_lbrt=", 20, 4), KFT_PART_END};
static const struct kft_part unmap_bit[] = {KFT_PART_BITS(" unmap=", 1, 3, 1),
					    KFT_PART_END};
static const struct kft_part unmap_bit32[] = {KFT_PART_BITS(" unmap=", 10, 3, 1),
					      KFT_PART_END};
static const struct kft_part action_in[] = {KFT_PART(" lba=", 2, 8),
					    KFT_PART(" alloc_len=", 10, 4), KFT_PART_END};
static const struct kft_part maintenance[] = {KFT_PART(" alloc_len=", 6, 4),
					      KFT_PART_END};
static const struct kft_part zbc_in[] = {
	KFT_PART(" zone=", 2, 8), KFT_PART(" alloc_len=", 10, 4),
	KFT_PART_BITS(" options=", 14, 0, 0x3f), KFT_PART_BITS(" partial=", 14, 7, 1),
	KFT_PART_END};
static const struct kft_part zbc_out[] = {KFT_PART(" zone=", 2, 8),
					  KFT_PART_BITS(" all=", 14, 0, 1), KFT_PART_END};
static const struct kft_part atomic16[] = {
	KFT_PART("lba=", 2, 8), KFT_PART(" txlen=", 12, 2),
	KFT_PART(" boundary_size=", 10, 2), KFT_PART_END};

/* A command, identified by its first byte and, if it has one, its service action. */
struct command {
	uint8_t opcode;
	int action; /* -1: the command has no service action */
	const char *name; /* printed first; NULL: no name */
	const struct kft_part *parts;
	const struct kft_part *more; /* may be NULL */
};

#define VARIABLE_LENGTH 0x7f

static const struct command commands[] = {
	{0x28, -1, NULL, rw10, NULL},
	{0x2a, -1, NULL, rw10, NULL},
	{0x2f, -1, NULL, rw10, NULL},
	{0x41, -1, NULL, rw10, unmap_bit},
	{0xa8, -1, NULL, rw12, NULL},
	{0xaa, -1, NULL, rw12, NULL},
	{0xaf, -1, NULL, rw12, NULL},
	{0x88, -1, NULL, rw16, NULL},
	{0x8a, -1, NULL, rw16, NULL},
	{0x8f, -1, NULL, rw16, NULL},
	{0x93, -1, NULL, rw16, unmap_bit},
	{0x9c, -1, NULL, atomic16, NULL},
	{0x9e, 0x10, "READ_CAPACITY_16", action_in, NULL},
	{0x9e, 0x12, "GET_LBA_STATUS", action_in, NULL},
	{VARIABLE_LENGTH, 0x09, "READ", rw32, NULL},
	{VARIABLE_LENGTH, 0x0a, "VERIFY", rw32, NULL},
	{VARIABLE_LENGTH, 0x0b, "WRITE", rw32, NULL},
	{VARIABLE_LENGTH, 0x0d, "WRITE_SAME", rw32, unmap_bit32},
	{0xa3, 0x05, "REPORT_IDENTIFYING_INFORMATION", maintenance, NULL},
	{0xa3, 0x0a, "REPORT_TARGET_PORT_GROUPS", maintenance, NULL},
	{0xa3, 0x0b, "REPORT_ALIASES", maintenance, NULL},
	{0xa3, 0x0c, "REPORT_SUPPORTED_OPERATION_CODES", maintenance, NULL},
	{0xa3, 0x0d, "REPORT_SUPPORTED_TASK_MANAGEMENT_FUNCTIONS", maintenance, NULL},
	{0xa3, 0x0e, "REPORT_PRIORITY", maintenance, NULL},
	{0xa3, 0x0f, "REPORT_TIMESTAMP", maintenance, NULL},
	{0xa3, 0x10, "MANAGEMENT_PROTOCOL_IN", maintenance, NULL},
	{0xa4, 0x06, "SET_IDENTIFYING_INFORMATION", maintenance, NULL},
	{0xa4, 0x0a, "SET_TARGET_PORT_GROUPS", maintenance, NULL},
	{0xa4, 0x0b, "CHANGE_ALIASES", maintenance, NULL},
	{0xa4, 0x0e, "SET_PRIORITY", maintenance, NULL},
	{0xa4, 0x0f, "SET_TIMESTAMP", maintenance, NULL},
	{0xa4, 0x10, "MANAGEMENT_PROTOCOL_OUT", maintenance, NULL},
	{0x95, 0x00, "REPORT_ZONES", zbc_in, NULL},
	{0x94, 0x01, "CLOSE_ZONE", zbc_out, NULL},
	{0x94, 0x02, "FINISH_ZONE", zbc_out, NULL},
	{0x94, 0x03, "OPEN_ZONE", zbc_out, NULL},
	{0x94, 0x04, "RESET_WRITE_POINTER", zbc_out, NULL},
};

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

static void add_command(const struct command *cmd, struct kft_bytes b,
			struct kft_strbuf *sb)
{
	if (cmd->name)
		kft_strbuf_adds(sb, cmd->name);
	kft_parts_add(cmd->parts, b, true, sb);
	if (cmd->more)
		kft_parts_add(cmd->more, b, true, sb);
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
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		if (commands[i].opcode != b.p[0])
			continue;
		if (commands[i].action < 0 || commands[i].action == action_of(b)) {
			add_command(&commands[i], b, sb);
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
