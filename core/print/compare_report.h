// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/comparison/compare.h"
#include "core/base/format.h"
#include "core/table/table.h"

#include <memory>
#include <string>

namespace vramscope {

/// A recording by the name under which it is shown, with the texts that may be shown: those of the
/// trace itself, or of a redacted copy, which has the same stacks under the same ids.
struct ShownTrace
{
    std::string file;
    std::shared_ptr<const Trace> trace;
};

/// Two recordings compared, as one line of JSON: {"a":{"file","device","event","active",
/// "allocations","peak_active","peak_reserved","reserved_end","allocated_end","active_end",
/// "requested_end"},"b":{…},"delta":{…},"sites":[{"change","match","a","b","delta","count_a",
/// "count_b","frames","frames_b"}],"sites_total","settings":[{"name","a","b"}]}; the sites are the
/// `most` that differ most (0: all); frames innermost first, those of B where they differ from A's.
/// Of two rehearsals at two sizes also
/// "largest":{"name","small","large","bytes_each","room","most","expected"}.
[[nodiscard]] std::string compareJson(const Comparison &comparison, const ShownTrace &a,
                                      const ShownTrace &b, std::size_t most);

/// The same for people: the figures, the sites that differ, the settings that differ.
[[nodiscard]] std::string compareText(const Comparison &comparison, const ShownTrace &a,
                                      const ShownTrace &b, std::size_t most,
                                      ByteUnit unit = ByteUnit::Binary);

/// What two rehearsals at two sizes tell of the largest that fits, a sentence; empty where they
/// tell nothing.
[[nodiscard]] std::string largestSizeText(const std::optional<LargestSize> &size,
                                          ByteUnit unit = ByteUnit::Binary);

/// The figures of both sides and how far they are apart.
[[nodiscard]] DataTable comparedFigures(const Comparison &comparison);
/// The settings that differ, with their values.
[[nodiscard]] DataTable settingDifferences(const Comparison &comparison);

/// What of it differs alone: sites and settings. Each column of sizes adds up to its total.
[[nodiscard]] std::string differencesText(const Comparison &comparison, const ShownTrace &a,
                                          const ShownTrace &b, std::size_t most,
                                          ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
