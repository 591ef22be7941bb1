// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/pickle_json.h"

#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>

namespace vramscope::pickle {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostDepth = 8;
constexpr int kMostValues = 1000; // shared containers are written out each time

class Converter
{
public:
    Converter(const Heap &heap, const std::function<std::string_view(StringId)> &text)
        : m_heap(heap)
        , m_text(text)
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
            return std::string(m_text(value.text()));
        case ValueKind::Object:
            return depth < kMostDepth ? container(m_heap.object(value), depth + 1) : Json();
        default:
            return nullptr;
        }
    }

private:
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
        default:
            return nullptr;
        }
    }

    Json list(const Heap::Items &items, int depth)
    {
        Json json = Json::array();
        for (std::size_t at = 0; at < items.size() && m_left > 0; ++at)
            json.push_back(convert(items[at], depth));
        return json;
    }

    Json dict(const Heap::Items &items, int depth)
    {
        Json json = Json::object();
        for (std::size_t at = 0; at + 1 < items.size() && m_left > 0; at += 2) {
            const Value &key = items[at];
            json[key.isText() ? std::string(m_text(key.text()))
                              : convert(key, kMostDepth).dump(-1, ' ', false, kReplace)] =
                convert(items[at + 1], depth);
        }
        return json;
    }

    static constexpr auto kReplace = Json::error_handler_t::replace;
    const Heap &m_heap;
    const std::function<std::string_view(StringId)> &m_text;
    int m_left = kMostValues;
};

} // namespace

std::string jsonText(const Heap &heap, const Value &value,
                     const std::function<std::string_view(StringId)> &text)
{
    return Converter(heap, text)
        .convert(value, 0)
        .dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace vramscope::pickle
