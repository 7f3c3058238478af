// SPDX-License-Identifier: LGPL-2.1-or-later
/* Finds the functions of a program by its ELF symbols. */
#include "decode/types/elf.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "base/interrupted.h"

/* The smallest entry of any table: a 32-bit symbol. */
#define ENTRY_MIN sizeof(Elf32_Sym)

/* Each symbol is looked up in all segments; linkers make about ten. */
#define SEGMENTS_MAX 128

/*
 * Limit of the search for the end of a symbol's name; the longest names are those of C++.
 */
#define NAME_MAX_BYTES ((size_t)65536)

struct elf {
	const uint8_t *data;
	size_t size;
	bool swap;
	bool is_64;
	uint16_t machine;
	uint64_t phoff;
	uint64_t shoff;
	uint16_t phentsize;
	uint16_t phnum;
	uint16_t shentsize;
	uint64_t shnum;
	/*
	 * The program with the segments of the code, if all names of code are wanted; NULL:
	 * only functions of this file are.
	 */
	const struct elf *program;
};

struct section {
	uint32_t type;
	uint64_t flags;
	uint64_t addr;
	uint64_t offset;
	uint64_t size;
	uint32_t link;
	uint64_t entsize;
};

/* Reads a word of the file's class: 32 or 64 bits. */
static bool get_word(const struct elf *elf, struct kft_cursor *c, uint64_t *ret)
{
	uint32_t word;

	if (elf->is_64)
		return kft_cursor_u64(c, ret);
	if (!kft_cursor_u32(c, &word))
		return false;
	*ret = word;
	return true;
}

/*
 * Opens entry i of a table in the file. Entries have a least size, so that the file's
 * size bounds their number, whatever its header claims.
 */
static bool entry(const struct elf *elf, uint64_t table, uint64_t i, uint64_t entsize,
		  struct kft_cursor *ret)
{
	uint64_t at;

	*ret = kft_cursor_init(elf->data, elf->size, elf->swap);
	return entsize >= ENTRY_MIN && !kft_mul(i, entsize, &at) &&
	       !kft_add(at, table, &at) && at <= elf->size &&
	       kft_cursor_skip(ret, (size_t)at);
}

static bool read_section(const struct elf *elf, uint64_t i, struct section *ret)
{
	struct kft_cursor c;
	uint64_t skipped;

	/* sh_name, sh_type, sh_flags, sh_addr, sh_offset, sh_size, sh_link, ... */
	return entry(elf, elf->shoff, i, elf->shentsize, &c) && kft_cursor_skip(&c, 4) &&
	       kft_cursor_u32(&c, &ret->type) && get_word(elf, &c, &ret->flags) &&
	       get_word(elf, &c, &ret->addr) && get_word(elf, &c, &ret->offset) &&
	       get_word(elf, &c, &ret->size) && kft_cursor_u32(&c, &ret->link) &&
	       kft_cursor_skip(&c, 4) && get_word(elf, &c, &skipped) &&
	       get_word(elf, &c, &ret->entsize);
}

static int open_elf(const void *data, size_t size, struct elf *ret)
{
	struct elf elf = {.data = data, .size = size};
	struct kft_cursor c;
	uint64_t entry_point;
	uint16_t type;

	if (size < EI_NIDENT || memcmp(data, ELFMAG, SELFMAG) != 0)
		return -ENOEXEC;
	elf.is_64 = elf.data[EI_CLASS] == ELFCLASS64;
	elf.swap = (elf.data[EI_DATA] == ELFDATA2MSB) != KFT_HOST_BIG_ENDIAN;
	c = kft_cursor_init(data, size, elf.swap);
	if (!kft_cursor_skip(&c, EI_NIDENT) || !kft_cursor_u16(&c, &type) ||
	    !kft_cursor_u16(&c, &elf.machine) || !kft_cursor_skip(&c, 4) ||
	    !get_word(&elf, &c, &entry_point) || !get_word(&elf, &c, &elf.phoff) ||
	    !get_word(&elf, &c, &elf.shoff) || !kft_cursor_skip(&c, 4 + 2) ||
	    !kft_cursor_u16(&c, &elf.phentsize) || !kft_cursor_u16(&c, &elf.phnum) ||
	    !kft_cursor_u16(&c, &elf.shentsize))
		return -EINVAL;
	uint16_t shnum;
	struct section first = {};
	if (!kft_cursor_u16(&c, &shnum))
		return -EINVAL;
	if (type != ET_EXEC && type != ET_DYN)
		return -ENOEXEC;
	elf.shnum = shnum;
	/*
	 * With too many sections for the header, their number is in the first
	 * section (gabi4+, ch. 4).
	 */
	if (!shnum && elf.shoff && read_section(&elf, 0, &first))
		elf.shnum = first.size;
	if (elf.phnum > SEGMENTS_MAX)
		return -EINVAL;
	*ret = elf;
	return 0;
}

