// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <optional>
#include <vector>

namespace vramscope {

class Study;

/// A fact about a recording that its reader should know first. Its wording:
/// core/print/finding_text.h.
struct Finding
{
    enum class Kind {
        Rehearsed,      ///< no GPU ran it
        OutOfMemory,    ///< allocations failed
        Leak,           ///< stacks whose allocations pile up
        Stranded,       ///< free memory that blocks in use pin
        Contradictions, ///< events, rules and final state do not agree
        IdleReserve,    ///< reserved at the end and not in use
        LiveBefore,     ///< allocated before the history begins
        Overflow,       ///< the oldest events are lost
        Problems,       ///< records of the file that are not as they should be
    };
    Kind kind = Kind::OutOfMemory;
    /// Requested by the first failure, grown (per step if Leaks::bySteps), stranded, idle, live; 0
    /// if it is not about memory.
    Bytes bytes = 0;
    std::int64_t count = 0; ///< failures, stacks that grow, contradictions, records; else 0
    std::optional<EventIndex> event; ///< the place it leads to; -1: before the first event

    /// Whether it is a fault rather than just worth knowing.
    [[nodiscard]] bool isBad() const { return kind == Kind::OutOfMemory || kind == Kind::Leak; }
    bool operator==(const Finding &) const = default;
};

/// "out_of_memory", "leak", "stranded", …
[[nodiscard]] const char *findingName(Finding::Kind kind);

/// The findings of one device, the most important first.
[[nodiscard]] std::vector<Finding> findFindings(const Study &study);

/// The findings from the summary, which is ready long before Study::findings().
[[nodiscard]] std::vector<Finding> findingsSoFar(const Study &study);

} // namespace vramscope
