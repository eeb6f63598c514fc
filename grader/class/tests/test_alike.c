/* Kernels that are alike: found through other names, another order, other comments and numbers; not found where two wrote the
 * same thing as books do, nor where all that they share is the kit's. */
#include "support_class.h"

#include "class/alike/alike.h"
#include "class/alike/tokens.h"

#include "base/file.h"

#include <dirent.h>
#include <sys/stat.h>

static int set_up(void **state) {
    assert_int_equal(class_set_up(state), 0);
    class_policy("");
    return 0;
}

static char *grades_of(const char *lab) {
    class_grade(0, "--lab %s --submissions @in --policy @policy.ini --quiet", lab);
    return class_read("out/grades.csv");
}

/* A matrix product in pieces of one student's own. */
static const char own_one[] =
    "#include \"lab6.h\"\n"
    "// each thread: 2 x 4 results\n"
    "#define EDGE 32\n"
    "static __device__ void fetch(float *to, const float *from, int row, int column, int rows, int columns, int pitch) {\n"
    "    for (int i = threadIdx.x; i < EDGE * EDGE; i += blockDim.x) {\n"
    "        int r = row + i / EDGE, c = column + i % EDGE;\n"
    "        to[i] = r < rows && c < columns ? from[(size_t)r * pitch + c] : 0.0f;\n"
    "    }\n"
    "}\n"
    "static __device__ float dot(const float *left, const float *right, int stride) {\n"
    "    float sum = 0.0f;\n"
    "    for (int k = EDGE - 1; k >= 0; k--)\n"
    "        sum = fmaf(left[k], right[k * stride], sum);\n"
    "    return sum;\n"
    "}\n"
    "__global__ void multiply(const float *a, const float *b, float *c, int m, int n, int k, float alpha, float beta) {\n"
    "    __shared__ float left[EDGE * EDGE], right[EDGE * EDGE];\n"
    "    float mine[8] = {0};\n"
    "    for (int at = 0; at < k; at += EDGE) {\n"
    "        fetch(left, a, blockIdx.y * EDGE, at, m, k, k);\n"
    "        fetch(right, b, at, blockIdx.x * EDGE, k, n, n);\n"
    "        __syncthreads();\n"
    "        for (int i = 0; i < 8; i++) {\n"
    "            int place = threadIdx.x + i * blockDim.x;\n"
    "            mine[i] += dot(left + place / EDGE * EDGE, right + place % EDGE, EDGE);\n"
    "        }\n"
    "        __syncthreads();\n"
    "    }\n"
    "    for (int i = 0; i < 8; i++) {\n"
    "        int place = threadIdx.x + i * blockDim.x, r = blockIdx.y * EDGE + place / EDGE, q = blockIdx.x * EDGE + place % EDGE;\n"
    "        if (r < m && q < n)\n"
    "            c[(size_t)r * n + q] = alpha * mine[i] + beta * c[(size_t)r * n + q];\n"
    "    }\n"
    "}\n";

/* The same with other names, comments, numbers and layout, and its helpers the other way round. */
static const char own_disguised[] =
    "#include \"lab6.h\"\n"
    "/* My solution to lab 6.\n   I use shared memory for the tiles. */\n"
    "const int BLK = 16;\n"
    "__device__ float inner_product(const float *u, const float *v, const int step)\n"
    "{\n    float acc = 0.f; // accumulator\n    for (int j = BLK - 1; j >= 0; j--) { acc = fmaf(u[j], v[j * step], acc); }\n    return acc;\n}\n"
    "__device__ void load_tile(float *tile, const float *matrix, int y0, int x0, int height, int width, int ld)\n"
    "{\n    for (int t = threadIdx.x; t < BLK * BLK; t += blockDim.x)\n    {\n"
    "        const int y = y0 + t / BLK, x = x0 + t % BLK;\n"
    "        tile[t] = y < height && x < width ? matrix[(size_t)y * ld + x] : 0.f;\n    }\n}\n"
    "__global__ void my_gemm(const float *A, const float *B, float *C, int M, int N, int K, float al, float be)\n{\n"
    "    __shared__ float As[BLK * BLK], Bs[BLK * BLK];\n    float acc[4] = {0};\n"
    "    for (int kk = 0; kk < K; kk += BLK)\n    {\n"
    "        load_tile(As, A, blockIdx.y * BLK, kk, M, K, K); load_tile(Bs, B, kk, blockIdx.x * BLK, K, N, N);\n"
    "        __syncthreads(); // wait\n"
    "        for (int w = 0; w < 4; w++) { const int p = threadIdx.x + w * blockDim.x;\n"
    "            acc[w] += inner_product(As + p / BLK * BLK, Bs + p % BLK, BLK); }\n"
    "        __syncthreads();\n    }\n"
    "    for (int w = 0; w < 4; w++)\n    {\n"
    "        const int p = threadIdx.x + w * blockDim.x, y = blockIdx.y * BLK + p / BLK, x = blockIdx.x * BLK + p % BLK;\n"
    "        if (y < M && x < N) { C[(size_t)y * N + x] = al * acc[w] + be * C[(size_t)y * N + x]; }\n    }\n}\n";

