/*
 * sass-listing: a kernel's source, its PTX and its machine code, one below the other, in 80 columns.
 *
 *     sass-listing ARCHITECTURE FILE.ptx < LISTING          LISTING: nvdisasm -hex -c -g -gp of what ptxas made of FILE.ptx
 *
 * Before each instruction: its address, the cycles to the next one, Y where another warp is preferred then, the scoreboards that it sets
 * when its results are there and when its sources have been read, and those that it waits for. Exits 2 on wrong usage.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/demangle.h"
#include "base/file.h"
#include "gpu/sass/instruction.h"

enum { LINE_BYTES = 4096, LARGEST_FILE = 64 << 20, COLUMNS = 80, MAX_FILES = 8 };

/* A text file, line by line. */
struct text {
    char path[LINE_BYTES];
    char *bytes;
};

/* Prints a line without what it starts with, cut at the right margin. */
static void print_cut(const char *prefix, const char *line) {
    line += strspn(line, " \t");
    int room = COLUMNS - (int)strlen(prefix), length = (int)strcspn(line, "\r\n");
    printf("%s%.*s\n", prefix, length < room ? length : room, line);
}

static const char *line_of(const struct text *text, unsigned number) {
    const char *line = text->bytes;
    for (unsigned i = 1; line != NULL && i < number; i++) {
        line = strchr(line, '\n');
        line = line == NULL ? NULL : line + 1;
    }
    return line == NULL ? "" : line;
}

/* The file of this path, read when it is first asked for; one that cannot be read has no lines. */
static const struct text *source(struct text files[MAX_FILES], const char *path) {
    int i = 0;
    while (i < MAX_FILES - 1 && files[i].path[0] != '\0' && strcmp(files[i].path, path) != 0) {
        i++;
    }
    if (strcmp(files[i].path, path) != 0) {
        char why[LINE_BYTES];
        free(files[i].bytes);
        snprintf(files[i].path, sizeof files[i].path, "%s", path);
        files[i].bytes = file_read(path, LARGEST_FILE, NULL, why, sizeof why);
    }
    return &files[i];
}

/* A tab, "//## File "PATH", line N", and more of where it is inlined. */
static bool read_place(const char *line, char *path, unsigned *number) {
    return sscanf(line, " //## File \"%4095[^\"]\", line %u", path, number) == 2;
}

static char scoreboard(unsigned number) {
    return number == SASS_NO_BARRIER ? '-' : (char)('0' + number);
}

static void print_instruction(uint32_t architecture, const uint8_t *bytes, uint32_t address,
                              const char *text) {
    struct sass_instruction instruction;
    sass_decode(architecture, bytes, address, &instruction);
    const struct sass_schedule *schedule = &instruction.schedule;
    char waits[8] = "------";
    for (unsigned i = 0; i < 6; i++) {
        waits[i] = schedule->wait_mask >> i & 1 ? (char)('0' + i) : '-';
    }
    char prefix[LINE_BYTES];
    snprintf(prefix, sizeof prefix, "    %04x %2u %c %c %c %s  ", (unsigned)address,
             (unsigned)schedule->stall, schedule->yield ? 'Y' : '-', scoreboard(schedule->write_barrier),
             scoreboard(schedule->read_barrier), waits);
    print_cut(prefix, text);
}

/* One line of what comes in: a place, a label, or one of the two lines of an instruction. */
struct state {
    uint32_t architecture;
    struct text files[MAX_FILES];
    struct text ptx;
    char text[LINE_BYTES]; /* of the instruction whose other half of bytes comes next */
    uint32_t address;
    uint8_t bytes[SASS_INSTRUCTION_BYTES];
};

static void take_place(struct state *state, const char *path, unsigned number) {
    char prefix[LINE_BYTES];
    if (strcmp(path, ".nv_debug_ptx_txt") == 0) {
        snprintf(prefix, sizeof prefix, "  ptx %u  ", number);
        print_cut(prefix, line_of(&state->ptx, number));
        return;
    }
    const char *name = strrchr(path, '/');
    snprintf(prefix, sizeof prefix, "%.40s:%u  ", name == NULL ? path : name + 1, number);
    printf("\n");
    print_cut(prefix, line_of(source(state->files, path), number));
}

static void take_line(struct state *state, char *line) {
    char path[LINE_BYTES];
    unsigned number = 0;
    char *hex = strstr(line, "/* 0x"), *start = strstr(line, "/*");
    if (read_place(line, path, &number)) {
        take_place(state, path, number);
    } else if (hex != NULL && hex == start && state->text[0] != '\0') {
        uint64_t high = strtoull(hex + 3, NULL, 16);
        memcpy(state->bytes + 8, &high, sizeof high);
        if (strncmp(state->text, "NOP", 3) != 0) { /* it fills up the end */
            print_instruction(state->architecture, state->bytes, state->address, state->text);
        }
        state->text[0] = '\0';
    } else if (hex != NULL && isxdigit((unsigned char)start[2])) {
        char *end = NULL;
        uint64_t low = strtoull(hex + 3, NULL, 16);
        state->address = (uint32_t)strtoul(start + 2, &end, 16);
        memcpy(state->bytes, &low, sizeof low);
        while (hex > end && strchr(" ;", hex[-1]) != NULL) {
            *--hex = '\0';
        }
        char *text = strncmp(end, "*/", 2) == 0 ? end + 2 : end;
        snprintf(state->text, sizeof state->text, "%s", text + strspn(text, " "));
    } else if (line[0] == '.' && strchr(line, ':') != NULL && strncmp(line, ".text.", 6) != 0) {
        print_cut("  ", line);
    } else if (strncmp(line, ".text.", 6) == 0) {
        char name[LINE_BYTES];
        line[6 + strcspn(line + 6, ":")] = '\0';
        demangle_kernel(line + 6, name, sizeof name);
        printf("\n%s\n    at  stall  set read waits\n", name);
    }
}

int main(int count, char **arguments) {
    static struct state state;
    static char line[LINE_BYTES];
    char why[LINE_BYTES];
    state.architecture = count == 3 ? (uint32_t)strtoul(arguments[1], NULL, 10) : 0;
    if (!sass_knows(state.architecture)) {
        fprintf(
            stderr,
            "usage: sass-listing ARCHITECTURE FILE.ptx < LISTING (nvdisasm -hex -c -g -gp); 70 <= ARCHITECTURE\n");
        return 2;
    }
    state.ptx.bytes = file_read(arguments[2], LARGEST_FILE, NULL, why, sizeof why);
    if (state.ptx.bytes == NULL) {
        fprintf(stderr, "%s\n", why);
        return 2;
    }
    puts("at     byte of the code\n"
         "stall  cycles until the warp's next instruction may issue; Y: another warp first\n"
         "set    scoreboard that is taken until the result is there\n"
         "read   scoreboard that is taken until the operands have been read\n"
         "waits  scoreboards that it waits for");
    while (fgets(line, sizeof line, stdin) != NULL) {
        take_line(&state, line);
    }
    for (int i = 0; i < MAX_FILES; i++) {
        free(state.files[i].bytes);
    }
    free(state.ptx.bytes);
    return ferror(stdout) != 0;
}
