## To teach
# make slides          every deck of slides/, as HTML and PDF: build/slides
# make slides-look     a picture of all slides of each deck
#                      (make setup SLIDES=1 brings what they need)

SLIDES_OUT := $(BUILD)/slides
DECKS      := $(filter-out README,$(patsubst slides/%.md,%,$(sort $(wildcard slides/*.md))))

.PHONY: slides slides-look
.SECONDARY: $(DECKS:%=$(SLIDES_OUT)/%.html)
slides: $(DECKS:%=$(SLIDES_OUT)/%.pdf)
	@echo "$(SLIDES_OUT): $(words $(DECKS)) decks, each as HTML and as PDF"
slides-look: $(DECKS:%=$(SLIDES_OUT)/%.png)
	@printf '%s\n' $^

ifeq ($(SLIDES_LIBRARY),)
$(BUILD)/bin/slides:
	@echo 'There is no md4c, by which slides are made: make setup SLIDES=1 installs it.' >&2; exit 1
endif

# All decks anew when a figure, a source that is shown or the program changes: it takes a second.
$(SLIDES_OUT)/%.html: slides/%.md $(BUILD)/bin/slides $(wildcard slides/*.ini slides/code/*) common/slides/page.css common/slides/page.js \
    $(wildcard README.md labs/*/README.md solutions/*.md solutions/*/*.md solutions/*/*.ini solutions/*/*.cu solutions/*/steps/*.cu solutions/*/*.csv common/gpus/*.ini common/gpus/calibration/*.csv)
	$(call say,deck,$<)
	$(QUIET)$(BUILD)/bin/slides $< $(@D)
$(SLIDES_OUT)/%.pdf: $(SLIDES_OUT)/%.html common/tools/slides
	$(call say,pdf,$@)
	$(QUIET)common/tools/slides pdf $< $@
$(SLIDES_OUT)/%.png: $(SLIDES_OUT)/%.html common/tools/slides
	$(call say,sheet,$@)
	$(QUIET)common/tools/slides sheet $< $@
