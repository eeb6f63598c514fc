/* The handouts of all labs of kernels: the same parts in the same order, a time, a checkpoint for each step, and no
 * measured answer before the run. */
#include "base/file.h"
#include "base/test.h"
#include "lab/settings.h"
#include <ctype.h>

enum { HANDOUT_MOST = 1 << 20 };

static const struct {
    const char *heading;
    bool may_be_absent;
} parts[] = {
    {"## The problem", false},      {"## The idea", false},
    {"## Your task", false},        {"## How it is judged", true},
    {"## What is measured", false}, {"## Where to see it in ncu", false},
    {"## After your run", false},   {"## The lecture beside it", true}, /* or "The article beside it" */
    {"## Further", false}};
enum { PARTS = sizeof parts / sizeof *parts, PART_TASK = 2, PART_AFTER = 6, PART_BESIDE = 7 };

/* What each handout shows at its head, in this order, of commands `make labN-VERB`; some only where the lab has a file for it. */
static const char *const commands[] = {"", "-predict ", "-profile ", "-hint ", "-quiz ", "-steps "};
static const char *const files[] = {NULL, "predict.ini", NULL, NULL, "quiz.ini", NULL};
enum { COMMANDS = sizeof commands / sizeof *commands };

struct handout {
    const char *lab, *path, *folder;
    int part;              /* of parts[]; -1: the head */
    bool timed, fenced;    /* "Time:" was seen; within ``` */
    unsigned command;      /* how many of commands[] were seen */
    bool step, checkpoint; /* a numbered step is open; its checkpoint was seen */
    unsigned steps;
};

static void end_step(struct handout *h, const char *line) {
    if (h->step && !h->checkpoint)
        fail_msg("%s: the step before '%s' has no line 'Checkpoint...'", h->path, line);
    h->step = h->checkpoint = false;
}

static bool is_part(int part, const char *line) {
    static const char beside[] = " beside it";
    size_t length = strlen(line);
    if (part != PART_BESIDE)
        return strcmp(parts[part].heading, line) == 0;
    return length > sizeof beside && strcmp(line + length - (sizeof beside - 1), beside) == 0;
}

static void take_heading(struct handout *h, const char *line) {
    int part = h->part + 1;
    end_step(h, line);
    while (part < PARTS && !is_part(part, line) && parts[part].may_be_absent)
        part++;
    if (part == PARTS || !is_part(part, line))
        fail_msg("%s: '%s' stands where '%s' is due", h->path, line,
                 parts[part < PARTS ? part : PARTS - 1].heading);
    h->part = part;
}

/* Commands for which the lab has no file are not due. */
static void skip_commands(struct handout *h) {
    char path[PATH_SIZE];
    while (h->command < COMMANDS && files[h->command] != NULL) {
        assert_true(path_print(path, "%s/%s", h->folder, files[h->command]));
        if (access(path, F_OK) == 0)
            return;
        h->command++;
    }
}

/* A line of the head: the time, or one of the commands. */
static void take_head(struct handout *h, const char *line) {
    char command[64];
    h->timed = h->timed || strncmp(line, "Time: ", 6) == 0;
    skip_commands(h);
    if (h->command == COMMANDS)
        return;
    snprintf(command, sizeof command, "make %s%s", h->lab, commands[h->command]);
    h->command += h->fenced && strncmp(line, command, strlen(command)) == 0 &&
                  (commands[h->command][0] != '\0' || line[strlen(command)] == ' ');
}

static void take_line(struct handout *h, const char *line) {
    if (strncmp(line, "```", 3) == 0)
        h->fenced = !h->fenced;
    if (strncmp(line, "## ", 3) == 0 && !h->fenced)
        take_heading(h, line);
    else if (h->part < 0)
        take_head(h, line);
    if (h->part < PART_AFTER && strncmp(line, "What to expect", 14) == 0)
        fail_msg("%s: '%.40s...' is an answer: it belongs under '%s'", h->path, line,
                 parts[PART_AFTER].heading);
    if (h->part != PART_TASK || h->fenced)
        return;
    if ((isdigit((unsigned char)line[0]) && line[1] == '.') || strncmp(line, "### ", 4) == 0) {
        end_step(h, line);
        h->step = line[0] != '#';
        h->steps += h->step;
    }
    h->checkpoint = h->checkpoint || strncmp(line, "   Checkpoint", 13) == 0;
}

