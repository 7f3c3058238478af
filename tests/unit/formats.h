/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KFT_TESTS_FORMATS_H
#define KFT_TESTS_FORMATS_H

/* Descriptions of events as the kernel writes them; numbers are given as strings. */
#define TYPED(type, name, offset, size, is_signed)                   \
	"\tfield:" type " " name ";\toffset:" offset ";\tsize:" size \
	";\tsigned:" is_signed ";\n"
#define FIELD(name, offset)	 TYPED("int", name, offset, "4", "1")
#define LONG_FIELD(name, offset) TYPED("unsigned long", name, offset, "8", "0")
#define COMMON                                                        \
	TYPED("unsigned short", "common_type", "0", "2", "0")         \
	TYPED("unsigned char", "common_flags", "2", "1", "0")         \
	TYPED("unsigned char", "common_preempt_count", "3", "1", "0") \
	TYPED("int", "common_pid", "4", "4", "1") "\n"
#define FORMAT_PRINTED(name, id, fields, print_fmt)                                     \
	"name: " name "\nID: " id "\nformat:\n" COMMON fields "\nprint fmt: " print_fmt \
	"\n"
#define FORMAT(name, id, fields) FORMAT_PRINTED(name, id, fields, "\"\"")
#define END			 "\nprint fmt: \"\"\n"

/* Events that many tests have; those of ftrace as in Linux 6.1. */
#define BEAT_FORMAT                                                     \
	FORMAT_PRINTED("beat", "500", TYPED("u32", "n", "8", "4", "0"), \
		       "\"n=%u\", REC->n")
#define PRINT_FORMAT                                                                 \
	FORMAT_PRINTED("print", "5",                                                 \
		       LONG_FIELD("ip", "8") TYPED("char", "buf[]", "16", "0", "0"), \
		       "\"%ps: %s\", (void *)REC->ip, REC->buf")
#define FUNCGRAPH_ENTRY_FORMAT \
	FORMAT("funcgraph_entry", "11", LONG_FIELD("func", "8") FIELD("depth", "16"))
#define FUNCGRAPH_EXIT_FORMAT                                                    \
	FORMAT("funcgraph_exit", "10",                                           \
	       LONG_FIELD("func", "8") FIELD("depth", "16")                      \
		       TYPED("unsigned int", "overrun", "20", "4", "0") TYPED(   \
			       "unsigned long long", "calltime", "24", "8", "0") \
			       TYPED("unsigned long long", "rettime", "32", "8", "0"))

#endif
