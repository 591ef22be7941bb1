// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/lifecycle.h"

#include <string>

namespace vramscope {

/// One line of JSON: {"file","parts":[{"category","name"}],"first_step":[point],"steady_step":
/// [point]} with points {"moment","block","after","allocated","bytes":[of each part]}; block is
/// null where none runs.
[[nodiscard]] std::string lifecycleJson(const Lifecycle &lifecycle, const std::string &file);

/// A steady step for people: a line a point with the bytes of each category.
[[nodiscard]] std::string lifecycleText(const Lifecycle &lifecycle, const std::string &file,
                                        ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
