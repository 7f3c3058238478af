// SPDX-License-Identifier: GPL-2.0-only
/*
 * usage: formats_tep CORPUS [SEED]
 * Prints random records of every format of the corpus with kft and with libtraceevent.
 * Prints each event for which they differ as "SYSTEM:EVENT: WHY". WHY is the likely reason out
 * of those in docs/formats/print.md, which lists the cases in which libtraceevent 1.7 does not
 * print the same as the kernel. With a seed, both texts are shown as well.
 *
 * libtraceevent reads beyond records and crashes on some formats. So it runs in a child, and
 * after a crash a new child goes on with the next format.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <event-parse.h>
#include <trace-seq.h>

#include "corpus.h"
#include "decode/printfmt/print.h"

#define ROUNDS	     6
#define RECORD_BYTES 4096
#define SLACK_BYTES  (1024 * 1024) /* room for reads of libtraceevent beyond a record */

static const char kallsyms[] = "ffffffff81000000 T one\n"
			       "ffffffff81000100 t two\n"
			       "ffffffff81000200 t three\n";
static const char printk_formats[] = "0xffffffff82000000 : \"a string\"\n";
static const uint64_t addresses[] = {0xffffffff81000010, 0xffffffff81000100,
				     0xffffffff82000000};

enum verdict {
	SAME,
	DIFFERS,
	TEP_CANNOT, /* only kft can print it */
	NEITHER_CAN,
	TEP_DIED,
	N_VERDICTS,
};

/* Shared with the child. */
struct progress {
	size_t next; /* text to be done */
	size_t count[N_VERDICTS];
};

/* Words of a print fmt that explain a difference. */
struct reason {
	const char *word;
	const char *why;
};

static const struct reason reasons[] = {
	{"%c", "%c"},
	{"%px", "letters behind %p"},
	{"%pK", "letters behind %p"},
	{"%pB", "letters behind %p"},
	{"%pSR", "letters behind %p"},
	{"%pa", "letters behind %p"},
	{"%*pb", "bit maps"},
	{"%pIS", "socket addresses of no family"},
	{"%ph", "%ph"},
	{"phC", "%ph"},
	{"%*ph", "%ph"},
	{"%#", "# of 0"},
	{"% d", "flags of numbers"},
	{"%+", "flags of numbers"},
	{"%.*", "precision"},
	{"__print_array", "arrays"},
	{"__print_hex", "bytes beyond the field"},
	{"%-", "padding of names"},
	{"%3s", "padding of names"},
	{"__print_flags", "names of values"},
	{"__print_symbolic", "names of values"},
	{"<<", "C's types and precedence"},
	{">>", "C's types and precedence"},
	{" - ", "C's types and precedence"},
	{"(-", "C's types and precedence"},
	{" & ", "C's types and precedence"},
	{"? ", "C's types and precedence"},
	{"NL80211_BAND", "names of values"},
	{"__get_dynamic_array", "bytes beyond the field"},
};

static bool verbose;
static unsigned int seed;

static uint64_t random_number(void)
{
	return (uint64_t)rand_r(&seed) << 31 ^ (uint64_t)rand_r(&seed);
}

/* Small and positive, in most kinds of events: the rest is a matter of unit tests. */
static uint64_t field_value(const struct kft_field *f)
{
	uint64_t v = 1 + random_number() % (f->size == 1   ? 100
					    : f->size == 2 ? 1000
							   : 9000);

	if (strcmp(f->type, "bool") == 0)
		return v & 1;
	if (random_number() % 2)
		v = 1 + v % 9;
	if (f->size == 8 && !f->is_signed && random_number() % 4 == 0)
		v = addresses[random_number() % ARRAY_SIZE(addresses)];
	return v;
}

static void fill(uint8_t *p, size_t n, bool text)
{
	for (size_t i = 0; i < n; i++)
		p[i] = text ? 'a' + random_number() % 26 : random_number();
	if (text && n)
		p[n - 1] = '\0';
}

