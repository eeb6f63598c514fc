/* Wrong solutions, each stopped or refused with the right words. On the simulated GPU. */
#include "support_lab.h"

#include "lab/judge/calls/judge.h"

/* FUNCTION/NAME, an entry of wrong/FUNCTION.txt; the stage it fails in; two things that are
 * said. stage NULL: it is right here, and the two are remarked. */
struct row {
    const char *name, *stage, *says, *also;
};

// clang-format off
static const struct row rows[] = {
    {"gaussian_blur/border",  "correctness", "In all 44 cases that fail", "are taken from the neighbouring rows"},
    {"gaussian_blur/shifted", "correctness", "In all 47 cases that fail", "the window is centred at (x -1, y +0)"},
    {"gaussian_blur/rows",    "correctness", "nothing is written", "in rows with y >= height - height % 8 if height >= 8"},
    {"gaussian_blur/outside", "fault",       "outside.cu:12",               "store of 1 byte to dst[256], 1 beyond its end: pixel (16, 15) or (0, 16) of a picture 16 x 16"},
    {"gaussian_blur/no_bounds", "fault",     "no_bounds.cu:10",             "load of 1 byte from src[-51], 51 before its start: pixel (-3, -3) or (13, -4) of a picture 16 x 16"},
    {"gaussian_blur/race",    "fault",       "race.cu:19",                  "race on byte"},
    {"gaussian_blur/on_host", "fault",       "signal 11",                   "cannot be dereferenced on the host"},
    {"gaussian_blur/on_cpu",  "measure",     "gaussian_blur shows the host 256 bytes of GPU memory and then brings", "computed by kernels"},
    {"gaussian_blur/kept_table", "correctness", "What an earlier call left in variable 'table' is forgotten", "pixels differ"},
    {"gaussian_blur/endless", "timeout",     "this loop never ends, it repeats exactly", "endless.cu:5: kernel blur, block (0,0,0), thread (0,0,0)"},
    {"gaussian_blur/endless_tap", "timeout", "the kernel did not end within", "in this loop"},
    {"gaussian_blur/no_blocks", "fault",     "kernel blur, grid (0,4,1), block (32,4,1): grid.x is 0", "In this case width is 16, height is 16, and in whole numbers 16 / 32 is 0."},
    {"gemm/large_block",      "fault",       "kernel product, grid (1,1,1), block (64,32,1)", "64 x 32 x 1 is 2048 threads; at most 1024"},
    {"gemm/no_beta",          "correctness", "elements of C are wrong", "beta * C is left out"},
    {"gemm/reads_c",          "correctness", "elements of C are wrong", "C is read although beta is 0"},
    {"gemm/no_ldc",           "correctness", "elements of C are wrong",     "row + column * ldc"},
    /* The stray access lies outside an exactly sized buffer: it is stopped where it happens. */
    {"gemm/no_edge",          "fault",       "no_edge.cu",                  "1 beyond its end: row 4, column 3 or row 0, column 4 of a 4 x 4 matrix"},
    {"gemm/one_too_far",      "fault",       "one_too_far.cu:16",           "from b[16], 1 beyond its end: row 4, column 3 or row 0, column 4 of a 4 x 4 matrix"},
    /* On hardware this computes the right thing on most days. */
    {"gemm/no_wait",          "fault",       "asynchronous copy",           "no_wait.cu:18"},
    {"contrast/signed",       "correctness", "GPU, 2 x 1: 2 of 2 pixels differ",                "unsigned byte"},
    {"contrast/cpu_signed",   "correctness", "CPU, 2 x 1: 2 of 2 pixels differ",                "unsigned byte"},
    {"contrast/pitch",        "correctness", "1 x 2, gaps", "src[y * width + x] is read"},
    {"contrast/gaps_read",    "correctness", "On the GPU: In all 16 cases", "the bytes between the rows count for min and max"},
    {"contrast/gaps_written", "correctness", "bytes outside the image were written",        "dst_pitch - width"},
    {"contrast/one_level",    "correctness", "1 x 1", "Do not divide"},
    {"contrast/rounding",     "correctness", "each result is rounded down", "a half up"},
    {"contrast/tail",         "correctness", " of 78 cases are wrong", " of 39 cases are wrong"},
    {"contrast/on_host",      "measure",     "contrast shows the host",                     "computed by kernels"},
    {"contrast/row_below",    "fault",       "row_below.cu:30",                             "to dst[1], 1 beyond its end: pixel (1, 0) or (0, 1) of a picture 1 x 1"},
    {"contrast/scratch_end",  "fault",       "scratch_end.cu:20",                            "bytes 65536 to 65551 of scratch, 1 beyond its end: scratch has 65536 bytes"},
    {"contrast/no_cpu",       "fault",       "contrast_cpu: there is no such function",     "extern \"C\""},
    /* A read-back of a few bytes between the passes is slow, and allowed. */
    {"contrast/read_back",    NULL,          "",                                            ""},
    /* Right where the call before has left nothing; each on a GPU is wrong when it is called for the second time. */
    {"contrast/limits_not_set", "correctness", ", called again: ", "variable 'limits' still holds what the call before left there"},
    {"contrast/blocks_done",    "correctness", ", called again: ", "variable 'blocks_done' still holds what the call before left there"},
    {"contrast/managed_not_set", "correctness", ", called again: ", "managed memory still holds what the call before left there"},
    {"contrast/host_keeps",     "correctness", "Alone, as a program's first call, this case is right", "is kept from call to call"},
    {"contrast/last_block",     NULL,          "",                                            ""},
    /* What fits the values would be what the simulator fills such memory with. */
    {"contrast/lanes_not_written", "correctness", "lanes_not_written.cu:29: thread (8,0,0) of block (0,0,0) reads 4 bytes at byte 32 of low", "which no thread of the block has written; the result depends on it"},
    {"edge_pipeline/gray_cut",  "correctness", "gray is rounded down", "Add 500000"},
    {"edge_pipeline/fused_border", "correctness", "outside the picture the blur is what its window gives there", "set it to 0"},
    {"edge_pipeline/not_cut",   "correctness", "roots above 255 lose their upper bits", "255"},
    {"edge_pipeline/scratch_end", "fault",   "scratch_end.cu:39",                           "1 beyond its end: [plane 2][pixel 256] or [plane 3][pixel 0] of 3 x 256"},
    {"edge_pipeline/odd_width", "fault",     "odd_width.cu:23",                             "across its end: pixel (1, 0)"},
    {"smith_waterman/uncut",           "correctness", "cells go below 0", "An alignment may begin anywhere"},
    {"smith_waterman/last_cell",       "correctness", "the score is the last cell's", "An alignment may end anywhere"},
    {"smith_waterman/unknown_match",   "correctness", "letters above 3 match themselves", "not even itself"},
    {"smith_waterman/two_bits",        "correctness", "of each letter only the lowest two bits count", ""},
    {"smith_waterman/open_and_extend", "correctness", "a gap of k letters costs open + k * extend", "open + (k - 1) * extend"},
    {"smith_waterman/linear_gaps",     "correctness", "a gap of k letters costs k * open", ""},
    {"smith_waterman/one_gap",         "correctness", "gaps that skip letters of b are left out", ""},
    {"smith_waterman/diagonal",        "correctness", "a pair of letters continues the cell above", "before it is overwritten"},
    {"smith_waterman/strips",          "correctness", "the cells above count as 0 where a strip of 16 letters of a ends", ""},
    {"smith_waterman/tail",            "correctness", "the last length_b % 4 letters of b are left out", "unrolled"},
    {"smith_waterman/last_batch",      "correctness", "nothing is written in batches with k >= count - count % 2", "does the grid round up"},
    {"smith_waterman/bytes",           "correctness", "a score is taken modulo 256", "16 bits hold it"},
    {"smith_waterman/one_pair",        "correctness", "all pairs of a batch get the score of pair 0", "letters[32 * (at + i) + p]"},
    {"smith_waterman/no_guard",        "fault",       "no_guard.cu:7", "4 bytes from batches[1], 1 beyond its end: batches has 1 batch"},
    {"smith_waterman/beyond",          "fault",       "beyond.cu:", "just past the end of the block's 256 bytes of shared memory"},
    {"smith_waterman/race",            "fault",       "race on byte 2 of rows", "with no __syncthreads() between them"},
    {"smith_waterman/shared_short",    "fault",       "invalid store of 4 bytes to shared memory", "just past the end of the block's 256 bytes of shared memory"},
    {"smith_waterman/not_set",         "correctness", "changes scores[0], [batch 0][pair 0], which neither the host nor a kernel has written", "the result depends on it"},
    {"increment/no_tail",     "correctness", "part A: ", "nothing is incremented in elements with i >= n - n % 4"},
    {"increment/past_end",    "fault",       "past_end.cu:6",                               "from x[0] to x[3], across its end: x has 1 float"},
    {"increment/unaligned",   "fault",       "unaligned.cu:8",                              "misaligned load of 16 bytes from x["},
    {"increment/reversed",    "correctness", "part B: ", "coefficients are taken in the reverse order"},
    {"increment/half",        "correctness", "part B: ", "x[i] is rounded to half precision"},
    {"increment/nothing",     "fault",       "grid.x is 0",                                 "In this case n is 0. Where there is nothing to compute, return before the launch."},
    {"increment/not_set",     "correctness", "part B: ", "uses a variable that it has not set"},
    {"increment/lanes_not_set", "correctness", "part B: ", "of an array or variable of its own that it has not written"},
    {"increment/missing",     "correctness", "part B: 1 of 1 elements are wrong",           "kernel.cu has no function polynomial"},
    {"weighted_sums/odd_terms",   "correctness", "sums are wrong", "the last terms % 2 terms are left out"},
    {"weighted_sums/odd_points",  "correctness", "nothing is written", "points with point >= points - points % 2"},
    {"weighted_sums/no_walk",     "correctness", "nothing is written", "points with point >= 1024"},
    {"weighted_sums/one_more_term", "fault",     "one_more_term.cu:", "beyond its end"},
    {"weighted_sums/single",      "correctness", "rounded to single precision", "Compute in double"},
    {"weighted_sums/first_set",   "correctness", "the first set's weights count for all sets", "(set * 4 + row) * terms + term"},
    {"weighted_sums/transposed",  "correctness", "sums are stored as sums[(set * points + point) * 4 + row]", "(set * 4 + row) * points + point"},
    {"weighted_sums/swapped",     "correctness", "of every 2 terms the weights are taken in the reverse order", ".x, is the lower address"},
    {"weighted_sums/one_of_two",  "correctness", "of every 2 points all get the sum of number 0", ".x and .y"},
    {"weighted_sums/carried",     "correctness", "a sum is not set to 0 before the thread's next point, 512 further", "each round of the walk"},
    {"weighted_sums/no_terms",    "correctness", "nothing is written if terms is 0", "every sum is 0"},
    {"weighted_sums/no_sets",     "fault",       "grid.x is 0", "In this case sets is 0, terms is 4, points is 8. Where there is nothing to compute, return before the launch."},
    {"weighted_sums/large_block", "fault",       "2048", "at most 1024"},
    {"weighted_sums/bounds",      "fault",       "1024", "512"},
    {"weighted_sums/unaligned",   "fault",       "unaligned.cu:9", "misaligned load of 16 bytes from values["},
    {"weighted_sums/past_end",    "fault",       "past_end.cu:", "beyond its end"},
    {"weighted_sums/no_barrier",  "fault",       "race on byte", "no_barrier.cu:"},
    {"transpose/swapped_grid",    "correctness", "elements of dst are wrong", "blocks of 32 x 8 for height columns and width rows"},
    {"transpose/swapped_extents", "fault",       "swapped_extents.cu:13", "store of 4 bytes to dst[6], 1 beyond its end"},
    {"transpose/copied",          "correctness", "elements of dst are wrong", "nothing is transposed"},
    {"transpose/odd_left_out",    "correctness", "nothing is written", "in rows of dst with x >= width - width % 2"},
    {"transpose/empty",           "fault",       "grid.x is 0", "In this case width is 0, height is 5."},
    {"transpose/no_barrier",      "fault",       "race on byte", "no_barrier.cu:"},
    {"transpose/guard_axis",      "fault",       "guard_axis.cu:35", "store of 4 bytes to dst[6], 1 beyond its end"},
    {"transpose/padding",         "correctness", "padding.cu:35: thread (1,0,0) of block (0,0,0) reads 4 bytes at byte 128 of tile", "which no thread of the block has written"},
    {"transpose/repeated",        "correctness", "of every 32 rows of dst those from number 8 on repeat the first 8", "an index of their own"},
    {"transpose/reversed",        "correctness", "of every 4 columns of dst the order is reversed", ".x, is the lowest address"},
    {"transpose/not_exchanged",   "correctness", "tiles of 4 x 4 change places", "multiples of 4"},
    {"transpose/unaligned",       "fault",       "misaligned load of 16 bytes from src[", "is not a multiple of 16"},
    {"transpose/one_side",        "fault",       "one_side.cu:", "load of 16 bytes from src[48] to src[51], 1 beyond its end"},
    {"transpose/in_place",        "correctness", "src was changed", "src is read only: write to dst"},
    {"particles/no_wait_for_field",  NULL, "nothing orders the copy at no_wait_for_field.cu:", "potential_kernel at no_wait_for_field.cu:"},
    {"particles/no_wait_for_buffer", NULL, "nothing orders potential_kernel at no_wait_for_buffer.cu:", "the copy at no_wait_for_buffer.cu:"},
    {"particles/no_wait_for_made",   NULL, "nothing orders potential_kernel at no_wait_for_made.cu:", "the copy at no_wait_for_made.cu:"},
    {"particles/no_wait_for_taken",  NULL, "nothing orders the copy at no_wait_for_taken.cu:", "potential_kernel at no_wait_for_taken.cu:"},
    {"particles/no_wait_for_frames", NULL, "while the copy at no_wait_for_frames.cu:", "may still be writing there"},
    {"particles/no_wait_for_end",    NULL, "while the copy at no_wait_for_end.cu:", "may still be writing there"},
    {"particles/recorded_early",     NULL, "nothing orders potential_kernel at recorded_early.cu:", "the copy at recorded_early.cu:"},
    {"particles/one_buffer",         NULL, "nothing orders potential_kernel at one_buffer.cu:", "the copy at one_buffer.cu:"},
    {"particles/host_reads",         NULL, "the host at host_reads.cu:", "while the copy at host_reads.cu:"},
    {"particles/never_freed",        NULL, "never freed: cudaMalloc #", ""},
    {"particles/pageable",           NULL, "pageable memory", "cudaMallocHost"},
    {"particles/unsigned_field",  "correctness", "the field's numbers are taken as unsigned", "(int16_t)"},
    {"particles/all_rows",        "correctness", "every header says 32 rows", "The last strip may have fewer"},
    {"particles/unjoined",  "fault", "cudaStreamEndCapture(lab.compute, &recorded) at unjoined.cu:", "the first stream must wait for an event"},
    {"particles/unforked",  "fault", "cudaStreamWaitEvent(lab.compute, lab.come[turn], 0) at unforked.cu:", "recorded outside the capture"},
    {"particles/earlier_event",  "fault", "cudaStreamWaitEvent(lab.forth, lab.used[turn], 0) at earlier_event.cu:", "before it began"},
};
// clang-format on
enum { ROWS = sizeof rows / sizeof *rows };

