// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Writes the metadata of a profile: types of markers and their
 * fields, names, stack tables.
 */
#include <string.h>

#include "export/firefox/firefox.h"

/* Versions of the processed profile; the profiler upgrades older ones. */
#define PROFILE_VERSION 60
#define GECKO_VERSION	33

/* Threads with less than this fraction (1/N) of all markers are hidden at first. */
#define SEEN_PART 200

static void key_text(struct kft_json *j, const char *key, const char *text)
{
	kft_json_key(j, key);
	kft_json_str(j, text);
}

void kft_firefox_class_name(struct kft_strbuf *sb, const struct kft_class *cls)
{
	kft_strbuf_add_escaped(sb, cls ? cls->system : "", cls ? strlen(cls->system) : 0);
	kft_strbuf_addc(sb, ':');
	if (cls)
		kft_strbuf_add_escaped(sb, cls->name, strlen(cls->name));
}

void kft_firefox_field_key(struct kft_strbuf *sb, const struct kft_field *field)
{
	kft_strbuf_addc(sb, '_');
	kft_strbuf_adds(sb, field->name);
}

static void add_categories(struct kft_json *j)
{
	static const char *const categories[][2] = {{"Other", "grey"},
#define ADD_KIND(id, name, colour) {name, colour},
						    KFT_FIREFOX_KINDS(ADD_KIND)
#undef ADD_KIND
	};

	kft_json_key(j, "categories");
	kft_json_begin_array(j);
	for (size_t i = 0; i < ARRAY_SIZE(categories); i++) {
		kft_json_begin_object(j);
		key_text(j, "name", categories[i][0]);
		key_text(j, "color", categories[i][1]);
		kft_json_key(j, "subcategories");
		kft_json_begin_array(j);
		kft_json_str(j, "Other");
		kft_json_end_array(j);
		kft_json_end_object(j);
	}
	kft_json_end_array(j);
}

static void add_field(struct kft_json *j, const char *key, const char *label)
{
	kft_json_begin_object(j);
	kft_json_key_escaped(j, "key", 3);
	kft_json_str(j, key);
	key_text(j, "label", label);
	key_text(j, "format", "string");
	kft_json_end_object(j);
}

/* Appends a schema up to the array of fields, which begins with the CPU. */
static void begin_schema(struct kft_json *j, const char *type)
{
	kft_json_begin_object(j);
	key_text(j, "name", type);
	kft_json_key(j, "display");
	kft_json_begin_array(j);
	kft_json_str(j, "marker-chart");
	kft_json_str(j, "marker-table");
	kft_json_str(j, "timeline-overview");
	kft_json_end_array(j);
	key_text(j, "tooltipLabel", "{marker.name}");
	kft_json_key(j, "fields");
	kft_json_begin_array(j);
	add_field(j, "cpu", "CPU");
}

static void end_schema(struct kft_json *j)
{
	kft_json_end_array(j);
	kft_json_end_object(j);
}

static void add_class(struct kft_firefox *f, struct kft_json *j, uint16_t id)
{
	const struct kft_class *cls = kft_trace_class(f->x->trace, id);
	_cleanup_(kft_strbuf_finish) struct kft_strbuf text = {};

	kft_firefox_class_name(&text, cls);
	begin_schema(j, kft_strbuf_cstr(&text));
	for (uint32_t i = cls ? cls->n_common : 0; cls && i < cls->n_fields; i++) {
		kft_strbuf_clear(&text);
		kft_firefox_field_key(&text, &cls->fields[i]);
		add_field(j, kft_strbuf_cstr(&text), cls->fields[i].name);
	}
	end_schema(j);
}

