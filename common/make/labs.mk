# The labs: building kernels, and what a person types about them.

## Each lab: {labs}
# make lab1-hint       the next hint
# make lab1-predict    asks what the run will show, then runs, and compares
# make lab1-profile    where the time goes, line by line; every counter: a page
# make lab1-timeline   what host, copies and kernels do when: lab 10's tool
#                      [NSYS=run.sqlite: what Nsight Systems has recorded]
# make lab1-ptx        what the compiler made of your kernel
# make lab1-sass       its source, PTX and machine code, line by line
# make lab1-steps      the way to the solution: every step, its time, its limit
# make lab1-quiz       questions on it, with numbers of your own
# make lab1-solution   the solution beside yours, once you have passed (FORCE=1)
# make lab1-watch      run again whenever you save
# make lab1-reset      start over; yours is kept as a backup (YES=1)
# make lab1-pass       for autograders: succeeds only at the lab's pass mark
# make lab1-summary    the last run as Markdown, for a job's summary
# make lab1-record     on a GPU: what ncu counts in every step
# make lab1-keys       every step's points under KEYS=20 keys: at most 3 apart
# {experiments}

## With any of them
# DEVICE=auto|cuda|sim  GPU={models}
# SIZE=640x400  SEED=1  IMAGE=photo.png  TIMEOUT=seconds  ROUNDS=30  STRICT=0|1
# PREDICT="speedup=2"   TIME_MODEL=code|counters

# ---- what there is
# A lab is a folder labs/labN-TOPIC with a lab.ini. An experiment of it, lab6/tune, is experiments/tune.ini in its folder
# of solutions/, one kernel in many programs, or experiments/tune.cu, a whole program.
LAB_FOLDERS := $(patsubst labs/%/lab.ini,%,$(sort $(wildcard labs/lab*-*/lab.ini)))
LABS        := $(foreach folder,$(LAB_FOLDERS),$(firstword $(subst -, ,$(folder))))
lab_folder   = $(filter $1-%,$(LAB_FOLDERS))
EXPERIMENTS := $(sort $(foreach lab,$(LABS),$(patsubst %,$(lab)/%,$(basename $(notdir \
                   $(wildcard $(addprefix solutions/$(call lab_folder,$(lab))/experiments/,*.ini *.cu)))))))

