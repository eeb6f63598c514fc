# The labs: building kernels, and what a person types about them.

## Start
# make lab1            build, check, time and explain labs/lab1-*/kernel.cu

## Each lab: {labs}
# make lab1-hint       the next hint
# make lab1-profile    every counter, line by line; also as a page
# make lab1-ptx        what the compiler made of your kernel
# make lab1-steps      the way to the solution: every step, its time, its limit
# make lab6-tune       one kernel in many tile shapes: table, picture, CSV
# make lab6-padding    bank conflicts with different paddings
# make lab4-sweep      bandwidth against threads, measured and drawn
# make lab1-solution   the solution beside yours, once you have passed (FORCE=1)
# make lab1-watch      run again whenever you save
# make lab1-reset      start over; yours is kept as a backup (YES=1)
# make lab1-pass       for autograders: succeeds only at the lab's pass mark
# make lab1-record     on a GPU: what ncu counts in every step

## With any of them
# DEVICE=auto|cuda|sim  GPU={models}
# SIZE=640x400  SEED=1  IMAGE=photo.png  TIMEOUT=seconds  ROUNDS=30  STRICT=0|1

# Two stages: first the tools, then, by the architecture they name for this device, the kernels (in a second make).

# A lab is a folder labs/labN-TOPIC with a lab.ini.
LAB_FOLDERS := $(patsubst labs/%/lab.ini,%,$(sort $(wildcard labs/lab*-*/lab.ini)))
LABS        := $(foreach f,$(LAB_FOLDERS),$(firstword $(subst -, ,$f)))
lab_folder   = $(filter $1-%,$(LAB_FOLDERS))
# Labs 1 to N.
labs_up_to   = $(foreach l,$(LABS),$(if $(filter-out 0,$(shell [ $(l:lab%=%) -le $(1:lab%=%) ] && echo 1)),$l))

LAB_PROGRAM := $(BUILD)/bin/lab
quote  = '$(subst ','\'',$1)'
option = $(if $(value $2),--$1 $(call quote,$(value $2)))
LAB_DEVICE  = $(call option,device,DEVICE) $(call option,gpu,GPU)
LAB_OPTIONS = $(LAB_DEVICE) $(call option,size,SIZE) $(call option,image,IMAGE) $(call option,seed,SEED) \
              $(call option,timeout,TIMEOUT) $(call option,rounds,ROUNDS) $(call option,strict,STRICT)

