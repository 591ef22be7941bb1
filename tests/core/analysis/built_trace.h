// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace_builder.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace vramscope::test {

/// A trace with the events and segments of `device`, whose stacks 1 … `stacks` are made of a few
/// shared frames, some of them recursive, and whose streams and pools exist.
inline std::shared_ptr<const Trace> traceOf(const DeviceTrace &device, int stacks = 8)
{
    TraceBuilder builder;
    for (int stack = 1; stack <= stacks; ++stack) {
        std::vector<FrameId> frames{
            builder.internFrame("leaf" + std::to_string(stack % 3), "/home/me/ops.py", stack)};
        for (int level = 0; level < stack % 4; ++level)
            frames.push_back(builder.internFrame("recurse", "/home/me/model.py", 10));
        if (stack % 2 == 0)
            frames.push_back(builder.internFrame("PyEval_Vector", "ceval.c", 0));
        frames.push_back(builder.internFrame("main", "/home/me/train.py", 1));
        static_cast<void>(builder.internStack(frames));
    }
    const EventColumns &events = device.events;
    builder.internStream(0);
    builder.internStream(77);
    builder.internPool({0, 1});
    // Further ones as the device uses them.
    const auto highest = [](const auto &column) {
        return column.empty() ? 0 : static_cast<int>(std::ranges::max(column));
    };
    for (int stream = 2; stream <= highest(events.stream); ++stream)
        builder.internStream(1000 + stream);
    for (int pool = 2; pool <= highest(events.pool); ++pool)
        builder.internPool({0, pool});
    for (std::size_t at = 0; at < events.action.size(); ++at)
        builder.addEvent(0, {.action = events.action[at],
                             .address = events.address[at],
                             .size = events.size[at],
                             .time = events.time.empty() ? kNoTime : events.time[at],
                             .stack = events.stack[at],
                             .stream = events.stream[at],
                             .pool = events.pool[at]});
    for (const FinalSegment &segment : device.segments)
        builder.addSegment(
            0, segment, std::span(device.blocks).subspan(segment.firstBlock, segment.blockCount));
    return std::move(*builder.finish());
}

/// What a made-up training program does.
struct LoopOptions
{
    int steps = 12;
    int layers = 6;
    bool trains = true;         ///< backward and optimizer; else only forward
    bool perLayerStacks = true; ///< else all layers share one stack
    int leakEvery = 0;          ///< every so many steps a block of 4,096 bytes stays
    int cacheSteps = 0;         ///< a block of 8,192 bytes stays in each of the first so many steps
    bool annotated = false;     ///< Optimizer.step ranges
    int cutFront = 0;           ///< events lost at the beginning
    int cutBack = 0;            ///< events not recorded at the end
    bool insideModule = false;  ///< one pass: the loop runs in the forward of a module
};

/// A recorded training loop, and where its steps begin (events, after cutting).
struct TrainingLoop
{
    std::shared_ptr<const Trace> trace;
    std::vector<EventIndex> starts;
};

/// Writes the events of a training loop.
class LoopWriter
{
public:
    explicit LoopWriter(const LoopOptions &options)
        : m_options(options)
    {
    }

