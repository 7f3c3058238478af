// SPDX-License-Identifier: LGPL-2.1-or-later
/* Builds the trees of a CTF event's types. */
#include "file/ctf/tsdl/node.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"

struct maker {
	struct kft_ctf_nodes *nodes;
	struct kft_ctf_scopes *scopes;
	enum kft_ctf_scope scope;
	unsigned int depth;
	struct kft_err *e;
};

static int no_memory(struct maker *m)
{
	return kft_err_set(m->e, -ENOMEM, "out of memory, or the metadata is too big");
}

void kft_ctf_scopes_init(struct kft_ctf_scopes *s)
{
	*s = (struct kft_ctf_scopes){.n_slots = KFT_CTF_N_ROLES};
}

static void set_role(struct maker *m, struct kft_ctf_node *n)
{
	enum kft_ctf_role role;

	if (!kft_ctf_is_int(n->type) ||
	    !kft_ctf_role_find(m->nodes->meta, m->scope, n->name, n->type, &role))
		return;
	n->slot = role;
	m->scopes->has_role[role] = true;
}

static const char *strip(const char *name, size_t *len)
{
	if (*len > 1 && name[0] == '_') {
		(*len)--;
		return name + 1;
	}
	return name;
}

/* Finds the child with that name among the first n. */
static struct kft_ctf_node *find_child(const struct kft_ctf_node *parent, size_t n,
				       const char *name, size_t len)
{
	name = strip(name, &len);
	for (size_t i = 0; i < n; i++) {
		struct kft_ctf_node *c = &parent->children[i];

		if (strlen(c->name) == len && memcmp(c->name, name, len) == 0)
			return c;
	}
	return NULL;
}

/* Finds "a.b.c" from a node down: "a" among its first n children. */
static struct kft_ctf_node *descend(const struct kft_ctf_node *from, size_t n,
				    const char *path)
{
	for (;;) {
		size_t len = strcspn(path, ".");
		struct kft_ctf_node *c = find_child(from, n, path, len);

		if (!c || !path[len])
			return c;
		path += len + 1;
		from = c;
		n = c->n_children;
	}
}

/* Finds a path that begins with a scope's name: "stream.event.header.v.id". */
static struct kft_ctf_node *find_absolute(const struct maker *m, const char *path)
{
	static const char *const prefixes[] = {
		[KFT_CTF_PACKET_HEADER] = "trace.packet.header.",
		[KFT_CTF_PACKET_CONTEXT] = "stream.packet.context.",
		[KFT_CTF_EVENT_HEADER] = "stream.event.header.",
		[KFT_CTF_STREAM_EVENT_CONTEXT] = "stream.event.context.",
		[KFT_CTF_EVENT_CONTEXT] = "event.context.",
		[KFT_CTF_EVENT_FIELDS] = "event.fields.",
	};

	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		const struct kft_ctf_node *root = m->scopes->roots[i];

		if (root && strncmp(path, prefixes[i], strlen(prefixes[i])) == 0)
			return descend(root, root->n_children,
				       path + strlen(prefixes[i]));
	}
	return NULL;
}

/*
 * Finds a relative path: first among the earlier members of the structs around the node,
 * nearest first, then in the outer scopes.
 */
static struct kft_ctf_node *
find_relative(const struct maker *m, const struct kft_ctf_node *node, const char *path)
{
	for (; node->parent; node = node->parent) {
		bool in_struct = node->parent->type->kind == KFT_CTF_STRUCT;
		size_t n = in_struct ? (size_t)(node - node->parent->children) : 0;
		struct kft_ctf_node *found = descend(node->parent, n, path);

		if (found)
			return found;
	}
	for (size_t i = m->scope; i-- > 0;) {
		const struct kft_ctf_node *root = m->scopes->roots[i];
		struct kft_ctf_node *found = root ? descend(root, root->n_children, path)
						  : NULL;

		if (found)
			return found;
	}
	return NULL;
}

static const struct kft_ctf_node *scope_of(const struct kft_ctf_node *n)
{
	while (n->parent)
		n = n->parent;
	return n;
}

