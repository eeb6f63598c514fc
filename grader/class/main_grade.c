/* grade: a class, from what it handed in to its grades. */
#include "base/file.h"
#include "base/home.h"
#include "class/export/export.h"
#include "class/humans.h"
#include "class/queue/executor.h"
#include "class/rehearsal.h"
#include "class/score/score.h"
#include "report/writers/terminal.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_TROUBLE = 1, EXIT_USAGE = 2, EXIT_UNFINISHED = 3 };

struct options {
    struct plan_options plan;
    const char *out, *executor, *results, *slurm_options, *look, *scores;
    unsigned jobs;
    bool dry_run, rehearse, unsafe, quiet, dump, list_devices, help;
};

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
     "the class list, CSV: who is in it and handed in nothing gets no points; who is "
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
    {"dry-run", NULL, take_flag, FIELD(dry_run),
     "show what would be graded, and what is ignored and why; change nothing"},
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

static int usage(const char *text, const char *what) {
    fprintf(stderr, "grade: %s%s\n       grade --help tells the options\n", text, what);
    return EXIT_USAGE;
}

/* 0: go on; else leave with the status less one. */
static int read_options(int count, char **arguments, struct options *o) {
    enum { FIRST = 256 };
    struct option names[KNOWN + 1] = {{0}};
    for (int i = 0; i < KNOWN; i++)
        names[i] = (struct option){known[i].name, known[i].value != NULL, NULL, FIRST + i};
    opterr = 0;
    for (int c; (c = getopt_long(count, arguments, ":", names, NULL)) != -1;) {
        if (c == ':')
            return 1 + usage("a value must follow ", arguments[optind - 1]);
        if (c < FIRST)
            return 1 + usage("unknown option ", arguments[optind - 1]);
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
        return 1 + usage("nothing is expected here: ", arguments[optind]);
    if (o->plan.rejudge != NULL && (o->plan.submissions != NULL || o->plan.only != NULL || o->plan.rescore))
        return 1 + usage("--rejudge judges what was handed in before: without ",
                         "--submissions, --only and --rescore");
    if (o->plan.submissions == NULL && !o->plan.rescore && o->plan.rejudge == NULL && !o->dump &&
        !o->list_devices && o->look == NULL && !(o->rehearse && o->plan.lab != NULL))
        return 1 + usage("which submissions? ", "--submissions PATH");
    if (o->results != NULL && (o->plan.student == NULL || o->plan.lab == NULL))
        return 1 + usage("--results needs ", "--student NAME and --lab LAB");
    return 0;
}

enum { PATHS = 8 };

/* "~/class": a shell leaves the ~ of SUBMISSIONS=~/class alone. */
static bool expand_home(struct options *o, char paths[PATHS][PATH_SIZE]) {
    const char **const fields[PATHS] = {&o->plan.submissions, &o->plan.roster,   &o->plan.policy,
                                        &o->plan.overrides,   &o->plan.regrades, &o->out,
                                        &o->results,          &o->scores};
    const char *home = getenv("HOME");
    for (int i = 0; i < PATHS; i++) {
        if (home == NULL || *fields[i] == NULL || strncmp(*fields[i], "~/", 2) != 0)
            continue;
        if (!path_join(paths[i], home, *fields[i] + 2))
            return false;
        *fields[i] = paths[i];
    }
    return true;
}

/* The C library takes a zone that it does not know for UTC, and says nothing. */
static bool has_zone(void) {
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

static int trouble(const char *message) {
    fprintf(stderr, "grade: %s\n", message);
    return EXIT_TROUBLE;
}

static void say_plan(const struct options *o, const struct plan *plan, const struct queue_counts *counts) {
    if (o->quiet)
        return;
    if (plan->layout != NULL)
        fprintf(stderr, "%u handed in (%s), %u with a kernel.cu", plan->handed_in, plan->layout->title,
                plan->kernels);
    else
        fprintf(stderr, "%u to be judged once more, alone", plan->handed_in);
    if (plan->unknown > 0)
        fprintf(stderr, ", %u not in the roster", plan->unknown);
    if (plan->nothing > 0)
        fprintf(stderr, ", %u of the roster with nothing (%s%s)", plan->nothing, plan->nothing_of,
                plan->nothing > 5 ? " ..." : "");
    fputc('\n', stderr);
    if (plan->stray_count > 0)
        fprintf(stderr, "%u of it a human has to look at:\n%s", plan->stray_count, plan->strays);
    if (counts != NULL)
        fprintf(stderr, "%u kernels to judge, %u of them already are\n", counts->wanted, counts->done);
}

static bool use_cuda(const struct plan *plan) {
    struct policy_rules rules;
    for (unsigned i = 0; i < plan->lab_count; i++) {
        policy_rules(&plan->policy, plan->labs[i].id, &rules);
        if (rules.devices & POLICY_CUDA)
            return true;
    }
    return false;
}

static void init_executor(const struct options *o, const struct plan *plan, struct executor *executor) {
    *executor = (struct executor){.book = plan->book,
                                  .grade_job = o->plan.grade_job,
                                  .jobs = o->jobs,
                                  .unsafe = o->unsafe,
                                  .slurm_options = o->slurm_options};
    if (executor->jobs == 0 && strcmp(o->executor, "slurm") != 0) {
        long cores = sysconf(_SC_NPROCESSORS_ONLN);
        executor->jobs =
            use_cuda(plan) || cores < 1 ? 1 : (unsigned)cores; /* a GPU is timed by one at a time */
    }
}

/* Run what is wanted. 0: nothing is left. */
static int judge(const struct options *o, const struct plan *plan, struct executor *executor,
                 struct queue_counts *counts) {
    struct gradebook *book = executor->book;
    struct progress_line progress;
    bool slurm = strcmp(o->executor, "slurm") == 0;
    if (!slurm && !o->unsafe && counts->done < counts->wanted && executor->sandbox[0] == '\0') {
        char lines[1200];
        if (!executor_sandbox(executor, lines, sizeof lines))
            return trouble(lines);
        if (!o->quiet)
            fprintf(stderr, "Sandbox %s\n", lines);
    }
    struct executor shown = *executor;
    if (!slurm && counts->done < counts->wanted)
        shown.jobs = plan_jobs_in_memory(plan, executor->jobs, o->quiet ? NULL : stderr);
    shown.progress = &progress;
    progress_line_begin(&progress, o->quiet ? NULL : stderr, counts);
    enum executor_end end = slurm ? executor_slurm(&shown) : executor_local(&shown);
    if (end == EXECUTOR_FAILED || !queue_count(book, counts))
        return trouble(book->error);
    progress_line_end(&progress, counts);
    if (end == EXECUTOR_INTERRUPTED)
        return trouble("interrupted; the same command goes on where this one was");
    return 0;
}

static int judge_class(const struct options *o, struct plan *plan, struct executor *executor) {
    struct queue_counts counts;
    if (!queue_recover(plan->book, strcmp(o->executor, "slurm") == 0) || !queue_count(plan->book, &counts))
        return trouble(plan->book->error);
    say_plan(o, plan, &counts);
    return judge(o, plan, executor, &counts);
}

/* 0: starter and reference of each lab earn what they must. */
static int rehearse(const struct options *o, struct plan *plan, struct executor *executor) {
    struct rehearsal rehearsal;
    struct queue_counts counts;
    if (!plan_labs(plan) || !rehearsal_begin(&rehearsal, plan))
        return trouble(plan->error);
    int status = 0;
    if (rehearsal.missing > 0) {
        if (!o->quiet)
            fputs("Rehearsal: starter and reference of each lab under this policy\n", stderr);
        status =
            !queue_recover(plan->book, strcmp(o->executor, "slurm") == 0) || !queue_count(plan->book, &counts)
                ? trouble(plan->book->error)
                : judge(o, plan, executor, &counts);
    }
    if (status == 0 &&
        !rehearsal_end(&rehearsal, stderr, !o->quiet && (o->rehearse || rehearsal.missing > 0)))
        status = trouble(plan->error);
    return status;
}

static bool export(const struct options *o, struct plan *plan) {
    struct export_context context = {.book = plan->book,
                                     .policy = &plan->policy,
                                     .root = plan->options->root,
                                     .results = o->results,
                                     .student = o->plan.student,
                                     .lab = o->plan.lab,
                                     .autolab = o->results != NULL ? stdout : NULL,
                                     .scores = o->scores};
    return export_all(&context);
}

/* What a platform's file lacks, and why. */
static void say_notes(struct gradebook *book) {
    char notes[4096];
    if (gradebook_get(book, "export notes", notes, sizeof notes))
        fputs(notes, stderr);
}

static bool say_end(const struct options *o, const struct plan *plan, const struct queue_counts *counts,
                    bool *suspicious) {
    if (!o->quiet)
        say_notes(plan->book);
    if (plan->lost[0] != '\0' && !o->quiet)
        fprintf(stderr, "%s\n", plan->lost);
    if (plan->policy_was_kept && !o->quiet)
        fputs("The policy is the one that was given last (POLICY=file gives another)\n", stderr);
    if (counts->trouble > 0 && !o->quiet)
        fprintf(stderr, "%u could not be judged: the same command tries them again\n", counts->trouble);
    if (!humans_say(plan, o->quiet ? NULL : stderr, suspicious))
        return false;
    if (!o->quiet)
        fprintf(stderr, "Grades  %s/grades.csv, class.html, feedback/ (all files: grader/README.md)\n",
                o->out);
    return true;
}

static int grade(const struct options *o, struct plan *plan, struct gradebook *book) {
    struct queue_counts counts;
    struct executor executor;
    char jobs[PATH_SIZE];
    bool suspicious;
    if (!plan_init(plan, &o->plan, book))
        return trouble(plan->error);
    if (o->dry_run) {
        if (!plan_read(plan, stdout))
            return trouble(plan->error);
        say_plan(o, plan, NULL);
        if (!o->quiet)
            fputs("Nothing was judged, starter and reference neither: make grade REHEARSE=1 does that\n",
                  stderr);
        return plan->stray_count > 0 ? EXIT_UNFINISHED : 0;
    }
    init_executor(o, plan, &executor);
    int status = rehearse(o, plan, &executor);
    if (status != 0 || o->rehearse)
        return status;
    if (!o->plan.rescore && !(o->plan.rejudge != NULL ? plan_rejudge(plan) : plan_read(plan, NULL)))
        return trouble(plan->error);
    if (!o->plan.rescore && (status = judge_class(o, plan, &executor)) != 0)
        return status;
    if (!score_class(plan))
        return trouble(plan->error);
    if (!export(o, plan) || !queue_count(book, &counts))
        return trouble(book->error);
    if (counts.running == 0 && path_join(jobs, o->out, "jobs"))
        folder_remove(jobs);
    if (!say_end(o, plan, &counts, &suspicious))
        return trouble(book->error);
    return counts.trouble > 0 || plan->stray_count > 0 || suspicious ? EXIT_UNFINISHED : 0;
}

/* "sim h200", a line each; what the Makefile builds starters and references for. The names to judge
 * once more are looked up first. */
static int list_devices(const struct options *o) {
    struct plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return trouble("out of memory");
    /* the policy may be the one that the gradebook keeps */
    struct gradebook book = {0};
    char path[PATH_SIZE];
    bool has_book = path_join(path, o->out, "gradebook.sqlite") && access(path, R_OK) == 0;
    int status = has_book && !gradebook_open(&book, o->out)           ? trouble(book.error)
                 : plan_init(plan, &o->plan, has_book ? &book : NULL) ? 0
                                                                      : trouble(plan->error);
    if (status == 0 && has_book && o->plan.rejudge != NULL &&
        !(plan_names_of_book(plan) && plan_names_check(plan)))
        status = trouble(plan->error);
    const struct policy *policy = &plan->policy;
    for (unsigned i = 0; status == 0 && i <= policy->lab_count; i++) {
        struct policy_rules rules;
        policy_rules(policy, i < policy->lab_count ? policy->labs[i].lab : "", &rules);
        if (rules.devices & POLICY_SIM)
            printf("sim %s\n", rules.gpu);
        if (rules.devices & POLICY_CUDA)
            printf("cuda %s\n", rules.gpu);
    }
    gradebook_close(&book);
    plan_free(plan);
    free(plan);
    return status;
}

static int look_at(const struct options *o, struct plan *plan, struct gradebook *book) {
    char id[GRADE_NAME];
    bool found;
    plan->book = book;
    if (!plan_names_kept(plan))
        return trouble(plan->error);
    if (!plan_known_student(plan, o->look, id)) {
        if (plan->error[0] != '\0')
            return trouble(plan->error);
        snprintf(id, sizeof id, "%s", o->look);
    }
    return !look(book, id, o->plan.lab, stdout, &found) ? trouble(book->error)
           : !found ? usage("no grade of this student is in the gradebook: ", o->look)
                    : 0;
}

static int run(const struct options *o) {
    struct gradebook book = {0};
    struct plan *plan = calloc(1, sizeof *plan);
    char error[TEXT_ERROR];
    char folder[PATH_MAX];
    int lock = -1, status;
    if (plan == NULL)
        return trouble("out of memory");
    if (!o->dry_run &&
        ((lock = gradebook_lock(o->out, error, sizeof error)) < 0 || realpath(o->out, folder) == NULL)) {
        free(plan);
        return trouble(lock < 0 ? error : strerror(errno));
    }
    if (!o->dry_run && !gradebook_open(&book, folder)) {
        status = trouble(book.error);
    } else if (o->look != NULL) {
        status = look_at(o, plan, &book);
    } else if (o->dump) {
        status = gradebook_dump(&book, stdout) ? 0 : trouble(book.error);
    } else {
        status = grade(o, plan, o->dry_run ? NULL : &book);
        if (status != 0 && plan->error[0] == '\0')
            snprintf(plan->error, sizeof plan->error, "%s", book.error);
        plan_free(plan);
    }
    gradebook_close(&book);
    if (lock >= 0)
        close(lock);
    free(plan);
    return status;
}

int main(int count, char **arguments) {
    struct options options = {.out = "build/grades", .executor = "local"};
    struct home home;
    char error[TEXT_ERROR], grade_job[PATH_SIZE], paths[PATHS][PATH_SIZE];
    setlocale(LC_CTYPE, "C.UTF-8");        /* names in archives */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* whole lines, where stderr goes to the same file */
    int status = read_options(count, arguments, &options);
    if (status != 0)
        return status - 1;
    if (!expand_home(&options, paths))
        return trouble("a path is too long");
    if (!has_zone()) {
        fprintf(
            stderr,
            "grade: TZ=%s: no such zone is in /usr/share/zoneinfo (Europe/Berlin, say); times would be read as UTC\n",
            getenv("TZ"));
        return EXIT_USAGE;
    }
    /* One that is there is another submission's. A new one comes where there is a grade, and only there: Gradescope takes what it
     * finds for a score. */
    if (options.results != NULL && unlink(options.results) != 0 && errno != ENOENT)
        return trouble(strerror(errno));
    if (!home_find(&home, error, sizeof error))
        return trouble(error);
    options.plan.root = home.root;
    if (options.list_devices)
        return list_devices(&options);
    path_join(grade_job, home.build, "bin/grade-job");
    if (options.plan.grade_job == NULL)
        options.plan.grade_job = grade_job;
    if (!options.dry_run && !options.plan.rescore && !options.dump && options.look == NULL &&
        access(options.plan.grade_job, X_OK) != 0) {
        fprintf(stderr, "grade: cannot run %s: %s (make grade builds it)\n", options.plan.grade_job,
                strerror(errno));
        return EXIT_TROUBLE;
    }
    return run(&options);
}
