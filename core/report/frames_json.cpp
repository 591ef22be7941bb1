// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/frames_json.h"

#include <nlohmann/json.hpp>

namespace vramscope {

std::string_view cutFrameText(std::string_view text)
{
    if (text.size() <= kLongestFrameText)
        return text;
    std::size_t end = kLongestFrameText;
    // A character has at most three bytes after its first; of what is no UTF-8 no more is lost.
    for (int tail = 0; tail < 3 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U; ++tail)
        --end;
    return text.substr(0, end);
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
