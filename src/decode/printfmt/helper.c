// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the kernel functions that print formats call. */
#include "decode/printfmt/helper.h"

/* Prints one of two words, as in include/linux/string_choices.h. */
static void add_choice(const struct kft_print_ctx *c, const struct kft_expr *const *args,
		       const char *yes, const char *no, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, kft_eval_number(c, args[0]) ? yes : no);
}

#define CHOICE(fn, yes, no)                                                       \
	static void fn(const struct kft_print_ctx *c,                             \
		       const struct kft_expr *const *args, struct kft_strbuf *sb) \
	{                                                                         \
		add_choice(c, args, yes, no, sb);                                 \
	}

CHOICE(yes_no, "yes", "no")
CHOICE(on_off, "on", "off")
CHOICE(enable_disable, "enable", "disable")
CHOICE(enabled_disabled, "enabled", "disabled")
CHOICE(true_false, "true", "false")
CHOICE(read_write, "read", "write")
CHOICE(high_low, "high", "low")
CHOICE(up_down, "up", "down")

/* include/linux/edac.h */
static void mc_event_error_type(const struct kft_print_ctx *c,
				const struct kft_expr *const *args, struct kft_strbuf *sb)
{
	static const char *const names[] = {"Corrected", "Uncorrected", "Deferred",
					    "Fatal"};
	uint64_t v = kft_eval_number(c, args[0]);

	kft_strbuf_adds(sb, v < ARRAY_SIZE(names) ? names[v] : "Info");
}

/* drivers/firmware/efi/cper.c */
static void cper_severity_str(const struct kft_print_ctx *c,
			      const struct kft_expr *const *args, struct kft_strbuf *sb)
{
	static const char *const names[] = {"recoverable", "fatal", "corrected", "info"};
	uint64_t v = kft_eval_number(c, args[0]);

	kft_strbuf_adds(sb, v < ARRAY_SIZE(names) ? names[v] : "unknown");
}

/* arch/x86/xen/trace.c */
static void xen_hypercall_name(const struct kft_print_ctx *c,
			       const struct kft_expr *const *args, struct kft_strbuf *sb)
{
	uint64_t v = kft_eval_number(c, args[0]);

	if (v < KFT_XEN_HYPERCALLS && kft_xen_hypercalls[v])
		kft_strbuf_adds(sb, kft_xen_hypercalls[v]);
}

/* sound/core/pcm.c */
static void snd_pcm_direction_name(const struct kft_print_ctx *c,
				   const struct kft_expr *const *args,
				   struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, kft_eval_number(c, args[0]) ? "Capture" : "Playback");
}

/* drivers/usb/host/xhci.h */
static void xhci_ring_type_string(const struct kft_print_ctx *c,
				  const struct kft_expr *const *args,
				  struct kft_strbuf *sb)
{
	static const char *const names[] = {"CTRL",   "ISOC",	 "BULK", "INTR",
					    "STREAM", "COMMAND", "EVENT"};
	uint64_t v = kft_eval_number(c, args[0]);

	kft_strbuf_adds(sb, v < ARRAY_SIZE(names) ? names[v] : "UNKNOWN");
}

static const struct kft_helper helpers[] = {
	{"str_yes_no", "n", yes_no},
	{"str_on_off", "n", on_off},
	{"str_enable_disable", "n", enable_disable},
	{"str_enabled_disabled", "n", enabled_disabled},
	{"str_true_false", "n", true_false},
	{"str_read_write", "n", read_write},
	{"str_high_low", "n", high_low},
	{"str_up_down", "n", up_down},
	{"mc_event_error_type", "n", mc_event_error_type},
	{"cper_severity_str", "n", cper_severity_str},
	{"xhci_ring_type_string", "n", xhci_ring_type_string},
	{"xen_hypercall_name", "n", xen_hypercall_name},
	{"snd_pcm_direction_name", "n", snd_pcm_direction_name},
	{},
};

static const struct kft_helper *const all[] = {helpers, kft_helpers_ata, kft_helpers_nvme,
					       kft_helpers_scsi};

const struct kft_helper *kft_helper_find(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		for (const struct kft_helper *h = all[i]; h->name; h++)
			if (strlen(h->name) == len && memcmp(h->name, name, len) == 0)
				return h;
	return NULL;
}
