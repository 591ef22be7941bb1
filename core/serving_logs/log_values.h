// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving_logs/serving_log.h"

#include <optional>
#include <string_view>

namespace vramscope {

/// The value behind a name and its "=" or "': " in a list of options; empty without one.
[[nodiscard]] std::string_view optionValue(std::string_view options, std::string_view name);
/// The value of an option on a command line, "--max-model-len 32K" or "--max-model-len=32K"; empty
/// without one.
[[nodiscard]] std::string_view commandValue(std::string_view command, std::string_view option);
/// A unit as engines write it; XLA and TensorRT write G, M and bytes.
[[nodiscard]] std::optional<LogUnit> unitOfText(std::string_view text);
/// Whether a line goes on with the sentence of the one before it: terminals and pages wrap.
[[nodiscard]] bool goesOnWithSentence(std::string_view line);

} // namespace vramscope
