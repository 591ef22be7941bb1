// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace vramscope {

// The keys of each format that bear on no memory: paths, schedules, logging, tokenizers. A word
// that ends with '*' stands for all that begin like it.
[[nodiscard]] std::span<const std::string_view> configHarmless();
[[nodiscard]] std::span<const std::string_view> deepSpeedHarmless();
[[nodiscard]] std::span<const std::string_view> torchtitanHarmless();
[[nodiscard]] std::span<const std::string_view> axolotlHarmless();
[[nodiscard]] std::span<const std::string_view> trainerHarmless();
[[nodiscard]] std::span<const std::string_view> megatronHarmless();
[[nodiscard]] std::span<const std::string_view> vllmHarmless();
[[nodiscard]] std::span<const std::string_view> sglangHarmless();
[[nodiscard]] std::span<const std::string_view> llamaCppHarmless();
[[nodiscard]] std::span<const std::string_view> trtLlmHarmless();
[[nodiscard]] std::span<const std::string_view> verlHarmless();

} // namespace vramscope
