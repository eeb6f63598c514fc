# simt: code compiled once for each width of the host's vectors, and the benchmark.

## The kit itself
# make bench-sim       how fast the simulator is

# The handlers of compute_*.c are compiled three times; compute_select.c picks one at run time. The plain object is the
# baseline copy: for machines without AVX2, so short to compile rather than fast.
# -fno-trapping-math and -fno-math-errno let loops become vector code; the last two let the compiler unroll a handler's
# loops whole, so that its local arrays are registers. Results do not change.
simt_COMPUTE := $(filter-out common/simt/compute_select.c,$(wildcard common/simt/compute_*.c))
simt_COMPUTE_FLAGS := -fno-trapping-math -fno-math-errno
simt_VECTOR_FLAGS := -O3 -fno-tree-loop-distribute-patterns --param max-completely-peeled-insns=2000
ifdef SANITIZE # checks in every lane: unrolling them would take minutes to compile
simt_VECTOR_FLAGS := -O1
endif
simt_V3_OBJECTS := $(simt_COMPUTE:%.c=$(BUILD)/obj/%.v3.o)
simt_V4_OBJECTS := $(simt_COMPUTE:%.c=$(BUILD)/obj/%.v4.o)

$(simt_COMPUTE:%.c=$(BUILD)/obj/%.o): ALL_CFLAGS += -O1 $(simt_COMPUTE_FLAGS)
$(simt_V3_OBJECTS): simt_VARIANT := -march=x86-64-v3 -DSIMT_VARIANT=v3
$(simt_V4_OBJECTS): simt_VARIANT := -march=x86-64-v4 -mprefer-vector-width=512 -DSIMT_VARIANT=v4

$(simt_V3_OBJECTS): $(BUILD)/obj/%.v3.o: %.c $(CC_STAMP)
$(simt_V4_OBJECTS): $(BUILD)/obj/%.v4.o: %.c $(CC_STAMP)
$(simt_V3_OBJECTS) $(simt_V4_OBJECTS):
	@mkdir -p $(@D)
	$(call say,cc,$@)
	$(QUIET)$(CC) $(ALL_CFLAGS) $(simt_COMPUTE_FLAGS) $(simt_VECTOR_FLAGS) $(simt_VARIANT) -c -o $@ $<

$(BUILD)/lib/libsimt.a: $(simt_V3_OBJECTS) $(simt_V4_OBJECTS)

# The loads and stores of access_hot.c are compiled three times, as the arithmetic is: fast for AVX2 and
# AVX-512, quick to compile for the machines before them.
simt_ACCESS_FLAGS := -O3
simt_ACCESS_OBJECTS := $(BUILD)/obj/common/simt/access_hot.v3.o $(BUILD)/obj/common/simt/access_hot.v4.o
$(BUILD)/obj/common/simt/access_hot.o: ALL_CFLAGS += -O1
$(BUILD)/obj/common/simt/warp.o: ALL_CFLAGS += $(simt_ACCESS_FLAGS)
$(BUILD)/obj/common/simt/access_hot.v3.o: simt_VARIANT := -march=x86-64-v3 -DSIMT_VARIANT=v3
$(BUILD)/obj/common/simt/access_hot.v4.o: simt_VARIANT := -march=x86-64-v4 -mprefer-vector-width=512 -DSIMT_VARIANT=v4
$(simt_ACCESS_OBJECTS): common/simt/access_hot.c $(CC_STAMP)
	@mkdir -p $(@D)
	$(call say,cc,$@)
	$(QUIET)$(CC) $(ALL_CFLAGS) $(simt_ACCESS_FLAGS) $(simt_VARIANT) -c -o $@ $<
$(BUILD)/lib/libsimt.a: $(simt_ACCESS_OBJECTS)

BENCH_KERNELS := $(BUILD)/bench/kernels.ptx
.PHONY: bench-sim
$(BENCH_KERNELS): common/simt/bench/kernels.cu
	@mkdir -p $(@D)
	$(call say,nvcc,$<)
	$(QUIET)$(NVCC) -O3 -arch=compute_75 -ptx -o $@ $<
bench-sim: $(BUILD)/bin/bench-sim $(BENCH_KERNELS)
	@$(BUILD)/bin/bench-sim $(BENCH_KERNELS) $(BUILD)/bench-sim.json
