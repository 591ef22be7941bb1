// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace vramscope {

/// A key of a recording without a meaning here: from newer versions, or added by a tool.
struct OtherKey
{
    std::string in; ///< "file", "event", "block", "segment", "frame", "annotation"
    std::string key;
    std::int64_t records = 0; ///< that have it
    std::string example;      ///< its first value, as JSON text
};

/// All such keys of a trace, by location, then by name. Linear in the records, and in the distinct
/// values.
[[nodiscard]] std::vector<OtherKey> otherKeys(const Trace &trace);

} // namespace vramscope
