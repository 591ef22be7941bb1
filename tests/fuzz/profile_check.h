// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"
#include "tests/fuzz/fuzzer.h"

#include <algorithm>

namespace vramscope::fuzz {

/// Columns are in order, and what they refer to is there.
inline void checkProfile(const Profile &profile)
{
    const WorkColumns &work = profile.work();
    check(std::ranges::is_sorted(work.start));
    for (std::size_t at = 0; at < work.count(); ++at) {
        check(work.start[at] <= work.end[at]);
        check(work.lane[at] < profile.lanes().size());
        check(work.call[at] == kNoRow || work.call[at] < profile.calls().count());
        check(work.operation[at] == kNoRow || work.operation[at] < profile.operators().count());
        check(work.shape[at] == kNoRow || work.shape[at] < profile.launchShapes().size());
    }
    const OperatorColumns &operators = profile.operators();
    for (std::size_t at = 0; at < operators.count(); ++at) {
        check(operators.parent[at] == kNoRow || operators.parent[at] < at);
        check(operators.forward[at] == kNoRow || operators.forward[at] < operators.count());
        check(operators.thread[at] < profile.threads().size());
    }
}

} // namespace vramscope::fuzz
