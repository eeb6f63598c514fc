# shellcheck shell=bash
# Reads common/tools/requirements.txt and looks for what it names; used by common/tools/setup and common/tools/doctor.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# The rows of the given classes, fields trimmed and separated by |.
requirements() {
    awk -F'|' -v wanted=" $* " '
        /^#/ || NF < 8 { next }
        { for (i = 1; i <= NF; i++) gsub(/^ +| +$/, "", $i) }
        index(wanted, " " $1 " ") { print $1 "|" $2 "|" $3 "|" $4 "|" $5 "|" $6 "|" $7 "|" $8 }' \
        "$here/common/tools/requirements.txt"
}

# header_path NAME: where a header is, without asking a compiler (there may be none yet).
header_path() {
    local folder
    for folder in /usr/include /usr/local/include "/usr/include/$(uname -m)-linux-gnu" /opt/homebrew/include; do
        if [ -e "$folder/$1" ]; then
            echo "$folder/$1"
            return 0
        fi
    done
    return 1
}

# header_version PATH MACRO: the string the macro stands for, or that of its _MAJOR, _MINOR, _RELEASE parts.
header_version() {
    local value stem
    value=$(sed -n "s/^#[ ]*define[ ]*$2[ ]*\"\([^\"]*\)\".*/\1/p" "$1" | head -n 1)
    if [ -z "$value" ]; then
        stem=${2%_STRING}
        value=$(sed -n "s/^#[ ]*define[ ]*${stem}_\(MAJOR\|MINOR\|RELEASE\)[ ]*\([0-9][0-9]*\).*/\2/p" "$1" |
            paste -sd. -)
    fi
    echo "$value"
}

# command_version NAME: the first thing in its --version that looks like a version.
command_version() {
    "$1" --version 2>/dev/null </dev/null | grep -Eo '[0-9]+\.[0-9]+([.][0-9]+)*' | head -n 1
}

# probe KIND WHAT [MACRO]: exit status 0 when it is there; prints its version where it tells one.
probe() {
    local path
    case $1 in
    command)
        path=$("$here/common/tools/find-cuda" tool "$2") || return 1
        command_version "$path"
        ;;
    header)
        path=$(header_path "$2") || return 1
        header_version "$path" "$3"
        ;;
    *)
        echo "common/tools/requirements.txt: unknown probe '$1'" >&2
        return 2
        ;;
    esac
    return 0
}

# missing COLUMN CLASS...: the package names (4 Debian, 5 Fedora, 6 Arch, 7 Homebrew) of what is not here.
missing() {
    local column=$1 row
    shift
    requirements "$@" | while IFS= read -r row; do
        # shellcheck disable=SC2046 # the probe is words
        if ! probe $(cut -d'|' -f3 <<<"$row") >/dev/null; then
            cut -d'|' -f"$column" <<<"$row"
        fi
    done | grep -vx -e - | sort -u
}
