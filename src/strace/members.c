// SPDX-License-Identifier: LGPL-2.1-or-later
/* Lays out and writes structures by their lists of members. */
#include "strace/members.h"

static size_t size_of(const struct kft_strace_text *t, const struct kft_member *m)
{
	switch (m->kind) {
	case KFT_MEMBER_END:
		return 0;
	case KFT_MEMBER_SHORT:
	case KFT_MEMBER_SHORT_SET:
	case KFT_MEMBER_SHORT_MODE:
	case KFT_MEMBER_SHORT_INT:
		return 2;
	case KFT_MEMBER_INT:
	case KFT_MEMBER_UNSIGNED:
	case KFT_MEMBER_ID:
	case KFT_MEMBER_HEX:
	case KFT_MEMBER_SET:
	case KFT_MEMBER_MODE:
		return 4;
	case KFT_MEMBER_LONG:
	case KFT_MEMBER_ULONG:
	case KFT_MEMBER_ULONG_SET:
	case KFT_MEMBER_POINTER:
	case KFT_MEMBER_TICKS:
		return t->word;
	case KFT_MEMBER_S64:
	case KFT_MEMBER_U64:
	case KFT_MEMBER_U64_HEX:
	case KFT_MEMBER_SET64:
		return 8;
	case KFT_MEMBER_STATX_TIME:
		return 16;
	case KFT_MEMBER_STRUCT:
		return kft_members_size(t, m->of);
	}
	return 0;
}

/* The i386 ABI aligns 64-bit numbers to 4 bytes. */
static size_t align_of(const struct kft_strace_text *t, const struct kft_member *m)
{
	size_t most = 1;

	if (m->kind != KFT_MEMBER_STRUCT)
		return KFT_MIN(size_of(t, m), (size_t)t->word);
	for (const struct kft_member *inner = m->of; inner->kind; inner++)
		most = KFT_MAX(most, align_of(t, inner));
	return most;
}

static size_t align_up(size_t at, size_t to)
{
	return (at + to - 1) / to * to;
}

size_t kft_members_size(const struct kft_strace_text *t, const struct kft_member *members)
{
	size_t at = 0;
	size_t most = 1;

	for (const struct kft_member *m = members; m->kind; m++) {
		at = align_up(at, align_of(t, m)) + size_of(t, m);
		most = KFT_MAX(most, align_of(t, m));
	}
	return align_up(at, most);
}

static void add_statx_time(const struct kft_strace_text *t, const char *data)
{
	int64_t sec;
	uint32_t nsec;

	memcpy(&sec, data, sizeof(sec));
	memcpy(&nsec, data + sizeof(sec), sizeof(nsec));
	kft_strbuf_addf(t->sb, "{tv_sec=%lld, tv_nsec=%u}", (long long)sec, nsec);
	kft_strace_date(t, sec, nsec);
}

static void add_value(const struct kft_strace_text *t, const struct kft_member *m,
		      const void *data)
{
	uint64_t v = 0;
	size_t size = size_of(t, m);

	if (size <= sizeof(v))
		memcpy(&v, data, size);
	switch (m->kind) {
	case KFT_MEMBER_END:
		break;
	case KFT_MEMBER_INT:
		kft_strbuf_addi(t->sb, (int32_t)v);
		break;
	case KFT_MEMBER_ID:
		kft_strace_id(t, (uint32_t)v);
		break;
	case KFT_MEMBER_LONG:
	case KFT_MEMBER_S64:
		kft_strbuf_addi(t->sb, size == 4 ? (int32_t)v : (int64_t)v);
		break;
	case KFT_MEMBER_TICKS:
		kft_strace_ticks(t, size == 4 ? (int32_t)v : (int64_t)v);
		break;
	case KFT_MEMBER_UNSIGNED:
	case KFT_MEMBER_SHORT:
	case KFT_MEMBER_ULONG:
	case KFT_MEMBER_U64:
		kft_strbuf_addu(t->sb, v, 1);
		break;
	case KFT_MEMBER_POINTER:
		kft_strace_address(t, v);
		break;
	case KFT_MEMBER_HEX:
	case KFT_MEMBER_U64_HEX:
		kft_strace_hex(t, v);
		break;
	case KFT_MEMBER_MODE:
	case KFT_MEMBER_SHORT_MODE:
		kft_strace_mode(t, (uint32_t)v);
		break;
	case KFT_MEMBER_SHORT_INT:
		kft_strbuf_addi(t->sb, (int16_t)v);
		break;
	case KFT_MEMBER_SET64:
	case KFT_MEMBER_ULONG_SET:
		kft_arg_add_set(m->of, v, t->sb);
		break;
	case KFT_MEMBER_SET:
	case KFT_MEMBER_SHORT_SET:
		kft_strace_set(t, m->of, v);
		break;
	case KFT_MEMBER_STATX_TIME:
		add_statx_time(t, data);
		break;
	case KFT_MEMBER_STRUCT:
		kft_members_add(t, m->of, data);
		break;
	}
}

void kft_members_add(const struct kft_strace_text *t, const struct kft_member *members,
		     const void *data)
{
	size_t at = 0;
	bool any = false;
	bool cut = false;

	kft_strbuf_addc(t->sb, '{');
	for (const struct kft_member *m = members; m->kind; m++) {
		at = align_up(at, align_of(t, m));
		if (m->name && m->verbose && !t->style->verbose) {
			cut = true;
		} else if (m->name) {
			if (any)
				kft_strbuf_adds(t->sb, ", ");
			kft_strbuf_adds(t->sb, m->name);
			kft_strbuf_addc(t->sb, '=');
			add_value(t, m, (const char *)data + at);
			any = true;
		}
		at += size_of(t, m);
	}
	kft_strbuf_adds(t->sb, cut ? ", ...}" : "}");
}

void kft_members_at(const struct kft_strace_text *t, const struct kft_member *members,
		    uint64_t address)
{
	char data[KFT_MEMBERS_BYTES_MAX];

	if (kft_strace_read(t, address, data,
			    KFT_MIN(kft_members_size(t, members), sizeof(data))))
		kft_members_add(t, members, data);
	else
		kft_strace_address(t, address);
}
