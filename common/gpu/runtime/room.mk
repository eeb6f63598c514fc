# common/gpu/runtime: libcudart.so for each release a program may be linked with, simgpu, and running any program on it.
#   build/lib/cudart13/libcudart.so.13 (12: libcudart.so.12, 11: libcudart.so.11.0)
#   build/lib/cuda/   links to all of them, and libcuda.so.1, which refuses: LD_LIBRARY_PATH=build/lib/cuda ./a.out
# The library needs no toolkit to build: names come from symbols/N.txt, types from client/types.h.

## Any CUDA program (built by nvcc -cudart shared)
# make run PROG='./a.out 5' [FOLDER=.] [REPORT=report.json] [GPU=t4] [RACES=1]
#     [CHECK=1] [STRICT=1]   on the simulated GPU; then what its kernels did
# make run PROG='./file.cu 5' [COMPAT=12] [FLAGS=-lcurand]   compiles it first

# COMPAT=12: puts back what CUDA 13 took from its headers, for older programs.
# REPORT: as a document, the first 1000 launches in order, the rest by kernel.
# CHECK=1 names the lines of the host's calls where the program was built with nvcc -g, too.
# Without make: LD_LIBRARY_PATH=build/lib/cuda ./a.out

CUDART_RELEASES := 11 12 13
cudart_soname_11 := libcudart.so.11.0
cudart_soname_12 := libcudart.so.12
cudart_soname_13 := libcudart.so.13
cudart_soname = $(cudart_soname_$1)

