// SPDX-License-Identifier: LGPL-2.1-or-later
/* Describes signals and page faults. */
#include "derive/kinds/kinds.h"
#include "model/syscall.h"
#include "output/plain/words.h"

void kft_plain_add_signal(uint64_t number, struct kft_strbuf *sb)
{
	kft_interval_key_text(NULL, &kft_kind_signal, number, sb);
}

static bool send(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	kft_strbuf_adds(sb, "send ");
	kft_plain_add_signal(e->values[0], sb);
	kft_strbuf_adds(sb, " to ");
	kft_plain_add_task(e, 1, (int32_t)e->values[2], sb);
	return true;
}

static bool deliver(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	kft_plain_add_signal(e->values[0], sb);
	kft_strbuf_adds(sb, " is delivered");
	kft_plain_add_end(e, &kft_kind_signal, ", ", " after it was sent", sb);
	return true;
}

/*
 * The error_code of x86: Documentation/arch/x86/exception-tables.rst and asm/trap_pf.h.
 */
static bool fault(const struct kft_plain_event *e, struct kft_strbuf *sb)
{
	const struct kft_plain *plain = e->report->plain;
	const char *machine = plain->syscalls ? kft_syscalls_machine(plain->syscalls)
					      : "";
	uint64_t code = e->values[2];

	kft_strbuf_adds(sb, "page fault at ");
	kft_plain_add_function(e, e->values[0], sb);
	if (e->values[1] != e->values[0]) {
		kft_strbuf_adds(sb, " by ");
		kft_plain_add_function(e, e->values[1], sb);
	}
	if (machine[0] == 'i' || machine[0] == 'x')
		kft_strbuf_adds(sb, code & 0x10	 ? " (execute)"
				    : code & 0x2 ? " (write)"
						 : " (read)");
	return true;
}

/* clang-format off */
const struct kft_plain_words kft_plain_signals[] = {
	{"signal", "signal_generate", {"sig", "comm", "pid"}, KFT_PLAIN_TASK, send},
	{"signal", "signal_deliver", {"sig"}, KFT_PLAIN_TASK, deliver},
	{"exceptions", "page_fault_user", {"address", "ip", "error_code"},
	 KFT_PLAIN_INTERRUPT, fault},
	{"exceptions", "page_fault_kernel", {"address", "ip", "error_code"},
	 KFT_PLAIN_INTERRUPT, fault},
	{},
};
/* clang-format on */
