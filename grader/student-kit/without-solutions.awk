# awk -v experiments="lab6-tune lab9-tail" -f grader/student-kit/without-solutions.awk PAGE.md: the page without what names files
# or commands that a student's copy has not: of a paragraph or an item the sentences, of a table the rows, of code the commands.
# An experiment stays, since exercises ask about its result, and is said to be in the instructor's copy.
BEGIN {
    command = "make lab[0-9N]+-(steps|solution|record|keys)"
    absent = "solutions/|" command
    gsub(/ +/, "|", experiments)
    experiment = "make (" experiments ")"
}

function say_where(text) {
    if (experiments != "")
        gsub("`" experiment "[^`]*`", "& (in your instructor's copy)", text)
    return text
}

# An aside in brackets, or its end, goes alone; of what is left whole sentences go.
function kept(text,    out, sentence, length_of) {
    gsub(/[ \n]+\(`solutions\/[^`)]*`\)/, "", text)
    gsub("; `" command "[^`]*`[^;).]*", "", text)
    while (text != "") {
        length_of = match(text, /[.?!]"?([ \n]+|$)/) ? RSTART + RLENGTH - 1 : length(text)
        sentence = substr(text, 1, length_of)
        text = substr(text, length_of + 1)
        if (sentence !~ absent)
            out = out sentence
    }
    sub(/[ \n]+$/, "", out)
    return out
}

function flush() {
    if (block ~ absent)
        block = kept(block)
    if (block != "")
        print say_where(block)
    block = ""
}

/^ *```/ { flush(); code = !code; print; next }
code { gsub("  +" command "$", ""); if ($0 !~ absent && (experiments == "" || $0 !~ experiment)) print; next }
/^$/ { flush(); print; next }
/^ *(-|[0-9]+\.) |^[|#]/ { flush() }
{ block = block (block == "" ? "" : "\n") $0 }
END { flush() }
