// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/random_snapshot.h"

#include <array>
#include <random>

namespace vramscope::test {

namespace {

class Generator
{
public:
    explicit Generator(unsigned seed)
        : m_random(seed)
        , m_anomaly(seed % 3 == 0 ? 0 : 25)
    {
        for (int at = 0; at < 1 + below(40); ++at)
            m_frames.push_back(frame());
        for (int at = 0; at < 1 + below(10); ++at)
            m_stacks.push_back(stack());
    }

    Py snapshot()
    {
        std::vector<Py> traces;
        for (int device = 0; device < 1 + below(3); ++device)
            traces.push_back(Py::list(events()));
        std::vector<Py> segments;
        for (int at = 0; at < below(6); ++at)
            segments.push_back(segment());
        if (one(8) && !segments.empty())
            return Py::list(segments);
        Py snapshot =
            Py::dict({{"segments", Py::list(segments)}, {"device_traces", Py::list(traces)}});
        if (one(2))
            snapshot = snapshot.with("allocator_settings", settings());
        if (one(2))
            snapshot = snapshot.with("external_annotations", annotations());
        if (one(3))
            snapshot = snapshot.with("source_code", Py::dict({{"train.py", "import torch\n"}}));
        return odd(snapshot, "device_traces");
    }

private:
    int below(int most) { return std::uniform_int_distribution<>(0, most - 1)(m_random); }
    bool one(int in) { return below(in) == 0; }
    template<std::size_t Count>
    const char *pick(const std::array<const char *, Count> &names)
    {
        return names[static_cast<std::size_t>(below(Count))];
    }
    const Py &pick(const std::vector<Py> &values)
    {
        return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
    }

    /// The record with an unknown key, or without `key`, or with nonsense there.
    Py odd(Py record, const char *key)
    {
        if (m_anomaly == 0)
            return record;
        if (one(m_anomaly))
            record = record.with("mystery", scalar());
        if (one(m_anomaly))
            record = record.with("more", Py::dict({{"list", Py::list({1, scalar(), Py()})}}));
        if (one(2 * m_anomaly))
            record = record.without(key);
        if (one(2 * m_anomaly))
            record = record.without(key).with(key, scalar());
        return record;
    }
    Py scalar()
    {
        switch (below(6)) {
        case 0:
            return {};
        case 1:
            return one(2);
        case 2:
            return below(1000) - 500;
        case 3:
            return static_cast<double>(below(64)) / 4;
        case 4:
            return std::int64_t(0x7f0000000000) + below(1000);
        default:
            return pick(std::array{"a text", "", "active_allocated", "frames", "alloc"});
        }
    }
    Py frame()
    {
        Py frame = sharedFrame();
        if (one(10))
            frame = frame.with("fx_node_op", "call_function");
        return odd(frame, pick(std::array{"name", "filename", "line"}));
    }
    Py sharedFrame()
    {
        return Py::dict({{"name", "f" + std::to_string(below(20))},
                         {"filename", pick(std::array{"a.py", "b.cpp", "??"})},
                         {"line", below(300)}});
    }
    Py stack()
    {
        std::vector<Py> frames;
        const int depth = one(30) ? 990 + below(30) : below(40);
        for (int at = 0; at < depth; ++at)
            frames.push_back(pick(m_frames));
        return Py::list(frames);
    }
    Py address() { return std::int64_t(0x7f0000000000) + 512 * below(5000); }

