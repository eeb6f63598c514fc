## A class (instructors: grader/README.md)
# make quiz-export FORMAT=gift|qti  the questions for Moodle or Canvas

.PHONY: quiz-export
quiz-export: $(BUILD)/bin/quiz
	@$(if $(filter gift qti,$(FORMAT)),,echo 'usage: make quiz-export FORMAT=gift (Moodle) or FORMAT=qti (Canvas)'; exit 2;) \
	$< export $(FORMAT) $(BUILD)/quizzes.$(if $(filter qti,$(FORMAT)),zip,gift) $(TASK_LABS) $(LABS)

# tests compare with the simulator's counting
quiz_TEST_ROOMS := simt
$(quiz_TESTS): $(quiz_TEST_ROOMS:%=$(BUILD)/lib/lib%.a)
# they read the zip back, and run the program
quiz_TEST_NEEDS := $(BUILD)/bin/quiz