/* Two who wrote a tiled product each by a book. */
static const char book_one[] =
    "#define TILE_WIDTH 16\n"
    "__global__ void MatrixMulKernel(const float *M, const float *N, float *P, int Width) {\n"
    "    __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];\n    __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];\n"
    "    int bx = blockIdx.x; int by = blockIdx.y; int tx = threadIdx.x; int ty = threadIdx.y;\n"
    "    int Row = by * TILE_WIDTH + ty; int Col = bx * TILE_WIDTH + tx;\n    float Pvalue = 0;\n"
    "    for (int ph = 0; ph < (Width + TILE_WIDTH - 1) / TILE_WIDTH; ++ph) {\n"
    "        if (Row < Width && ph * TILE_WIDTH + tx < Width) Mds[ty][tx] = M[Row * Width + ph * TILE_WIDTH + tx];\n"
    "        else Mds[ty][tx] = 0.0f;\n"
    "        if (ph * TILE_WIDTH + ty < Width && Col < Width) Nds[ty][tx] = N[(ph * TILE_WIDTH + ty) * Width + Col];\n"
    "        else Nds[ty][tx] = 0.0f;\n        __syncthreads();\n"
    "        for (int k = 0; k < TILE_WIDTH; ++k) Pvalue += Mds[ty][k] * Nds[k][tx];\n        __syncthreads();\n    }\n"
    "    if (Row < Width && Col < Width) P[Row * Width + Col] = Pvalue;\n}\n"
    "extern \"C\" void run(const float *m, const float *n, float *p, int w) {\n"
    "    dim3 block(TILE_WIDTH, TILE_WIDTH);\n    dim3 grid((w + TILE_WIDTH - 1) / TILE_WIDTH, (w + TILE_WIDTH - 1) / TILE_WIDTH);\n"
    "    MatrixMulKernel<<<grid, block>>>(m, n, p, w);\n}\n";
static const char book_two[] =
    "static const int T = 32;\n"
    "__global__ void gemm(int m, int n, int k, const float *a, const float *b, float *c) {\n"
    "    __shared__ float sa[T][T], sb[T][T + 1];\n"
    "    const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    float sum = 0.0f;\n    int tiles = (k + T - 1) / T;\n"
    "    for (int t = 0; t < tiles; t++) {\n"
    "        int ka = t * T + threadIdx.x, kb = t * T + threadIdx.y;\n"
    "        sa[threadIdx.y][threadIdx.x] = (row < m && ka < k) ? a[row * k + ka] : 0.0f;\n"
    "        sb[threadIdx.y][threadIdx.x] = (kb < k && col < n) ? b[kb * n + col] : 0.0f;\n"
    "        __syncthreads();\n"
    "#pragma unroll\n"
    "        for (int i = 0; i < T; i++)\n            sum += sa[threadIdx.y][i] * sb[i][threadIdx.x];\n"
    "        __syncthreads();\n    }\n    if (row >= m || col >= n)\n        return;\n    c[row * n + col] = sum;\n}\n"
    "void launch(const float *a, const float *b, float *c, int m, int n, int k, cudaStream_t s) {\n"
    "    dim3 threads(T, T), blocks((n + T - 1) / T, (m + T - 1) / T);\n    gemm<<<blocks, threads, 0, s>>>(m, n, k, a, b, c);\n}\n";

