# The loads and stores of access_hot.c are compiled three times, as compute.mk does with the arithmetic.
simt_ACCESS_FLAGS := -O3
$(BUILD)/obj/common/simt/access_hot.o: ALL_CFLAGS += $(simt_ACCESS_FLAGS)
$(BUILD)/obj/common/simt/access_hot.v3.o: common/simt/access_hot.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(simt_ACCESS_FLAGS) -march=x86-64-v3 -DSIMT_VARIANT=v3 -c -o $@ $<
$(BUILD)/obj/common/simt/access_hot.v4.o: common/simt/access_hot.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(simt_ACCESS_FLAGS) -march=x86-64-v4 -mprefer-vector-width=512 -DSIMT_VARIANT=v4 -c -o $@ $<
$(BUILD)/lib/libsimt.a: $(BUILD)/obj/common/simt/access_hot.v3.o $(BUILD)/obj/common/simt/access_hot.v4.o
