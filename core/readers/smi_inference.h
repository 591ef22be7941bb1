// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/smi_columns.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vramscope::smi {

/// The columns of a log without a header, inferred from the values of its first lines; all Ignored
/// if no memory can be found.
[[nodiscard]] std::vector<Column> inferColumns(const std::vector<std::vector<std::string>> &lines);

/// How the rows of a log follow each other in time: several devices are queried one after the
/// other, then comes a pause.
struct Rounds
{
    std::size_t size = 0; ///< rows of each round; 0: rows do not come in rounds of one size
    std::int64_t gap = 0; ///< nanoseconds: the longest time between rows of one round
    bool unequal = false; ///< most rounds, but not all, have the same size
};

/// Found from the times of the first rows, in file order.
[[nodiscard]] Rounds roundsOf(std::span<const std::int64_t> times);

} // namespace vramscope::smi
