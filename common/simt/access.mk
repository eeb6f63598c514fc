# The loads and stores of access_hot.c are compiled three times, as compute.mk does with the arithmetic: fast for AVX2 and
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
