/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_FILE_CTF_TEXT_H
#define KFT_FILE_CTF_TEXT_H

#include <kft/error.h>

#include "base/strbuf.h"

/*
 * The text of a metadata file: as it is, or out of packets (7.1). A packet that is broken
 * ends it; *ret_cut says so.
 */
#define KFT_CTF_METADATA_MAGIC UINT32_C(0x75d11d57)

/* Whether a file that begins so is the metadata of a CTF trace. */
bool kft_ctf_is_metadata(const void *head, size_t len);

/* Whether a text is CTF 2's, a sequence of JSON texts (RFC 7464). */
#define KFT_CTF_SEPARATOR 0x1e
bool kft_ctf_is_json(const void *text, size_t len);

/* -EINVAL for what is none, -ENOMEM. */
int kft_ctf_text(const uint8_t *data, size_t len, struct kft_strbuf *ret, bool *ret_cut,
		 struct kft_err *e) __must_check;

#endif
