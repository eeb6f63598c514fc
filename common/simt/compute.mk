# The handlers of compute_*.c are compiled three times; compute_select.c picks one at run time. The plain object is the
# baseline copy. -fno-trapping-math and -fno-math-errno let loops become vector code; the other two let the compiler unroll
# a handler's loops whole, so that its local arrays are registers. Results do not change.
simt_COMPUTE := $(filter-out common/simt/compute_select.c,$(wildcard common/simt/compute_*.c))
simt_COMPUTE_FLAGS := -O3 -fno-trapping-math -fno-math-errno -fno-tree-loop-distribute-patterns \
	--param max-completely-peeled-insns=2000
simt_VARIANT_OBJECTS := $(foreach v,v3 v4,$(simt_COMPUTE:%.c=$(BUILD)/obj/%.$v.o))

$(simt_COMPUTE:%.c=$(BUILD)/obj/%.o): ALL_CFLAGS += $(simt_COMPUTE_FLAGS)

$(BUILD)/obj/common/simt/compute_%.v3.o: common/simt/compute_%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(simt_COMPUTE_FLAGS) -march=x86-64-v3 -DSIMT_VARIANT=v3 -c -o $@ $<

$(BUILD)/obj/common/simt/compute_%.v4.o: common/simt/compute_%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(simt_COMPUTE_FLAGS) -march=x86-64-v4 -mprefer-vector-width=512 -DSIMT_VARIANT=v4 -c -o $@ $<

$(BUILD)/lib/libsimt.a: $(simt_VARIANT_OBJECTS)
