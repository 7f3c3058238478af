// SPDX-License-Identifier: LGPL-2.1-or-later
/* The table of outputs. */
#include "output/result.h"

#define FUNCTION(name) kft_result_##name,
#define NAME(name)     #name,

kft_result_write_fn *const kft_outputs[] = {KFT_OUTPUTS(FUNCTION)};
const char *const kft_output_names[] = {KFT_OUTPUTS(NAME) NULL};
