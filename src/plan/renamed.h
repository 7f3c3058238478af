/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KFT_PLAN_RENAMED_H
#define KFT_PLAN_RENAMED_H

/*
 * What became of functions that KFT's own documents and samples name: advice for who
 * brings an old configuration along, as a clause of a sentence ("do_fork is ..."). NULL
 * for a function that is not known here.
 */
const char *kft_renamed_advice(const char *name);

#endif
