-- suite.lua: runs tests as CMocka does, so that common/tools/run-test reads what they print.
local suite = {root = "."}
package.path = "common/slides/?.lua;" .. package.path

function suite.fail(format, ...)
    error(string.format(format, ...), 0)
end

function suite.same(got, wanted)
    if got ~= wanted then suite.fail("'%s' is not '%s'", got, wanted) end
end

function suite.has(text, wanted)
    if not text:find(wanted, 1, true) then suite.fail("'%s' is not in '%s'", wanted, text:sub(1, 2000)) end
end

-- Every deck, in the order of its name: its file and text.
function suite.decks()
    local decks = {}
    for file in assert(io.popen("ls slides/*.md")):lines() do
        if file ~= "slides/README.md" then decks[#decks + 1] = {file = file, text = suite.read(file)} end
    end
    if #decks < 2 then suite.fail("there are %d decks", #decks) end
    return decks
end

function suite.read(file)
    local handle = assert(io.open(file))
    local text = handle:read("a")
    handle:close()
    return text
end

-- A command's output and whether it ended well; `input` is written to `file` first, which is removed
-- afterwards.
function suite.run(command, file, input)
    local out = assert(io.open(file, "w"))
    out:write(input)
    out:close()
    local pipe = assert(io.popen(command .. " 2>&1"))
    local said = pipe:read("a")
    local right = pipe:close()
    os.remove(file)
    return said, right
end

-- Rows of {name, function}. A function that returns a text is skipped, for that reason.
function suite.tests(tests)
    local failed = 0
    for _, test in ipairs(tests) do
        print("[ RUN      ] " .. test[1])
        local right, why = pcall(test[2])
        if not right then
            failed = failed + 1
            print("[  ERROR   ] --- " .. tostring(why))
        elseif why then
            print("skipped: " .. why)
        end
        print((right and (why and "[  SKIPPED ] " or "[       OK ] ") or "[  FAILED  ] ") .. test[1])
    end
    os.exit(failed > 0 and 1 or 0)
end

return suite
