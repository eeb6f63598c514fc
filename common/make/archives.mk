# Packed files: common/archives/NAME.tar.xz, unpacked as build/unpacked/NAME/ when something needs them.

## The kit itself
# make unpack          common/archives/NAME.tar.xz as build/unpacked/NAME
#     [ARCHIVE=NAME]   of all archives or of one
# make pack ARCHIVE=NAME  archive and list anew from build/unpacked/NAME

ARCHIVES := $(patsubst common/archives/%.tar.xz,%,$(sort $(wildcard common/archives/*.tar.xz)))
UNPACKED := $(BUILD)/unpacked

# What needs files of an archive depends on $(call unpacked,NAME).
unpacked = $(UNPACKED)/$1.stamp

$(UNPACKED)/%.stamp: common/archives/%.tar.xz common/archives/%.list
	@common/tools/archive unpack $* $(@D)/$*

.PHONY: pack unpack
unpack: $(foreach a,$(or $(ARCHIVE),$(ARCHIVES)),$(call unpacked,$a))
pack:
	@$(if $(filter $(ARCHIVE),$(ARCHIVES)),,echo 'make pack: which archive? ARCHIVE=$(subst $() ,|,$(ARCHIVES))' >&2; exit 2;) \
	common/tools/archive pack $(ARCHIVE) $(UNPACKED)/$(ARCHIVE)
