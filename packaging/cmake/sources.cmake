# SPDX-FileCopyrightText: The VRAMscope authors
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What a library is made of: no list names a file, and a new one is compiled with the next build.

# vramscope_of_this_system(LIST): without the files of other systems, "…_posix" and "…_windows".
function(vramscope_of_this_system list)
    set(other windows)
    if(WIN32)
        set(other posix)
    endif()
    list(FILTER ${list} EXCLUDE REGEX "_${other}\\.cpp$")
    set(${list} ${${list}} PARENT_SCOPE)
endfunction()

# vramscope_sources(LIBRARY): gives it every source and header below the current folder; with VRAMSCOPE_FOLDERS those of
# these folders alone, and what uses more does not link.
function(vramscope_sources library)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS *.h)
    vramscope_of_this_system(sources)
    if(VRAMSCOPE_FOLDERS)
        list(JOIN VRAMSCOPE_FOLDERS "|" folders)
        list(FILTER sources INCLUDE REGEX "/(${folders})/[^/]*$")
        list(FILTER headers INCLUDE REGEX "/(${folders})/[^/]*$")
    endif()
    target_sources(${library}
        PRIVATE ${sources}
        PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${headers})
    # The headers of Windows define short words as macros.
    list(FILTER sources INCLUDE REGEX "_windows\\.cpp$")
    set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# Compiles the sources of a folder in batches of 16 as one, so that each header of ours is read once a batch, and others, the
# standard library's and those named, once a target. Names in anonymous namespaces are therefore unique in their folder.
function(vramscope_compile_by_folder target)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <charconv> <filesystem> <functional> <map> <memory> <optional>
        <span> <string> <string_view> <unordered_map> <variant> <vector> ${ARGN})
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    get_target_property(built ${target} BINARY_DIR)
    get_target_property(sources ${target} SOURCES)
    list(FILTER sources INCLUDE REGEX "\\.cpp$")
    list(SORT sources)
    set(count 0)
    set(before "")
    foreach(source IN LISTS sources)
        cmake_path(GET source PARENT_PATH folder)
        if(NOT folder STREQUAL before)
            set(before ${folder})
            set(count 0)
        endif()
        cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE group)
        math(EXPR batch "${count} / 16")
        math(EXPR count "${count} + 1")
        string(MAKE_C_IDENTIFIER "${group}_${batch}" group)
        set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group})
        if(CMAKE_BUILD_TYPE STREQUAL "Release" AND
           folder MATCHES "/(core/(base|trace|readers|profile|analysis/(replayed|costs|curves|steps|categories)|simulator|estimate/formulas|settings/schedules)|ui/timeline)$")
            # What runs once an event, a pixel or a candidate. The rest runs once an answer, and takes longer to optimise than it
            # ever runs. g++ does not take a precompiled header for another level. It lets a large unit grow by 40 % through
            # inlining, which a batch uses up: the neighbours of a file decided what was inlined in it.
            set_source_files_properties(${built}/CMakeFiles/${target}.dir/Unity/unity_${group}_cxx.cxx
                TARGET_DIRECTORY ${target} PROPERTIES
                COMPILE_OPTIONS "-O3;$<$<CXX_COMPILER_ID:GNU>:--param=inline-unit-growth=60>" SKIP_PRECOMPILE_HEADERS ON)
        endif()
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
