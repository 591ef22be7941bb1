// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/profile_json_parts.h"

#include <nlohmann/json.hpp>

namespace vramscope {

nlohmann::ordered_json ratioJson(std::int64_t part, std::int64_t whole)
{
    if (whole == 0)
        return {};
    return rateJson(static_cast<double>(part) / static_cast<double>(whole));
}

void addTimes(nlohmann::ordered_json &json, const TimeBreakdown &times)
{
    json["span"] = times.span;
    json["compute"] = times.compute;
    json["communication"] = times.communication;
    json["memory"] = times.memory;
    json["busy"] = times.busy;
    json["idle"] = times.idle;
    json["overlapped_communication"] = times.overlappedCommunication;
    json["exposed_communication"] = times.exposedCommunication;
    json["exposed_copy"] = times.exposedCopy;
    json["overlap"] = rateJson(times.overlap());
}

} // namespace vramscope
