// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/seeds.h"

#include <string>

namespace vramscope {

/// One line of JSON: {"seeds":[{"seed","title","claims":[{"claim","unit","written":{"low","high"},
/// "recomputed","difference","how","reason"}]}]}; written, recomputed and difference in bytes, or
/// ones for counts and ratios. What cannot be recomputed is null, and its reason says why.
[[nodiscard]] std::string seedsJson(const std::vector<SeedTable> &tables);

/// The same for people: a line a claim, then where the figure comes from and what it teaches.
[[nodiscard]] std::string seedsText(const std::vector<SeedTable> &tables);

} // namespace vramscope