struct segment {
	uint32_t type;
	uint64_t offset;
	uint64_t vaddr;
	uint64_t filesz;
};

static bool read_segment(const struct elf *elf, uint32_t i, struct segment *ret)
{
	struct kft_cursor c;
	uint64_t paddr;

	return entry(elf, elf->phoff, i, elf->phentsize, &c) &&
	       kft_cursor_u32(&c, &ret->type) &&
	       (!elf->is_64 || kft_cursor_skip(&c, 4)) && /* p_flags */
	       get_word(elf, &c, &ret->offset) && get_word(elf, &c, &ret->vaddr) &&
	       get_word(elf, &c, &paddr) && get_word(elf, &c, &ret->filesz);
}

/* Translates a virtual address to a file offset. */
static bool file_offset(const struct elf *elf, uint64_t addr, uint64_t *ret)
{
	struct segment s;

	for (uint32_t i = 0; i < elf->phnum && read_segment(elf, i, &s); i++)
		if (s.type == PT_LOAD && addr >= s.vaddr && addr - s.vaddr < s.filesz)
			return !kft_add(addr - s.vaddr, s.offset, ret) &&
			       *ret < elf->size;
	return false;
}

struct symbol {
	uint32_t name;
	uint8_t info;
	uint8_t other;
	uint16_t section;
	uint64_t value;
	uint64_t size;
};

static bool read_symbol(const struct elf *elf, struct kft_cursor *c, struct symbol *ret)
{
	const uint8_t *info;

	if (!kft_cursor_u32(c, &ret->name))
		return false;
	if (!elf->is_64 &&
	    (!get_word(elf, c, &ret->value) || !get_word(elf, c, &ret->size)))
		return false;
	if (!kft_cursor_bytes(c, 2, &info) || !kft_cursor_u16(c, &ret->section))
		return false;
	ret->info = info[0];
	ret->other = info[1];
	return !elf->is_64 ||
	       (get_word(elf, c, &ret->value) && get_word(elf, c, &ret->size));
}

/* A label of assembler code has no type; the linker's own labels are hidden. */
static bool is_label(const struct symbol *s)
{
	return ELF64_ST_TYPE(s->info) == STT_NOTYPE &&
	       ELF64_ST_VISIBILITY(s->other) != STV_HIDDEN &&
	       ELF64_ST_VISIBILITY(s->other) != STV_INTERNAL;
}

/* Whether the symbol is in a section of code; *ret_room: its distance from the end. */
static bool is_code(const struct elf *elf, const struct symbol *s, uint64_t *ret_room)
{
	struct section in;

	if ((ELF64_ST_TYPE(s->info) != STT_GNU_IFUNC &&
	     ELF64_ST_TYPE(s->info) != STT_FUNC && !is_label(s)) ||
	    s->section >= SHN_LORESERVE || !read_section(elf, s->section, &in) ||
	    !(in.flags & SHF_EXECINSTR) || s->value < in.addr ||
	    s->value - in.addr >= in.size)
		return false;
	*ret_room = in.size - (s->value - in.addr);
	return true;
}

