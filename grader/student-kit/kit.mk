# What a graded class gets: the kit without anything that holds a solution. References come along as compiled code.

## A class (instructors: grader/README.md)
# make student-kit     a copy for students, without solutions
#                      [ARCHITECTURES='80 90']: of its compiled references

## The kit itself
# make test-student-kit  `make student-kit` holds no solution, and works

# An object file for each reference and each architecture of a GPU model; a student's make links it with the runner that it
# builds itself (common/make/labs.mk). So a reference is a program of its own, and no kernel.cu is ever linked with it.
STUDENT_KIT     := $(BUILD)/student-kit
STUDENT_OBJECTS := $(KERNELS)/compiled
student_object   = $(STUDENT_OBJECTS)/$2/$1-$(LAB_ARCH).o

# What is not the lab's function becomes local, as in the grader. The source is compiled in a folder of its own: the line table
# of the machine code names that folder, and not the instructor's. $(call student_rule,LAB,FOLDER,NAME,SOURCE)
define student_rule
$(call student_object,$3,$2): $4 $(KERNELS)/runner/adapter_$($1.problem).o labs/$2/$1.h $(NVCC_FLAGS) $(NVCC_STAMP)
	@mkdir -p $$(@D)
	$$(call say,nvcc,$$@)
	$$(QUIET)work=$$$$(mktemp -d) && cp $$< $$$$work/kernel.cu && \
	$$(NVCC) $$(LAB_FLAGS) -Ilabs/$2 -c -o $$$$work/kernel.o $$$$work/kernel.cu && \
	objcopy --strip-debug $$$$(nm -u -P $$(word 2,$$^) | sed 's/ .*//; s/^/--keep-global-symbol=/') \
	    --keep-global-symbol=DW.ref.__gxx_personality_v0 $$$$work/kernel.o $$@; status=$$$$?; rm -rf $$$$work; exit $$$$status
student-objects: $(call student_object,$3,$2)
endef
$(foreach lab,$(LABS),$(eval $(call student_rule,$(lab),$(call lab_folder,$(lab)),reference,solutions/$(call lab_folder,$(lab))/kernel.cu)))
$(foreach lab,$(LABS),$(if $($(lab).baseline),$(eval \
    $(call student_rule,$(lab),$(call lab_folder,$(lab)),baseline,solutions/$(call lab_folder,$(lab))/$($(lab).baseline)))))

# Of the architectures of the GPU models, those that this compiler knows.
.PHONY: student-kit student-objects
student-kit: $(NVCC_ARCHITECTURES)
	+@architectures=; for arch in $(or $(ARCHITECTURES),$(SASS_ARCHITECTURES)); do \
	    grep -qx "compute_$$arch" $< || { echo "compute_$$arch is not among the architectures of this nvcc: left out"; continue; }; \
	    architectures="$$architectures $$arch"; $(MAKE) LAB_ARCH=$$arch student-objects || exit; \
	done; \
	grader/student-kit/pack $(STUDENT_KIT) $(STUDENT_OBJECTS) "$$architectures" '$(subst /,-,$(EXPERIMENTS))'

# One architecture will do.
.PHONY: test-student-kit
test-student-kit: $(LAB_TOOLS) $(BUILD)/bin/quiz
	+@$(MAKE) student-kit ARCHITECTURES=$(LAB_ARCH) && grader/student-kit/test $(STUDENT_KIT)
