// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/pickle_json.h"

#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>

namespace vramscope::pickle {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostNesting = 8;
constexpr int kMostWritten = 1000; // shared containers are written out each time
constexpr std::size_t kMostText = std::size_t(64) << 10; // and so are shared texts

class Converter
{
public:
    Converter(const Heap &heap, const TraceBuilder &builder)
        : m_heap(heap)
        , m_builder(builder)
    {
    }

    Json convert(const Value &value, int depth)
    {
        if (--m_left < 0)
            return nullptr;
        switch (value.kind) {
        case ValueKind::Bool:
            return value.bits != 0;
        case ValueKind::Int:
            return value.integer();
        case ValueKind::Float:
            return std::bit_cast<double>(value.bits);
        case ValueKind::Text:
            return text(value.text());
        case ValueKind::Object:
            return depth < kMostNesting ? container(m_heap.object(value), depth + 1) : Json();
        default:
            return nullptr;
        }
    }

    Json dict(std::span<const Value> items, int depth)
    {
        Json json = Json::object();
        for (std::size_t at = 0; at + 1 < items.size() && m_left > 0; at += 2) {
            const Value &key = items[at];
            const Json name = convert(key, kMostNesting);
            json[name.is_string() ? name.get<std::string>() : name.dump()] =
                convert(items[at + 1], depth);
        }
        return json;
    }

private:
    /// A text if there is room for it. Values may share a long one.
    Json text(StringId id)
    {
        const std::string_view text = m_builder.text(id);
        if (text.size() > m_bytesLeft)
            return nullptr;
        m_bytesLeft -= text.size();
        return std::string(text);
    }

    Json container(Object object, int depth)
    {
        switch (object.kind()) {
        case ObjectKind::EmptyList:
            return Json::array();
        case ObjectKind::EmptyDict:
            return Json::object();
        case ObjectKind::List:
        case ObjectKind::Tuple:
            return list(m_heap.items(object), depth);
        case ObjectKind::Pair:
            return Json::array({pairFirst(object), pairSecond(object)});
        case ObjectKind::Dict:
            return dict(m_heap.items(object), depth);
        case ObjectKind::Frame:
            return frame(static_cast<FrameId>(object.index()));
        case ObjectKind::Stack:
            return stack(static_cast<StackId>(object.index()));
        default:
            return nullptr;
        }
    }

    Json frame(FrameId id)
    {
        const Frame &frame = m_builder.frame(id);
        if (--m_left < 0)
            return nullptr;
        return {{"name", text(frame.name)}, {"filename", text(frame.file)}, {"line", frame.line}};
    }

    Json stack(StackId id)
    {
        Json json = Json::array();
        for (const FrameId frameId : m_builder.stack(id)) {
            if (m_left > 0)
                json.push_back(frame(frameId));
        }
        return json;
    }

    Json list(const Heap::Items &items, int depth)
    {
        Json json = Json::array();
        for (std::size_t at = 0; at < items.size() && m_left > 0; ++at)
            json.push_back(convert(items[at], depth));
        return json;
    }

    const Heap &m_heap;
    const TraceBuilder &m_builder;
    int m_left = kMostWritten;
    std::size_t m_bytesLeft = kMostText;
};

std::string dumped(const Json &json)
{
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace

std::string jsonText(const Heap &heap, const Value &value, const TraceBuilder &builder)
{
    return dumped(Converter(heap, builder).convert(value, 0));
}

std::string jsonText(const Heap &heap, std::span<const Value> pairs, const TraceBuilder &builder)
{
    return dumped(Converter(heap, builder).dict(pairs, 1));
}

} // namespace vramscope::pickle
