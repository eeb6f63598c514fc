# make compare-counters: the simulator's counters beside those that ncu recorded on an H200, to solutions/COUNTERS.md.
# It needs the steps of lab 3 (all steps), run on the simulated H200 at the recording's size.
RECORDING := solutions/recordings/h200-2560x1600.csv

.PHONY: compare-counters
compare-counters: $(BUILD)/bin/compare-counters
	@$(MAKE) --no-print-directory lab3-steps DEVICE=sim GPU=h200 SIZE=2560x1600
	@$< --check $(RECORDING) $(BUILD)/lab3/steps.json >$(BUILD)/COUNTERS.md.new; status=$$?; \
	mv $(BUILD)/COUNTERS.md.new solutions/COUNTERS.md; exit $$status
