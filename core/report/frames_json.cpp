// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/frames_json.h"

#include "core/base/text.h"

#include <nlohmann/json.hpp>

namespace vramscope {

std::string_view cutFrameText(std::string_view text)
{
    return firstBytes(text, kLongestFrameText);
}

nlohmann::ordered_json frameJson(const Trace &trace, FrameId id)
{
    const Frame &frame = trace.frame(id);
    return {{"name", cutFrameText(trace.text(frame.name))},
            {"file", cutFrameText(trace.text(frame.file))},
            {"line", frame.line}};
}

nlohmann::ordered_json framesJson(const Trace &trace, StackId stack)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const FrameId id : trace.stack(stack))
        json.push_back(frameJson(trace, id));
    return json;
}

} // namespace vramscope
