// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/snapshot_generator.h"

#include <array>
#include <functional>
#include <map>

namespace vramscope::test {

namespace {

// Writes the opcodes of pickle protocol 4 that plain data needs.
class Pickle
{
public:
    Pickle() { m_bytes = "\x80\x04"; }

    std::string finish() { return std::move(m_bytes) + '.'; }

    void integer(std::int64_t value)
    {
        if (value >= 0 && value <= 0xff)
            m_bytes += 'K', little(value, 1);
        else if (value >= 0 && value <= 0xffff)
            m_bytes += 'M', little(value, 2);
        else if (value >= std::numeric_limits<std::int32_t>::min() &&
                 value <= std::numeric_limits<std::int32_t>::max())
            m_bytes += 'J', little(value, 4);
        else
            longInteger(value);
    }
    void boolean(bool value) { m_bytes += value ? '\x88' : '\x89'; }
    void zeroFloat() { m_bytes += 'G' + std::string(8, '\0'); }

    /// Equal texts are one object.
    void text(std::string_view value)
    {
        const auto [known, isNew] = m_texts.try_emplace(std::string(value), m_memo);
        if (!isNew)
            return reference(known->second);
        if (value.size() <= 0xff)
            m_bytes += '\x8c', little(std::ssize(value), 1);
        else
            m_bytes += 'X', little(std::ssize(value), 4);
        m_bytes += value;
        memoize();
    }

    /// A list of `count` items, of which item(i) writes one; gives its number for reference().
    int list(std::size_t count, const std::function<void(std::size_t)> &item)
    {
        m_bytes += ']';
        return batches(count, 'a', 'e', item);
    }
    /// The same of entries, each a key and a value.
    int dictionary(std::size_t count, const std::function<void(std::size_t)> &entry)
    {
        m_bytes += '}';
        return batches(count, 's', 'u', entry);
    }
    void pair(std::int64_t first, std::int64_t second)
    {
        const auto [known, isNew] = m_pairs.try_emplace({first, second}, m_memo);
        if (!isNew)
            return reference(known->second);
        integer(first);
        integer(second);
        m_bytes += '\x86';
        memoize();
    }
    void reference(int number)
    {
        if (number <= 0xff)
            m_bytes += 'h', little(number, 1);
        else
            m_bytes += 'j', little(number, 4);
    }

    void entry(std::string_view key, std::int64_t value)
    {
        text(key);
        integer(value);
    }
    void entry(std::string_view key, std::string_view value)
    {
        text(key);
        text(value);
    }

private:
    int memoize()
    {
        m_bytes += '\x94';
        return m_memo++;
    }
    void little(std::int64_t value, int bytes)
    {
        for (int byte = 0; byte < bytes; ++byte)
            m_bytes += static_cast<char>(value >> (8 * byte));
    }
    void longInteger(std::int64_t value)
    {
        int bytes = 1;
        while (bytes < 8 && (value >> (8 * bytes - 1)) != 0 && (value >> (8 * bytes - 1)) != -1)
            ++bytes;
        m_bytes += '\x8a', little(bytes, 1), little(value, bytes);
    }
    int batches(std::size_t count, char one, char many,
                const std::function<void(std::size_t)> &write)
    {
        constexpr std::size_t kBatch = 1000;
        const int number = memoize();
        for (std::size_t first = 0; first < count; first += kBatch) {
            const std::size_t last = std::min(count, first + kBatch);
            const bool single = last - first == 1;
            if (!single)
                m_bytes += '(';
            for (std::size_t at = first; at < last; ++at)
                write(at);
            m_bytes += single ? one : many;
        }
        return number;
    }

    std::string m_bytes;
    int m_memo = 0;
    std::map<std::string, int, std::less<>> m_texts;
    std::map<std::pair<std::int64_t, std::int64_t>, int> m_pairs;
};

using State = ModelBlock::State;

class SnapshotWriter
{
public:
    explicit SnapshotWriter(const Story &story)
        : m_story(story)
    {
    }
    std::string write();

private:
    using Fields = std::vector<std::function<void()>>;

    int dictionary(const Fields &fields)
    {
        return m_pickle.dictionary(fields.size(), [&](std::size_t at) { fields[at](); });
    }
    template<class Value>
    auto field(std::string_view key, const Value &value)
    {
        return [this, key, value] { m_pickle.entry(key, value); };
    }
    auto flag(std::string_view key, bool value)
    {
        return [this, key, value] {
            m_pickle.text(key);
            m_pickle.boolean(value);
        };
    }

    void frames(ModelCaller caller);
    void segment(const ModelSegment &segment);
    void block(std::uint64_t address, const ModelBlock &block);
    void event(std::size_t index);
    void settings();
    void annotation(const StoryMark &mark);

