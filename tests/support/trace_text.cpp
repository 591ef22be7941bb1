// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/trace_text.h"

#include "core/readers/read_trace.h"

#include <QByteArray>

#include <map>
#include <sstream>
#include <string_view>

namespace vramscope::test {

namespace {

class TextOf
{
public:
    TextOf(const Trace &trace, TraceDetail detail)
        : m_trace(trace)
        , m_detail(detail)
    {
    }

    std::string text()
    {
        if (m_detail == TraceDetail::All)
            m_out << m_trace.format() << " protocol " << m_trace.protocol() << ", "
                  << m_trace.producer() << '\n';
        for (const DeviceTrace &device : m_trace.devices())
            write(device);
        for (const Annotation &one : m_trace.annotations())
            m_out << "annotation " << m_trace.text(one.name) << (one.start ? " start" : " end")
                  << " device " << one.device << " time " << one.time << extras(one.extras) << '\n';
        if (m_detail == TraceDetail::All)
            writeRest();
        return m_out.str();
    }

private:
    void writeRest()
    {
        for (const Setting &one : m_trace.settings())
            m_out << "setting " << one.name << " = " << one.value << '\n';
        for (const Setting &one : m_trace.extras())
            m_out << "extra " << one.name << " = " << one.value << '\n';
        for (const SourceFile &one : m_trace.sources())
            m_out << "source " << m_trace.text(one.path) << " = " << m_trace.text(one.text) << '\n';
        std::map<std::string_view, std::int64_t> problems; // in an order of their own
        for (const Problem &one : m_trace.problems())
            problems[one.kind] = one.count;
        for (const auto &[kind, count] : problems)
            m_out << "problem " << count << " x " << kind << '\n';
    }

    [[nodiscard]] std::string extras(StringId id) const
    {
        if (id == StringId::Empty || m_detail == TraceDetail::Records)
            return {};
        return " extras " + std::string(m_trace.text(id));
    }

    void write(const DeviceTrace &device)
    {
        m_out << "device " << device.device << (device.host ? " host" : "") << '\n';
        for (const FinalSegment &segment : device.segments) {
            m_out << "segment " << segment.address << " size " << segment.size
                  << (segment.large ? " large" : " small")
                  << (segment.expandable ? " expandable" : "");
            stream(segment.stream);
            pool(segment.pool);
            context(segment.context);
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
        context(block.context);
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
        context(events.context[at]);
        stack(events.stack[at]);
    }

    void context(ContextId id)
    {
        if (m_detail == TraceDetail::Records)
            return;
        const EventContext &context = m_trace.contexts()[static_cast<std::size_t>(id)];
        const auto text = [&](const char *what, StringId value) {
            if (value != StringId::Empty)
                m_out << ' ' << what << ' ' << m_trace.text(value);
        };
        text("compiled", context.compileContext);
        text("metadata", context.userMetadata);
        text("category", context.category);
        text("extras", context.extras);
        if (context.forwardFrames != StackId::None) {
            m_out << " forward";
            stack(context.forwardFrames);
        }
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
                text.append(extras(frame.extras));
            }
            text += '\n';
        }
        m_out << text;
    }

    const Trace &m_trace;
    TraceDetail m_detail;
    std::ostringstream m_out;
    std::map<StackId, std::string> m_stacks;
};

} // namespace

std::string traceText(const Trace &trace, TraceDetail detail)
{
    return TextOf(trace, detail).text();
}

std::span<const std::byte> bytesOf(const std::string &text)
{
    return std::as_bytes(std::span(text.data(), text.size()));
}

std::span<const std::byte> bytesOf(const QByteArray &text)
{
    return std::as_bytes(std::span(text.constData(), static_cast<std::size_t>(text.size())));
}

std::string readText(const std::string &bytes)
{
    const auto trace = readTrace(bytesOf(bytes));
    return trace.ok() ? traceText(**trace) : "error: " + trace.error().text();
}

} // namespace vramscope::test
