// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

namespace vramscope {

/// A key of a config.json that affects memory and that no formula reads: a row of
/// resources/models/uncomputed_keys.csv. A formula that reads it replaces the row.
struct UncomputedKey
{
    std::string key;
    std::string types; ///< model types whose class sets it where the config omits it
    std::string where; ///< what the plan must be: words of core/settings/uncomputed_keys.cpp
    std::string part;  ///< the category that it changes: "Activations"
    double spread = 0; ///< how far it may change it: 0.25 is a quarter
    std::string why;   ///< a clause for the user
};

/// In the order of the table.
[[nodiscard]] std::span<const UncomputedKey> uncomputedKeys();

} // namespace vramscope
