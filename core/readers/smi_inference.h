// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/smi_columns.h"

#include <string>
#include <vector>

namespace vramscope::smi {

/// What the columns of a log without a header are, told by the values of its first lines; all
/// Ignored where no memory can be found.
[[nodiscard]] std::vector<Column> inferColumns(const std::vector<std::vector<std::string>> &lines);

} // namespace vramscope::smi
