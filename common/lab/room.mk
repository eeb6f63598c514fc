# How a kernel becomes a program: compiled by nvcc, and linked with the runner and the adapter for its function.
#   build/kernels/LAB/NAME-ARCH                 of the labs (make/labs.mk has their rules)
#   build/kernels/wrong/FUNCTION/NAME-ARCH      of the tests

KERNELS := $(call nvcc_folder,kernels)

# ---- the runner, with one adapter per function
RUNNER_OBJECTS := $(patsubst common/lab/runner/%.c,$(KERNELS)/runner/%.o,$(wildcard common/lab/runner/*.c))
$(KERNELS)/runner/%.o: common/lab/runner/%.c $(NVCC_STAMP)
	@mkdir -p $(@D)
	$(call say,nvcc,$<)
	$(QUIET)$(NVCC) -O2 -Icommon -Xcompiler -Wall,-Wextra,-Werror -MD -MP -MF $@.d -MT $@ -c -o $@ $<

# ---- a kernel, for one architecture
LAB_ARCH  ?= 90
# What it is compiled with, as nvcc reads it, here and for the grader; a changed option builds everything again.
NVCC_FLAGS := $(KERNELS)/runner/nvcc-$(LAB_ARCH).flags
LAB_FLAGS  := -optf $(NVCC_FLAGS)
$(NVCC_FLAGS): common/lab/runner/nvcc.flags
	@mkdir -p $(@D) && sed '/^#/d; s/ARCH/$(LAB_ARCH)/g' $< > $@.$$$$ && mv $@.$$$$ $@

# Without line numbers, which name the folder that this is built in: it becomes part of programs that are judged.
RUNNER_FLUSH := $(KERNELS)/runner/flush-$(LAB_ARCH).o
$(RUNNER_FLUSH): common/lab/runner/flush.cu common/lab/runner/flush.h common/lab/room.mk \
    $(NVCC_FLAGS) $(NVCC_STAMP)
	@mkdir -p $(@D)
	$(call say,nvcc,$<)
	$(QUIET)$(NVCC) $$(sed s/-lineinfo// $(NVCC_FLAGS)) -c -o $@.$$$$.o $< && mv $@.$$$$.o $@

# What every program of a kernel is linked with; the adapter besides.
RUNNER_PARTS := $(KERNELS)/runner/runner.o $(KERNELS)/runner/gate.o $(RUNNER_FLUSH)

# ---- the owner of the buffers, when a real GPU grades
OWNER := $(KERNELS)/owner/owner-$(LAB_ARCH)
$(OWNER): common/lab/owner/owner.c common/lab/owner/window.cu $(wildcard common/lab/owner/*.h) \
    common/lab/runner/gate.c common/lab/runner/gate.h common/lab/runner/protocol.h $(NVCC_FLAGS) $(NVCC_STAMP)
	@mkdir -p $(@D)
	$(call say,nvcc,$@)
	$(QUIET)$(NVCC) $(LAB_FLAGS) -Icommon -Xcompiler -Wall,-Wextra -o $@.$$$$ $(filter %.c %.cu,$^) && mv $@.$$$$ $@

# What every program of a kernel depends on besides its source.
KERNEL_NEEDS := $(RUNNER_OBJECTS) $(RUNNER_FLUSH) $(NVCC_FLAGS) $(NVCC_STAMP)

# ccache goes by the files that are read (depend mode) and by the folder, which line numbers name.
KERNEL_CACHE := $(if $(CCACHE),CCACHE_DEPEND=1 CCACHE_NAMESPACE='$(CURDIR)' CCACHE_COMPILERCHECK='%compiler% --version' $(CCACHE))

# The recipe: from the source $<, which has the function $(function), with the options $(kernel_options). A kernel that
# does not compile leaves its message in .log and no program: `lab` shows it and reports it (compiler_log.h); one that
# cannot be linked also what it defines. Names are made in place
# only when whole, so that two makes may build the same step. The toolkit's own headers are stamped, not listed.
define kernel_program
	@mkdir -p $(@D); rm -f $@; part=$@.$$$$; printf '%-6s %s\n' nvcc '$(strip $< $(if $(kernel_options),$(*F)))'; \
	$(if $(V),set -x;) $(KERNEL_CACHE) $(NVCC) $(LAB_FLAGS) $(if $(filter %/yours-$(LAB_ARCH) $(KERNELS)/wrong/particles/%,$@),-g) $(kernel_options) $(kernel_includes) -MD -MP -MF $@.d -MT $@ -c -o $$part.o $< > $@.log 2>&1 && \
	{ $(NVCC) -cudart shared -o $$part $(RUNNER_PARTS) $(KERNELS)/runner/adapter_$(function).o $$part.o >> $@.log 2>&1 || \
	  { nm -gC --defined-only $$part.o 2>/dev/null | sed -n 's/^[0-9a-f]* T /defines: /p' >> $@.log; false; }; } && \
	sed -i '/^ *\/.*\\$$/d; /^\/.*:$$/d; /^$$/d' $@.d && mv $$part $@; rm -f $$part $$part.o
endef

# The same of an object file, in a student's copy: linked, where machine and CUDA are those that it was made for. Its kernels'
# registration calls what later releases of a runtime have, too, and earlier ones may lack.
define compiled_program
	@mkdir -p $(@D); rm -f $@
	@have=$$(common/tools/find-cuda version) && [ "$$(uname -m)" = $(COMPILED_MACHINE) ] && \
	[ "$$(printf '%s\n' $(COMPILED_CUDA) $$have | sort -V | head -n 1)" = $(COMPILED_CUDA) ] || { \
	    echo "$< needs CUDA $(COMPILED_CUDA) or newer on $(COMPILED_MACHINE); here is $${have:-none} on $$(uname -m). Newer CUDA: make setup, or CUDA_HOME; or ask your instructor for a kit made with yours." >&2; exit 1; }
	$(call say,link,$@)
	$(QUIET)$(NVCC) -cudart shared -o $@.$$$$ $(RUNNER_PARTS) $(KERNELS)/runner/adapter_$(function).o $< && mv $@.$$$$ $@
endef

-include $(wildcard $(KERNELS)/*/*.d $(KERNELS)/*/*/*.d)

# ---- what this room's tests run
# A runner and an owner without CUDA: the real ones, on a stand-in for the runtime and for device code.
HARNESS_FAKES := $(BUILD)/tests/lab/fake-runner $(BUILD)/tests/lab/fake/kernels/owner/owner-90
$(BUILD)/tests/lab/fake-runner: common/lab/tests/fake_cuda.c common/lab/runner/runner.c \
    common/lab/runner/adapter_gaussian_blur.c
$(BUILD)/tests/lab/fake/kernels/owner/owner-90: common/lab/tests/fake_owner.c common/lab/owner/owner.c
$(HARNESS_FAKES): common/lab/tests/fake_runtime.c $(wildcard common/lab/runner/*.h common/lab/owner/*.h \
    common/lab/tests/*.h) $(CC_STAMP)
	@mkdir -p $(@D)
	$(call say,cc,$@)
	$(QUIET)$(CC) -std=c11 -D_GNU_SOURCE -Wall -Wextra -pthread -Icommon -Icommon/lab/runner \
	    -isystem "$$(common/tools/find-cuda include)" -O1 -g -o $@ $(filter %.c,$^)

# A driver's library that says what it is told.
HARNESS_NVML := $(BUILD)/tests/lab/nvml/libnvidia-ml.so.1
$(HARNESS_NVML): common/lab/tests/fake_nvml.c common/lab/tests/fake_nvml.h $(CC_STAMP)
	@mkdir -p $(@D)
	$(call say,cc,$@)
	$(QUIET)$(CC) -std=c11 -Wall -Wextra -O1 -g -fPIC -shared -Wl,-soname,$(@F) -o $@ $<

# Solutions that are wrong on purpose: tests/wrong/FUNCTION.txt has them as edits of right ones, and each becomes a file.
WRONG_TEXTS    := $(wildcard common/lab/tests/wrong/*.txt)
WRONG_NAMES    := $(shell awk '/^== [a-z]/ { sub(/:$$/, "", $$2); text = FILENAME; gsub(/.*\/|\.txt$$/, "", text); print text "/" $$2 }' $(WRONG_TEXTS) /dev/null)
WRONG_SOURCES  := $(call nvcc_folder,fixtures/wrong)
WRONG_PROGRAMS := $(WRONG_NAMES:%=$(KERNELS)/wrong/%-$(LAB_ARCH))
$(WRONG_SOURCES)/%.done: common/lab/tests/wrong/%.txt common/tools/expand-fixtures $(wildcard solutions/*/*.cu solutions/*/steps/*.cu)
	@common/tools/expand-fixtures $(@:%.done=%) $< && touch $@
define wrong_sources
$$(filter $$(WRONG_SOURCES)/$1/%,$$(WRONG_NAMES:%=$$(WRONG_SOURCES)/%.cu)): $$(WRONG_SOURCES)/$1.done ;
endef
$(foreach text,$(WRONG_TEXTS),$(eval $(call wrong_sources,$(basename $(notdir $(text))))))
$(WRONG_PROGRAMS): function = $(notdir $(<D))
$(WRONG_PROGRAMS): kernel_includes = $(LAB_FOLDERS:%=-Ilabs/%)
$(WRONG_PROGRAMS): $(KERNELS)/wrong/%-$(LAB_ARCH): $(WRONG_SOURCES)/%.cu $(KERNEL_NEEDS)
	$(kernel_program)
	@cat $@.log; test -x $@

# Every lab's starter, baseline, reference, steps and whole experiments, too.
lab_TEST_NEEDS = $(HARNESS_FAKES) $(HARNESS_NVML) $(BUILD)/bin/lab $(BUILD)/bin/report-text $(WRONG_PROGRAMS) $(BUILD)/bin/simgpu $(CUDART_LIBRARIES) \
                     $(foreach lab,$(LABS),$(call programs,$(lab),starter) $(call judged_programs,$(lab)) $(call step_programs,$(lab))) $(WHOLE_PROGRAMS)
