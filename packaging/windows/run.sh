#!/usr/bin/env bash
# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# run.sh PROGRAM.exe ARGUMENT…: runs it under Wine. Qt Test reports to a debugger on Windows, so its report comes through a file.
case $1 in
*/tests_*)
    report=$(mktemp)
    wine "$@" -o "$report,txt"
    status=$?
    cat "$report"
    rm -f "$report"
    exit $status
    ;;
*)
    exec wine "$@"
    ;;
esac
