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

/// What the columns of a log without a header are, told by the values of its first lines; all
/// Ignored where no memory can be found.
[[nodiscard]] std::vector<Column> inferColumns(const std::vector<std::vector<std::string>> &lines);

/// How the rows of a log follow each other in time: several devices are asked one after the other,
/// then comes a pause.
struct Rounds
{
    std::size_t size = 0; ///< rows of each round; 0: rows do not come in rounds of one size
    std::int64_t gap = 0; ///< nanoseconds: the longest time between rows of one round
    bool unequal = false; ///< most rounds have the same size, but some have not
};

/// Found in the times of the first rows, in the order of the file.
[[nodiscard]] Rounds roundsOf(std::span<const std::int64_t> times);

} // namespace vramscope::smi
