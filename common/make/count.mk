# How large the tree is.

## The kit itself
# make count           lines and files by room and kind, and the budget

# The budget: the lines and files that git holds.
BUDGET_LINES := 192000
BUDGET_FILES := 1450

.PHONY: count
count:
	@common/tools/count-lines $(BUDGET_LINES) $(BUDGET_FILES) $(foreach r,$(ROOMS),$(call room_folder,$r))
