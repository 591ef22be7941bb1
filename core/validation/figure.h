// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/estimate/estimate.h"

#include <optional>
#include <string_view>

namespace vramscope {

/// A figure by its dotted path in the answer of `vramscope-cli plan --json`: "peak.allocated",
/// "inference.kv_blocks", … A moment, a component of the peak moment and a component of any moment
/// are named: "moments.NAME.allocated", "components.NAME.bytes" and
/// "moments.NAME.components.NAME.bytes"; so is a part outside the allocator,
/// "outside.NAME.bytes"; stages are numbered: "stages.0.allocated"; links too are
/// named: "host.seconds_per_step.pcie-5". The error says whether there is no such figure or this
/// estimate lacks it.
[[nodiscard]] Result<double> figureOf(const Estimate &estimate, std::string_view path);

/// Whether the figure of that path is in bytes; else it is a count, a share or a time.
[[nodiscard]] bool isBytes(std::string_view path);

/// The stated range of a level.
struct Band
{
    Bytes low = 0;
    Bytes high = 0;

    [[nodiscard]] bool holds(double bytes) const
    {
        return bytes >= static_cast<double>(low) && bytes <= static_cast<double>(high);
    }
    /// Half the width in percent of the middle.
    [[nodiscard]] double halfWidthPercent() const;
    bool operator==(const Band &) const = default;
};

/// The band of "peak.reserved" and "peak.device"; the other figures have none.
[[nodiscard]] std::optional<Band> bandOf(const Estimate &estimate, std::string_view path);

} // namespace vramscope
