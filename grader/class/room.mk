# class: grading a class, and what its tests need.

## A class (instructors: grader/README.md)
# make grade LAB=lab3 SUBMISSIONS=dir [ROSTER=class.csv POLICY=policy.ini]
#     [OUT=build/grades JOBS=n ONLY=jdoe,mmu REJUDGE=jdoe,mmu|timeouts]
#     [STUDENT=jdoe: the whole download is this student's]
#     [SCORES=scores.json OVERRIDES=file REGRADES=file]
#     [DRY_RUN=1 REHEARSE=1 RESCORE=1 REPLACE=1 UNSAFE=1 LOOK=jdoe]
#     [EXECUTOR=local|slurm SLURM_OPTIONS='...' TZ=Europe/Berlin]
#     [SANDBOX=bubblewrap|landlock]  without LAB: as the folders say
# make gradescope LAB=lab3 [POLICY=policy.ini]   an autograder to upload there
# make autolab LAB=lab3 [POLICY=policy.ini]      autograde Makefile and tar
# make classroom50 LAB=lab3 [POLICY=policy.ini ADDRESS=url]   for Classroom 50
# make test-class [NUMBER=200 UNSAFE=1]          generated classes, every grade
# make class-pictures                            pictures of PLATFORMS.md anew

GRADE := $(BUILD)/bin/grade
GRADE_OPTIONS = $(call option,lab,LAB) $(call option,submissions,SUBMISSIONS) $(call option,roster,ROSTER) \
                $(call option,policy,POLICY) $(call option,out,OUT) $(call option,jobs,JOBS) $(call option,only,ONLY) $(call option,student,STUDENT) \
                $(call option,rejudge,REJUDGE) $(call option,scores,SCORES) $(call option,overrides,OVERRIDES) $(call option,regrades,REGRADES) \
                $(call option,executor,EXECUTOR) $(call option,slurm-options,SLURM_OPTIONS) \
                $(call option,look,LOOK) $(if $(DRY_RUN),--dry-run) $(if $(REHEARSE),--rehearse) $(if $(RESCORE),--rescore) $(if $(REPLACE),--replace) $(if $(UNSAFE),--unsafe)

# Before anything is built: is what is named there?
.PHONY: grade-given
grade-given:
	$(if $(SUBMISSIONS)$(RESCORE)$(REJUDGE)$(LOOK)$(REHEARSE),,@echo 'usage: make grade LAB=lab3 SUBMISSIONS=dir [ROSTER=class.csv POLICY=policy.ini]'; echo '       make help-all has the other options'; exit 2)
	@given() { path=$$2; case $$path in '~/'*) path=$$HOME/$${path#??};; esac; \
	    [ -z "$$path" ] || [ -e "$$path" ] || { echo "grade: $$1=$$2: there is no such file or folder" >&2; exit 2; }; }; \
	$(foreach name,SUBMISSIONS ROSTER POLICY OVERRIDES REGRADES,given $(name) $(call quote,$($(name)));)

# What the submissions are judged beside is built for every device that the policy names, then the class is graded. A policy
# or a name to judge once more that is wrong is told before.
.PHONY: grade
grade: grade-given $(GRADE) $(BUILD)/bin/grade-job $(BUILD)/bin/sandbox $(BUILD)/bin/lab $(BUILD)/bin/simgpu $(NVCC_ARCHITECTURES)
	+@$(if $(findstring n,$(filter-out --%,-$(firstword $(MAKEFLAGS)))),echo "make -n grades nobody: DRY_RUN=1 shows what would be graded"; exit 0;) set -e; $(if $(DRY_RUN)$(RESCORE)$(LOOK),,devices=$$($(GRADE) --list-devices $(GRADE_OPTIONS)); while read -r device gpu; do \
	    arch=$$($(LAB_PROGRAM) arch --device $$device --gpu $$gpu -- $$(cat $(NVCC_ARCHITECTURES))); \
	    $(MAKE) --no-print-directory LAB_ARCH=$$arch DEVICE=$$device grade-programs known-kernels; done <<<"$$devices";) \
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

