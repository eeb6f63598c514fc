/* print.c: device printf: a C format; arguments lie in memory, each aligned to its size. */
#include "gpu/simt/control/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_FORMAT = 4096, LONGEST_PIECE = 4096 };

/* Appends to the text that is printed when the block ends. False: out of memory. */
static bool block_print(struct block *block, const char *text, size_t length) {
    if (!length)
        return true;
    if (length > block->text_capacity - block->text_length) {
        size_t capacity = 2 * block->text_capacity + length + 256;
        char *larger = realloc(block->text, capacity);
        if (larger == NULL)
            return false;
        block->text = larger;
        block->text_capacity = capacity;
    }
    memcpy(block->text + block->text_length, text, length);
    block->text_length += length;
    return true;
}

bool simt_lane_string(const struct window_header *window, uint32_t lane, uint64_t address, char *text,
                      size_t size) {
    for (size_t i = 0; i + 1 < size; i++) {
        const uint8_t *at = simt_lane_memory(window, lane, address + i, 1);
        if (at == NULL)
            return false;
        text[i] = (char)*at;
        if (!text[i])
            return true;
    }
    text[size - 1] = 0;
    return true;
}

struct arguments {
    const struct window_header *window;
    uint32_t lane;
    uint64_t address;
    bool failed;
};

static uint64_t next_argument(struct arguments *arguments, uint32_t bytes) {
    arguments->address = (arguments->address + bytes - 1) / bytes * bytes;
    const uint8_t *at = simt_lane_memory(arguments->window, arguments->lane, arguments->address, bytes);
    uint64_t value = 0;
    if (at != NULL)
        memcpy(&value, at, bytes);
    else
        arguments->failed = true;
    arguments->address += bytes;
    return value;
}

/* A conversion from '%' to its letter, without length modifier, with numbers for stars. */
struct conversion {
    char text[64];
    size_t length;
    uint32_t bytes; /* of an integer argument */
    char letter;
};

static void append(struct conversion *conversion, const char *text, size_t length) {
    if (conversion->length + length < sizeof conversion->text) {
        memcpy(conversion->text + conversion->length, text, length);
        conversion->length += length;
        conversion->text[conversion->length] = 0;
    }
}

static const char *parse_conversion(const char *at, struct conversion *conversion,
                                    struct arguments *arguments) {
    *conversion = (struct conversion){.bytes = 4};
    append(conversion, "%", 1);
    for (at++; *at && strchr("-+ #0123456789.*", *at) != NULL; at++) {
        if (*at == '*') {
            char number[16];
            int length = snprintf(number, sizeof number, "%d", (int)(uint32_t)next_argument(arguments, 4));
            append(conversion, number, (size_t)length);
        } else {
            append(conversion, at, 1);
        }
    }
    for (; *at && strchr("hlLqjzt", *at) != NULL; at++)
        if (*at != 'h' && *at != 'L')
            conversion->bytes = 8;
        else if (*at == 'h')
            conversion->bytes = conversion->bytes == 2 ? 1 : 2;
    conversion->letter = *at;
    return *at ? at + 1 : at;
}

static int convert_integer(char *piece, struct conversion *conversion, uint64_t value) {
    bool is_signed = conversion->letter == 'd' || conversion->letter == 'i';
    uint32_t shift = 64 - 8 * conversion->bytes;
    append(conversion, "ll", 2);
    append(conversion, &conversion->letter, 1);
    if (is_signed)
        return snprintf(piece, LONGEST_PIECE, conversion->text,
                        (long long)((int64_t)(value << shift) >> shift));
    return snprintf(piece, LONGEST_PIECE, conversion->text, (unsigned long long)(value << shift >> shift));
}

static int convert(char *piece, struct conversion *conversion, struct arguments *arguments) {
    double number;
    uint64_t value;
    char text[LONGEST_PIECE];
    char letter = conversion->letter;
    switch (letter) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        return convert_integer(piece, conversion, next_argument(arguments, conversion->bytes == 8 ? 8 : 4));
    case 'c':
        append(conversion, &letter, 1);
        return snprintf(piece, LONGEST_PIECE, conversion->text, (int)(uint32_t)next_argument(arguments, 4));
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        append(conversion, &letter, 1);
        value = next_argument(arguments, 8);
        memcpy(&number, &value, 8);
        return snprintf(piece, LONGEST_PIECE, conversion->text, number);
    case 'p':
        append(conversion, &letter, 1);
        return snprintf(piece, LONGEST_PIECE, conversion->text,
                        (void *)(uintptr_t)next_argument(arguments, 8));
    case 's':
        append(conversion, &letter, 1);
        value = next_argument(arguments, 8);
        if (!simt_lane_string(arguments->window, arguments->lane, value, text, sizeof text))
            snprintf(text, sizeof text, "(bad string pointer)");
        return snprintf(piece, LONGEST_PIECE, conversion->text, text);
    case 'n': next_argument(arguments, 8); return 0;
    default: return -1; /* no conversion: printed unchanged */
    }
}

int32_t simt_lane_print(struct window_header *window, uint32_t lane, uint64_t format_address,
                        uint64_t arguments_address) {
    char format[LONGEST_FORMAT], piece[LONGEST_PIECE];
    struct block *block = window->warp->block;
    struct arguments arguments = {.window = window, .lane = lane, .address = arguments_address};
    if (!simt_lane_string(window, lane, format_address, format, sizeof format))
        return -1;
    int32_t count = 0;
    for (const char *at = format; *at;) {
        const char *percent = strchr(at, '%');
        size_t plain = percent != NULL ? (size_t)(percent - at) : strlen(at);
        if (!block_print(block, at, plain))
            return -1;
        at += plain;
        if (!*at)
            break;
        if (at[1] == '%') {
            if (!block_print(block, "%", 1))
                return -1;
            at += 2;
            continue;
        }
        struct conversion conversion;
        const char *after = parse_conversion(at, &conversion, &arguments);
        int length = convert(piece, &conversion, &arguments);
        if (length < 0) {
            if (!block_print(block, at, (size_t)(after - at)))
                return -1;
        } else {
            size_t kept = (size_t)length < sizeof piece ? (size_t)length : sizeof piece - 1;
            if (!block_print(block, piece, kept))
                return -1;
            count++;
        }
        at = after;
    }
    return arguments.failed ? -1 : count;
}
