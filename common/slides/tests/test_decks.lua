-- Every deck of slides/: its references resolve, no figure is typed in, it has what a deck has to have, its
-- links lead somewhere, its words are words, and nvcc compiles the code it shows. Needs no browser.
local suite = dofile("common/slides/tests/suite.lua")
local deck = require("deck")
local FEWEST, MOST, QUESTIONS = 20, 35, 3
local build = os.getenv("BUILD") or "build"

local function check_slides(file, slides)
    local questions = 0
    if #slides < FEWEST or #slides > MOST then
        suite.fail("%s: %d slides; a deck has %d to %d", file, #slides, FEWEST, MOST)
    end
    if not slides[1].opening then suite.fail("%s: a deck begins with a heading of the first level", file) end
    for i, slide in ipairs(slides) do
        local before, after = slides[i - 1], slides[i + 1]
        if slide.title == "" or #slide.notes < 30 then
            suite.fail("%s:%d: a slide has a title, and notes of some words", file, slide.line)
        end
        if slide.title:find("^Question") then
            questions = questions + 1
            if not (after and after.title:find("^Answer")) then suite.fail("%s:%d: no answer", file, slide.line) end
        elseif slide.title:find("^Answer") and not (before and before.title:find("^Question")) then
            suite.fail("%s:%d: no question", file, slide.line)
        end
    end
    if questions < QUESTIONS then
        suite.fail("%s: %d questions; a deck has %d or more", file, questions, QUESTIONS)
    end
end

-- The lines of prose of a deck, with line numbers: no code, no drawings; references blanked out.
local function prose(text)
    local lines, fenced, number = {}, false, 0
    for line in text:gmatch("([^\n]*)\n") do
        number = number + 1
        local fence = line:find("^```")
        if fence then fenced = not fenced end
        if not (fence or fenced or line:find("^@")) then lines[#lines + 1] = {number, (line:gsub("{{.-}}", " "))} end
    end
    return lines
end

-- A number with a unit, outside of {{...}} and of code, was typed in: it belongs into a file.
local function typed(line)
    for _, unit in ipairs({"µs", "ms", "ns", "%%", "TFLOP", "[GT]B", "[KM]B"}) do
        if line:find("%d ?" .. unit) then return true end
    end
    return false
end

-- A piece of code in a namespace of its own, with what is around it, under its own line numbers.
local function code_of(file, code)
    local head, foot = "", ""
    if code.around ~= "" then
        local around = suite.read(("slides/code/%s.cu.in"):format(code.around))
        head, foot = around:match("^(.*)FRAGMENT\n(.*)$")
        if not head then suite.fail("slides/code/%s.cu.in has no line FRAGMENT", code.around) end
    end
    local name = ("%s_%d"):format(file:match("(%w+)%.md$"), code.line)
    return ('namespace %s {\n%s#line %d "%s"\n%s\n%s}\n'):format(name, head, code.line, file,
        table.concat(code.text, "\n"), foot)
end

suite.tests({
    {"every_deck_is_whole", function()
        for _, each in ipairs(suite.decks()) do check_slides(each.file, (deck.parse(each.file, each.text))) end
    end},
    {"every_deck_becomes_a_page", function()
        for _, each in ipairs(suite.decks()) do
            local page = build .. "/tests/slides/page.html"
            local command = ("common/tools/slides html %s %s && cat %s"):format(each.file, page, page)
            local said, right = suite.run(command, page, "")
            if not right then suite.fail("%s", said) end
            local _, sections = said:gsub("<section ", "")
            suite.same(sections, #deck.parse(each.file, each.text))
            suite.has(said, "</html>")
            if said:find("{{", 1, true) then suite.fail("%s: a reference is left", each.file) end
            if said:find('src="', 1, true) or said:find("<link", 1, true) then
                suite.fail("%s: something comes from elsewhere", each.file)
            end
        end
    end},
    {"a_wrong_reference_stops_the_page", function()
        local page = build .. "/tests/slides/wrong.html"
        local said, right = suite.run(("common/tools/slides html %s.md %s"):format(page, page), page .. ".md",
            "# Title\n\n{{[h200; -; weight]}}\n")
        if right then suite.fail("a page was made") end
        suite.same(said, page .. ".md:3: set 'h200' has no column 'weight'\n")
        if io.open(page) then suite.fail("a page was written") end
    end},
    {"no_figure_is_typed_in", function()
        suite.same(typed("it takes 4.1 µs"), true)
        for _, each in ipairs(suite.decks()) do
            for _, line in ipairs(prose(each.text)) do
                if typed(line[2]) then
                    suite.fail("%s:%d: a figure that is typed in: %s", each.file, line[1], line[2])
                end
            end
        end
    end},
    {"links_lead_somewhere", function()
        local files = suite.decks()
        files[#files + 1] = {file = "slides/README.md", text = suite.read("slides/README.md")}
        for _, each in ipairs(files) do
            for link in each.text:gmatch("%]%(([^)\n]*)") do
                local name = link:match("^[^#]*")
                local here = link:find("^#") or link:find("^http") or io.open("slides/" .. name)
                if link == "" or not here then
                    suite.fail("%s: a link leads to %s, which is not there", each.file, link)
                end
            end
        end
    end},
    {"every_word_is_known", function() -- slides/words has what no dictionary has
        local text = {"mispelled"} -- so that a speller that finds nothing is found out
        local files = suite.decks()
        files[#files + 1] = {text = suite.read("slides/README.md")}
        for _, each in ipairs(files) do
            for _, line in ipairs(prose(each.text)) do
                local words = line[2]:gsub("`.-`", " "):gsub("%]%(.-%)", " "):gsub("<code>.-</code>", " ")
                text[#text + 1] = words:gsub("[%w'.]+", function(word) return word:find("%d") and " " or word end)
            end
        end
        local file = build .. "/tests/slides/prose.txt"
        local said, right = suite.run("LC_ALL=C.UTF-8 hunspell -l -d en_GB -p slides/words " .. file, file,
            table.concat(text, "\n"))
        if not right then return "no hunspell with a British dictionary here (make setup DEV=1 brings it)" end
        suite.same(said, "mispelled\n")
    end},
    {"code_compiles", function()
        local text = {"#include <cfloat>\n#include <cstdint>\n#include <cstdio>\n"}
        for _, each in ipairs(suite.decks()) do
            local _, codes = deck.parse(each.file, each.text)
            for _, code in ipairs(codes) do text[#text + 1] = code_of(each.file, code) end
        end
        if #text < 2 then suite.fail("no deck has code") end
        local file = build .. "/tests/slides/code.cu"
        local said, right = suite.run(("common/tools/nvcc -arch=sm_90 -ptx -o %s.ptx %s"):format(file, file), file,
            table.concat(text))
        os.remove(file .. ".ptx")
        if not right then suite.fail("nvcc:\n%s", said) end
    end},
})
