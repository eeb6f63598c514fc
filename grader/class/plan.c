/* plan.c: what one run is about: its rules, its key and its labs. */
#include "class/plan.h"

#include "base/file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

bool plan_refuse(struct plan *plan, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(plan->error, sizeof plan->error, format, arguments);
    va_end(arguments);
    return false;
}

bool plan_book_failed(struct plan *plan) {
    return plan_refuse(plan, "%s", plan->book->error);
}

/* The policy that was given, or else that of an earlier run: who leaves it out does not mean another. */
static bool read_policy(struct plan *plan) {
    enum { POLICY_KEPT = 1 << 20 };
    const struct plan_options *o = plan->options;
    char *kept = NULL;
    size_t length = 0;
    const char *file = o->policy != NULL ? o->policy : "the policy that the gradebook keeps";
    bool right = true;
    if (o->policy != NULL) {
        plan->policy_text = file_read(o->policy, POLICY_KEPT, &length, plan->error, sizeof plan->error);
        right = plan->policy_text != NULL;
    } else if (plan->book != NULL) {
        kept = malloc(POLICY_KEPT);
        right = kept != NULL
                    ? gradebook_get(plan->book, "policy", kept, POLICY_KEPT) || plan_book_failed(plan)
                    : plan_refuse(plan, "out of memory");
        length = right ? strlen(kept) : 0;
        plan->policy_was_kept = length > 0;
    }
    const char *text = plan->policy_text != NULL ? plan->policy_text : kept;
    if (right && length > 0)
        right = policy_parse(&plan->policy, text, length, file, plan->error, sizeof plan->error) &&
                policy_check(&plan->policy, o->root, file, plan->error, sizeof plan->error);
    free(kept);
    return right;
}

bool plan_keep_policy(struct plan *plan) {
    return ((plan->policy_text == NULL || gradebook_set(plan->book, "policy", plan->policy_text)) &&
            gradebook_set(plan->book, "zone", plan->zone)) ||
           plan_book_failed(plan);
}

/* The zone of times that name none: TZ, or that of the last call, or the machine's own. */
static bool take_zone(struct plan *plan) {
    static const char folder[] = "zoneinfo/";
    char link[PATH_SIZE], kept[sizeof plan->zone] = "";
    const char *given = getenv("TZ"), *own = "UTC"; /* without a file of the zone */
    ssize_t length = readlink("/etc/localtime", link, sizeof link - 1);
    if (length >= 0) {
        link[length] = '\0';
        const char *name = strstr(link, folder);
        own = name != NULL ? name + sizeof folder - 1 : "";
    } else if (errno != ENOENT) {
        own = "";
    }
    if (plan->book != NULL && !gradebook_get(plan->book, "zone", kept, sizeof kept))
        return plan_book_failed(plan);
    bool named = given != NULL && *given != '\0';
    snprintf(plan->zone, sizeof plan->zone, "%s", named ? given : kept[0] != '\0' ? kept : own);
    if (kept[0] != '\0' && strcmp(plan->zone, kept) != 0)
        snprintf(plan->zone_said, sizeof plan->zone_said,
                 "The zone is %s, and was %s: deadlines and times without a zone are others now", plan->zone,
                 kept);
    else if (strcmp(plan->zone, own) != 0 && !named)
        snprintf(plan->zone_said, sizeof plan->zone_said,
                 "The zone is %s, as it was (TZ=%s gives this machine's)", plan->zone,
                 *own != '\0' ? own : ":/etc/localtime");
    if (!named && plan->zone[0] != '\0' && setenv("TZ", plan->zone, 1) != 0)
        return plan_refuse(plan, "out of memory");
    tzset();
    return true;
}

bool plan_init(struct plan *plan, const struct plan_options *options, struct gradebook *book) {
    *plan = (struct plan){.options = options, .book = book, .strays = strdup("")};
    policy_init(&plan->policy);
    if (plan->strays == NULL)
        return plan_refuse(plan, "out of memory");
    if (!take_zone(plan))
        return false;
    if (options->roster != NULL) {
        if (!roster_read(&plan->roster, options->roster, plan->error, sizeof plan->error))
            return false;
        plan->has_roster = true;
    }
    if (!plan_names_kept(plan))
        return false;
    bool timeouts = options->rejudge != NULL && strcmp(options->rejudge, "timeouts") == 0;
    const char *names = options->only != NULL ? options->only : timeouts ? NULL : options->rejudge;
    return (names == NULL || plan_names_read(plan, names)) && read_policy(plan);
}

void plan_free(struct plan *plan) {
    if (plan->has_roster)
        roster_free(&plan->roster);
    if (plan->has_kept)
        roster_free(&plan->kept);
    free(plan->strays);
    free(plan->policy_text);
    free(plan->names);
    free(plan->absent);
}

