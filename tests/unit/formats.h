/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_TESTS_FORMATS_H
#define KFT_TESTS_FORMATS_H

/* Descriptions of events as the kernel writes them. Include after t.h. */
#include "decode/format.h"
#include "model/trace.h"

#define COMMON                                                                         \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
#define FIELD(name, offset) \
	"\tfield:int " name ";\toffset:" offset ";\tsize:4;\tsigned:1;\n"
#define END "\nprint fmt: \"\"\n"

/* An empty trace with n classes, each a system and a description. */
static inline struct kft_trace *trace_of(const char *const (*formats)[2], size_t n)
{
	struct kft_trace *t = NULL;

	assert_int_equal(kft_trace_create(&t), 0);
	t->classes.parse = kft_format_parse;
	t->classes.long_size = 8;
	for (size_t i = 0; i < n; i++)
		assert_int_equal(kft_class_table_add(&t->classes, formats[i][0],
						     formats[i][1],
						     strlen(formats[i][1])),
				 0);
	return t;
}

#endif
