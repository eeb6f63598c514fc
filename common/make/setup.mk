# make setup        installs what the labs need and this machine lacks
# make setup DEV=1  also what work on the kit itself needs (formatters, checkers, fuzzer)
.PHONY: setup
setup:
	@common/tools/setup $(if $(DEV),DEV)
