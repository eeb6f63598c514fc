/* memory.h: how much memory this machine, or the container around this process, has left. */
#pragma once

#include <stdint.h>

/* Bytes that processes can have before the system ends one: what /proc/meminfo calls available, and no more than any
 * control group (version 1 or 2) leaves this process. UINT64_MAX: unknown. */
uint64_t memory_available(void);
