// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace vramscope {

struct Settings;

/// Why the settings of a condition that does not hold mean nothing.
struct HiddenBecause
{
    std::string_view subject; ///< whose settings they are: "pipelines"
    std::string_view reason;  ///< "one stage"
    bool operator==(const HiddenBecause &) const = default;
};

/// When a field means something in a plan, and why it does not where it does not.
struct Condition
{
    const Condition *first = nullptr; ///< what has to hold as well, and is the reason before this
    bool (*test)(const Settings &) = nullptr;
    HiddenBecause because;

    [[nodiscard]] bool operator()(const Settings &settings) const
    {
        return broken(settings) == nullptr;
    }
    /// The condition that does not hold, which is this one or one before it; nullptr: all hold.
    [[nodiscard]] const Condition *broken(const Settings &settings) const
    {
        const Condition *before = first ? first->broken(settings) : nullptr;
        return before || !test || test(settings) ? before : this;
    }
};

} // namespace vramscope
