// SPDX-License-Identifier: LGPL-2.1-or-later
/* drivers/ata/libata-trace.c of the kernel */
#include "decode/printfmt/helper.h"

struct bit {
	uint32_t mask;
	const char *name;
};

/* Appends "{ A B }". */
static void add_bits(const struct bit *bits, size_t n, uint64_t v, struct kft_strbuf *sb)
{
	kft_strbuf_add(sb, "{ ", 2);
	for (size_t i = 0; i < n; i++) {
		if (!(v & bits[i].mask))
			continue;
		kft_strbuf_adds(sb, bits[i].name);
		kft_strbuf_addc(sb, ' ');
	}
	kft_strbuf_addc(sb, '}');
}

/* Appends "3{ A B }", or "0" without any bits. */
static void add_value_and_bits(const struct bit *bits, size_t n, uint64_t v,
			       struct kft_strbuf *sb)
{
	kft_strbuf_addx(sb, v, 1);
	if (v)
		add_bits(bits, n, v, sb);
}

static void parse_status(const struct kft_print_ctx *c,
			 const struct kft_expr *const *args, struct kft_strbuf *sb)
{
	static const struct bit bits[] = {{0x80, "BUSY"},  {0x40, "DRDY"}, {0x20, "DF"},
					  {0x10, "DSC"},   {0x08, "DRQ"},  {0x04, "CORR"},
					  {0x02, "SENSE"}, {0x01, "ERR"}};

	add_bits(bits, ARRAY_SIZE(bits), kft_eval_number(c, args[1]), sb);
}

static void parse_host_stat(const struct kft_print_ctx *c,
			    const struct kft_expr *const *args, struct kft_strbuf *sb)
{
	static const struct bit bits[] = {
		{0x04, "INTR"}, {0x02, "ERR"}, {0x01, "ACTIVE"}};

	add_bits(bits, ARRAY_SIZE(bits), kft_eval_number(c, args[1]), sb);
}

static void parse_eh_action(const struct kft_print_ctx *c,
			    const struct kft_expr *const *args, struct kft_strbuf *sb)
{
	/* The kernel prints RESET for either of soft and hard reset. */
	static const struct bit bits[] = {{0x01, "REVALIDATE"},
					  {0x06, "RESET"},
					  {0x08, "ENABLE_LINK"},
					  {0x20, "PARK"}};

	add_value_and_bits(bits, ARRAY_SIZE(bits), (uint32_t)kft_eval_number(c, args[1]),
			   sb);
}

static void parse_eh_err_mask(const struct kft_print_ctx *c,
			      const struct kft_expr *const *args, struct kft_strbuf *sb)
{
	static const struct bit bits[] = {
		{1 << 0, "DEV"},	{1 << 1, "HSM"},     {1 << 2, "TIMEOUT"},
		{1 << 3, "MEDIA"},	{1 << 4, "ATA_BUS"}, {1 << 5, "HOST_BUS"},
		{1 << 6, "SYSTEM"},	{1 << 7, "INVALID"}, {1 << 8, "OTHER"},
		{1 << 9, "NODEV_HINT"}, {1 << 10, "NCQ"}};

	add_value_and_bits(bits, ARRAY_SIZE(bits), (uint32_t)kft_eval_number(c, args[1]),
			   sb);
}

static void parse_qc_flags(const struct kft_print_ctx *c,
			   const struct kft_expr *const *args, struct kft_strbuf *sb)
{
	static const struct bit bits[] = {
		{1 << 0, "ACTIVE"},	  {1 << 1, "DMAMAP"},
		{1 << 3, "IO"},		  {1 << 4, "RESULT_TF"},
		{1 << 5, "CLEAR_EXCL"},	  {1 << 6, "QUIET"},
		{1 << 7, "RETRY"},	  {1 << 16, "FAILED"},
		{1 << 17, "SENSE_VALID"}, {1 << 18, "EH_SCHEDULED"}};

	add_value_and_bits(bits, ARRAY_SIZE(bits), (uint32_t)kft_eval_number(c, args[1]),
			   sb);
}

static void parse_tf_flags(const struct kft_print_ctx *c,
			   const struct kft_expr *const *args, struct kft_strbuf *sb)
{
	static const struct bit bits[] = {
		{1 << 0, "LBA48"}, {1 << 1, "ISADDR"}, {1 << 2, "DEV"}, {1 << 3, "WRITE"},
		{1 << 4, "LBA"},   {1 << 5, "FUA"},    {1 << 6, "POLL"}};

	add_value_and_bits(bits, ARRAY_SIZE(bits), (uint32_t)kft_eval_number(c, args[1]),
			   sb);
}

struct subcommand {
	uint8_t cmd;
	uint8_t sub;
	const char *text;
};

enum {
	ZAC_MGMT_IN = 0x4a,
	NCQ_NON_DATA = 0x63,
	FPDMA_SEND = 0x64,
	FPDMA_RECV = 0x65,
	ZAC_MGMT_OUT = 0x9f,
};

static const struct subcommand subcommands[] = {
	{FPDMA_RECV, 0x01, " READ_LOG_DMA_EXT"},
	{FPDMA_RECV, 0x02, " ZAC_MGMT_IN"},
	{FPDMA_SEND, 0x02, " WRITE_LOG_DMA_EXT"},
	{FPDMA_SEND, 0x00, " DATASET_MANAGEMENT"},
	{NCQ_NON_DATA, 0x00, " ABORT_QUEUE"},
	{NCQ_NON_DATA, 0x05, " SET_FEATURES"},
	{NCQ_NON_DATA, 0x06, " ZERO_EXT"},
	{NCQ_NON_DATA, 0x07, " ZAC_MGMT_OUT"},
	{ZAC_MGMT_IN, 0x00, " REPORT_ZONES"},
	{ZAC_MGMT_OUT, 0x01, " CLOSE_ZONE"},
	{ZAC_MGMT_OUT, 0x02, " FINISH_ZONE"},
	{ZAC_MGMT_OUT, 0x03, " OPEN_ZONE"},
	{ZAC_MGMT_OUT, 0x04, " RESET_WRITE_POINTER"},
};

/* args: p, command, feature, high-order byte of the count */
static void parse_subcmd(const struct kft_print_ctx *c,
			 const struct kft_expr *const *args, struct kft_strbuf *sb)
{
	uint8_t cmd = kft_eval_number(c, args[1]);
	uint8_t sub = kft_eval_number(c, args[2]);

	if (cmd == FPDMA_RECV || cmd == FPDMA_SEND)
		sub = kft_eval_number(c, args[3]) & 0x5f;
	for (size_t i = 0; i < ARRAY_SIZE(subcommands); i++)
		if (subcommands[i].cmd == cmd && subcommands[i].sub == sub)
			kft_strbuf_adds(sb, subcommands[i].text);
}

const struct kft_helper kft_helpers_ata[] = {
	{"libata_trace_parse_status", "pn", parse_status},
	{"libata_trace_parse_host_stat", "pn", parse_host_stat},
	{"libata_trace_parse_eh_action", "pn", parse_eh_action},
	{"libata_trace_parse_eh_err_mask", "pn", parse_eh_err_mask},
	{"libata_trace_parse_qc_flags", "pn", parse_qc_flags},
	{"libata_trace_parse_tf_flags", "pn", parse_tf_flags},
	{"libata_trace_parse_subcmd", "pnnn", parse_subcmd},
	{},
};
