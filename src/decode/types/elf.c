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
};

struct section {
	uint32_t type;
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
	       kft_cursor_u32(&c, &ret->type) && get_word(elf, &c, &skipped) &&
	       get_word(elf, &c, &skipped) && get_word(elf, &c, &ret->offset) &&
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

/* Translates a virtual address to a file offset. */
static bool file_offset(const struct elf *elf, uint64_t addr, uint64_t *ret)
{
	for (uint32_t i = 0; i < elf->phnum; i++) {
		uint64_t offset;
		uint64_t vaddr;
		uint64_t paddr;
		uint64_t filesz;
		struct kft_cursor c;
		uint32_t type;

		if (!entry(elf, elf->phoff, i, elf->phentsize, &c) ||
		    !kft_cursor_u32(&c, &type) ||
		    (elf->is_64 && !kft_cursor_skip(&c, 4)) || /* p_flags */
		    !get_word(elf, &c, &offset) || !get_word(elf, &c, &vaddr) ||
		    !get_word(elf, &c, &paddr) || !get_word(elf, &c, &filesz))
			return false;
		if (type == PT_LOAD && addr >= vaddr && addr - vaddr < filesz)
			return !kft_add(addr - vaddr, offset, ret) && *ret < elf->size;
	}
	return false;
}

struct symbol {
	uint32_t name;
	uint8_t info;
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
	ret->info = *info;
	return !elf->is_64 ||
	       (get_word(elf, c, &ret->value) && get_word(elf, c, &ret->size));
}

/* Adds a symbol: 1 when it is a function defined in this file. */
static int add_symbol(const struct elf *elf, const struct section *strings,
		      const struct symbol *s, struct kft_elf_functions *out)
{
	struct kft_elf_function f = {.size = s->size, .address = s->value};
	struct kft_cursor c = kft_cursor_init(elf->data, elf->size, elf->swap);
	struct kft_cursor names;

	if (ELF64_ST_TYPE(s->info) != STT_FUNC || s->section == SHN_UNDEF)
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
	    !file_offset(elf, f.address, &f.offset))
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

int kft_elf_functions(const void *data, size_t size, struct kft_elf_functions *ret)
{
	struct kft_elf_functions out = {};
	struct section s = {};
	struct elf elf;
	bool seen[SHT_DYNSYM + 1] = {};
	int r = open_elf(data, size, &elf);

	for (uint64_t i = 0; r == 0 && i < elf.shnum; i++) {
		if (!read_section(&elf, i, &s)) {
			r = -EINVAL;
			break;
		}
		/*
		 * A file has at most one of each (gabi4+, ch. 4); later ones are ignored.
		 */
		if ((s.type == SHT_SYMTAB || s.type == SHT_DYNSYM) && !seen[s.type]) {
			seen[s.type] = true;
			r = add_table(&elf, &s, &out);
		}
	}
	if (r < 0) {
		kft_elf_functions_finish(&out);
		return r;
	}
	drop_twins(&out);
	out.machine = elf.machine;
	*ret = out;
	return 0;
}
