/* test_run_check.c: what is said of a program before it is started, and what its file says of itself. */
#include "base/file.h"
#include "base/test.h"
#include "gpu/runtime/program.h"
#include "gpu/runtime/tests/support_programs.h"

#include <elf.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char message[1024];

static void runs(const char *command) {
    if (!run_check(command, message, sizeof message))
        fail_msg("%s: %s", command, message);
}

static void refused(const char *command, const char *says) {
    if (run_check(command, message, sizeof message))
        fail_msg("%s should be refused", command);
    if (strstr(message, says) == NULL)
        fail_msg("\"%s\" says nothing of \"%s\"", message, says);
}

/* A file with these bytes. */
static void write_file(const char *path, const void *bytes, size_t size, int mode) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
    assert_int_equal(chmod(path, (mode_t)mode), 0);
}

static void programs_that_are_none(void **state) {
    char path[64], command[128];
    temporary_file(path);
    write_file(path, "int main() {}\n", 14, 0700);
    refused(path, "no program");
    write_file(path, "#!/bin/sh\nexit 0\n", 17, 0700);
    runs(path);
    snprintf(command, sizeof command, "A=1 B='' C= %s argument", path);
    write_file(path, "", 0, 0700);
    refused(path, "no program");
    refused(strchr(command, 'C'), "no program");
    runs(command); /* a quote: the shell's */
    Elf64_Ehdr header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB},
                         .e_machine = EM_SPARC};
    write_file(path, &header, sizeof header, 0700);
    refused(path, "another kind of machine");
    header.e_ident[EI_CLASS] = ELFCLASS32;
    write_file(path, &header, sizeof header, 0700);
    refused(path, "64-bit");
    unlink(path);
    refused(path, "is not there");
    refused("/tmp", "a folder");
}

static void what_only_the_shell_knows(void **state) {
    static const char *const commands[] = {"",
                                           "  ",
                                           "A=1",
                                           "cd /tmp && ./a.out",
                                           "$HOME/a.out",
                                           "'./a b'",
                                           "(./a.out)",
                                           "no-such-program-at-all",
                                           "ls -l",
                                           "~/a.out"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        runs(commands[i]);
}

static void ways_of_linking(void **state) {
    static const struct {
        const char *name;
        bool kernels, shared;
    } programs[] = {{"tiny", true, true}, {"tiny-static", true, false}, {"tiny-separate", true, true}};
    char path[4400];
    struct program_facts facts;
    assert_true(program_examine_file("/proc/self/exe", &facts));
    assert_true(facts.elf && facts.dynamic && !facts.kernels && !facts.own_runtime);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        if (!have_program(programs[i].name))
            continue;
        snprintf(path, sizeof path, "%s/tests/runtime/programs/%s", build_directory(), programs[i].name);
        assert_true(program_examine_file(path, &facts));
        assert_true(facts.elf && facts.dynamic);
        assert_int_equal(facts.kernels, programs[i].kernels);
        assert_int_equal(facts.shared_runtime, programs[i].shared);
        if (programs[i].shared)
            runs(path);
        else
            refused(path, "nvcc -cudart shared");
        /* A program of the driver API alone has a fat binary, and no runtime of any kind. */
        size_t size;
        char *bytes = file_read(path, 16 << 20, &size, message, sizeof message);
        assert_non_null(bytes);
        for (char *at; (at = memmem(bytes, size, "__cudaRegisterFat", 17)) != NULL;)
            *at = 'x';
        program_examine(bytes, size, &facts);
        assert_true(facts.kernels && facts.own_runtime == !programs[i].shared);
        free(bytes);
    }
}

/* Runs common/tools/build-program; its exit status and all that it prints. */
static int build_program(const char *arguments, char *text, size_t size) {
    char line[512];
    snprintf(line, sizeof line, "common/tools/build-program %s 2>&1", arguments);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    text[fread(text, 1, size - 1, pipe)] = '\0';
    return WEXITSTATUS(pclose(pipe));
}

/* make run PROG=file.cu: a source is compiled first, an older one with COMPAT=12. */
static void sources_are_compiled(void **state) {
    static const char source[] =
        "#include <cstdio>\n"
        "int main() { cudaDeviceProp p; return cudaGetDeviceProperties(&p, 0) || !p.clockRate; }\n";
    char path[64], file[80], arguments[256], text[8192], expected[256];
    if (!have_program("tiny"))
        skip();
    assert_int_equal(build_program("'./a.out 5 x.cu' . h200 none", text, sizeof text), 0);
    assert_string_equal(text, "./a.out 5 x.cu\n");
    temporary_file(path);
    snprintf(file, sizeof file, "%s.cu", path);
    write_file(file, source, sizeof source - 1, 0600);
    snprintf(arguments, sizeof arguments, "'%s 5 6' . h200 %s/run-check 12", file, build_directory());
    assert_int_equal(build_program(arguments, text, sizeof text), 0);
    snprintf(expected, sizeof expected, "/run-check%s 5 6\n", strrchr(path, '/'));
    assert_non_null(strstr(text, expected));
    snprintf(arguments, sizeof arguments, "%s . h200 %s/run-check 11", file, build_directory());
    assert_int_equal(build_program(arguments, text, sizeof text), 2);
    assert_non_null(strstr(text, "COMPAT=11 is not known"));
    snprintf(arguments, sizeof arguments, "%s . h200 %s/run-check", file, build_directory());
    if (build_program(arguments, text, sizeof text) == 2) { /* a toolkit from 13 on */
        snprintf(expected, sizeof expected, "With COMPAT=12 it builds:\n    make run PROG='%s' COMPAT=12\n",
                 file);
        assert_non_null(strstr(text, "clockRate"));
        assert_non_null(strstr(text, expected));
    }
    unlink(file);
    unlink(path);
}

/* Beginnings and damaged copies of a real file. */
static void any_bytes(void **state) {
    enum { SIZE = 6000, TRIES = 3000 };
    struct program_facts facts;
    FILE *file = fopen("/proc/self/exe", "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    rewind(file);
    assert_int_equal(fread(bytes, 1, size, file), size);
    fclose(file);
    for (size_t length = 0; length < SIZE && length < size; length += 7) {
        uint8_t *part = malloc(length + 1); /* no byte more: reading past it is seen */
        assert_non_null(part);
        memcpy(part, bytes, length);
        program_examine(part, length, &facts);
        free(part);
    }
    srand(1);
    for (int i = 0; i < TRIES; i++) {
        /* the header, or the section headers at the end */
        size_t from = rand() % 2 ? 0 : size - SIZE,
               at = from + (size_t)rand() % (from ? SIZE : sizeof(Elf64_Ehdr));
        uint8_t before = bytes[at];
        bytes[at] = (uint8_t)rand();
        program_examine(bytes, size, &facts);
        bytes[at] = before;
    }
    free(bytes);
}

TESTS(UNIT(programs_that_are_none), UNIT(what_only_the_shell_knows), UNIT(ways_of_linking), UNIT(any_bytes),
      UNIT(sources_are_compiled))
