## The kit itself
# make compare-counters  solutions/COUNTERS.md: the simulator's beside ncu's

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
