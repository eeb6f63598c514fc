/* features.c: a CUDA programmer's words for features, by opcode, register and library function. */
#include "gpu/ptx/internal.h"
#include <string.h>

static const struct ptx_feature products = {
    "rarer shapes and types of tensor cores", true,
    "use wmma of f16, bf16, tf32, f64, s8 or u8, or the m16n8 shapes of mma.sync"};
static const struct ptx_feature sparse = {"sparse products of tensor cores", true,
                                          "multiply all elements, by mma.sync"};
static const struct ptx_feature groups = {"tensor cores that warps use together (wgmma, tcgen05)", true,
                                          "use mma.sync or wmma"};
static const struct ptx_feature moves = {"rarer moves of matrices", true, "use ldmatrix of .m8n8 and .b16"};
static const struct ptx_feature surfaces = {"surfaces", true, "use ordinary loads and stores"};
static const struct ptx_feature bulk_copies = {"tensor copies and bulk reductions (TMA)", true,
                                               "use cp.async.bulk, or ordinary loads and stores"};
static const struct ptx_feature video = {"video instructions", true, "use ordinary integer arithmetic"};
static const struct ptx_feature allocation = {"stack allocation of unknown size (alloca)", false,
                                              "use an array of fixed size"};
static const struct ptx_feature policies = {"L2 cache policies", true, "leave the cache hint out"};
static const struct ptx_feature reallocation = {"register reallocation between warps (setmaxnreg)", false,
                                                "leave it out"};
static const struct ptx_feature several_gpus = {"memory shared by several GPUs (multimem)", false, NULL};
static const struct ptx_feature monitor = {"the performance monitor", false, NULL};
static const struct ptx_feature proxies = {"fences between memory proxies", true, NULL};
static const struct ptx_feature dependent_launch = {"programmatic dependent launch", false, NULL};
static const struct ptx_feature dynamic_parallelism = {"dynamic parallelism", false,
                                                       "launch the inner kernel from the host"};
static const struct ptx_feature device_runtime = {"the CUDA runtime inside kernels", false,
                                                  "call it from the host"};
static const struct ptx_feature device_graphs = {"graphs launched by kernels", true, NULL};
static const struct ptx_feature environment = {"registers that the driver sets", true, NULL};
static const struct ptx_feature undefined = {
    "a function that no file of the program defines", false,
    "compile and link every file with -rdc=true, or put the function into this one"};

const struct ptx_feature ptx_feature_clusters = {"thread block clusters", true,
                                                 "use the shared memory of one block"};
const struct ptx_feature ptx_feature_textures = {"textures", true, "read the data with ordinary loads"};
const struct ptx_feature ptx_feature_wide = {
    "128-bit registers and atomics", true,
    "use two 64-bit halves, and a lock where both must change at once"};

struct entry {
    const char *text;
    const struct ptx_feature *feature;
};

