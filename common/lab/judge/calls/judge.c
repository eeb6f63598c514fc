/* judge.c: every case on one variant, on the GPU and on the host; and what grading draws. */
#include "lab/judge/calls/judge.h"
#include "lab/judge/calls/judge_parts.h"
#include "lab/judge/session/session.h"
#include "lab/learner/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_kits_own(const struct settings *s, const char *program) {
    const char *const variants[] = {lab_baseline(&s->lab), "reference"};
    char path[PATH_SIZE];
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        settings_program(s, variants[i], path);
        if (strcmp(path, program) == 0)
            return true;
    }
    return false;
}

struct session *judge_open_session(const struct settings *s, const char *program,
                                   const struct judge_session *how, struct failure *failure) {
    char log[PATH_SIZE], owner[PATH_SIZE];
    bool sim = s->device == DEVICE_SIM;
    const char *toolkit = getenv("CUDA_LIBRARY_FOLDER");
    path_join(log, s->folder, "output.txt");
    settings_owner(s, owner);
    struct session_options options = {
        .program = program,
        .simgpu = sim ? s->simgpu : NULL,
        .owner = !sim && !how->on_host && s->grading ? owner : NULL,
        .gpu = s->gpu,
        .library = sim                           ? s->library
                   : toolkit != NULL && *toolkit ? toolkit
                                                 : NULL,
        .races = !how->measuring,
        .check = !how->measuring && !s->grading, /* remarks may reveal the secret inputs */
        .counts = how->measuring,
        .names_calls = !s->grading && s->simgpu_wrapper == NULL, /* a sandbox starts no addr2line */
        .strict = s->strict,
        .memory_bytes = how->memory_bytes,
        .share_memory = how->on_host || s->lab.problem->on_host || (!sim && !s->grading),
        .records = sim && how->measuring && s->lab.problem->on_host,
        .timeout_s = s->timeout_s,
        .runner_wrapper = is_kits_own(s, program) ? s->kit_wrapper : s->runner_wrapper,
        .simgpu_wrapper = s->simgpu_wrapper,
        .compiled = is_kits_own(s, program) ? NULL : s->compiled,
        .log_path = how->unlogged ? NULL : log,
    };
    return session_open(&options, failure);
}

unsigned judge_case_count(const struct settings *s) {
    return s->lab.problem->case_count + (s->grading ? JUDGE_DRAWN_CASES : 0);
}

void judge_get_case(const struct settings *s, unsigned index, unsigned time, struct problem_case *c) {
    const struct problem *problem = s->lab.problem;
    struct draw_key key = settings_key(s, "cases, time %u", time);
    if (index < problem->case_count) {
        problem->get_case(index, &key, c);
        return;
    }
    struct draw_key shape = settings_key(s, "drawn case %u", index),
                    input = draw_for(&key, "drawn %u", index);
    problem->draw_case(&shape, c);
    c->key = input;
    c->number = index;
}

static uint64_t largest_case(const struct settings *s) {
    uint64_t bytes = 4096;
    for (unsigned i = 0; i < judge_case_count(s); i++) {
        struct problem_case c;
        judge_get_case(s, i, 0, &c);
        uint64_t needed = trial_memory(s->lab.problem, &c);
        bytes = needed > bytes ? needed : bytes;
    }
    return bytes;
}

static bool call(const struct trial *t, struct session *session, enum side side,
                 const struct trial_options *options, struct trial_result *result, struct failure *failure) {
    return side == SIDE_CPU ? trial_run_cpu(t, session, &options->key, result, failure)
                            : trial_run(t, session, options, result, failure);
}

/* Whether the same call gives the same result again. */
static bool repeats(const struct trial *t, struct session *session, enum side side,
                    const struct trial_options *options, const void *output) {
    struct trial_result again;
    struct failure ignored = {0};
    if (!call(t, session, side, options, &again, &ignored))
        return true;
    bool same = memcmp(again.output, output, t->layout.bytes[t->layout.input_count]) == 0;
    trial_result_free(&again);
    return same;
}

