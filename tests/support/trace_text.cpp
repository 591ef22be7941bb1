// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/trace_text.h"

#include <map>
#include <sstream>
#include <string_view>

namespace vramscope::test {

namespace {

class TextOf
{
public:
    explicit TextOf(const Trace &trace)
        : m_trace(trace)
    {
    }

    std::string text()
    {
        m_out << m_trace.format() << " protocol " << m_trace.protocol() << ", "
              << m_trace.producer() << '\n';
        for (const DeviceTrace &device : m_trace.devices())
            write(device);
        for (const Annotation &one : m_trace.annotations())
            m_out << "annotation " << m_trace.text(one.name) << (one.start ? " start" : " end")
                  << " device " << one.device << " time " << one.time << '\n';
        for (const Setting &one : m_trace.settings())
            m_out << "setting " << one.name << " = " << one.value << '\n';
        std::map<std::string_view, std::int64_t> problems; // in an order of their own
        for (const Problem &one : m_trace.problems())
            problems[one.kind] = one.count;
        for (const auto &[kind, count] : problems)
            m_out << "problem " << count << " x " << kind << '\n';
        return m_out.str();
    }

private:
    void write(const DeviceTrace &device)
    {
        m_out << "device " << device.device << '\n';
        for (const FinalSegment &segment : device.segments) {
            m_out << "segment " << segment.address << " size " << segment.size
                  << (segment.large ? " large" : " small")
                  << (segment.expandable ? " expandable" : "");
            stream(segment.stream);
            pool(segment.pool);
            stack(segment.stack);
            for (std::uint32_t at = 0; at < segment.blockCount; ++at)
                write(device.blocks[segment.firstBlock + at]);
        }
        for (EventIndex at = 0; at < device.events.count(); ++at)
            write(device.events, static_cast<std::size_t>(at));
        for (const OutOfMemoryEvent &one : device.outOfMemory)
            m_out << "out of memory at " << one.event << " requested " << one.requested << " free "
                  << one.deviceFree << '\n';
    }

    void write(const FinalBlock &block)
    {
        static constexpr const char *kStates[] = {"inactive", "allocated", "pending"};
        m_out << "block " << block.address << " size " << block.size << " requested "
              << block.requested << ' ' << kStates[static_cast<int>(block.state)];
        stack(block.stack);
    }

    void write(const EventColumns &events, std::size_t at)
    {
        m_out << "event " << actionName(events.action[at]) << ' ' << events.address[at] << " size "
              << events.size[at];
        stream(events.stream[at]);
        pool(events.pool[at]);
        if (!events.time.empty())
            m_out << " time " << events.time[at];
        const EventContext &context =
            m_trace.contexts()[static_cast<std::size_t>(events.context[at])];
        if (context.compileContext != StringId::Empty)
            m_out << " compiled " << m_trace.text(context.compileContext);
        if (context.userMetadata != StringId::Empty)
            m_out << " metadata " << m_trace.text(context.userMetadata);
        stack(events.stack[at]);
    }

    void stream(StreamId id)
    {
        m_out << " stream " << m_trace.streams()[static_cast<std::size_t>(id)];
    }

    void pool(PoolId id)
    {
        const Pool &pool = m_trace.pools()[static_cast<std::size_t>(id)];
        if (id != PoolId::Default)
            m_out << " pool (" << pool.first << ", " << pool.second << ')';
    }

    void stack(StackId id)
    {
        std::string &text = m_stacks[id]; // long and used again and again
        if (text.empty()) {
            for (const FrameId frameId : m_trace.stack(id)) {
                const Frame &frame = m_trace.frame(frameId);
                text.append(" < ").append(m_trace.text(frame.name)).append(" ");
                text.append(m_trace.text(frame.file)).append(":");
                text.append(std::to_string(frame.line));
            }
            text += '\n';
        }
        m_out << text;
    }

    const Trace &m_trace;
    std::ostringstream m_out;
    std::map<StackId, std::string> m_stacks;
};

} // namespace

std::string traceText(const Trace &trace)
{
    return TextOf(trace).text();
}

} // namespace vramscope::test
