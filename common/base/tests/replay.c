/* replay.c: a fuzzer without libFuzzer: what `make fuzz-replay` links with each fuzz_X.c of a
 * sanitised build.
 *     replay [FOLDER]   every file of the folder is an input, then DAMAGED copies of them, the same
 *     in every run */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DAMAGED = 200, BLANK = 64 };

struct input {
    uint8_t *bytes;
    size_t size;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

_Noreturn static void stop(const char *name) {
    perror(name);
    exit(2);
}

/* In a block as long as the input is: reading past its end is seen. */
static void try_input(const uint8_t *bytes, size_t size) {
    uint8_t *exact = malloc(size > 0 ? size : 1);
    if (exact == NULL)
        stop("an input");
    memcpy(exact, bytes, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static struct input read_input(const char *folder, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        stop(path);
    long size = ftell(file);
    struct input input = {.bytes = calloc(size >= 0 ? (size_t)size + 1 : 1, 1),
                          .size = size >= 0 ? (size_t)size : 0};
    rewind(file);
    if (size < 0 || input.bytes == NULL || fread(input.bytes, 1, input.size, file) != input.size)
        stop(path);
    fclose(file);
    return input;
}

static int is_visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

/* xorshift32 */
static uint32_t next_number(void) {
    static uint32_t number = 1;
    number ^= number << 13;
    number ^= number >> 17;
    number ^= number << 5;
    return number;
}

/* Some bytes are others, and the end may be missing. */
static void damage(struct input input, struct input *copy) {
    memcpy(copy->bytes, input.bytes, input.size);
    copy->size = next_number() % 2 ? input.size : next_number() % (input.size + 1);
    for (uint32_t i = next_number() % 8 + 1; i > 0 && copy->size > 0; i--)
        copy->bytes[next_number() % copy->size] = (uint8_t)next_number();
}

int main(int argc, char **argv) {
    struct dirent **entries = NULL;
    int seeds = argc > 1 ? scandir(argv[1], &entries, is_visible, alphasort) : 0;
    if (seeds < 0 || (argc > 1 && seeds == 0))
        stop(argv[1]);
    int count = seeds > 0 ? seeds : 1;
    size_t longest = BLANK;
    struct input *inputs = calloc((size_t)count, sizeof *inputs);
    if (inputs == NULL)
        stop("inputs");
    for (int i = 0; i < seeds; i++) {
        fprintf(stderr, "seed %s\n", entries[i]->d_name);
        inputs[i] = read_input(argv[1], entries[i]->d_name);
        longest = inputs[i].size > longest ? inputs[i].size : longest;
        try_input(inputs[i].bytes, inputs[i].size);
        free(entries[i]);
    }
    free(entries);
    if (seeds == 0)
        inputs[0] = (struct input){calloc(BLANK, 1), BLANK};
    struct input copy = {malloc(longest), 0};
    if (copy.bytes == NULL || inputs[0].bytes == NULL)
        stop("inputs");
    for (int i = 0; i < DAMAGED; i++) {
        fprintf(stderr, "damaged copy %d\n", i);
        damage(inputs[next_number() % (uint32_t)count], &copy);
        try_input(copy.bytes, copy.size);
    }
    for (int i = 0; i < count; i++)
        free(inputs[i].bytes);
    free(inputs);
    free(copy.bytes);
    printf("%d seeds and %d damaged copies\n", seeds, DAMAGED);
    return 0;
}
