# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Turns the text of --help into roff: its usage into lines as they are, its columns into a list of terms, the rest
# into paragraphs. With part=usage the usage alone, with part=text all but it.

function escaped(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    return text ~ /^[.']/ ? "\\\\&" text : text
}

# "Usage: PROGRAM …" and what stands indented below it.
tolower($0) ~ /^usage: / {
    inUsage = 1
    if (part != "text")
        print ".nf\n" escaped(substr($0, 8))
    next
}
inUsage && /^       / {
    if (part != "text")
        print escaped(substr($0, 8))
    next
}
inUsage {
    inUsage = 0
    if (part != "text")
        print ".fi"
}
part == "usage" { next }

/^$/ {
    inList = 0
    paragraph = 1
    next
}
# "options:" needs no words where the options stand.
/^[a-z]+:$/ { next }
# "  TERM  text": a term and its text, two spaces apart at least.
/^  [^ ]/ {
    at = match(substr($0, 3), /   */)
    print ".TP\n.B " escaped(substr($0, 3, at - 1))
    print escaped(substr($0, 2 + at + RLENGTH))
    inList = 1
    paragraph = 0
    next
}
# The text of the term above goes on.
inList && /^      / {
    sub(/^ +/, "")
    print escaped($0)
    next
}
{
    if (inList || paragraph)
        print ".PP"
    inList = paragraph = 0
    print escaped($0)
}
