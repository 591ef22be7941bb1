// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/trace/series.h"

#include <string>

namespace vramscope {

/// One line of JSON: {"file","format","clock","rank","world_size","devices":[{"device","label",
/// "name","identity","total","samples","start","span","curves":[{"name","unit","first","last",
/// "min","max","max_at","max_operation"}],"oom":[{"time","requested","allocated","reserved",
/// "operation"}]}],"spans":{kind: count},"facts","problems"}. Times are nanoseconds on the clock,
/// bytes exact; null is what the file does not say.
[[nodiscard]] std::string seriesJson(const Series &series, const std::string &file);

/// The same for people: a table of curves for each device.
[[nodiscard]] std::string seriesText(const Series &series, const std::string &file,
                                     ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
