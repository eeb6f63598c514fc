-- deck.lua: reads a deck line by line: slides, notes, drawings, code (README.md). pandoc keeps no line
-- numbers, so it gets each slide's Markdown from here.
local data = require("data")
local draw = require("draw")
for _, drawings in ipairs({"figures", "machine", "charts"}) do require(drawings) end
local refuse = data.refuse

local deck = {}
local CODE_WIDTH = 76 -- characters of a line of code on a slide
local MARKDOWN = "commonmark+pipe_tables+raw_html"

-- Repeats the line for each row of a set, with the row's name for '$'.
local function each(out, text)
    local name, line = text:match("^(.-):%s*(.*)$")
    if not name then refuse("@each SET: | $ | {{...}} |") end
    local seen = {}
    for _, cell in ipairs(data.set(data.trim(name))) do
        if not seen[cell.row] then
            seen[cell.row] = true
            out[#out + 1] = data.fill((line:gsub("%$", (cell.row:gsub("%%", "%%%%")))))
        end
    end
end

-- A line of a source, without the piece's indent and the comment at its end. The rest of the indent is
-- halved; a line wider than a slide is broken at a blank.
local function line_of_code(out, line, indent)
    local blanks, text = #line:match("^ *"), line:match("^ *(.*)$")
    local comment = text:find(" // ", 2, true)
    text = comment and text:sub(1, comment - 1) or text
    local kept = math.max(blanks - indent, 0) // 2
    local further = kept + 4
    while kept + #text > CODE_WIDTH do
        local head = text:sub(1, CODE_WIDTH - kept + 1):match("^(.+) ")
        if not head then break end
        out[#out + 1] = (" "):rep(kept) .. head
        text, kept = text:sub(#head + 2), further
    end
    out[#out + 1] = text == "" and "" or (" "):rep(kept) .. text
end

-- "FILE LINES TEXT": LINES lines of a source, from the first that has the text.
local function piece_of_code(out, words)
    local file, lines, text = words:match("^(%S+)%s+(%d+)%s+(.+)$")
    if not file then refuse("@code FILE LINES TEXT") end
    local left, indent = tonumber(lines), nil
    out[#out + 1] = "```"
    for line in data.lines(data.read(file)) do
        indent = indent or line:find(text, 1, true) and #line:match("^ *")
        if indent and left > 0 then
            line_of_code(out, line, indent)
            left = left - 1
        end
    end
    if not indent then refuse("%s has no line with '%s'", file, text) end
    out[#out + 1] = "```"
end

local lines_of = {each = each, code = piece_of_code}
function lines_of.figure(out, words)
    out[#out + 1] = draw.draw(words)
end

-- A deck's slides, each {line, title, opening, body, notes}, and its ```cuda blocks, each {line, around,
-- text}. `name` is for errors.
function deck.parse(name, text)
    local slides, codes, number = {}, {}, 1
    local out, slide, code, fenced
    local function begin()
        out = {}
        slide = {line = number, title = "", body = out, notes = {}}
        slides[#slides + 1] = slide
    end
    local function fence(line)
        local around = line:match("^```cuda%s*(.*)$")
        code = not fenced and around and {line = number + 1, around = around, text = {}} or nil
        codes[#codes + 1] = code
        fenced = not fenced
        out[#out + 1] = code and "```" or line
    end
    local function read_line(line)
        local note, request, words = line:match("^Note:(.*)$"), line:match("^@(%a*) ?(.*)$")
        local marks, title = line:match("^(#+) (.*)$")
        if line:find("^```") then
            fence(line)
        elseif fenced then
            out[#out + 1] = line
            if code then table.insert(code.text, line) end
        elseif line == "---" then
            begin()
        elseif note then
            if out == slide.notes then refuse("a slide has one 'Note:'") end
            out = slide.notes
            out[1] = data.fill(note)
        elseif lines_of[request] then
            lines_of[request](out, words)
        elseif line:find("^@") then
            refuse("unknown line '%s': @each, @figure, @code", line:sub(1, 20))
        else
            if marks and slide.title == "" and out == slide.body then
                slide.title, slide.opening = title, marks == "#"
            end
            out[#out + 1] = data.fill(line)
        end
    end
    local right, why = pcall(function()
        begin()
        for line in data.lines(text) do
            read_line(line)
            number = number + 1
        end
        if fenced then refuse("code without its closing ```") end
    end)
    if not right then refuse("%s:%d: %s", name, number, why) end
    for _, read in ipairs(slides) do
        read.body, read.notes = table.concat(read.body, "\n"), table.concat(read.notes, "\n")
    end
    return slides, codes
end

local function kind(slide)
    return slide.opening and "opening" or slide.title:find("^Question") and "question" or
        slide.title:find("^Answer") and "answer" or "plain"
end

-- The slides as pandoc's blocks.
function deck.blocks(slides)
    local blocks = {}
    local function html(format, ...)
        blocks[#blocks + 1] = pandoc.RawBlock("html", string.format(format, ...))
    end
    local function markdown(text)
        for _, block in ipairs(pandoc.read(text, MARKDOWN).blocks) do blocks[#blocks + 1] = block end
    end
    for i, slide in ipairs(slides) do
        html('<div class="frame"><section class="%s" id="s%d">', kind(slide), i)
        markdown(slide.body)
        html('<p class="number">%d</p>\n</section>\n<aside>', i)
        markdown(slide.notes)
        html("</aside></div>")
    end
    return blocks
end

return deck