CUDART_CLIENT_SOURCES := $(sort $(wildcard common/gpu/runtime/client/*.c)) common/gpu/runtime/channel.c common/base/demangle.c common/base/wrap.c
CUDART_LIBRARIES := $(foreach n,$(CUDART_RELEASES),$(BUILD)/lib/cudart$n/$(call cudart_soname,$n) \
                      $(BUILD)/lib/cuda/$(call cudart_soname,$n)) $(BUILD)/lib/cuda/libcudart.so

# A program may be built without a sanitizer and still load this library, so it is never built with one.
# Programs that are judged can read it: it does not name the folder in which it was built.
CUDART_CLIENT_CFLAGS = $(filter-out $(SANITIZE_FLAGS),$(ALL_CFLAGS)) -fvisibility=hidden -ffile-prefix-map=$(CURDIR)=.

define cudart_release_rules
CUDART_OBJECTS_$1 := $$(CUDART_CLIENT_SOURCES:%.c=$(BUILD)/obj/cudart$1/%.o) \
                     $(BUILD)/obj/cudart$1/stubs.o $(BUILD)/obj/cudart$1/alias.o

$(BUILD)/obj/cudart$1/%.o: %.c common/gpu/runtime/room.mk $(CC_STAMP)
	@mkdir -p $$(@D)
	$$(call say,cc,$$< ($1))
	$$(QUIET)$$(CC) $$(CUDART_CLIENT_CFLAGS) -DCUDART_MAJOR=$1 -c -o $$@ $$<

$(BUILD)/gen/cudart$1/%: common/gpu/runtime/client/exports.awk common/gpu/runtime/symbols/$1.txt
	@mkdir -p $$(@D)
	@awk -v kind=$$(basename $$*) -v version=$(call cudart_soname,$1) -v also=simulated_host_work -v machine=$(MACHINE) -f $$^ > $$@

$(BUILD)/obj/cudart$1/stubs.o: $(BUILD)/gen/cudart$1/stubs.c $(CC_STAMP)
	@mkdir -p $$(@D)
	$$(QUIET)$$(CC) $$(CUDART_CLIENT_CFLAGS) -c -o $$@ $$<

$(BUILD)/obj/cudart$1/alias.o: $(BUILD)/gen/cudart$1/alias.S $(CC_STAMP)
	@mkdir -p $$(@D)
	$$(QUIET)$$(CC) -c -o $$@ $$<

$(BUILD)/lib/cudart$1/$(call cudart_soname,$1): $$(CUDART_OBJECTS_$1) $(BUILD)/gen/cudart$1/map
	@mkdir -p $$(@D)
	$$(call say,link,$$@)
	$$(QUIET)$$(CC) -shared -o $$@ $$(CUDART_OBJECTS_$1) -Wl,-soname,$(call cudart_soname,$1) \
	    -Wl,--version-script=$(BUILD)/gen/cudart$1/map -Wl,-z,defs -Wl,-Bsymbolic $(filter-out $(SANITIZE_FLAGS),$(ALL_LDFLAGS)) -ldl

$(BUILD)/lib/cuda/$(call cudart_soname,$1): $(BUILD)/lib/cudart$1/$(call cudart_soname,$1)
	@mkdir -p $$(@D)
	@ln -sfn ../cudart$1/$(call cudart_soname,$1) $$@
endef
$(foreach n,$(CUDART_RELEASES),$(eval $(call cudart_release_rules,$n)))

$(BUILD)/lib/cuda/libcudart.so: $(BUILD)/lib/cuda/libcudart.so.13
	@ln -sfn libcudart.so.13 $@

# The driver API, which is not simulated: libcuda.so.1 says so to the libraries and programs that ask for it.
CUDART_DRIVER := $(BUILD)/lib/cuda/libcuda.so.1
CUDART_DRIVER_OBJECTS := $(BUILD)/obj/cudart-driver/driver.o $(BUILD)/obj/cudart-driver/program.o $(BUILD)/obj/cudart-driver/stubs.o

$(BUILD)/gen/cudart-driver/%: common/gpu/runtime/client/exports.awk common/gpu/runtime/symbols/driver.txt
	@mkdir -p $(@D)
	@awk -v kind=$(if $(filter map,$*),map,driver) -v also=simulated_gpu_driver -f $^ > $@

$(BUILD)/obj/cudart-driver/stubs.o: $(BUILD)/gen/cudart-driver/stubs.c $(CC_STAMP)
	@mkdir -p $(@D)
	$(QUIET)$(CC) $(CUDART_CLIENT_CFLAGS) -c -o $@ $<

define cudart_driver_object
	@mkdir -p $(@D)
	$(call say,cc,$< (driver))
	$(QUIET)$(CC) $(CUDART_CLIENT_CFLAGS) -c -o $@ $<
endef
$(BUILD)/obj/cudart-driver/%.o: common/gpu/runtime/driver/%.c $(CC_STAMP)
	$(cudart_driver_object)
$(BUILD)/obj/cudart-driver/%.o: common/gpu/runtime/%.c $(CC_STAMP)
	$(cudart_driver_object)

$(CUDART_DRIVER): $(CUDART_DRIVER_OBJECTS) $(BUILD)/gen/cudart-driver/map
	@mkdir -p $(@D)
	$(call say,link,$@)
	$(QUIET)$(CC) -shared -o $@ $(CUDART_DRIVER_OBJECTS) -Wl,-soname,libcuda.so.1 -Wl,-z,nodelete \
	    -Wl,--version-script=$(BUILD)/gen/cudart-driver/map -Wl,-z,defs -Wl,-Bsymbolic $(filter-out $(SANITIZE_FLAGS),$(ALL_LDFLAGS)) -ldl

# Everything that `make run` and the harness need of this room.
.PHONY: simulated-gpu
simulated-gpu: $(CUDART_LIBRARIES) $(CUDART_DRIVER) $(BUILD)/bin/simgpu
programs: simulated-gpu

RUN_REPORT := $(BUILD)/bin/run-report
RUN_CHECK  := $(BUILD)/bin/run-check

.PHONY: run
# By the environment, so that quotes in PROG stay what they are. The shell's own words on a crash, a line with all
# this in it, are dropped (2>/dev/null): run-report says it in a sentence.
run: export RUN_PROGRAM = $(PROG)
run: export RUN_OUTPUT = $(REPORT)
run: export RUN_FOLDER = $(or $(FOLDER),.)
run: export RUN_FLAGS = $(FLAGS)
run: simulated-gpu $(RUN_REPORT) $(RUN_CHECK)
	@if [ -z "$$RUN_PROGRAM" ]; then \
	    echo "make run: which program? make run PROG='./a.out args' [REPORT=report.json]" >&2; exit 2; fi; \
	RUN_PROGRAM=$$(common/tools/build-program "$$RUN_PROGRAM" "$$RUN_FOLDER" "$(or $(GPU),h200)" $(BUILD)/run "$(COMPAT)" "$$RUN_FLAGS") || \
	    exit 2; \
	ptxas="$${SIMGPU_PTXAS-$$(common/tools/find-cuda tool ptxas 2>/dev/null || echo ptxas)}"; \
	(cd "$$RUN_FOLDER" && SIMGPU_COLUMNS=80 $(abspath $(RUN_CHECK)) "$$RUN_PROGRAM") || exit 2; \
	folder=$$(mktemp -d) || exit 1; \
	trap 'rm -rf "$$folder"' EXIT; \
	{ cd "$$RUN_FOLDER" && LD_LIBRARY_PATH="$(abspath $(BUILD))/lib/cuda$${LD_LIBRARY_PATH:+:$$LD_LIBRARY_PATH}" \
	    SIMGPU_REPORT="$$folder/launches" SIMGPU_COLUMNS=80 GPU="$(or $(GPU),h200)" $(if $(STRICT),STRICT=$(STRICT)) \
	    SIMGPU_PTXAS="$$ptxas" \
	    $(if $(RACES),RACES=$(RACES)) $(if $(CHECK),CHECK=$(CHECK)) bash -c "$$RUN_PROGRAM" 2>&3 3>&-; } 3>&2 2>/dev/null; \
	status=$$?; cd '$(CURDIR)' || exit 1; \
	SIMGPU_COLUMNS=80 $(RUN_REPORT) "$$folder/launches" --gpu "$(or $(GPU),h200)" --program "$$RUN_PROGRAM" --status $$status \
	    --toolkit "$$(common/tools/find-cuda version 2>/dev/null || echo unknown)" $${RUN_OUTPUT:+--output "$$RUN_OUTPUT"} || exit 1; \
	exit $$status

.PHONY: run-summary
run-summary: $(BUILD)/bin/report-markdown
	@$(if $(REPORT),,echo 'usage: make run-summary REPORT=report.json, written by make run' >&2; exit 2;) $< '$(REPORT)'

# CUDA programs for the tests, in the ways a compiler may leave one; without a compiler the tests that need them are
# skipped and say so.
CUDART_TEST_PROGRAMS := memory errors faults managed older streams graphs nodes launches layout int128 checks endless patient cooperative tiles tiles-80 tiles-90 refused spills queues driver \
                        tiny tiny-all tiny-speed tiny-plain tiny-several tiny-ptx tiny-threads tiny-machine tiny-separate tiny-static \
                        linked linked-debug linked-several linked-machine linked-archive nested
CUDART_TEST_PROGRAMS += barriers-80 barriers-90 products-80 products-90 algorithms-90 order spins host swaps parts contractions spills-lines spills-plain spills-ptx
CUDART_PROGRAM_DIRECTORY := $(call nvcc_folder,tests/runtime/programs)
cudart_flags_default       := -lineinfo -gencode arch=compute_75,code=sm_75 -gencode arch=compute_75,code=compute_75
cudart_flags_tiles-80      := -lineinfo -gencode arch=compute_80,code=sm_80 -gencode arch=compute_80,code=compute_80
cudart_flags_tiles-90      := -lineinfo -gencode arch=compute_90,code=sm_90 -gencode arch=compute_90,code=compute_90
cudart_flags_older         := $(cudart_flags_default) -std=c++17 -include common/gpu/runtime/cuda12.cuh
cudart_flags_nodes         := $(cudart_flags_older)
# The library of CUDA 13 asks for C++17. With another toolkit they may not build.
cudart_flags_barriers-80   := -std=c++17 $(cudart_flags_tiles-80)
cudart_flags_barriers-90   := -std=c++17 $(cudart_flags_tiles-90)
cudart_flags_products-80   := $(cudart_flags_tiles-80)
cudart_flags_products-90   := $(cudart_flags_tiles-90)
cudart_flags_algorithms-90 := $(cudart_flags_barriers-90)
# Four blocks of 512 threads on an SM: chips before 8.0 have no room for them, and ptxas then ignores the bounds.
cudart_flags_queues        := $(cudart_flags_tiles-90)
cudart_flags_swaps         := $(cudart_flags_tiles-90)
cudart_flags_parts         := $(cudart_flags_tiles-90)
cudart_flags_spins         := $(cudart_flags_tiles-90)
cudart_flags_order         := $(cudart_flags_default) -g
cudart_flags_faults        := $(cudart_flags_default) -g
cudart_flags_findings-90   := $(cudart_flags_tiles-90)
# The same PTX with its machine code for an H200, with lines and without, and alone; spills itself has that of another chip.
cudart_flags_refused       := $(cudart_flags_tiles-80)
cudart_flags_spills-lines  := -lineinfo -gencode arch=compute_75,code=sm_90 -gencode arch=compute_75,code=compute_75
cudart_flags_spills-plain  := -gencode arch=compute_75,code=sm_90 -gencode arch=compute_75,code=compute_75
cudart_flags_spills-ptx    := -gencode arch=compute_75,code=compute_75
cudart_flags_tiny-all      := -arch=sm_75 -Xfatbin -compress-all
cudart_flags_tiny-speed    := -arch=sm_75 -Xfatbin --compress-mode=speed
cudart_flags_tiny-plain    := -arch=sm_75 -Xfatbin --compress=false
cudart_flags_tiny-several  := -gencode arch=compute_75,code=sm_75 -gencode arch=compute_80,code=compute_80 \
                              -gencode arch=compute_90,code=compute_90
cudart_flags_tiny-ptx      := -gencode arch=compute_75,code=compute_75
cudart_flags_tiny-threads  := -arch=sm_75 --default-stream per-thread
cudart_flags_tiny-machine  := -gencode arch=compute_90,code=sm_90
cudart_flags_tiny-separate := -arch=sm_75 -rdc=true
cudart_flags_tiny-static   := -arch=sm_75
cudart_runtime_tiny-static := static
# Of two files, with -rdc=true; also as a library, with both links as one does them by hand.
cudart_sources_linked      := linked_part.cu
cudart_flags_linked        := -lineinfo -arch=sm_75 -rdc=true
cudart_flags_linked-debug  := -G -arch=sm_75 -rdc=true
cudart_flags_linked-several := -rdc=true -gencode arch=compute_75,code=sm_75 -gencode arch=compute_80,code=[compute_80,sm_80] \
                              -gencode arch=compute_90,code=[compute_90,sm_90]
cudart_flags_linked-machine := -rdc=true -gencode arch=compute_90,code=sm_90
cudart_flags_nested        := -lineinfo -arch=sm_75 -rdc=true

# Kernels whose lines are known as machine code.
CUDART_TEST_PROGRAMS += lines
cudart_flags_lines         := $(cudart_flags_tiles-90)

# Every kind of finding on a kernel of its own.
CUDART_TEST_PROGRAMS += findings findings-90

runtime_TEST_NEEDS := $(CUDART_TEST_PROGRAMS:%=$(CUDART_PROGRAM_DIRECTORY)/%.built) simulated-gpu \
                     $(BUILD)/bin/run-report $(BUILD)/bin/run-check

# A stamp per program: a variant that a toolkit cannot build (an option it lacks, a library) is skipped, the rest is not.
cudart_program_sources = $(addprefix common/gpu/runtime/tests/programs/,$(firstword $(subst -, ,$1)).cu \
                           $(cudart_sources_$(firstword $(subst -, ,$1))))
$(foreach p,$(CUDART_TEST_PROGRAMS),$(eval $(CUDART_PROGRAM_DIRECTORY)/$p.built: $(call cudart_program_sources,$p)))
$(CUDART_PROGRAM_DIRECTORY)/older.built $(CUDART_PROGRAM_DIRECTORY)/nodes.built: common/gpu/runtime/cuda12.cuh
$(CUDART_PROGRAM_DIRECTORY)/%.built: $(NVCC_STAMP) $(wildcard common/gpu/runtime/tests/programs/*.h common/gpu/runtime/tests/programs/*.inc)
	@mkdir -p $(@D) && rm -f $(CUDART_PROGRAM_DIRECTORY)/$*
	@if common/tools/find-cuda nvcc >/dev/null 2>&1; then \
	    $(if $(V),,printf '%-6s %s\n' nvcc $(CUDART_PROGRAM_DIRECTORY)/$*;) \
	    $(NVCC) -cudart $(or $(cudart_runtime_$*),shared) $(or $(cudart_flags_$*),$(cudart_flags_default)) -o $(CUDART_PROGRAM_DIRECTORY)/$* \
	        $(call cudart_program_sources,$*) $(if $(findstring -,$*),|| true); \
	fi
	@touch $@

$(CUDART_PROGRAM_DIRECTORY)/linked-archive.built: common/gpu/runtime/tests/build_linked_archive.sh $(NVCC_STAMP) \
                                                 $(wildcard common/gpu/runtime/tests/programs/linked*)
	@mkdir -p $(@D) && rm -rf $(@:.built=) $(@:.built=.parts)
	@if common/tools/find-cuda nvcc >/dev/null 2>&1; then \
	    $(if $(V),,printf '%-6s %s\n' nvcc $(@:.built=);) mkdir -p $(@:.built=.parts) && \
	    common/gpu/runtime/tests/build_linked_archive.sh $(NVCC) $(@:.built=) $(@:.built=.parts) || true; \
	fi
	@touch $@

# What a program or a judge says to simgpu goes on into these.
runtime_FUZZ_WITH := simt ptx
