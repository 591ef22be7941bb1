# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Refuses words that a native engineer does not write, in comments and strings of core/, ui/ and app/ and in resources/help.
#   cmake -DROOT=… -DALLOWED=… [-DUPDATE=ON] -P english.cmake
# ALLOWED lists the files that still have some, with the number of their lines: a file may have no more, and where it has fewer
# the list is shortened (UPDATE writes it).
cmake_minimum_required(VERSION 3.25)
get_filename_component(ROOT ${ROOT} ABSOLUTE)

# The words, with what to write instead in the message of a failure.
set(words "told|said|judged|held|stands|beside|anew|mend|mends|mended|heed|theirs|likewise")
set(shapes "so many|none where|is none|are none|laid over|bears on|as usual|none alone|what it is of")
set(instead "write from, in the log; uses; is at; next to; again; fix; no fragment that begins with Of")

set(within "(//.*[^A-Za-z_]|\"([^\"]*[^A-Za-z_\"])?)") # a comment, or a string up to the word
set(refused "${within}((${words})[^A-Za-z_-]|${shapes})|(//|///|///<|\") ?Of ")
set(refused_help "[^A-Za-z_](${words})[^A-Za-z_-]|${shapes}")

file(GLOB_RECURSE sources RELATIVE ${ROOT} ${ROOT}/core/*.h ${ROOT}/core/*.cpp ${ROOT}/ui/*.h ${ROOT}/ui/*.cpp ${ROOT}/app/*.h
    ${ROOT}/app/*.cpp ${ROOT}/resources/help/*.md)
list(SORT sources)

set(allowed_files "")
if(EXISTS ${ALLOWED})
    file(STRINGS ${ALLOWED} rows)
    foreach(row IN LISTS rows)
        if(row MATCHES "^([^ ]+) ([0-9]+)$")
            list(APPEND allowed_files ${CMAKE_MATCH_1})
            set(allowed_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
        endif()
    endforeach()
endif()

set(found_rows "")
set(violations "")
set(total 0)
foreach(source IN LISTS sources)
    if(source MATCHES "\\.md$")
        file(STRINGS ${ROOT}/${source} lines REGEX "${refused_help}")
    else()
        file(STRINGS ${ROOT}/${source} lines REGEX "${refused}")
    endif()
    list(LENGTH lines count)
    set(allowed 0)
    if(DEFINED allowed_${source})
        set(allowed ${allowed_${source}})
    endif()
    if(count GREATER 0)
        string(APPEND found_rows "${source} ${count}\n")
        math(EXPR total "${total} + ${count}")
    endif()
    if(count GREATER allowed)
        list(JOIN lines "\n    " shown)
        list(APPEND violations "${source}: ${count} lines for ${allowed}:\n    ${shown}")
    elseif(count LESS allowed)
        list(APPEND violations "${source}: ${count} lines for ${allowed}; lower the number in the list (-DUPDATE=ON writes it)")
    endif()
    list(REMOVE_ITEM allowed_files ${source})
endforeach()
foreach(source IN LISTS allowed_files)
    list(APPEND violations "${source}: is not there; drop it from the list (-DUPDATE=ON writes it)")
endforeach()

if(UPDATE)
    file(WRITE ${ALLOWED} "${found_rows}")
    message(STATUS "${total} lines are left")
elseif(violations)
    list(JOIN violations "\n" shown)
    message(FATAL_ERROR "Words that a native engineer does not write; ${instead}.\n${shown}")
else()
    message(STATUS "${total} lines are left")
endif()
