/* copy.c: the families of cudaMemcpy and cudaMemset. */
#include "gpu/runtime/client/client.h"

#include <string.h>

enum { SMALL_COPY = 4096 };

/* Kinds of memory that copies distinguish. */
enum place { PAGEABLE, PINNED, ON_DEVICE };

/* A range that only begins in shared memory counts as the program's: the host can read it all. */
static enum place place_of(struct client *client, uint64_t address, uint64_t bytes) {
    if (client_is_device_address(address))
        return ON_DEVICE;
    const struct client_region *region = client_region_at(client, address);
    if (region == NULL || bytes > region->bytes - (address - region->address))
        return PAGEABLE;
    return region->memory == PROTOCOL_MANAGED ? ON_DEVICE : PINNED;
}

/* The side that the program calls the device's must be reachable for the device. The other side is
 * judged by its address (measured on an H200 with CUDA 13 for all pairs of pageable, pinned and
 * device memory). */
static cudaError_t check_kind(int kind, enum place to_place, enum place from_place) {
    if (kind < COPY_HOST_TO_HOST || kind > COPY_DEFAULT)
        return cudaErrorInvalidMemcpyDirection;
    bool to_device = kind == COPY_HOST_TO_DEVICE || kind == COPY_DEVICE_TO_DEVICE;
    bool from_device = kind == COPY_DEVICE_TO_HOST || kind == COPY_DEVICE_TO_DEVICE;
    if ((to_device && to_place == PAGEABLE) || (from_device && from_place == PAGEABLE))
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

/* Copies rows between the program's memory and the transfer buffer. */
static void move_rows(uint8_t *to, uint64_t to_pitch, const uint8_t *from, uint64_t from_pitch,
                      uint64_t width, uint64_t height) {
    if (to_pitch == width && from_pitch == width) {
        memcpy(to, from, width * height);
        return;
    }
    for (uint64_t row = 0; row < height; row++)
        memcpy(to + row * to_pitch, from + row * from_pitch, width);
}

/* Copies through the transfer buffer, as many rows at a time as fit. */
static cudaError_t transfer(struct client *client, struct client_copy copy, uint32_t direction) {
    bool to_device = direction == PROTOCOL_TO_DEVICE;
    uint64_t piece = copy.width, rows = PROTOCOL_TRANSFER_BYTES;
    if (copy.to_pitch == copy.width && copy.from_pitch == copy.width) {
        piece = copy.width *= copy.height;
        copy.to_pitch = copy.from_pitch = copy.width;
        copy.height = 1;
    }
    if (piece > PROTOCOL_TRANSFER_BYTES)
        piece = PROTOCOL_TRANSFER_BYTES;
    rows = PROTOCOL_TRANSFER_BYTES / piece;
    for (uint64_t y = 0; y < copy.height; y += rows) {
        uint64_t height = copy.height - y < rows ? copy.height - y : rows;
        for (uint64_t x = 0; x < copy.width; x += piece) {
            uint64_t width = copy.width - x < piece ? copy.width - x : piece;
            uint64_t to = copy.to + y * copy.to_pitch + x, from = copy.from + y * copy.from_pitch + x;
            struct request_transfer request = {.width = width, .height = height, .direction = direction};
            request.address = to_device ? to : from;
            request.pitch = to_device ? copy.to_pitch : copy.from_pitch;
            if (to_device)
                move_rows(client->transfer, width, (const uint8_t *)(uintptr_t)from, copy.from_pitch, width,
                          height);
            cudaError_t error = CLIENT_CALL(client, PROTOCOL_TRANSFER, request, NULL, 0);
            if (error != cudaSuccess)
                return error;
            if (!to_device)
                move_rows((uint8_t *)(uintptr_t)to, copy.to_pitch, client->transfer, width, width, height);
        }
    }
    return cudaSuccess;
}

/* Bytes from the first to the last byte of the rows; on overflow, more than any memory has. */
static uint64_t extent(uint64_t pitch, uint64_t width, uint64_t height) {
    uint64_t bytes = width;
    if (height > 1 &&
        (__builtin_mul_overflow(pitch, height - 1, &bytes) || __builtin_add_overflow(bytes, width, &bytes)))
        return UINT64_MAX;
    return bytes;
}

/* A copy as the program asks for it: its two sides, and the request to simgpu. */
struct asked_copy {
    const struct client_copy *copy;
    enum place to, from;
    struct request_copy request;
};

static cudaError_t ask_for(struct client *client, const struct client_copy *copy, struct asked_copy *asked) {
    *asked = (struct asked_copy){.copy = copy};
    if (copy->height > 1 && (copy->width > copy->to_pitch || copy->width > copy->from_pitch))
        return cudaErrorInvalidPitchValue;
    asked->to = place_of(client, copy->to, extent(copy->to_pitch, copy->width, copy->height));
    asked->from = place_of(client, copy->from, extent(copy->from_pitch, copy->width, copy->height));
    enum place to = asked->to, from = asked->from;
    cudaError_t error = check_kind(copy->kind, to, from);
    if (error != cudaSuccess || copy->width == 0 || copy->height == 0)
        return error;
    if (copy->to == 0 || copy->from == 0)
        return cudaErrorInvalidValue;
    struct request_copy *request = &asked->request;
    *request = (struct request_copy){
        .to = to == PAGEABLE ? 0 : copy->to,
        .to_pitch = copy->to_pitch,
        .from = from == PAGEABLE ? 0 : copy->from,
        .from_pitch = copy->from_pitch,
        .width = copy->width,
        .height = copy->height,
        .host = to == PAGEABLE     ? copy->to
                : from == PAGEABLE ? copy->from
                                   : 0,
        .site = copy->site,
        .stream = copy->stream,
        .blocking = copy->blocking,
        .pinned = to == PINNED || from == PINNED,
    };
    if (to == ON_DEVICE)
        request->direction = from == ON_DEVICE ? PROTOCOL_IN_DEVICE : PROTOCOL_TO_DEVICE;
    else
        request->direction = from == ON_DEVICE ? PROTOCOL_FROM_DEVICE : PROTOCOL_IN_HOST;
    if (request->direction == PROTOCOL_IN_DEVICE)
        request->blocking = 0; /* the host does not wait for copies within the device */
    uint64_t bytes;
    bool one_side = !request->to != !request->from;
    /* simgpu checks the device's range before more than a little is read: a program that copies too
     * many bytes gets an error instead of running off its own memory. */
    uint64_t most = request->to ? SMALL_COPY : PROTOCOL_TRANSFER_BYTES;
    request->buffered =
        one_side && !__builtin_mul_overflow(copy->width, copy->height, &bytes) && bytes <= most;
    return cudaSuccess;
}

static cudaError_t move(struct client *client, const struct asked_copy *asked) {
    const struct client_copy *copy = asked->copy;
    const struct request_copy *request = &asked->request;
    const uint8_t *from_host = (const uint8_t *)(uintptr_t)copy->from;
    uint8_t *to_host = (uint8_t *)(uintptr_t)copy->to;
    struct reply_value done;
    /* One side is the program's own memory, and small: its bytes are part of the request. */
    if (request->buffered && request->to)
        move_rows(client->transfer, copy->width, from_host, copy->from_pitch, copy->width, copy->height);
    cudaError_t error = CLIENT_CALL(client, PROTOCOL_COPY, *request, &done, sizeof done);
    if (error != cudaSuccess)
        return error;
    if (request->buffered && request->from)
        move_rows(to_host, copy->to_pitch, client->transfer, copy->width, copy->width, copy->height);
    else if (!request->to && !request->from)
        move_rows(to_host, copy->to_pitch, from_host, copy->from_pitch, copy->width, copy->height);
    else if (!done.value)
        return transfer(client, *copy, request->to ? PROTOCOL_TO_DEVICE : PROTOCOL_FROM_DEVICE);
    return cudaSuccess;
}

cudaError_t client_copy(struct client *client, const struct client_copy *copy) {
    struct asked_copy asked;
    cudaError_t error = ask_for(client, copy, &asked);
    if (error != cudaSuccess || copy->width == 0 || copy->height == 0)
        return error;
    if (client_graph_captures(client, copy->stream))
        return client_graph_takes_copy(client, copy);
    error = move(client, &asked);
    if (copy->blocking)
        client_flush_output(client);
    return error;
}

static cudaError_t copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                           size_t height, int kind, cudaStream_t stream, bool blocking, uint64_t site) {
    struct client_copy copy = {.to = (uintptr_t)to,
                               .to_pitch = to_pitch,
                               .from = (uintptr_t)from,
                               .from_pitch = from_pitch,
                               .width = width,
                               .height = height,
                               .kind = kind,
                               .site = site,
                               .blocking = blocking};
    if (!client_stream_id(stream, &copy.stream))
        return client_finish(cudaErrorInvalidResourceHandle);
    if (width && height && (to == NULL || from == NULL))
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE(error = client_copy(client, &copy));
}

API cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
    return copy_2d(to, bytes, from, bytes, bytes, 1, kind, NULL, true, CALL_SITE);
}

API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, cudaStream_t stream) {
    return copy_2d(to, bytes, from, bytes, bytes, 1, kind, stream, false, CALL_SITE);
}

API cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                             size_t height, int kind) {
    return copy_2d(to, to_pitch, from, from_pitch, width, height, kind, NULL, true, CALL_SITE);
}

API cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                  size_t width, size_t height, int kind, cudaStream_t stream) {
    return copy_2d(to, to_pitch, from, from_pitch, width, height, kind, stream, false, CALL_SITE);
}

static cudaError_t copy_peer(void *to, int to_device, const void *from, int from_device, size_t bytes,
                             cudaStream_t stream, bool blocking) {
    if (to_device != 0 || from_device != 0)
        return client_finish(cudaErrorInvalidDevice);
    return copy_2d(to, bytes, from, bytes, bytes, 1, COPY_DEVICE_TO_DEVICE, stream, blocking, 0);
}

API cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes) {
    return copy_peer(to, to_device, from, from_device, bytes, NULL, true);
}

API cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
                                    cudaStream_t stream) {
    return copy_peer(to, to_device, from, from_device, bytes, stream, false);
}

cudaError_t client_box_arrays(const struct cuda_copy_3d *box) {
    if (box->from_array == NULL && box->to_array == NULL)
        return cudaSuccess;
    client_say("a copy from or to a CUDA array: arrays and textures are not simulated");
    return cudaErrorNotSupported;
}

