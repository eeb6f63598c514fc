/* test_executed.c: machine instructions by source line and by basic block: written and read,
 * several launches as one, the most frequent kept. Each counter's sum never changes. */
#include "report/document/kernel_report.h"
#include "report/tests/support_analysis.h"

#define AT(counter) ((counter)-FIRST_MACHINE_COUNTER)

static struct executed_line *add(struct kernel_executed *executed, const char *file, uint32_t line,
                                 uint64_t instructions) {
    executed->lines = realloc(executed->lines, (executed->count + 2) * sizeof *executed->lines);
    assert_non_null(executed->lines);
    struct executed_line *added = &executed->lines[executed->count++];
    *added = (struct executed_line){.file = strdup(file), .line = line};
    assert_non_null(added->file);
    added->counts[AT(COUNTER_inst_executed)] = instructions;
    return added;
}

static struct executed_block *add_block(struct kernel_executed *executed, uint32_t first,
                                        uint32_t instructions, uint64_t warps) {
    executed->blocks = realloc(executed->blocks, (executed->block_count + 2) * sizeof *executed->blocks);
    assert_non_null(executed->blocks);
    struct executed_block *added = &executed->blocks[executed->block_count++];
    *added = (struct executed_block){.first = first, .instructions = instructions};
    added->counts[AT(COUNTER_inst_executed)] = warps * instructions;
    return added;
}

static uint64_t sum_of_blocks(const struct kernel_executed *executed, enum counter counter) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < executed->block_count; i++)
        sum += executed->blocks[i].counts[AT(counter)];
    return sum;
}

static uint64_t sum_of(const struct kernel_executed *executed, enum counter counter) {
    uint64_t sum = 0;
    for (uint32_t i = 0; i < executed->count; i++)
        sum += executed->lines[i].counts[AT(counter)];
    return sum;
}

static void make(struct kernel_report *kernel) {
    *kernel = (struct kernel_report){.block = {32, 1, 1}, .time_us = 1, .time_source = TIME_MODEL};
    kernel->name = strdup("k");
    assert_non_null(kernel->name);
    kernel->executed.known = true;
    add(&kernel->executed, "", 0, 5);
    struct executed_line *line = add(&kernel->executed, "k.cu", 7, 100);
    line->counts[AT(COUNTER_pipe_alu)] = 60;
    line->counts[AT(COUNTER_pipe_lsu)] = 40;
    line->counts[AT(COUNTER_machine_shared_loads)] = 30;
    add(&kernel->executed, "k.cu", 9, 300)->counts[AT(COUNTER_pipe_fma)] = 299;
    assert_true(kernel_executed_sort(&kernel->executed));
    add_block(&kernel->executed, 0, 5, 1);
    add_block(&kernel->executed, 5, 4, 100)->counts[AT(COUNTER_pipe_alu)] = 60;
}

static void there_and_back(void **state) {
    struct kernel_report kernel, again;
    char error[256] = "";
    make(&kernel);
    assert_true(test_comes_back(&kernel, NULL, NULL, &again, error, sizeof error));
    assert_true(again.executed.known);
    assert_int_equal(again.executed.count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        static const uint32_t lines[] = {9, 7, 0}; /* most first, instructions of no line last */
        assert_int_equal(again.executed.lines[i].line, lines[i]);
        assert_string_equal(again.executed.lines[i].file, kernel.executed.lines[i].file);
        assert_memory_equal(again.executed.lines[i].counts, kernel.executed.lines[i].counts,
                            sizeof again.executed.lines[i].counts);
    }
    assert_int_equal(again.executed.block_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const struct executed_block *block = &kernel.executed.blocks[i], *read = &again.executed.blocks[i];
        assert_int_equal(read->first, block->first);
        assert_int_equal(read->instructions, block->instructions);
        assert_memory_equal(read->counts, block->counts, sizeof read->counts);
    }
    kernel_report_free(&again);
    kernel.executed.known = false; /* then the report has no such keys */
    assert_true(test_comes_back(&kernel, NULL, NULL, &again, error, sizeof error));
    assert_false(again.executed.known);
    assert_int_equal(again.executed.count, 0);
    kernel_report_free(&again);
    kernel_report_free(&kernel);
}

static void what_is_wrong_is_refused(void **state) {
    static const struct {
        const char *from, *to, *error;
    } cases[] = {
        {"\"line\":7", "\"line\":-7", "executed[1].line"},
        {"\"pipe_alu\":60", "\"pipe_alu\":\"60\"", "executed[1].pipe_alu"},
        {"\"pipe_alu\":60", "\"pipe_of_peace\":60", "executed[1]"},
        {"\"first\":5", "\"first\":-5", "blocks[1].first"},
        {"\"length\":4", "\"length\":4,\"zzz\":1", "blocks[1]"},
        {"\"file\":\"k.cu\",\"line\":9", "\"file\":null,\"line\":9", "executed[0].file"},
    };
    struct kernel_report kernel, again;
    make(&kernel);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char error[256] = "";
        assert_false(test_comes_back(&kernel, cases[i].from, cases[i].to, &again, error, sizeof error));
        if (strstr(error, cases[i].error) == NULL)
            fail_msg("%s", error);
    }
    char error[256] = "";
    kernel_executed_free(&kernel.executed);
    kernel.executed.known = true;
    assert_false(test_comes_back(&kernel, "\"executed\":[]", "\"executed\":7", &again, error, sizeof error));
    assert_non_null(strstr(error, "executed: expected an array"));
    kernel_report_free(&kernel);
}

