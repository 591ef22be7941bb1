// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ask/asked.h"
#include "core/exchange/import.h"

#include <optional>
#include <string_view>

namespace vramscope {

/// A command line that was asked about.
struct AskedCommand
{
    Asked asked;
    std::optional<Imported> imported; ///< nothing where the text was read as words altogether
};

/// Imports a command line and reads the words behind it over the imported plan: "vllm serve
/// qwen3-8b (one 4090)". `more` follows these words. Where no import knows the program, "torchrun
/// finetune.py --model …", all of the text is read as words; an error says why it is neither.
[[nodiscard]] Result<AskedCommand> askedCommand(std::string_view text, std::string_view more = {});

} // namespace vramscope