/* Content of a dynamic field behind the others; returns the new end. */
static size_t put_dynamic(const struct kft_field *f, uint8_t *rec, size_t end)
{
	bool text = f->kind == KFT_FIELD_STRING;
	size_t n = text ? 2 + random_number() % 12
			: f->elem_size * (1 + random_number() % 4);
	uint32_t loc = end;

	if (strstr(f->type, "cpumask"))
		n = 8;
	if (end + n > RECORD_BYTES)
		return end;
	fill(rec + end, n, text);
	if (f->place == KFT_FIELD_REL_LOC)
		loc -= f->offset + 4;
	loc |= (uint32_t)n << 16;
	memcpy(rec + f->offset, &loc, sizeof(loc));
	return (end + n + 3) & ~(size_t)3;
}

static size_t put_field(const struct kft_field *f, uint8_t *rec, size_t end)
{
	if (f->place == KFT_FIELD_DATA_LOC || f->place == KFT_FIELD_REL_LOC)
		return put_dynamic(f, rec, end);
	if (f->place == KFT_FIELD_TAIL) {
		fill(rec + f->offset, 16, f->kind == KFT_FIELD_STRING);
		return f->offset + 16 > end ? f->offset + 16 : end;
	}
	if (f->kind == KFT_FIELD_INT) {
		uint64_t v = field_value(f);

		memcpy(rec + f->offset, &v, f->size);
	} else {
		fill(rec + f->offset, f->size, f->kind == KFT_FIELD_STRING);
	}
	return end;
}

/* The record's size; 0 for a class with larger ones. */
static size_t make_record(const struct kft_class *c, uint16_t id, uint8_t *rec)
{
	size_t end = 8;

	for (uint32_t i = 0; i < c->n_fields; i++)
		end = KFT_MAX(end, (size_t)c->fields[i].offset + c->fields[i].size);
	if (end > RECORD_BYTES - 64)
		return 0;
	memset(rec, 0, RECORD_BYTES);
	end = (end + 3) & ~(size_t)3;
	for (uint32_t i = c->n_common; i < c->n_fields; i++)
		end = put_field(&c->fields[i], rec, end);
	memcpy(rec, &id, sizeof(id));
	return end;
}

static struct tep_handle *tep_of(const struct corpus_text *x)
{
	struct tep_handle *tep = tep_alloc();
	char *symbols = strdup(kallsyms);
	char *strings = strdup(printk_formats);

	if (!tep || !symbols || !strings)
		exit(1);
	tep_set_long_size(tep, x->long_size);
	tep_set_page_size(tep, 4096);
	tep_set_file_bigendian(tep, TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(tep, TEP_LITTLE_ENDIAN);
	tep_parse_kallsyms(tep, symbols);
	tep_parse_printk_formats(tep, strings);
	tep_parse_event(tep, x->text, x->len, x->system);
	free(symbols);
	free(strings);
	return tep;
}

/* Events that are not printed by their print fmt: docs/formats/print.md. */
static bool is_special(const struct kft_class *c)
{
	static const char *const names[] = {
		"kernel_stack",	   "user_stack", "raw_data", "funcgraph_exit",
		"funcgraph_entry", "function",	 "bprint"};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcmp(c->system, "ftrace") == 0 && strcmp(c->name, names[i]) == 0)
			return true;
	return false;
}

static bool is_failed(const char *s)
{
	static const char failed[] = "[FAILED TO PARSE]";

	return strncmp(s, failed, strlen(failed)) == 0;
}

static const char *reason_for(const struct kft_class *c, const char *ours)
{
	if (is_special(c))
		return "not its print fmt";
	if (is_failed(ours))
		return "unknown names";
	if (strchr(ours, '\\'))
		return "escaped text";
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		if (strstr(c->print_fmt, reasons[i].word))
			return reasons[i].why;
	return "numbers of 32 bits";
}

static enum verdict compare(const struct kft_class *c, const char *ours,
			    const char *theirs)
{
	if (is_failed(theirs))
		return is_failed(ours) ? NEITHER_CAN : TEP_CANNOT;
	if (strcmp(ours, theirs) == 0)
		return SAME;
	printf("%s:%s: %s\n", c->system, c->name, reason_for(c, ours));
	if (verbose)
		printf("  %s\n  libtraceevent: %s\n  kft:           %s\n", c->print_fmt,
		       theirs, ours);
	return DIFFERS;
}

