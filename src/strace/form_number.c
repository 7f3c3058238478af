// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes numbers of system calls. */
#include "strace/forms.h"

#include <fcntl.h>

static int64_t sign_extended(const struct kft_strace_text *t, uint64_t v)
{
	return t->word == 4 ? (int32_t)v : (int64_t)v;
}

static uint64_t cut(const struct kft_strace_text *t, uint64_t v)
{
	return t->word == 4 ? (uint32_t)v : v;
}

void kft_form_size(struct kft_strace_text *t, uint64_t v)
{
	kft_strbuf_addu(t->sb, cut(t, v), 1);
}

void kft_form_long(struct kft_strace_text *t, uint64_t v)
{
	kft_strbuf_addi(t->sb, sign_extended(t, v));
}

void kft_form_hex(struct kft_strace_text *t, uint64_t v)
{
	kft_strace_hex(t, cut(t, v));
}

void kft_form_hex32(struct kft_strace_text *t, uint64_t v)
{
	kft_strace_hex(t, (uint32_t)v);
}

/* The offset of mmap2 counts units of 4096 bytes. */
void kft_form_hex_pages(struct kft_strace_text *t, uint64_t v)
{
	kft_strace_hex(t, v * 4096);
}

/* The upper half of an offset, which 64-bit programs pass in the argument before. */
void kft_form_hidden(struct kft_strace_text *t, uint64_t v)
{
	unsigned int next = t->at + 1;

	if (next >= KFT_CALL_ARGS || !t->signature->args[next])
		t->ended = true;
	else
		t->skipped = true;
}

/* The upper half follows, as an argument that is not shown. */
void kft_form_offset_pair(struct kft_strace_text *t, uint64_t v)
{
	kft_strbuf_addi(t->sb,
			(int64_t)((uint32_t)v | kft_strace_arg(t, t->at + 1) << 32));
	t->at++;
}

/* Here the upper half comes first. */
void kft_form_offset_high(struct kft_strace_text *t, uint64_t v)
{
	kft_strbuf_addi(t->sb,
			(int64_t)(v << 32 | (uint32_t)kft_strace_arg(t, t->at + 1)));
	t->at++;
}

void kft_form_unsigned(struct kft_strace_text *t, uint64_t v)
{
	kft_strbuf_addu(t->sb, (uint32_t)v, 1);
}

void kft_form_id(struct kft_strace_text *t, uint64_t v)
{
	kft_strace_id(t, (uint32_t)v);
}

void kft_form_pid(struct kft_strace_text *t, uint64_t v)
{
	kft_strbuf_addi(t->sb, (int32_t)v);
}

void kft_form_fd(struct kft_strace_text *t, uint64_t v)
{
	kft_strace_fd(t, (int32_t)v);
}

void kft_form_fd_anonymous(struct kft_strace_text *t, uint64_t v)
{
	kft_strace_fd(t, (int32_t)v);
}

void kft_form_key(struct kft_strace_text *t, uint64_t v)
{
	if (v)
		kft_strace_hex(t, (uint32_t)v);
	else
		kft_strbuf_adds(t->sb, "IPC_PRIVATE");
}

/* The new address is an argument only with MREMAP_FIXED, which needs MREMAP_MAYMOVE. */
void kft_form_mremap_to(struct kft_strace_text *t, uint64_t v)
{
	if ((kft_strace_arg(t, t->at - 1) & 3) == 3)
		kft_strace_address(t, v);
	else
		t->ended = true;
}

/* The value form of futex writes these. */
void kft_form_futex_timeout(struct kft_strace_text *t, uint64_t v)
{
	kft_strace_address(t, v);
}

void kft_form_futex_timeout64(struct kft_strace_text *t, uint64_t v)
{
	kft_strace_address(t, v);
}

void kft_form_futex_addr2(struct kft_strace_text *t, uint64_t v)
{
	kft_strace_address(t, v);
}

void kft_form_futex_value3(struct kft_strace_text *t, uint64_t v)
{
	kft_strace_hex(t, (uint32_t)v);
}