/* Of the first lab that asks for the function that the row's folder is named after. */
static void resolve(struct settings *s, const char *name) {
    unsigned numbers[LABS_MOST];
    assert_true(settings_init(s, error, sizeof error));
    for (unsigned i = 0, count = lab_numbers(s->root, numbers); i < count; i++) {
        char id[16];
        snprintf(id, sizeof id, "lab%u", numbers[i]);
        assert_true(lab_load(s->root, id, &s->lab, error, sizeof error));
        const char *function = s->lab.problem->function;
        if (strncmp(function, name, strlen(function)) != 0 || name[strlen(function)] != '/')
            continue;
        resolve_lab(s, id);
        return;
    }
    fail_msg("no lab asks for %s", name);
}

/* Cases are tried once more as a program's first call, each in a process of its own: some of them are, not all. */
static void check_few_alone(const char *name, const struct report *report) {
    enum { FEW = 8 };
    unsigned told = 0;
    for (unsigned i = 0; i < report->case_count; i++)
        told += strstr(report->cases[i].message, "As a process's first call it is right") != NULL;
    if (told > FEW)
        fail_msg("%s: %u cases were called alone", name, told);
}

/* What would take minutes on a simulator built with sanitisers, and run no code that others do not: of the particles every
 * other row; what is diagnosed longest, whose diagnosis problems/test_wrong_smith_waterman makes. */
