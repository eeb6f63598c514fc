/* driver.cu MODE: a program that asks for the driver API, as libraries do: by the loader. */
#include "check.h"

#include <dlfcn.h>

int main(int count, char **values) {
    const char *mode = count > 1 ? values[1] : "init";
    void *library = dlopen("libcuda.so.1", RTLD_NOW), *entry = NULL;
    CHECK(library != NULL);
    int (*initialise)(unsigned), (*version)(int *), (*name)(int, const char **);
    int (*address)(const char *, void **, int, unsigned long long, int *);
    *(void **)&initialise = dlsym(library, "cuInit");
    *(void **)&version = dlsym(library, "cuDriverGetVersion");
    *(void **)&address = dlsym(library, "cuGetProcAddress_v2");
    *(void **)&name = dlsym(library, "cuGetErrorName");
    CHECK(initialise != NULL && version != NULL && address != NULL && name != NULL);
    int number = 0, found = -1;
    const char *text = NULL;
    CHECK(version(&number) == 0 && number >= 13000);
    CHECK(address("cuNoSuchThing", &entry, 13000, 0, &found) == 500 && entry == NULL && found == 1);
    CHECK(address("cuInit", &entry, 13000, 0, &found) == 0 && entry != NULL && found == 0);
    if (strcmp(mode, "unused") == 0)
        return 0;
    if (strcmp(mode, "entry") == 0)
        *(void **)&initialise = entry;
    CHECK(initialise(0) == 801 && initialise(0) == 801);
    CHECK(name(801, &text) == 0 && strcmp(text, "CUDA_ERROR_NOT_SUPPORTED") == 0);
    if (strcmp(mode, "fail") == 0)
        return 3;
    CHECK(dlclose(library) == 0); /* as libraries do when it cannot be used */
    puts("ok");
    return 0;
}
