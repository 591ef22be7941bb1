// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/llama_cpp/llama_split.h"

#include <optional>
#include <string_view>
#include <vector>

namespace vramscope {

/// Devices and host as a person writes them: "24GiB, 24GiB, host 64GiB", "RTX 3090=23.4GiB".
struct LlamaMachine
{
    std::vector<LlamaDevice> devices;
    std::optional<Bytes> host; ///< nothing where it is not stated
};
[[nodiscard]] Result<LlamaMachine> parseMachine(std::string_view text);

/// Takes one flag of llama.cpp into the settings, `name` as -ngl or --n-gpu-layers; the value of a
/// flag that has none is empty. An error says what it takes.
[[nodiscard]] Result<void> setLlamaFlag(LlamaSettings &settings, std::string_view name,
                                        std::string_view value);

/// The settings as flags, as far as they are not the defaults: "-ngl 33 -ts 20,13 -c 8192".
[[nodiscard]] std::string llamaFlags(const LlamaSettings &settings);

} // namespace vramscope
