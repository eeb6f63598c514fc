-- machine.lua: the drawings that explain the machine, some with figures of a GPU's model: its parts, waves of
-- blocks, loads in flight, instruction caches.
local data = require("data")
local draw = require("draw")
local figure, box, cells, line, arrow = draw.figure, draw.box, draw.cells, draw.line, draw.arrow
local text, middle, label = draw.text, draw.middle, draw.label
local BLACK, GREY, PALE, WHITE = draw.BLACK, draw.GREY, draw.PALE, draw.WHITE
local ORANGE, SKY, GREEN, YELLOW = draw.ORANGE, draw.SKY, draw.GREEN, draw.YELLOW
local BLUE, RED, PURPLE = draw.BLUE, draw.RED, draw.PURPLE
local WIDTH, HEIGHT = draw.WIDTH, draw.HEIGHT

figure("chip", "a set of data.ini that is a GPU's model", 1, 1, function(words)
    local function model(key) return data.number(words[1], "-", key) end
    draw.begin(WIDTH, HEIGHT, "multiprocessors, their partitions, the caches and the memory")
    for x = 20, 540, 260 do
        box(x, 20, 240, 240, PALE)
        middle(x + 120, 52, "multiprocessor")
        cells(x + 12, 66, 4, 1, 55, 0, SKY, BLACK, 51, 100)
        label(x + 12, 178, 216, 70, YELLOW, "L1 + shared")
        line(x + 120, 260, x + 120, 290, BLACK, 3)
    end
    label(20, 290, 760, 56, ORANGE, ("L2 cache, %.0f MB"):format(model("l2_bytes") / 1048576))
    line(400, 346, 400, 372, BLACK, 3)
    label(20, 372, 760, 56, PURPLE, ("device memory, %.1f TB/s"):format(model("dram_gbs") / 1000))
    text(810, 50, data.text(words[1], "-", "name"))
    text(810, 100, ("%d multiprocessors"):format(model("sm_count")))
    text(810, 140, ("%d warps each, at most"):format(model("max_warps_per_sm")))
    text(810, 180, ("%d partitions, each with a"):format(model("warp_granularity")), BLUE)
    text(810, 214, "scheduler and registers", BLUE)
    text(810, 326, ("about %.0f cycles away"):format(model("latency_l2")))
    text(810, 408, "farther still")
end)

figure("apod", "", 0, 0, function()
    draw.begin(WIDTH, 400, "assess, parallelise, optimise, deploy, and again")
    for i, part in ipairs({
        {60, 30, SKY, "Assess", "measure, rank, find the limiter"},
        {620, 30, YELLOW, "Parallelise", "give the work to more threads"},
        {620, 250, ORANGE, "Optimise", "take work from the full unit"},
        {60, 250, PURPLE, "Deploy", "test, keep, measure again"},
    }) do
        local x, y = part[1], part[2]
        box(x, y, 460, 120, part[3])
        middle(x + 230, y + 50, ("%d. %s"):format(i, part[4]))
        middle(x + 230, y + 90, part[5])
    end
    arrow(520, 90, 618, 90)
    arrow(850, 150, 850, 248)
    arrow(620, 310, 522, 310)
    arrow(290, 250, 290, 152)
end)

-- Copies and kernels one after the other, and with two streams.
figure("streams", "", 0, 0, function()
    local width, left = 100, 220
    local pieces = {{"in", SKY}, {"kernel", YELLOW}, {"out", ORANGE}}
    local function piece(i, place, y)
        label(left + place * width, y, width, 44, pieces[i][2], pieces[i][1])
    end
    draw.begin(WIDTH, 380, "copies in, kernels and copies out, in one stream and in two")
    text(left - 20, 60, "one stream", BLACK, "end")
    for i = 0, 5 do piece(i % 3 + 1, i, 30) end
    for stream = 0, 1 do
        text(left - 20, 180 + stream * 70, "stream " .. stream + 1, BLACK, "end")
        for i = 0, 2 do piece(i + 1, i + stream, 150 + stream * 70) end
    end
    arrow(left, 300, left + 800, 300)
    text(left + 815, 308, "time")
    text(left, 350, "6 pieces of time become 4; no kernel is faster.")
end)