static void a_disguise_is_seen_through(void **state) {
    class_kernels("ann", own_one, "bob", own_disguised, "cid", book_one, "dee", book_two, "eve", own_one);
    char *grades = grades_of("lab6");
    assert_has(grades, "Its kernel is the very file of eve, and 1 more.");
    assert_has(grades, "Its kernel is the very file of ann, and 1 more.");
    assert_has(grades, "Its kernel is like that of ann, and 1 more: ");
    const char *cid = strstr(grades, "\ncid,");
    assert_non_null(cid);
    assert_has_not(class_print("%.*s", (int)strcspn(cid + 1, "\n"), cid + 1), "Its kernel");
    const char *dee = strstr(grades, "\ndee,");
    assert_has_not(class_print("%.*s", (int)strcspn(dee + 1, "\n"), dee + 1), "Its kernel");
    class_has("out/alike/lab6/index.html", "<td>the same file</td><td class=\"text\">ann, eve</td>",
              "<p>2 pairs of 4 different kernels have 70 % or more in common.");
    class_has("out/alike/lab6/2.html", "<h2>bob</h2>", "<h2>ann, eve</h2>", "<mark>", "// accumulator");
}

/* What the kit gives to everybody says nothing; nor does what many have. */
static void what_all_have_does_not_count(void **state) {
    char name[64], error[TEXT_ERROR];
    size_t length;
    char *reference =
        file_read("solutions/lab6-gemm-tiling/kernel.cu", 1 << 15, &length, error, sizeof error);
    if (reference == NULL)
        reference = file_read("solutions/lab3-float-fma/kernel.cu", 1 << 15, &length, error, sizeof error);
    assert_non_null(reference);
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "in/ref%d/kernel.cu", i);
        class_write(name, class_print("%s\n__device__ int mine%d() { return %d; }\n", reference, i, i));
    }
    for (int i = 0; i < 14; i++) {
        snprintf(name, sizeof name, "in/many%02d/kernel.cu", i);
        class_write(name, class_print("%s// %d\n", own_one, i));
    }
    free(reference);
    assert_has_not(grades_of("lab6"), "Its kernel is like");
    assert_false(class_is_there("out/alike/lab6/index.html"));
}

/* Right answers to small tasks are the same few words. */
static uint64_t bytes_below(const char *path) {
    uint64_t bytes = 0;
    struct stat status;
    DIR *files = opendir(path);
    assert_non_null(files);
    for (const struct dirent *file; (file = readdir(files)) != NULL;) {
        char name[PATH_SIZE];
        if (file->d_name[0] != '.' && path_join(name, path, file->d_name) && stat(name, &status) == 0)
            bytes += (uint64_t)status.st_size;
    }
    closedir(files);
    return bytes;
}

/* A quarter of a class hands in one kernel with a long comment of signs that HTML writes longer:
 * pages and rows have an end. */
static void pages_have_an_end(void **state) {
    enum { COPIERS = 22, CLASS = 90, COMMENT = 100000 };
    char path[PATH_SIZE], *text = malloc(COMMENT + sizeof own_one + 64);
    for (int i = 0; i < CLASS; i++) {
        int used = sprintf(text, "// %d \xc3\xa4", i);
        for (int at = 0; i < COPIERS && at < COMMENT; at++)
            text[used++] = "\"<&"[(at + i) % 3];
        strcpy(text + used, "\n");
        strcat(text, i < COPIERS ? own_one : "int f;");
        class_write(class_print("in/s%02d/kernel.cu", i), text);
    }
    free(text);
    grades_of("lab6");
    assert_true(path_join(path, folder, "out/alike/lab6"));
    uint64_t bytes = bytes_below(path);
    if (bytes > 200 * (8 * 2 * 4096 + 8 * sizeof own_one + 8192))
        fail_msg("%llu bytes of pages", (unsigned long long)bytes);
    class_has("out/alike/lab6/index.html", "231 pairs of 90 different kernels", "200.html",
              "And 31 more pairs, less alike or as much.");
    class_has_not("out/alike/lab6/index.html", "201.html");
    class_has("out/alike/lab6/200.html", "bytes that nothing is marked in]", "<mark>");
}

static void tasks_are_not_compared(void **state) {
    class_files("in/ann/lab0/task01-launch.cu", own_one, "in/bob/lab0/task01-launch.cu", own_disguised,
                "in/eve/lab0/task01-launch.cu", own_one);
    char *grades = grades_of("lab0");
    assert_has(grades, "eve,lab0,");
    assert_has_not(grades, "Its kernel is");
    assert_false(class_is_there("out/alike/lab0/index.html"));
}

