// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sample_snapshot.h"

namespace vramscope::test {

namespace {

constexpr std::int64_t kBase = 0x7f0000000000;
constexpr std::int64_t kStart = 1'700'000'000'000'000; // µs

} // namespace

Py sampleFrame(const char *name, int line)
{
    return Py::dict({{"name", name}, {"filename", "train.py"}, {"line", line}});
}

Py sampleBlock(std::int64_t address, int size, int requested, const char *state, Py frames)
{
    return Py::dict({{"address", address},
                     {"size", size},
                     {"requested_size", requested},
                     {"state", state},
                     {"frames", std::move(frames)}});
}

Py sampleSegment(int totalSize, Py blocks)
{
    return Py::dict({{"device", 0},
                     {"address", kBase},
                     {"total_size", totalSize},
                     {"allocated_size", 1024},
                     {"active_size", 1024},
                     {"requested_size", 1000},
                     {"stream", 0},
                     {"segment_type", "small"},
                     {"segment_pool_id", Py::tuple({0, 0})},
                     {"is_expandable", false},
                     {"frames", Py::list()},
                     {"blocks", std::move(blocks)}});
}

Py sampleEvent(const char *action, std::int64_t address, int size, std::int64_t time, Py frames)
{
    return Py::dict({{"action", action},
                     {"addr", address},
                     {"size", size},
                     {"stream", 0},
                     {"time_us", time},
                     {"frames", std::move(frames)}});
}

Py sampleSnapshot()
{
    const Py step = sampleFrame("step", 20);
    const Py forward = sampleFrame("forward", 30);
    const Py main = sampleFrame("main", 40);
    const Py first = Py::list({step, main});
    const auto event = [](const char *action, int offset, int size, int time, const Py &frames) {
        return sampleEvent(action, kBase + offset, size, kStart + time, frames)
            .with("compile_context", "N/A")
            .with("user_metadata", "");
    };
    return Py::dict(
        {{"segments",
          Py::list({sampleSegment(
              2 << 20, Py::list({sampleBlock(kBase, 1024, 1000, "active_allocated", first),
                                 sampleBlock(kBase + 1024, (2 << 20) - 1024, 77, "inactive",
                                             Py::list())}))})},
         {"device_traces",
          Py::list({Py::list(
              {event("segment_alloc", 0, 2 << 20, 1, first), event("alloc", 0, 1000, 1, first),
               event("alloc", 1024, 77, 5, Py::list({forward, main})),
               event("free_requested", 1024, 77, 9, Py::list({forward, step, main})),
               event("free_completed", 1024, 77, 9, Py::list({forward, step, main}))})})},
         {"allocator_settings",
          Py::dict({{"PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:False"},
                    {"max_split_size", -1},
                    {"garbage_collection_threshold", 0.5},
                    {"expandable_segments", false},
                    {"roundup_power2_divisions", Py::dict({{"1", 0}, {"2", 4}})}})},
         {"external_annotations", Py::list({Py::dict({{"name", "ProfilerStep#1"},
                                                      {"stage", "START"},
                                                      {"device", 0},
                                                      {"time_us", kStart + 1}}),
                                            Py::dict({{"stage", "END"},
                                                      {"name", "ProfilerStep#1"},
                                                      {"time_us", kStart + 9},
                                                      {"device", 0}})})}});
}

} // namespace vramscope::test
