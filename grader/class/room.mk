# class: grading a class, and what its tests need.

## A class (instructors: grader/README.md)
# make grade LAB=lab3 SUBMISSIONS=dir [ROSTER=class.csv POLICY=policy.ini]
#     [OUT=build/grades JOBS=n ONLY=jdoe,mmu REJUDGE=jdoe,mmu|timeouts]
#     [OVERRIDES=file REGRADES=file DRY_RUN=1 RESCORE=1 REPLACE=1 UNSAFE=1]
#     [LOOK=jdoe EXECUTOR=local|slurm SLURM_OPTIONS='...' TZ=Europe/Berlin]
#     [SANDBOX=bubblewrap|landlock]  without LAB: as the folders say
# make gradescope LAB=lab3 [POLICY=policy.ini]   an autograder to upload there
# make autolab LAB=lab3 [POLICY=policy.ini]      autograde Makefile and tar
# make test-class [NUMBER=200]                   a generated class, every grade
# make class-pictures                            pictures of PLATFORMS.md anew

GRADE := $(BUILD)/bin/grade
GRADE_OPTIONS = $(call option,lab,LAB) $(call option,submissions,SUBMISSIONS) $(call option,roster,ROSTER) \
                $(call option,policy,POLICY) $(call option,out,OUT) $(call option,jobs,JOBS) $(call option,only,ONLY) \
                $(call option,rejudge,REJUDGE) $(call option,overrides,OVERRIDES) $(call option,regrades,REGRADES) \
                $(call option,executor,EXECUTOR) $(call option,slurm-options,SLURM_OPTIONS) \
                $(call option,look,LOOK) $(if $(DRY_RUN),--dry-run) $(if $(RESCORE),--rescore) $(if $(REPLACE),--replace) $(if $(UNSAFE),--unsafe)

# What the submissions are judged beside is built for every device that the policy names, then the class is graded.
.PHONY: grade
grade: $(GRADE) $(BUILD)/bin/grade-job $(BUILD)/bin/sandbox $(BUILD)/bin/lab $(BUILD)/bin/simgpu $(NVCC_ARCHITECTURES)
	$(if $(SUBMISSIONS)$(RESCORE)$(REJUDGE)$(LOOK),,@echo 'usage: make grade LAB=lab3 SUBMISSIONS=dir [ROSTER=class.csv POLICY=policy.ini]'; echo '       make help-all has the other options'; exit 2)
	+@set -e; $(if $(DRY_RUN)$(RESCORE)$(LOOK),,$(GRADE) --list-devices $(GRADE_OPTIONS) | while read -r device gpu; do \
	    arch=$$($(LAB_PROGRAM) arch --device $$device --gpu $$gpu -- $$(cat $(NVCC_ARCHITECTURES))); \
	    $(MAKE) --no-print-directory LAB_ARCH=$$arch DEVICE=$$device grade-programs; done;) \
	$(GRADE) $(GRADE_OPTIONS)

.PHONY: gradescope
gradescope:
	$(if $(LAB),,@echo 'usage: make gradescope LAB=lab3 [POLICY=policy.ini UNSAFE=1]'; exit 2)
	@ls -d labs/$(call quote,$(LAB))-* >/dev/null 2>&1 || { echo 'there is no '$(call quote,$(LAB))'; the labs are: '$(patsubst labs/%/lab.ini,%,$(wildcard labs/*/lab.ini)); exit 2; }
	@[ -z $(call quote,$(POLICY)) ] || ! grep -qiE '^[[:space:]]*deadline[[:space:]]*=' $(call quote,$(POLICY)) || \
	    { echo $(call quote,$(POLICY))' has a deadline: Gradescope counts lateness itself, and late students would be late twice. Leave it out.' >&2; exit 2; }
	@mkdir -p $(BUILD)/gradescope && rm -f $(BUILD)/gradescope/* && echo $(call quote,$(LAB)) > $(BUILD)/gradescope/lab
	@common/tools/policy-with-key $(call quote,$(LAB)) $(call quote,$(POLICY)) > $(BUILD)/gradescope/policy.ini
	$(if $(UNSAFE),@touch $(BUILD)/gradescope/unsafe)
	@git archive --format=zip -o $(BUILD)/autograder-$(LAB).zip --add-file=grader/gradescope/setup.sh \
	    --add-file=grader/gradescope/run_autograder $$(printf -- '--add-file=%s ' $(BUILD)/gradescope/*) --prefix=kit/ HEAD
	@echo $(BUILD)/autograder-$(LAB).zip

.PHONY: autolab
autolab:
	$(if $(LAB),,@echo 'usage: make autolab LAB=lab3 [POLICY=policy.ini]'; exit 2)
	@folder=$(BUILD)/autolab-$(LAB); rm -rf "$$folder"; mkdir -p "$$folder/parts" && echo $(call quote,$(LAB)) >"$$folder/parts/lab" && \
	common/tools/policy-with-key $(call quote,$(LAB)) $(call quote,$(POLICY)) >"$$folder/parts/policy.ini" && \
	tar --sort=name --owner=0 --group=0 --mtime=@0 -cf "$$folder/autograde.tar" -C "$$folder/parts" . && rm -r "$$folder/parts" && \
	cp grader/autolab/autograde-Makefile "$$folder/" && echo "$$folder/autograde-Makefile, $$folder/autograde.tar"

# The stand-in for grade-job in this room's tests: judges by what stands in the kernel's comments.
CLASS_FAKE := $(BUILD)/tests/class/fake-grade-job
$(CLASS_FAKE): $(BUILD)/obj/grader/class/tests/fake_grade_job.o $(call archives,class)
	@mkdir -p $(@D)
	$(call say,link,$@)
	$(QUIET)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(call libs,class)

# One suite has kernels of lab 1 judged.
class_TEST_NEEDS += $(CLASS_FAKE) $(GRADE) $(GRADE_NEEDS) $(call judged_programs,lab1)
tests: $(CLASS_FAKE)

# By hand: the class that the suite grades with a stand-in, with kernels that are all different, compiled and judged.
.PHONY: test-class
test-class: grade-programs $(GRADE) $(BUILD)/bin/grade-job $(BUILD)/bin/sandbox $(BUILD)/bin/lab $(BUILD)/bin/simgpu $(BUILD)/tests/class/test_mixed_class
	@$(TEST_ENVIRONMENT) REAL_JUDGE=1 NUMBER=$(or $(NUMBER),200) $(BUILD)/tests/class/test_mixed_class

.PHONY: class-pictures
class-pictures: grade-programs $(GRADE) $(BUILD)/bin/grade-job $(BUILD)/bin/sandbox $(BUILD)/bin/lab $(BUILD)/bin/simgpu
	@grader/class/pictures $(BUILD)
