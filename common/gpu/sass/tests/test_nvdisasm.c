/*
 * test_nvdisasm.c: our decoding held against nvdisasm's text, instruction by instruction, over the cubins in $SASS_CUBINS (a folder; names
 * end with .ARCHITECTURE.cubin). Skipped, with its reason, where there is no nvdisasm.
 */
#include "base/test.h"
#include <glob.h>

#include "support_listing.h"

enum { LINE_BYTES = 1024, SHOWN = 20 };

/* All that a command prints, or NULL. */
static char *output_of(const char *command) {
    FILE *pipe = popen(command, "r");
    if (pipe == NULL) {
        return NULL;
    }
    size_t size = 0, room = 1 << 16;
    char *text = malloc(room);
    for (size_t got = 1; text != NULL && got != 0; size += got) {
        if (room - size < LINE_BYTES) {
            char *more = realloc(text, room *= 2);
            if (more == NULL) {
                free(text);
            }
            text = more;
        }
        got = text == NULL ? 0 : fread(text + size, 1, room - size - 1, pipe);
    }
    if (text != NULL) {
        text[size] = '\0';
    }
    if (pclose(pipe) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* The path of a program, "" when there is none. */
static void find_program(const char *name, char *path, size_t size) {
    char command[LINE_BYTES];
    snprintf(command, sizeof command, "common/tools/find-cuda tool %s 2>/dev/null", name);
    FREED char *found = output_of(command);
    snprintf(path, size, "%.*s", found == NULL ? 0 : (int)strcspn(found, "\n"), found == NULL ? "" : found);
}

/* "name.90.cubin" */
static uint32_t architecture_of(const char *path) {
    const char *dot = strstr(path, ".cubin");
    while (dot != NULL && dot > path && dot[-1] != '.') {
        dot--;
    }
    return dot == NULL ? 0 : (uint32_t)strtoul(dot, NULL, 10);
}

static size_t differences_of(const char *nvdisasm, const char *path, size_t *instructions) {
    char command[2 * LINE_BYTES];
    snprintf(command, sizeof command, "'%s' -hex -c '%s'", nvdisasm, path);
    FREED char *text = output_of(command);
    ENDED(listing_free) struct listing listing;
    assert_non_null(text);
    assert_true(listing_read(&listing, text));
    assert_int_not_equal(listing.count, 0);
    size_t differences = 0;
    for (size_t i = 0; i < listing.count; i++) {
        const struct listed_instruction *listed = &listing.instructions[i];
        const char *what = listing_difference(architecture_of(path), listed);
        if (what != NULL && differences++ < SHOWN) {
            print_message("%s at 0x%x: %s: %s\n", path, listed->address, what, listed->text);
        }
    }
    *instructions += listing.count;
    return differences;
}

static void every_instruction_is_read_as_nvdisasm_reads_it(void **state) {
    char nvdisasm[LINE_BYTES], pattern[LINE_BYTES];
    find_program("nvdisasm", nvdisasm, sizeof nvdisasm);
    if (nvdisasm[0] == '\0') {
        print_message("there is no nvdisasm to compare with: make setup brings it\n");
        skip();
    }
    const char *folder = getenv("SASS_CUBINS");
    if (folder != NULL) {
        snprintf(pattern, sizeof pattern, "%s/*.cubin", folder);
    } else {
        snprintf(pattern, sizeof pattern, "%s/tests/sass/cubins/*.cubin", test_build());
    }
    glob_t cubins;
    assert_int_equal(glob(pattern, 0, NULL, &cubins), 0);
    size_t instructions = 0, differences = 0;
    for (size_t i = 0; i < cubins.gl_pathc; i++) {
        differences += differences_of(nvdisasm, cubins.gl_pathv[i], &instructions);
    }
    print_message("%zu instructions of %zu cubins, %zu differ\n", instructions, cubins.gl_pathc, differences);
    globfree(&cubins);
    assert_int_equal(differences, 0);
}

/* What the comparison is worth: another bit, another answer. */
static void the_comparison_sees_a_difference(void **state) {
    char text[] = "        /*0030*/    @!P0 LDG.E.64 R2, desc[UR4][R4.64+0x10] ;   /* 0x0000100404028981 */\n"
                  "                                                              /* 0x000ea8000c1e1b00 */\n";
    struct listing listing;
    assert_true(listing_read(&listing, text));
    assert_int_equal(listing.count, 1);
    struct listed_instruction load = listing.instructions[0];
    listing_free(&listing);
    assert_null(listing_difference(90, &load));
    static const struct {
        unsigned bit;
        const char *what;
    } flips[] = {{0, "mnemonic"},           {12, "guard"},
                 {16, "registers"},         {24, "registers"},
                 {32, "uniform registers"}, {40, "offset of the address"},
                 {73, "memory width"},      {122, "reuse"}};
    for (size_t i = 0; i < sizeof flips / sizeof flips[0]; i++) {
        struct listed_instruction other = load;
        other.bytes[flips[i].bit / 8] ^= (uint8_t)(1U << flips[i].bit % 8);
        const char *what = listing_difference(90, &other);
        assert_non_null(what);
        assert_string_equal(what, flips[i].what);
    }
}

TESTS(UNIT(the_comparison_sees_a_difference), UNIT(every_instruction_is_read_as_nvdisasm_reads_it))