cudaError_t client_copy_box(struct client *client, const struct cuda_copy_3d *box, uint32_t stream,
                            bool blocking, uint64_t site) {
    const struct cuda_pitched *to = &box->to, *from = &box->from;
    const struct cuda_position *t = &box->to_position, *f = &box->from_position;
    cudaError_t error = client_box_arrays(box);
    if (error == cudaSuccess && box->extent.depth > 1 &&
        (to->height < box->extent.height || from->height < box->extent.height))
        error = cudaErrorInvalidValue;
    for (size_t z = 0; error == cudaSuccess && z < box->extent.depth; z++) {
        struct client_copy slice = {
            .to = (uintptr_t)to->pointer + ((t->z + z) * to->height + t->y) * to->pitch + t->x,
            .to_pitch = to->pitch,
            .from = (uintptr_t)from->pointer + ((f->z + z) * from->height + f->y) * from->pitch + f->x,
            .from_pitch = from->pitch,
            .width = box->extent.width,
            .height = box->extent.height,
            .kind = box->kind,
            .site = site,
            .stream = stream,
            .blocking = blocking};
        error = to->pointer == NULL || from->pointer == NULL ? cudaErrorInvalidValue
                                                             : client_copy(client, &slice);
    }
    return error;
}

static cudaError_t copy_3d(const struct cuda_copy_3d *box, cudaStream_t stream, bool blocking) {
    uint32_t id;
    if (box == NULL)
        return client_finish(cudaErrorInvalidValue);
    if (!client_stream_id(stream, &id))
        return client_finish(cudaErrorInvalidResourceHandle);
    WITH_DEVICE(error = client_copy_box(client, box, id, blocking, 0));
}

API cudaError_t cudaMemcpy3D(const struct cuda_copy_3d *box) {
    return copy_3d(box, NULL, true);
}

API cudaError_t cudaMemcpy3DAsync(const struct cuda_copy_3d *box, cudaStream_t stream) {
    return copy_3d(box, stream, false);
}

