/* ptxas.c: running ptxas on a text. */
#include "gpu/runtime/binding/ptxas.h"

#include "base/child.h"

#include <errno.h>
#include <poll.h>
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    SECONDS = 60,
    QUIET_SECONDS = 5,
    SAID_BYTES = 1024,
    OPTION_BYTES = 32,
    ARGUMENTS = 12,
    KEY_BYTES = SHA256_DIGEST_STRING_LENGTH
};

/* What it reads and writes: memory of ours, which it finds as files behind its standard descriptors. */
#define INPUT_PATH "/proc/self/fd/3"
#define OUTPUT_PATH "/proc/self/fd/4"

void ptxas_init(struct ptxas *ptxas, const char *program) {
    static const uint64_t mib = UINT64_C(1) << 20;
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    *ptxas = (struct ptxas){.program = program,
                            .seconds = SECONDS,
                            .quiet_seconds = QUIET_SECONDS,
                            .memory_bytes = 4096 * mib,
                            .output_bytes = 256 * mib,
                            .cache_bytes = 256 * mib};
    /* A relative one is none, by the XDG specification. */
    if (cache != NULL && cache[0] == '/')
        path_print(ptxas->cache, "%s/gpu-performance-labs/ptxas", cache);
    else if (home != NULL && home[0] == '/')
        path_print(ptxas->cache, "%s/.cache/gpu-performance-labs/ptxas", home);
}

/* ---- options */

/* The value of an option, one or two dashes before its name, in its own word or the next one; NULL: it is another. */
static const char *value_of(const char *word, const char *next, const char *name) {
    size_t length = strlen(name);
    word += word[0] == '-';
    word += word[0] == '-';
    if (strncmp(word, name, length) != 0)
        return NULL;
    return word[length] == '=' ? word + length + 1 : word[length] == '\0' ? next : NULL;
}

static void read_option(const char *word, const char *next, struct ptxas_options *options) {
    const char *registers = value_of(word, next, "maxrregcount"), *fused = value_of(word, next, "fmad");
    if (registers != NULL) {
        unsigned long most = strtoul(registers, NULL, 10);
        options->registers = most <= 255 ? (uint32_t)most : 0;
    }
    if (fused != NULL)
        options->apart = strcmp(fused, "false") == 0;
    if (word[0] == '-' && word[1] == 'O' && word[2] >= '0' && word[2] <= '3' && word[3] == '\0')
        options->level = word[2];
    options->debug = options->debug || strcmp(word, "-g") == 0;
}

void ptxas_read_options(const char *text, size_t length, struct ptxas_options *options) {
    char words[2][OPTION_BYTES] = {"", ""}; /* one, and the one behind it */
    *options = (struct ptxas_options){0};
    for (size_t i = 0, used = 0; i <= length; i++) {
        bool end = i == length || text[i] == ' ' || text[i] == '\0';
        if (!end && used < OPTION_BYTES - 1)
            words[1][used++] = text[i];
        if (!end || used == 0)
            continue;
        words[1][used] = '\0';
        read_option(words[0], words[1], options);
        memcpy(words[0], words[1], sizeof words[0]);
        used = 0;
    }
    read_option(words[0], "", options);
}

/* Its command line; NULL at the end. */
struct command {
    const char *arguments[ARGUMENTS];
    char chip[OPTION_BYTES], registers[OPTION_BYTES], level[OPTION_BYTES];
};

static void describe(struct command *command, const struct ptxas *ptxas, uint32_t architecture,
                     const struct ptxas_options *options) {
    unsigned count = 0;
    snprintf(command->chip, sizeof command->chip, "-arch=sm_%u%s", architecture,
             options->specific ? "a" : "");
    snprintf(command->registers, sizeof command->registers, "-maxrregcount=%u", options->registers);
    snprintf(command->level, sizeof command->level, "-O%c", options->level);
    command->arguments[count++] = ptxas->program;
    command->arguments[count++] = command->chip;
    command->arguments[count++] = "-lineinfo";
    if (options->debug) {
        command->arguments[count++] = "-g";
        command->arguments[count++] = "--dont-merge-basicblocks";
        command->arguments[count++] = "--return-at-end";
    } else if (options->level != 0) {
        command->arguments[count++] = command->level;
    }
    command->arguments[count++] = options->apart ? "-fmad=false" : "-fmad=true";
    if (options->registers > 0)
        command->arguments[count++] = command->registers;
    command->arguments[count++] = "-o";
    command->arguments[count++] = OUTPUT_PATH;
    command->arguments[count++] = INPUT_PATH;
    command->arguments[count] = NULL;
}

/* ---- running it */

/* A file in memory with these bytes; -1: there can be none. */
static int memory_file(const char *bytes, size_t size) {
    int file = memfd_create("ptxas", MFD_CLOEXEC);
    for (size_t done = 0; file >= 0 && done < size;) {
        ssize_t n = write(file, bytes + done, size - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            close(file);
            return -1;
        }
        done += (size_t)n;
    }
    return file;
}

/* The whole of such a file, a NUL behind it; NULL: out of memory. */
static char *read_memory(int file, size_t *size) {
    struct stat status;
    if (fstat(file, &status) != 0)
        return NULL;
    char *bytes = malloc((size_t)status.st_size + 1);
    *size = 0;
    for (ssize_t n = 1; bytes != NULL && n > 0 && *size<(size_t)status.st_size; *size += n> 0 ? (size_t)n : 0)
        n = pread(file, bytes + *size, (size_t)status.st_size - *size, (off_t)*size);
    if (bytes != NULL)
        bytes[*size] = '\0';
    return bytes;
}

