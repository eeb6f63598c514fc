-- data.lua: the figures that decks quote: the sets of slides/data.ini, their files, and the arithmetic between
-- {{ and }}. A set is a list of cells {row, column, text}; a row with several launches has several cells.
local data = {root = "."} -- the folder below which slides/data.ini and the sets' files are

-- Ends the build with one line, behind the deck's file and line.
function data.refuse(format, ...)
    error(string.format(format, ...), 0)
end
local refuse = data.refuse

function data.trim(text)
    return text:match("^%s*(.-)%s*$")
end
local trim = data.trim

-- Names build/unpacked/... in the folder that is built in.
function data.read(file)
    local built = file:match("^build(/unpacked/.*)")
    local handle, why = io.open(built and (os.getenv("BUILD") or "build") .. built or data.root .. "/" .. file, "rb")
    local text = handle and handle:read("a")
    if not text then refuse("%s: cannot be read: %s", file, why or "is it a folder?") end
    handle:close()
    return text
end

function data.lines(text)
    return (text:gsub("([^\n])$", "%1\n")):gmatch("([^\n]*)\n")
end

-- Calls visit(section, key, value) for each key of an .ini file; section is "" before the first.
local function read_ini(file, visit)
    local section, number = "", 0
    for line in data.lines(data.read(file)) do
        number = number + 1
        line = trim((" " .. line):gsub("%s[;#].*", ""))
        local name, key, value = line:match("^%[(.*)%]$"), line:match("^(.-)%s*=%s*(.*)$")
        if name then
            section = trim(name)
            visit(section)
        elseif key then
            visit(section, key, value)
        elseif line ~= "" then
            refuse("%s:%d: neither [section] nor key = value", file, number)
        end
    end
end

