-- figures.lua: the drawings that explain: threads, memory, the machine, algorithms. Some show figures of a GPU's model.
local data = require("data")
local draw = require("draw")
local figure, box, line, arrow, text = draw.figure, draw.box, draw.line, draw.arrow, draw.text
local BLACK, GREY, PALE, WHITE = draw.BLACK, draw.GREY, draw.PALE, draw.WHITE
local ORANGE, SKY, GREEN, YELLOW = draw.ORANGE, draw.SKY, draw.GREEN, draw.YELLOW
local BLUE, RED, PURPLE = draw.BLUE, draw.RED, draw.PURPLE
local WIDTH, HEIGHT = draw.WIDTH, draw.HEIGHT
local SECTOR, WARP, BANKS = 32, 32, 32

local function h200(key)
    return data.number("h200", "-", key)
end

-- ---- threads and their elements

figure("grid", "", 0, 0, function()
    local cell, left, per_block, elements = 44, 40, 6, 21
    draw.begin(WIDTH, 330, "blocks, their threads, and the element of each")
    for block = 0, 3 do
        local x = left + block * (per_block * cell + 14)
        text(x, 40, "blockIdx.x = " .. block)
        for thread = 0, per_block - 1 do
            local i, at = block * per_block + thread, x + thread * cell
            local there = i < elements
            box(at, 60, cell, 44, SKY, WHITE)
            text(at + cell / 2, 91, thread, BLACK, "middle")
            arrow(at + cell / 2, 106, at + cell / 2, 148, there and BLACK or RED)
            box(at, 150, cell, 44, there and GREEN or WHITE)
            text(at + cell / 2, 181, i, there and WHITE or RED, "middle")
        end
    end
    text(left, 240, ("blue: threadIdx.x, from 0 in each block of %d"):format(per_block), BLUE)
    text(left, 275, ("green: elements 0 to %d; a thread's i = blockIdx.x * blockDim.x + threadIdx.x"):format(
        elements - 1), GREEN)
    text(left, 310, "red: threads without an element", RED)
end)

-- Rows of WIDTH pixels that begin PITCH elements apart, and where a pixel lies in memory.
figure("pitch", "WIDTH PITCH", 2, 2, function(words)
    local width = draw.number(words[1], 1, 30)
    local pitch = draw.number(words[2], width, 32)
    local cell, left, top, rows, x, y = 30, 130, 60, 4, width // 2, 2
    local bottom = top + rows * 48
    draw.begin(WIDTH, 400, "rows of an image, a pitch apart")
    line(left, 20, left + width * cell, 20, BLUE, 4)
    text(left, 50, "width " .. width, BLUE)
    line(left, bottom + 14, left + pitch * cell, bottom + 14, RED, 4)
    text(left, bottom + 48, ("pitch %d: from the start of a row to the start of the next"):format(pitch), RED)
    for row = 0, rows - 1 do
        text(left - 14, top + row * 48 + 29, "y = " .. row, BLACK, "end")
        for column = 0, pitch - 1 do
            box(left + column * cell, top + row * 48, cell, 40,
                column >= width and PALE or row == y and column == x and ORANGE or SKY, WHITE)
        end
    end
    text(left, bottom + 100, ("orange: pixel (%d, %d) is element %d * %d + %d = %d; grey: nobody's"):format(
        x, y, y, pitch, x, y * pitch + x))
end)

figure("race", "", 0, 0, function()
    local left, width = 190, 200
    draw.begin(WIDTH, 350, "two threads add to one counter, and one addition is lost")
    for thread = 0, 1 do text(left - 20, 76 + thread * 90, "thread " .. thread, BLACK, "end") end
    for thread = 0, 1 do
        for i, step in ipairs({{"read 7", SKY}, {"add: 8", YELLOW}, {"write 8", ORANGE}}) do
            local x, y = left + (i - 1 + thread) * width, 40 + thread * 90
            box(x, y, width - 8, 56, step[2])
            text(x + width / 2 - 4, y + 37, step[1], BLACK, "middle")
        end
    end
    arrow(left, 220, left + 4.5 * width, 220)
    text(left, 256, "time")
    text(left, 310, "The counter was 7, two threads added 1, and it is 8.", RED)
end)