figure("waves", "BLOCKS SLOTS", 2, 2, function(words)
    local blocks, slots = draw.number(words[1], 1, 100000), draw.number(words[2], 1, 100000)
    local waves, left, top, height = blocks / slots, 60, 40, 260
    local whole = math.ceil(waves)
    local width = 1000 / whole
    if whole > 8 then draw.refuse("more than 8 waves do not fit the slide") end
    draw.begin(WIDTH, 420, "waves of blocks over the chip's slots, and the tail")
    for wave = 0, whole - 1 do
        local share, x = math.min(1, waves - wave), left + wave * width
        box(x, top, width - 6, height, PALE)
        box(x, top + height * (1 - share), width - 6, height * share, SKY)
        middle(x + 0.5 * width, top + height - 20, "wave " .. wave + 1)
    end
    arrow(left, top + height + 24, left + 1000, top + height + 24)
    text(left + 1012, top + height + 32, "time")
    text(left, top + height + 74, ("%d blocks, %d at a time: %.2f waves; %.0f %% of the slots' time is used"):format(
        blocks, slots, waves, 100 * waves / whole))
end)

-- Little's law: bytes in flight are rate times latency.
figure("flight", "", 0, 0, function()
    local latency = data.h200("latency_dram") / data.h200("clock_mhz") * 1000 -- ns
    local bytes = data.h200("dram_gbs") * latency
    draw.begin(WIDTH, 400, "a pipe: its width is the rate, its length the latency")
    box(260, 60, 640, 130, PALE)
    cells(268, 68, 21, 4, 30, 30, SKY, WHITE, 24, 24)
    label(40, 80, 160, 90, PURPLE, "memory")
    arrow(202, 125, 256, 125)
    arrow(902, 125, 956, 125)
    label(960, 80, 160, 90, YELLOW, "SMs")
    middle(580, 42, ("length: %.0f ns under load, modelled (%.0f cycles)"):format(latency, data.h200("latency_dram")))
    middle(580, 230, ("width: %.1f TB/s"):format(data.h200("dram_gbs") / 1000))
    middle(580, 300, ("bytes in flight = rate x latency = %.1f MB"):format(bytes / 1e6), RED)
    middle(580, 345, ("for each of %d multiprocessors: %.0f KB"):format(
        data.h200("sm_count"), bytes / data.h200("sm_count") / 1024))
end)

