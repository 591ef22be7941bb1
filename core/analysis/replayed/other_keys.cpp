// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/other_keys.h"

#include "core/base/json_text.h"
#include "core/trace/trace_format.h"

#include <nlohmann/json.hpp>

#include <array>
#include <map>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char *, 6> kPlaces{"file",    "event", "block",
                                              "segment", "frame", "annotation"};
enum Place { File, InEvent, InBlock, InSegment, InFrame, InAnnotation };

/// Counts the keys of texts that are JSON objects, each text once however many records share it.
class Counter
{
public:
    explicit Counter(const Trace &trace)
        : m_trace(trace)
    {
    }

    void add(Place place, StringId extras, std::int64_t records = 1)
    {
        if (extras != StringId::Empty && records > 0)
            m_texts[{place, extras}] += records;
    }

    std::vector<OtherKey> take()
    {
        for (const auto &[text, records] : m_texts) {
            const Json object = parsedJson(m_trace.text(text.second));
            if (!object.is_object())
                continue;
            for (const auto &[key, value] : object.items())
                found(text.first, key, records, [&value = value] {
                    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
                });
        }
        for (const Setting &extra : m_trace.extras()) {
            if (extra.name != kRehearsedKey)
                found(File, extra.name, 1, [&] { return extra.value; });
        }
        std::vector<OtherKey> keys;
        for (auto &[place, key] : m_keys)
            keys.push_back(std::move(key));
        return keys;
    }

private:
    template<class Example>
    void found(Place place, const std::string &key, std::int64_t records, Example example)
    {
        const auto [entry, isNew] = m_keys.try_emplace({place, key});
        if (isNew)
            entry->second = {kPlaces[place], key, 0, example()};
        entry->second.records += records;
    }

    const Trace &m_trace;
    std::map<std::pair<Place, StringId>, std::int64_t> m_texts;
    std::map<std::pair<Place, std::string>, OtherKey> m_keys;
};

} // namespace

std::vector<OtherKey> otherKeys(const Trace &trace)
{
    Counter counter(trace);
    // Contexts are few: they are counted by number first, then each is examined once.
    std::array<std::vector<std::int64_t>, kPlaces.size()> uses;
    for (std::vector<std::int64_t> &each : uses)
        each.resize(trace.contexts().size());
    const auto use = [&](Place place, ContextId context, std::size_t times = 1) {
        uses[place][static_cast<std::size_t>(context)] += static_cast<std::int64_t>(times);
    };
    for (const DeviceTrace &device : trace.devices()) {
        device.events.context.forEach(
            [&](ContextId context, std::size_t times) { use(InEvent, context, times); });
        for (const FinalBlock &block : device.blocks)
            use(InBlock, block.context);
        for (const FinalSegment &segment : device.segments)
            use(InSegment, segment.context);
    }
    for (std::size_t context = 0; context < trace.contexts().size(); ++context) {
        for (const Place place : {InEvent, InBlock, InSegment})
            counter.add(place, trace.contexts()[context].extras, uses[place][context]);
    }
    for (std::size_t frame = 0; frame < trace.frameCount(); ++frame)
        counter.add(InFrame, trace.frame(static_cast<FrameId>(frame)).extras);
    for (const Annotation &annotation : trace.annotations())
        counter.add(InAnnotation, annotation.extras);
    return counter.take();
}

} // namespace vramscope
