-- Figures from files into text, a deck's lines into slides, drawings; and each error.
local suite = dofile("common/slides/tests/suite.lua")
local data, deck = require("data"), require("deck")
data.root = "common/slides/tests/data" -- the tests' own figures

-- Rows of {line, what the line becomes or its error}.
local function fill(rows)
    return function()
        for _, row in ipairs(rows) do
            local _, text = pcall(data.fill, row[1])
            suite.same(text, row[2])
        end
    end
end

-- The body of the one slide.
local function body(text)
    return deck.parse("slides/test.md", text)[1].body
end

-- Rows of {deck, its error}.
local function refused(rows)
    return function()
        for _, row in ipairs(rows) do
            local right, why = pcall(body, row[1])
            suite.same(right and "nothing wrong" or why, "slides/test.md:" .. row[2])
        end
    end
end

-- Rows of {deck, texts of the slide's HTML}.
local function shows(rows)
    return function()
        for _, row in ipairs(rows) do
            local text = body(row[1])
            for i = 2, #row do suite.has(text, row[i]) end
            if text:find("\n\n") then suite.fail("a blank line ends the HTML within Markdown: %s", row[1]) end
        end
    end
end

suite.tests({
    {"figures_come_from_files", fill({
        {"no figure", "no figure"},
        {"{{[ladder; a; what]}} and {{[ladder; b; what]}}", "first and second"},
        {"{{[ladder; a; time, µs]}}", "1,234.5"},
        {"{{[notes; a; note]}}", "two launches"},
        {"{{[events; a; us]}}", "2.5"},
        {"{{[times; a; us] %.1f}}", "20.0"}, -- the median of three launches, by the column's short name
        {"{{[times; a#2; us] %.1f}}", "10.0"}, -- one of them
        {"{{[times; a#2; us]}}", "10"},
        {"{{[times; a; sectors] %.0f}}", "6,272,000"},
        {"{{[times; d; us] %.1f}}", "3.5"}, -- the median of two
        {"{{[ladder; a; time, µs] %.1f}}", "1234.5"},
        {"{{[ladder; b; time, µs] %.1f}}", "7.0"},
    })},
    {"arithmetic", fill({
        {"{{1 + 2 * 3 %.0f}}", "7"},
        {"{{(1 + 2) * 3 - 4 / 2 %.0f}}", "7"},
        {"{{[times; a; us] / [times; b; us] %.2f}}x", "4.00x"},
        {"{{1000 * 10 %.1f}}", "10,000.0"},
        {"{{0 - 123456 %.0f}}", "-123,456"},
        {"{{9999 %.0f}}", "9999"},
        {"{{8 * floor(65536 / 640 / 8) %.0f}}", "96"},
        {"{{floor(7) + 0.5 %.1f}}", "7.5"},
        {"{{floor 7 %.0f}}", "a number, a place or '(' is missing at 'floor 7'"},
    })},
    {"what_may_be_absent", fill({
        {"{{[notes; b; note]?}}", "–"},
        {"{{[times; c; us]? / 2 %.1f}}", "–"},
    })},
    {"errors_of_formulas", fill({
        {"{{[unknown; a; us]}}", "unknown set 'unknown': slides/data.ini has them"},
        {"{{[times; c; us]}}", "set 'times' has no row 'c'"},
        {"{{[times; a#4; us] %.1f}}", "set 'times' has no number in row 'a#4', column 'microseconds'"},
        {"{{[times; a; weight]}}", "set 'times' has no column 'weight'"},
        {"{{[times; c; weight]?}}", "set 'times' has no column 'weight'"},
        {"{{[ladder; a; what] %.1f}}", "set 'ladder' has no number in row 'a', column 'what'"},
        {"{{1 / [times; b; sectors] %.1f}}", "division by zero, which ends at ''"},
        {"{{[times; a; us] / 2}}", "arithmetic needs a format, %.1f say, at its end at '/ 2'"},
        {"{{1}}", "a formula ends with %.1f or the like at '1'"},
        {"{{1 %d}}", "a formula ends with %.0f to %.9f at '1 %d'"},
        {"{{1 + %.0f}}", "a number, a place or '(' is missing at ''"},
        {"{{(1 %.0f}}", "')' is missing at ''"},
        {"{{1 2 %.0f}}", "nothing was expected at '2'"},
        {"{{[times; a] %.0f}}", "a place is [set; row; column] at '[times; a]'"},
        {"{{[times %.0f", "'{{' without '}}' behind it"},
        {"{{[nowhere; a; b]}}", "page.md: no table whose head line has: | no such head |"},
        {"{{[gone; a; b]}}",
            "gone.csv: cannot be read: common/slides/tests/data/gone.csv: No such file or directory"},
    })},
    {"slides_and_notes", function()
        local slides = deck.parse("slides/test.md",
            "# Name\n\ntext\n\nNote: said\nmore\n---\n## Second\n```\n---\n```\n")
        suite.same(#slides, 2)
        for i, wanted in ipairs({
            {line = 1, title = "Name", opening = true, body = "# Name\n\ntext\n", notes = " said\nmore"},
            {line = 7, title = "Second", opening = false, body = "## Second\n```\n---\n```", notes = ""},
        }) do
            for key, value in pairs(wanted) do suite.same(slides[i][key], value) end
        end
    end},
    {"a_line_for_each_row", function()
        suite.same(body("@each ladder: | $ | {{[ladder; $; what]}} |\n"), "| a | first |\n| b | second |")
    end},
    {"code", function()
        local slides, codes = deck.parse("slides/test.md",
            "```cuda pixel\nint a[] = {{1}};\n```\n@code kernel.cu 3 int x\n@code page.md 1 for (int i")
        suite.same(#codes, 1)
        suite.same(codes[1].line, 2)
        suite.same(codes[1].around, "pixel")
        suite.same(table.concat(codes[1].text, "\n"), "int a[] = {{1}};")
        suite.same(slides[1].body, "```\nint a[] = {{1}};\n```\n```\nint x = 1;\nif (x)\n  x = 2;\n```\n" ..
            "```\nfor (int i = 0; i < some_very_long_bound && another_very_long_bound > i; i\n" ..
            "    += a_step_of_some_length)\n```")
    end},
    {"drawings_of_memory", shows({
        {"@figure warp 8 8", "yellow: 4 sectors moved, 128 bytes"},
        {"@figure offset", "13 sectors for 7 requests: 1.86 each"},
        {"@figure banks column", "32 passes."},
        {"@figure padding 0", "PAD = 0: 4 passes for this store"},
        {"@figure padding 2", "PAD = 2: 1 pass for this store"},
    })},
    {"drawings_of_machines", shows({
        {"@figure copies 4 1", ">5 x 1 bodies of machine code: 5, where one would do<"},
        {"@figure tail 3 2", "1.50 waves; 86 % of the places' time is used<"}, -- 230 of 2 * 133
        {"@figure dot", ": 10 of them for 28 products<"},
        {"@figure loop loops one", ": 2 waits for 2 multiply-adds<"},
        {"@figure timeline spans a 2", ">a: a round takes 20 µs, modelled<"},
    })},
    {"charts", shows({
        {"@figure bars times us µs a b", ">20 µs<", 'width="780.0"', 'width="195.0"'},
        {"@figure stack times first=,second=2 ms a", ">0.02 ms<"}, -- 20 ns, in thousandths
        -- from 57 to 64 registers 8 blocks of 128 threads fit: half of the H200's warps
        {"@figure occupancy 128 h200", 'x1="274.8" y1="202.4" x2="297.9" y2="202.4"'},
    })},
    {"one_box_for_each_multiply_add", function() -- the table's quotes are drawn as nothing
        local _, adds = body("@figure loop loops one"):gsub('height="72.0" fill="#009e73"', "")
        suite.same(adds, 2)
    end},
    {"drawings_are_listed", function()
        local _, why = pcall(body, "\n@figure moon")
        suite.has(why, "slides/test.md:2: @figure: there is no drawing 'moon'; there are apod, banks, bars,")
    end},
    {"errors_of_decks", refused({
        {"text\n{{[times; c; us]}}\n", "2: set 'times' has no row 'c'"},
        {"Note: a\nNote: b\n", "2: a slide has one 'Note:'"},
        {"```cuda\nint a;\n", "3: code without its closing ```"},
        {"@picture x\n", "1: unknown line '@picture x': @each, @figure, @code"},
        {"@figure warp 8\n", "1: @figure warp takes: WIDTH HEIGHT of the block"},
        {"@figure warp 5 5\n", "1: @figure: the block's width divides 32"},
        {"@figure copies 5 1\n", "1: @figure: a whole number of the right size is missing"},
        {"@figure timeline spans b 1\n", "1: @figure: the set has no second round of this row"},
        {"@figure loop loops two\n", "1: set 'loops' has no row 'two'"},
        {"@figure occupancy 128 none\n", "1: @figure: the occupancy calculator says: occupancy: " ..
            'no GPU model "none"; there are: a100 gtx980 h100 h200 t4 v100'},
        {"@each ladder | $ |\n", "1: @each SET: | $ | {{...}} |"},
        {"@code kernel.cu 3\n", "1: @code FILE LINES TEXT"},
        {"@code kernel.cu 3 int y\n", "1: kernel.cu has no line with 'int y'"},
    })},
})
