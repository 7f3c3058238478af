// SPDX-License-Identifier: LGPL-2.1-or-later
/* Recognizes traces in formats that kft does not read, so that an error can name them. */
#include "file/other_formats.h"

#include <fcntl.h>
#include <regex.h>
#include <string.h>
#include <unistd.h>

#include "base/macro.h"

#define UFTRACE_MAGIC "Ftrace!"

static const char uftrace_data[] =
	"it belongs to uftrace's data, which kft does not read; uftrace dump --chrome "
	"writes it for other programs";

static const struct {
	const char *magic;
	size_t len;
	const char *sentence;
} binary_formats[] = {
	{UFTRACE_MAGIC, sizeof(UFTRACE_MAGIC) - 1, uftrace_data},
};

/*
 * Extended regular expressions over the first lines. perf and trace-cmd print the
 * same fields in another order: "comm pid [cpu] time: system:event:" and
 * "comm-pid [cpu] time: event:".
 */
static const struct {
	const char *pattern;
	const char *sentence;
} text_formats[] = {
	{"^# tracer: ",
	 "it is the text of tracefs' file trace; kft reads the trace.dat that kft record or "
	 "trace-cmd record writes"},
	{"<(!DOCTYPE html|html)",
	 "it is an HTML page (as systrace, atrace and kft view write); kft reads the trace "
	 "that it was made from"},
	{"\"traceEvents\"|^[[:space:]]*\\[?[[:space:]]*\\{[^}]*\"ph\"[[:space:]]*:",
	 "it is JSON of Chrome's trace viewer; kft writes it (kft export --to chrome) but "
	 "reads only the trace that it was made from"},
	{"^ *[^ ].* +[0-9]+(/[0-9]+)? +(\\[[0-9]+\\] +)?[0-9]+\\.[0-9]{6,9}: +([0-9]+ +)?"
	 "[a-z_0-9-]+(:[A-Za-z_0-9]+)?: ",
	 "it is the text that perf script prints; kft reads the perf.data that it was made "
	 "from"},
	{"^(cpus=[0-9]+$|CPU [0-9]+ is empty$)|^ *.*-[0-9]+ +(\\([0-9 -]+\\) +)?\\[[0-9]+\\] "
	 "+([^ ]{4,5} +)?[0-9]+\\.[0-9]{6,9}: +[A-Za-z_0-9]+: ",
	 "it is the text that trace-cmd report, or tracefs' trace_pipe, prints; kft reads the "
	 "trace.dat"},
	{"^# DURATION +TID +FUNCTION|^ +[0-9.]+ [um]?s \\[ *[0-9]+\\] \\| ",
	 "it is the text that uftrace prints, which kft does not read; kft record -f records "
	 "functions of the kernel, -u those of a program"},
	{"^% time +seconds +usecs/call +calls",
	 "it is the summary that strace -c prints; kft stats syscall makes one of a trace that "
	 "kft record -e syscalls wrote"},
	{"^(\\[pid +)?([0-9]+\\]? +)?([0-9:.]+ +)?[a-z_0-9]+\\(.*\\) += (-?[0-9]|\\?)",
	 "it is the text that strace prints, which kft does not read; kft record -e syscalls "
	 "records system calls"},
};

/*
 * A Perfetto trace is a protobuf message with a repeated field 1 of variable length: each
 * packet begins with the tag 0x0a and its length (perfetto's trace.proto).
 */
static bool is_perfetto(const uint8_t *head, size_t len)
{
	size_t pos = 0;
	int packets = 0;

	while (pos < len && packets < 8) {
		uint64_t size = 0;
		unsigned int shift = 0;

		if (head[pos++] != 0x0a)
			return false;
		do {
			if (pos == len)
				return packets > 1;
			size |= (uint64_t)(head[pos] & 0x7f) << shift;
			shift += 7;
		} while (head[pos++] & 0x80 && shift < 35);
		packets++;
		if (!size || size > len - pos)
			return packets > 1 && size;
		pos += size;
	}
	return packets > 1;
}

static bool matches(const char *pattern, const char *text)
{
	regex_t re;

	if (regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB | REG_NEWLINE))
		return false;
	bool found = regexec(&re, text, 0, NULL, 0) == 0;
	regfree(&re);
	return found;
}

const char *kft_other_format(const void *head, size_t len)
{
	char text[KFT_OTHER_HEAD_BYTES + 1];

	if (len > KFT_OTHER_HEAD_BYTES)
		len = KFT_OTHER_HEAD_BYTES;
	for (size_t i = 0; i < ARRAY_SIZE(binary_formats); i++)
		if (len >= binary_formats[i].len &&
		    memcmp(head, binary_formats[i].magic, binary_formats[i].len) == 0)
			return binary_formats[i].sentence;
	if (is_perfetto(head, len))
		return "it is a trace of Perfetto, which kft does not read; kft writes it (kft "
		       "export --to perfetto)";
	memcpy(text, head, len);
	text[len] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(text_formats); i++)
		if (matches(text_formats[i].pattern, text))
			return text_formats[i].sentence;
	return NULL;
}

const char *kft_other_directory(int fd)
{
	char head[sizeof(UFTRACE_MAGIC) - 1];
	_cleanup_close_ int info = openat(
		fd, "info", O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);

	/* uftrace record makes a directory, uftrace.data, in which the file info says so. */
	if (info >= 0 && pread(info, head, sizeof(head), 0) == (ssize_t)sizeof(head) &&
	    memcmp(head, UFTRACE_MAGIC, sizeof(head)) == 0)
		return uftrace_data;
	return NULL;
}
