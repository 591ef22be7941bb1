#!/bin/sh
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# man_page.sh TEMPLATE PROGRAM: prints a manual page, the template with these lines replaced:
#   @VERSION@       in any line: what PROGRAM --version says
#   @SYNOPSIS@      the usage in PROGRAM --help
#   @DESCRIPTION@   the rest of PROGRAM --help
#   @COMMANDS@      what PROGRAM COMMAND --help says of every command, each under its name
#   @EXIT_STATUS@   what these say of the exit status
# So the page says what the program says, and nothing of it twice.
set -eu
template=$1
program=$2
here=$(dirname "$0")
version=$("$program" --version | sed 's/ (.*//')

commands() {
    "$program" --help | awk '/^commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }'
}

while IFS= read -r line; do
    case $line in
    @SYNOPSIS@)
        "$program" --help | awk -v part=usage -f "$here/roff.awk"
        ;;
    @DESCRIPTION@)
        "$program" --help | sed '/^exit status: /d' | awk -v part=text -f "$here/roff.awk"
        ;;
    @COMMANDS@)
        for command in $(commands); do
            printf '.SS %s\n' "$command"
            "$program" "$command" --help | sed '/^exit status: /d' | awk -f "$here/roff.awk"
        done
        ;;
    @EXIT_STATUS@)
        for command in $(commands); do
            "$program" "$command" --help
        done | sed -n 's/^exit status: //p' | sort -u
        ;;
    *)
        printf '%s\n' "$line" | sed "s/@VERSION@/$version/"
        ;;
    esac
done < "$template"
