/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

/*
 * True if the whole text matches the pattern, with the rules of fnmatch(3) for ASCII: * ? [a-z]
 * [!a-z] [[:alpha:]], and a backslash before a character that means itself. The fnmatch() of musl
 * would add tables of all of Unicode to a static program: 14 KB.
 */
bool kft_glob(const char *pattern, const char *text);

/* A backslash means itself, as with FNM_NOESCAPE: names of events in files may have some. */
bool kft_glob_noescape(const char *pattern, const char *text);
