/* approximations.cu: prints the first results of each approximate instruction of instructions.h on
 * a real GPU, in hexadecimal (approximations_h200.csv, by record_results.sh). The simulator's
 * results may differ, within the bound that PTX states. */
#include "run_instructions.h"

static void say(const struct instruction *instruction, const uint64_t *results) {
    printf("%s,", instruction->text);
    for (int i = 0; i < APPROXIMATIONS; i++)
        printf("%llx%c", (unsigned long long)results[i], i + 1 < APPROXIMATIONS ? ' ' : '\n');
}

int main() {
    static struct instruction items[INSTRUCTION_MOST];
    struct instruction_list list = {items, 0};
    instruction_approximations(&list);
    run_instructions(&list, say);
    return 0;
}
