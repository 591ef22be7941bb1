// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/address_space.h"
#include "core/analysis/replayed/usage_curve.h"

#include <string>
#include <vector>

namespace vramscope {

/// A way in which the history of a device contradicts itself: a sentence for people, and how often.
struct Inconsistency
{
    std::string text;
    std::int64_t count = 0;
    EventIndex first = -1; ///< the first such event, if any
};

/// Contradictions in a device's history, empty if all of it agrees: more active than reserved
/// bytes, and those found by the replay of the address space. Linear in the events.
[[nodiscard]] std::vector<Inconsistency> inconsistencies(const AddressSpace &space,
                                                         const UsageCurve &curve);

} // namespace vramscope