    std::vector<Py> events()
    {
        std::vector<Py> events;
        const int count = one(20) ? 995 + below(1100) : below(30);
        for (int at = 0; at < count; ++at)
            events.push_back(at > 0 && one(100) ? events.back() : event(at));
        return events;
    }
    Py event(int time)
    {
        const char *action =
            pick(std::array{"alloc", "alloc", "free_requested", "free_completed", "segment_alloc",
                            "segment_map", "oom", "snapshot", "user_defined", "teleport"});
        Py event = Py::dict({{"action", action},
                             {"addr", address()},
                             {"size", below(1 << 20)},
                             {"stream", one(10) ? 123323568 : 0}});
        if (m_hasTime)
            event = event.with("time_us", std::int64_t(1'700'000'000'000'000) + time);
        if (!one(10))
            event = event.with("frames", one(4) ? stack() : pick(m_stacks));
        if (one(6))
            event = event.with("device_free", below(1 << 30));
        if (one(3))
            event = event.with("compile_context", one(2) ? "N/A" : "Torch-Compiled Region: 0/0");
        if (one(5))
            event = event.with("user_metadata", one(2) ? Py("step") : Py::dict({{"step", 3}}));
        if (one(5))
            event = event.with("pool_id", pool());
        if (one(8))
            event = event.with("category", pick(std::array{"activation", "gradient"}));
        if (one(8))
            event = event.with("forward_frames", Py::list({"m.py:1 f", "m.py:2 g"}));
        return odd(event, pick(std::array{"action", "addr", "size", "stream", "frames"}));
    }
    Py pool()
    {
        // Pairs of numbers of any size, which are one thing in a tuple and in a list.
        return one(2) ? Py::tuple({0, below(3)}) : Py::tuple({std::int64_t(1) << 40, below(3)});
    }
    Py block(int size)
    {
        Py block = Py::dict({{"size", size},
                             {"requested_size", size - below(size)},
                             {"state", pick(std::array{"active_allocated", "active_pending_free",
                                                       "active_awaiting_free", "inactive"})}});
        if (one(2))
            block = block.with("address", address());
        if (one(2))
            block = block.with("frames", pick(m_stacks));
        else
            block = block.without("requested_size")
                        .with("history", Py::list({history(size), history(size)}));
        if (one(6))
            block = block.with("category", "parameter");
        return odd(block, pick(std::array{"size", "state", "frames"}));
    }
    Py history(int size)
    {
        return Py::dict({{"addr", address()},
                         {"real_size", size / 2},
                         {one(3) ? "cpp_frames" : "frames",
                          one(2) ? pick(m_stacks) : Py::list({"c10::alloc", "main"})}});
    }
    Py segment()
    {
        std::vector<Py> blocks;
        int total = 0;
        for (int at = 0; at < below(12); ++at) {
            const int size = 512 * (1 + below(100));
            total += size;
            blocks.push_back(block(size));
        }
        Py segment = Py::dict({{"device", below(3)},
                               {"address", address()},
                               {"total_size", total},
                               {"stream", 0},
                               {"segment_type", pick(std::array{"small", "large"})},
                               {"blocks", Py::list(blocks)}});
        if (one(2))
            segment = segment.with("segment_pool_id", pool());
        if (one(2))
            segment = segment.with("is_expandable", one(2));
        if (one(3))
            segment = segment.with("frames", pick(m_stacks));
        if (one(3))
            segment = segment.with("registration_counter", below(100));
        return odd(segment, pick(std::array{"device", "stream", "segment_type"}));
    }
    Py settings()
    {
        return Py::dict({{"PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True"},
                         {"garbage_collection_threshold", 0.75},
                         {"max_split_size", -1},
                         {"roundup_power2_divisions", Py::dict({{"1", 0}, {"2", 4}})}});
    }
    Py annotations()
    {
        std::vector<Py> annotations;
        for (int at = 0; at < below(20); ++at) {
            annotations.push_back(odd(Py::dict({{"name", "ProfilerStep#" + std::to_string(at)},
                                                {"stage", one(2) ? "START" : "END"},
                                                {"device", below(3)},
                                                {"time_us", at}}),
                                      pick(std::array{"device", "time_us"})));
        }
        return Py::list(annotations);
    }

    std::mt19937 m_random;
    int m_anomaly;
    bool m_hasTime = one(4) ? false : true;
    std::vector<Py> m_frames;
    std::vector<Py> m_stacks;
};

} // namespace

Py randomSnapshot(unsigned seed)
{
    return Generator(seed).snapshot();
}

} // namespace vramscope::test
