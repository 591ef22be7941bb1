// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/table.h"
#include "ui/profile/breakdown_bar.h"
#include "ui/profile_difference/difference_document.h"

#include <array>
#include <cstdint>
#include <optional>

namespace vramscope {

/// The tables below the bars, from left to right.
enum class DifferenceTab : std::uint8_t { Parts, Operators, Work };
inline constexpr std::size_t kDifferenceTabCount = 3;

/// Rows of Parts for each device: the four parts and their sum, the span.
inline constexpr std::size_t kSumRows = 5;

/// "parts": of the state of a page.
[[nodiscard]] QString nameOf(DifferenceTab tab);
[[nodiscard]] std::optional<DifferenceTab> differenceTabNamed(QStringView name);
[[nodiscard]] QString titleOf(DifferenceTab tab);

/// Which rows of operators and of work are shown.
struct DifferenceFilter
{
    std::optional<ChangeState> state;
    std::optional<BarPart> part; ///< of work: what belongs to this part of the bar
    bool operator==(const DifferenceFilter &) const = default;
};

[[nodiscard]] DataTable differenceTable(const ProfileDifferenceDocument &document,
                                        DifferenceTab tab, const DifferenceFilter &filter = {});

} // namespace vramscope
