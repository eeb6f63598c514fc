## The kit itself
# make compare-counters  build/COUNTERS.md: the simulator's beside ncu's
# make compare-times   the time model's error: build/TIMES.md [HELD=1]
# make record-validation  on a GPU: what the kernels of that comparison take
# make calibrate       on a GPU: a model file [MODEL=h200 ARCH=native]

# A line "# Simulator: make labN-steps ..." of every recording says what to run on the simulator.
# test_compared of the room nsys reads two of them.
nsys_TEST_NEEDS = $(call unpacked,recordings)

RECORDINGS := $(sort $(wildcard solutions/recordings/*.csv))

.PHONY: compare-counters
compare-counters: $(BUILD)/bin/compare-counters
	@pairs=; for recording in $(RECORDINGS); do \
	    target=$$(sed -n 's/^# Simulator: make \(lab[0-9]*-steps [A-Za-z0-9= ]*\)$$/\1/p' $$recording); \
	    [ -n "$$target" ] || { echo "$$recording: no line '# Simulator: make labN-steps ...'" >&2; exit 1; }; \
	    $(MAKE) --no-print-directory $$target || exit 1; \
	    steps=$(BUILD)/$$(basename $$recording .csv).json; \
	    mv $(BUILD)/$${target%%-*}/steps.json $$steps || exit 1; \
	    pairs="$$pairs $$recording $$steps"; \
	done; \
	$< --check $$pairs >$(BUILD)/COUNTERS.md; status=$$?; echo $(BUILD)/COUNTERS.md; exit $$status

# The validation set: programs for fitting the time model, and programs held back. Those in its folder run
# in `make test`; the others are packed (common/archives/validation.list). A program in the folder comes
# before one of the same name in the archive.
VALIDATION          := common/gpu/time/validation
VALIDATION_PLAIN    := $(sort $(wildcard $(VALIDATION)/*.cu))
VALIDATION_PACKED   := $(filter-out $(notdir $(VALIDATION_PLAIN)),$(shell sed -n 's/^[^ ]*  \(.*\.cu\)$$/\1/p' $(wildcard common/archives/validation.list) /dev/null))
VALIDATION_PACKED   := $(VALIDATION_PACKED:%=$(UNPACKED)/validation/%)
VALIDATION_PROGRAMS := $(sort $(patsubst %.cu,$(BUILD)/validation/%,$(notdir $(VALIDATION_PLAIN) $(VALIDATION_PACKED))))
VALIDATION_SPLIT    := $(BUILD)/validation/split.csv

$(VALIDATION_PACKED): $(call unpacked,validation)
	@:

.PHONY: validation-programs record-validation
validation-programs: $(VALIDATION_PROGRAMS)
$(patsubst $(VALIDATION)/%.cu,$(BUILD)/validation/%,$(VALIDATION_PLAIN)): $(BUILD)/validation/%: $(VALIDATION)/%.cu
$(patsubst %.cu,$(BUILD)/validation/%,$(notdir $(VALIDATION_PACKED))): $(BUILD)/validation/%: $(UNPACKED)/validation/%.cu
$(VALIDATION_PROGRAMS): $(VALIDATION)/validation.h $(NVCC_STAMP)
	@mkdir -p $(@D)
	$(call say,nvcc,$(filter %.cu,$^))
	$(QUIET)$(NVCC) -O3 -lineinfo -arch=sm_90 -cudart shared -I$(VALIDATION) -o $@ $(filter %.cu,$^)

record-validation: validation-programs
	@common/tools/record-validation $(BUILD)/validation >$(BUILD)/validation.csv.new && \
	    mv $(BUILD)/validation.csv.new $(BUILD)/validation.csv && echo "$(BUILD)/validation.csv: to be kept as $(VALIDATION)/GPU.csv"

# The names of programs say which kernels are held back.
$(VALIDATION_SPLIT): $(VALIDATION_PLAIN) $(VALIDATION_PACKED) common/tools/split-validation
	@mkdir -p $(@D) && common/tools/split-validation $(VALIDATION_PLAIN) $(VALIDATION_PACKED) >$@

VALIDATION_REPORTS := $(VALIDATION_PROGRAMS:=.json)
$(VALIDATION_REPORTS): %.json: % $(BUILD)/bin/simgpu $(BUILD)/bin/run-report $(wildcard common/gpu/models/*.ini) | simulated-gpu
	$(call say,run,$<)
	@rm -f $<.launches && \
	LD_LIBRARY_PATH=$(BUILD)/lib/cuda SIMGPU_REPORT=$<.launches TIME_MODEL=code GPU=h200 $< && \
	$(BUILD)/bin/run-report $<.launches --gpu h200 --program $< --status 0 --toolkit unknown --output $@ >/dev/null

# It fails above a mean error of 8 %.
.PHONY: compare-times
compare-times: $(BUILD)/bin/compare-times $(VALIDATION_REPORTS) $(VALIDATION_SPLIT)
	@$< --check 8 $(if $(filter 1,$(HELD)),--held) $(VALIDATION)/h200.csv $(VALIDATION_SPLIT) $(VALIDATION_REPORTS) >$(BUILD)/TIMES.md; \
	status=$$?; $(if $(filter 1,$(HELD)),cat $(BUILD)/TIMES.md,echo $(BUILD)/TIMES.md); exit $$status

# The tests compare the programs in the folder if there is the nvcc whose machine code was recorded.
VALIDATION_TESTED := $(if $(SANITIZE),,$(VALIDATION_PLAIN:$(VALIDATION)/%.cu=$(BUILD)/validation/%.json))
report_TEST_NEEDS := $(VALIDATION_SPLIT) $(BUILD)/bin/compare-times $(if $(VALIDATION_TESTED),validation-tested)
.PHONY: validation-tested
validation-tested: $(NVCC_STAMP) $(BUILD)/bin/simgpu $(BUILD)/bin/run-report simulated-gpu # before the make within
	+@! common/tools/find-cuda version 2>/dev/null | grep -q '^13\.' || $(MAKE) -s $(VALIDATION_TESTED)
