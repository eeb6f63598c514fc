/* run_check.c: the first word of a command line that is no assignment, as a file. */

#include "base/path.h"
#include "gpu/runtime/program.h"

#include <ctype.h>
#include <elf.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { THIS_MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { THIS_MACHINE = EM_AARCH64 };
#else
enum { THIS_MACHINE = EM_NONE };
#endif

static bool say(char *message, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, size, format, arguments);
    va_end(arguments);
    return false;
}

/* NAME=VALUE before a command. */
static bool is_assignment(const char *word, size_t length) {
    size_t name = 0;
    while (name < length && (isalnum((unsigned char)word[name]) || word[name] == '_'))
        name++;
    return name > 0 && name < length && word[name] == '=';
}

/* The word that names the program. False: there is none, or the shell makes something else of it. */
static bool find_word(const char *command, char word[PATH_SIZE]) {
    for (;;) {
        command += strspn(command, " \t\n");
        size_t length = strcspn(command, " \t\n");
        bool plain = strcspn(command, "\"'\\$`;|&<>()*?[]{}~#!") >= length;
        if (length == 0 || length >= PATH_SIZE || !plain)
            return false;
        if (!is_assignment(command, length)) {
            memcpy(word, command, length);
            word[length] = '\0';
            return true;
        }
        command += length;
    }
}

/* Where PATH finds a word without a slash. */
static bool find_on_path(const char *word) {
    const char *folders = getenv("PATH");
    char path[PATH_SIZE];
    while (folders != NULL && *folders) {
        size_t length = strcspn(folders, ":");
        if (length > 0 && path_print(path, "%.*s/%s", (int)length, folders, word) && access(path, X_OK) == 0)
            return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}

/* Two first bytes that the system starts an interpreter for. */
static bool is_script(const char *path) {
    char start[2] = "";
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool script = file >= 0 && read(file, start, 2) == 2 && start[0] == '#' && start[1] == '!';
    if (file >= 0)
        close(file);
    return script;
}

static bool check_file(const char *path, char *message, size_t size) {
    struct program_facts facts;
    struct stat status;
    if (stat(path, &status) != 0)
        return say(
            message, size,
            "%.200s is not there: build it first, e.g. nvcc -cudart shared -arch=sm_90 -lineinfo -o a.out file.cu",
            path);
    if (S_ISDIR(status.st_mode))
        return say(message, size, "%.200s is a folder", path);
    bool readable = program_examine_file(path, &facts);
    if (!facts.elf && readable && !is_script(path))
        return say(message, size,
                   "%.200s is no program (no 64-bit ELF file): compile it with nvcc -cudart shared", path);
    if (access(path, X_OK) != 0)
        return say(message, size, "%.200s may not be executed (chmod +x)", path);
    if (facts.elf && THIS_MACHINE != EM_NONE && facts.machine != THIS_MACHINE)
        return say(message, size,
                   "%.200s is for another kind of machine (ELF machine %u, this one is %u): compile it here",
                   path, facts.machine, (unsigned)THIS_MACHINE);
    if (facts.own_runtime)
        return say(
            message, size,
            "%.200s brings its own copy of the CUDA runtime (nvcc's default), which asks for a real GPU: build it "
            "again with nvcc -cudart shared (CMake: CMAKE_CUDA_RUNTIME_LIBRARY=Shared)",
            path);
    return true;
}

bool run_check(const char *command, char *message, size_t size) {
    char word[PATH_SIZE];
    if (!find_word(command, word))
        return true;
    if (strchr(word, '/') != NULL)
        return check_file(word, message, size);
    if (!find_on_path(word) && access(word, F_OK) == 0)
        return say(message, size, "%.200s is in this folder, which the shell does not search: say ./%.200s",
                   word, word);
    return true;
}
