# simt: code compiled once for each width of the host's vectors, and the benchmark.

## The kit itself
# make bench-sim       how fast the simulator is
# make bench-code      what the analysis of machine code takes

# Code that runs in every lane is compiled three times for x86-64, for each width of the host's vectors;
# compute/select.c picks a copy at run time. The baseline copy is for machines without AVX2, and
# compiled fast rather than well. On other machines, as aarch64 with NEON, it is the only copy. -fno-trapping-math and -fno-math-errno let loops become vector code;
# the last two options unroll a handler's loops whole. Results do not change.
simt_COMPUTE := $(filter-out %/select.c,$(wildcard common/gpu/simt/compute/*.c))
simt_WIDE    := $(simt_COMPUTE) common/gpu/simt/access/access_hot.c
simt_COMPUTE_FLAGS := -fno-trapping-math -fno-math-errno
simt_VECTOR_FLAGS  := -O3 -fno-tree-loop-distribute-patterns --param max-completely-peeled-insns=2000
ifdef SANITIZE # unrolled, the checks in every lane would take minutes to compile
simt_VECTOR_FLAGS := -O1
endif
ifeq ($(MACHINE),x86_64)
simt_V3_OBJECTS := $(simt_WIDE:%.c=$(BUILD)/obj/%.v3.o)
simt_V4_OBJECTS := $(simt_WIDE:%.c=$(BUILD)/obj/%.v4.o)
simt_BASELINE_FLAGS := -O1
else
simt_BASELINE_FLAGS = $(simt_FLAGS)
endif

$(BUILD)/obj/common/gpu/simt/control/warp.o $(BUILD)/obj/common/gpu/simt/memory/cache.o: ALL_CFLAGS += -O3
$(simt_WIDE:%.c=$(BUILD)/obj/%.o): ALL_CFLAGS += $(simt_BASELINE_FLAGS)
$(simt_V3_OBJECTS): simt_VARIANT := -march=x86-64-v3 -DSIMT_VARIANT=v3
$(simt_V4_OBJECTS): simt_VARIANT := -march=x86-64-v4 -mprefer-vector-width=512 -DSIMT_VARIANT=v4
$(BUILD)/obj/common/gpu/simt/access/access_hot.%: simt_FLAGS := -O3
$(BUILD)/obj/common/gpu/simt/compute/%: simt_FLAGS := $(simt_VECTOR_FLAGS)
$(simt_COMPUTE:%.c=$(BUILD)/obj/%.o) $(simt_COMPUTE:%.c=$(BUILD)/obj/%.v3.o) $(simt_COMPUTE:%.c=$(BUILD)/obj/%.v4.o): ALL_CFLAGS += $(simt_COMPUTE_FLAGS)

$(simt_V3_OBJECTS): $(BUILD)/obj/%.v3.o: %.c $(CC_STAMP)
$(simt_V4_OBJECTS): $(BUILD)/obj/%.v4.o: %.c $(CC_STAMP)
$(simt_V3_OBJECTS) $(simt_V4_OBJECTS):
	@mkdir -p $(@D)
	$(call say,cc,$@)
	$(QUIET)$(CC) $(ALL_CFLAGS) $(simt_FLAGS) $(simt_VARIANT) -c -o $@ $<

$(BUILD)/lib/libsimt.a: $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard common/gpu/simt/compute/*.c)) $(simt_V3_OBJECTS) $(simt_V4_OBJECTS)

simt_TEST_NEEDS = $(call unpacked,instructions)

BENCH_KERNELS := $(BUILD)/bench/kernels.ptx
.PHONY: bench-sim
$(BENCH_KERNELS): common/gpu/simt/bench/kernels.cu
	@mkdir -p $(@D)
	$(call say,nvcc,$<)
	$(QUIET)$(NVCC) -O3 -arch=compute_75 -ptx -o $@ $<
bench-sim: $(BUILD)/bin/bench-sim $(BENCH_KERNELS)
	@$(BUILD)/bin/bench-sim $(BENCH_KERNELS) $(BUILD)/bench-sim.csv common/gpu/simt/bench/bench-history.csv

# bench-code belongs to the room runtime. The machine code is made of the PTX text, so that its lines are the text's.
BENCH_CODE := $(BUILD)/bench/code
.PHONY: bench-code
$(BENCH_CODE)/%.ptx: common/gpu/simt/bench/%.cu
	@mkdir -p $(@D)
	$(QUIET)$(NVCC) -O3 -lineinfo -arch=compute_90 -ptx -o $@ $<
$(BENCH_CODE)/%.ptx: common/gpu/runtime/bench/%.cu
	@mkdir -p $(@D)
	$(QUIET)$(NVCC) -O3 -lineinfo -arch=compute_90 -ptx -o $@ $<
$(BENCH_CODE)/%.cubin: $(BENCH_CODE)/%.ptx
	$(call say,nvcc,$@)
	$(QUIET)$(NVCC) -lineinfo -arch=sm_90 -cubin -o $@ $<
.PRECIOUS: $(BENCH_CODE)/%.ptx
bench-code: $(BUILD)/bin/bench-code $(BENCH_CODE)/kernels.cubin $(BENCH_CODE)/large.cubin
	@$(BUILD)/bin/bench-code $(BENCH_CODE)/kernels $(BENCH_CODE)/large $(BUILD)/bench-code.json