static void the_threshold_is_the_policys(void **state) {
    class_kernels("ann", own_one, "bob", own_disguised);
    class_policy("alike_percent = 0\n");
    assert_has_not(grades_of("lab6"), "Its kernel is like");
    class_policy("alike_percent = 50\n");
    class_grade(0, "--rescore --policy @policy.ini");
    char *first = class_read("out/grades.csv"), *page = class_read("out/alike/lab6/1.html");
    assert_has(first, "Its kernel is like that of bob: ");
    class_grade(0, "--rescore --policy @policy.ini"); /* and not twice */
    assert_string_equal(class_read("out/grades.csv"), first);
    assert_string_equal(class_read("out/alike/lab6/1.html"), page);
}

struct texts {
    const char *one, *other;
    bool same;
};

/* Whether both texts of each row have the same tokens, or the same structure, as the row says. */
static void check_texts(const struct texts *texts, size_t count, bool structure) {
    for (size_t i = 0; i < count; i++) {
        struct token *one, *other;
        size_t ones = tokens_read(texts[i].one, strlen(texts[i].one), &one),
               others = tokens_read(texts[i].other, strlen(texts[i].other), &other);
        if (structure) {
            ones = tokens_structure(one, ones);
            others = tokens_structure(other, others);
        }
        bool same = ones == others;
        for (size_t t = 0; same && t < ones; t++)
            same = one[t].code == other[t].code;
        if (same != texts[i].same)
            fail_msg("%s | %s", texts[i].one, texts[i].other);
        free(one);
        free(other);
    }
}

static void tokens_leave_out_what_is_easily_changed(void **state) {
    static const struct texts texts[] = {{"int a = 5; // x", "int  bcd=0x7f ;/* y */", true},
                                         {"if (a) { b(); }", "if (c) d();", true},
                                         {"static const float *p;", "float *q;", true},
                                         {"#include <a.h>\n#pragma unroll\nx;", "y;", true},
                                         {"\"a\\\"b\" 'c'", "\"\" 'd'", true},
                                         {"a.x", "a.y", false},
                                         {"a + b", "a - b", false},
                                         {"for (;;)", "while (1)", false},
                                         {"/* open", "", true},
                                         {"int gr\xc3\xb6\xc3\x9f"
                                          "e;",
                                          "int a;", true},
                                         {"\"open", "\"\"", true}};
    check_texts(texts, sizeof texts / sizeof *texts, false);
}

/* What is left of an expression is what stands around it. */
static void structure_leaves_out_expressions(void **state) {
    static const struct texts texts[] = {
        {"a[i] = b * c + 1;", "a[i + Z] = (b + Z) * U * c - ~d;", true},
        {"for (int i = 0; i < n; i++) f(x);", "for (long j = Z; j + Z < 7; j++) g(x, y.z);", true},
        {"if (a) b = 1;", "while (a) b = 1;", false},
        {"a = b[1];", "a = b;", false},
        {"a = b;", "a += b;", false},
        {"a < b;", "a > b;", false},
        {"__syncthreads();", ";", false}};
    check_texts(texts, sizeof texts / sizeof *texts, true);
}

/* Of the honest kernels of the judge's tests, which one hand wrote and often from one another, only those are alike that differ
 * in comments and constants alone, or in one line. */