/* Adds a symbol: 1 when it is a function defined in this file. */
static int add_symbol(const struct elf *elf, const struct section *strings,
		      const struct symbol *s, struct kft_elf_functions *out)
{
	struct kft_elf_function f = {
		.size = s->size, .address = s->value, .binding = ELF64_ST_BIND(s->info)};
	struct kft_cursor c = kft_cursor_init(elf->data, elf->size, elf->swap);
	struct kft_cursor names;

	if (s->section == SHN_UNDEF ||
	    (elf->program ? !is_code(elf, s, &f.room)
			  : ELF64_ST_TYPE(s->info) != STT_FUNC))
		return 0;
	/* On ARM the lowest bit marks Thumb code. */
	if (elf->machine == EM_ARM)
		f.address &= ~UINT64_C(1);
	if (strings->offset > elf->size ||
	    !kft_cursor_skip(&c, (size_t)strings->offset) ||
	    strings->size > kft_cursor_left(&c) ||
	    !kft_cursor_sub(&c, (size_t)strings->size, &names) ||
	    !kft_cursor_skip(&names, s->name) ||
	    !kft_cursor_sub(&names, KFT_MIN(kft_cursor_left(&names), NAME_MAX_BYTES),
			    &names) ||
	    !kft_cursor_str(&names, &f.name) || !*f.name ||
	    !file_offset(elf->program ? elf->program : elf, f.address, &f.offset))
		return 0;
	if (out->list.len >= KFT_ELF_SYMBOLS_MAX)
		return -E2BIG;
	return kft_vec_push(&out->list, f) ? 1 : -ENOMEM;
}

/* A program may have millions of symbols; this many take a few milliseconds. */
#define SYMBOLS_PER_LOOK 65536

static int add_table(const struct elf *elf, const struct section *table,
		     struct kft_elf_functions *out)
{
	const uint64_t least = elf->is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	struct section strings = {};
	struct kft_cursor c;
	struct symbol s = {};

	if (table->entsize < least || !read_section(elf, table->link, &strings) ||
	    table->offset > elf->size)
		return -EINVAL;
	uint64_t n = KFT_MIN(table->size, elf->size - table->offset) / table->entsize;
	for (uint64_t i = 0; i < n; i++) {
		if (i % SYMBOLS_PER_LOOK == 0 && kft_is_interrupted())
			return -EINTR;
		if (!entry(elf, table->offset, i, table->entsize, &c) ||
		    !read_symbol(elf, &c, &s))
			return -EINVAL;
		int r = add_symbol(elf, &strings, &s, out);
		if (r < 0)
			return r;
	}
	return 0;
}

static int by_offset(const void *pa, const void *pb)
{
	const struct kft_elf_function *a = pa;
	const struct kft_elf_function *b = pb;

	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	return strcmp(a->name, b->name);
}

/*
 * Removes duplicates: exported functions are in both tables. Different
 * names at one offset all stay.
 */
static void drop_twins(struct kft_elf_functions *f)
{
	size_t kept = 0;

	if (!f->list.len)
		return;
	qsort(f->list.data, f->list.len, sizeof(*f->list.data), by_offset);
	for (size_t i = 1; i < f->list.len; i++)
		if (by_offset(&f->list.data[kept], &f->list.data[i]) != 0)
			f->list.data[++kept] = f->list.data[i];
	f->list.len = kept + 1;
}

void kft_elf_functions_finish(struct kft_elf_functions *f)
{
	kft_vec_finish(&f->list);
}

static int find_functions(const struct elf *elf, struct kft_elf_functions *ret)
{
	struct kft_elf_functions out = {.machine = elf->machine};
	struct section s = {};
	bool seen[SHT_DYNSYM + 1] = {};
	int r = 0;

	for (uint64_t i = 0; r == 0 && i < elf->shnum; i++) {
		if (!read_section(elf, i, &s)) {
			r = -EINVAL;
			break;
		}
		/*
		 * A file has at most one of each (gabi4+, ch. 4); later ones are ignored.
		 */
		if ((s.type == SHT_SYMTAB || s.type == SHT_DYNSYM) && !seen[s.type]) {
			seen[s.type] = true;
			r = add_table(elf, &s, &out);
		}
	}
	if (r < 0) {
		kft_elf_functions_finish(&out);
		return r;
	}
	drop_twins(&out);
	*ret = out;
	return 0;
}

int kft_elf_functions(const void *data, size_t size, struct kft_elf_functions *ret)
{
	struct elf elf;
	int r = open_elf(data, size, &elf);

	return r < 0 ? r : find_functions(&elf, ret);
}

int kft_elf_code_names(const void *data, size_t size, const void *program,
		       size_t program_size, struct kft_elf_functions *ret)
{
	struct elf elf;
	struct elf code;
	int r = open_elf(program, program_size, &code);

	if (r == 0)
		r = open_elf(data, size, &elf);
	if (r < 0)
		return r;
	elf.program = &code;
	return find_functions(&elf, ret);
}

static unsigned int count_underscores(const char *name)
{
	return strspn(name, "_");
}

