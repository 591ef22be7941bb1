# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Refuses a type that two headers of core/, ui/, app/ or tests/ define: the linker would keep one of them for both.
#   cmake -DROOT=… -P one_definition.cmake
cmake_minimum_required(VERSION 3.25)
get_filename_component(ROOT ${ROOT} ABSOLUTE)
file(GLOB_RECURSE headers RELATIVE ${ROOT} ${ROOT}/core/*.h ${ROOT}/ui/*.h ${ROOT}/app/*.h ${ROOT}/tests/support/*.h)
if(NOT headers)
    message(FATAL_ERROR "No headers under ${ROOT}.")
endif()
set(twice "")
foreach(header IN LISTS headers)
    set(namespace "")
    # What a namespace holds is not indented, and a declaration alone ends in a semicolon.
    file(STRINGS ${ROOT}/${header} lines REGEX "^(namespace [a-z]|(struct|class|enum class|enum|union) [A-Z]|using [A-Z][A-Za-z0-9]* =)")
    foreach(line IN LISTS lines)
        if(line MATCHES "^namespace ([a-z:]+)")
            set(namespace ${CMAKE_MATCH_1})
        elseif(NOT line MATCHES "^[a-z ]+ [A-Za-z0-9]+( : [a-z0-9_:]+)?;"
               AND line MATCHES "^(struct|class|enum class|enum|union|using) ([A-Za-z0-9]+)")
            set(type "${namespace}::${CMAKE_MATCH_2}")
            string(MAKE_C_IDENTIFIER ${type} key)
            if(DEFINED definer_${key})
                list(APPEND twice "${type} is defined in ${definer_${key}} and in ${header}")
            else()
                set(definer_${key} ${header})
            endif()
        endif()
    endforeach()
endforeach()
if(twice)
    list(JOIN twice "\n  " twice)
    message(FATAL_ERROR "Each type has one definition:\n  ${twice}")
endif()
