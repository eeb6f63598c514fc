# make run PROG='./a.out args'                      any CUDA program (nvcc -cudart shared) on the simulated GPU; then what
#                                                   its kernels did
# make run PROG='./a.out args' REPORT=report.json   the same as a report document, every launch in order
# GPU=h200|a100|t4|gtx980  STRICT=0|1  RACES=0|1
# Without make: LD_LIBRARY_PATH=build/lib/cuda ./a.out

RUN_REPORT := $(BUILD)/bin/run-report

.PHONY: run
# By the environment, so that quotes in PROG stay what they are.
run: export RUN_PROGRAM = $(PROG)
run: export RUN_OUTPUT = $(REPORT)
run: simulated-gpu $(RUN_REPORT)
	@if [ -z "$$RUN_PROGRAM" ]; then \
	    echo "make run: which program? make run PROG='./a.out args' [REPORT=report.json]" >&2; exit 2; fi; \
	folder=$$(mktemp -d) || exit 1; \
	trap 'rm -rf "$$folder"' EXIT; \
	LD_LIBRARY_PATH="$(abspath $(BUILD))/lib/cuda$${LD_LIBRARY_PATH:+:$$LD_LIBRARY_PATH}" \
	    SIMGPU_REPORT="$$folder/launches" GPU="$(or $(GPU),h200)" $(if $(STRICT),STRICT=$(STRICT)) \
	    $(if $(RACES),RACES=$(RACES)) bash -c "$$RUN_PROGRAM"; \
	status=$$?; \
	$(RUN_REPORT) "$$folder/launches" --gpu "$(or $(GPU),h200)" --program "$$RUN_PROGRAM" --status $$status \
	    --toolkit "$$(common/tools/find-cuda version 2>/dev/null || echo unknown)" $${RUN_OUTPUT:+--output "$$RUN_OUTPUT"} || exit 1; \
	exit $$status
