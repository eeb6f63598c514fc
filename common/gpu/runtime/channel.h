/* channel.h: whole messages over a connected Unix stream socket, with at most one descriptor beside them. */
#ifndef RUNTIME_CHANNEL_H
#define RUNTIME_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>

/* Send all bytes; `descriptor` (-1: none) travels with the first. False when the other side is gone. */
bool channel_send(int socket, const void *bytes, size_t size, int descriptor);
/* Receive exactly `size` bytes. A descriptor that comes along is stored in *descriptor, or closed when that
 * is NULL or already holds one. False at the end of the stream or on an error. */
bool channel_receive(int socket, void *bytes, size_t size, int *descriptor);

#endif
