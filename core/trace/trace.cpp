// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/trace.h"

#include <algorithm>
#include <array>

namespace vramscope {

std::string_view actionName(Action action)
{
    static constexpr std::array<std::string_view, kActionCount> kNames{
        "alloc",        "free_requested", "free_completed", "segment_alloc",
        "segment_free", "segment_map",    "segment_unmap",  "snapshot",
        "oom",          "user_defined",   "annotate",       "other"};
    return kNames[static_cast<std::size_t>(action)];
}

const DeviceTrace *Trace::device(int ordinal) const
{
    const auto found = std::find_if(m_devices.begin(), m_devices.end(),
                                    [&](const DeviceTrace &one) { return one.device == ordinal; });
    return found == m_devices.end() ? nullptr : &*found;
}

} // namespace vramscope
