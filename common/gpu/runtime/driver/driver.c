/*
 * driver.c: libcuda.so.1, the driver API, which is not simulated: every entry answers CUDA_ERROR_NOT_SUPPORTED, and the
 * first one that is called says on standard error who needs it. Without it a library such as cuBLAS fails with a status that
 * many programs do not look at, and a program that is linked with it does not start.
 * build/gen/driver/stubs.c calls driver_refuse for every name but those defined here.
 */
#include "gpu/runtime/program.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define API __attribute__((visibility("default")))

/* CUresult's */
enum { SUCCESS = 0, INVALID_VALUE = 1, NOT_FOUND = 500, NOT_SUPPORTED = 801 };
/* Newer than any runtime, which then goes on to the first call that says why it fails. */
enum { DRIVER_VERSION = 13990 };

/* Who was refused first. */
static char needed_by[256];
static bool by_library;

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* Its results are missing, and it may not have looked: said again where the program's own last words are. */
static void remind(int status, void *context) {
    (void)context;
    if (status != 0)
        return;
    fflush(stdout);
    fprintf(stderr, "simulated GPU: %s %s (see above): what %s missing\n", needed_by,
            by_library ? "could not run" : "called the driver API, which failed",
            by_library ? "it was to compute is" : "those calls were to do is");
}

static void say(const char *function, const void *caller) {
    Dl_info object = {0};
    struct program_facts facts = {0};
    char program[256] = "";
    bool found = dladdr(caller, &object) != 0 && object.dli_fname != NULL;
    const char *name = found ? base_name(object.dli_fname) : "this program";
    bool library = found && strstr(name, ".so") != NULL;
    bool own_runtime = !library && program_examine_file("/proc/self/exe", &facts) && facts.own_runtime;
    snprintf(program, sizeof program, "%s", name);
    memcpy(needed_by, program, sizeof needed_by);
    by_library = library;
    fflush(stdout); /* what the program said before comes before */
    if (own_runtime)
        fprintf(
            stderr,
            "simulated GPU: %s brings its own copy of the CUDA runtime, which asks for a real driver: build it "
            "with nvcc -cudart shared (CMake: CMAKE_CUDA_RUNTIME_LIBRARY=Shared)\n",
            program);
    else if (library)
        fprintf(
            stderr,
            "simulated GPU: the driver API (%s), which %s needs, is not simulated: the library's calls fail\n",
            function, program);
    else
        fprintf(stderr,
                "simulated GPU: the driver API (%s), which %s calls, is not simulated: use the runtime API "
                "(cudaMalloc, cudaMemcpy, <<<>>>)\n",
                function, program);
    if (!own_runtime)
        on_exit(remind, NULL);
}

int driver_refuse(const char *function, const void *caller);

int driver_refuse(const char *function, const void *caller) {
    static int said;
    if (!__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
        say(function, caller);
    return NOT_SUPPORTED;
}

/* By which one tells this library from a driver. */
extern const char simulated_gpu_driver[];
API const char simulated_gpu_driver[] = "the driver API is not simulated";

API int cuDriverGetVersion(int *version);
API int cuGetErrorName(int error, const char **text);
API int cuGetErrorString(int error, const char **text);
API int cuGetProcAddress(const char *name, void **function, int version, uint64_t flags);
API int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *status);

API int cuDriverGetVersion(int *version) {
    if (version == NULL)
        return INVALID_VALUE;
    *version = DRIVER_VERSION;
    return SUCCESS;
}

static int error_text(int error, const char **text, const char *of_none, const char *of_refusal) {
    if (text == NULL)
        return INVALID_VALUE;
    *text = error == SUCCESS ? of_none : error == NOT_SUPPORTED ? of_refusal : NULL;
    return *text != NULL ? SUCCESS : INVALID_VALUE;
}

API int cuGetErrorName(int error, const char **text) {
    return error_text(error, text, "CUDA_SUCCESS", "CUDA_ERROR_NOT_SUPPORTED");
}

API int cuGetErrorString(int error, const char **text) {
    return error_text(error, text, "no error", "the driver API is not simulated");
}

/* Every entry there is, so that its caller is told by the first that it calls. */
API int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *status) {
    enum { FOUND = 0, NO_SYMBOL = 1 };
    Dl_info self;
    void *library = NULL;
    (void)version, (void)flags;
    if (name == NULL || function == NULL)
        return INVALID_VALUE;
    if (dladdr(needed_by, &self) != 0)
        library = dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    *function = library != NULL ? dlsym(library, name) : NULL;
    if (library != NULL)
        dlclose(library);
    if (status != NULL)
        *status = *function != NULL ? FOUND : NO_SYMBOL;
    return *function != NULL ? SUCCESS : NOT_FOUND;
}

API int cuGetProcAddress(const char *name, void **function, int version, uint64_t flags) {
    return cuGetProcAddress_v2(name, function, version, flags, NULL);
}
