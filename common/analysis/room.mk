## The kit itself
# make compare-counters  solutions/COUNTERS.md: the simulator's beside ncu's
# make compare-times   the time model's error: validation/TIMES.md [HELD=1]
# make record-validation  on a GPU: what the kernels of that comparison take
# make calibrate       on a GPU: a model file [MODEL=h200 ARCH=native]

# Every recording says in a line "# Simulator: make labN-steps ..." what to run for the other side.
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
	$< --check $$pairs >$(BUILD)/COUNTERS.md.new; status=$$?; \
	mv $(BUILD)/COUNTERS.md.new solutions/COUNTERS.md; exit $$status

# The validation set: what the time model is fitted on, and what it is held against.
VALIDATION          := common/gpus/validation
VALIDATION_PROGRAMS := $(patsubst $(VALIDATION)/%.cu,$(BUILD)/validation/%,$(sort $(wildcard $(VALIDATION)/*.cu)))

.PHONY: validation-programs record-validation
validation-programs: $(VALIDATION_PROGRAMS)
$(VALIDATION_PROGRAMS): $(BUILD)/validation/%: $(VALIDATION)/%.cu $(VALIDATION)/validation.h $(NVCC_STAMP)
	@mkdir -p $(@D)
	$(call say,nvcc,$<)
	$(QUIET)$(NVCC) -O3 -lineinfo -arch=sm_90 -cudart shared -o $@ $<

record-validation: validation-programs
	@common/tools/record-validation $(BUILD)/validation >$(BUILD)/validation.csv.new && \
	    mv $(BUILD)/validation.csv.new $(BUILD)/validation.csv && echo "$(BUILD)/validation.csv: to be kept as $(VALIDATION)/GPU.csv"

# Which kernels are held back: by the names of their programs.
$(VALIDATION)/split.csv: $(wildcard $(VALIDATION)/*.cu) common/tools/split-validation
	@common/tools/split-validation $(sort $(wildcard $(VALIDATION)/*.cu)) >$@

VALIDATION_REPORTS := $(VALIDATION_PROGRAMS:=.json)
$(VALIDATION_REPORTS): %.json: % $(BUILD)/bin/simgpu $(BUILD)/bin/run-report $(wildcard common/gpus/*.ini) | simulated-gpu
	$(call say,run,$<)
	@rm -f $<.launches && \
	LD_LIBRARY_PATH=$(BUILD)/lib/cuda SIMGPU_REPORT=$<.launches TIME_MODEL=code GPU=h200 $< && \
	$(BUILD)/bin/run-report $<.launches --gpu h200 --program $< --status 0 --toolkit unknown --output $@ >/dev/null

.PHONY: compare-times
compare-times: $(BUILD)/bin/compare-times $(VALIDATION_REPORTS) $(VALIDATION)/split.csv
	@$< $(if $(filter 1,$(HELD)),--held) $(VALIDATION)/h200.csv $(VALIDATION)/split.csv $(VALIDATION_REPORTS) >$(BUILD)/TIMES.md
	@$(if $(filter 1,$(HELD)),cat $(BUILD)/TIMES.md,mv $(BUILD)/TIMES.md $(VALIDATION)/TIMES.md)
