// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/live_groups.h"
#include "core/analysis/replayed/address_space.h"
#include "core/base/format.h"
#include "core/print/cells.h"
#include "core/table/text_table.h"

#include <span>

namespace vramscope {

/// Characters of a place in the code, in the tables of a report.
inline constexpr std::size_t kLongestPlace = 160;

/// Size, share, blocks and place of groups, those that read the same together: the largest ones,
/// then in one row the others and those that are hardly anything of the whole.
[[nodiscard]] TextTable placesTable(const Trace &trace, FrameOrigins &origins,
                                    std::span<const LiveGroup> groups, ByteUnit unit);

/// Name, size, share and meaning of what reserved memory consists of, which they add up to.
[[nodiscard]] TextTable bandsTable(const Bands &bands, ByteUnit unit);

} // namespace vramscope
