// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/describe/difference_tables.h"
#include "ui/profile/breakdown_bar.h"
#include "ui/profile_difference/difference_document.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace vramscope {

/// "run.json, ProfilerStep#3": what was compared of a side.
[[nodiscard]] QString sideText(const ProfileDifferenceDocument &document, std::size_t side);
/// "A: run.json, ProfilerStep#3 · B: …"
[[nodiscard]] QString sidesText(const ProfileDifferenceDocument &document);

/// The answer: by how much the span of B differs from that of A, which part of the bar changed
/// most, and whether the steps of one run differ as much.
/// What limits the figures of either side, a sentence each: "A: The file ends …".
[[nodiscard]] QStringList problemLines(const ProfileDifferenceDocument &document);
[[nodiscard]] QString differenceHeadline(const ProfileDifferenceDocument &document);

/// The bars of both sides, A above B, of each device that both have.
[[nodiscard]] std::vector<BarTimes> barsOf(const ProfileDifferenceDocument &document);

/// What may be compared, for a box: the median step of each, everything, and steps of equal names.
struct ScopeChoice
{
    QString title;
    DifferenceScope scope;
};
[[nodiscard]] std::vector<ScopeChoice> scopesOf(const ProfileDifferenceDocument &document);

/// The tables below the bars, from left to right.
enum class DifferenceTab : std::uint8_t { Parts, Operators, Work };
inline constexpr std::size_t kDifferenceTabCount = 3;

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