bool plan_wants(const struct plan *plan, const char *student) {
    if (plan->options->only == NULL)
        return true;
    for (unsigned i = 0; i < plan->name_count; i++)
        if (strcmp(plan->names[i].id, student) == 0)
            return true;
    return false;
}

/* A key nobody knows, drawn once for a gradebook: each run of it grades with the same. */
static bool kept_key(struct plan *plan, char text[DRAW_KEY_TEXT]) {
    struct draw_key drawn;
    if (!gradebook_get(plan->book, "key", text, DRAW_KEY_TEXT))
        return plan_book_failed(plan);
    if (text[0] != '\0')
        return true;
    if (!draw_key_new(&drawn))
        return plan_refuse(plan, "the system has no random numbers for a key: %s", strerror(errno));
    draw_key_print(&drawn, text);
    return gradebook_set(plan->book, "key", text) || plan_book_failed(plan);
}

/* Are there results of this lab under another key only, or grades that would stay? */
static bool other_key(struct plan *plan, const char *lab, const struct policy_rules *rules, bool *other) {
    const char *sql = plan->options->only != NULL
                          ? "SELECT 1 FROM grades WHERE lab = ?1 AND key_name <> ?2"
                          : "SELECT 1 FROM jobs WHERE lab = ?1 AND key_name <> ?2 AND NOT EXISTS"
                            " (SELECT 1 FROM jobs WHERE lab = ?1 AND key_name = ?2)";
    sqlite3_stmt *statement = gradebook_prepare(plan->book, sql, "ss", lab, rules->key_name);
    if (statement == NULL)
        return plan_book_failed(plan);
    *other = sqlite3_step(statement) == SQLITE_ROW;
    sqlite3_finalize(statement);
    return true;
}

bool plan_rules(struct plan *plan, const char *lab, struct policy_rules *rules) {
    struct draw_key key;
    bool other = false;
    policy_rules(&plan->policy, lab, rules);
    if (plan->book == NULL) /* a dry run draws nothing */
        return true;
    if (rules->key[0] == '\0' && !kept_key(plan, rules->key))
        return false;
    if (!draw_key_parse(&key, rules->key))
        return plan_refuse(plan, "%s/gradebook.sqlite holds no key", plan->book->folder);
    draw_key_name(&key, rules->key_name);
    if ((plan->options->rescore || plan->options->only != NULL) && !other_key(plan, lab, rules, &other))
        return false;
    return !other || plan_refuse(plan, "the results of %s are of another key than this policy's: %s", lab,
                                 plan->options->rescore ? "grade without --rescore (RESCORE=1)"
                                                        : "grade all, without --only");
}

const struct lab *plan_find_lab(const struct plan *plan, const char *id) {
    for (unsigned i = 0; i < plan->lab_count; i++)
        if (strcmp(plan->labs[i].id, id) == 0)
            return &plan->labs[i];
    return NULL;
}

bool plan_add_lab(struct plan *plan, const char *id) {
    const char *file =
        plan->options->policy != NULL ? plan->options->policy : "the policy that the gradebook keeps";
    if (plan_find_lab(plan, id) != NULL)
        return true;
    if (plan->lab_count == PLAN_LABS)
        return plan_refuse(plan, "more than %d labs", PLAN_LABS);
    struct lab *lab = &plan->labs[plan->lab_count];
    if (!policy_lab(plan->options->root, id, lab, plan->error, sizeof plan->error))
        return false;
    struct policy_rules rules;
    policy_rules(&plan->policy, id, &rules);
    if ((lab->problem == NULL || lab->problem->on_host) && (rules.devices & POLICY_CUDA) != 0)
        return plan_refuse(
            plan, "%s: %s is judged on the simulated GPU alone%s: write devices = sim below [%s]", file, id,
            lab->problem != NULL ? ", for its function works in the host's memory" : "", id);
    return policy_check_lab(&plan->policy, lab, file, plan->error, sizeof plan->error) &&
           ++plan->lab_count > 0;
}

bool plan_labs_of_book(struct plan *plan) {
    if (plan->options->lab != NULL)
        return plan_add_lab(plan, plan->options->lab);
    sqlite3_stmt *statement =
        gradebook_prepare(plan->book, "SELECT DISTINCT lab FROM submissions ORDER BY lab", "");
    if (statement == NULL)
        return plan_book_failed(plan);
    bool right = true;
    while (right && sqlite3_step(statement) == SQLITE_ROW)
        right = plan_add_lab(plan, gradebook_text(statement, 0));
    sqlite3_finalize(statement);
    return right &&
           (plan->lab_count > 0 || plan_refuse(plan, "%s has no submissions yet", plan->book->folder));
}
