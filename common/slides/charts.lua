-- charts.lua: the drawings of recorded figures, and of the occupancy calculator's results.
local data = require("data")
local draw = require("draw")
local figure, box, line, text = draw.figure, draw.box, draw.line, draw.text
local BLACK, GREY, WHITE, RED = draw.BLACK, draw.GREY, draw.WHITE, draw.RED
local COLOURS = {draw.BLUE, draw.RED, draw.GREEN, draw.PURPLE, draw.ORANGE, draw.SKY}
local MANY = 24 -- words, at most

-- ---- bars

-- Rows of bars, each with its name before it and its length behind it. `bars` has a {name, parts, label}
-- for each row; parts are {length, colour}. `shape` has left, the x of the bars; width of the longest bar;
-- row, the height of a row; gap, the free part of that height.
local function draw_bars(bars, shape)
    local longest = 0
    for _, bar in ipairs(bars) do
        bar.total = 0
        for _, part in ipairs(bar.parts) do bar.total = bar.total + part[1] end
        longest = math.max(longest, bar.total)
    end
    if longest <= 0 then draw.refuse("no row has a number above 0") end
    local scale = shape.width / longest
    for i, bar in ipairs(bars) do
        local x, y = shape.left, 10 + (i - 1) * shape.row
        text(x - 15, y + shape.row / 2 + 7, draw.short(bar.name), BLACK, "end")
        for _, part in ipairs(bar.parts) do
            if part[1] > 0 then box(x, y + 2, part[1] * scale, shape.row - 8, part[2]) end
            x = x + part[1] * scale
        end
        text(x + 13, y + shape.row / 2 + 7, bar.label)
    end
    return scale
end

figure("bars", "SET COLUMN[/DIVISOR] UNIT ROW...", 4, MANY, function(words)
    local column, divisor = words[2]:match("^([^/]*)/?(.*)$")
    divisor = divisor == "" and 1 or tonumber(divisor) or draw.refuse("behind '/' stands a number to divide by")
    local bars, rows = {}, #words - 3
    for i = 4, #words do
        local value = data.number(words[1], words[i], column) / divisor
        bars[i - 3] = {name = words[i], parts = {{value, draw.SKY}}, label = ("%.4g %s"):format(value, words[3])}
    end
    local row = math.min(56, 430 / rows)
    draw.begin(draw.WIDTH, rows * row + 20, "bars, one for each step")
    draw_bars(bars, {left = 165, width = 780, row = row})
end)