-- The fields of a line of a file or a table. A Markdown row has a bar at both ends.
local function cut(line, separator)
    local fields = {}
    line = trim(line)
    if separator == "|" then line = line:gsub("^|", ""):gsub("|$", "") end
    for field in (line .. separator):gmatch("([^" .. separator .. "]*)" .. separator) do
        fields[#fields + 1] = trim(field)
    end
    return fields
end

-- Adds a line's cells; `key` is the index of the column that names the row. A line without a name is skipped.
local function add_row(set, head, key, fields)
    local row = fields[key] or ""
    if row == "" then return end
    if row:sub(1, #set.prefix) == set.prefix then row = row:sub(#set.prefix + 1) end
    for i, column in ipairs(head) do
        if i ~= key and fields[i] then set[#set + 1] = {row = row, column = column, text = fields[i]} end
    end
end

-- How a set's file is read, by its kind.
local kinds = {}

-- A head line, then a line for each row, its name first. '#' begins a comment; the line of units is skipped.
function kinds.csv(set)
    local head
    for line in data.read(set.file):gmatch("[^\n]+") do
        if not (line:find("^#") or line:find("^unit,")) then
            if head then add_row(set, head, 1, cut(line, ",")) end
            head = head or cut(line, ",")
        end
    end
end

-- [step 1a] and keys below it. The row is the section's last word, or "-" before the first section.
function kinds.sections(set)
    read_ini(set.file, function(section, key, value)
        local row = section:match("%S*$")
        if key then set[#set + 1] = {row = row ~= "" and row or "-", column = key, text = value} end
    end)
end

-- A GPU's model: every key, of any section; the row is "-".
function kinds.model(set)
    read_ini(set.file, function(_, key, value)
        if key then set[#set + 1] = {row = "-", column = key, text = value} end
    end)
end

-- measured.ini: the steps, in column "us", of the [recording] with each "key value" of `where`.
function kinds.measured(set)
    local described
    read_ini(set.file, function(_, key, value)
        if not key then
            described = {}
        elseif key ~= "step" then
            described[key] = value
        else
            for wanted, what in set.where:gmatch("(%S+)%s+(%S+)") do
                if described[wanted] ~= what then return end
            end
            local row, time = value:match("^(%S+)%s+(.+)$")
            if not row then refuse("%s: a step has a name and a time: %s", set.file, value) end
            set[#set + 1] = {row = row, column = "us", text = time}
        end
    end)
end

-- The first table of a Markdown file with the text `where` in its head line; `key`: column of the rows' names.
function kinds.table(set)
    local head, key
    for line in data.lines(data.read(set.file)) do
        if not head then
            if line:find("^|") and line:find(set.where, 1, true) then
                head, key = cut(line, "|"), 1
                while set.key ~= "" and head[key] and head[key] ~= set.key do key = key + 1 end
                if not head[key] then refuse("%s: the table has no such column: %s", set.file, set.key) end
            end
        elseif not line:find("^|") then
            return
        elseif not line:find("^|%-") then
            add_row(set, head, key, cut(line, "|"))
        end
    end
    if not head then refuse("%s: no table whose head line has: %s", set.file, set.where) end
end

local sets, short_names

local function open()
    sets, short_names = {}, {}
    read_ini("slides/data.ini", function(section, key, value)
        if section == "columns" then
            if key then short_names[key] = value end
        elseif not key then
            sets[section] = {prefix = "", where = "", key = ""}
        elseif ({kind = 1, file = 1, where = 1, prefix = 1, key = 1})[key] and sets[section] then
            sets[section][key] = value
        else
            refuse("slides/data.ini: unknown key '%s': kind, file, where, prefix, key", key)
        end
    end)
end

-- A set's cells.
function data.set(name)
    if not sets then open() end
    local set = sets[name] or refuse("unknown set '%s': slides/data.ini has them", name)
    if not set.read then
        local read = kinds[set.kind] or refuse("slides/data.ini: kind is csv, sections, model, measured or table: %s", name)
        read(set)
        if #set == 0 then refuse("%s: nothing there for set '%s'", set.file, name) end
        set.read = true
    end
    return set
end

-- The texts at a place. "5e#2" is the second of row 5e's launches. Set and column must exist, and the row too
-- unless it is optional. The second result is the column's whole name.
local function cells(name, row, column, optional)
    local set, row_name, launch = data.set(name), row:match("^(.-)#(%d+)$")
    local texts, has_row, has_column, has_short = {}, false, false, false
    for _, cell in ipairs(set) do has_short = has_short or cell.column == column end
    column = has_short and column or short_names[column] or column
    for _, cell in ipairs(set) do
        local of_row, of_column = cell.row == (row_name or row), cell.column == column
        has_row, has_column = has_row or of_row, has_column or of_column
        if of_row and of_column then texts[#texts + 1] = cell.text end
    end
    if not has_column then refuse("set '%s' has no column '%s'", name, column) end
    if not has_row and not optional then refuse("set '%s' has no row '%s'", name, row) end
    return launch and {texts[tonumber(launch)]} or texts, column
end

-- The first text at a place; "" for an absent optional row.
function data.text(name, row, column, optional)
    local texts, whole = cells(name, row, column, optional)
    return texts[1] or optional and "" or
        refuse("set '%s' has nothing in row '%s', column '%s'", name, row, whole)
end

-- The number at the start of a text ("6,272,000", "**0.657**", "38 %"), or nil.
function data.parse(text)
    local digits = text:match("^[* ~]*([%w.,+-]*)"):gsub(",", "")
    local value = tonumber(digits:match("^[+-]?%d*%.?%d*[eE][+-]?%d+") or digits:match("^[+-]?%d*%.?%d*"))
    return value and value + 0.0
end

-- The median of the numbers at a place; NaN for an absent optional row.
function data.number(name, row, column, optional)
    local texts, whole = cells(name, row, column, optional)
    local numbers = {}
    for _, text in ipairs(texts) do numbers[#numbers + 1] = data.parse(text) end
    table.sort(numbers)
    local middle = #numbers // 2
    if #numbers > 0 then
        return #numbers % 2 == 1 and numbers[middle + 1] or (numbers[middle] + numbers[middle + 1]) / 2
    end
    return optional and 0 / 0 or refuse("set '%s' has no number in row '%s', column '%s'", name, row, whole)
end

-- A figure of the H200's model.
function data.h200(key)
    return data.number("h200", "-", key)
end

-- The value of a formula: + - * / ( ) floor( ) over numbers and places, by recursive descent.
local function evaluate(text)
    local at, sum = 1, nil
    local function take(pattern)
        local _, last, found = text:find("^%s*" .. pattern, at)
        at = last and last + 1 or at
        return found
    end
    local function fail(what)
        refuse("%s at '%s'", what, trim(text:sub(at)))
    end
    local function factor()
        local place = take("(%b[])")
        if place then
            return data.number(data.place(place, take("(%?)")))
        end
        local floor = take("(floor)%(")
        if floor or take("(%()") then
            local value = sum()
            if not take("(%))") then fail("')' is missing") end
            return floor and math.floor(value) or value
        end
        return tonumber(take("(%d+%.?%d*)") or fail("a number, a place or '(' is missing"))
    end
    local function product()
        local value = factor()
        for sign in function() return take("([*/])") end do
            local right = factor()
            if sign == "/" and right == 0 then fail("division by zero, which ends") end
            value = sign == "*" and value * right or value / right
        end
        return value
    end
    function sum()
        local value = product()
        for sign in function() return take("([+-])") end do
            local right = product()
            value = value + (sign == "+" and right or -right)
        end
        return value
    end
    local value = sum()
    if trim(text:sub(at)) ~= "" then fail("nothing was expected") end
    return value
end

-- Splits "[set; row; column]" into the arguments of data.text and data.number.
function data.place(text, optional)
    local set, row, column = text:match("^%[([^;]*);([^;]*);(.*)%]$")
    if not set then refuse("a place is [set; row; column] at '%s'", text) end
    return trim(set), trim(row), trim(column), optional ~= nil
end

-- A number as decks show it: `digits` behind the point, commas from 10,000 on, a dash for NaN.
local function written(value, digits)
    if value ~= value then return "–" end
    local sign, whole, rest = string.format("%." .. digits .. "f", value):match("^(-?)(%d+)(.*)$")
    if math.abs(value) >= 10000 then whole = whole:reverse():gsub("(%d%d%d)", "%1,"):reverse():gsub("^,", "") end
    return sign .. whole .. rest
end

-- The value between {{ and }}: the text at a place, or arithmetic that ends with a format.
local function formula(text)
    text = trim(text)
    local arithmetic, format = text:match("^(.*)(%%.*)$")
    if not arithmetic then
        local place, optional, rest = text:match("^(%b[])(%??)%s*(.*)$")
        if not place then refuse("a formula ends with %%.1f or the like at '%s'", text) end
        if rest ~= "" then refuse("arithmetic needs a format, %%.1f say, at its end at '%s'", rest) end
        local found = data.text(data.place(place, optional == "?" or nil))
        return found ~= "" and found or "–"
    end
    local digits = format:match("^%%%.(%d)f$") or refuse("a formula ends with %%.0f to %%.9f at '%s'", text)
    return written(evaluate(arithmetic), digits)
end

-- A line with each {{formula}} replaced by its value.
function data.fill(line)
    if line:gsub("{{.-}}", ""):find("{{", 1, true) then refuse("'{{' without '}}' behind it") end
    return (line:gsub("{{(.-)}}", formula))
end

return data
