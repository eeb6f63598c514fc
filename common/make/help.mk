# make              the help and the state of every lab; builds nothing
.PHONY: help
help:
	@BUILD=$(BUILD) common/tools/help
