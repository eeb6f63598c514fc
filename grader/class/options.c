/* options.c: grade's options in the order of --help, and what is wrong about them. */
#include "class/options.h"

#include "class/intake/layout.h"
#include "report/writers/terminal.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How an option is taken. NULL, or what its value must be. */
typedef const char *taker(void *field, const char *value);

static const char *take_text(void *field, const char *value) {
    *(const char **)field = value;
    return NULL;
}

static const char *take_flag(void *field, const char *value) {
    (void)value;
    *(bool *)field = true;
    return NULL;
}

static const char *take_count(void *field, const char *value) {
    char *end;
    errno = 0;
    unsigned long count = strtoul(value, &end, 10);
    *(unsigned *)field = (unsigned)count;
    bool right = errno == 0 && *value >= '0' && *value <= '9' && *end == '\0' && count >= 1 && count <= 4096;
    return right ? NULL : "a number from 1 to 4096";
}

static const char *take_executor(void *field, const char *value) {
    *(const char **)field = value;
    return strcmp(value, "local") == 0 || strcmp(value, "slurm") == 0 ? NULL : "local or slurm";
}

#define FIELD(name) offsetof(struct options, name)
/* In the order of --help. */
static const struct {
    const char *name, *value; /* value NULL: it takes none */
    taker *take;
    size_t field;
    const char *help;
} known[] = {
    {"submissions", "PATH", take_text, FIELD(plan.submissions),
     "a folder or one archive: a folder, .zip or .tar.gz per student, or a download "
     "of a platform below"},
    {"lab", "LAB", take_text, FIELD(plan.lab),
     "lab1, lab2, ...; without it, as the folders say (lab1/, lab2-.../)"},
    {"roster", "FILE", take_text, FIELD(plan.roster),
     "the class list, CSV: who is in it and handed in nothing gets 0; who is "
     "not in it is marked for a human"},
    {"policy", "FILE", take_text, FIELD(plan.policy), "points, deadline, devices, limits, INI"},
    {"out", "DIR", take_text, FIELD(out),
     "where everything goes (build/grades); only its owner may enter it"},
    {"jobs", "N", take_count, FIELD(jobs),
     "kernels judged at a time (one per core; 1 on a real GPU; on Slurm as many as it runs)"},
    {"overrides", "FILE", take_text, FIELD(plan.overrides),
     "the instructor's word on single grades, CSV: student, lab, points or excused or "
     "waived, remark; kept until another file is given"},
    {"regrades", "FILE", take_text, FIELD(plan.regrades),
     "questions about grades and their answers, CSV: student, lab, question, answer, "
     "state (open, accepted, declined); kept likewise"},
    {"scores", "FILE", take_text, FIELD(scores),
     "Classroom 50's scores.json: written again with the grades in it, below OUT"},
    {"only", "NAME,...", take_text, FIELD(plan.only), "these students only; the others keep their grades"},
    {"rejudge", "NAME,...", take_text, FIELD(plan.rejudge),
     "judge once more, alone, what these students had handed in; 'timeouts': all who "
     "met a limit of time"},
    {"replace", NULL, take_flag, FIELD(plan.replace),
     "forget who handed in before and is not in this download, and decisions that a "
     "new file of overrides or regrades does not have"},
    {"dry-run", NULL, take_flag, FIELD(plan.dry_run),
     "show what would be graded, and what is ignored and why; with --rescore what grades it would change; keep "
     "nothing"},
    {"rehearse", NULL, take_flag, FIELD(rehearse),
     "judge starter and reference of each lab under the policy, and nobody's kernel; "
     "before a class is judged that is done in any case"},
    {"rescore", NULL, take_flag, FIELD(plan.rescore),
     "grade again from the stored results, after a change of policy"},
    {"executor", "WHERE", take_executor, FIELD(executor),
     "local or slurm (local): job arrays on a cluster that shares OUT and the kit"},
    {"slurm-options", "S", take_text, FIELD(slurm_options),
     "more options for sbatch, separated by spaces: '--partition=gpu --gres=gpu:1'"},
    {"unsafe", NULL, take_flag, FIELD(unsafe),
     "run without the sandbox where there can be none: for kernels you trust only"},
    {"student", "NAME", take_text, FIELD(plan.student), "the whole of PATH is one student's"},
    {"results", "FILE", take_text, FIELD(results),
     "with --student and --lab: write Gradescope's results.json here, where there "
     "is a grade, and print Autolab's last line"},
    {"grade-job", "FILE", take_text, FIELD(plan.grade_job),
     "the program that judges one kernel (beside this one)"},
    {"list-devices", NULL, take_flag, FIELD(list_devices),
     "print the devices and GPUs that the policy asks for"},
    {"look", "NAME", take_text, FIELD(look),
     "what happened with one student's kernels, for the staff alone; [--lab LAB]"},
    {"dump", NULL, take_flag, FIELD(dump), "print the gradebook as text, without times"},
    {"quiet", NULL, take_flag, FIELD(quiet), "no progress"},
    {"help", NULL, take_flag, FIELD(help), "this text"},
};
enum { KNOWN = sizeof known / sizeof *known };

