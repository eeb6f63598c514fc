-- draw.lua: a drawing, shape by shape, as SVG. The drawings are in figures.lua, machine.lua and charts.lua.
-- Lengths are pixels of a slide of 1280x720, and y grows downwards. No text is smaller than 24 pixels.
local data = require("data")

-- The colours are Okabe and Ito's, which colour-blind readers can tell apart.
local draw = {
    BLACK = "#000000", GREY = "#c8c8c8", PALE = "#f2f2f2", WHITE = "#ffffff", ORANGE = "#e69f00", SKY = "#56b4e9",
    GREEN = "#009e73", YELLOW = "#f0e442", BLUE = "#0072b2", RED = "#d55e00", PURPLE = "#cc79a7",
    WIDTH = 1160, HEIGHT = 440, -- of a drawing that fills a slide below its title
}
local figures = {} -- by name: {words, low, high, draw}
local out          -- the lines of the drawing under way: none is blank, which would end the HTML within Markdown
local spoken       -- what it shows, in words
-- Darker forms of colours, for text: 4.5 times as dark as white and PALE at least.
local INK = {[draw.ORANGE] = "#8a5f00", [draw.SKY] = "#00699e", [draw.GREEN] = "#00664b", [draw.RED] = "#b34700",
    [draw.PURPLE] = "#8f3a66"}

local function put(format, ...)
    out[#out + 1] = format:format(...)
end

-- `what` is read to those who cannot see the drawing, then its texts and what draw.say adds.
function draw.begin(width, height, what)
    put('<div class="figure"><svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" ' ..
        'viewBox="0 0 %.0f %.0f" role="img" aria-label="%s">', width, height, width, height, what)
end

function draw.box(x, y, width, height, fill, edge)
    put('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s" stroke="%s" stroke-width="1.5"/>',
        x, y, width, height, fill, edge or draw.BLACK)
end

-- Columns and rows of boxes, dx and dy apart, each as large as that step or width x height. `fill` is a
-- colour or a function of column and row, both from 0.
function draw.cells(x, y, columns, rows, dx, dy, fill, edge, width, height)
    for row = 0, rows - 1 do
        for column = 0, columns - 1 do
            draw.box(x + column * dx, y + row * dy, width or dx, height or dy,
                type(fill) == "function" and fill(column, row) or fill, edge)
        end
    end
end

function draw.line(x1, y1, x2, y2, colour, width)
    put('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="%.1f"/>',
        x1, y1, x2, y2, colour, width)
end

function draw.dashes(x1, y1, x2, y2, colour)
    put('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="3" stroke-dasharray="10 8"/>',
        x1, y1, x2, y2, colour)
end

function draw.arrow(x1, y1, x2, y2, colour)
    local length = math.sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2) / 14 -- in heads of the arrow
    local dx, dy = (x2 - x1) / length, (y2 - y1) / length
    draw.line(x1, y1, x2 - dx, y2 - dy, colour or draw.BLACK, 3)
    put('<polygon points="%.1f,%.1f %.1f,%.1f %.1f,%.1f" fill="%s"/>', x2, y2, x2 - dx - dy / 2, y2 - dy + dx / 2,
        x2 - dx + dy / 2, y2 - dy - dx / 2, colour or draw.BLACK)
end

function draw.dot(x, y, radius, fill)
    put('<circle cx="%.1f" cy="%.1f" r="%.1f" fill="%s" stroke="#000000"/>', x, y, radius, fill)
end

-- Says in words what the drawing shows by place or colour alone, such as a curve's points.
function draw.say(text)
    spoken[#spoken + 1] = (text:gsub("[<>&]", {["<"] = "&lt;", [">"] = "&gt;", ["&"] = "&amp;"}))
end

-- y is the text's baseline; x is its start, or with `anchor` its "middle" or "end".
function draw.text(x, y, text, colour, anchor)
    draw.say(tostring(text))
    put('<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s" font-size="24">%s</text>', x, y, anchor or "start",
        INK[colour] or colour or draw.BLACK, spoken[#spoken])
end

function draw.middle(x, y, text, colour)
    draw.text(x, y, text, colour, "middle")
end

-- A box with a text in its middle.
function draw.label(x, y, width, height, fill, text, edge, colour)
    draw.box(x, y, width, height, fill, edge)
    draw.middle(x + width / 2, y + height / 2 + 9, text, colour)
end

-- Texts one below the other.
function draw.texts(x, y, step, texts, colour)
    for i, text in ipairs(texts) do draw.text(x, y + (i - 1) * step, text, colour) end
end

-- The meaning of colours: rows of {text, colour}, `step` apart, or with their place as third field.
function draw.key(x, y, step, rows)
    for i, row in ipairs(rows) do
        local left = row[3] or x + (i - 1) * step
        draw.box(left, y, 24, 24, row[2])
        draw.text(left + 34, y + 21, row[1])
    end
end

-- Registers a drawing by name. It takes `low` to `high` words, which `words` explains.
function draw.figure(name, words, low, high, how)
    figures[name] = {words = words, low = low, high = high, draw = how}
end

function draw.refuse(what)
    data.refuse("@figure: %s", what)
end

-- A whole number of a drawing's words.
function draw.number(word, low, high)
    local value = word:find("^%-?%d+$") and tonumber(word)
    if not value or value < low or value > high then draw.refuse("a whole number of the right size is missing") end
    return value
end

-- A row's name on a drawing: "7a (starter)" becomes "7a ".
function draw.short(name)
    return name:match("^[^(]*")
end

-- The drawing for "NAME words", as HTML. '_' is a blank within a word.
function draw.draw(request)
    local words = {}
    for word in request:gmatch("%S+") do words[#words + 1] = word:gsub("_", " ") end
    local name = table.remove(words, 1)
    local figure = figures[name]
    if not figure then
        local names = {}
        for known in pairs(figures) do names[#names + 1] = known end
        table.sort(names)
        draw.refuse(("there is no drawing '%s'; there are %s"):format(name or "", table.concat(names, ", ")))
    end
    if #words < figure.low or #words > figure.high then data.refuse("@figure %s takes: %s", name, figure.words) end
    out, spoken = {}, {}
    figure.draw(words)
    put("</svg>")
    out[#out + 1] = '<p class="words">In the drawing: ' .. table.concat(spoken, "; ") .. "</p></div>"
    return table.concat(out, "\n")
end

return draw
