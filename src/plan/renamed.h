/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/*
 * Advice for users of old configurations: the fate of functions that KFT's
 * documents and samples name, as a clause of a sentence ("do_fork is ...").
 * NULL for any other function.
 */
const char *kft_renamed_advice(const char *name);
