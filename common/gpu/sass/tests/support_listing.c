/*
 * support_listing.c: see support_listing.h.
 */
#include "support_listing.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/sass/instruction.h"

/* ---- the listing */

enum { MAX_LABELS = 20000 };

struct label {
    const char *name;
    uint32_t address;
};

static uint32_t label_address(const struct label *labels, size_t count, const char *name, size_t length,
                              bool *found) {
    for (size_t i = 0; i < count; i++) {
        if (strlen(labels[i].name) == length && memcmp(labels[i].name, name, length) == 0) {
            *found = true;
            return labels[i].address;
        }
    }
    *found = false;
    return 0;
}

/* Labels stand before their instruction and hold for the whole section. */
static void resolve(struct listed_instruction *instructions, size_t count, const struct label *labels,
                    size_t label_count) {
    for (size_t i = 0; i < count; i++) {
        const char *name = strstr(instructions[i].text, "`(");
        if (name != NULL) {
            name += 2;
            instructions[i].target =
                label_address(labels, label_count, name, strcspn(name, ")"), &instructions[i].has_target);
        }
    }
}

/* An address between comment signs, the text, the low half of the bytes between comment signs. */
static bool read_line(char *line, struct listed_instruction *instruction) {
    char *start = strstr(line, "/*"), *end = NULL;
    if (start == NULL || !isxdigit((unsigned char)start[2])) {
        return false;
    }
    unsigned long address = strtoul(start + 2, &end, 16);
    char *hex = strstr(end, "/* 0x");
    if (strncmp(end, "*/", 2) != 0 || hex == NULL) {
        return false;
    }
    uint64_t low = strtoull(hex + 3, NULL, 16);
    char *text = end + 2 + strspn(end + 2, " {");
    while (hex > text && strchr(" ;}", hex[-1]) != NULL) {
        hex--;
    }
    *hex = '\0';
    memset(instruction, 0, sizeof *instruction);
    instruction->address = (uint32_t)address;
    instruction->text = text;
    memcpy(instruction->bytes, &low, sizeof low);
    return true;
}

static bool grow(struct listing *listing) {
    if (listing->count % 1024 != 0) {
        return true;
    }
    struct listed_instruction *more =
        realloc(listing->instructions, (listing->count + 1024) * sizeof *listing->instructions);
    if (more != NULL) {
        listing->instructions = more;
    }
    return more != NULL;
}

bool listing_read(struct listing *listing, char *text) {
    static struct label labels[MAX_LABELS];
    size_t label_count = 0, section = 0;
    bool half = false;
    *listing = (struct listing){0};
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        uint32_t next = listing->count == section
                            ? 0
                            : listing->instructions[listing->count - 1].address + SASS_INSTRUCTION_BYTES;
        char *high = strstr(line, "/* 0x");
        if (strstr(line, ".section") != NULL) {
            resolve(listing->instructions + section, listing->count - section, labels, label_count);
            label_count = 0;
            section = listing->count;
        } else if (line[0] != ' ' && line[0] != '\t' && line[0] != '/' && strchr(line, ':') != NULL &&
                   label_count < MAX_LABELS) {
            *strchr(line, ':') = '\0';
            labels[label_count++] = (struct label){line, next};
        } else if (half && high != NULL) {
            uint64_t value = strtoull(high + 3, NULL, 16);
            memcpy(listing->instructions[listing->count - 1].bytes + 8, &value, sizeof value);
            half = false;
        } else {
            if (!grow(listing)) {
                return false;
            }
            half = read_line(line, &listing->instructions[listing->count]);
            listing->count += half;
        }
    }
    resolve(listing->instructions + section, listing->count - section, labels, label_count);
    return true;
}

void listing_free(struct listing *listing) {
    free(listing->instructions);
    *listing = (struct listing){0};
}

/* ---- one instruction's text */

enum { MAX_NAMED = 16 };

struct named {
    int registers[MAX_NAMED], uniform[MAX_NAMED];
    int register_count, uniform_count, reused;
    unsigned predicates, uniform_predicates;
};

