## The kit itself
# make bench-code      what the analysis of machine code takes

# Of cudart, whose own fragment opens the help: the kit itself comes last there. The text first, and the machine code of it: then
# its lines are those of the text.
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