# ---- what a kernel is linked with: one adapter per function
RUNNER_SOURCES  := $(wildcard common/harness/runner/*.c)
RUNNER_OBJECTS  := $(RUNNER_SOURCES:common/harness/runner/%.c=$(BUILD)/kernels/runner/%.o)
RUNNER_HEADERS  := $(wildcard common/harness/runner/*.h)

$(BUILD)/kernels/runner/%.o: common/harness/runner/%.c $(NVCC_STAMP)
	@mkdir -p $(@D)
	$(call say,nvcc,$<)
	$(QUIET)$(NVCC) -O2 -Icommon -Xcompiler -Wall,-Wextra,-Werror -MD -MP -MF $@.d -MT $@ -c -o $@ $<

LAB_TOOLS := $(LAB_PROGRAM) $(BUILD)/bin/simgpu $(CUDART_LIBRARIES) $(RUNNER_OBJECTS)

# ---- stage 2: the kernels of one architecture. make lab-kernels LAB_PROGRAMS="..." LAB_ARCH=90
LAB_ARCH  ?= 90
LAB_FLAGS  = -O3 -lineinfo -cudart shared -gencode arch=compute_$(LAB_ARCH),code=[compute_$(LAB_ARCH),sm_$(LAB_ARCH)]

RUNNER_FLUSH := $(BUILD)/kernels/runner/flush-$(LAB_ARCH).o
$(RUNNER_FLUSH): common/harness/runner/flush.cu $(RUNNER_HEADERS) $(NVCC_STAMP)
	@mkdir -p $(@D)
	$(call say,nvcc,$<)
	$(QUIET)$(NVCC) $(LAB_FLAGS) -c -o $@.$$$$.o $< && mv $@.$$$$.o $@

# $(call kernel_rule,LAB,VARIANT,SOURCE[,OPTIONS])
# A kernel that does not compile leaves its message in .log and no program: `lab` shows it and reports it.
# Names are made in place only when whole, so that two makes may build the same step.
define kernel_rule
$(BUILD)/kernels/$1/$2-$(LAB_ARCH): $3 $(RUNNER_OBJECTS) $(RUNNER_FLUSH) $(NVCC_STAMP)
	@mkdir -p $$(@D); part=$$@.$$$$$$$$; rm -f $$@; \
	$$(if $$(V),set -x;) printf '%-6s %s\n' nvcc $3; \
	$(NVCC) $(LAB_FLAGS) -Ilabs/$(call lab_folder,$1) -MD -MP -MF $$@.d -MT $$@ $4 -c -o $$$$part.o $3 > $$@.log 2>&1 && \
	$(NVCC) -cudart shared -o $$$$part $(BUILD)/kernels/runner/runner.o $(RUNNER_FLUSH) \
	    $(BUILD)/kernels/runner/adapter_$(lab_function).o $$$$part.o >> $$@.log 2>&1 && \
	mv $$$$part $$@; rm -f $$$$part $$$$part.o
endef
lab_function = $(call lab_value,$1,problem)

steps_of = $(sort $(wildcard solutions/$(call lab_folder,$1)/steps/step-*.cu))
step_programs = $(foreach s,$(call steps_of,$1),$(BUILD)/kernels/$1/$(basename $(notdir $s))-$(LAB_ARCH))
# Beside these, by the data file: what speedups are over where the starter computes nothing, and a library.
lab_value = $(shell sed -n 's,^$2 *= *\([a-z_0-9./-]*\).*,\1,p' labs/$(call lab_folder,$1)/lab.ini)
beside_name = $(basename $(notdir $(call lab_value,$1,beside)))
lab_variants = yours starter reference $(if $(call lab_value,$1,baseline),baseline) $(call beside_name,$1)
variant_programs = $(foreach v,$(call lab_variants,$1),$(BUILD)/kernels/$1/$v-$(LAB_ARCH))

# One kernel with different paddings; and in the shapes of tune.txt, TILE_M-TILE_N-DEPTH-COLUMNS-PAD [sim].
paddings_of = $(sort $(wildcard solutions/$(call lab_folder,$1)/padding/step-*.cu))
shapes_file = $(wildcard solutions/$(call lab_folder,$1)/tune.txt)
shapes_of = $(if $(shapes_file),$(shell sed -n 's/^\([0-9][-0-9]*\).*/\1/p' $(shapes_file)))
simulated_shapes_of = $(if $(shapes_file),$(shell sed -n 's/^\([0-9][-0-9]*\)  *sim.*/\1/p' $(shapes_file)))
shape_value = $(word $2,$(subst -, ,$1))
shape_options = -DTILE_M=$(call shape_value,$1,1) -DTILE_N=$(call shape_value,$1,2) -DDEPTH=$(call shape_value,$1,3) \
                -DCOLUMNS=$(call shape_value,$1,4) -DPAD=$(call shape_value,$1,5)

define lab_kernels
$(call kernel_rule,$1,yours,labs/$(call lab_folder,$1)/kernel.cu)
$(call kernel_rule,$1,starter,solutions/$(call lab_folder,$1)/starter.cu)
$(call kernel_rule,$1,reference,solutions/$(call lab_folder,$1)/kernel.cu)
$(if $(call lab_value,$1,baseline),$(call kernel_rule,$1,baseline,solutions/$(call lab_folder,$1)/$(call lab_value,$1,baseline)))
$(if $(call beside_name,$1),$(call kernel_rule,$1,$(call beside_name,$1),solutions/$(call lab_folder,$1)/$(call lab_value,$1,beside)))
$(foreach s,$(call steps_of,$1),
$(call kernel_rule,$1,$(basename $(notdir $s)),$s))
$(foreach s,$(call paddings_of,$1),
$(call kernel_rule,$1,$(basename $(notdir $s)),$s))
$(foreach s,$(call shapes_of,$1),
$(call kernel_rule,$1,tune-$s,solutions/$(call lab_folder,$1)/tune.cu,$(call shape_options,$s)))
.PHONY: lab-kernels-$1 lab-steps-$1 lab-padding-$1 lab-tune-cuda-$1 lab-tune-sim-$1
lab-padding-$1: $(foreach s,$(call paddings_of,$1),$(BUILD)/kernels/$1/$(basename $(notdir $s))-$(LAB_ARCH))
lab-tune-cuda-$1: $(foreach s,$(call shapes_of,$1),$(BUILD)/kernels/$1/tune-$s-$(LAB_ARCH))
lab-tune-sim-$1: $(foreach s,$(call simulated_shapes_of,$1),$(BUILD)/kernels/$1/tune-$s-$(LAB_ARCH))
.PHONY: lab-sweep-$1
lab-sweep-$1: $(BUILD)/kernels/$1/sweep-$(LAB_ARCH)
lab-kernels-$1: $(call variant_programs,$1)
lab-steps-$1: $(foreach l,$(call labs_up_to,$1),$(if $(filter $(call lab_function,$1),$(call lab_function,$l)),$(call step_programs,$l) $(BUILD)/kernels/$l/reference-$(LAB_ARCH)))
endef
$(foreach l,$(LABS),$(eval $(call lab_kernels,$l)))
-include $(wildcard $(BUILD)/kernels/*/*.d)

# A lab's experiment is a whole program: no runner, no judge.
sweep_labs = $(foreach l,$(LABS),$(if $(wildcard labs/$(call lab_folder,$l)/sweep.cu),$l))
define sweep_rule
$(BUILD)/kernels/$1/sweep-$(LAB_ARCH): labs/$(call lab_folder,$1)/sweep.cu $(NVCC_STAMP)
	@mkdir -p $$(@D)
	$$(call say,nvcc,$$<)
	$$(QUIET)$(NVCC) $(LAB_FLAGS) -o $$@ $$<
endef
$(foreach l,$(sweep_labs),$(eval $(call sweep_rule,$l)))

# What the harness's own tests run: every lab's starter and reference, and solutions that are wrong on purpose, in a
# folder for each function.
define wrong_rule
$(BUILD)/kernels/wrong/$1/%-90: common/harness/tests/wrong/$1/%.cu $(wildcard common/harness/tests/wrong/$1/*.h) $(RUNNER_OBJECTS) $(RUNNER_FLUSH) $(NVCC_STAMP)
	@mkdir -p $$(@D)
	$$(call say,nvcc,$$<)
	$$(QUIET)$(NVCC) $(LAB_FLAGS) $(LAB_FOLDERS:%=-Ilabs/%) -c -o $$@.o $$<
	$$(QUIET)$(NVCC) -cudart shared -o $$@ $(BUILD)/kernels/runner/runner.o $(RUNNER_FLUSH) $(BUILD)/kernels/runner/adapter_$1.o $$@.o
	@rm -f $$@.o
endef
WRONG_FOLDERS  := $(notdir $(wildcard common/harness/tests/wrong/*))
WRONG_SOURCES  := $(wildcard common/harness/tests/wrong/*/*.cu)
WRONG_PROGRAMS := $(WRONG_SOURCES:common/harness/tests/wrong/%.cu=$(BUILD)/kernels/wrong/%-90)
$(foreach f,$(WRONG_FOLDERS),$(eval $(call wrong_rule,$f)))
# All combinations of lab 5's arithmetic.
ENUMERATE := $(BUILD)/kernels/lab5/enumerate-90
$(ENUMERATE): $(wildcard solutions/lab5-*/enumerate.cu solutions/lab5-*/kernel.cu) $(NVCC_STAMP)
	@mkdir -p $(@D)
	$(call say,nvcc,$<)
	$(QUIET)$(NVCC) $(LAB_FLAGS) -Ilabs/$(call lab_folder,lab5) -o $@ $<
harness_TEST_NEEDS += $(ENUMERATE)
harness_TEST_NEEDS += $(WRONG_PROGRAMS) $(BUILD)/bin/simgpu $(CUDART_LIBRARIES) \
                      $(foreach l,$(LABS),$(filter-out %/yours-$(LAB_ARCH),$(call variant_programs,$l)))

# What grade-job needs besides itself, for LAB_ARCH.
.PHONY: grade-programs
grade-programs: $(BUILD)/bin/grade-job $(BUILD)/bin/sandbox $(BUILD)/bin/simgpu $(CUDART_LIBRARIES) \
    $(RUNNER_OBJECTS) $(RUNNER_FLUSH) $(foreach l,$(LABS),$(filter-out %/yours-$(LAB_ARCH),$(call variant_programs,$l)))
job_TEST_NEEDS += grade-programs

# ---- stage 1: what a person types
# $(call lab_run,WHAT TO BUILD,COMMAND LAB)
lab_run = @arch=$$($(LAB_PROGRAM) arch $(LAB_DEVICE) -- $$($(NVCC) --list-gpu-arch)) && \
	$(MAKE) --no-print-directory LAB_STAGE=2 LAB_ARCH=$$arch $1 && \
	CUDA_LIBRARY_FOLDER="$$(dirname "$$(common/tools/find-cuda library 2>/dev/null)")" $(LAB_PROGRAM) $2 --arch $$arch $(LAB_OPTIONS)

ifndef LAB_STAGE
define lab_targets
.PHONY: $1 $1-pass $1-steps $1-record $1-padding $1-tune $1-profile $1-hint $1-solution $1-watch $1-reset $1-ptx
$1: $(LAB_TOOLS)
	+$$(call lab_run,lab-kernels-$1,run $1)
$1-pass: $(LAB_TOOLS)
	+$$(call lab_run,lab-kernels-$1,pass $1)
$1-steps: $(LAB_TOOLS)
	+$$(call lab_run,lab-steps-$1,steps $1)
$1-record: $(LAB_TOOLS)
	+$$(call lab_run,lab-steps-$1,record $1)
$1-padding: $(LAB_TOOLS)
	+$$(call lab_run,lab-padding-$1,padding $1)
$1-tune: $(LAB_TOOLS)
	+$$(call lab_run,lab-tune-$$$$($(LAB_PROGRAM) device $$(LAB_DEVICE))-$1,tune $1)
$(if $(filter $1,$(sweep_labs)),.PHONY: $1-sweep
$1-sweep: $(LAB_TOOLS)
	+$$(call lab_run,lab-sweep-$1,sweep $1))
$1-profile: $(LAB_TOOLS)
	+$$(call lab_run,lab-kernels-$1,profile $1)
$1-hint: $(LAB_PROGRAM)
	@$(LAB_PROGRAM) hint $1
$1-solution: $(LAB_PROGRAM)
	@$(LAB_PROGRAM) solution $1 $(if $(FORCE),--force)
$1-reset: $(LAB_PROGRAM)
	@$(LAB_PROGRAM) reset $1 $(if $(YES),--yes)
$1-watch: $(LAB_PROGRAM)
	+@$(LAB_PROGRAM) watch $1 -- $$(MAKE) --no-print-directory $1
$1-ptx: $(LAB_PROGRAM)
	@mkdir -p $(BUILD)/$1
	@arch=$$$$($(LAB_PROGRAM) arch $$(LAB_DEVICE) -- $$$$($(NVCC) --list-gpu-arch)) && \
	$(NVCC) -O3 -lineinfo -arch=compute_$$$$arch -ptx -Ilabs/$(call lab_folder,$1) -o $(BUILD)/$1/kernel.ptx \
	    labs/$(call lab_folder,$1)/kernel.cu && echo $(BUILD)/$1/kernel.ptx && \
	if command -v cuobjdump > /dev/null && [ -x $(BUILD)/kernels/$1/yours-$$$$arch ]; then \
	    cuobjdump -sass $(BUILD)/kernels/$1/yours-$$$$arch > $(BUILD)/$1/kernel.sass && echo $(BUILD)/$1/kernel.sass; \
	fi
endef
$(foreach l,$(LABS),$(eval $(call lab_targets,$l)))
endif
