# make grade LAB=lab3 SUBMISSIONS=dir    a class: judge what it handed in, safely, and write its grades
#   ROSTER=class.csv POLICY=policy.ini OUT=build/grades JOBS=n ONLY=jdoe,mmu DRY_RUN=1 RESCORE=1
#   EXECUTOR=local|slurm UNSAFE=1        without LAB: as the submissions' folders say (lab1/, lab2-.../)

GRADE := $(BUILD)/bin/grade
GRADE_OPTIONS = $(call option,lab,LAB_ID) $(call option,submissions,SUBMISSIONS) $(call option,roster,ROSTER) \
                $(call option,policy,POLICY) $(call option,out,OUT) $(call option,jobs,JOBS) $(call option,only,ONLY) \
                $(call option,executor,EXECUTOR) $(if $(DRY_RUN),--dry-run) $(if $(RESCORE),--rescore) \
                $(if $(UNSAFE),--unsafe)

# What a class is judged with: the programs, and the starters and references to be timed beside.
GRADE_TOOLS := $(GRADE) $(BUILD)/bin/simgpu $(CUDART_LIBRARIES) $(RUNNER_OBJECTS)