    const Story &m_story;
    Pickle m_pickle;
    std::map<std::string, int> m_frames; // their numbers in the pickle
    std::map<int, int> m_stacks;         // those of the lists, by call
};

// A list for each call of the allocator, which the events, the block and the segment of the call
// share; frames are shared by all. So it is in PyTorch.
void SnapshotWriter::frames(ModelCaller caller)
{
    m_pickle.text("frames");
    if (const auto known = m_stacks.find(caller.call); known != m_stacks.end())
        return m_pickle.reference(known->second);
    const std::vector<CodeFrame> frames = framesOf(static_cast<Site>(caller.stack));
    m_stacks[caller.call] = m_pickle.list(frames.size(), [&](std::size_t at) {
        const CodeFrame &frame = frames[at];
        const std::string key = std::string(frame.name) + '\n' + std::string(frame.file) + '\n' +
                                std::to_string(frame.line);
        if (const auto known = m_frames.find(key); known != m_frames.end())
            return m_pickle.reference(known->second);
        m_frames[key] = dictionary({field("name", frame.name), field("filename", frame.file),
                                    field("line", std::int64_t(frame.line))});
    });
}

void SnapshotWriter::block(std::uint64_t address, const ModelBlock &block)
{
    const std::string_view state = block.state == State::Allocated     ? "active_allocated"
                                   : block.state == State::PendingFree ? "active_pending_free"
                                                                       : "inactive";
    dictionary({field("address", static_cast<std::int64_t>(address)), field("size", block.size),
                field("requested_size", block.requested), field("state", state),
                [&] { frames(block.state == State::Free ? ModelCaller{} : block.caller); }});
}

void SnapshotWriter::segment(const ModelSegment &segment)
{
    Bytes total = 0;
    Bytes allocated = 0;
    Bytes active = 0;
    Bytes requested = 0;
    for (const auto &[address, block] : segment.blocks) {
        total += block.size;
        allocated += block.state == State::Allocated ? block.size : 0;
        active += block.state == State::Free ? 0 : block.size;
        requested += block.state == State::Free ? 0 : block.requested;
    }
    dictionary({field("device", std::int64_t(0)),
                field("address", static_cast<std::int64_t>(segment.address)),
                field("total_size", total), field("allocated_size", allocated),
                field("active_size", active), field("requested_size", requested),
                field("stream", segment.stream),
                field("segment_type", std::string_view(segment.small ? "small" : "large")),
                [&] {
                    m_pickle.text("segment_pool_id");
                    m_pickle.pair(0, segment.pool);
                },
                flag("is_expandable", segment.expandable),
                [&] {
                    m_pickle.text("blocks");
                    auto next = segment.blocks.begin();
                    m_pickle.list(segment.blocks.size(), [&](std::size_t) {
                        block(next->first, next->second);
                        ++next;
                    });
                },
                [&] { frames(segment.caller); }});
}

void SnapshotWriter::event(std::size_t index)
{
    const ModelEvent &event = m_story.events[index];
    const bool outOfMemory = event.action == Action::OutOfMemory;
    dictionary(
        {field("action", actionName(event.action)),
         field(outOfMemory ? "device_free" : "addr", static_cast<std::int64_t>(event.address)),
         field("size", event.size), field("stream", event.stream), field("time_us", event.time),
         field("compile_context", std::string_view("N/A")),
         field("user_metadata", std::string_view()), [&] { frames(event.caller); }});
}

void SnapshotWriter::settings()
{
    dictionary({field("PYTORCH_CUDA_ALLOC_CONF",
                      std::string_view(m_story.expandable ? "expandable_segments:True" : "")),
                field("max_split_size", std::int64_t(-1)),
                [&] {
                    m_pickle.text("garbage_collection_threshold");
                    m_pickle.zeroFloat();
                },
                flag("expandable_segments", m_story.expandable),
                field("pinned_num_register_threads", std::int64_t(1)),
                flag("release_lock_on_cudamalloc", false),
                flag("pinned_use_cuda_host_register", false),
                flag("graph_capture_record_stream_reuse", false),
                [&] {
                    m_pickle.text("roundup_power2_divisions");
                    m_pickle.dictionary(16, [&](std::size_t at) {
                        m_pickle.entry(std::to_string(1U << at), std::int64_t(0));
                    });
                }});
}

void SnapshotWriter::annotation(const StoryMark &mark)
{
    dictionary({field("stage", std::string_view(mark.start ? "START" : "END")),
                field("name", std::string_view(mark.name)), field("device", std::int64_t(0)),
                field("time_us", mark.time)});
}

std::string SnapshotWriter::write()
{
    dictionary({[&] {
                    m_pickle.text("segments");
                    m_pickle.list(m_story.segments.size(),
                                  [&](std::size_t at) { segment(m_story.segments[at]); });
                },
                [&] {
                    m_pickle.text("device_traces");
                    m_pickle.list(1, [&](std::size_t) {
                        m_pickle.list(m_story.events.size(), [&](std::size_t at) { event(at); });
                    });
                },
                [&] {
                    m_pickle.text("allocator_settings");
                    settings();
                },
                [&] {
                    m_pickle.text("external_annotations");
                    m_pickle.list(m_story.marks.size(),
                                  [&](std::size_t at) { annotation(m_story.marks[at]); });
                }});
    return m_pickle.finish();
}

constexpr std::array kExamples{
    ExampleSnapshot{"training-out-of-memory.pickle", trainingOutOfMemory},
    ExampleSnapshot{"training-expandable-segments.pickle", trainingExpandableSegments},
};

} // namespace

std::string snapshotOf(const Story &story)
{
    return SnapshotWriter(story).write();
}

std::span<const ExampleSnapshot> exampleSnapshots()
{
    return kExamples;
}

} // namespace vramscope::test