-- A part is a column, or NAME=SUFFIX: the time in µs of the row's launches whose names end in SUFFIX. A part
-- without a number is 0.
figure("stack", "SET PART,PART,... UNIT ROW...; a part is a column, or NAME=SUFFIX", 4, MANY, function(words)
    local bars, key, rows = {}, {}, #words - 3
    local colours = {draw.ORANGE, draw.SKY, draw.GREEN, draw.PURPLE}
    for part in words[2]:gmatch("[^,]+") do
        local colour = colours[#key + 1] or draw.refuse("more than four columns")
        local name, suffix = part:match("^(.-)=(.*)$")
        key[#key + 1] = {name or part, colour, suffix = suffix, column = name and "time" or part}
    end
    for i = 4, #words do
        local parts, total = {}, 0
        for k, part in ipairs(key) do
            local value = data.number(words[1], words[i] .. (part.suffix or ""), part.column, true)
            value = value ~= value and 0 or part.suffix and value / 1000 or value
            parts[k], total = {value, part[2]}, total + value
        end
        if total <= 0 then draw.refuse("a row has no number in any of the columns") end
        bars[i - 3] = {name = words[i], parts = parts, label = ("%.3g %s"):format(total, words[3])}
    end
    local row = math.min(54, 370 / rows)
    draw.begin(draw.WIDTH, rows * row + 70, "what each part takes, a bar for each row")
    draw_bars(bars, {left = 190, width = 800, row = row})
    draw.key(190, rows * row + 28, 250, key)
end)

-- Bytes of machine code of steps, and the size of the SM's instruction cache.
figure("code", "SET COLUMN ROW...", 3, MANY, function(words)
    local bars, rows, held = {}, #words - 2, data.h200("code_bytes")
    for i = 3, #words do
        local value = data.number(words[1], words[i], words[2])
        bars[i - 2] = {name = words[i], parts = {{value, value > held and draw.ORANGE or draw.SKY}},
            label = ("%.1f KB"):format(value / 1024)}
    end
    local row = math.min(60, 340 / rows)
    draw.begin(draw.WIDTH, rows * row + 60, "bytes of machine code of steps, and what the cache holds")
    local limit = 150 + held * draw_bars(bars, {left = 150, width = 760, row = row})
    draw.dashes(limit, 4, limit, rows * row + 10, RED)
    text(limit, rows * row + 44, ("the SM's cache: %d KB"):format(held // 1024), RED, "middle")
end)

-- ---- axes

-- Axes of 740x310. x and y have low and high ends and `ticks`, and are logarithmic if `log` is true. Returns two
-- functions, from an x and from a y to its place.
local function axes(x, y, name_x, name_y)
    local left, top, width, height = 110, 40, 740, 310
    local function along(value, ends)
        if ends.log then return math.log(value / ends[1]) / math.log(ends[2] / ends[1]) end
        return (value - ends[1]) / (ends[2] - ends[1])
    end
    local function at_x(value) return left + width * along(value, x) end
    local function at_y(value) return top + height * (1 - along(value, y)) end
    box(left, top, width, height, WHITE)
    text(left + width / 2, top + height + 66, name_x, BLACK, "middle")
    text(left, top - 14, name_y)
    for _, tick in ipairs(x.ticks) do
        line(at_x(tick), top + height, at_x(tick), top + height + 8, BLACK, 2)
        text(at_x(tick), top + height + 33, ("%g"):format(tick), BLACK, "middle")
    end
    for _, tick in ipairs(y.ticks) do
        line(left, at_y(tick), left + width, at_y(tick), GREY, 1)
        text(left - 10, at_y(tick) + 8, ("%g"):format(tick), BLACK, "end")
    end
    return at_x, at_y
end

-- A line through points {x, y}, drawn `shift` higher so that two equal lines are visible; in words, its points.
local function curve(points, at_x, at_y, colour, shift)
    local said = {}
    for i, point in ipairs(points) do said[i] = ("%.4g at %.4g"):format(point[2], point[1]) end
    draw.say("a line: " .. table.concat(said, ", "))
    for i = 2, #points do
        local from, to = points[i - 1], points[i]
        line(at_x(from[1]), at_y(from[2]) - (shift or 0), at_x(to[1]), at_y(to[2]) - (shift or 0), colour, 4)
    end
end

-- The name of a curve, right of the axes.
local function name_curve(number, name)
    line(874, 18 + number * 44, 914, 18 + number * 44, COLOURS[number], 5)
    text(926, 26 + number * 44, name)
end

-- Bandwidth over threads: a table's columns are numbers of threads on a multiprocessor.
figure("curves", "SET ROW... ; the columns are the points", 2, 1 + #COLOURS, function(words)
    draw.begin(draw.WIDTH, draw.HEIGHT, "bandwidth over threads on a multiprocessor")
    local at_x, at_y = axes({0, 2048, ticks = {0, 512, 1024, 1536, 2048}},
        {0, 4500, ticks = {0, 1000, 2000, 3000, 4000}},
        "threads on a multiprocessor", "GB/s")
    for number = 1, #words - 1 do
        local points = {}
        for _, cell in ipairs(data.set(words[1])) do
            local x, y = data.parse(cell.column), data.parse(cell.text)
            if cell.row == words[number + 1] and x and y then points[#points + 1] = {x, y} end
        end
        if #points == 0 then draw.refuse("the set has no such row") end
        curve(points, at_x, at_y, COLOURS[number])
        for _, point in ipairs(points) do draw.dot(at_x(point[1]), at_y(point[2]), 5, COLOURS[number]) end
        name_curve(number, words[number + 1])
    end
end)

-- {registers, occupancy} at the corners of the staircase, from the calculator's ranges of registers a thread.
local function staircase(model, threads)
    local function ask(registers)
        local program = (os.getenv("BUILD") or "build") .. "/bin/occupancy"
        local command = ("'%s' --gpu '%s' %d %d 2>&1"):format(program, model, threads, registers)
        local pipe = assert(io.popen(command))
        return pipe:read("a"), pipe:close()
    end
    local printed, right = ask(32)
    local ranges = right and printed:match("\n  registers of a thread .-\n(.-)\n\n")
    if not ranges then draw.refuse("the occupancy calculator says: " .. data.trim(printed)) end
    local points, old = {}, nil
    for first in ranges:gmatch("[> ] (%d+)[^\n]*") do
        first = math.max(tonumber(first), 16)
        local share = tonumber(ask(first):match("occupancy ([%d.]+) %%"))
        if old then points[#points + 1] = {first, old} end
        points[#points + 1], old = {first, share}, share
    end
    points[#points + 1] = {tonumber(ranges:match("to (%d+)[^\n]*$")), old}
    return points
end

-- Occupancy over registers of a thread, by the calculator.
figure("occupancy", "THREADS MODEL...", 2, 5, function(words)
    local threads = draw.number(words[1], 32, 1024)
    draw.begin(draw.WIDTH, draw.HEIGHT, "occupancy over registers of a thread: a staircase")
    local at_x, at_y = axes({0, 256, ticks = {0, 32, 64, 96, 128, 160, 192, 224, 256}},
        {0, 105, ticks = {0, 25, 50, 75, 100}},
        "registers of a thread", "occupancy, %")
    for number = 1, #words - 1 do
        curve(staircase(words[number + 1], threads), at_x, at_y, COLOURS[number], (number - 1) * 3)
        name_curve(number, words[number + 1])
    end
    text(874, 250, ("blocks of %d"):format(threads))
end)

-- The powers of ten from the one below `low` to the one above `high`, or up to `high`.
local function decades(low, high, whole)
    local tick = 10 ^ math.floor(math.log(low, 10))
    local ends = {tick, whole and 10 ^ math.ceil(math.log(high, 10)) or high, ticks = {}, log = true}
    while tick <= ends[2] * 1.01 do
        table.insert(ends.ticks, tick)
        tick = tick * 10
    end
    return ends
end

-- Steps of a recording on the H200's roofline: 10^9 warp instructions a second over warp instructions for a
-- byte of device memory. A grey line leads from each step to the next.
figure("roofline", "SET ROW...", 2, MANY, function(words)
    local points, bandwidth = {}, data.h200("dram_gbs")
    -- 10^9 warp instructions a second
    local roof = data.h200("sm_count") * data.h200("issue_rate") * data.h200("clock_mhz") / 1000
    local corner = roof / bandwidth
    local low_x, high_x, low_y = corner / 1.5, corner * 1.5, roof / 1.5
    for i = 2, #words do
        local function of(column) return data.number(words[1], words[i], column) end
        local time, instructions, bytes = of("time"), of("instructions"), of("dram_read") + of("dram_written")
        if time <= 0 or instructions <= 0 or bytes <= 0 then
            draw.refuse("a step without time or traffic has no place under the roof")
        end
        local x, y = instructions / bytes, instructions / time
        points[i - 1] = {x, y}
        low_x, high_x, low_y = math.min(low_x, x / 1.3), math.max(high_x, x * 1.3), math.min(low_y, y / 1.3)
    end
    draw.begin(draw.WIDTH, draw.HEIGHT, "the roofline: warp instructions a second over instructions a byte")
    local ends_x, ends_y = decades(low_x, high_x, true), decades(low_y, roof * 1.5)
    local at_x, at_y = axes(ends_x, ends_y, "warp instructions for a byte of device memory",
        "10^9 warp instructions a second")
    local start = math.max(ends_x[1], ends_y[1] / bandwidth)
    curve({{start, start * bandwidth}, {corner, roof}, {ends_x[2], roof}}, at_x, at_y, BLACK)
    text(874, at_y(roof) + 8, ("issue slots: %.0f"):format(roof))
    for i = 2, #points do
        line(at_x(points[i - 1][1]), at_y(points[i - 1][2]), at_x(points[i][1]), at_y(points[i][2]), GREY, 3)
    end
    for i, point in ipairs(points) do
        local x, y, colour, top = point[1], point[2], COLOURS[(i - 1) % #COLOURS + 1], 104 + i * 36
        draw.dot(at_x(x), at_y(y), 10, colour)
        draw.dot(894, top - 8, 10, colour)
        text(916, top, ("%s: %.0f %% of roof"):format(words[i + 1], 100 * y / math.min(roof, x * bandwidth)))
    end
end)

-- Cycles for each instruction of a loop, over the loop's size, for one warp and for a full SM. The set has
-- rows code_32k_one_warp, code_32k_full and so on.
figure("fetch", "SET", 1, 1, function(words)
    draw.begin(draw.WIDTH, draw.HEIGHT, "cycles for an instruction over the size of the loop")
    local at_x, at_y = axes({8, 512, ticks = {8, 16, 32, 64, 128, 256, 512}, log = true}, {0, 6, ticks = {0, 2, 4, 6}},
        "KB of the loop's machine code", "cycles for an instruction, measured")
    for _, key in ipairs({"code_bytes", "code_group_bytes"}) do
        local x = at_x(data.h200(key) / 1024)
        draw.dashes(x, at_y(6), x, at_y(0), draw.GREEN)
    end
    for _, kind in ipairs({{"one_warp", RED, "one warp"}, {"full", draw.BLUE, "32 warps together"}}) do
        local points = {}
        for i, size in ipairs({8, 16, 24, 32, 48, 64, 96, 112, 128, 160, 192, 256, 384}) do
            points[i] = {size, data.number(words[1], ("code_%dk_%s"):format(size, kind[1]), "value")}
        end
        curve(points, at_x, at_y, kind[2])
        for _, point in ipairs(points) do draw.dot(at_x(point[1]), at_y(point[2]), 6, kind[2]) end
        text(870, at_y(points[#points][2]) + 8, kind[3], kind[2])
    end
    draw.texts(870, 150, 34, {"dashes: the SM's", "cache, the next one"}, draw.GREEN)
end)

-- ---- machine code and time

-- How an instruction of an inner loop is drawn; a sign without a row (a table's quotes) is not. Shapes and
-- letters distinguish instructions as colours do: a load of the large array is tall, other instructions are
-- low, a wait is thin and the tallest.
local SIGNS = {
    L = {width = 1, high = 1, colour = draw.BLUE, letter = WHITE, shift = 8},
    s = {width = 1, high = 0.6, colour = draw.SKY, letter = BLACK, shift = 8},
    ["*"] = {width = 1, high = 0.6, colour = draw.GREEN, letter = BLACK, shift = 13},
    ["."] = {width = 0.6},
}

-- Inner loops, instruction by instruction, at one scale. Column "inner loop" has L for a load of the large
-- array, s of the small one, * for a multiply-add, . for a wait.
figure("loop", "SET ROW...", 2, 7, function(words)
    local loops, longest, rows = {}, 1, #words - 1
    for i = 1, rows do
        loops[i] = data.text(words[1], words[i + 1], "inner loop")
        local width = 0
        for sign in loops[i]:gmatch(".") do width = width + (SIGNS[sign] and SIGNS[sign].width or 0) end
        longest = math.max(longest, width)
    end
    local left, strip, width = 10, rows <= 2 and 120 or 60, 1130 / longest
    local height = strip + 74 -- as high as a slide has room for, with a line of text below
    draw.begin(draw.WIDTH, rows * height + 60, "loads, multiply-adds and waits of inner loops")
    for i, loop in ipairs(loops) do
        local x, y = left, (i - 1) * height + 50
        local _, waits = loop:gsub("%.", "")
        local _, adds = loop:gsub("%*", "")
        text(left, y - 20, ("%s: %d waits for %d multiply-adds"):format(words[i + 1], waits, adds))
        for letter in loop:gmatch(".") do
            local sign = SIGNS[letter]
            if sign and sign.high then
                box(x, y + strip * (1 - sign.high), width, strip * sign.high, sign.colour, WHITE)
                text(x + width / 2, y + strip * 0.7 + sign.shift, letter, sign.letter, "middle")
            elseif sign then
                line(x + width * sign.width / 2, y - 8, x + width * sign.width / 2, y + strip + 8, RED, 7)
            end
            x = x + width * (sign and sign.width or 0)
        end
    end
    draw.key(0, rows * height + 18, 0, {{"L: load, large array", draw.BLUE, 10},
        {"s: load, small array", draw.SKY, 340}, {"*: multiply-add", draw.GREEN, 670}, {"wait", RED, 920}})
end)

-- A row's spans, each {lane, name, begin, time}, times in µs.
local function spans_of(set, row)
    local spans, span = {}, nil
    for _, cell in ipairs(data.set(set)) do
        if cell.row == row then
            if cell.column == "lane" then
                span = {}
                spans[#spans + 1] = span
            end
            if span then span[cell.column] = cell.text end
        end
    end
    for _, each in ipairs(spans) do each.from, each.time = tonumber(each.begin), tonumber(each.time) end
    return spans
end

-- Rounds of a step, from the fill that begins one: when host, copies and kernels work.
figure("timeline", "SET ROW ROUNDS", 3, 3, function(words)
    local spans, rounds, round = spans_of(words[1], words[2]), draw.number(words[3], 1, 2), 0
    for _, span in ipairs(spans) do
        if span.lane == "fill" and span.from > 0 then round = span.from end
    end
    if round <= 0 then draw.refuse("the set has no second round of this row") end
    local left, width = 180, 940
    local finish = round * rounds
    local scale = width / finish
    local kinds = {host = {0, draw.ORANGE}, HtoD = {1, draw.SKY}, DtoH = {3, draw.SKY}, fill = {2, draw.YELLOW},
        kernel = {2, draw.GREEN}}
    draw.begin(draw.WIDTH, 420, "when host, copy engines and kernels work, on one line of time")
    for lane, name in ipairs({"host", "to the GPU", "kernels", "to the host"}) do
        text(left - 16, lane * 72 - 15, name, BLACK, "end")
        box(left, lane * 72 - 48, width, 50, draw.PALE, draw.PALE)
    end
    for _, span in ipairs(spans) do
        local kind, from, to = kinds[span.lane], math.max(span.from, 0), math.min(span.from + span.time, finish)
        if kind and to > from then
            local colour = span.lane == "host" and span.name == "SYNCHRONISE" and GREY or kind[2]
            local length = (to - from) * scale
            box(left + from * scale, 24 + kind[1] * 72, length, 50, colour, length > 6 and BLACK or colour)
        end
    end
    for i = 0, rounds do draw.dashes(left + i * round * scale, 12, left + i * round * scale, 316, BLACK) end
    text(left, 350, ("%s: a round takes %.3g µs, modelled"):format(words[2], round))
    draw.key(left, 380, 190, {{"host busy", draw.ORANGE}, {"waits", GREY}, {"copy", draw.SKY}, {"fill", draw.YELLOW},
        {"kernel", draw.GREEN}})
end)
