// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/trace_sources.h"
#include "core/base/format.h"

#include <array>
#include <iostream>

namespace vramscope::cli {

/// The options of every command that reports on files.
inline constexpr std::array kReportOptions{
    Option{"--json", "", "one JSON object a file, one line each"},
    Option{"--gb", "", "sizes in powers of ten (GB) instead of two (GiB)"},
};

[[nodiscard]] inline ByteUnit unitOf(const Arguments &arguments)
{
    return arguments.has("--gb") ? ByteUnit::Decimal : ByteUnit::Binary;
}

/// Reads each file with read(file) and prints json(content, file) or text(content, file, unit). A
/// file that cannot be used is complained about, and the others are still reported; gives the exit
/// status.
template<class Read, class Json, class Text>
int reportFiles(const Arguments &arguments, Read read, Json json, Text text)
{
    const ByteUnit unit = unitOf(arguments);
    int status = kSuccess;
    std::string_view gap;
    for (const std::string &file : arguments.files) {
        const auto content = read(file);
        if (!content.ok()) {
            complainOf(file, content.error().text(), arguments.has("--redact"));
            status = kUnusableFile;
        } else if (arguments.has("--json")) {
            std::cout << json(*content, file) << '\n' << std::flush;
        } else {
            std::cout << gap << text(*content, file, unit) << std::flush;
            gap = "\n";
        }
    }
    return status;
}

} // namespace vramscope::cli
