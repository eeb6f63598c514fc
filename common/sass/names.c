/*
 * names.c: what classes, pipes and memory spaces are called.
 */
#include "sass/instruction.h"

const char *sass_class_name(enum sass_class class) {
    static const char *const names[SASS_CLASSES] = {
        [SASS_UNKNOWN] = "unknown",
        [SASS_FLOAT] = "float",
        [SASS_HALF] = "half",
        [SASS_DOUBLE] = "double",
        [SASS_INTEGER] = "integer",
        [SASS_SPECIAL] = "special",
        [SASS_CONVERSION] = "conversion",
        [SASS_MOVE] = "move",
        [SASS_PREDICATE] = "predicate",
        [SASS_WARP] = "warp",
        [SASS_TENSOR] = "tensor",
        [SASS_TEXTURE] = "texture",
        [SASS_SURFACE] = "surface",
        [SASS_LOAD] = "load",
        [SASS_CONSTANT] = "constant",
        [SASS_STORE] = "store",
        [SASS_ATOMIC] = "atomic",
        [SASS_COPY] = "copy",
        [SASS_CACHE] = "cache",
        [SASS_BARRIER] = "barrier",
        [SASS_CONTROL] = "control",
        [SASS_SYSTEM] = "system",
    };
    return class < SASS_CLASSES ? names[class] : "?";
}

const char *sass_pipe_name(enum sass_pipe pipe) {
    static const char *const names[SASS_PIPES] = {
        [SASS_PIPE_NONE] = "none", [SASS_PIPE_FMA] = "fma",   [SASS_PIPE_HEAVY] = "fmaheavy",
        [SASS_PIPE_ALU] = "alu",   [SASS_PIPE_FP16] = "fp16", [SASS_PIPE_FP64] = "fp64",
        [SASS_PIPE_XU] = "xu",     [SASS_PIPE_LSU] = "lsu",   [SASS_PIPE_UNIFORM] = "uniform",
        [SASS_PIPE_ADU] = "adu",   [SASS_PIPE_CBU] = "cbu",   [SASS_PIPE_TENSOR] = "tensor",
        [SASS_PIPE_TEX] = "tex",   [SASS_PIPE_TMA] = "tma",
    };
    return pipe < SASS_PIPES ? names[pipe] : "?";
}

const char *sass_space_name(enum sass_space space) {
    static const char *const names[SASS_SPACES] = {
        [SASS_SPACE_NONE] = "none", [SASS_GENERIC] = "generic", [SASS_GLOBAL] = "global",
        [SASS_SHARED] = "shared",   [SASS_LOCAL] = "local",
    };
    return space < SASS_SPACES ? names[space] : "?";
}