/* Its exit status, as child_wait has it. */
static int run(const struct ptxas *ptxas, const char *const *arguments, int input, int output, int said) {
    static const char *const nothing[] = {NULL};
    const int descriptors[] = {input, output};
    struct child child = {.arguments = arguments,
                          .environment = nothing,
                          .input = CHILD_NOTHING,
                          .output = said,
                          .errors = said,
                          .descriptors = descriptors,
                          .descriptor_count = input >= 0 ? 2 : 0,
                          .memory_bytes = ptxas->memory_bytes,
                          .file_bytes = ptxas->output_bytes};
    pid_t process = child_start(&child);
    struct pollfd end = {.fd = process > 0 ? child_end(process) : -1, .events = POLLIN};
    if (end.fd >= 0 && poll(&end, 1, (int)(1000 * ptxas->quiet_seconds)) == 0)
        fprintf(stderr,
                "simulated GPU: waiting for ptxas, which makes machine code of this program's PTX, once\n");
    if (end.fd >= 0)
        close(end.fd);
    return child_wait_fair(process, ptxas->seconds);
}

/* Of what it says the line with the error, without its name and the file's, which is none. Only characters that a
 * terminal may be given. */
static void first_error(int file, char said[SAID_BYTES]) {
    static const char *const leads[] = {"ptxas ", INPUT_PATH, ", "};
    size_t size;
    char *text = read_memory(file, &size);
    const char *line = text != NULL ? text : "", *error = strstr(line, "fatal");
    const char *other = strstr(line, "error");
    error = error == NULL || (other != NULL && other < error) ? other : error;
    while (error != NULL && error > line && error[-1] != '\n')
        error--;
    line = error != NULL ? error : line;
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++)
        if (strncmp(line, leads[i], strlen(leads[i])) == 0)
            line += strlen(leads[i]);
    snprintf(said, SAID_BYTES, "%.*s", (int)strcspn(line, "\n"), line);
    for (char *at = said; *at != '\0'; at++)
        if (*at < ' ' || *at > '~')
            *at = '?';
    free(text);
}

/* One line on how it ended other than well. */
static void explain(const struct ptxas *ptxas, int status, int said, char *error, size_t error_size) {
    char text[SAID_BYTES];
    first_error(said, text);
    if (status == CHILD_TIMEOUT)
        snprintf(error, error_size, "ptxas was not done after %g s", ptxas->seconds);
    else if (status >= CHILD_SIGNAL)
        snprintf(error, error_size, "ptxas was ended by signal %d", status - CHILD_SIGNAL);
    else if (text[0] != '\0')
        snprintf(error, error_size, "ptxas: %s", text);
    else
        snprintf(error, error_size, "ptxas ended with status %d", status);
}

/* What it says of its version, to be freed; NULL and a line when it is not there or does not run. */
static char *version_of(const struct ptxas *ptxas, char *error, size_t error_size) {
    const char *const arguments[] = {ptxas->program, "--version", NULL};
    size_t size;
    int said = memory_file(NULL, 0);
    int status = said >= 0 ? run(ptxas, arguments, -1, -1, said) : CHILD_NOT_STARTED;
    char *version = said >= 0 && status == 0 ? read_memory(said, &size) : NULL;
    if (version == NULL && (said < 0 || status == 0))
        snprintf(error, error_size, "no memory is left for ptxas");
    else if (version == NULL && status == CHILD_NOT_STARTED)
        snprintf(error, error_size, "no ptxas was found");
    else if (version == NULL)
        explain(ptxas, status, said, error, error_size);
    if (said >= 0)
        close(said);
    return version;
}

static void *run_on(const struct ptxas *ptxas, const struct command *command, const char *text, size_t length,
                    size_t *size, char *error, size_t error_size) {
    int input = memory_file(text, length), output = memory_file(NULL, 0), said = memory_file(NULL, 0);
    char *cubin = NULL;
    bool memory = input >= 0 && output >= 0 && said >= 0;
    int status = memory ? run(ptxas, command->arguments, input, output, said) : 0;
    if (memory && status == 0)
        cubin = read_memory(output, size);
    if (memory && status != 0)
        explain(ptxas, status, said, error, error_size);
    else if (cubin == NULL)
        snprintf(error, error_size, "no memory is left for ptxas");
    if (input >= 0)
        close(input);
    if (output >= 0)
        close(output);
    if (said >= 0)
        close(said);
    return cubin;
}

/* All that the machine code depends on. */
static void key_of(const char *version, const struct command *command, const char *text, size_t length,
                   char key[KEY_BYTES]) {
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, (const uint8_t *)version, strlen(version) + 1);
    for (unsigned i = 1; command->arguments[i] != NULL; i++)
        SHA256Update(&context, (const uint8_t *)command->arguments[i], strlen(command->arguments[i]) + 1);
    SHA256Update(&context, (const uint8_t *)text, length);
    SHA256End(&context, key);
}

void *ptxas_make(const struct ptxas *ptxas, const char *text, size_t length, uint32_t architecture,
                 const struct ptxas_options *options, size_t *size, char *error, size_t error_size) {
    struct command command;
    char key[KEY_BYTES], *version = version_of(ptxas, error, error_size);
    if (version == NULL)
        return NULL;
    length = strnlen(text, length); /* in a fat binary NULs follow, at which ptxas would stop */
    describe(&command, ptxas, architecture, options);
    key_of(version, &command, text, length, key);
    free(version);
    void *cubin = ptxas_cache_find(ptxas->cache, key, ptxas->output_bytes, size);
    if (cubin != NULL)
        return cubin;
    cubin = run_on(ptxas, &command, text, length, size, error, error_size);
    if (cubin != NULL)
        ptxas_cache_keep(ptxas->cache, key, cubin, *size, ptxas->cache_bytes);
    return cubin;
}
