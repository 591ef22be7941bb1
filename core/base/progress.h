// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>

namespace vramscope {

/// Called now and then by long work with the fraction done (0 to 1); returns false to cancel. With
/// an empty function the work runs to its end.
using Progress = std::function<bool(double)>;

/// Whether a loop over `count` items continues at item `at`: it asks once in `every` items, which
/// should be some milliseconds of work.
[[nodiscard]] inline bool goesOn(const Progress &progress, std::int64_t at, std::int64_t count,
                                 std::int64_t every = 65'536)
{
    return !progress || at % every != 0 ||
           progress(static_cast<double>(at) / static_cast<double>(count));
}

/// The progress of a part of the work, scaled to the share from `from` to `to` of the whole.
[[nodiscard]] inline Progress partOf(const Progress &progress, double from, double to)
{
    if (!progress)
        return {};
    return [progress, from, to](double share) { return progress(from + (to - from) * share); };
}

} // namespace vramscope
