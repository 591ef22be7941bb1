// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/log_versions.h"

#include <algorithm>
#include <charconv>

namespace vramscope {

LogVersion logVersion(std::string_view text)
{
    LogVersion numbers{};
    for (int &number : numbers) {
        text.remove_prefix(std::min(text.find_first_of("0123456789"), text.size()));
        const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
        text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
        if (!text.starts_with('.') || text.starts_with(".dev"))
            break;
    }
    return numbers;
}

LogAge vllmAge(const ServingLog &log, const LogVersion &change)
{
    constexpr LogVersion kFirst = {0, 2, 0}; // no release is older
    const LogVersion stated = logVersion(log.version);
    if (stated >= kFirst)
        return stated >= change ? LogAge::AtLeast : LogAge::Before;
    if (!log.versionFrom.empty() && logVersion(log.versionFrom) >= change)
        return LogAge::AtLeast;
    if (!log.versionTo.empty() && logVersion(log.versionTo) < change)
        return LogAge::Before;
    return LogAge::Unknown;
}

} // namespace vramscope
