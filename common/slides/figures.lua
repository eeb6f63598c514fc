-- figures.lua: the drawings that explain threads, memory and algorithms.
local draw = require("draw")
local figure, box, cells, line, arrow = draw.figure, draw.box, draw.cells, draw.line, draw.arrow
local text, texts, middle, label = draw.text, draw.texts, draw.middle, draw.label
local BLACK, GREY, PALE, WHITE = draw.BLACK, draw.GREY, draw.PALE, draw.WHITE
local ORANGE, SKY, GREEN, YELLOW = draw.ORANGE, draw.SKY, draw.GREEN, draw.YELLOW
local BLUE, RED, PURPLE = draw.BLUE, draw.RED, draw.PURPLE
local WIDTH, HEIGHT = draw.WIDTH, draw.HEIGHT
local SECTOR, WARP, BANKS = 32, 32, 32

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
            label(at, 60, cell, 44, SKY, thread, WHITE)
            arrow(at + cell / 2, 106, at + cell / 2, 148, there and BLACK or RED)
            label(at, 150, cell, 44, there and GREEN or WHITE, i, BLACK, there and BLACK or RED)
        end
    end
    text(left, 240, ("blue: threadIdx.x, from 0 in each block of %d"):format(per_block), BLUE)
    text(left, 275, ("green: elements 0 to %d; a thread's i = blockIdx.x * blockDim.x + threadIdx.x"):format(
        elements - 1), GREEN)
    text(left, 310, "red: threads without an element", RED)
end)

-- Rows of WIDTH pixels that begin PITCH elements apart, and a pixel's place in memory.
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
    end
    cells(left, top, pitch, rows, cell, 48, function(column, row)
        return column >= width and PALE or row == y and column == x and ORANGE or SKY
    end, WHITE, cell, 40)
    text(left, bottom + 100, ("orange: pixel (%d, %d) is element %d * %d + %d = %d; grey: nobody's"):format(
        x, y, y, pitch, x, y * pitch + x))
end)

figure("race", "", 0, 0, function()
    local left, width = 190, 200
    draw.begin(WIDTH, 350, "two threads add to one counter, and one addition is lost")
    for thread = 0, 1 do text(left - 20, 76 + thread * 90, "thread " .. thread, BLACK, "end") end
    for thread = 0, 1 do
        for i, step in ipairs({{"read 7", SKY}, {"add: 8", YELLOW}, {"write 8", ORANGE}}) do
            label(left + (i - 1 + thread) * width, 40 + thread * 90, width - 8, 56, step[2], step[1])
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
    for sector = 0, 1 do middle(left + (sector + 0.5) * SECTOR * cell, 40, "a sector of 32 bytes") end
    for row = 0, rows - 1 do text(left - 14, top + row * row_height + 26, "row y + " .. row, BLACK, "end") end
    cells(left, top, 2, rows, SECTOR * cell, row_height, function(sector)
        return sector == 0 and YELLOW or PALE
    end, BLACK, SECTOR * cell, row_height - 14)
    cells(left, top + 5, width, rows, cell, row_height, BLUE, WHITE, cell, row_height - 24)
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
        cells(left, y, 3, 1, SECTOR * cell, row_height - 14, function(sector)
            return sector - 1 >= first and sector - 1 <= last and YELLOW or PALE
        end)
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
    cells(10, 10, all_width, all_height, cell, cell, function(x, y)
        return x >= radius and x < radius + width and y >= radius and y < radius + height and SKY or ORANGE
    end, WHITE)
    box(10 + 5 * cell, 10 + cell, window * cell, window * cell, "none")
    box(11 + 5 * cell, 11 + cell, window * cell - 2, window * cell - 2, "none")
    text(right, 50, ("blue: the block's %d x %d pixels"):format(width, height))
    text(right, 95, ("orange: the halo, %d on each side"):format(radius))
    text(right, 140, "framed: one pixel's window")
    text(right, 220, ("%d bytes for %d pixels:"):format(bytes, width * height))
    text(right, 265, ("%.2f loads for a pixel"):format(bytes / (width * height)), RED)
end)