static void read_handout(const char *root, const struct lab *lab) {
    char folder[PATH_SIZE], path[PATH_SIZE], error[512], *rest = NULL;
    assert_true(path_print(folder, "%s/labs/%s-%s", root, lab->id, lab->topic));
    assert_true(path_print(path, "%s/README.md", folder));
    FREED char *text = file_read(path, HANDOUT_MOST, NULL, error, sizeof error);
    if (text == NULL)
        fail_msg("%s", error);
    struct handout h = {.lab = lab->id, .path = path, .folder = folder, .part = -1};
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
        take_line(&h, line);
    if (h.part != PARTS - 1)
        fail_msg("%s ends before '%s'", path, parts[h.part + 1].heading);
    if (!h.timed)
        fail_msg("%s has no line 'Time: ...' at its head", path);
    if (h.command < COMMANDS)
        fail_msg("%s does not show 'make %s%s' in its place", path, lab->id, commands[h.command]);
    if (h.steps < 3)
        fail_msg("%s has %u numbered steps under '%s'", path, h.steps, parts[PART_TASK].heading);
}

/* Cut at the end of its line; NULL: there is none that begins so. */
static char *line_of(char *text, const char *begin) {
    char *at = text;
    while (at != NULL && strncmp(at, begin, strlen(begin)) != 0) {
        at = strchr(at, '\n');
        at = at != NULL ? at + 1 : NULL;
    }
    if (at != NULL)
        at[strcspn(at, "\n")] = '\0';
    return at;
}

static char *page(const char *root, const char *name) {
    char path[PATH_SIZE], error[512];
    assert_true(path_print(path, "%s/%s", root, name));
    char *text = file_read(path, HANDOUT_MOST, NULL, error, sizeof error);
    if (text == NULL)
        fail_msg("%s", error);
    return text;
}

/* The handout, the way through the labs and the table of decks say the same of what a lab needs. */
static void check_needs(const char *root, unsigned number, const char *folder) {
    static const char mark[] = " Before it: ";
    char name[96], row[32];
    snprintf(name, sizeof name, "labs/%s/README.md", folder);
    char *handout = page(root, name), *needs = line_of(handout, "Time: ");
    assert_non_null(needs);
    needs = strstr(needs, mark);
    if (needs == NULL)
        fail_msg("%s: its line 'Time: ...' does not end with 'Before it: ...'", name);
    needs += strlen(mark);
    needs[strcspn(needs, ".")] = '\0';
    static const char *const pages[] = {"labs/README.md", "slides/README.md"};
    for (int i = 0; i < 2; i++) {
        FREED char *text = page(root, pages[i]);
        snprintf(row, sizeof row, i == 0 ? "| [%u](" : "| [lab%u](", number);
        char *line = line_of(text, row);
        if (line == NULL || strstr(line, needs) == NULL)
            fail_msg("%s: the row of lab %u does not say '%s', as its handout does", pages[i], number, needs);
    }
    free(handout);
}

static void needs_are_said_alike(void **state) {
    static struct settings s;
    static struct lab lab;
    unsigned numbers[LABS_MOST];
    char error[SETTINGS_ERROR], id[16], folder[64];
    assert_true(settings_init(&s, error, sizeof error));
    unsigned count = lab_numbers(s.root, numbers);
    for (unsigned i = 0; i < count && i < LABS_MOST; i++) {
        snprintf(id, sizeof id, "lab%u", numbers[i]);
        if (!lab_load(s.root, id, &lab, error, sizeof error))
            fail_msg("%s", error);
        snprintf(folder, sizeof folder, "%.15s-%.40s", id, lab.topic);
        check_needs(s.root, numbers[i], folder);
    }
    check_needs(s.root, 0, "lab0-first-kernel");
    settings_free(&s);
}

/* `make labN-hint` shows the lines of the file as they are. */
static void hints_fit_a_terminal(const char *root, const char *lab, const char *topic) {
    char path[128];
    snprintf(path, sizeof path, "labs/%s-%s/hints.md", lab, topic);
    FREED char *text = page(root, path);
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n')
        if (strcspn(line, "\n") > 80)
            fail_msg("%s: more than 80 columns: %.*s", path, (int)strcspn(line, "\n"), line);
}

static void all_labs(void **state) {
    static struct settings s;
    static struct lab lab;
    unsigned numbers[LABS_MOST];
    char error[SETTINGS_ERROR], id[16];
    assert_true(settings_init(&s, error, sizeof error));
    unsigned count = lab_numbers(s.root, numbers);
    assert_true(count >= 7);
    for (unsigned i = 0; i < count && i < LABS_MOST; i++) {
        snprintf(id, sizeof id, "lab%u", numbers[i]);
        if (!lab_load(s.root, id, &lab, error, sizeof error))
            fail_msg("%s", error);
        read_handout(s.root, &lab);
        hints_fit_a_terminal(s.root, id, lab.topic);
    }
    settings_free(&s);
}

TESTS(UNIT(all_labs), UNIT(needs_are_said_alike))
