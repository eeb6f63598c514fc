## Any CUDA program (built by nvcc -cudart shared)
# make occupancy THREADS=256 REGISTERS=40 SHARED=8K [GPU=h200]
#                      warps of such a kernel that an SM holds, and why
# make public-kernels FOLDER=programs
#                      modelled times of public programs beside an H200's
#                      [HELD=1] [DEVICE=cuda]

.PHONY: occupancy
occupancy: $(BUILD)/bin/occupancy
	@$(if $(THREADS),,echo 'usage: make occupancy THREADS=256 [REGISTERS=32] [SHARED=0] [GPU=h200]'; exit 2;) \
	$< --gpu $(or $(GPU),h200) $(THREADS) $(or $(REGISTERS),32) $(or $(SHARED),0)

# its suites run the command, and read what was recorded
time_TEST_NEEDS = $(BUILD)/bin/occupancy $(call unpacked,recordings)

# Programs that other people wrote, built by whoever has them: on the simulated GPU beside a recording, or recorded.
PUBLIC := common/gpu/time/public
ifeq ($(DEVICE),cuda)
public-kernels:
else
public-kernels: simulated-gpu
endif
	@$(if $(FOLDER),,echo 'usage: make public-kernels FOLDER=programs ($(PUBLIC)/README.md)'; exit 2)
ifeq ($(DEVICE),cuda)
	@common/tools/public-kernels record '$(FOLDER)' >$(BUILD)/public.csv.new && mv $(BUILD)/public.csv.new $(BUILD)/public.csv
	@echo "$(BUILD)/public.csv: to be kept as $(PUBLIC)/GPU.csv"
else
	@SIMGPU_PTXAS="$${SIMGPU_PTXAS-$$(common/tools/find-cuda tool ptxas 2>/dev/null)}" BUILD=$(BUILD) \
	    common/tools/public-kernels simulate '$(FOLDER)' >$(BUILD)/modelled.csv.new && mv $(BUILD)/modelled.csv.new $(BUILD)/modelled.csv
	@common/tools/public-kernels table $(PUBLIC)/$(or $(GPU),h200).csv $(BUILD)/modelled.csv $(if $(filter 1,$(HELD)),,fit) >$(BUILD)/PUBLIC.md
	@cat $(BUILD)/PUBLIC.md; echo "$(BUILD)/modelled.csv: to be kept as $(PUBLIC)/modelled-$(or $(GPU),h200).csv"
endif
.PHONY: public-kernels

# The tables of both ACCURACY.md and the bands: the public kernels as last modelled, and the validation set by what is built.
.PHONY: accuracy
accuracy:
	@$(MAKE) --no-print-directory compare-times HELD=1 >/dev/null
	@common/tools/accuracy-table $(BUILD)/TIMES.md common/gpu/time/validation/h200.csv >$(BUILD)/accuracy.md
	@sed -i -e '/^| set | kernels /r $(BUILD)/accuracy.md' -e '/^| set | kernels /,/^| eighth/d' common/gpu/time/ACCURACY.md
	@sed -n '1,2p; /^| all/p; /^| eighth/p' $(BUILD)/accuracy.md >$(BUILD)/accuracy-sets.md
	@common/tools/public-kernels table $(PUBLIC)/h200.csv $(PUBLIC)/modelled-h200.csv >$(BUILD)/accuracy-public.md
	@common/tools/public-kernels bands $(PUBLIC)/h200.csv $(PUBLIC)/modelled-h200.csv | while IFS= read -r line; do \
	    sed -i "s/^$${line%% *} = .*/$$line/" common/gpu/models/h200.ini; done
	@{ common/tools/public-kernels table $(PUBLIC)/h100.csv $(PUBLIC)/modelled-h100.csv | sed '/^$$/,$$d' && echo && \
	   common/tools/public-kernels cards $(foreach card,h100 h200,$(PUBLIC)/$(card).csv $(PUBLIC)/modelled-$(card).csv); } \
	    >$(BUILD)/accuracy-cards.md
	@for table in sets public cards; do \
	    sed -i -e "/^<!-- $$table -->/,/^<!-- end -->/{//!d}" -e "/^<!-- $$table -->/r $(BUILD)/accuracy-$$table.md" ACCURACY.md; done

# Microbenchmarks on this machine's GPU, and a model file: what they do not measure is taken over from MODEL. They are packed;
# a new one is tried in the folder, before `make pack ARCHIVE=recordings`.
CALIBRATION          := common/gpu/time/calibration
CALIBRATION_PACKED   := $(shell sed -n 's,.*  calibration/\(.*\)\.cu$$,\1,p' $(wildcard common/archives/recordings.list) /dev/null)
CALIBRATION_PROGRAMS := $(addprefix $(BUILD)/calibration/,$(sort $(CALIBRATION_PACKED) $(basename $(notdir $(wildcard $(CALIBRATION)/*.cu)))))

$(CALIBRATION_PROGRAMS): $(CALIBRATION)/calibration.h $(call unpacked,recordings) $(NVCC_STAMP)
	@mkdir -p $(@D)
	$(call say,nvcc,$@)
	$(QUIET)$(NVCC) -O3 -arch=$(or $(ARCH),native) -cudart shared -I$(CALIBRATION) -o $@ \
	    $(firstword $(wildcard $(CALIBRATION)/$(@F).cu) $(UNPACKED)/recordings/calibration/$(@F).cu)

.PHONY: calibrate
calibrate: $(CALIBRATION_PROGRAMS)
	@common/tools/calibrate $(BUILD)/calibration >$(BUILD)/calibration.csv.new && \
	    mv $(BUILD)/calibration.csv.new $(BUILD)/calibration.csv
	@common/tools/calibrated-model common/gpu/models/$(or $(MODEL),h200).ini $(BUILD)/calibration.csv >$(BUILD)/calibrated.ini
	@echo "$(BUILD)/calibration.csv: what was measured; $(BUILD)/calibrated.ini: the model"
