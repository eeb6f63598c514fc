/* test_symbols.c: each library has its soname and exports every name of its release's list, under the
 * toolkit's version. */
#include "base/test.h"
#include "gpu/runtime/tests/support_programs.h"

/* dlopen would load three runtimes into one process; dlvsym says all we ask, and the loader checks the rest. */
#include <dlfcn.h>

/* The names of a list, behind the lines that say how it is made. */
static char *past_comments(char *list) {
    while (*list == '#')
        list = strchr(list, '\n') + 1;
    return list;
}

static void exports(int release, const char *soname) {
    char path[4400];
    size_t size, count = 0;
    snprintf(path, sizeof path, "%s/lib/cuda/%s", build_directory(), soname);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        fail_msg("%s: %s", soname, dlerror());
    snprintf(path, sizeof path, "../symbols/%d.txt", release);
    char *names = (char *)read_test_file(path, &size), *rest = past_comments(names), *name;
    while ((name = strsep(&rest, " \n")) != NULL && *name) {
        if (dlvsym(library, name, soname) == NULL)
            fail_msg("%s has no %s@%s", soname, name, soname);
        count++;
    }
    assert_true(count > 390);
    assert_null(dlsym(library, "client_connect")); /* what is ours stays inside */
    free(names);
    dlclose(library);
}

static void every_name(void **state) {
    exports(11, "libcudart.so.11.0");
    exports(12, "libcudart.so.12");
    exports(13, "libcudart.so.13");
}

/* The driver library has every name of its list, and each refuses; one line for all of them. */
static void driver(void **state) {
    enum { NOT_SUPPORTED = 801 };
    char path[4400];
    size_t size, count = 0;
    snprintf(path, sizeof path, "%s/lib/cuda/libcuda.so.1", build_directory());
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        fail_msg("%s", dlerror());
    char *names = (char *)read_test_file("../symbols/driver.txt", &size), *rest = past_comments(names), *name;
    while ((name = strsep(&rest, " \n")) != NULL && *name) {
        int (*function)(void *, void *, int, int);
        *(void **)&function = dlsym(library, name);
        if (function == NULL)
            fail_msg("libcuda.so.1 has no %s", name);
        bool answers = strstr(name, "ProcAddress") != NULL || strncmp(name, "cuGetError", 10) == 0 ||
                       strcmp(name, "cuDriverGetVersion") == 0;
        if (!answers && function != NULL)
            assert_int_equal(function(NULL, NULL, 0, 0), NOT_SUPPORTED);
        count++;
    }
    assert_true(count > 600);
    assert_non_null(dlsym(library, "simulated_gpu_driver")); /* lab/device.c asks for it */
    assert_null(dlsym(library, "driver_refuse"));
    assert_null(dlsym(library, "program_examine"));
    free(names);
    dlclose(library);
}

/* What is not implemented answers cudaErrorNotSupported, says its name once, and reaches the error state. */
static void not_supported(void **state) {
    enum { NOT_SUPPORTED = 801 };
    char path[4400];
    snprintf(path, sizeof path, "%s/lib/cuda/libcudart.so.13", build_directory());
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    static const char *const names[] = {"cudaGraphConditionalHandleCreate", "cudaGraphAddNode",
                                        "cudaMallocArray", "cudaGraphInstantiateWithParams_ptsz"};
    int (*last_error)(void);
    *(void **)&last_error = dlsym(library, "cudaGetLastError");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int (*function)(void);
        *(void **)&function = dlsym(library, names[i]);
        assert_non_null(function);
        assert_int_equal(function(), NOT_SUPPORTED);
        assert_int_equal(last_error(), NOT_SUPPORTED);
        assert_int_equal(last_error(), 0);
    }
    dlclose(library);
}

TESTS(UNIT(every_name), UNIT(driver), UNIT(not_supported))