-- ---- memory: sectors, tiles, banks

-- The rows of a warp of a WIDTH x HEIGHT block, a byte a thread, beside two sectors.
figure("warp", "WIDTH HEIGHT of the block", 2, 2, function(words)
    local width = draw.number(words[1], 1, WARP)
    draw.number(words[2], 1, WARP)
    if WARP % width ~= 0 then draw.refuse("the block's width divides 32") end
    local rows, cell, left, top, row_height = WARP // width, 15, 170, 70, 50
    if rows > 6 then draw.refuse("more than 6 rows of a warp do not fit the slide") end
    draw.begin(WIDTH, top + rows * row_height + 80, "the bytes of a warp and the sectors they lie in")
    for sector = 0, 1 do text(left + (sector + 0.5) * SECTOR * cell, 40, "a sector of 32 bytes", BLACK, "middle") end
    for row = 0, rows - 1 do
        local y = top + row * row_height
        text(left - 14, y + 26, "row y + " .. row, BLACK, "end")
        box(left, y, SECTOR * cell, row_height - 14, YELLOW)
        box(left + SECTOR * cell, y, SECTOR * cell, row_height - 14, PALE)
        for x = 0, width - 1 do box(left + x * cell, y + 5, cell, row_height - 24, BLUE, WHITE) end
    end
    text(left, top + rows * row_height + 30, "blue: the 32 bytes that the warp asks for", BLUE)
    text(left, top + rows * row_height + 66, ("yellow: %d %s moved, %d bytes"):format(
        rows, rows == 1 and "sector" or "sectors", rows * SECTOR))
end)

-- A warp's row of 32 bytes at each of the seven offsets of the filter.
figure("offset", "", 0, 0, function()
    local cell, left, top, row_height, total = 9, 200, 50, 50, 0
    draw.begin(WIDTH, HEIGHT, "a row of 32 bytes, shifted by the filter, over the sectors' borders")
    for offset = -3, 3 do
        local y, first, last = top + (offset + 3) * row_height, offset // SECTOR, (offset + WARP - 1) // SECTOR
        total = total + last - first + 1
        text(left - 20, y + 27, "dx = " .. offset, BLACK, "end")
        for sector = -1, 1 do
            box(left + (sector + 1) * SECTOR * cell, y, SECTOR * cell, row_height - 14,
                sector >= first and sector <= last and YELLOW or PALE)
        end
        box(left + (SECTOR + offset) * cell, y + 8, WARP * cell, row_height - 30, BLUE, WHITE)
        text(left + 3 * SECTOR * cell + 20, y + 27, last - first + 1)
    end
    text(left, top - 14, "three sectors side by side in a row of the image")
    text(left, top + 7 * row_height + 26, ("%d sectors for 7 requests: %.2f each"):format(total, total / 7))
end)

figure("halo", "WIDTH HEIGHT of the block, RADIUS", 3, 3, function(words)
    local width, height = draw.number(words[1], 1, 64), draw.number(words[2], 1, 32)
    local radius = draw.number(words[3], 1, 8)
    local all_width, all_height, window = width + 2 * radius, height + 2 * radius, 2 * radius + 1
    local cell = math.min(640 / all_width, 400 / all_height)
    local right, bytes = 40 + all_width * cell, all_width * all_height
    draw.begin(WIDTH, HEIGHT, "a block's pixels and the halo around them")
    for y = 0, all_height - 1 do
        for x = 0, all_width - 1 do
            local own = x >= radius and x < radius + width and y >= radius and y < radius + height
            box(10 + x * cell, 10 + y * cell, cell, cell, own and SKY or ORANGE, WHITE)
        end
    end
    box(10 + 5 * cell, 10 + cell, window * cell, window * cell, "none")
    box(11 + 5 * cell, 11 + cell, window * cell - 2, window * cell - 2, "none")
    text(right, 50, ("blue: the block's %d x %d pixels"):format(width, height))
    text(right, 95, ("orange: the halo, %d on each side"):format(radius))
    text(right, 140, "framed: one pixel's window")
    text(right, 220, ("%d bytes for %d pixels:"):format(bytes, width * height))
    text(right, 265, ("%.2f loads for a pixel"):format(bytes / (width * height)), RED)
end)

