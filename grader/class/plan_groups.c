/* plan_groups.c: group work. A roster tells the groups in a column; a platform that names files by the group tells no
 * other member than the one who uploaded it. */
#include "class/plan_claims.h"

#include "class/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool in_group(const struct roster_student *student, const char *group) {
    return student->group[0] != '\0' && text_same_name(student->group, group);
}

/* The first student of a group; NULL: there is no such group. */
static const struct roster_student *first_of(const struct roster *roster, const char *group) {
    for (size_t i = 0; i < roster->count; i++)
        if (in_group(&roster->students[i], group))
            return &roster->students[i];
    return NULL;
}

static bool has_claim(const struct claim *claims, size_t count, const struct roster_student *student,
                      const char *lab) {
    for (size_t c = 0; c < count; c++)
        if (claims[c].listed == student && strcmp(claims[c].submission->lab, lab) == 0)
            return true;
    return false;
}

bool plan_share_groups(struct plan *plan, struct claim **claims, size_t *count) {
    const struct roster *roster = &plan->roster;
    size_t own = *count, room = own;
    for (size_t c = 0; plan->has_roster && c < own; c++) {
        struct claim *claim = &(*claims)[c];
        const struct roster_student *first =
            claim->listed == NULL ? first_of(roster, claim->submission->student) : NULL;
        if (first == NULL)
            continue;
        claim->listed = first;
        claim->student = first->id;
        plan->unknown--;
    }
    for (size_t c = 0; plan->has_roster && plan->options->only == NULL && c < own; c++) {
        const struct claim of = (*claims)[c];
        for (size_t i = 0; of.listed != NULL && of.several == NULL && i < roster->count; i++) {
            const struct roster_student *member = &roster->students[i];
            if (!in_group(member, of.listed->group) || has_claim(*claims, own, member, of.submission->lab))
                continue;
            if (*count == room) {
                struct claim *grown = realloc(*claims, (room = 2 * room + 1) * sizeof *grown);
                if (grown == NULL)
                    return false;
                *claims = grown;
            }
            (*claims)[(*count)++] = (struct claim){of.submission, member, member->id, NULL};
        }
    }
    return true;
}

/* Of a name with other letters than ASCII's Canvas may write the others alone: three in a row are enough. */
static bool is_near(const char *listed, const char *name) {
    bool other = false;
    for (const char *c = listed; *c != '\0'; c++)
        other = other || (unsigned char)*c >= 0x80;
    for (const char *c = listed; other && *c != '\0'; c++)
        for (const char *n = name; *n != '\0'; n++)
            if (isalpha((unsigned char)c[0]) && isalpha((unsigned char)c[1]) &&
                isalpha((unsigned char)c[2]) && strncasecmp(c, n, 3) == 0)
                return true;
    return false;
}

bool plan_tells_group(const struct plan *plan, const struct claim *claim, char *line, size_t size) {
    const struct roster_student *listed = claim->listed;
    const struct submission *submission = claim->submission;
    if (listed == NULL || plan->roster.kind != ROSTER_CANVAS_GRADEBOOK || !plan->layout->by_number ||
        submission->name[0] == '\0' || listed->group[0] != '\0' ||
        roster_is_named(listed, submission->name) || is_near(listed->name, submission->name))
        return false;
    snprintf(
        line, size,
        "%.120s: its number is that of %.120s (%.120s). If %.120s is a group, the others of it have nothing "
        "here: give the roster a column `group`.",
        submission->claim, listed->id, listed->name, submission->name);
    return true;
}
