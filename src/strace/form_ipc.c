// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes messages, semaphores and shared memory of System V. */
#include "strace/forms.h"

#include "strace/members.h"

static const struct kft_member sembuf[] = {
	{"sem_num", KFT_MEMBER_SHORT},
	{"sem_op", KFT_MEMBER_SHORT_INT},
	{"sem_flg", KFT_MEMBER_SHORT_SET, &kft_arg_semop},
	{}};

/* Flags and permissions in one number: "IPC_CREAT|0600". */
static void add_get(struct kft_strace_text *t, const struct kft_arg_type *type,
		    uint32_t flags, uint32_t mode)
{
	if (flags) {
		kft_strace_set(t, type, flags);
		kft_strbuf_addc(t->sb, '|');
	}
	kft_strbuf_addf(t->sb, "%#03o", mode);
}

void kft_form_ipc_get(struct kft_strace_text *t, uint64_t v)
{
	add_get(t, &kft_arg_ipc_flags, (uint32_t)v & ~UINT32_C(0777), v & 0777);
}

/* The upper bits are the logarithm of the size of pages. */
void kft_form_shm_get(struct kft_strace_text *t, uint64_t v)
{
	const uint32_t mask = UINT32_C(0x3f) << 26;
	uint32_t flags = (uint32_t)v & ~(mask | 0777);

	if (flags) {
		kft_strace_set(t, &kft_arg_shm_flags, flags);
		kft_strbuf_addc(t->sb, '|');
	}
	if (v & mask)
		kft_strbuf_addf(t->sb, "%u<<SHM_HUGE_SHIFT|",
				(unsigned int)(v & mask) >> 26);
	kft_strbuf_addf(t->sb, "%#03o", (unsigned int)v & 0777);
}

static void add_sembuf(struct kft_strace_text *t, const void *element)
{
	kft_members_add(t, sembuf, element);
}

void kft_form_sembufs_in(struct kft_strace_text *t, uint64_t v)
{
	kft_strace_array(t, v, (uint32_t)kft_strace_arg(t, t->at + 1), 6, add_sembuf);
}

/* A message: a long and `len` bytes of text. */
static void add_message(struct kft_strace_text *t, uint64_t address, uint64_t len)
{
	uint64_t type;

	if (!kft_strace_read_word(t, address, &type)) {
		kft_strace_address(t, address);
		return;
	}
	kft_strbuf_addf(t->sb, "{mtype=%lld, mtext=",
			t->word == 4 ? (long long)(int32_t)type : (long long)type);
	kft_strace_bytes(t, address + t->word, len);
	kft_strbuf_addc(t->sb, '}');
}

void kft_form_message_in(struct kft_strace_text *t, uint64_t v)
{
	add_message(t, v, kft_strace_arg(t, t->at + 1));
}

void kft_form_message_out(struct kft_strace_text *t, uint64_t v)
{
	add_message(t, v, (uint64_t)t->call->result);
}