/* The order of perf's choose_best_symbol() in tools/perf/util/symbol.c. */
static bool is_better(const struct kft_elf_function *a, const struct kft_elf_function *b)
{
	const unsigned int a_lines = count_underscores(a->name);
	const unsigned int b_lines = count_underscores(b->name);

	if (!a->size != !b->size)
		return a->size;
	if ((a->binding == STB_WEAK) != (b->binding == STB_WEAK))
		return b->binding == STB_WEAK;
	if ((a->binding == STB_GLOBAL) != (b->binding == STB_GLOBAL))
		return a->binding == STB_GLOBAL;
	return a_lines != b_lines ? a_lines < b_lines : strlen(a->name) > strlen(b->name);
}

/* Functions that begin before a place and end before it, too, among those looked at. */
#define NEAR_MAX 64

/* A function without a size reaches to the next one, or to the end of its section. */
static bool has(const struct kft_elf_functions *f, size_t i, uint64_t offset)
{
	const struct kft_elf_function *it = &f->list.data[i];
	size_t next = i + 1;

	if (it->size)
		return offset - it->offset < it->size;
	if (offset - it->offset >= it->room)
		return false;
	while (next < f->list.len && f->list.data[next].offset == it->offset)
		next++;
	return next == f->list.len || offset < f->list.data[next].offset;
}

const struct kft_elf_function *kft_elf_function_at(const struct kft_elf_functions *f,
						   uint64_t offset)
{
	const struct kft_elf_function *best = NULL;
	/* Binary search for the first function behind the place. */
	size_t lo = kft_count_leading(f->list.len, mid,
				      f->list.data[mid].offset <= offset);
	for (size_t n = 0; lo-- > 0 && n < NEAR_MAX; n++) {
		const struct kft_elf_function *it = &f->list.data[lo];

		if (best && it->offset != best->offset)
			break;
		if (has(f, lo, offset) && (!best || is_better(it, best)))
			best = it;
	}
	return best;
}

/* Limit of the notes that are searched; linkers write about a hundred bytes. */
#define NOTES_BYTES_MAX ((uint64_t)65536)

/* Each note: u32 length of the name, u32 length of the content, u32 type; both padded. */
static size_t find_build_id(const struct elf *elf, uint64_t offset, uint64_t size,
			    uint8_t *ret)
{
	struct kft_cursor c = kft_cursor_init(elf->data, elf->size, elf->swap);
	uint32_t name_len;
	uint32_t len;
	uint32_t type;
	const uint8_t *name;
	const uint8_t *content;

	size = KFT_MIN(size, NOTES_BYTES_MAX);
	if (offset > elf->size || !kft_cursor_skip(&c, (size_t)offset) ||
	    !kft_cursor_sub(&c, KFT_MIN(size, (uint64_t)kft_cursor_left(&c)), &c))
		return 0;
	while (kft_cursor_u32(&c, &name_len) && kft_cursor_u32(&c, &len) &&
	       kft_cursor_u32(&c, &type)) {
		if (name_len > kft_cursor_left(&c) || len > kft_cursor_left(&c) ||
		    !kft_cursor_bytes(&c, (name_len + 3) & ~3u, &name) ||
		    !kft_cursor_bytes(&c, (len + 3) & ~3u, &content))
			return 0;
		if (type != NT_GNU_BUILD_ID || name_len != sizeof("GNU") ||
		    memcmp(name, "GNU", sizeof("GNU")) != 0)
			continue;
		len = KFT_MIN(len, (uint32_t)KFT_BUILD_ID_MAX);
		memcpy(ret, content, len);
		return len;
	}
	return 0;
}

size_t kft_elf_build_id(const void *data, size_t size, uint8_t ret[KFT_BUILD_ID_MAX])
{
	struct section section;
	struct segment segment;
	struct elf elf;
	size_t len = 0;

	if (open_elf(data, size, &elf) < 0)
		return 0;
	for (uint64_t i = 0; !len && i < elf.shnum && read_section(&elf, i, &section);
	     i++)
		if (section.type == SHT_NOTE)
			len = find_build_id(&elf, section.offset, section.size, ret);
	/* A program may have been stripped of its sections, a file of symbols of its segments. */
	for (uint32_t i = 0; !len && i < elf.phnum && read_segment(&elf, i, &segment);
	     i++)
		if (segment.type == PT_NOTE)
			len = find_build_id(&elf, segment.offset, segment.filesz, ret);
	return len;
}
