// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses the types of CTF 2's metadata that contain others. */
#include <errno.h>

#include "base/err.h"
#include "file/ctf/json/json.h"

/* One member of a structure or option of a variant; options may lack a name. */
static int take_member(struct kft_ctf_json *p, struct json_object *o,
		       struct kft_ctf_member *ret)
{
	struct json_object *type;
	int r;

	if (json_object_get_type(o) != json_type_object)
		return kft_err_set(p->e, -EINVAL, "a member is an object");
	ret->name = "";
	r = kft_ctf_json_text(p, o, "name", &ret->name);
	if (r == 0 && !json_object_object_get_ex(o, "field-class", &type))
		r = kft_err_set(p->e, -EINVAL, "'field-class' is missing");
	if (r == 0)
		r = kft_ctf_json_type(p, type, &ret->type);
	return r < 0 ? kft_err_wrap(p->e, r, "'%.64s'", ret->name) : 0;
}

static int take_members(struct kft_ctf_json *p, struct json_object *array,
			struct kft_ctf_type *t)
{
	size_t n = json_object_array_length(array);
	struct kft_ctf_member *members = kft_arena_calloc(&p->meta->arena, n + 1,
							  sizeof(*members));
	int r = 0;

	if (n > KFT_CTF_MEMBERS_MAX)
		return kft_err_set(p->e, -EINVAL, "too many fields");
	if (!members)
		return kft_ctf_json_no_memory(p);
	for (size_t i = 0; i < n && r == 0; i++) {
		r = take_member(p, json_object_array_get_idx(array, i), &members[i]);
		if (r == 0 && t->kind == KFT_CTF_STRUCT && !*members[i].name)
			r = kft_err_set(p->e, -EINVAL, "a field has no name");
	}
	t->members = members;
	t->n_members = n;
	return r;
}

int kft_ctf_json_structure(struct kft_ctf_json *p, struct json_object *o,
			   struct kft_ctf_type *t)
{
	struct json_object *members;
	int r = kft_ctf_json_min_align(p, o, "minimum-alignment", t);

	if (r == 0)
		r = kft_ctf_json_get(p, o, "member-classes", json_type_array, &members);
	if (r == 0 && members)
		r = take_members(p, members, t);
	for (uint32_t i = 0; i < t->n_members && r == 0; i++)
		t->align = KFT_MAX(t->align, t->members[i].type->align);
	return r;
}

int kft_ctf_json_elements(struct kft_ctf_json *p, struct json_object *o,
			  struct kft_ctf_type *t)
{
	struct json_object *length = NULL;
	struct json_object *elem;
	int r = 0;

	if (!t->elem && !json_object_object_get_ex(o, "element-field-class", &elem))
		return kft_err_set(p->e, -EINVAL, "'element-field-class' is missing");
	if (!t->elem)
		r = kft_ctf_json_type(p, elem, &t->elem);
	if (r == 0)
		r = kft_ctf_json_min_align(p, o, "minimum-alignment", t);
	if (r < 0)
		return r;
	t->align = KFT_MAX(t->align, t->elem->align);
	if (t->kind == KFT_CTF_SEQUENCE)
		return kft_ctf_json_location(p, o, "length-field-location", &t->at);
	r = kft_ctf_json_need(p, o, "length", json_type_int, &length);
	return r < 0 ? r
		     : kft_ctf_json_uint(p, o, "length", 0, KFT_CTF_LENGTH_MAX,
					 &t->length);
}

/* The selector's ranges and their options, collected while a variant is parsed. */
struct choices {
	KFT_VEC(struct kft_ctf_choice) vec;
	uint32_t member;
};

static bool add_choice(void *arg, uint64_t lo, uint64_t hi)
{
	struct choices *c = arg;
	struct kft_ctf_choice choice = {lo, hi, c->member};

	return kft_vec_push(&c->vec, choice);
}

static int keep_choices(struct kft_ctf_json *p, const struct choices *c,
			struct kft_ctf_type *t)
{
	struct kft_ctf_choice *copy = kft_arena_calloc(&p->meta->arena, c->vec.len + 1,
						       sizeof(*copy));

	if (!copy)
		return kft_ctf_json_no_memory(p);
	for (size_t i = 0; i < c->vec.len; i++)
		copy[i] = c->vec.data[i];
	t->choices = copy;
	t->n_choices = c->vec.len;
	return 0;
}

static int take_options(struct kft_ctf_json *p, struct json_object *options,
			struct choices *c)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < json_object_array_length(options); i++) {
		struct json_object *ranges;

		c->member = i;
		r = kft_ctf_json_need(p, json_object_array_get_idx(options, i),
				      "selector-field-ranges", json_type_array, &ranges);
		if (r == 0)
			r = kft_ctf_json_ranges(p, ranges, add_choice, c);
	}
	return r;
}

int kft_ctf_json_variant(struct kft_ctf_json *p, struct json_object *o,
			 struct kft_ctf_type *t)
{
	struct json_object *options;
	struct choices c = {};
	int r = kft_ctf_json_need(p, o, "options", json_type_array, &options);

	if (r == 0)
		r = take_members(p, options, t);
	if (r == 0)
		r = take_options(p, options, &c);
	if (r == 0)
		r = keep_choices(p, &c, t);
	kft_vec_finish(&c.vec);
	return r < 0 ? r : kft_ctf_json_location(p, o, "selector-field-location", &t->at);
}

/* An optional without ranges has a boolean as its selector. */
int kft_ctf_json_optional(struct kft_ctf_json *p, struct json_object *o,
			  struct kft_ctf_type *t)
{
	struct kft_ctf_member *member = kft_arena_calloc(&p->meta->arena, 1,
							 sizeof(*member));
	struct json_object *ranges;
	struct choices c = {};

	if (!member)
		return kft_ctf_json_no_memory(p);
	int r = take_member(p, o, member);
	t->members = member;
	t->n_members = 1;
	t->is_optional = true;
	if (r == 0)
		r = kft_ctf_json_get(p, o, "selector-field-ranges", json_type_array,
				     &ranges);
	if (r == 0 && ranges)
		r = kft_ctf_json_ranges(p, ranges, add_choice, &c);
	else if (r == 0 && !add_choice(&c, 1, UINT64_MAX))
		r = kft_ctf_json_no_memory(p);
	if (r == 0)
		r = keep_choices(p, &c, t);
	kft_vec_finish(&c.vec);
	return r < 0 ? r : kft_ctf_json_location(p, o, "selector-field-location", &t->at);
}
