/* instructions.cu: prints a hash of a real GPU's results for each instruction of instructions.h
 * (instructions_h200.csv, by record_results.sh). INSTRUCTIONS=FILE: writes all results, 64 bits
 * each, as ../test_instructions.c writes the simulator's, to find differences. */
#include "run_instructions.h"

static FILE *dump;

static void say(const struct instruction *instruction, const uint64_t *results) {
    printf("%s,%016llx\n", instruction->text, (unsigned long long)recorded_hash(results, INSTRUCTION_SETS));
    if (dump != NULL && fwrite(results, sizeof *results, INSTRUCTION_SETS, dump) != INSTRUCTION_SETS)
        exit(1);
}

int main() {
    static struct instruction items[INSTRUCTION_MOST];
    struct instruction_list list = {items, 0};
    const char *path = getenv("INSTRUCTIONS");
    dump = path != NULL ? fopen(path, "wb") : NULL;
    instruction_list_all(&list);
    run_instructions(&list, say);
    return dump != NULL && fclose(dump) ? 1 : 0;
}
