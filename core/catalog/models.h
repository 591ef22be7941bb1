// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/architecture.h"

#include <span>
#include <string_view>

namespace vramscope {

/// A built-in architecture under the name that plans use.
struct ModelPreset
{
    std::string name;   ///< "llama-3-8b"
    std::string title;  ///< "Llama 3 8B"
    std::string family; ///< "Llama": presets of a family stand together
    Architecture architecture;
    std::string source;
    int year = 0; ///< in which it was published
};

/// All built-in architectures, grouped by family.
[[nodiscard]] std::span<const ModelPreset> modelPresets();

/// The preset of that name, or nullptr.
[[nodiscard]] const ModelPreset *findModelPreset(std::string_view name);

} // namespace vramscope