-- The bank that each lane reads: adjacent bytes, adjacent words, or a column of a row of 32 words.
figure("banks", "bytes|words|column", 1, 1, function(words)
    local cell, left, lanes, banks = 34, 36, 60, 240
    local how = ({
        bytes = {4, BLUE, GREEN, "Lanes that read bytes of one word are served together: one pass."},
        words = {1, BLUE, GREEN, "Each lane has a bank of its own: one pass."},
        column = {WARP, RED, RED, "32 different words of one bank: 32 passes."},
    })[words[1]] or draw.refuse("bytes, words or column")
    draw.begin(WIDTH, 400, "lanes of a warp and the banks that they read")
    text(left, lanes - 20, "32 lanes of a warp")
    cells(left, lanes, WARP, 1, cell, cell, SKY, WHITE)
    for lane = 0, WARP - 1 do
        line(left + (lane + 0.5) * cell, lanes + cell, left + (lane // how[1] + 0.5) * cell, banks, how[2], 2)
    end
    cells(left, banks, BANKS, 1, cell, cell * 1.4, function(bank) return bank < WARP // how[1] and YELLOW or PALE end)
    text(left, banks + 85, "32 banks, each a word of 4 bytes wide")
    text(left, banks + 130, how[4], how[3])
end)

-- The stores of lab 6's step 6f: 8 adjacent words in each of rows p, p + 4, p + 8, p + 12 of a 64-float tile.
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
    cells(left, floor, BANKS, 1, cell, 30, PALE)
    text(left, floor + 62, "32 banks; a colour for each row of the tile")
    text(left, floor + 98, ("PAD = %d: %d %s for this store"):format(padding, passes,
        passes == 1 and "pass" or "passes"), passes > 1 and RED or GREEN)
end)

-- ---- algorithms

-- Eight lanes' values and who adds to whom in each round: `all` lanes, or half as many each time.
local function rounds(all)
    local left, top, cell, row_height, far = 30, 60, 80, 100, 8
    for row = 0, 3 do
        local y = top + row * row_height
        for lane = 0, 7 do
            box(left + lane * cell, y, cell - 6, 34, (all or lane < far) and SKY or PALE)
            if far > 1 and lane + far // 2 < 8 and (all or lane < far // 2) then
                local from, to = left + (lane + far / 2 + 0.45) * cell, left + (lane + 0.5) * cell
                arrow(from, y + 34, to, y + row_height - 2, RED)
            end
        end
        far = far // 2
    end
end

figure("tree", "", 0, 0, function()
    draw.begin(WIDTH, HEIGHT, "a reduction tree in shared memory: half as many threads in each round")
    text(30, 40, "shared memory, 8 values")
    rounds(false)
    texts(720, 85, 100, {"round 1: 4 threads busy", "barrier, round 2: 2 threads", "barrier, round 3: 1 thread",
        "the result is value 0"})
end)

figure("shuffle", "", 0, 0, function()
    draw.begin(WIDTH, HEIGHT, "the same by shuffles: registers of a warp's lanes")
    text(30, 40, "registers of 8 lanes (a warp has 32)")
    rounds(true)
    texts(720, 85, 100, {"shuffle down by 4", "shuffle down by 2", "shuffle down by 1"})
    texts(720, 345, 40, {"no shared memory, no barrier:", "32 lanes need 5 rounds"}, GREEN)
end)

figure("tiles", "", 0, 0, function()
    local side, tile = 240, 60
    draw.begin(WIDTH, HEIGHT, "a tile of C needs a row of A's tiles and a column of B's")
    for m, name in ipairs({"A", "B", "C"}) do
        local x, colour = 60 + (m - 1) * 360, ({SKY, ORANGE, GREEN})[m]
        middle(x + side / 2, 50, name)
        cells(x, 70, 4, 4, tile, tile, function(column, row)
            return (m == 2 or row == 1) and (m == 1 or column == 2) and colour or PALE
        end)
    end
    middle(360, 78 + side / 2, "x")
    middle(720, 78 + side / 2, "=")
    texts(60, 370, 42, {"A block loads one tile of A and one of B, multiplies them, goes on to the next pair.",
        "In a 32 x 32 tile each value that was loaded once is used 32 times."})
end)

-- One, eight and eight times eight results a thread: loads for multiply-adds.
figure("coarsening", "", 0, 0, function()
    local cell = 34
    draw.begin(WIDTH, 420, "values loaded for one, eight and sixty-four results of a thread")
    for _, thread in ipairs({{1, 1, 60}, {1, 8, 310}, {8, 8, 740}}) do
        local rows, columns, left = table.unpack(thread)
        local x, y = left + cell + 8, 60 + cell
        cells(left, y, 1, rows, cell, cell, SKY, WHITE)
        cells(x, 52, columns, 1, cell, cell, ORANGE, WHITE)
        cells(x, y, columns, rows, cell, cell, GREEN, WHITE)
        text(left, 34, ("%d x %d"):format(rows, columns))
        text(left, 402, ("%d + %d for %d: %.4g"):format(rows, columns, rows * columns,
            (rows + columns) / (rows * columns)))
    end
    text(60, 250, "blue: values of A", BLUE)
    text(60, 285, "orange: values of B", RED)
    text(60, 320, "green: results, a multiply-add each", GREEN)
end)

-- Tiles are loaded while another one is multiplied.
figure("ring", "", 0, 0, function()
    local left, width = 200, 130
    local function piece(place, y, name, i)
        label(left + place * width, y, width, 46, name == "load" and ORANGE or GREEN, name .. " " .. i)
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

-- The data that a block of results needs from earlier stages.
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
    texts(480, 300, 35, {"the halo is computed twice: by this block", "and by its neighbours"}, RED)
end)

-- A warp goes down a strip: the rows that it reads; its first and last lane only supply data.
figure("strip", "", 0, 0, function()
    local left, top, cell, row_height, lanes, rows = 60, 60, 18, 27, 32, 12
    local right = left + lanes * cell
    draw.begin(WIDTH, HEIGHT, "a warp's rows of a strip of the image")
    text(left, 40, "32 lanes, eight pixels each")
    cells(left, top, lanes, rows, cell, row_height, function(lane, row)
        return (lane == 0 or lane == lanes - 1 or row < 3 or row >= rows - 3) and GREY or GREEN
    end, WHITE, cell, row_height - 4)
    arrow(right + 24, top, right + 24, top + rows * row_height, RED)
    texts(right + 60, 100, 35, {"the warp goes down:", "each row is read once"}, RED)
    text(right + 60, 200, "green: 240 results a row", GREEN)
    texts(right + 60, 265, 35, {"grey: halo, 3 rows above,", "3 below, a lane each side"})
    text(left, 420, "12 rows are loaded before the first is used, for 6 rows of results")
end)

-- A dot product of four bytes: a thread's word, its neighbours', and the weights for one pixel.
figure("dot", "", 0, 0, function()
    local left, cell, products = 200, 68, 0
    draw.begin(WIDTH, 380, "which weight meets which byte, for each of a lane's four pixels")
    for word, name in ipairs({"left lane's word", "own word", "right lane's word"}) do
        for byte = 4 * word - 4, 4 * word - 1 do
            local x = left + byte * cell + (word - 1) * 18
            if byte % 4 == 0 then text(x, 36, name) end
            label(x, 50, cell, 44, word == 2 and SKY or PALE, ("%+d"):format(byte - 4))
            for pixel = 0, 3 do
                local weight = 4 - math.abs(byte - 4 - pixel) -- 1 2 3 4 3 2 1, 4 at the pixel's own byte
                if weight > 0 then middle(x + cell / 2, 142 + pixel * 46, weight, BLUE) end
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
