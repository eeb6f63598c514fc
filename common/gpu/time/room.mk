## Any CUDA program (built by nvcc -cudart shared)
# make occupancy THREADS=256 REGISTERS=40 SHARED=8K [GPU=h200]
#                      warps of such a kernel that an SM holds, and why

.PHONY: occupancy
occupancy: $(BUILD)/bin/occupancy
	@$(if $(THREADS),,echo 'usage: make occupancy THREADS=256 [REGISTERS=32] [SHARED=0] [GPU=h200]'; exit 2;) \
	$< --gpu $(or $(GPU),h200) $(THREADS) $(or $(REGISTERS),32) $(or $(SHARED),0)

# its suite runs the command
time_TEST_NEEDS := $(BUILD)/bin/occupancy

# The error of the modelled time by set of the validation kernels, in ACCURACY.md.
.PHONY: accuracy
accuracy:
	@$(MAKE) --no-print-directory compare-times HELD=1 >/dev/null
	@common/tools/accuracy-table $(BUILD)/TIMES.md common/gpu/time/validation/h200.csv >$(BUILD)/accuracy.md
	@sed -i -e '/^| set | kernels /r $(BUILD)/accuracy.md' -e '/^| set | kernels /,/^| eighth/d' common/gpu/time/ACCURACY.md

# Microbenchmarks on this machine's GPU, and a model file: what they do not measure is taken over from MODEL.
CALIBRATION          := common/gpu/time/calibration
CALIBRATION_PROGRAMS := $(patsubst $(CALIBRATION)/%.cu,$(BUILD)/calibration/%,$(sort $(wildcard $(CALIBRATION)/*.cu)))

$(CALIBRATION_PROGRAMS): $(BUILD)/calibration/%: $(CALIBRATION)/%.cu $(CALIBRATION)/calibration.h $(NVCC_STAMP)
	@mkdir -p $(@D)
	$(call say,nvcc,$<)
	$(QUIET)$(NVCC) -O3 -arch=$(or $(ARCH),native) -cudart shared -o $@ $<

.PHONY: calibrate
calibrate: $(CALIBRATION_PROGRAMS)
	@common/tools/calibrate $(BUILD)/calibration >$(BUILD)/calibration.csv.new && \
	    mv $(BUILD)/calibration.csv.new $(BUILD)/calibration.csv
	@common/tools/calibrated-model common/gpu/models/$(or $(MODEL),h200).ini $(BUILD)/calibration.csv >$(BUILD)/calibrated.ini
	@echo "$(BUILD)/calibration.csv: what was measured; $(BUILD)/calibrated.ini: the model"