static bool right_when_first(const struct settings *s, const char *program, enum side side, bool measuring,
                             const struct trial *t, const struct trial_options *trial_options) {
    struct judge_session how = {.memory_bytes = trial_memory(t->problem, &t->problem_case),
                                .measuring = measuring,
                                .on_host = side == SIDE_CPU,
                                .unlogged = true};
    struct failure ignored = {0};
    struct trial_result result = {0};
    struct session *session = judge_open_session(s, program, &how, &ignored);
    bool right =
        session != NULL && call(t, session, side, trial_options, &result, &ignored) && result.verdict.passed;
    trial_result_free(&result);
    session_close(session);
    return right;
}

bool judge_right_when_first(const struct settings *s, const char *program, bool measuring,
                            const struct trial *t, const struct trial_options *trial_options) {
    return right_when_first(s, program, SIDE_GPU, measuring, t, trial_options);
}

/* What is judged: a side of a program; and what the verdicts fill. */
struct judging {
    const struct settings *settings;
    const char *program;
    struct session *session;
    enum side side;
    struct report *report;
    struct judge_wrong *wrong;
    struct evidence *evidence;
    struct failure *failure;
    char *output; /* what the program printed, of both sides */
    size_t output_size;
};

/* When grading, calls some right cases again with another input, so that a program cannot count
 * its calls. *judged_case is then the second input's. False when the call came to no verdict. */
static bool judge_second_input(const struct judging *j, unsigned index, struct trial_options *options,
                               struct problem_case *judged_case, struct trial_result *result) {
    const struct settings *s = j->settings;
    struct problem_case c;
    struct trial t;
    if (!s->grading || settings_key(s, "case %u again", index).bytes[0] % 4 != 0)
        return true;
    judge_get_case(s, index, 1, &c);
    options->key = settings_key(s, "case %u, call 1", index);
    if (!trial_create(&t, s->lab.problem, &c)) {
        failure_set(j->failure, STAGE_MEASURE, "out of memory");
        return false;
    }
    trial_result_free(result);
    bool judged = trial_run(&t, j->session, options, result, j->failure);
    if (judged && !result->verdict.passed && result->flag == FLAG_NONE &&
        judge_right_when_first(s, j->program, false, &t, options)) {
        result->flag = FLAG_WRONG_LATER;
        trial_explain_missed(j->session, &result->verdict);
    }
    *judged_case = c;
    trial_free(&t);
    return judged;
}

/* Remarks are made in small cases only: large ones show the same faults and take longer. */
static bool choose_check(const struct settings *s, struct session *session, const struct trial *t,
                         struct failure *failure) {
    if (s->grading || !session_owns_memory(session))
        return true;
    bool small = trial_memory(t->problem, &t->problem_case) <= JUDGE_SMALL;
    return session_command(session, NULL, failure, "check %d", small);
}

/* Whether this wrong case is shown instead of the present one: the smallest is shown, unless one
 * of another kind came first. A case that is wrong only when called again is shown only if there
 * is no other. */
static bool is_shown(const struct problem *problem, const struct judge_wrong *so_far, enum side side,
                     const struct problem_case *c, enum flag flag, bool called_again) {
    if (!so_far->present)
        return true;
    if (so_far->side == side && so_far->called_again != called_again)
        return so_far->called_again && so_far->flag == FLAG_NONE;
    return so_far->side == side && so_far->flag == FLAG_NONE && flag == FLAG_NONE && problem->wrong != NULL &&
           diagnosis_before(problem, c, &so_far->problem_case);
}

/* A call with a verdict. `named` names the case in the report, `judged` has the input that was
 * judged. */
struct judged_call {
    struct problem_case named, judged;
    const struct trial *trial;
    const struct trial_options *options;
    struct trial_result *result;
    bool called_again;          /* right as a first call, */
    struct diagnosis diagnosis; /* and what is known of why */
};

static void show_wrong(const struct judging *j, const struct judged_call *call) {
    const struct trial_result *result = call->result;
    struct judge_wrong *wrong = j->wrong;
    bool own_input = memcmp(&call->judged.key, &call->named.key, sizeof call->judged.key) == 0;
    *wrong = (struct judge_wrong){.present = true,
                                  .side = j->side,
                                  .problem_case = call->named,
                                  .verdict = result->verdict,
                                  .called_again = call->called_again,
                                  .key = call->options->key,
                                  .flag = result->flag,
                                  .diagnosis = call->diagnosis};
    wrong->nondeterministic = own_input && !call->called_again &&
                              !repeats(call->trial, j->session, j->side, call->options, result->output);
    if (wrong->nondeterministic)
        wrong->flag = FLAG_NONDETERMINISTIC;
    char error[SETTINGS_ERROR];
    judge_pictures(j->settings, call->trial, result->output, error, sizeof error);
}

