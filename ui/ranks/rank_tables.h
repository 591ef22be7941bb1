// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ranks/run_study.h"
#include "core/table/table.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vramscope {

/// The tables of the page of ranks, from left to right: all but the first need profiler traces that
/// are read whole.
enum class RanksTab : std::uint8_t { Ranks, Collectives, Matches, Runs };

/// "ranks": of the state of a page.
[[nodiscard]] QString nameOf(RanksTab tab);
[[nodiscard]] std::optional<RanksTab> ranksTabNamed(QStringView name);

[[nodiscard]] std::vector<RanksTab> tabsOf(const RunStudy &study);
/// The table of a tab for readers, whole. It must not outlive the study.
[[nodiscard]] DataTable dataTable(const RunStudy &study, RanksTab tab, ByteUnit unit);
/// The same as the window shows it, of ranks without those that `kept`, by rank, leaves out;
/// empty: of all.
[[nodiscard]] DataTable shownTable(const RunStudy &study, RanksTab tab, ByteUnit unit,
                                   std::span<const std::uint8_t> kept = {});

} // namespace vramscope