/* By the start of a mnemonic, in whole words; the longest entry wins. */
static const struct entry mnemonics[] = {
    {"tex", &ptx_feature_textures},
    {"tld4", &ptx_feature_textures},
    {"txq", &ptx_feature_textures},
    {"istypep", &ptx_feature_textures},
    {"suld", &surfaces},
    {"sust", &surfaces},
    {"sured", &surfaces},
    {"suq", &surfaces},
    {"wmma", &products},
    {"mma", &products},
    {"mma.sp", &sparse},
    {"mma.sp::ordered_metadata", &sparse},
    {"wgmma", &groups},
    {"tcgen05", &groups},
    {"ldmatrix", &moves},
    {"stmatrix", &moves},
    {"movmatrix", &moves},
    {"clusterlaunchcontrol", &ptx_feature_clusters},
    {"st.async", &ptx_feature_clusters},
    {"red.async", &ptx_feature_clusters},
    {"setmaxnreg", &reallocation},
    {"createpolicy", &policies},
    {"applypriority", &policies},
    {"discard", &policies},
    {"alloca", &allocation},
    {"stacksave", &allocation},
    {"stackrestore", &allocation},
    {"pmevent", &monitor},
    {"multimem", &several_gpus},
    {"tensormap", &bulk_copies},
    {"cp.async.bulk.tensor", &bulk_copies},
    {"cp.async.bulk.prefetch.tensor", &bulk_copies},
    {"cp.reduce.async", &bulk_copies},
    {"prefetch.tensormap", &bulk_copies},
    {"fence.proxy", &proxies},
    {"membar.proxy", &proxies},
    {"griddepcontrol", &dependent_launch},
    {"vadd", &video},
    {"vsub", &video},
    {"vabsdiff", &video},
    {"vmin", &video},
    {"vmax", &video},
    {"vshl", &video},
    {"vshr", &video},
    {"vmad", &video},
    {"vset", &video},
    {"vadd2", &video},
    {"vsub2", &video},
    {"vavrg2", &video},
    {"vabsdiff2", &video},
    {"vmin2", &video},
    {"vmax2", &video},
    {"vset2", &video},
    {"vadd4", &video},
    {"vsub4", &video},
    {"vavrg4", &video},
    {"vabsdiff4", &video},
    {"vmin4", &video},
    {"vmax4", &video},
    {"vset4", &video},
};

/* By one word. */
static const struct entry words[] = {
    {"b128", &ptx_feature_wide},           {"multicast::cluster", &ptx_feature_clusters},
    {"L2::cache_hint", &policies},         {"texref", &ptx_feature_textures},
    {"samplerref", &ptx_feature_textures}, {"surfref", &surfaces},
};

/* By the start of a register's name. */
static const struct entry registers[] = {
    {"%envreg", &environment},
    {"%pm", &monitor},
    {"%current_graph_exec", &device_graphs},
};

/* By the start of a function's name. */
static const struct entry functions[] = {
    {"cudaLaunchDevice", &dynamic_parallelism},
    {"cudaGetParameterBuffer", &dynamic_parallelism},
    {"__cudaCDP2LaunchDevice", &dynamic_parallelism},
    {"__cudaCDP2GetParameterBuffer", &dynamic_parallelism},
    {"__cudaCDP2", &device_runtime},
    {"cudaGraph", &device_graphs},
    {"cuda", &device_runtime},
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Whether the text begins with the prefix. */
static bool begins(const char *text, size_t length, const char *prefix) {
    size_t bytes = strlen(prefix);
    return length >= bytes && memcmp(text, prefix, bytes) == 0;
}

const struct ptx_feature *ptx_feature_of_mnemonic(const char *text, size_t head, size_t length) {
    const struct ptx_feature *found = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < COUNT(mnemonics); i++) {
        size_t bytes = strlen(mnemonics[i].text);
        bool whole_words = bytes == head || bytes == length || (bytes < length && text[bytes] == '.');
        if (bytes > longest && bytes >= head && whole_words && begins(text, length, mnemonics[i].text)) {
            found = mnemonics[i].feature;
            longest = bytes;
        }
    }
    return found;
}

const struct ptx_feature *ptx_feature_of_word(const char *text, size_t length) {
    for (size_t i = 0; i < COUNT(words); i++)
        if (strlen(words[i].text) == length && memcmp(words[i].text, text, length) == 0)
            return words[i].feature;
    return NULL;
}

const struct ptx_feature *ptx_feature_of_register(const char *text, size_t length) {
    for (size_t i = 0; i < COUNT(registers); i++)
        if (begins(text, length, registers[i].text))
            return registers[i].feature;
    return NULL;
}

const struct ptx_feature *ptx_feature_of_function(const char *name) {
    for (size_t i = 0; i < COUNT(functions); i++)
        if (begins(name, strlen(name), functions[i].text))
            return functions[i].feature;
    return &undefined;
}