static int give_slot(struct maker *m, struct kft_ctf_node *n)
{
	if (n->slot != KFT_CTF_NO_SLOT)
		return 0;
	if (m->scopes->n_slots == KFT_CTF_SLOTS_MAX)
		return kft_err_set(m->e, -EINVAL, "an event has too many lengths");
	n->slot = m->scopes->n_slots++;
	/*
	 * A slot in a scope around events is reserved in all events that are made later.
	 */
	if (scope_of(n) != m->scopes->roots[m->scope])
		m->nodes->n_shared = KFT_MAX(m->nodes->n_shared, m->scopes->n_slots);
	return 0;
}

/* Options and elements are transparent in a path; only structs have named members. */
static bool is_passed(const struct kft_ctf_node *n)
{
	return n->type->kind != KFT_CTF_STRUCT && n->n_children;
}

/*
 * Gives all integers at a path of CTF 2 one slot: each option of a variant may have such
 * an integer. *slot is KFT_CTF_NO_SLOT before the first.
 */
static int find_located(struct maker *m, struct kft_ctf_node *from,
			const char *const *names, uint32_t n, uint16_t *slot,
			bool *is_signed)
{
	int r = 0;

	/*
	 * Visits count against the limit of nodes, so that hostile
	 * paths cannot take forever.
	 */
	if (++m->nodes->n_nodes > KFT_CTF_NODES_MAX)
		return kft_err_set(m->e, -EINVAL, "types are nested too much");
	if (!n && kft_ctf_is_int(from->type)) {
		if (*slot != KFT_CTF_NO_SLOT && from->slot == KFT_CTF_NO_SLOT)
			from->slot = *slot;
		r = give_slot(m, from);
		*slot = from->slot;
		*is_signed = from->type->is_signed;
		return r;
	}
	for (uint32_t i = 0; i < from->n_children && r == 0; i++) {
		struct kft_ctf_node *c = &from->children[i];

		if (is_passed(from))
			r = find_located(m, c, names, n, slot, is_signed);
		else if (n && strcmp(c->name, names[0]) == 0)
			r = find_located(m, c, names + 1, n - 1, slot, is_signed);
	}
	return r;
}

static struct kft_ctf_node *struct_around(struct kft_ctf_node *n)
{
	do {
		n = n->parent;
	} while (n && n->type->kind != KFT_CTF_STRUCT);
	return n;
}

static int not_located(struct maker *m, const struct kft_ctf_node *n)
{
	const struct kft_ctf_location *at = n->type->at;
	const char *last = at->n_names ? at->names[at->n_names - 1] : NULL;

	return kft_err_set(m->e, -EINVAL,
			   "'%.64s': the length or tag '%.64s' is not there", n->name,
			   last ? last : "");
}

static int resolve_located(struct maker *m, struct kft_ctf_node *n)
{
	const struct kft_ctf_location *at = n->type->at;
	const char *const *names = at->names;
	uint32_t left = at->n_names;
	struct kft_ctf_node *from = at->scope < KFT_CTF_N_SCOPES
					    ? m->scopes->roots[at->scope]
					    : struct_around(n);

	for (; from && left && !*names; left--, names++)
		from = struct_around(from);
	if (!from)
		return not_located(m, n);
	int r = find_located(m, from, names, left, &n->ref, &n->ref_signed);
	if (r == 0 && n->ref == KFT_CTF_NO_SLOT)
		return not_located(m, n);
	n->choices = n->type->choices;
	n->n_choices = n->type->n_choices;
	return r;
}

static const struct kft_ctf_type *own_label_type(const struct kft_ctf_node *tag)
{
	return tag->type->kind == KFT_CTF_ENUM ? tag->type : NULL;
}