static void several_launches(void **state) {
    ENDED(kernel_report_free) struct kernel_report one, other;
    make(&one);
    make(&other);
    add(&other.executed, "k.cu", 11, 1000);
    add_block(&other.executed, 2, 3, 7);
    assert_true(kernel_executed_fold(&one.executed, &other.executed));
    assert_int_equal(one.executed.block_count, 3);
    assert_int_equal(one.executed.blocks[1].first, 2); /* in code order */
    assert_int_equal(sum_of_blocks(&one.executed, COUNTER_inst_executed), 2 * 405 + 21);
    assert_int_equal(one.executed.blocks[2].counts[AT(COUNTER_pipe_alu)], 120);
    assert_int_equal(one.executed.count, 4);
    assert_int_equal(sum_of(&one.executed, COUNTER_inst_executed), 2 * 405 + 1000);
    assert_int_equal(sum_of(&one.executed, COUNTER_machine_shared_loads), 60);
    assert_int_equal(one.executed.lines[0].line, 11);
    assert_int_equal(one.executed.lines[3].line, 0);
    const struct executed_line *line = kernel_executed_find(&one.executed, "k.cu", 9);
    assert_non_null(line);
    assert_int_equal(line->counts[AT(COUNTER_pipe_fma)], 598);
    assert_null(kernel_executed_find(&one.executed, "other.cu", 9));
    struct kernel_executed unknown = {0};
    assert_true(kernel_executed_fold(&one.executed, &unknown));
    assert_false(one.executed.known);
    assert_int_equal(one.executed.count, 0);
}

static void the_largest_are_kept(void **state) {
    ENDED(kernel_executed_free) struct kernel_executed executed = {.known = true};
    uint64_t all = 0, kept = 0;
    for (uint32_t i = 0; i < EXECUTED_LINES + 10; i++) {
        all += 1 + i * 37 % 101;
        add(&executed, "k.cu", i + 1, 1 + i * 37 % 101);
    }
    assert_true(kernel_executed_sort(&executed));
    assert_int_equal(executed.count, EXECUTED_LINES + 1);
    assert_int_equal(sum_of(&executed, COUNTER_inst_executed), all);
    for (uint32_t i = 0; i < EXECUTED_LINES; i++) {
        kept += executed.lines[i].counts[AT(COUNTER_inst_executed)];
        assert_int_not_equal(executed.lines[i].line, 0);
        assert_true(i == 0 || executed.lines[i - 1].counts[AT(COUNTER_inst_executed)] >=
                                  executed.lines[i].counts[AT(COUNTER_inst_executed)]);
    }
    assert_int_equal(executed.lines[EXECUTED_LINES].line, 0);
    assert_int_equal(executed.lines[EXECUTED_LINES].counts[AT(COUNTER_inst_executed)], all - kept);
}

static void the_busiest_blocks_are_kept(void **state) {
    ENDED(kernel_executed_free) struct kernel_executed executed = {.known = true}, other = {.known = true};
    uint64_t all = 0;
    for (uint32_t i = 0; i < EXECUTED_BLOCKS + 10; i++) {
        all += 2 * (1 + i * 37 % 101);
        add_block(&executed, 2 * i, 2, 1 + i * 37 % 101);
        add_block(&other, 2 * i, 2, 1);
    }
    kernel_executed_trim(&executed);
    assert_int_equal(executed.block_count, EXECUTED_BLOCKS + 1);
    assert_int_equal(sum_of_blocks(&executed, COUNTER_inst_executed), all);
    for (uint32_t i = 1; i < EXECUTED_BLOCKS; i++)
        assert_true(executed.blocks[i].first > executed.blocks[i - 1].first);
    assert_int_equal(executed.blocks[EXECUTED_BLOCKS].instructions, 0); /* sum of those left out */
    assert_true(kernel_executed_fold(&executed, &other));
    assert_int_equal(executed.block_count, EXECUTED_BLOCKS + 1);
    assert_int_equal(sum_of_blocks(&executed, COUNTER_inst_executed), all + 2 * (EXECUTED_BLOCKS + 10));
}

static void pipes_in_words(void **state) {
    struct executed_line line = {.counts = {[AT(COUNTER_inst_executed)] = 1000,
                                            [AT(COUNTER_pipe_lsu)] = 200,
                                            [AT(COUNTER_pipe_uniform)] = 100,
                                            [AT(COUNTER_pipe_cbu)] = 9}};
    struct executed_line other = line, none = {0};
    char text[64];
    executed_pipes(&line, text, sizeof text);
    assert_string_equal(text, "lsu 20, uniform 10"); /* cbu: less than 1 % */
    other.counts[AT(COUNTER_pipe_fma)] = other.counts[AT(COUNTER_pipe_fp64)] = 300;
    executed_pipes(&other, text, sizeof text);
    assert_string_equal(text, "fma 30, fp64 30, lsu 20");
    executed_pipes(&none, text, sizeof text);
    assert_string_equal(text, "");
}

TESTS(UNIT(there_and_back), UNIT(what_is_wrong_is_refused), UNIT(several_launches),
      UNIT(the_largest_are_kept), UNIT(the_busiest_blocks_are_kept), UNIT(pipes_in_words))
