/* names.c: what names stand for. One hash table holds all names, each with its scope; closing a
 * scope removes its names. Scope 0 is the module, 1 a function, deeper ones its { }. */
#include "gpu/ptx/internal.h"
#include <string.h>

static uint32_t hash_text(const char *text, uint32_t length) {
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (uint32_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return hash;
}

static void enlarge(struct ptx_parser *parser) {
    uint32_t count = parser->bucket_count ? parser->bucket_count * 2 : 256;
    struct ptx_name **buckets = ptx_scratch(parser, count * sizeof *buckets);
    /* In a bucket inner scopes come first. Walking each old chain from its end keeps that order. */
    for (uint32_t i = 0; i < parser->bucket_count; i++) {
        struct ptx_name *reversed = NULL;
        for (struct ptx_name *name = parser->buckets[i], *next; name != NULL; name = next) {
            next = name->next;
            name->next = reversed;
            reversed = name;
        }
        for (struct ptx_name *name = reversed, *next; name != NULL; name = next) {
            next = name->next;
            struct ptx_name **bucket = &buckets[name->hash & (count - 1)];
            name->next = *bucket;
            *bucket = name;
        }
    }
    parser->buckets = buckets;
    parser->bucket_count = count;
}

static struct ptx_name *find_hashed(struct ptx_parser *parser, const char *text, uint32_t length,
                                    uint32_t hash) {
    if (!parser->bucket_count)
        return NULL;
    for (struct ptx_name *name = parser->buckets[hash & (parser->bucket_count - 1)]; name != NULL;
         name = name->next)
        if (name->hash == hash && name->length == length && memcmp(name->text, text, length) == 0)
            return name;
    return NULL;
}

struct ptx_name *ptx_find(struct ptx_parser *parser, const char *text, uint32_t length) {
    return find_hashed(parser, text, length, hash_text(text, length));
}

struct ptx_name *ptx_declare(struct ptx_parser *parser, const struct ptx_token *token,
                             enum ptx_name_kind kind) {
    uint32_t hash = hash_text(token->text, token->length);
    struct ptx_name *same = find_hashed(parser, token->text, token->length, hash);
    if (same != NULL && same->scope == parser->scope && same->unit == parser->unit &&
        (same->kind == PTX_NAME_RANGE) == (kind == PTX_NAME_RANGE))
        ptx_fail(parser, "'%.*s' is declared twice", PTX_TOKEN_ARGUMENTS(token));
    if (parser->name_count >= parser->bucket_count)
        enlarge(parser);
    struct ptx_name *name = ptx_scratch(parser, sizeof *name);
    name->text = token->text;
    name->length = token->length;
    name->hash = hash;
    name->scope = parser->scope;
    name->unit = parser->unit;
    name->kind = kind;
    struct ptx_name **bucket = &parser->buckets[hash & (parser->bucket_count - 1)];
    name->next = *bucket;
    *bucket = name;
    name->in_scope = parser->scopes[parser->scope].names;
    parser->scopes[parser->scope].names = name;
    parser->name_count++;
    return name;
}

/* "%r12" is the register of that name, or number 12 of the range "%r<n>", in the innermost scope
 * that has either. */
int32_t ptx_find_register(struct ptx_parser *parser, const struct ptx_token *token) {
    struct ptx_name *exact = ptx_find(parser, token->text, token->length);
    if (exact != NULL && exact->kind != PTX_NAME_REGISTER && exact->kind != PTX_NAME_RANGE)
        return -1;
    if (exact != NULL && exact->kind == PTX_NAME_RANGE)
        exact = NULL;
    uint32_t prefix = token->length;
    while (prefix > 0 && token->text[prefix - 1] >= '0' && token->text[prefix - 1] <= '9')
        prefix--;
    struct ptx_name *range = NULL;
    uint32_t number = 0;
    /* "%r12": tries prefix "%r", then "%r1" (a range may end in a digit). No leading zeros. */
    for (uint32_t cut = prefix; cut < token->length && range == NULL; cut++) {
        if (token->length - cut > 9 || (token->text[cut] == '0' && token->length - cut > 1))
            continue;
        number = 0;
        for (uint32_t i = cut; i < token->length; i++)
            number = number * 10 + (uint32_t)(token->text[i] - '0');
        struct ptx_name *found = ptx_find(parser, token->text, cut);
        if (found != NULL && found->kind == PTX_NAME_RANGE && number < found->count)
            range = found;
    }
    if (exact != NULL && (range == NULL || exact->scope >= range->scope))
        return exact->index;
    return range != NULL ? range->index + (int32_t)number : -1;
}

void ptx_scope_open(struct ptx_parser *parser) {
    if (parser->scope == PTX_MAX_NESTING)
        ptx_fail(parser, "'{' nested deeper than %d", PTX_MAX_NESTING);
    struct ptx_scope *scope = &parser->scopes[++parser->scope];
    scope->names = NULL;
    scope->first_label_use = parser->body != NULL ? parser->body->label_uses.count : 0;
    scope->frame_bytes = parser->body != NULL ? parser->body->frame_bytes : 0;
}

void ptx_use_label(struct ptx_parser *parser, const struct ptx_token *token, bool in_table, uint32_t index,
                   uint32_t entry) {
    struct ptx_label_use use = {token->text, token->length, token->line, in_table, index, entry};
    PTX_APPEND(parser, &parser->body->label_uses, use);
}

/* Resolves uses of labels that this scope declares; leaves the others to its outer scope. */
static void settle_labels(struct ptx_parser *parser) {
    struct ptx_body *body = parser->body;
    uint32_t kept = parser->scopes[parser->scope].first_label_use;
    for (uint32_t i = kept; i < body->label_uses.count; i++) {
        struct ptx_label_use use = body->label_uses.items[i];
        const struct ptx_name *name = ptx_find(parser, use.text, use.length);
        if (name != NULL && name->kind == PTX_NAME_LABEL && name->scope == parser->scope) {
            if (use.in_table)
                body->tables.items[use.index].targets[use.entry] = name->index;
            else
                body->instructions.items[use.index].target = name->index;
        } else if (parser->scope == 1) {
            ptx_fail_at(parser, use.line, 0, 0, "label '%.*s' is not in this function",
                        PTX_TOKEN_ARGUMENTS(&use));
        } else {
            body->label_uses.items[kept++] = use;
        }
    }
    body->label_uses.count = kept;
}

void ptx_scope_close(struct ptx_parser *parser) {
    if (parser->body != NULL) {
        settle_labels(parser);
        parser->body->frame_bytes = parser->scopes[parser->scope].frame_bytes;
    }
    ptx_scope_drop(parser);
}

static void forget(struct ptx_parser *parser, const struct ptx_name *name) {
    struct ptx_name **link = &parser->buckets[name->hash & (parser->bucket_count - 1)];
    while (*link != name)
        link = &(*link)->next;
    *link = name->next;
    parser->name_count--;
}

void ptx_scope_drop(struct ptx_parser *parser) {
    struct ptx_scope *scope = &parser->scopes[parser->scope];
    for (const struct ptx_name *name = scope->names; name != NULL; name = name->in_scope)
        forget(parser, name);
    scope->names = NULL;
    parser->scope--;
}

void ptx_forget_local_names(struct ptx_parser *parser) {
    struct ptx_name **link = &parser->scopes[0].names;
    while (*link != NULL) {
        struct ptx_name *name = *link;
        if (name->linked) {
            link = &name->in_scope;
            continue;
        }
        *link = name->in_scope;
        forget(parser, name);
    }
}