/* Reads the registers and predicates that the operands name, in their order. */
static void read_operands(const char *text, struct named *named) {
    memset(named, 0, sizeof *named);
    for (const char *p = text; *p != '\0' && strncmp(p, "(*", 2) != 0 && *p != '`'; p++) {
        bool starts = p == text || (!isalnum((unsigned char)p[-1]) && p[-1] != '_' && p[-1] != '.');
        bool uniform = *p == 'U';
        const char *kind = p + uniform;
        if (strncmp(p, ".reuse", 6) == 0) {
            named->reused++;
        }
        if (!starts || (*kind != 'R' && *kind != 'P') || !isdigit((unsigned char)kind[1])) {
            continue;
        }
        int number = atoi(kind + 1);
        if (*kind == 'P') {
            *(uniform ? &named->uniform_predicates : &named->predicates) |= 1U << (number & 31);
        } else if (uniform && named->uniform_count < MAX_NAMED) {
            named->uniform[named->uniform_count++] = number;
        } else if (!uniform && named->register_count < MAX_NAMED) {
            named->registers[named->register_count++] = number;
        }
    }
}

static int by_number(const void *one, const void *other) {
    return *(const int *)one - *(const int *)other;
}

/* The first written stands first, in textures behind the second group. What is read comes in the order of the encoding, but where
 * `any_order` says that the text has one of its own. */
static bool same_registers(const struct sass_registers *writes, int write_count,
                           const struct sass_registers *reads, int read_count, const int *named,
                           int named_count, bool any_order) {
    int ours[MAX_NAMED], theirs[MAX_NAMED], count = 0;
    for (int i = write_count - 1; i >= 0; i--) {
        if (writes[i].count != 0) {
            ours[count++] = writes[i].first;
        }
    }
    for (int i = 0; i < read_count; i++) {
        ours[count++] = reads[i].first;
    }
    if (count != named_count) {
        return false;
    }
    memcpy(theirs, named, (size_t)count * sizeof theirs[0]);
    if (any_order) {
        qsort(ours, (size_t)count, sizeof ours[0], by_number);
        qsort(theirs, (size_t)count, sizeof theirs[0], by_number);
    }
    return memcmp(ours, theirs, (size_t)count * sizeof ours[0]) == 0;
}

static bool has_modifier(const char *text, const char *modifier) {
    size_t length = strlen(modifier), end = strcspn(text, " ");
    for (const char *p = text; (p = strstr(p, modifier)) != NULL && p < text + end; p++) {
        if (p[length] == '.' || p[length] == ' ' || p[length] == '\0') {
            return true;
        }
    }
    return false;
}

static int stated_bytes(const char *text) {
    return has_modifier(text, ".U8") || has_modifier(text, ".S8")                                    ? 1
           : has_modifier(text, ".U16") || has_modifier(text, ".S16")                                ? 2
           : has_modifier(text, ".128") || has_modifier(text, ".M88") || has_modifier(text, ".MT88") ? 16
           : has_modifier(text, ".64") || has_modifier(text, ".S64") || has_modifier(text, ".U64") ||
                   has_modifier(text, ".F64") || has_modifier(text, ".F32x2") || has_modifier(text, ".F16x4")
               ? 8
               : 4;
}

/* What is compared is what the text says: an instruction without the operand is right by saying nothing. */
static const char *operand_difference(const struct sass_instruction *ours, const char *operands) {
    const char *constant = strstr(operands, "c[0x");
    if (constant != NULL) {
        char *end = NULL;
        long bank = strtol(constant + 2, &end, 16), offset = 0;
        const char *place = strstr(end, "0x");
        if (place != NULL && strchr(end, '[') != NULL && place < strchr(strchr(end, '['), ']')) {
            offset = strtol(place, NULL, 16) * (place[-1] == '-' ? -1 : 1);
        }
        if (!ours->has_constant || ours->constant_bank != bank || ours->constant_offset != offset) {
            return "constant memory";
        }
    }
    if (ours->has_immediate && (ours->class == SASS_INTEGER || ours->class == SASS_MOVE)) {
        char plain[24], negative[16];
        snprintf(plain, sizeof plain, "0x%llx", (unsigned long long)ours->immediate);
        snprintf(negative, sizeof negative, "-0x%x", 0 - (uint32_t)ours->immediate);
        /* A float is printed as one. */
        if (strstr(operands, plain) == NULL && strstr(operands, negative) == NULL &&
            strcmp(ours->mnemonic, "FSEL") != 0 && strcmp(ours->mnemonic, "UFSEL") != 0) {
            return "immediate";
        }
    }
    if (ours->memory_offset != 0) {
        char offset[16];
        snprintf(offset, sizeof offset, "%s0x%x", ours->memory_offset < 0 ? "-" : "",
                 (unsigned)abs(ours->memory_offset));
        if (strstr(operands, offset) == NULL) {
            return "offset of the address";
        }
    }
    return NULL;
}