/* Puts the verdict into the report and the evidence. False: out of memory. */
static bool take_verdict(const struct judging *j, const struct judged_call *call) {
    struct trial_result *result = call->result;
    const struct problem_verdict *v = &result->verdict;
    char message[sizeof v->message + sizeof v->hint + 8];
    snprintf(message, sizeof message, "%s%s%s", v->message, v->hint[0] ? ". " : "", v->hint);
    bool stored = report_add_case(j->report, call->named.name, v->passed, v->passed ? "" : message);
    if (!v->passed &&
        is_shown(j->settings->lab.problem, j->wrong, j->side, &call->named, result->flag, call->called_again))
        show_wrong(j, call);
    if (call->called_again) {
        ; /* its cause is no mistake in computing */
    } else if (result->flag == FLAG_NONE) {
        if (!v->passed) {
            j->evidence->fits = j->evidence->failed++ > 0 ? j->evidence->fits & v->fits : v->fits;
        }
        evidence_add(j->evidence, &call->judged, &call->trial->layout, trial_poison(&call->options->key),
                     v->passed, result->output);
        result->output = NULL;
    } else {
        j->evidence->incomplete = true; /* a stray write, a changed input: another matter */
    }
    trial_result_free(result);
    return stored;
}

/* It came to none. */
static bool take_failure(const struct judging *j, const char *name) {
    char message[sizeof j->failure->message + 64];
    snprintf(message, sizeof message, "%s: %s", report_stage_name(j->failure->stage), j->failure->message);
    return report_add_case(j->report, name, false, message);
}

/* Explains a wrong case whose kernels read what an earlier call had left: that is the cause
 * where the case is right as a process's first call. Each test needs a process, so only the
 * first few such cases and the shown one are tested. */
static void explain_missed(const struct judging *j, const struct trial *t,
                           const struct trial_options *options, struct trial_result *result) {
    enum { FEW = 4 };
    const struct settings *s = j->settings;
    if (result->verdict.passed || result->flag != FLAG_NONE || session_missed(j->session)[0] == '\0')
        return;
    bool shown = is_shown(s->lab.problem, j->wrong, j->side, &t->problem_case, FLAG_NONE, false);
    if (j->evidence->tried_alone >= FEW && !shown)
        return;
    j->evidence->tried_alone++;
    if (judge_right_when_first(s, j->program, false, t, options))
        trial_explain_missed(j->session, &result->verdict);
}

/* Takes the remarks on the call of that name. The first failing case's doubt is kept. */
static bool take_remarks(const struct judging *j, const char *name, bool failed) {
    char doubt[sizeof j->evidence->doubt];
    if (failed && j->evidence->doubt[0] == '\0' && session_doubt(j->session, doubt, sizeof doubt))
        memcpy(j->evidence->doubt, doubt, sizeof doubt);
    return session_take_remarks(j->session, name, j->report);
}

/* Calls the function again after a right call, with another input and with all that the call has
 * left (judge_again.c). *wrong: the second call is wrong, and stands in the report for the case.
 * False when it came to no verdict, or out of memory. */
static bool call_again(const struct judging *j, unsigned index, const struct trial *first,
                       const struct trial_options *first_options, bool *wrong) {
    const struct settings *s = j->settings;
    struct problem_case c;
    struct trial t;
    struct trial_result result = {0};
    struct trial_options options = *first_options;
    judge_get_second(s, index, &first->problem_case, &c);
    options.key = settings_key(s, "case %u, called again", index);
    options.leave = false;
    if (!trial_create(&t, s->lab.problem, &c)) {
        failure_set(j->failure, STAGE_MEASURE, "out of memory");
        return false;
    }
    bool judged = trial_run(&t, j->session, &options, &result, j->failure), stored = true;
    *wrong = !judged || !result.verdict.passed;
    stored = take_remarks(j, first->problem_case.name, judged && *wrong); /* of the same case */
    if (!judged) {
        stored = take_failure(j, c.name) && stored;
    } else if (*wrong) {
        struct judged_call call = {
            .named = c, .judged = c, .trial = &t, .options = &options, .result = &result};
        const struct judge_second calls = {first, &t, first_options, &options};
        call.called_again = result.flag == FLAG_NONE &&
                            judge_explain_again(s, j->program, &calls, &call.diagnosis, &result.flag);
        stored = take_verdict(j, &call) && stored;
    }
    trial_result_free(&result);
    trial_free(&t);
    if (!stored)
        failure_set(j->failure, STAGE_MEASURE, "out of memory");
    return judged && stored;
}

