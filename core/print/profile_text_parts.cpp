// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/profile_text_parts.h"

#include "core/base/durations.h"
#include "core/base/format.h"
#include "core/print/cells.h"
#include "core/table/text_table.h"

#include <algorithm>

namespace vramscope {

std::string deviceName(const Profile &profile, std::int64_t device)
{
    std::string name = "GPU " + std::to_string(device);
    const auto gpu = std::ranges::find(profile.gpus(), device, &ProfileGpu::id);
    if (gpu != profile.gpus().end() && gpu->name && !gpu->name->empty())
        name += ", " + printable(*gpu->name);
    return name;
}

std::string barText(const DeviceBreakdown &device, const std::string &heading)
{
    const TimeBreakdown &times = device.times;
    TextTable table({Align::Left, Align::Right, Align::Right});
    const auto row = [&](const char *part, std::int64_t time) {
        table.addRow({part, formatNanoseconds(time), formatTimeShare(time, times.span)});
    };
    row("compute", times.compute);
    row("exposed communication", times.exposedCommunication);
    row("exposed copies and fills", times.exposedCopy);
    row("idle", times.idle);
    row("span", times.span);
    std::string text = "\n" + heading + ":\n" + table.text();
    if (times.communication > 0)
        text += "  " + formatNanoseconds(times.overlappedCommunication) + " of " +
                formatNanoseconds(times.communication) + " of communication is hidden (" +
                formatTimeShare(times.overlappedCommunication, times.communication) + ")\n";
    return text;
}

} // namespace vramscope