static bool is_left_to_others(const struct row *row) {
    static const char *const longest[] = {"smith_waterman/diagonal",      "smith_waterman/strips",
                                          "particles/no_wait_for_buffer", "particles/no_wait_for_made",
                                          "particles/no_wait_for_taken",  "particles/no_wait_for_end",
                                          "particles/recorded_early",     "particles/all_rows"};
    for (size_t i = 0; i < sizeof longest / sizeof *longest; i++)
        if (strcmp(row->name, longest[i]) == 0)
            return true;
    return false;
}

static void test_row(void **state) {
    const struct row *row = *state;
    if (getenv("SANITIZED") != NULL && is_left_to_others(row)) {
        print_message("skipped: built with sanitisers it would take minutes\n");
        skip();
    }
    static struct settings s;
    char program[PATH_SIZE], output[4096] = "", all[8192];
    ENDED(report_free) struct report report;
    struct judge_wrong wrong = {0};
    struct failure failure = {0};
    resolve(&s, row->name);
    s.timeout_s = 3600; /* only a call that hangs needs them */
    path_print(program, "%s/kernels/wrong/%s-90", s.build, row->name);
    assert_true(report_init(&report, s.lab.id, "T"));
    bool right = judge_correctness(&s, program, &report, &wrong, output, sizeof output, &failure);
    snprintf(all, sizeof all, "%s | %s | %s | %s | %s", failure.message, wrong.verdict.message,
             wrong.verdict.hint, wrong.diagnosis.text, output);
    for (uint32_t i = 0; i < report.remark_count && row->stage == NULL; i++) {
        size_t length = strlen(all);
        snprintf(all + length, sizeof all - length, " | %s", report.remarks[i].message);
    }
    const char *stage = right ? "none" : report_stage_name(failure.stage);
    if ((row->stage != NULL && report.cases_failed == 0) ||
        strcmp(stage, row->stage != NULL ? row->stage : "none") != 0 || strstr(all, row->says) == NULL ||
        strstr(all, row->also) == NULL)
        fail_msg("expected %s, '%s' and '%s'; stage %s, %s", row->stage, row->says, row->also, stage, all);
    check_few_alone(row->name, &report);
}

int main(void) {
    struct CMUnitTest tests[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        tests[i] = (struct CMUnitTest){
            .name = rows[i].name, .test_func = test_row, .initial_state = (void *)(uintptr_t)&rows[i]};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