static enum verdict try_record(struct kft_printer *p, struct tep_handle *tep,
			       const struct kft_class *c, uint8_t *rec, size_t size)
{
	struct kft_event ev = {.data = rec, .size = size, .id = c->id};
	struct tep_record record = {.data = rec, .size = size};
	_cleanup_(kft_strbuf_finish) struct kft_strbuf ours = {};
	struct trace_seq theirs;

	kft_printer_info(p, &ev, &ours);
	trace_seq_init(&theirs);
	tep_print_event(tep, &theirs, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&theirs);
	size_t n = strlen(theirs.buffer);
	if (n && theirs.buffer[n - 1] == '\n')
		theirs.buffer[n - 1] = '\0';
	enum verdict v = compare(c, kft_strbuf_cstr(&ours), theirs.buffer);
	trace_seq_destroy(&theirs);
	return v;
}

/* The worst verdict of several records. */
static enum verdict try_text(const struct corpus_text *x, struct kft_trace *t,
			     struct kft_printer *p, uint8_t *rec)
{
	const struct kft_class *c = kft_trace_class(t, x->id);
	struct tep_handle *tep = tep_of(x);
	enum verdict worst = SAME;

	for (int i = 0; c && i < ROUNDS; i++) {
		size_t size = make_record(c, x->id, rec);
		enum verdict v = size ? try_record(p, tep, c, rec, size) : SAME;

		worst = KFT_MAX(worst, v);
		if (v != SAME)
			break;
	}
	tep_free(tep);
	return worst;
}

static void run_child(const struct corpus *c, struct progress *pr)
{
	struct kft_trace *traces[2] = {corpus_trace(c, 4), corpus_trace(c, 8)};
	struct kft_printer *printers[2];
	uint8_t *rec = calloc(1, SLACK_BYTES);

	tep_set_loglevel(TEP_LOG_NONE);
	for (int i = 0; i < 2; i++) {
		traces[i]->meta.kallsyms = (struct kft_blob){kallsyms, strlen(kallsyms)};
		traces[i]->meta.printk_formats =
			(struct kft_blob){printk_formats, strlen(printk_formats)};
		if (!rec || kft_printer_create(traces[i], &printers[i]) < 0)
			exit(1);
	}
	while (pr->next < c->texts.len) {
		const struct corpus_text *x = &c->texts.data[pr->next];
		bool wide = x->long_size == 8;

		pr->count[try_text(x, traces[wide], printers[wide], rec)]++;
		pr->next++;
	}
	fflush(stdout);
	_exit(0);
}

static int run(const struct corpus *c, struct progress *pr)
{
	while (pr->next < c->texts.len) {
		int status;

		fflush(stdout);
		pid_t pid = fork();
		if (pid == 0)
			run_child(c, pr);
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			return 1;
		if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
			break;
		if (!WIFSIGNALED(status))
			return 1;
		pr->count[TEP_DIED]++;
		pr->next++;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct corpus c = {};
	struct progress *pr = mmap(NULL, sizeof(*pr), PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (argc < 2 || pr == MAP_FAILED)
		return 2;
#ifdef __SANITIZE_ADDRESS__
	fprintf(stderr,
		"libtraceevent reads beyond records: not with AddressSanitizer\n");
	return 77;
#endif
	int status = corpus_load(&c, argv[1]);
	if (status == 0) {
		/* The same records each time, unless asked for others. */
		verbose = argc > 2;
		(void)setvbuf(stdout, NULL, _IOLBF, 0); /* a child may die any time */
		seed = verbose ? strtoul(argv[2], NULL, 0) : 1;
		status = run(&c, pr);
		fprintf(stderr,
			"texts printed alike %zu, differently %zu, only by kft %zu, "
			"by neither %zu, libtraceevent died %zu\n",
			pr->count[SAME], pr->count[DIFFERS], pr->count[TEP_CANNOT],
			pr->count[NEITHER_CAN], pr->count[TEP_DIED]);
	}
	corpus_finish(&c);
	return status;
}