static void honest_kernels_are_not_alike(void **state) {
    static const char *const copies[] = {
        "lab1_crlf.cu lab1_utf8_bom.cu", "lab1_trigraphs.cu lab1_utf8_bom.cu",
        "lab5_last_block.cu lab5_wrong_last_block_once.cu", "lab5_minmax_read_back.cu lab5_wrong_pitch.cu",
        "lab9_two_warps.cu lab9_wrong_tail.cu", "lab6_wrong_beta_zero.cu lab6_wrong_row_major.cu",
        /* one written from the other, with another memory, another stream or another byte order */
        "lab10_default_stream.cu lab10_wrong_byte_order.cu", "lab10_pageable.cu lab10_wrong_byte_order.cu",
        "lab10_default_stream.cu lab10_pageable.cu", "lab10_pageable.cu lab10_wrong_no_wait_for_frames.cu",
        "lab10_default_stream.cu lab10_wrong_no_wait_for_frames.cu",
        "lab10_wrong_byte_order.cu lab10_wrong_no_wait_for_frames.cu"};
    struct gradebook book;
    struct alike alike;
    char honest[PATH_SIZE], path[PATH_SIZE], store[PATH_SIZE], error[TEXT_ERROR], sha256[KERNEL_SHA256],
        pair[256], lab[16];
    size_t length, pairs = 0;
    unsigned kernels = 0;
    class_honest("honest");
    path_join(honest, folder, "honest");
    DIR *directory = opendir(honest);
    assert_non_null(directory);
    assert_true(gradebook_open(&book, out) && path_join(store, out, "kernels"));
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (strncmp(entry->d_name, "lab", 3) != 0)
            continue;
        snprintf(lab, sizeof lab, "%.*s", (int)strcspn(entry->d_name, "_"), entry->d_name);
        path_join(path, honest, entry->d_name);
        FREED char *text = file_read(path, KERNEL_LIMIT, &length, error, sizeof error);
        assert_non_null(text);
        kernel_sha256((const uint8_t *)text, length, sha256);
        assert_true(kernel_store_put(store, (const uint8_t *)text, length, sha256, error, sizeof error));
        assert_true(gradebook_do(&book, "INSERT INTO submissions(student, lab, sha256) VALUES(?, ?, ?)",
                                 "sss", entry->d_name, lab, sha256));
        kernels++;
    }
    closedir(directory);
    assert_true(kernels > 50);
    for (unsigned number = 1; number <= 10; number++) {
        snprintf(lab, sizeof lab, "lab%u", number);
        assert_true(alike_find(&book, ".", lab, 70, &alike));
        pairs += alike.pair_count;
        for (size_t p = 0; p < alike.pair_count; p++) {
            const char *one = alike.kernels[alike.pairs[p].one].students[0],
                       *other = alike.kernels[alike.pairs[p].other].students[0];
            bool known = false, in_order = strcmp(one, other) < 0;
            snprintf(pair, sizeof pair, "%s %s", in_order ? one : other, in_order ? other : one);
            for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
                known = known || strcmp(copies[i], pair) == 0;
            if (!known)
                fail_msg("%s: %u %%", pair, alike.pairs[p].percent);
        }
        alike_free(&alike);
    }
    assert_true(pairs > 0);
    gradebook_close(&book);
}

/* The guarantee of winnowing: whoever shares WINNOW_RUN + WINNOW_WINDOW - 1 tokens in a row shares a fingerprint. */
static void a_long_common_run_has_a_common_fingerprint(void **state) {
    enum { RUN = WINNOW_RUN + WINNOW_WINDOW - 1, ALL = 200 };
    struct token one[ALL], other[ALL];
    uint32_t random = 12345;
    for (int trial = 0; trial < 50; trial++) {
        for (int i = 0; i < ALL; i++) {
            one[i].code = (random = random * 1664525 + 1013904223) >> 8;
            other[i].code = (random = random * 1664525 + 1013904223) >> 8;
        }
        memcpy(&other[(trial * 7) % (ALL - RUN)], &one[(trial * 13) % (ALL - RUN)], RUN * sizeof *one);
        struct fingerprint *mine, *theirs;
        size_t mines = winnow(one, ALL, WINNOW_RUN, &mine), others = winnow(other, ALL, WINNOW_RUN, &theirs),
               common = 0;
        assert_true(mines > 0 && mines < ALL / 2);
        for (size_t a = 0; a < mines; a++)
            for (size_t b = 0; b < others; b++)
                common += mine[a].hash == theirs[b].hash;
        assert_true(common >= 1);
        free(mine);
        free(theirs);
    }
}

TESTS(UNIT(tokens_leave_out_what_is_easily_changed), UNIT(structure_leaves_out_expressions),
      UNIT(a_long_common_run_has_a_common_fingerprint),
      cmocka_unit_test_setup_teardown(honest_kernels_are_not_alike, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(a_disguise_is_seen_through, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(what_all_have_does_not_count, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(pages_have_an_end, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(tasks_are_not_compared, set_up, class_tear_down),
      cmocka_unit_test_setup_teardown(the_threshold_is_the_policys, set_up, class_tear_down))
