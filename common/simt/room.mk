include common/simt/compute.mk
include common/simt/access.mk

# How fast the simulator is: make bench-sim
BENCH_KERNELS := $(BUILD)/bench/kernels.ptx
.PHONY: bench-sim
$(BENCH_KERNELS): common/simt/bench/kernels.cu
	@mkdir -p $(@D)
	$(call say,nvcc,$<)
	$(QUIET)$(NVCC) -O3 -arch=compute_75 -ptx -o $@ $<
bench-sim: $(BUILD)/bin/bench-sim $(BENCH_KERNELS)
	@$(BUILD)/bin/bench-sim $(BENCH_KERNELS) $(BUILD)/bench-sim.json
