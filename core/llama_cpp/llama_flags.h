// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/llama_cpp/llama_split.h"

#include <optional>
#include <string_view>
#include <vector>

namespace vramscope {

/// Devices and host in a user's notation: "24GiB, 24GiB, host 64GiB", "RTX 3090=23.4GiB".
struct LlamaMachine
{
    std::vector<LlamaDevice> devices;
    std::optional<Bytes> host; ///< nothing if not given
};
[[nodiscard]] Result<LlamaMachine> parseMachine(std::string_view text);

/// Sets one flag of llama.cpp, with `name` -ngl or --n-gpu-layers; the value of a flag without one
/// is empty. An error says which values the flag takes.
[[nodiscard]] Result<void> setLlamaFlag(LlamaSettings &settings, std::string_view name,
                                        std::string_view value);

/// The settings as flags, if they differ from the defaults: "-ngl 33 -ts 20,13 -c 8192".
[[nodiscard]] std::string llamaFlags(const LlamaSettings &settings);

} // namespace vramscope
