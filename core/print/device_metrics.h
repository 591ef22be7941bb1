// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/address_space.h"
#include "core/analysis/replayed/consistency.h"
#include "core/analysis/replayed/summary.h"
#include "core/base/format.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace vramscope {

/// One device with all that `vramscope-cli trace` prints of it, in either form.
struct DeviceMetrics
{
    DeviceMetrics(const Trace &trace, const DeviceTrace &device, ByteUnit unit = ByteUnit::Binary);

    DeviceSummary summary;
    bool isHost = false; ///< the CPU, in snapshots made from a profiler
    Bands atPeak;        ///< of the active bytes
    Bytes stranded = 0;
    EventIndex strandedEvent = -1;
    std::vector<Inconsistency> odd;
    std::string verdict;
};

/// A setting's value: JSON as the recording holds it; what is none is a string.
[[nodiscard]] nlohmann::ordered_json settingJson(const Setting &setting);

} // namespace vramscope
