// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writes numbers, names and strings of system calls. */
#include "strace/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

/* Bytes of one element of an array. */
#define ELEMENT_MAX    256
#define PATH_BYTES_MAX 4096
/* A read within one page fails as a whole or not at all; the smallest page of any machine. */
#define PAGE ((uint64_t)4096)

/* The kernel's real-time signals; the C library keeps the first two for itself. */
#define FIRST_RT 32
#define LAST_RT	 64

bool kft_strace_read(const struct kft_strace_text *t, uint64_t address, void *data,
		     size_t len)
{
	return address && kft_traced_read(t->call, address, data, len) == len;
}

uint64_t kft_strace_word(const struct kft_strace_text *t, const void *data)
{
	uint64_t v = 0;

	memcpy(&v, data, t->word);
	return v;
}

bool kft_strace_read_word(const struct kft_strace_text *t, uint64_t address,
			  uint64_t *ret)
{
	char data[8];

	if (!kft_strace_read(t, address, data, t->word))
		return false;
	*ret = kft_strace_word(t, data);
	return true;
}

void kft_strace_hex(const struct kft_strace_text *t, uint64_t value)
{
	if (value)
		kft_strbuf_adds(t->sb, "0x");
	kft_strbuf_addx(t->sb, value, 1);
}

void kft_strace_address(const struct kft_strace_text *t, uint64_t address)
{
	if (address)
		kft_strace_hex(t, address);
	else
		kft_strbuf_adds(t->sb, "NULL");
}

void kft_strace_id(const struct kft_strace_text *t, uint32_t id)
{
	if (id == UINT32_MAX)
		kft_strbuf_adds(t->sb, "-1");
	else
		kft_strbuf_addu(t->sb, id, 1);
}

static bool is_printable(unsigned char c)
{
	return c >= ' ' && c < 0x7f;
}

static bool is_text(const char *data, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!is_printable((unsigned char)data[i]) &&
		    !strchr("\t\n\r\f\v", data[i]))
			return false;
	return true;
}

/* Octal digits, as few as stay unambiguous before the next character. */
static void add_octal(struct kft_strbuf *sb, unsigned char c, bool digit_follows)
{
	kft_strbuf_addf(sb, digit_follows ? "\\%03o" : "\\%o", c);
}

static void add_char(struct kft_strbuf *sb, unsigned char c, bool digit_follows)
{
	static const char escaped[] = "\t\n\r\f\v\"\\";
	static const char letters[] = "tnrfv\"\\";
	const char *e = c ? strchr(escaped, c) : NULL;

	if (e) {
		kft_strbuf_addc(sb, '\\');
		kft_strbuf_addc(sb, letters[e - escaped]);
	} else if (is_printable(c)) {
		kft_strbuf_addc(sb, (char)c);
	} else {
		add_octal(sb, c, digit_follows);
	}
}

static void add_text(struct kft_strbuf *sb, const char *data, size_t len,
		     enum kft_strace_hex hex)
{
	bool all_hex = hex == KFT_STRACE_HEX_ALL ||
		       (hex == KFT_STRACE_HEX_BINARY && !is_text(data, len));

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)data[i];

		if (all_hex)
			kft_strbuf_addf(sb, "\\x%02x", c);
		else
			add_char(sb, c,
				 i + 1 < len && data[i + 1] >= '0' && data[i + 1] <= '7');
	}
}

void kft_strace_escape(struct kft_strbuf *sb, const char *data, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)data[i];
		bool digit_follows = i + 1 < len && data[i + 1] >= '0' &&
				     data[i + 1] <= '7';

		if (c == '<' || c == '>')
			add_octal(sb, c, digit_follows);
		else
			add_char(sb, c, digit_follows);
	}
}

void kft_strace_quoted(const struct kft_strace_text *t, const char *data, size_t len,
		       bool is_cut, enum kft_strace_hex hex)
{
	kft_strbuf_addc(t->sb, '"');
	add_text(t->sb, data, len, hex);
	kft_strbuf_addc(t->sb, '"');
	if (is_cut)
		kft_strbuf_adds(t->sb, "...");
}

void kft_strace_bytes(const struct kft_strace_text *t, uint64_t address, uint64_t len)
{
	char data[KFT_STRACE_STRING_MAX];
	size_t shown = (size_t)KFT_MIN(len, (uint64_t)t->style->string_max);

	if (!address || (shown && !kft_strace_read(t, address, data, shown))) {
		kft_strace_address(t, address);
		return;
	}
	kft_strace_quoted(t, data, shown, len > shown, t->style->hex);
}

/* Reads until a NUL, page by page; returns its length, or -1 when memory ends before. */
static ssize_t read_string(const struct kft_strace_text *t, uint64_t address, char *data,
			   size_t max, bool *ret_ended)
{
	size_t len = 0;

	*ret_ended = false;
	while (len < max) {
		uint64_t from = address + len;
		size_t step = (size_t)KFT_MIN(PAGE - from % PAGE, (uint64_t)(max - len));

		step = KFT_MIN(step, (size_t)256);
		if (!kft_strace_read(t, from, data + len, step))
			return -1;
		const char *end = memchr(data + len, 0, step);

		if (end) {
			*ret_ended = true;
			return end - data;
		}
		len += step;
	}
	return (ssize_t)len;
}

void kft_strace_string(const struct kft_strace_text *t, uint64_t address, bool is_path)
{
	char data[PATH_BYTES_MAX + 1];
	size_t max = is_path ? PATH_BYTES_MAX - 1 : t->style->string_max + 1;
	bool ended;
	ssize_t len = address ? read_string(t, address, data, KFT_MIN(max, sizeof(data)),
					    &ended)
			      : -1;

	if (len < 0) {
		kft_strace_address(t, address);
		return;
	}
	size_t shown = is_path ? (size_t)len : KFT_MIN((size_t)len, t->style->string_max);

	kft_strace_quoted(t, data, shown, !ended || shown < (size_t)len, t->style->hex);
}

