/* html_terms.c: the meaning of the profile's terms. */
#include "report/writers/html_parts.h"

#include <string.h>

static const struct {
    const char *key, *name, *meaning;
} terms[] = {
    {"warp", "warp", "32 threads that the hardware runs together, an instruction at a time for all of them."},
    {"block_wave", "wave",
     "as many blocks as all SMs hold at once. 2.3 waves: two full rounds, and a third that fills a third of the GPU."},
    {"tail", "tail", "the last, partial wave: SMs without a block wait for those that have one."},
    {"occupancy", "occupancy",
     "warps that an SM holds, of the most it could hold. Registers, shared memory and the block's size limit it. More "
     "warps hide more waiting; enough is enough."},
    {"issue", "issue slot",
     "a cycle of a warp scheduler: it can start one instruction of one of its warps, and an SM has one to four "
     "schedulers. Slots that are all taken: the kernel has too many instructions."},
    {"fma", "fma, alu, fp64, special",
     "the pipes that compute: multiply-add (float, and integer multiplies); integer and logic; double precision; "
     "special functions and conversions."},
    {"pipe", "fma, alu, fp64, xu, lsu, uniform, adu, cbu",
     "the pipes that machine instructions are sent to, by ncu's names. Besides those that compute and LSU: xu for special "
     "functions and conversions, uniform for what is computed once for a warp, adu for barriers and constants by "
     "address, cbu for branches."},
    {"lsu", "LSU",
     "the load/store unit: memory instructions of all kinds pass it, a warp's at a time. ncu calls its queue MIO: "
     "warps that wait for room in it show there as 'MIO throttle'."},
    {"latency", "latency",
     "time in which no warp has anything to start: all wait for data, for a result, for a barrier."},
    {"scoreboard", "scoreboard",
     "what keeps a warp from using a register before its data has come; 'long scoreboard' in ncu: waiting for global or "
     "local memory; 'short': for shared memory."},
    {"launch", "launch", "starting and ending the kernel: some microseconds, whatever it does."},
    {"constant", "constant cache",
     "gives one word a time to all threads of a warp that want it: free of cost where all want the same, a pass for each "
     "word where they differ."},
    {"atomic", "atomics",
     "a word takes one atomic operation after the other, wherever they come from: many for one word are a queue, however "
     "many threads there are."},
    {"request", "request", "a memory instruction of one warp, with at least one thread that takes part."},
    {"sector", "sector",
     "32 bytes that lie together: the smallest piece that L1, L2 and DRAM move. A warp that reads 32 neighbouring "
     "floats needs 4 of them; one that reads 32 floats far apart needs 32."},
    {"wavefront", "pass, wavefront",
     "one access of all 32 banks of shared memory, at most 128 bytes. A request without bank conflicts takes one, or "
     "what its bytes need."},
    {"bank", "bank conflict",
     "threads of a request want different words of one bank: the request takes a pass for each of them."},
    {"hit", "found there",
     "the share of the sectors read from this cache that it had; the rest comes from below."},
    {"local", "local memory",
     "a thread's own: spilled registers and arrays that are indexed by what is not known in advance. It lies in device "
     "memory and passes L1 and L2."},
    {"amdahl", "Amdahl's limit",
     "how many times as fast the whole becomes when this kernel takes no time at all. The others remain: look at the "
     "first row first."},
    {"roofline", "roofline",
     "what a GPU allows: no more work a second than its arithmetic can do, and no more than its memory delivers bytes "
     "for. Both axes are logarithmic."},
    {"intensity", "work for a byte",
     "arithmetic intensity: work done for each byte moved. A kernel that moves fewer bytes for the same work goes to "
     "the right; a faster one goes up."},
    {"coalescing", "coalescing",
     "what makes one request of neighbouring threads: few sectors, all of whose bytes are used."},
    {"divergence", "split",
     "a branch at which threads of a warp go both ways: the warp runs both, one after the other."},
};

enum { TERMS = sizeof terms / sizeof *terms };

/* The term whose name is the first `length` characters; TERMS: there is none. */
static size_t find(const char *at, size_t length) {
    size_t i = 0;
    while (i < TERMS && (strlen(terms[i].key) != length || strncmp(terms[i].key, at, length) != 0))
        i++;
    return i;
}

bool html_terms(FILE *to, const char *names) {
    bool found = true;
    for (int pass = 0; pass < 2; pass++) { /* names to unfold, then meanings */
        fputs(pass == 0 ? "<details><summary>What is meant by: " : "</summary><dl>\n", to);
        for (const char *at = names; *at != '\0';) {
            size_t length = strcspn(at, " "), i = find(at, length);
            found = found && i < TERMS;
            if (i < TERMS && pass == 0)
                fprintf(to, "%s%s", at == names ? "" : ", ", terms[i].name);
            else if (i < TERMS)
                fprintf(to, "<dt>%s</dt><dd>%s</dd>\n", terms[i].name, terms[i].meaning);
            at += length;
            at += *at == ' ';
        }
    }
    fputs("</dl></details>\n", to);
    return found;
}