-- The caches of a warp's next instruction, from near to far.
figure("levels", "", 0, 0, function()
    local own, shared = data.h200("code_bytes"), data.h200("code_group_bytes")
    draw.begin(WIDTH, 430, "the caches between a scheduler and the memory, for instructions")
    for x = 30, 380, 350 do
        box(x, 20, 330, 200, PALE)
        cells(x + 16, 70, 4, 1, 76, 0, SKY, BLACK, 66, 40)
        for part = x + 49, x + 277, 76 do line(part, 110, part, 136, BLACK, 2) end
        middle(x + 165, 54, "SM, four schedulers")
        label(x + 16, 136, 298, 64, YELLOW, ("its own: %d KB"):format(own // 1024))
        line(x + 165, 200, x + 165, 250, BLACK, 3)
    end
    label(30, 250, 680, 60, ORANGE, ("shared with neighbours: %d KB"):format(shared // 1024))
    line(370, 310, 370, 350, BLACK, 3)
    label(30, 350, 680, 60, PURPLE, "L2, and memory")
    text(740, 98, "a few lines of code each", BLUE)
    text(740, 176, ("%d instructions of 16 bytes"):format(own // 16))
    text(740, 270, "from here a line of 8 takes")
    text(740, 302, ("%.1f cycles"):format(data.h200("code_group_cycles")))
    text(740, 388, ("and from here %.1f"):format(data.h200("code_l2_cycles")))
end)

-- A loop of the machine code, and four warps at one place of it or at several.
figure("drift", "", 0, 0, function()
    local left, width, window = 60, 1040, 0.16 -- a window is what is fetched, as a share of the loop
    draw.begin(WIDTH, 430, "warps at one place of a loop, and warps all over it")
    for panel, warps in ipairs({
        {0.44, 0.46, 0.48, 0.5, fill = YELLOW, fetched = 1, head = "equal work: the warps go together",
            foot = "one piece of code serves all four: each fetch is paid once"},
        {0.06, 0.37, 0.63, 0.92, fill = ORANGE, fetched = 4, head = "unequal work: they have drifted apart",
            foot = "four pieces, and more in a moment: they have to be there at the same time"},
    }) do
        local top = 200 * panel - 170
        text(left, top, warps.head)
        box(left, top + 74, width, 48, PALE)
        for warp = 1, warps.fetched do
            box(left + (warps[warp] - window / 3) * width, top + 76, window / 1.8 * width, 44, warps.fill, "none")
        end
        for _, place in ipairs(warps) do
            arrow(left + place * width, top + 20, left + place * width, top + 72, BLUE)
        end
        text(left, top + 154, warps.foot)
    end
    text(left + width, 30, "blue: where a warp is in the loop", BLUE, "end")
end)

-- Copies of an inner loop's body in copies of an outer one, with the remainder loops.
figure("copies", "OUTER INNER", 2, 2, function(words)
    local outer, inner = draw.number(words[1], 1, 4), draw.number(words[2], 1, 4)
    local outer_all, inner_all = outer > 1 and outer + 1 or 1, inner > 1 and inner + 1 or 1
    local left, width = 40, 1080 / outer_all - 16
    local cell = (width - 20) / inner_all
    draw.begin(WIDTH, 340, "copies of an inner loop's body within copies of the outer loop")
    for o = 1, outer_all do
        local x = left + (o - 1) * (width + 16)
        box(x, 50, width, 170, o <= outer and PALE or WHITE)
        middle(x + width / 2, 36, o <= outer and "strip " .. o or "left over")
        cells(x + 10, 70, inner_all, 1, cell, 0, function(i)
            return i < inner and SKY or YELLOW
        end, BLACK, cell - 4, 130)
    end
    text(left, 262, "blue: a letter's 16 cells", BLUE)
    text(left + 360, 262, "yellow: for the letters that are left over")
    text(left, 312, ("%d x %d bodies of machine code: %d, where one would do"):format(
        outer_all, inner_all, outer_all * inner_all), RED)
end)

-- Blocks of unequal length; the next block starts where a place is free first.
figure("tail", "BLOCKS PLACES", 2, 2, function(words)
    local blocks, places = draw.number(words[1], 1, 40), draw.number(words[2], 2, 8)
    local free_at, from, place, length, used = {}, {}, {}, {}, 0
    for p = 1, places do free_at[p] = 0 end
    for b = 1, blocks do
        place[b] = 1
        for p = 2, places do place[b] = free_at[p] < free_at[place[b]] and p or place[b] end
        from[b], length[b] = free_at[place[b]], 60 + (b - 1) * 37 % 61 -- from 1 to 2, as the lab's
        free_at[place[b]] = from[b] + length[b]
        used = used + length[b]
    end
    local left, width, row, finish = 60, 1000, 330 / places, math.max(table.unpack(free_at))
    draw.begin(WIDTH, 430, "blocks of unequal length on the places for them")
    cells(left, 20, 1, places, width, row, PALE, WHITE, width, row - 6)
    for b = 1, blocks do
        box(left + from[b] / finish * width, 20 + (place[b] - 1) * row, length[b] / finish * width - 3, row - 6,
            b <= places and SKY or ORANGE)
    end
    arrow(left, 364, left + width, 364)
    text(left + width + 12, 372, "time")
    text(left, 412, ("drawn: %d blocks, %d places: %.2f waves; %.0f %% of the places' time is used"):format(
        blocks, places, blocks / places, 100 * used / (places * finish)))
end)

-- Loads with a wait for each, and loads with one wait for all.
figure("waits", "LOADS", 1, 1, function(words)
    local loads, latency = draw.number(words[1], 2, 6), data.h200("latency_dram_cold")
    local left, each, load, use = 60, 1040 / loads, 26, 18
    draw.begin(WIDTH, 430, "loads one after the other, each with its wait, and loads together")
    text(left, 36, "each load is waited for")
    for x = left, left + 1039, each do
        box(x, 52, load, 56, BLUE)
        box(x + load, 66, each - load - use, 28, GREY, WHITE)
        box(x + each - use, 52, use, 56, GREEN)
    end
    text(left, 144, ("%d waits of some %.0f cycles: %.0f"):format(loads, latency, loads * latency))
    text(left, 220, "all loads first, one wait for all")
    cells(left, 236, loads, 1, load, 56, BLUE)
    cells(left + loads * load + each - load, 236, loads, 1, use, 56, GREEN)
    box(left + loads * load, 250, each - load, 28, GREY, WHITE)
    text(left, 328, ("1 wait: %.0f, with %d loads under way"):format(latency, loads))
    arrow(left, 362, left + 1040, 362)
    text(left, 408, "time of one warp:")
    draw.key(0, 387, 0, {{"a load is issued", BLUE, 290}, {"the warp waits", GREY, 540}, {"its use", GREEN, 780}})
end)