/* The path of a descriptor in angle brackets, with -y. */
static void add_path(const struct kft_strace_text *t, int fd)
{
	_cleanup_(kft_strbuf_finish) struct kft_strbuf path = {};

	if (!t->style->paths || !t->style->path ||
	    !t->style->path(t->style->arg, t->call->tid, fd, &path))
		return;
	kft_strbuf_addc(t->sb, '<');
	kft_strbuf_add(t->sb, path.buf, path.len);
	kft_strbuf_addc(t->sb, '>');
}

void kft_strace_fd(const struct kft_strace_text *t, int fd)
{
	kft_strbuf_addi(t->sb, fd);
	if (fd >= 0)
		add_path(t, fd);
}

void kft_strace_dir(const struct kft_strace_text *t, int fd)
{
	if (fd == AT_FDCWD)
		kft_strbuf_adds(t->sb, "AT_FDCWD");
	else
		kft_strbuf_addi(t->sb, fd);
	add_path(t, fd);
}

void kft_strace_mode(const struct kft_strace_text *t, uint32_t mode)
{
	static const struct {
		uint32_t bit;
		const char *name;
	} special[] = {
		{S_ISUID, "S_ISUID|"}, {S_ISGID, "S_ISGID|"}, {S_ISVTX, "S_ISVTX|"}};
	const char *type = kft_strace_name(&kft_arg_file_type, mode & S_IFMT);

	if (!type && mode & S_IFMT) {
		kft_strbuf_addf(t->sb, "%#03o", mode);
		return;
	}
	if (type) {
		kft_strbuf_addf(t->sb, "%s|", type);
		mode &= ~(uint32_t)S_IFMT;
	}
	for (size_t i = 0; i < ARRAY_SIZE(special); i++)
		if (mode & special[i].bit) {
			kft_strbuf_adds(t->sb, special[i].name);
			mode &= ~special[i].bit;
		}
	kft_strbuf_addf(t->sb, "%#03o", mode);
}

void kft_strace_signal(const struct kft_strace_text *t, uint32_t number)
{
	const char *name = kft_strace_name(&kft_arg_signals, number);

	if (name)
		kft_strbuf_adds(t->sb, name);
	else if (number == FIRST_RT)
		kft_strbuf_adds(t->sb, "SIGRTMIN");
	else if (number > FIRST_RT && number <= LAST_RT)
		kft_strbuf_addf(t->sb, "SIGRT_%u", number - FIRST_RT);
	else
		kft_strbuf_addi(t->sb, (int32_t)number);
}

void kft_strace_ticks(const struct kft_strace_text *t, int64_t ticks)
{
	kft_strbuf_addi(t->sb, ticks);
	if (ticks)
		kft_strbuf_addf(t->sb, " /* %lld.%02lld s */", (long long)(ticks / 100),
				(long long)(ticks % 100));
}

void kft_strace_date(const struct kft_strace_text *t, int64_t sec, int64_t nsec)
{
	char text[64];
	time_t time = (time_t)sec;
	struct tm tm;

	if ((!sec && !nsec) || !localtime_r(&time, &tm) ||
	    !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm))
		return;
	kft_strbuf_addf(t->sb, " /* %s", text);
	if (nsec)
		kft_strbuf_addf(t->sb, ".%09lld", (long long)nsec);
	if (strftime(text, sizeof(text), "%z", &tm))
		kft_strbuf_adds(t->sb, text);
	kft_strbuf_adds(t->sb, " */");
}

const char *kft_strace_name(const struct kft_arg_type *type, uint32_t value)
{
	for (const struct kft_arg_name *n = type->names; n->name; n++)
		if (value == n->value)
			return n->name;
	return NULL;
}

void kft_strace_set(const struct kft_strace_text *t, const struct kft_arg_type *type,
		    uint64_t value)
{
	/* A constant without a name is a number in hexadecimal, not a signed one as in reports. */
	if (type->is_int && !kft_strace_name(type, (uint32_t)value))
		kft_strace_hex(t, (uint32_t)value);
	else
		kft_arg_add(type, value, NULL, 0, t->sb);
}

void kft_strace_array(struct kft_strace_text *t, uint64_t address, uint64_t n,
		      size_t size,
		      void (*add)(struct kft_strace_text *t, const void *element))
{
	char element[ELEMENT_MAX];
	uint64_t shown = t->style->verbose ? n
					   : KFT_MIN(n, (uint64_t)t->style->string_max);

	if (!n && address) {
		kft_strbuf_adds(t->sb, "[]");
		return;
	}
	if (n > (UINT64_MAX - address) / size ||
	    !kft_strace_read(t, address, element, size)) {
		kft_strace_address(t, address);
		return;
	}
	kft_strbuf_addc(t->sb, '[');
	for (uint64_t i = 0; i < shown; i++) {
		if (t->sb->len > KFT_STRACE_TEXT_MAX) {
			shown = i;
			break;
		}
		if (i)
			kft_strbuf_adds(t->sb, ", ");
		if (i && !kft_strace_read(t, address + i * size, element, size)) {
			kft_strbuf_adds(t->sb, "... /* ");
			kft_strace_address(t, address + i * size);
			kft_strbuf_adds(t->sb, " */]");
			return;
		}
		add(t, element);
	}
	if (shown < n)
		kft_strbuf_adds(t->sb, shown ? ", ..." : "...");
	kft_strbuf_addc(t->sb, ']');
}
