# make doctor       what is here, what is missing, what is lost without it, what brings it
.PHONY: doctor
doctor:
	@common/tools/doctor