# What is published with a classroom, students can read: so no key.
.PHONY: classroom50
classroom50:
	$(if $(LAB),,@echo 'usage: make classroom50 LAB=lab3 [POLICY=policy.ini ADDRESS=https://... of a repository of the kit, or student-kit]'; exit 2)
	@ls -d labs/$(call quote,$(LAB))-* >/dev/null 2>&1 || { echo 'there is no '$(call quote,$(LAB))'; the labs are: '$(patsubst labs/%/lab.ini,%,$(wildcard labs/*/lab.ini)); exit 2; }
	@[ -z $(call quote,$(POLICY)) ] || ! grep -qiE '^[[:space:]]*(deadline|key)[[:space:]]*=' $(call quote,$(POLICY)) || \
	    { echo $(call quote,$(POLICY))' has a deadline or a key. Classroom 50 marks what is late itself, and students can read the bundle. Leave them out.' >&2; exit 2; }
	@folder=$(BUILD)/classroom50-$(LAB); rm -rf "$$folder"; mkdir -p "$$folder" && \
	cp grader/classroom50/autograder.py "$$folder/" && echo $(call quote,$(LAB)) >"$$folder/lab" && \
	{ [ -z $(call quote,$(POLICY)) ] || cp $(call quote,$(POLICY)) "$$folder/policy.ini"; } && \
	address=$(call quote,$(ADDRESS)) && address=$${address:-$$(git remote get-url origin 2>/dev/null || echo https://ADDRESS-OF-THE-KIT)} && \
	echo "$$folder: copy what is in it to CLASSROOM/autograders/ASSIGNMENT/" && \
	if [ "$$address" = student-kit ]; then \
	    echo 'runtime of the assignment: { "runs-on": "ubuntu-24.04" }; allowed_files: *, !labs/, !labs/**'; \
	else \
	    echo "$$address $$(git rev-parse HEAD)" >"$$folder/kit" && echo "The kit is fetched from: $$(cat "$$folder/kit")" && \
	    echo 'runtime of the assignment: { "runs-on": "ubuntu-24.04" }; allowed_files: *, !kernel.cu'; \
	fi

# The stand-in for grade-job in this room's tests: judges by what stands in the kernel's comments.
CLASS_FAKE := $(BUILD)/tests/class/fake-grade-job
$(CLASS_FAKE): $(BUILD)/obj/grader/class/tests/fake_grade_job.o $(call archives,class)
	@mkdir -p $(@D)
	$(call say,link,$@)
	$(QUIET)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(call libs,class)

# One suite has kernels of lab 1 judged; one compares kernels with the kit's own.
class_TEST_NEEDS += $(call known_ptx,lab1)
class_TEST_NEEDS += $(CLASS_FAKE) $(GRADE) $(GRADE_NEEDS) $(call judged_programs,lab1)
tests: $(CLASS_FAKE)

# By hand: the classes that two suites grade with a stand-in, with kernels that are all different, compiled and judged.
.PHONY: test-class
test-class: grade-programs $(GRADE) $(BUILD)/bin/grade-job $(BUILD)/bin/sandbox $(BUILD)/bin/lab $(BUILD)/bin/simgpu \
            $(BUILD)/tests/class/test_mixed_class $(BUILD)/tests/class/test_whole_class
	@for suite in mixed whole; do \
	    $(TEST_ENVIRONMENT) REAL_JUDGE=$(if $(UNSAFE),unsafe,1) NUMBER=$(or $(NUMBER),200) \
	        $(BUILD)/tests/class/test_$${suite}_class || exit 1; done

.PHONY: class-pictures
class-pictures: grade-programs $(GRADE) $(BUILD)/bin/grade-job $(BUILD)/bin/sandbox $(BUILD)/bin/lab $(BUILD)/bin/simgpu
	@grader/class/pictures $(BUILD)