/* Copies to or from part of a __device__ or __constant__ variable. */
static cudaError_t copy_symbol(const void *symbol, void *other, size_t bytes, size_t offset, int kind,
                               cudaStream_t stream, bool to_symbol, bool blocking) {
    struct client_copy copy = {.to_pitch = bytes,
                               .from_pitch = bytes,
                               .width = bytes,
                               .height = 1,
                               .kind = kind,
                               .blocking = blocking};
    int host_kind = to_symbol ? COPY_HOST_TO_DEVICE : COPY_DEVICE_TO_HOST;
    if (!client_stream_id(stream, &copy.stream))
        return client_finish(cudaErrorInvalidResourceHandle);
    if (kind != host_kind && kind != COPY_DEVICE_TO_DEVICE && kind != COPY_DEFAULT)
        return client_finish(cudaErrorInvalidMemcpyDirection);
    if (bytes && other == NULL)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        const struct client_variable *variable = client_variable(client, symbol, &error);
        if (variable != NULL && (offset > variable->size || bytes > variable->size - offset)) {
            client_say("copy of %zu bytes at offset %zu: %s has %llu bytes", bytes, offset, variable->name,
                       (unsigned long long)variable->size);
            error = cudaErrorInvalidValue;
        } else if (variable != NULL) {
            copy.to = to_symbol ? variable->address + offset : (uintptr_t)other;
            copy.from = to_symbol ? (uintptr_t)other : variable->address + offset;
            error = client_copy(client, &copy);
        }
    });
}

API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                                   int kind) {
    return copy_symbol(symbol, (void *)from, bytes, offset, kind, NULL, true, true);
}

API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                        int kind, cudaStream_t stream) {
    return copy_symbol(symbol, (void *)from, bytes, offset, kind, stream, true, false);
}

API cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, int kind) {
    return copy_symbol(symbol, to, bytes, offset, kind, NULL, false, true);
}

API cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset, int kind,
                                          cudaStream_t stream) {
    return copy_symbol(symbol, to, bytes, offset, kind, stream, false, false);
}

API cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol) {
    if (pointer == NULL)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        const struct client_variable *variable = client_variable(client, symbol, &error);
        if (variable != NULL)
            *pointer = (void *)(uintptr_t)variable->address;
    });
}

API cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol) {
    if (bytes == NULL)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE({
        const struct client_variable *variable = client_variable(client, symbol, &error);
        if (variable != NULL)
            *bytes = variable->size;
    });
}

static cudaError_t fill(void *pointer, size_t pitch, int value, size_t width, size_t height,
                        cudaStream_t stream, uint64_t site) {
    struct request_fill request = {.address = (uintptr_t)pointer,
                                   .pitch = pitch,
                                   .width = width,
                                   .height = height,
                                   .site = site,
                                   .value = (uint32_t)value};
    if (!client_stream_id(stream, &request.stream))
        return client_finish(cudaErrorInvalidResourceHandle);
    if (height > 1 && pitch < width)
        return client_finish(cudaErrorInvalidValue);
    WITH_DEVICE(error = CLIENT_CALL(client, PROTOCOL_FILL, request, NULL, 0));
}

API cudaError_t cudaMemset(void *pointer, int value, size_t bytes) {
    return fill(pointer, bytes, value, bytes, 1, NULL, CALL_SITE);
}

API cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream) {
    return fill(pointer, bytes, value, bytes, 1, stream, CALL_SITE);
}

API cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height) {
    return fill(pointer, pitch, value, width, height, NULL, CALL_SITE);
}

API cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                                  cudaStream_t stream) {
    return fill(pointer, pitch, value, width, height, stream, CALL_SITE);
}

static cudaError_t fill_3d(struct cuda_pitched box, int value, struct cuda_extent extent,
                           cudaStream_t stream) {
    for (size_t z = 0; z < extent.depth; z++) {
        cudaError_t error = fill((char *)box.pointer + z * box.height * box.pitch, box.pitch, value,
                                 extent.width, extent.height, stream, 0);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

API cudaError_t cudaMemset3D(struct cuda_pitched box, int value, struct cuda_extent extent) {
    return fill_3d(box, value, extent, NULL);
}

API cudaError_t cudaMemset3DAsync(struct cuda_pitched box, int value, struct cuda_extent extent,
                                  cudaStream_t stream) {
    return fill_3d(box, value, extent, stream);
}
