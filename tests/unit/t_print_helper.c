// SPDX-License-Identifier: GPL-2.0-only
#include "printing.h"

static struct printing p;

static int finish(void **state)
{
	printing_finish(&p);
	p = (struct printing){};
	return 0;
}

static void expect(const void *bytes, size_t n, const char *fmt, const char *want)
{
	memcpy(p.record + 16, bytes, n);
	p.size = 48;
	printing_class(&p, "s", "e",
		       "\tfield:u32 n;\toffset:8;\tsize:4;\tsigned:0;\n"
		       "\tfield:u8 b[32];\toffset:16;\tsize:32;\tsigned:0;\n",
		       fmt, 8);
	assert_string_equal(printing_info(&p), want);
	finish(NULL);
}

static void scsi(const char *cdb, size_t n, const char *want)
{
	expect(cdb, n, "\"%s\", scsi_trace_parse_cdb(p, REC->b, 32)", want);
}

#define SCSI(cdb, want) scsi(cdb, sizeof(cdb) - 1, want)

static void scsi_commands(void **state)
{
	SCSI("\x08\x21\x02\x03\x00", "lba=66051 txlen=256");
	SCSI("\x28\xa0\x00\x00\x10\x00\x00\x00\x08", "lba=4096 txlen=8 protect=5");
	SCSI("\x41\x08\x00\x00\x10\x00\x00\x00\x08",
	     "lba=4096 txlen=8 protect=0 unmap=1");
	SCSI("\xa8\x00\x00\x00\x00\x01\x00\x00\x01\x00", "lba=1 txlen=256 protect=0");
	SCSI("\x8a\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x10",
	     "lba=4294967296 txlen=16 protect=0");
	SCSI("\x42\0\0\0\0\0\0\x00\x18", "regions=1");
	SCSI("\x9e\x10\0\0\0\0\0\0\0\x05\0\0\0\x20",
	     "READ_CAPACITY_16 lba=5 alloc_len=32");
	SCSI("\x9e\x1f", "UNKNOWN");
	SCSI("\xa3\x0c\0\0\0\0\0\0\x02\x00",
	     "REPORT_SUPPORTED_OPERATION_CODES alloc_len=512");
	SCSI("\x7f\0\0\0\0\0\0\0\0\x0d\x28\0\0\0\0\0\0\0\0\x07\0\0\0\x09\0\0\0\0\0\0\0\x03",
	     "WRITE_SAME_32 lba=7 txlen=3 protect=1 ei_lbrt=9 unmap=1");
	SCSI("\x7f\0\0\0\0\0\0\0\0\xff", "-");
	SCSI("\x95\x00\0\0\0\0\0\0\0\x09\0\0\x01\0\xbf",
	     "REPORT_ZONES zone=9 alloc_len=256 options=63 partial=1");
	SCSI("\x94\x04\0\0\0\0\0\0\0\x09\0\0\0\0\x01",
	     "RESET_WRITE_POINTER zone=9 all=1");
	SCSI("\x12\x00", "-");
}

static void ata_words(void **state)
{
	uint8_t none[1] = {};

	expect(none, 1,
	       "\"%s %s\", libata_trace_parse_status(p, 0x51), "
	       "libata_trace_parse_host_stat(p, 0)",
	       "{ DRDY DSC ERR } { }");
	expect(none, 1,
	       "\"%s %s\", libata_trace_parse_eh_action(p, 6), "
	       "libata_trace_parse_eh_err_mask(p, 0)",
	       "6{ RESET } 0");
	expect(none, 1,
	       "\"%s %s\", libata_trace_parse_qc_flags(p, 0x10009), "
	       "libata_trace_parse_tf_flags(p, 0x43)",
	       "10009{ ACTIVE IO FAILED } 43{ LBA48 ISADDR POLL }");
	expect(none, 1,
	       "\"%s%s%s%s|\", libata_trace_parse_subcmd(p, 0x64, 0, 0x20), "
	       "libata_trace_parse_subcmd(p, 0x9f, 4, 0), "
	       "libata_trace_parse_subcmd(p, 0x65, 9, 1), libata_trace_parse_subcmd(p, 1, 1, 1)",
	       " DATASET_MANAGEMENT RESET_WRITE_POINTER READ_LOG_DMA_EXT|");
	expect(none, 1,
	       "\"%s\", __print_symbolic(0xec, { ATA_CMD_ID_ATA, \"ATA_CMD_ID_ATA\" })",
	       "ATA_CMD_ID_ATA");
}

static void nvme_commands(void **state)
{
	static const char rw[] = "\x01\x02\0\0\0\0\0\0\x07\0\x00\x40\x05\0\0\0\x09";

	expect(rw, sizeof(rw), "\"%s\", nvme_trace_parse_nvm_cmd(p, 2, REC->b)",
	       "slba=513, len=7, ctrl=0x4000, dsmgmt=5, reftag=9");
	expect(rw, sizeof(rw), "\"%s\", nvme_trace_parse_nvm_cmd(p, 0x79, REC->b)",
	       "slba=513, zsa=5:offline zone, all=0");
	expect(rw, sizeof(rw), "\"%s\", nvme_trace_parse_nvm_cmd(p, 0x7a, REC->b)",
	       "slba=513, numd=1073741831, zra=5, zrasf=0:list all zones, pr=0");
	expect("\x12\x35\0\x88", 4, "\"%s\", nvme_trace_parse_admin_cmd(p, 0x80, REC->b)",
	       "lbaf=50, mset=1, pi=0, pil=1, ses=2");
	expect("\x12\x35\0\x88", 4, "\"%s\", nvme_trace_parse_admin_cmd(p, 9, REC->b)",
	       "fid=0x12, sv=0x8, cdw11=0x0");
	expect("\x01\x02", 2, "\"%s\", nvme_trace_parse_admin_cmd(p, 0x7f, REC->b)",
	       "cdw10=01 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00");
	expect("\0\x01\x02\x03\x04", 5,
	       "\"%s\", nvme_trace_parse_fabrics_cmd(p, 5, REC->b)",
	       "spsp0=01, spsp1=02, secp=03, tl=4");
	expect("nvme0n1\0xx", 10, "\"%sq\", nvme_trace_disk_name(p, REC->b)",
	       "disk=nvme0n1, q");
	expect("\0xx", 3, "\"%sq\", nvme_trace_disk_name(p, REC->b)", "q");
}

static void single_words(void **state)
{
	uint8_t none[1] = {};

	expect(none, 1,
	       "\"%s %s %s %s %s\", str_yes_no(1), str_on_off(0), mc_event_error_type(3), "
	       "xen_hypercall_name(1), cper_severity_str(9)",
	       "yes off Fatal mmu_update unknown");
	expect(none, 1,
	       "\"%s %s|%s\", snd_pcm_direction_name(1), xhci_ring_type_string(6), "
	       "xen_hypercall_name(999)",
	       "Capture EVENT|");
}

static void unknown_calls_matter_only_where_they_are_reached(void **state)
{
	uint8_t none[1] = {};

	expect(none, 1,
	       "\"%d\", __builtin_constant_p(8) ? 64 - __builtin_clzll(8) : __ilog2_u64(8)",
	       "4");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_teardown(scsi_commands, finish),
	cmocka_unit_test_teardown(ata_words, finish),
	cmocka_unit_test_teardown(nvme_commands, finish),
	cmocka_unit_test_teardown(single_words, finish),
	cmocka_unit_test_teardown(unknown_calls_matter_only_where_they_are_reached,
				  finish),
};

T_MAIN(tests)