# What their data says, in variables: lab5.problem, lab6/tune.source, ...
$(foreach line,$(shell awk -f common/tools/lab-data $(LAB_FOLDERS:%=labs/%/lab.ini) \
    $(wildcard $(LAB_FOLDERS:%=solutions/%/experiments/*.ini))),$(eval $(line)))

# Rules of one lab alone stand with it.
-include $(wildcard $(LAB_FOLDERS:%=solutions/%/lab.mk))

# ---- a program for each kernel: build/kernels/lab1/yours-90, build/kernels/lab6/tune/64-32-8-4-4-64-90
# $(call programs,LAB,NAMES)
programs = $(patsubst %,$(KERNELS)/$1/%-$(LAB_ARCH),$2)
# What a submission is judged beside: what speedups are over, by the data file where the starter computes nothing; the reference.
judged_programs = $(call programs,$1,$(if $($1.baseline),baseline,starter) reference)
# What every run of a lab needs besides yours: a library, too, where the data file names one.
own_programs  = $(judged_programs) $(call programs,$1,$(basename $($1.beside)))
# Its steps; the last is the reference.
step_programs = $(call programs,$1,$(basename $(notdir $(wildcard solutions/$(lab_folder)/steps/step-*.cu))) reference)
# $(call experiment_programs,LAB/NAME,VALUES): of a whole program, it.
experiment_programs = $(if $($1.macros),$(call programs,$1,$2),$(1:%=$(KERNELS)/%-$(LAB_ARCH)))

# $(call shipped,FOLDER,NAME,SOURCE): a source of the solutions; in a student's copy the object file that was made of it.
shipped = solutions/$1/$(if $(COMPILED_CUDA),compiled/$2-$(LAB_ARCH).o,$3)
# The kernels of a lab, NAME:SOURCE; an experiment is one source in many programs, NAME/VALUES. $(call kernels,LAB,FOLDER)
kernels = yours:labs/$2/kernel.cu reference:$(call shipped,$2,reference,kernel.cu) \
    $(if $($1.baseline),baseline:$(call shipped,$2,baseline,$($1.baseline))) \
    $(foreach source,$(filter-out %/kernel.cu,$(wildcard solutions/$2/*.cu solutions/$2/steps/*.cu)),$(basename $(notdir $(source))):$(source)) \
    $(foreach experiment,$(filter $1/%,$(EXPERIMENTS)),$(patsubst %,$(notdir $(experiment))/%:solutions/$2/$($(experiment).source), \
        $(sort $($(experiment).program) $($(experiment).cuda_program))))

# $(call kernel_rule,LAB,NAME SOURCE). The recipe: lab/room.mk; there $* is LAB/NAME or LAB/NAME/VALUES.
define kernel_rule
$(call programs,$1,$(word 1,$2)): $(KERNELS)/%-$(LAB_ARCH): $(word 2,$2) $(RUNNER_PARTS) $(filter %/adapter_$($1.problem).o,$(RUNNER_OBJECTS)) $(NVCC_FLAGS) $(NVCC_STAMP)
	$$(if $$(filter %.o,$$<),$$(compiled_program),$$(kernel_program))
$(call programs,$1,$(word 1,$2)).ptx: $(KERNELS)/%-$(LAB_ARCH).ptx: $(word 2,$2) $(NVCC_FLAGS) $(NVCC_STAMP)
	@mkdir -p $$(@D)
	$$(call say,nvcc,$$@)
	$$(QUIET)$$(NVCC) -O3 -arch=compute_$(LAB_ARCH) -ptx $$(kernel_includes) -MD -MP -MF $$@.d -MT $$@ -o $$@.part $$< && mv $$@.part $$@
endef
kernel_lab      = $(firstword $(subst /, ,$*))
kernel_includes = -Ilabs/$(call lab_folder,$(kernel_lab))
# A source that defines such a macro itself, without #ifndef, would be the same program each time: refused.
kernel_options  = $(if $($(*D).macros),$(join $($(*D).macros:%=-D%=),$(subst -, ,$(*F))) -Xcompiler=-Werror)
function        = $($(kernel_lab).problem)
$(foreach lab,$(LABS),$(foreach kernel,$(call kernels,$(lab),$(call lab_folder,$(lab))), \
    $(eval $(call kernel_rule,$(lab),$(subst :, ,$(kernel))))))

# Experiments that are whole programs: solutions/lab9-*/experiments/tail.cu of lab9/tail.
WHOLE := $(foreach experiment,$(EXPERIMENTS),$(if $($(experiment).macros),,$(experiment)))
WHOLE_PROGRAMS := $(call experiment_programs,$(WHOLE))
define whole_rule
$(call experiment_programs,$1): $(KERNELS)/%-$(LAB_ARCH): $(wildcard solutions/$(subst /,-*/experiments/,$1).cu) $(NVCC_FLAGS) $(NVCC_STAMP)
	@mkdir -p $$(@D)
	$$(call say,nvcc,$$<)
	$$(QUIET)$$(NVCC) $$(LAB_FLAGS) $$(kernel_includes) -MD -MP -MF $$@.d -MT $$@ -o $$@ $$<
endef
$(foreach experiment,$(WHOLE),$(eval $(call whole_rule,$(experiment))))

# ---- what a command needs, for the architecture LAB_ARCH
.PHONY: $(LABS:%=kernels/%) $(LABS:%=steps/%) $(LABS:%=beside/%) $(EXPERIMENTS:%=sim/%) $(EXPERIMENTS:%=cuda/%) grade-programs
$(foreach lab,$(LABS),$(eval kernels/$(lab): $(call programs,$(lab),yours) $(call own_programs,$(lab))))
$(foreach lab,$(LABS),$(eval steps/$(lab): $(foreach rung,$($(lab).ladder),$(call step_programs,$(rung)))))
$(foreach lab,$(LABS),$(eval beside/$(lab): $(call step_programs,$(lab)) $(call judged_programs,$(lab))))
$(foreach experiment,$(EXPERIMENTS),$(eval sim/$(experiment): $(call experiment_programs,$(experiment),$($(experiment).program))))
$(foreach experiment,$(EXPERIMENTS),$(eval cuda/$(experiment): \
    $(call experiment_programs,$(experiment),$($(experiment).program) $($(experiment).cuda_program))))

# What grade-job needs besides itself, of LAB or of all labs; DEVICE=cuda: on a real GPU.
GRADE_NEEDS := $(BUILD)/bin/grade-job $(BUILD)/bin/sandbox $(BUILD)/bin/simgpu $(CUDART_LIBRARIES)
grade-programs: $(GRADE_NEEDS) $(if $(filter cuda,$(DEVICE)),$(OWNER)) \
                $(foreach lab,$(if $(LAB),$(filter $(LAB),$(LABS)),$(LABS)),$(call judged_programs,$(lab)))
	@:

# The kit's own kernels, which a class's are compared with (grader/class/alike): of all labs with the function of LAB, or of all
# labs. $(call known_ptx,LABS)
known_ptx = $(sort $(foreach lab,$(LABS),$(if $(filter $(foreach l,$1,$($l.problem)),$($(lab).problem)), \
                $(addsuffix .ptx,$(call programs,$(lab),starter) $(call step_programs,$(lab))))))
.PHONY: known-kernels
known-kernels: $(call known_ptx,$(or $(filter $(LAB),$(LABS)),$(LABS)))
	@:

# ---- what a person types: first the tools; they name the architecture of this device, and a second make builds the
# kernels for it
LAB_PROGRAM := $(BUILD)/bin/lab
LAB_TOOLS   := $(LAB_PROGRAM) $(BUILD)/bin/simgpu $(CUDART_LIBRARIES) $(NVCC_ARCHITECTURES)

quote  = '$(subst ','\'',$1)'
option = $(if $(value $2),--$1 $(call quote,$(value $2)))
LAB_DEVICE  = $(call option,device,DEVICE) $(call option,gpu,GPU)
LAB_OPTIONS = $(LAB_DEVICE) $(call option,size,SIZE) $(call option,image,IMAGE) $(call option,seed,SEED) \
              $(call option,timeout,TIMEOUT) $(call option,rounds,ROUNDS) $(call option,strict,STRICT) $(call option,predict,PREDICT) \
              $(call option,nsys,NSYS)

# Of a goal like lab1-steps.
lab  = $(firstword $(subst -, ,$@))
verb = $(patsubst $(lab)-%,%,$@)

# $(call on_device,WHAT TO BUILD,COMMAND[,ITS LAST WORDS])
on_device = @arch=$$($(LAB_PROGRAM) arch $(LAB_DEVICE) -- $$(cat $(NVCC_ARCHITECTURES))) && $(MAKE) LAB_ARCH=$$arch $1 && \
	CUDA_LIBRARY_FOLDER="$$(dirname "$$(common/tools/find-cuda library 2>/dev/null)")" \
	$(LAB_PROGRAM) $2 --arch $$arch $(LAB_OPTIONS) $3

# What needs sources of the solutions, in a student's copy.
not_here = $(if $(COMPILED_CUDA),@echo '$@: solutions and steps are in the instructor'\''s copy of the kit alone.' >&2; exit 2)
$(COMPILED_EXPERIMENTS):
	$(not_here)

LAB_VERBS := hint predict profile timeline ptx sass steps quiz solution watch reset pass summary record keys
# Those that are refused in a student's copy, where nothing lists them.
REFUSED_VERBS := $(if $(COMPILED_CUDA),steps solution record keys)
.PHONY: $(LABS) $(foreach verb,$(LAB_VERBS),$(LABS:=-$(verb))) $(subst /,-,$(EXPERIMENTS)) $(COMPILED_EXPERIMENTS)
$(LABS): $(LAB_TOOLS)
	+$(call on_device,kernels/$@,run $@)
$(LABS:=-pass) $(LABS:=-profile): $(LAB_TOOLS)
	+$(call on_device,kernels/$(lab),$(verb) $(lab))
# A recording is drawn without a kernel.
$(LABS:=-timeline): $(if $(NSYS),$(LAB_PROGRAM),$(LAB_TOOLS))
	$(if $(NSYS),@$(LAB_PROGRAM) timeline $(lab) $(call option,nsys,NSYS),+$(call on_device,kernels/$(lab),timeline $(lab)))
$(LABS:=-steps) $(LABS:=-record): $(if $(COMPILED_CUDA),,$(LAB_TOOLS))
	$(not_here)
	+$(call on_device,steps/$(lab),$(verb) $(lab))
$(LABS:=-keys): $(if $(COMPILED_CUDA),,$(LAB_TOOLS))
	$(not_here)
	+$(call on_device,beside/$(lab),$(verb) $(lab),$(if $(KEYS),-- $(call quote,$(KEYS))))
$(subst /,-,$(EXPERIMENTS)): $(LAB_TOOLS)
	+$(call on_device,$$($(LAB_PROGRAM) device $(LAB_DEVICE))/$(lab)/$(verb),experiment $(lab),-- $(verb))
$(LABS:=-hint) $(LABS:=-solution) $(LABS:=-reset): $(LAB_PROGRAM)
	$(if $(filter %-solution,$@),$(not_here))
	@$(LAB_PROGRAM) $(verb) $(lab) $(if $(FORCE),--force) $(if $(YES),--yes)
$(LABS:=-predict): $(LAB_PROGRAM)
	+@$(LAB_PROGRAM) predict $(lab) && $(MAKE) --no-print-directory $(lab)
$(LABS:=-quiz): $(BUILD)/bin/quiz
	@$< ask $(lab)
$(LABS:=-summary): $(BUILD)/bin/report-markdown
	@[ -f $(BUILD)/$(lab)/report.json ] || { echo "make $(lab) comes first: there is no $(BUILD)/$(lab)/report.json" >&2; exit 1; }
	@$< $(BUILD)/$(lab)/report.json
$(LABS:=-watch): $(LAB_PROGRAM)
	+@$(LAB_PROGRAM) watch $(lab) -- $(MAKE) --no-print-directory $(lab)
$(LABS:=-ptx): $(LAB_PROGRAM) $(NVCC_ARCHITECTURES)
	@mkdir -p $(BUILD)/$(lab)
	@arch=$$($(LAB_PROGRAM) arch $(LAB_DEVICE) -- $$(cat $(NVCC_ARCHITECTURES))) && kernel=$(BUILD)/$(lab)/kernel && \
	$(NVCC) -O3 -lineinfo -arch=compute_$$arch -ptx -Ilabs/$(call lab_folder,$(lab)) -o $$kernel.ptx \
	    labs/$(call lab_folder,$(lab))/kernel.cu && echo $$kernel.ptx
# The PTX first, and the machine code of it: then its lines are those of kernel.ptx.
$(LABS:=-sass): $(LAB_PROGRAM) $(NVCC_ARCHITECTURES) $(BUILD)/bin/sass-listing
	@mkdir -p $(BUILD)/$(lab)
	@nvdisasm=$$(common/tools/find-cuda tool nvdisasm) || { echo "no nvdisasm to print machine code with: make setup brings it" >&2; exit 1; }; \
	arch=$$($(LAB_PROGRAM) arch $(LAB_DEVICE) -- $$(cat $(NVCC_ARCHITECTURES))) && kernel=$(BUILD)/$(lab)/kernel && \
	$(NVCC) -O3 -lineinfo -arch=compute_$$arch -ptx -Ilabs/$(call lab_folder,$(lab)) -o $$kernel.ptx \
	    labs/$(call lab_folder,$(lab))/kernel.cu && \
	$(NVCC) -lineinfo -arch=sm_$$arch -cubin -o $$kernel.cubin $$kernel.ptx && \
	"$$nvdisasm" -hex -c -g -gp $$kernel.cubin | $(BUILD)/bin/sass-listing $$arch $$kernel.ptx | awk -f common/gpu/sass/loops.awk > $$kernel.sass && \
	cat $$kernel.sass && echo && echo $$kernel.sass
