// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace vramscope {

/// What vLLM's class of a model gives slots for adapters to in addition to the linear layers of
/// its blocks: a row of resources/models/adapter_slots.csv.
struct AdapterSlots
{
    std::string modelType; ///< as in a config.json
    bool none = false;     ///< the class takes no adapters
    bool embedding = false;
    bool head = false;
    bool joinedExperts = false; ///< gate and up of an expert share one first factor
};

/// Null where the class is not known.
[[nodiscard]] const AdapterSlots *findAdapterSlots(std::string_view modelType);

} // namespace vramscope
