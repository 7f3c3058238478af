// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads kptrace.kpm: the kernel's symbols, preceded by lines that kft adds. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "file/kpt/reader.h"
#include "model/syscall.h"

/* Limit for the symbols; ten times /proc/kallsyms of a kernel with all of its modules. */
#define SYMBOLS_MAX ((size_t)64 << 20)
#define LINES_MAX   (1 << 20) /* limit for the lines that kft adds */
/* Limit for an interrupt's name, which must fit into a record. */
#define NAME_MAX_BYTES 64

/* "name.kpt" -> "name.kpm" */
static bool symbols_path(const char *path, struct kft_strbuf *sb)
{
	size_t len = strlen(path);

	if (len < 4 || strcmp(path + len - 4, ".kpt") != 0)
		return false;
	kft_strbuf_add(sb, path, len - 1);
	kft_strbuf_addc(sb, 'm');
	return kft_strbuf_ok(sb);
}

static int read_file(const char *path, char **ret, size_t *ret_len)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return -ENOENT;
	size_t size = KFT_MIN((size_t)st.st_size, SYMBOLS_MAX);
	_cleanup_free_ char *text = malloc(size + 1);
	size_t len = 0;
	ssize_t n = 1;

	if (!text)
		return -ENOMEM;
	while (len < size && (n = pread(fd, text + len, size - len, (off_t)len)) > 0)
		len += (size_t)n;
	if (n < 0)
		return -errno;
	*ret = TAKE(text);
	*ret_len = len;
	return 0;
}

static int add_irq(struct kft_kpt *k, uint64_t irq, struct kft_kpt_word name)
{
	struct kft_blob *blob = kft_arena_alloc(&k->trace->arena, sizeof(*blob));
	uint64_t *slot = irq == KFT_MAP_NO_KEY ? NULL : kft_map_put(&k->irq_names, irq);

	if (!blob || !slot)
		return -ENOMEM;
	blob->len = KFT_MIN(name.len, (size_t)NAME_MAX_BYTES);
	blob->data = kft_arena_strndup(&k->trace->arena, name.text, blob->len);
	*slot = (uintptr_t)blob;
	return blob->data ? 0 : -ENOMEM;
}

/* System calls are named by the machine's table. */
static int set_machine(struct kft_kpt *k, struct kft_kpt_word machine)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf sb = {};

	if (!kft_syscalls_of(machine.text, machine.len))
		return 0;
	kft_strbuf_adds(&sb, "Linux unknown unknown ");
	kft_strbuf_add(&sb, machine.text, machine.len);
	return kft_strbuf_ok(&sb)
		       ? kft_meta_set_blob(&k->trace->meta, &k->trace->meta.uname, sb.buf,
					   sb.len)
		       : -ENOMEM;
}

/*
 * Lines that kft adds: "machine x86_64", "irq 16 TMU0", "pid 97 cat"; KPTrace's own
 * records lack these names.
 */
static int add_line(struct kft_kpt *k, const char *p, size_t len)
{
	const struct kft_kpt_word line = {p, len};
	struct kft_kpt_word words[3];
	uint64_t number;

	size_t n = kft_kpt_split(line, words, 3);

	if (n == 2 && kft_kpt_is(words[0], "machine"))
		return set_machine(k, words[1]);
	if (n < 3 || !kft_kpt_number(words[1], false, &number) || number > INT32_MAX)
		return 0;
	words[2].len = (size_t)(p + len - words[2].text);
	if (kft_kpt_is(words[0], "irq"))
		return add_irq(k, number, words[2]);
	if (kft_kpt_is(words[0], "pid"))
		return kft_task_set_comm(
			&k->trace->tasks, (uint32_t)number, words[2].text,
			KFT_MIN(words[2].len, (size_t)KFT_KPT_COMM_BYTES - 1));
	return 0;
}

/* Parses the lines before the symbols. *ret_end is their length in bytes. */
static int add_lines(struct kft_kpt *k, const char *text, size_t len, size_t *ret_end)
{
	size_t pos = 0;
	int r = 0;

	for (size_t i = 0; r == 0 && i < LINES_MAX && pos + 4 < len; i++) {
		const char *p = text + pos;
		const char *newline = memchr(p, '\n', len - pos);

		if ((memcmp(p, "irq ", 4) != 0 && memcmp(p, "pid ", 4) != 0 &&
		     memcmp(p, "mach", 4) != 0) ||
		    !newline)
			break;
		r = add_line(k, p, (size_t)(newline - p));
		pos += (size_t)(newline + 1 - p);
	}
	*ret_end = pos;
	return r;
}

int kft_kpt_read_symbols(struct kft_kpt *k, const char *path)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf name = {};
	_cleanup_free_ char *text = NULL;
	size_t len = 0;
	size_t end = 0;
	int r = symbols_path(path, &name) ? read_file(kft_strbuf_cstr(&name), &text, &len)
					  : -ENOENT;

	if (r == -ENOMEM)
		return r;
	if (r < 0) {
		kft_trace_note(k->trace, 0,
			       "no symbols: system calls are shown as addresses "
			       "(kptrace.kpm beside kptrace.kpt has the symbols)");
		return 0;
	}
	r = add_lines(k, text, len, &end);
	return r < 0 ? r
		     : kft_meta_set_blob(&k->trace->meta, &k->trace->meta.kallsyms,
					 text + end, len - end);
}
