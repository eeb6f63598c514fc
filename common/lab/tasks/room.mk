# common/lab/tasks: labs of small tasks; each is a folder labs/labN-TOPIC with a tasks.ini. What makes a lab of kernels
# (labs.mk) a lab is its lab.ini, so neither has the other's commands.

## Start
# make lab0            never wrote a kernel? ten small tasks, an hour; then lab1

## A lab of small tasks
# make lab0-hint       the next hint on the first task that is not done [TASK=n]
# make lab0-solution   a task's solution [TASK=n FORCE=1]
# make lab0-reset      start over, or one task [TASK=n YES=1]
# make lab0-quiz       questions on it, with numbers of your own

TASK_LABS  := $(foreach data,$(sort $(wildcard labs/lab*-*/tasks.ini)),$(firstword $(subst -, ,$(notdir $(patsubst %/,%,$(dir $(data)))))))
TASK_VERBS := hint solution reset
TASKS_PROGRAM := $(BUILD)/bin/tasks

# Tried on the simulated GPU always, for it sees every fault; then on a real one, where there is one. So the programs are
# for the lower architecture of the two.
.PHONY: $(TASK_LABS) $(foreach verb,$(TASK_VERBS) quiz,$(TASK_LABS:=-$(verb)))
$(TASK_LABS): $(TASKS_PROGRAM) $(BUILD)/bin/lab simulated-gpu $(NVCC_ARCHITECTURES)
	@lab=$(BUILD)/bin/lab; known=$$(cat $(NVCC_ARCHITECTURES)); \
	device=$$($$lab device $(LAB_DEVICE)) && arch=$$($$lab arch --device sim $(call option,gpu,GPU) -- $$known) || exit; real=(); \
	if [ "$$device" = cuda ]; then \
	    own=$$($$lab arch --device cuda -- $$known) || exit; [ "$$own" -lt "$$arch" ] && arch=$$own; \
	    real=(--real "$$(dirname "$$(common/tools/find-cuda library 2>/dev/null)")"); \
	fi; \
	$(TASKS_PROGRAM) run $@ --nvcc $(NVCC) --arch "$$arch" "$${real[@]}" $(call option,gpu,GPU) $(call option,task,TASK)
$(foreach verb,$(TASK_VERBS),$(TASK_LABS:=-$(verb))): $(TASKS_PROGRAM)
	$(if $(filter %-solution,$@),$(not_here))
	@$(TASKS_PROGRAM) $(verb) $(lab) $(call option,task,TASK) $(if $(FORCE),--force) $(if $(YES),--yes)
$(TASK_LABS:=-quiz): $(BUILD)/bin/quiz
	@$< ask $(lab)

# The tests build every task, solution and wrong answer themselves (tests/nvcc_once.sh).
tasks_TEST_NEEDS := $(TASKS_PROGRAM) simulated-gpu
