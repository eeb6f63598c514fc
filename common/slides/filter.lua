-- filter.lua: the pandoc filter that makes a deck of slides/ into the body of page.html.
PANDOC_VERSION:must_be_at_least("2.9")
package.path = PANDOC_SCRIPT_FILE:match("^(.-)[^/]*$") .. "?.lua;" .. package.path
local data = require("data")
local deck = require("deck")

function Pandoc()
    local file = PANDOC_STATE.input_files[1]
    local right, result = pcall(function() return deck.parse(file, data.read(file)) end)
    if not right then
        io.stderr:write(result, "\n")
        os.exit(1)
    end
    return pandoc.Pandoc(deck.blocks(result), {title = pandoc.MetaString(result[1].title)})
end
