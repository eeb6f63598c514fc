## Any CUDA program (built by nvcc -cudart shared)
# make occupancy THREADS=256 REGISTERS=40 SHARED=8K [GPU=h200]
#                      warps of such a kernel that an SM holds, and why

.PHONY: occupancy
occupancy: $(BUILD)/bin/occupancy
	@$(if $(THREADS),,echo 'usage: make occupancy THREADS=256 [REGISTERS=32] [SHARED=0] [GPU=h200]'; exit 2;) \
	$< --gpu $(or $(GPU),h200) $(THREADS) $(or $(REGISTERS),32) $(or $(SHARED),0)

# its suite runs the command
gpus_TEST_NEEDS := $(BUILD)/bin/occupancy