static void print_help(void) {
    const struct terminal to = {.out = stdout};
    puts("grade: judge a class's kernels and write its grades.\n"
         "\n"
         "  grade --submissions PATH [--lab lab3] [options]\n"
         "  grade --rescore [--policy FILE] [options]   from the stored results alone\n"
         "  grade --look NAME [--lab LAB] [--out DIR]   a doubtful one: grader/RED-TEAM.md\n");
    for (int i = 0; i < KNOWN; i++) {
        char option[32];
        snprintf(option, sizeof option, "--%s%s%s", known[i].name, known[i].value != NULL ? " " : "",
                 known[i].value != NULL ? known[i].value : "");
        printf("  %-20s", option);
        terminal_wrap(&to, STYLE_NORMAL, 22, 22, known[i].help);
    }
    fputs("\nPlatforms: ", stdout);
    for (unsigned i = 0; layout_platform(i) != NULL; i++)
        printf("%s%s", layout_platform(i)->title, layout_platform(i + 1) != NULL ? ", " : ".\n");
    terminal_wrap(
        &to, STYLE_NORMAL, 0, 0,
        "Killed or interrupted, the same command goes on where it was. Exit status:\n"
        "0 all is graded\n"
        "1 the grader had trouble of its own, or what was asked for would take grades away: nothing is changed\n"
        "2 wrong usage\n"
        "3 some could not be judged, or cannot be told whose they are, or something is so of all: a human "
        "has to look (class.html)\n"
        "The roster's columns, the policy's keys, all that is written: grader/README.md");
}

int options_refuse(const char *text, const char *what) {
    fprintf(stderr, "grade: %s%s\n       grade --help tells the options\n", text, what);
    return EXIT_USAGE;
}

int options_read(int count, char **arguments, struct options *o) {
    enum { FIRST = 256 };
    struct option names[KNOWN + 1] = {{0}};
    for (int i = 0; i < KNOWN; i++)
        names[i] = (struct option){known[i].name, known[i].value != NULL, NULL, FIRST + i};
    opterr = 0;
    for (int c; (c = getopt_long(count, arguments, ":", names, NULL)) != -1;) {
        if (c == ':')
            return 1 + options_refuse("a value must follow ", arguments[optind - 1]);
        if (c < FIRST)
            return 1 + options_refuse("unknown option ", arguments[optind - 1]);
        const char *name = known[c - FIRST].name,
                   *must = known[c - FIRST].take((char *)o + known[c - FIRST].field, optarg);
        if (must != NULL) {
            fprintf(stderr, "grade: --%s is %s: %s\n", name, must, optarg);
            return 1 + EXIT_USAGE;
        }
    }
    if (o->help) {
        print_help();
        return 1;
    }
    if (optind < count)
        return 1 + options_refuse("nothing is expected here: ", arguments[optind]);
    if (o->plan.rejudge != NULL && (o->plan.submissions != NULL || o->plan.only != NULL || o->plan.rescore))
        return 1 + options_refuse("--rejudge judges what was handed in before: without ",
                                  "--submissions, --only and --rescore");
    if (o->plan.roster != NULL && (o->plan.rescore || o->plan.rejudge != NULL))
        return 1 + options_refuse("--roster is read together with --submissions: give the download again; ",
                                  "what is judged stays judged");
    if (o->plan.dry_run && o->plan.rejudge != NULL)
        return 1 + options_refuse("--dry-run is for --submissions or ", "--rescore");
    if (o->plan.submissions == NULL && !o->plan.rescore && o->plan.rejudge == NULL && !o->dump &&
        !o->list_devices && o->look == NULL && !(o->rehearse && o->plan.lab != NULL))
        return 1 + (o->rehearse ? options_refuse("which lab? ", "--lab lab1")
                                : options_refuse("which submissions? ", "--submissions PATH"));
    if (o->results != NULL && (o->plan.student == NULL || o->plan.lab == NULL))
        return 1 + options_refuse("--results needs ", "--student NAME and --lab LAB");
    return 0;
}

bool options_expand_home(struct options *o, char paths[OPTIONS_PATHS][PATH_SIZE]) {
    const char **const fields[OPTIONS_PATHS] = {&o->plan.submissions, &o->plan.roster,   &o->plan.policy,
                                                &o->plan.overrides,   &o->plan.regrades, &o->out,
                                                &o->results,          &o->scores};
    const char *home = getenv("HOME");
    for (int i = 0; i < OPTIONS_PATHS; i++) {
        if (home == NULL || *fields[i] == NULL || strncmp(*fields[i], "~/", 2) != 0)
            continue;
        if (!path_join(paths[i], home, *fields[i] + 2))
            return false;
        *fields[i] = paths[i];
    }
    return true;
}

bool options_has_zone(void) {
    char path[PATH_SIZE];
    const char *zone = getenv("TZ");
    if (zone == NULL || *zone == '\0')
        return true;
    zone += *zone == ':';
    size_t name =
        strcspn(zone, "0123456789+-<"); /* "CET-1CEST,M3.5.0,M10.5.0/3": letters, then how far from UTC */
    bool rule = zone[name] != '\0' && memchr(zone, '/', name) == NULL;
    return rule || strcmp(zone, "UTC") == 0 || strcmp(zone, "GMT") == 0 ||
           (path_print(path, "%s%s", *zone == '/' ? "" : "/usr/share/zoneinfo/", zone) &&
            access(path, R_OK) == 0);
}