    TrainingLoop write()
    {
        m_builder.internStream(0); // which all events are of
        std::vector<std::uint64_t> parameters;
        for (int layer = 0; layer < m_options.layers; ++layer)
            parameters.push_back(make(4'000'000, "init", layer, "weight"));
        for (int step = 0; step < m_options.steps; ++step) {
            m_starts.push_back(static_cast<EventIndex>(m_events.size()));
            oneStep(step);
        }
        return finish();
    }

private:
    StackId stack(const std::string &phase, int layer, const std::string &op)
    {
        std::vector<FrameId> frames{m_builder.internFrame(op, "/home/me/ops.py", 3)};
        const int line = m_options.perLayerStacks ? layer : 0;
        frames.push_back(m_builder.internFrame("layer", "/home/me/model.py", 100 + line));
        if (m_options.insideModule)
            frames.push_back(m_builder.internFrame(
                "_call_impl", "/x/site-packages/torch/nn/modules/module.py", 9));
        frames.push_back(m_builder.internFrame(phase, "/home/me/train.py", 1));
        frames.push_back(m_builder.internFrame("main", "/home/me/train.py", 2));
        return m_builder.internStack(frames);
    }
    std::uint64_t make(Bytes size, const std::string &phase, int layer, const std::string &op)
    {
        const std::uint64_t address = m_next += 1 << 26;
        m_events.push_back({Action::Alloc, address, size, 0, stack(phase, layer, op)});
        m_sizes[address] = size;
        return address;
    }
    void drop(std::uint64_t address, const std::string &phase, const std::string &op)
    {
        const StackId freed = stack(phase, 0, op);
        m_events.push_back({Action::FreeRequested, address, m_sizes[address], 0, freed});
        m_events.push_back({Action::FreeCompleted, address, m_sizes[address], 0, freed});
    }
    void oneStep(int step)
    {
        std::vector<std::uint64_t> activations;
        for (int layer = 0; layer < m_options.layers; ++layer) {
            activations.push_back(make(1'000'000 + layer, "forward", layer, "linear"));
            drop(make(3'000, "forward", layer, "tmp"), "forward", "del");
            activations.push_back(make(2'000'000, "forward", layer, "gelu"));
        }
        if (m_options.leakEvery > 0 && step % m_options.leakEvery == 0)
            make(4096, "forward", 0, "history");
        if (step < m_options.cacheSteps)
            make(8192, "forward", 0, "cache");
        std::vector<std::uint64_t> gradients;
        for (std::size_t at = activations.size(); at-- > 0;) {
            const int layer = static_cast<int>(at) / 2;
            if (m_options.trains && at % 2 == 0)
                gradients.push_back(make(4'000'000, "backward", layer, "wgrad"));
            drop(activations[at], m_options.trains ? "backward" : "forward", "release");
        }
        if (!m_options.trains)
            return;
        mark(true);
        for (int layer = 0; layer < m_options.layers && step == 0; ++layer) {
            make(8'000'000, "step", layer, "exp_avg");
            make(8'000'000, "step", layer, "exp_avg_sq");
        }
        drop(make(500'000, "step", 0, "norm"), "step", "norm");
        mark(false);
        for (const std::uint64_t gradient : gradients)
            drop(gradient, "zero_grad", "zero");
    }
    void mark(bool start)
    {
        if (m_options.annotated)
            m_marks.push_back({m_builder.internText("Optimizer.step#AdamW.step"),
                               1000 + 10 * static_cast<std::int64_t>(m_events.size()), 0, start});
    }
    TrainingLoop finish()
    {
        const std::size_t first = std::min(m_events.size(), std::size_t(m_options.cutFront));
        const std::size_t last = m_events.size() - std::size_t(m_options.cutBack);
        std::map<std::uint64_t, Event> live;
        for (std::size_t at = 0; at < last; ++at) {
            m_events[at].time = 1000 + 10 * static_cast<std::int64_t>(at);
            if (m_events[at].action == Action::Alloc)
                live[m_events[at].address] = m_events[at];
            else if (m_events[at].action == Action::FreeCompleted)
                live.erase(m_events[at].address);
            if (at >= first)
                m_builder.addEvent(0, m_events[at]);
        }
        for (const auto &[address, event] : live) {
            const FinalBlock block{.address = address,
                                   .size = event.size,
                                   .requested = event.size,
                                   .stack = event.stack,
                                   .state = BlockState::Allocated};
            m_builder.addSegment(0, {.address = address, .size = event.size}, std::span(&block, 1));
        }
        for (const Annotation &annotation : m_marks)
            m_builder.addAnnotation(annotation);
        TrainingLoop loop{std::move(*m_builder.finish()), {}};
        for (const EventIndex start : m_starts) {
            const EventIndex moved = start - static_cast<EventIndex>(first);
            if (moved >= 0 && static_cast<std::size_t>(start) < last)
                loop.starts.push_back(moved);
        }
        return loop;
    }

    LoopOptions m_options;
    TraceBuilder m_builder;
    std::vector<Event> m_events;
    std::vector<Annotation> m_marks;
    std::vector<EventIndex> m_starts;
    std::map<std::uint64_t, Bytes> m_sizes;
    std::uint64_t m_next = 0x7f0000000000U;
};

inline TrainingLoop trainingLoop(const LoopOptions &options)
{
    return LoopWriter(options).write();
}

} // namespace vramscope::test
