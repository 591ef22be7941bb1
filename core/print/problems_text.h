// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/problem_text.h"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>

namespace vramscope {

/// A paragraph for each problem of a recording, as every text begins that is made of it: "Problem:
/// The file ends in the middle."; empty without any. `file` names the recording where the text is
/// about several.
[[nodiscard]] std::string problemsText(std::span<const Problem> problems,
                                       const std::string &file = {});

/// What is wrong with a recording: [{"kind","count","first"}], `first` the offset in the file in
/// bytes or null.
[[nodiscard]] nlohmann::ordered_json problemsJson(std::span<const Problem> problems);

/// The same of both sides of a comparison, each with its "side", "a" or "b".
[[nodiscard]] nlohmann::ordered_json sidesProblemsJson(std::span<const Problem> a,
                                                       std::span<const Problem> b);

} // namespace vramscope
