## To teach
# make slides          every deck of slides/, as HTML and PDF: build/slides
# make slides-look     a picture of all slides of each deck
# make course          handouts, glossary, quizzes, decks, your profiles, as
#                      pages for a browser: build/course/index.html
#                      (make setup SLIDES=1 brings what they need)

SLIDES_OUT := $(BUILD)/slides
SLIDES_LUA := $(wildcard common/slides/*.lua)
DECKS      := $(filter-out README,$(patsubst slides/%.md,%,$(sort $(wildcard slides/*.md))))

.PHONY: slides slides-look course
.SECONDARY: $(DECKS:%=$(SLIDES_OUT)/%.html)
slides: $(DECKS:%=$(SLIDES_OUT)/%.pdf)
	@echo "$(SLIDES_OUT): $(words $(DECKS)) decks, each as HTML and as PDF"
slides-look: $(DECKS:%=$(SLIDES_OUT)/%.png)
	@printf '%s\n' $^

course: $(BUILD)/bin/quiz $(DECKS:%=$(SLIDES_OUT)/%.html)
	@BUILD=$(BUILD) common/tools/course $(BUILD)/course $^

# A new figure, shown source or filter makes all decks again, which takes a few seconds.
$(SLIDES_OUT)/%.html: slides/%.md common/tools/slides common/slides/page.html $(SLIDES_LUA) $(BUILD)/bin/occupancy $(wildcard slides/*.ini) \
    $(wildcard README.md labs/*/README.md solutions/*.md solutions/*/*.md solutions/*/*.ini solutions/*/*.cu solutions/*/steps/*.cu solutions/*/*.csv common/gpu/models/*.ini) $(call unpacked,recordings)
	$(call say,deck,$<)
	$(QUIET)BUILD=$(BUILD) common/tools/slides html $< $@
$(SLIDES_OUT)/%.pdf: $(SLIDES_OUT)/%.html common/tools/slides
	$(call say,pdf,$@)
	$(QUIET)common/tools/slides pdf $< $@
$(SLIDES_OUT)/%.png: $(SLIDES_OUT)/%.html common/tools/slides
	$(call say,sheet,$@)
	$(QUIET)common/tools/slides sheet $< $@

# The suites are Lua, and pandoc runs them.
slides_TESTS      := $(if $(PANDOC),$(patsubst common/slides/tests/%.lua,$(BUILD)/tests/slides/%,$(sort $(wildcard common/slides/tests/test_*.lua))))
slides_TEST_NEEDS = $(BUILD)/bin/occupancy $(call unpacked,recordings)
$(slides_TESTS): $(BUILD)/tests/slides/%: common/slides/tests/%.lua common/slides/room.mk
	@mkdir -p $(@D)
	@printf '#!/bin/sh\nexec pandoc --lua-filter %s -o /dev/null /dev/null\n' $< >$@ && chmod +x $@