/* Runs one case; `twice`: it is also called again. True when there is a verdict. */
static bool run_case(const struct judging *j, unsigned index, bool twice) {
    const struct settings *s = j->settings;
    struct problem_case c;
    struct trial t;
    struct trial_result result = {0};
    judge_get_case(s, index, 0, &c);
    if (s->lab.problem->cpu_function != NULL) {
        char name[sizeof c.name];
        snprintf(name, sizeof name, "%s, %.42s", j->side == SIDE_CPU ? "CPU" : "GPU", c.name);
        memcpy(c.name, name, sizeof name);
    }
    if (!trial_create(&t, s->lab.problem, &c)) {
        failure_set(j->failure, STAGE_MEASURE, "out of memory");
        return false;
    }
    /* The simulated GPU sees every stray access to exactly sized buffers and names its source
     * line; real hardware does not, so there, and with STRICT=0, the buffers get guard bands. */
    struct trial_options options = {.key = settings_key(s, "case %u, call 0", index),
                                    .keep_output = true,
                                    .leave = twice,
                                    .guard = s->device == DEVICE_CUDA || !s->strict};
    struct problem_case judged_case = c;
    bool judged = choose_check(s, j->session, &t, j->failure) &&
                  call(&t, j->session, j->side, &options, &result, j->failure);
    bool right = judged && result.verdict.passed, second_wrong = false;
    bool stored = take_remarks(j, c.name, judged && !right);
    unsigned known = j->evidence->count;
    if (judged && twice && right)
        judged = call_again(j, index, &t, &options, &second_wrong);
    else if (judged && twice && session_owns_memory(j->session))
        judged = device_memory_keep(j->session, false, j->failure);
    else if (right && j->side == SIDE_GPU)
        judged = judge_second_input(j, index, &options, &judged_case, &result);
    options.leave = false;
    if (second_wrong) { /* the second call is in the report; this one was right */
        if (result.flag == FLAG_NONE &&
            j->evidence->count == known) { /* one of the two stands for the case */
            evidence_add(j->evidence, &c, &t.layout, trial_poison(&options.key), true, result.output);
            result.output = NULL;
        }
        trial_result_free(&result);
    } else if (!judged) {
        stored = take_failure(j, c.name) && stored;
        trial_result_free(&result);
    } else {
        if (j->side == SIDE_GPU)
            explain_missed(j, &t, &options, &result);
        struct judged_call call = {
            .named = c, .judged = judged_case, .trial = &t, .options = &options, .result = &result};
        stored = take_verdict(j, &call) && stored;
    }
    trial_free(&t);
    if (!stored)
        failure_set(j->failure, STAGE_MEASURE, "out of memory");
    return judged && stored;
}

unsigned judge_case_at(const struct settings *s, unsigned position) {
    unsigned order[256], count = judge_case_count(s);
    struct draw_key key = settings_key(s, "order of the cases");
    if (!s->grading || count > sizeof order / sizeof *order)
        return position;
    draw_order(&key, order, count);
    return order[position];
}

struct judge_calls judge_calls(const struct settings *s, unsigned part) {
    struct draw_key key = settings_key(s, "part %u, calls", part);
    struct draw draw;
    if (!s->grading)
        return (struct judge_calls){.before = 1};
    draw_begin(&draw, &key);
    unsigned before = 1 + (unsigned)draw_below(&draw, 3);
    return (struct judge_calls){before, (unsigned)draw_below(&draw, 2)};
}

/* Adds what is known of this side's failing cases to what is known of the other side's. */
static void explain(const struct judging *j) {
    struct judge_wrong *wrong = j->wrong;
    struct diagnosis *d = &wrong->diagnosis, found;
    size_t used = strlen(d->text);
    if (!wrong->present || wrong->called_again ||
        !evidence_diagnose(j->evidence, !wrong->nondeterministic, &found))
        return;
    if (used == 0) {
        d->proven = found.proven;
        d->cases = found.cases;
        memcpy(d->kind, found.kind, sizeof d->kind);
    }
    if (j->settings->lab.problem->cpu_function == NULL)
        snprintf(d->text, sizeof d->text, "%s", found.text);
    else
        snprintf(d->text + used, sizeof d->text - used, "%sOn the %s: %.*s", used > 0 ? " " : "",
                 j->side == SIDE_CPU ? "CPU" : "GPU", (int)(sizeof d->text / 2 - 16), found.text);
}

