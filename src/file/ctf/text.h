/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <kft/error.h>

#include "base/strbuf.h"

/*
 * Extracts the text of a metadata file: either plain text or in packets (7.1). A
 * malformed packet ends it and sets *ret_cut.
 */
#define KFT_CTF_METADATA_MAGIC UINT32_C(0x75d11d57)

/* Whether a file that begins with these bytes is the metadata of a CTF trace. */
bool kft_ctf_is_metadata(const void *head, size_t len);

/* Whether a text is in CTF 2's syntax, a sequence of JSON texts (RFC 7464). */
#define KFT_CTF_SEPARATOR 0x1e
bool kft_ctf_is_json(const void *text, size_t len);

/* -EINVAL when data is not metadata, -ENOMEM. */
int kft_ctf_text(const uint8_t *data, size_t len, struct kft_strbuf *ret, bool *ret_cut,
		 struct kft_err *e) __must_check;
