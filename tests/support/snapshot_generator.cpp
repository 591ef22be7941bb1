// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/snapshot_generator.h"

#include "tests/support/pickle_writer.h"

#include <array>
#include <map>
#include <tuple>

namespace vramscope::test {

namespace {

using State = ModelBlock::State;

Py integer(std::uint64_t value)
{
    return {static_cast<std::int64_t>(value)};
}

// The values of a snapshot. Frames are objects that all stacks share; the list of a stack is shared
// by the events, the block and the segment of one call of the allocator. So it is in PyTorch.
class Snapshot
{
public:
    explicit Snapshot(const Story &story)
        : m_story(story)
    {
    }
    Py value();

private:
    Py frame(const CodeFrame &frame);
    Py frames(ModelCaller caller);
    Py block(std::uint64_t address, const ModelBlock &block);
    Py segment(const ModelSegment &segment);
    Py event(const ModelEvent &event);
    Py settings() const;

    const Story &m_story;
    std::map<std::tuple<std::string_view, std::string_view, int>, Py> m_frames;
    std::map<int, Py> m_stacks; // by call
};

Py Snapshot::frame(const CodeFrame &frame)
{
    Py &known = m_frames[{frame.name, frame.file, frame.line}];
    if (std::holds_alternative<std::monostate>(known.content()))
        known = Py::dict({{"name", std::string(frame.name)},
                          {"filename", std::string(frame.file)},
                          {"line", frame.line}});
    return known;
}

Py Snapshot::frames(ModelCaller caller)
{
    Py &known = m_stacks[caller.call];
    if (std::holds_alternative<std::monostate>(known.content())) {
        std::vector<Py> items;
        for (const CodeFrame &one : framesOf(static_cast<Site>(caller.stack)))
            items.push_back(frame(one));
        known = Py::list(std::move(items));
    }
    return known;
}

Py Snapshot::block(std::uint64_t address, const ModelBlock &block)
{
    const char *state = block.state == State::Allocated     ? "active_allocated"
                        : block.state == State::PendingFree ? "active_pending_free"
                                                            : "inactive";
    return Py::dict({{"address", integer(address)},
                     {"size", block.size},
                     {"requested_size", block.requested},
                     {"state", state},
                     {"frames", block.state == State::Free ? Py::list() : frames(block.caller)}});
}

Py Snapshot::segment(const ModelSegment &segment)
{
    Bytes total = 0;
    Bytes allocated = 0;
    Bytes active = 0;
    Bytes requested = 0;
    std::vector<Py> blocks;
    for (const auto &[address, one] : segment.blocks) {
        total += one.size;
        allocated += one.state == State::Allocated ? one.size : 0;
        active += one.state == State::Free ? 0 : one.size;
        requested += one.state == State::Free ? 0 : one.requested;
        blocks.push_back(block(address, one));
    }
    return Py::dict({{"device", 0},
                     {"address", integer(segment.address)},
                     {"total_size", total},
                     {"allocated_size", allocated},
                     {"active_size", active},
                     {"requested_size", requested},
                     {"stream", segment.stream},
                     {"segment_type", segment.small ? "small" : "large"},
                     {"segment_pool_id", Py::tuple({0, segment.pool})},
                     {"is_expandable", segment.expandable},
                     {"blocks", Py::list(std::move(blocks))},
                     {"frames", frames(segment.caller)}});
}

Py Snapshot::event(const ModelEvent &event)
{
    const bool outOfMemory = event.action == Action::OutOfMemory;
    return Py::dict({{"action", std::string(actionName(event.action))},
                     {outOfMemory ? "device_free" : "addr", integer(event.address)},
                     {"size", event.size},
                     {"stream", event.stream},
                     {"time_us", event.time},
                     {"compile_context", "N/A"},
                     {"user_metadata", ""},
                     {"frames", frames(event.caller)}});
}

Py Snapshot::settings() const
{
    std::vector<std::pair<Py, Py>> divisions;
    for (unsigned bucket = 0; bucket < 16; ++bucket)
        divisions.emplace_back(std::to_string(1U << bucket), 0);
    return Py::dict(
        {{"PYTORCH_CUDA_ALLOC_CONF", m_story.expandable ? "expandable_segments:True" : ""},
         {"max_split_size", -1},
         {"garbage_collection_threshold", 0.0},
         {"expandable_segments", m_story.expandable},
         {"pinned_num_register_threads", 1},
         {"release_lock_on_cudamalloc", false},
         {"pinned_use_cuda_host_register", false},
         {"graph_capture_record_stream_reuse", false},
         {"roundup_power2_divisions", Py::dict(std::move(divisions))}});
}

Py Snapshot::value()
{
    std::vector<Py> segments;
    for (const ModelSegment &one : m_story.segments)
        segments.push_back(segment(one));
    std::vector<Py> events;
    for (const ModelEvent &one : m_story.events)
        events.push_back(event(one));
    std::vector<Py> annotations;
    for (const StoryMark &mark : m_story.marks)
        annotations.push_back(Py::dict({{"stage", mark.start ? "START" : "END"},
                                        {"name", mark.name},
                                        {"device", 0},
                                        {"time_us", mark.time}}));
    return Py::dict({{"segments", Py::list(std::move(segments))},
                     {"device_traces", Py::list({Py::list(std::move(events))})},
                     {"allocator_settings", settings()},
                     {"external_annotations", Py::list(std::move(annotations))}});
}

constexpr std::array kExamples{
    ExampleSnapshot{"training-out-of-memory.pickle", trainingOutOfMemory},
    ExampleSnapshot{"training-expandable-segments.pickle", trainingExpandableSegments},
};

} // namespace

std::string snapshotOf(const Story &story)
{
    return pickled(Snapshot(story).value());
}

std::span<const ExampleSnapshot> exampleSnapshots()
{
    return kExamples;
}

} // namespace vramscope::test