const char *listing_difference(uint32_t architecture, const struct listed_instruction *listed) {
    struct sass_instruction ours;
    if (!sass_decode(architecture, listed->bytes, listed->address, &ours)) {
        return "unknown to us";
    }
    const char *text = listed->text;
    bool guarded = *text == '@', negated = guarded && text[1] == '!';
    bool uniform_guard = guarded && text[1 + negated] == 'U';
    const char *index = text + 1 + negated + uniform_guard + 1;
    int guard = !guarded || *index == 'T' ? SASS_ALWAYS : *index - '0';
    if (guard != ours.guard || negated != ours.guard_negated ||
        (guarded && uniform_guard != ours.guard_uniform)) {
        return "guard";
    }
    if (guarded) {
        text += strcspn(text, " ");
        text += strspn(text, " ");
    }
    size_t length = strcspn(text, ". ");
    if (strlen(ours.mnemonic) != length || strncmp(text, ours.mnemonic, length) != 0) {
        return "mnemonic";
    }
    const char *operands = text + strcspn(text, " ");
    struct named named;
    read_operands(operands, &named);
    if (guarded && guard != SASS_ALWAYS) {
        *(uniform_guard ? &named.uniform_predicates : &named.predicates) |= 1U << guard;
    }
    /* A barrier's number and count of threads may be one register, named twice. */
    named.register_count -= strcmp(ours.mnemonic, "BAR") == 0 && named.register_count == 2;
    const struct sass_registers writes[2] = {ours.write, ours.second_write};
    if (!same_registers(writes, 2, ours.read, ours.read_count, named.registers, named.register_count,
                        false)) {
        return "registers";
    }
    /* 8.x: the descriptor of global memory is in the encoding, and not in the text. */
    bool hidden = architecture >= 80 && architecture < 90 && ours.uniform_read_count > named.uniform_count &&
                  (ours.space == SASS_GLOBAL || ours.space == SASS_GENERIC);
    if (!hidden && !same_registers(&ours.uniform_write, 1, ours.uniform_read, ours.uniform_read_count,
                                   named.uniform, named.uniform_count, ours.class == SASS_COPY)) {
        return "uniform registers";
    }
    bool all = strncmp(text, "P2R", 3) == 0 || strncmp(text, "R2P", 3) == 0;
    if (!all &&
        ((ours.predicates_read | ours.predicates_written) != named.predicates ||
         (ours.uniform_predicates_read | ours.uniform_predicates_written) != named.uniform_predicates)) {
        return "predicates";
    }
    if (ours.class != SASS_TEXTURE && named.reused != __builtin_popcount(ours.schedule.reuse)) {
        return "reuse";
    }
    if (ours.space != SASS_SPACE_NONE && ours.class != SASS_BARRIER && ours.memory_bytes != 0 &&
        ours.memory_bytes != stated_bytes(text)) {
        return "memory width";
    }
    /* A label beside a register is what the register adds to; one that nothing branches to says where lanes wait. */
    bool direct = ours.flow == SASS_BRANCH || strcmp(ours.mnemonic, "BSSY") == 0 || ours.has_target;
    if (listed->has_target && direct && (!ours.has_target || ours.target != listed->target)) {
        return "target";
    }
    return operand_difference(&ours, operands);
}