-- Which bank each lane reads: side by side as bytes, as words, or down a column of 32 words.
figure("banks", "bytes|words|column", 1, 1, function(words)
    local cell, left, lanes, banks = 34, 36, 60, 240
    local how = ({
        bytes = {4, BLUE, GREEN, "Lanes that read bytes of one word are served together: one pass."},
        words = {1, BLUE, GREEN, "Each lane has a bank of its own: one pass."},
        column = {WARP, RED, RED, "32 different words of one bank: 32 passes."},
    })[words[1]] or draw.refuse("bytes, words or column")
    draw.begin(WIDTH, 400, "lanes of a warp and the banks that they read")
    text(left, lanes - 20, "32 lanes of a warp")
    for lane = 0, WARP - 1 do
        box(left + lane * cell, lanes, cell, cell, SKY, WHITE)
        line(left + (lane + 0.5) * cell, lanes + cell, left + (lane // how[1] + 0.5) * cell, banks, how[2], 2)
    end
    for bank = 0, BANKS - 1 do
        box(left + bank * cell, banks, cell, cell * 1.4, bank < WARP // how[1] and YELLOW or PALE)
    end
    text(left, banks + 85, "32 banks, each a word of 4 bytes wide")
    text(left, banks + 130, how[4], how[3])
end)

-- The stores of lab 6's step 6f: rows p, p + 4, p + 8, p + 12 of a tile of 64 floats a row, 8 neighbouring words each.
figure("padding", "floats of padding", 1, 1, function(words)
    local padding, cell, left, floor, passes, used = draw.number(words[1], 0, 8), 34, 36, 200, 0, {}
    draw.begin(WIDTH, 310, "the banks that a warp's four groups of stores fall on")
    for group, colour in ipairs({BLUE, ORANGE, GREEN, PURPLE}) do
        for i = 0, 7 do
            local bank = (4 * (group - 1) * (64 + padding) + i) % BANKS
            box(left + bank * cell, floor - 40 - (used[bank] or 0) * 40, cell, 38, colour, WHITE)
            used[bank] = (used[bank] or 0) + 1
            passes = math.max(passes, used[bank])
        end
    end
    for bank = 0, BANKS - 1 do box(left + bank * cell, floor, cell, 30, PALE) end
    text(left, floor + 62, "32 banks; a colour for each row of the tile")
    text(left, floor + 98, ("PAD = %d: %d %s for this store"):format(padding, passes, passes == 1 and "pass" or "passes"),
        passes > 1 and RED or GREEN)
end)

-- ---- the machine

figure("chip", "a set of data.ini that is a GPU's model", 1, 1, function(words)
    local function model(key) return data.number(words[1], "-", key) end
    draw.begin(WIDTH, HEIGHT, "multiprocessors, their partitions, the caches and the memory")
    for x = 20, 540, 260 do
        box(x, 20, 240, 240, PALE)
        text(x + 120, 52, "multiprocessor", BLACK, "middle")
        for part = 0, 3 do box(x + 12 + part * 55, 66, 51, 100, SKY) end
        box(x + 12, 178, 216, 70, YELLOW)
        text(x + 120, 221, "L1 + shared", BLACK, "middle")
        line(x + 120, 260, x + 120, 290, BLACK, 3)
    end
    box(20, 290, 760, 56, ORANGE)
    text(400, 326, ("L2 cache, %.0f MB"):format(model("l2_bytes") / 1048576), BLACK, "middle")
    line(400, 346, 400, 372, BLACK, 3)
    box(20, 372, 760, 56, PURPLE)
    text(400, 408, ("device memory, %.1f TB/s"):format(model("dram_gbs") / 1000), BLACK, "middle")
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
        text(x + 230, y + 50, ("%d. %s"):format(i, part[4]), BLACK, "middle")
        text(x + 230, y + 90, part[5], BLACK, "middle")
    end
    arrow(520, 90, 618, 90)
    arrow(850, 150, 850, 248)
    arrow(620, 310, 522, 310)
    arrow(290, 250, 290, 152)
end)

-- Copies and kernels one after the other, and with two streams.
figure("streams", "", 0, 0, function()
    local width, left, height = 100, 220, 44
    local pieces = {{"in", SKY}, {"kernel", YELLOW}, {"out", ORANGE}}
    local function piece(i, place, y)
        box(left + place * width, y, width, height, pieces[i][2])
        text(left + (place + 0.5) * width, y + 30, pieces[i][1], BLACK, "middle")
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
        text(x + 0.5 * width, top + height - 20, "wave " .. wave + 1, BLACK, "middle")
    end
    arrow(left, top + height + 24, left + 1000, top + height + 24)
    text(left + 1012, top + height + 32, "time")
    text(left, top + height + 74, ("%d blocks, %d at a time: %.2f waves; %.0f %% of the slots' time is used"):format(
        blocks, slots, waves, 100 * waves / whole))
end)

-- Little's law: what is on the way is rate times latency.
figure("flight", "", 0, 0, function()
    local latency = h200("latency_dram") / h200("clock_mhz") * 1000 -- ns
    local bytes = h200("dram_gbs") * latency
    draw.begin(WIDTH, 400, "a pipe: its width is the rate, its length the latency")
    box(260, 60, 640, 130, PALE)
    for row = 0, 3 do
        for i = 0, 20 do box(268 + i * 30, 68 + row * 30, 24, 24, SKY, WHITE) end
    end
    box(40, 80, 160, 90, PURPLE)
    text(120, 134, "memory", BLACK, "middle")
    arrow(202, 125, 256, 125)
    arrow(902, 125, 956, 125)
    box(960, 80, 160, 90, YELLOW)
    text(1040, 134, "SMs", BLACK, "middle")
    text(580, 42, ("length: %.0f ns under load, modelled (%.0f cycles)"):format(latency, h200("latency_dram")), BLACK,
        "middle")
    text(580, 230, ("width: %.1f TB/s"):format(h200("dram_gbs") / 1000), BLACK, "middle")
    text(580, 300, ("bytes in flight = rate x latency = %.1f MB"):format(bytes / 1e6), RED, "middle")
    text(580, 345, ("for each of %d multiprocessors: %.0f KB"):format(
        h200("sm_count"), bytes / h200("sm_count") / 1024), BLACK, "middle")
end)

-- Where a warp's next instruction comes from, from near to far.
figure("levels", "", 0, 0, function()
    local own, shared = h200("code_bytes"), h200("code_group_bytes")
    draw.begin(WIDTH, 430, "the caches between a scheduler and the memory, for instructions")
    for x = 30, 380, 350 do
        box(x, 20, 330, 200, PALE)
        for part = 0, 3 do
            box(x + 16 + part * 76, 70, 66, 40, SKY)
            line(x + 49 + part * 76, 110, x + 49 + part * 76, 136, BLACK, 2)
        end
        text(x + 165, 54, "SM, four schedulers", BLACK, "middle")
        box(x + 16, 136, 298, 64, YELLOW)
        text(x + 165, 176, ("its own: %d KB"):format(own // 1024), BLACK, "middle")
        line(x + 165, 200, x + 165, 250, BLACK, 3)
    end
    box(30, 250, 680, 60, ORANGE)
    text(370, 288, ("shared with neighbours: %d KB"):format(shared // 1024), BLACK, "middle")
    line(370, 310, 370, 350, BLACK, 3)
    box(30, 350, 680, 60, PURPLE)
    text(370, 388, "L2, and memory", BLACK, "middle")
    text(740, 98, "a few lines of code each", BLUE)
    text(740, 176, ("%d instructions of 16 bytes"):format(own // 16))
    text(740, 270, "from here a line of 8 takes")
    text(740, 302, ("%.1f cycles"):format(h200("code_group_cycles")))
    text(740, 388, ("and from here %.1f"):format(h200("code_l2_cycles")))
end)

-- A loop of the machine code and where four warps stand in it, together and apart.
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
        for _, place in ipairs(warps) do arrow(left + place * width, top + 20, left + place * width, top + 72, BLUE) end
        text(left, top + 154, warps.foot)
    end
    text(left + width, 30, "blue: where a warp is in the loop", BLUE, "end")
end)

-- Copies of an inner loop's body within copies of an outer one, and what is left over of each.
figure("copies", "OUTER INNER", 2, 2, function(words)
    local outer, inner = draw.number(words[1], 1, 4), draw.number(words[2], 1, 4)
    local outer_all, inner_all = outer > 1 and outer + 1 or 1, inner > 1 and inner + 1 or 1
    local left, width = 40, 1080 / outer_all - 16
    local cell = (width - 20) / inner_all
    draw.begin(WIDTH, 340, "copies of an inner loop's body within copies of the outer loop")
    for o = 1, outer_all do
        local x = left + (o - 1) * (width + 16)
        box(x, 50, width, 170, o <= outer and PALE or WHITE)
        text(x + width / 2, 36, o <= outer and "strip " .. o or "left over", BLACK, "middle")
        for i = 1, inner_all do
            box(x + 10 + (i - 1) * cell, 70, cell - 4, 130, i <= inner and SKY or YELLOW)
        end
    end
    text(left, 262, "blue: a letter's 16 cells", BLUE)
    text(left + 360, 262, "yellow: for the letters that are left over")
    text(left, 312, ("%d x %d bodies of machine code: %d, where one would do"):format(
        outer_all, inner_all, outer_all * inner_all), RED)
end)

-- Blocks of unequal length on places for them; the next block goes wherever a place is free first.
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
    for p = 0, places - 1 do box(left, 20 + p * row, width, row - 6, PALE, WHITE) end
    for b = 1, blocks do
        box(left + from[b] / finish * width, 20 + (place[b] - 1) * row, length[b] / finish * width - 3, row - 6,
            b <= places and SKY or ORANGE)
    end
    arrow(left, 364, left + width, 364)
    text(left + width + 12, 372, "time")
    text(left, 412, ("drawn: %d blocks, %d places: %.2f waves; %.0f %% of the places' time is used"):format(
        blocks, places, blocks / places, 100 * used / (places * finish)))
end)

-- Loads that are each waited for, and loads that are waited for together.
figure("waits", "LOADS", 1, 1, function(words)
    local loads, latency = draw.number(words[1], 2, 6), h200("latency_dram_cold")
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
    for i = 0, loads - 1 do
        box(left + i * load, 236, load, 56, BLUE)
        box(left + loads * load + each - load + i * use, 236, use, 56, GREEN)
    end
    box(left + loads * load, 250, each - load, 28, GREY, WHITE)
    text(left, 328, ("1 wait: %.0f, with %d loads under way"):format(latency, loads))
    arrow(left, 362, left + 1040, 362)
    text(left, 408, "time of one warp:")
    draw.key(0, 387, 0, {{"a load is issued", BLUE, 290}, {"the warp waits", GREY, 540}, {"its use", GREEN, 780}})
end)

-- ---- algorithms

-- Eight lanes' values and which of them add to which in each round; `all` lanes take part, or half as many each time.
local function rounds(all)
    local left, top, cell, row_height, far = 30, 60, 80, 100, 8
    for row = 0, 3 do
        local y = top + row * row_height
        for lane = 0, 7 do
            box(left + lane * cell, y, cell - 6, 34, (all or lane < far) and SKY or PALE)
            if far > 1 and lane + far // 2 < 8 and (all or lane < far // 2) then
                arrow(left + (lane + far / 2 + 0.45) * cell, y + 34, left + (lane + 0.5) * cell, y + row_height - 2, RED)
            end
        end
        far = far // 2
    end
end

figure("tree", "", 0, 0, function()
    draw.begin(WIDTH, HEIGHT, "a reduction tree in shared memory: half as many threads in each round")
    text(30, 40, "shared memory, 8 values")
    rounds(false)
    text(720, 85, "round 1: 4 threads busy")
    text(720, 185, "barrier, round 2: 2 threads")
    text(720, 285, "barrier, round 3: 1 thread")
    text(720, 385, "the result is value 0")
end)

figure("shuffle", "", 0, 0, function()
    draw.begin(WIDTH, HEIGHT, "the same by shuffles: registers of a warp's lanes")
    text(30, 40, "registers of 8 lanes (a warp has 32)")
    rounds(true)
    text(720, 85, "shuffle down by 4")
    text(720, 185, "shuffle down by 2")
    text(720, 285, "shuffle down by 1")
    text(720, 345, "no shared memory, no barrier:", GREEN)
    text(720, 385, "32 lanes need 5 rounds", GREEN)
end)

figure("tiles", "", 0, 0, function()
    local side, tile = 240, 60
    draw.begin(WIDTH, HEIGHT, "a tile of C needs a row of A's tiles and a column of B's")
    for m, name in ipairs({"A", "B", "C"}) do
        local x, colour = 60 + (m - 1) * 360, ({SKY, ORANGE, GREEN})[m]
        text(x + side / 2, 50, name, BLACK, "middle")
        for row = 0, 3 do
            for column = 0, 3 do
                local used = (m == 2 or row == 1) and (m == 1 or column == 2)
                box(x + column * tile, 70 + row * tile, tile, tile, used and colour or PALE)
            end
        end
    end
    text(360, 78 + side / 2, "x", BLACK, "middle")
    text(720, 78 + side / 2, "=", BLACK, "middle")
    text(60, 370, "A block loads one tile of A and one of B, multiplies them, goes on to the next pair.")
    text(60, 412, "In a 32 x 32 tile each value that was loaded once is used 32 times.")
end)

-- One, eight and eight times eight results a thread: what is loaded for how many multiply-adds.
figure("coarsening", "", 0, 0, function()
    local cell = 34
    draw.begin(WIDTH, 420, "values loaded for one, eight and sixty-four results of a thread")
    for _, thread in ipairs({{1, 1, 60}, {1, 8, 310}, {8, 8, 740}}) do
        local rows, columns, left = table.unpack(thread)
        local x, y = left + cell + 8, 60 + cell
        for row = 0, rows - 1 do box(left, y + row * cell, cell, cell, SKY, WHITE) end
        for column = 0, columns - 1 do box(x + column * cell, 52, cell, cell, ORANGE, WHITE) end
        for row = 0, rows - 1 do
            for column = 0, columns - 1 do box(x + column * cell, y + row * cell, cell, cell, GREEN, WHITE) end
        end
        text(left, 34, ("%d x %d"):format(rows, columns))
        text(left, 402, ("%d + %d for %d: %.4g"):format(rows, columns, rows * columns,
            (rows + columns) / (rows * columns)))
    end
    text(60, 250, "blue: values of A", BLUE)
    text(60, 285, "orange: values of B", RED)
    text(60, 320, "green: results, a multiply-add each", GREEN)
end)

-- Tiles on their way while another is multiplied.
figure("ring", "", 0, 0, function()
    local left, width = 200, 130
    local function piece(place, y, name, i)
        box(left + place * width, y, width, 46, name == "load" and ORANGE or GREEN)
        text(left + (place + 0.5) * width, y + 31, ("%s %d"):format(name, i), BLACK, "middle")
    end
    draw.begin(WIDTH, 400, "loads and multiplications one after the other, and overlapped")
    text(left - 20, 70, "in turn", BLACK, "end")
    for i = 0, 6 do piece(i, 40, i % 2 == 0 and "load" or "use", i // 2 + 1) end
    text(left - 20, 180, "copies", BLACK, "end")
    text(left - 20, 240, "arithmetic", BLACK, "end")
    for i = 0, 5 do
        piece(i, 150, "load", i + 1)
        if i > 0 then piece(i, 210, "use", i) end
    end
    arrow(left, 300, left + 7 * width, 300)
    text(left, 350, "time; the reference keeps four tiles, three of them on their way")
end)

-- What a block of results needs of the stages before it.
figure("fused", "", 0, 0, function()
    local left, top, cell, results = 60, 30, 22, 8
    draw.begin(WIDTH, 430, "results, the blurred pixels they need, and the gray ones that those need")
    for _, stage in ipairs({{4, PALE}, {1, SKY}, {0, GREEN}}) do
        local reach, x, y = stage[1], left + (4 - stage[1]) * cell, top + (4 - stage[1]) * cell
        box(x, y, (results + 2 * reach) * cell, (results + 2 * reach) * cell, stage[2])
    end
    local x, y, side = left + 4 * cell, top + 4 * cell, results * cell
    for i = cell, side - cell, cell do
        line(x + i, y, x + i, y + side, WHITE, 1)
        line(x, y + i, x + side, y + i, WHITE, 1)
    end
    text(480, 120, ("%d x %d edges"):format(results, results), GREEN)
    text(480, 170, ("%d x %d blurred: Sobel reaches 1 further"):format(results + 2, results + 2), BLUE)
    text(480, 220, ("%d x %d gray: the Gaussian reaches 3 further"):format(results + 8, results + 8))
    text(480, 300, "the halo is computed twice: by this block", RED)
    text(480, 335, "and by its neighbours", RED)
end)

-- A warp goes down a strip: rows that it reads, and the first and last lane that only feed.
figure("strip", "", 0, 0, function()
    local left, top, cell, row_height, lanes, rows = 60, 60, 18, 27, 32, 12
    local right = left + lanes * cell
    draw.begin(WIDTH, HEIGHT, "a warp's rows of a strip of the image")
    text(left, 40, "32 lanes, eight pixels each")
    for row = 0, rows - 1 do
        for lane = 0, lanes - 1 do
            local halo = lane == 0 or lane == lanes - 1 or row < 3 or row >= rows - 3
            box(left + lane * cell, top + row * row_height, cell, row_height - 4, halo and GREY or GREEN, WHITE)
        end
    end
    arrow(right + 24, top, right + 24, top + rows * row_height, RED)
    text(right + 60, 100, "the warp goes down:", RED)
    text(right + 60, 135, "each row is read once", RED)
    text(right + 60, 200, "green: 240 results a row", GREEN)
    text(right + 60, 265, "grey: halo, 3 rows above,")
    text(right + 60, 300, "3 below, a lane each side")
    text(left, 420, "12 rows are loaded before the first is used, for 6 rows of results")
end)

-- A dot product of four bytes: a thread's word and its neighbours', and the weights as they lie for one pixel.
figure("dot", "", 0, 0, function()
    local left, cell, products = 200, 68, 0
    draw.begin(WIDTH, 380, "which weight meets which byte, for each of a lane's four pixels")
    for word, name in ipairs({"left lane's word", "own word", "right lane's word"}) do
        for byte = 4 * word - 4, 4 * word - 1 do
            local x = left + byte * cell + (word - 1) * 18
            if byte % 4 == 0 then text(x, 36, name) end
            box(x, 50, cell, 44, word == 2 and SKY or PALE)
            text(x + cell / 2, 81, ("%+d"):format(byte - 4), BLACK, "middle")
            for pixel = 0, 3 do
                local weight = 4 - math.abs(byte - 4 - pixel) -- 1 2 3 4 3 2 1, 4 at the pixel's own byte
                if weight > 0 then text(x + cell / 2, 142 + pixel * 46, weight, BLUE, "middle") end
            end
        end
        for pixel = 0, 3 do
            local nearest = math.max(0, 4 * word - 8 - pixel, pixel - (4 * word - 5))
            products = products + (nearest < 4 and 1 or 0)
        end
    end
    for pixel = 0, 3 do text(left - 20, 142 + pixel * 46, "pixel " .. pixel, BLACK, "end") end
    text(left, 340, ("four weights and four bytes are one __dp4a: %d of them for 28 products"):format(products))
end)