/* Maps values of the tag to members: those of the label with the member's name. */
static int make_choices(struct maker *m, struct kft_ctf_node *n,
			const struct kft_ctf_node *tag)
{
	const struct kft_ctf_type *e = own_label_type(tag);

	if (!e)
		return kft_err_set(m->e, -EINVAL,
				   "the tag '%s' of a variant is not an "
				   "enum",
				   n->type->ref);
	struct kft_ctf_choice *choices = kft_arena_calloc(
		&m->nodes->meta->arena, e->n_labels + 1, sizeof(*choices));
	if (!choices)
		return no_memory(m);
	for (uint32_t i = 0; i < e->n_labels; i++) {
		const struct kft_ctf_node *child = find_child(
			n, n->n_children, e->labels[i].name, strlen(e->labels[i].name));

		if (child)
			choices[n->n_choices++] = (struct kft_ctf_choice){
				e->labels[i].lo, e->labels[i].hi, child - n->children};
	}
	n->choices = choices;
	n->ref_signed = e->is_signed;
	return 0;
}

static int resolve(struct maker *m, struct kft_ctf_node *n)
{
	const char *path = n->type->ref;
	struct kft_ctf_node *found = NULL;

	if (n->type->at)
		return resolve_located(m, n);
	if (path)
		found = find_absolute(m, path);
	if (path && !found)
		found = find_relative(m, n, path);
	if (!found || !kft_ctf_is_int(found->type))
		return kft_err_set(m->e, -EINVAL,
				   "'%s': the length or tag '%s' is not there", n->name,
				   path ? path : "");
	int r = give_slot(m, found);
	n->ref = found->slot;
	if (r == 0 && n->type->kind == KFT_CTF_VARIANT)
		r = make_choices(m, n, found);
	return r;
}

static int make(struct maker *m, struct kft_ctf_node *n);

static int make_children(struct maker *m, struct kft_ctf_node *n, uint32_t count)
{
	if (m->nodes->n_nodes + count > KFT_CTF_NODES_MAX ||
	    m->depth == KFT_CTF_NESTING_MAX)
		return kft_err_set(m->e, -EINVAL, "types are nested too much");
	m->nodes->n_nodes += count;
	n->children = kft_arena_calloc(&m->nodes->meta->arena, count + 1,
				       sizeof(*n->children));
	if (!n->children)
		return no_memory(m);
	m->depth++;
	int r = 0;
	for (uint32_t i = 0; i < count && r == 0; i++) {
		bool is_element = n->type->elem != NULL;

		/*
		 * Set one by one, as paths may refer to earlier
		 * siblings and to parents only.
		 */
		n->n_children = i + 1;
		n->children[i] = (struct kft_ctf_node){
			.type = is_element ? n->type->elem : n->type->members[i].type,
			.name = is_element ? "" : n->type->members[i].name,
			.parent = n,
		};
		r = make(m, &n->children[i]);
	}
	m->depth--;
	return r;
}

static int make(struct maker *m, struct kft_ctf_node *n)
{
	int r = 0;

	n->slot = KFT_CTF_NO_SLOT;
	n->ref = KFT_CTF_NO_SLOT;
	set_role(m, n);
	switch (n->type->kind) {
	case KFT_CTF_STRUCT:
		return make_children(m, n, n->type->n_members);
	case KFT_CTF_VARIANT:
		r = make_children(m, n, n->type->n_members);
		return r < 0 ? r : resolve(m, n);
	case KFT_CTF_ARRAY:
		return make_children(m, n, 1);
	case KFT_CTF_SEQUENCE:
		r = resolve(m, n);
		return r < 0 ? r : make_children(m, n, 1);
	default:
		/* Events may refer to any integer of the packet's header and context. */
		return kft_ctf_is_int(n->type) && m->scope <= KFT_CTF_PACKET_CONTEXT
			       ? give_slot(m, n)
			       : 0;
	}
}

int kft_ctf_scopes_add(struct kft_ctf_nodes *nodes, struct kft_ctf_scopes *s,
		       enum kft_ctf_scope scope, const struct kft_ctf_type *type,
		       struct kft_err *e)
{
	struct maker m = {.nodes = nodes, .scopes = s, .scope = scope, .e = e};

	s->roots[scope] = NULL;
	s->n_slots = KFT_MAX(s->n_slots, nodes->n_shared);
	if (!type)
		return 0;
	struct kft_ctf_node *root = kft_arena_alloc(&nodes->meta->arena, sizeof(*root));
	if (!root)
		return no_memory(&m);
	*root = (struct kft_ctf_node){.type = type, .name = ""};
	s->roots[scope] = root;
	return make(&m, root);
}
