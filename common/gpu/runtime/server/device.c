/* device.c: opens and closes the simulated device and the tables of its modules. */
#include "gpu/runtime/server/server.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Defaults of the driver. */
enum { DEFAULT_STACK = 1024, DEFAULT_HEAP = 8 << 20, DEFAULT_PRINT = 1 << 20 };

/* Memory that host and device share has addresses above the device's own. */
#define SHARED_ADDRESS_BASE ((uint64_t)4 << 44)

bool server_device_open(struct server *server) {
    struct timeline_stream *per_thread = calloc(1, sizeof *per_thread);
    server->config.check_races = server->races;
    server->config.check = server->check;
    server->config.results_alone = server->results_alone;
    server->device = simt_device_create(&server->config);
    /* The first stream, number 1, is the per-thread default stream. */
    if (server->device == NULL || per_thread == NULL || handle_new(&server->streams, per_thread) != 1) {
        free(per_thread);
        return false;
    }
    memset(server->granted, 0, sizeof server->granted);
    timeline_start(&server->timeline, server->options.model);
    server->next_shared_address = SHARED_ADDRESS_BASE;
    server->stack = DEFAULT_STACK;
    server->heap = DEFAULT_HEAP;
    server->print = DEFAULT_PRINT;
    simt_device_set_limits(server->device, server->stack, server->heap, server->print);
    simt_device_set_managed_placer(server->device, server_place_managed, server);
    return true;
}

static void free_all(struct handles *handles) {
    for (uint32_t i = 0; i < handles->count; i++)
        free(handle_at(handles, i));
    handles_free(handles);
}

void server_device_close(struct server *server) {
    for (uint32_t i = 0; i < server->modules.count; i++) {
        struct server_module *module = handle_at(&server->modules, i);
        if (module == NULL)
            continue;
        if (module->simt != NULL)
            simt_module_unload(server->device, module->simt);
        ptx_module_free(module->program);
        binding_free(&module->binding);
    }
    free_all(&server->modules);
    free_all(&server->streams);
    for (uint32_t i = 0; i < server->events.count; i++) {
        struct server_event *event = handle_at(&server->events, i);
        if (event != NULL)
            free(event->order);
    }
    free_all(&server->events);
    free(server->kernels);
    server->kernels = NULL;
    server->kernel_count = server->kernel_capacity = 0;
    if (server->device != NULL)
        simt_device_destroy(server->device);
    server->device = NULL;
    while (server->regions != NULL) {
        struct server_region *region = server->regions;
        server->regions = region->next;
        server->options.hooks->unmap(region);
        munmap(region->host, region->mapped);
        if (region->descriptor >= 0)
            close(region->descriptor);
        free(region);
    }
}