/* Tests whether the shown wrong case, without a known cause, is right as a program's first call. */
static void explain_alone(const struct judging *j) {
    const struct settings *s = j->settings;
    struct judge_wrong *wrong = j->wrong;
    struct diagnosis *d = &wrong->diagnosis;
    struct trial t;
    struct trial_options options = {.key = wrong->key, .guard = s->device == DEVICE_CUDA || !s->strict};
    size_t used = strlen(d->text);
    if (s->grading || !wrong->present || wrong->side != j->side || wrong->called_again || d->proven ||
        wrong->nondeterministic || wrong->flag != FLAG_NONE || session_missed(j->session)[0] != '\0' ||
        sizeof d->text - used < sizeof JUDGE_RIGHT_ALONE + 1 ||
        !trial_create(&t, s->lab.problem, &wrong->problem_case))
        return;
    wrong->right_alone = right_when_first(s, j->program, j->side, false, &t, &options);
    if (wrong->right_alone)
        snprintf(d->text + used, sizeof d->text - used, "%s%s", used > 0 ? " " : "", JUDGE_RIGHT_ALONE);
    trial_free(&t);
}

/* Runs every case on one side, in a session of its own, so that neither side finds the other's
 * memory. */
static bool judge_side(struct judging *j, enum side side) {
    const struct settings *s = j->settings;
    struct judge_session how = {.memory_bytes = largest_case(s), .on_host = side == SIDE_CPU};
    bool twice[JUDGE_CASES] = {false};
    j->session = judge_open_session(s, j->program, &how, j->failure);
    j->side = side;
    if (j->session == NULL)
        return false;
    bool judged = evidence_begin(j->evidence, s->lab.problem, j->failure);
    if (side == SIDE_GPU)
        judge_choose_again(s, twice);
    for (unsigned i = 0; judged && i < judge_case_count(s); i++) {
        unsigned index = judge_case_at(s, i);
        progress_show("checking case %u of %u%s", i + 1, judge_case_count(s),
                      side == SIDE_CPU ? " on the CPU" : "");
        judged = run_case(j, index, index < JUDGE_CASES && twice[index]);
    }
    progress_clear();
    uint64_t printed;
    const char *text = session_output(j->session, &printed);
    size_t length = strlen(j->output);
    snprintf(j->output + length, j->output_size - length, "%s", text);
    if (judged) {
        explain(j);
        explain_alone(j);
    }
    session_end(j->session);
    if (!session_take_remarks(j->session, "", j->report))
        failure_set(j->failure, STAGE_MEASURE, "out of memory");
    session_close(j->session);
    evidence_free(j->evidence);
    return judged;
}

bool judge_correctness(const struct settings *s, const char *program, struct report *report,
                       struct judge_wrong *wrong, char *output, size_t output_size, struct failure *failure) {
    char log[PATH_SIZE];
    path_join(log, s->folder, "output.txt");
    unlink(log);
    output[0] = '\0';
    struct evidence evidence;
    struct judging judging = {.settings = s,
                              .program = program,
                              .report = report,
                              .wrong = wrong,
                              .evidence = &evidence,
                              .failure = failure,
                              .output = output,
                              .output_size = output_size};
    bool judged = (s->lab.problem->cpu_function == NULL || judge_side(&judging, SIDE_CPU)) &&
                  judge_side(&judging, SIDE_GPU);
    bool told = wrong->diagnosis.proven || wrong->called_again || wrong->right_alone;
    if (judged && report->cases_failed > 0)
        failure_set_flag(failure, wrong->flag, STAGE_CORRECTNESS, "%u of %u cases are wrong; e.g. %s: %s%s%s",
                         report->cases_failed, report->cases_failed + report->cases_passed,
                         wrong->problem_case.name, wrong->verdict.message, told ? ". " : "",
                         told ? wrong->diagnosis.text : "");
    return judged && report->cases_failed == 0;
}