static void add_schemas(struct kft_firefox *f, struct kft_json *j)
{
	static const char *const others[] = {
#define ADD_KIND(id, name, colour) name,
		KFT_FIREFOX_KINDS(ADD_KIND)
#undef ADD_KIND
	};

	kft_json_key(j, "markerSchema");
	kft_json_begin_array(j);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++) {
		begin_schema(j, others[i]);
		add_field(j, "value", "value");
		add_field(j, "pid", "pid");
		add_field(j, "cause", "begun by");
		end_schema(j);
	}
	kft_vec_for_each(&f->classes, id)
		add_class(f, j, *id);
	kft_json_end_array(j);
}

static void add_seen(struct kft_firefox *f, struct kft_json *j)
{
	uint64_t rows = 0;

	kft_vec_for_each(&f->threads, thread)
		rows += thread->rows;
	kft_json_key(j, "initialVisibleThreads");
	kft_json_begin_array(j);
	for (size_t i = 0; i < f->threads.len; i++) {
		const struct kft_firefox_thread *thread = &f->threads.data[i];

		if (thread->is_cpu || thread->rows >= rows / SEEN_PART)
			kft_json_u64(j, i);
	}
	kft_json_end_array(j);
}

static void add_meta(struct kft_firefox *f, struct kft_json *j)
{
	const struct kft_export_uname u = kft_export_uname(f->x);

	kft_json_key(j, "meta");
	kft_json_begin_object(j);
	kft_json_key(j, "version");
	kft_json_u64(j, GECKO_VERSION);
	kft_json_key(j, "preprocessedProfileVersion");
	kft_json_u64(j, PROFILE_VERSION);
	key_text(j, "importedFrom", "kft");
	kft_json_key(j, "product");
	kft_json_strn(j, u.host.len ? u.host.data : "Linux", u.host.len ? u.host.len : 5);
	kft_json_key(j, "oscpu");
	kft_json_strn(j, u.release.data, u.release.len);
	add_categories(j);
	add_schemas(f, j);
	add_seen(f, j);
	kft_strbuf_adds(
		j->sb,
		",\"interval\":1,\"startTime\":0,\"processType\":0,\"stackwalk\":0,"
		"\"symbolicationNotSupported\":true,\"usesOnlyOneStackType\":true,"
		"\"sourceCodeIsNotOnSearchfox\":true,"
		"\"keepProfileThreadOrder\":true");
	kft_json_end_object(j);
}

/* Appends empty stack tables, and the names of markers. */
static void add_shared(struct kft_firefox *f, struct kft_json *j)
{
	static const char *const tables[] = {
		"\"stackTable\":{\"length\":0,\"frame\":[],\"prefix\":[]}",
		"\"frameTable\":{\"length\":0,\"address\":[],\"inlineDepth\":[],"
		"\"category\":[],\"subcategory\":[],\"func\":[],\"nativeSymbol\":[],"
		"\"innerWindowID\":[],\"line\":[],\"column\":[]}",
		"\"funcTable\":{\"length\":0,\"name\":[],\"isJS\":[],\"relevantForJS\":[],"
		"\"resource\":[],\"source\":[],\"lineNumber\":[],\"columnNumber\":[]}",
		"\"resourceTable\":{\"length\":0,\"lib\":[],\"name\":[],\"host\":[],"
		"\"type\":[]}",
		"\"nativeSymbols\":{\"length\":0,\"libIndex\":[],\"address\":[],"
		"\"name\":[],\"functionSize\":[]}",
		"\"sources\":{\"length\":0,\"uuid\":[],\"filename\":[]}",
	};

	kft_json_key(j, "shared");
	kft_json_begin_object(j);
	kft_json_key(j, "stringArray");
	kft_json_begin_array(j);
	kft_vec_for_each(&f->names.strings, name)
		kft_json_strn(j, name->text, name->len);
	kft_json_end_array(j);
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		kft_strbuf_addf(j->sb, ",%s", tables[i]);
	kft_json_end_object(j);
}

void kft_firefox_add_meta(struct kft_firefox *f, struct kft_json *j)
{
	add_meta(f, j);
	kft_json_key(j, "libs");
	kft_json_begin_array(j);
	kft_json_end_array(j);
	add_shared(f, j);
}
