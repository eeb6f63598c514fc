-- handout.lua: the pandoc filter that makes a page of `make course` from a handout. A link to a page that is in the course
-- (COURSE: lines "FILE NAME", the source and its page) leads there; of every other link within the kit the words stay.
local pages, folder = {}, PANDOC_STATE.input_files[1]:match("^(.*/)") or ""
for file, name in os.getenv("COURSE"):gmatch("(%S+) (%S+)") do pages[file] = name end

-- The path without "." and "..".
local function plain(path)
    local parts = {}
    for part in path:gmatch("[^/]+") do
        if part == ".." then table.remove(parts) elseif part ~= "." then parts[#parts + 1] = part end
    end
    return table.concat(parts, "/")
end

local title
return {{
    Header = function(header)
        if header.level == 1 and not title then title = pandoc.utils.stringify(header) end
        header.identifier = pandoc.utils.stringify(header):lower():gsub("[^%w%- ]", ""):gsub(" ", "-")
        return header
    end,
    Link = function(link)
        local file, mark = link.target:match("^([^#]*)(#?.*)$")
        if file == "" or file:find("^%a+:") then return nil end
        local name = pages[plain(folder .. file)] or pages[plain(folder .. file .. "/README.md")]
        if not name then return link.content end
        link.target = name .. mark
        return link
    end,
    -- A table that is wider than the window scrolls by itself, by keys too.
    Table = function(grid)
        return pandoc.Div({grid}, {class = "wide", tabindex = "0", role = "region", ["aria-label"] = "table"})
    end,
    Meta = function(meta)
        meta.title = title or folder
        return meta
    end,
}}
