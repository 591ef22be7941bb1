// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/lifecycle.h"
#include "core/reconcile/parameter_tensors.h"
#include "core/trace/trace_builder.h"

#include <map>
#include <string>
#include <vector>

namespace vramscope::test {

struct PlannedRecordingOptions
{
    int steps = 3;
    bool firstStep = false; ///< only the first step, from loading on
    /// The recording ends where this moment's memory is highest, in a request that fails.
    std::string failsAt;
    int failsInStep = 0;
    Bytes failedBytes = 0;
    Bytes deviceFree = -1;
    Bytes logits = 0; ///< the loss' memory begins with a block of that size
    Bytes kept = 0;   ///< made in the forward pass of every step and never freed
    bool stacks = true;
    int unrecorded = 0;  ///< steps before recording began
    bool pieces = false; ///< parameters and states tensor by tensor, not each kind as one block
    Bytes segment = 0;   ///< reserved by one segment from the beginning on; 0: no segments recorded
};

/// Writes the recording that a run would leave which does exactly what a plan says, every part one
/// block at a time, with stacks as PyTorch's.
class PlannedRecording
{
public:
    PlannedRecording(const Plan &plan, const PlannedRecordingOptions &options)
        : m_options(options)
        , m_lifecycle(lifecycle(estimate(plan)))
        , m_tensors(parameterTensors(plan).size())
        , m_recomputes(resolve(plan).settings.checkpointing != Checkpointing::None)
    {
    }

    std::shared_ptr<const Trace> write()
    {
        if (m_options.segment > 0)
            add({Action::SegmentAlloc, kSegment, m_options.segment});
        m_live.resize(m_lifecycle.parts.size());
        if (m_options.firstStep) {
            writeStep(m_lifecycle.firstStep);
        } else {
            for (int step = 0; step < m_options.unrecorded + m_options.steps && !m_ended; ++step) {
                m_recording = step >= m_options.unrecorded;
                writeStep(m_lifecycle.steadyStep);
            }
        }
        return finish();
    }

private:
    static constexpr std::uint64_t kSegment = 0x7e0000000000U;

    struct Block
    {
        std::uint64_t address = 0;
        Bytes size = 0;
        StackId stack = StackId::None;
        bool unrecorded = false;
    };

    void writeStep(const std::vector<LifecyclePoint> &points)
    {
        const LifecyclePoint *highest = nullptr;
        for (const LifecyclePoint &point : points) {
            if (point.moment == m_options.failsAt && m_step == m_options.failsInStep &&
                (!highest || point.allocated > highest->allocated))
                highest = &point;
        }
        ++m_step;
        for (const LifecyclePoint &point : points) {
            reach(point);
            if (&point == highest) {
                add({Action::OutOfMemory,
                     0,
                     m_options.failedBytes,
                     kNoTime,
                     stack(Category::LossAndLogits, point.phase),
                     {},
                     PoolId::Default,
                     ContextId::None,
                     m_options.deviceFree});
                m_ended = true;
                return;
            }
            if (point.phase == StepPhase::Forward && point.after && m_options.kept > 0 &&
                point.block == 0)
                static_cast<void>(
                    make(m_options.kept, stack(Category::Activations, StepPhase::Forward)));
        }
    }

    void reach(const LifecyclePoint &point)
    {
        mark(point.phase);
        for (std::size_t part = 0; part < m_live.size(); ++part)
            shrink(part, point.bytes[part], point.phase);
        for (std::size_t part = 0; part < m_live.size(); ++part) {
            const Bytes missing = point.bytes[part] - held(part);
            if (missing > 0)
                grow(part, missing, stack(m_lifecycle.parts[part].category, point.phase));
        }
        // What tells a phase where it needs nothing of its own.
        if (point.phase == StepPhase::Rest)
            return;
        const bool loss = point.phase == StepPhase::Loss;
        const StackId own =
            stack(loss ? Category::LossAndLogits : Category::Activations, point.phase);
        drop(make(512, own), own);
    }

    void grow(std::size_t part, Bytes missing, StackId stack)
    {
        const bool loss = m_lifecycle.parts[part].category == Category::LossAndLogits;
        if (loss && m_options.logits > 0 && missing > m_options.logits && m_live[part].empty()) {
            m_live[part].push_back(make(m_options.logits, stack));
            missing -= m_options.logits;
        }
        const Category category = m_lifecycle.parts[part].category;
        const bool weights =
            category == Category::Parameters || category == Category::OptimizerStates;
        const auto pieces = m_options.pieces && weights ? static_cast<Bytes>(m_tensors) : 1;
        for (Bytes piece = 0; piece < pieces; ++piece)
            m_live[part].push_back(
                make(missing / pieces + (piece == 0 ? missing % pieces : 0), stack));
    }

    void mark(StepPhase at)
    {
        const bool now = at == StepPhase::Step;
        if (now != m_stepping && m_recording)
            m_marks.push_back({m_builder.internText("Optimizer.step#AdamW.step"), m_time, 0, now});
        m_stepping = now;
    }

    [[nodiscard]] Bytes held(std::size_t part) const
    {
        Bytes sum = 0;
        for (const Block &block : m_live[part])
            sum += block.size;
        return sum;
    }

    void shrink(std::size_t part, Bytes until, StepPhase at)
    {
        const StackId freed = stack(Category::TemporaryBuffers, at);
        while (held(part) > until) {
            const Block last = m_live[part].back();
            m_live[part].pop_back();
            drop(last, freed);
            if (const Bytes rest = until - held(part); rest > 0)
                m_live[part].push_back(make(rest, last.stack));
        }
    }

    Block make(Bytes size, StackId stack)
    {
        const Block block{m_next += std::uint64_t(1) << 40, size, stack, !m_recording};
        add({Action::Alloc, block.address, size, kNoTime, stack});
        m_all[block.address] = block;
        return block;
    }

    void drop(const Block &block, StackId stack)
    {
        add({Action::FreeRequested, block.address, block.size, kNoTime, stack});
        add({Action::FreeCompleted, block.address, block.size, kNoTime, stack});
        m_all.erase(block.address);
    }

    void add(Event event)
    {
        event.time = m_time += 10;
        if (m_recording)
            m_builder.addEvent(0, event);
    }

    StackId stack(Category category, StepPhase at)
    {
        if (!m_options.stacks)
            return StackId::None;
        std::vector<FrameId> frames;
        const auto frame = [&](const char *name, const char *file) {
            frames.push_back(m_builder.internFrame(name, file, 1));
        };
        if (category == Category::Parameters)
            frame("_apply", "/x/torch/nn/modules/module.py");
        else if (category == Category::Gradients)
            frame("torch::autograd::AccumulateGrad", "??");
        else if (category == Category::OptimizerStates)
            frame("_init_group", "/x/torch/optim/adamw.py");
        else if (category == Category::LossAndLogits)
            frame("cross_entropy", "/x/torch/nn/functional.py");
        else if (category == Category::Communication)
            frame("all_gather", "/x/torch/distributed/distributed_c10d.py");
        else if (category == Category::Framework)
            frame("getNewWorkspace", "??");
        if (at == StepPhase::Forward && m_recomputes)
            frame("checkpoint", "/x/torch/utils/checkpoint.py");
        if (at == StepPhase::Forward || at == StepPhase::Loss)
            frame("_call_impl", "/x/torch/nn/modules/module.py");
        else if (at == StepPhase::Backward || at == StepPhase::EndOfBackward)
            frame("torch::autograd::Engine::evaluate_function", "??");
        else if (at == StepPhase::Step)
            frame("step", "/x/torch/optim/adamw.py");
        frame("train", "/home/me/train.py");
        return m_builder.internStack(frames);
    }

    std::shared_ptr<const Trace> finish()
    {
        if (m_options.segment > 0) {
            const FinalBlock free{.address = kSegment, .size = m_options.segment};
            m_builder.addSegment(0, {.address = kSegment, .size = m_options.segment},
                                 std::span(&free, 1));
            m_all.clear();
        }
        for (const auto &[address, block] : m_all) {
            const FinalBlock last{.address = address,
                                  .size = block.size,
                                  .requested = block.size,
                                  .stack = block.unrecorded ? StackId::None : block.stack,
                                  .state = BlockState::Allocated};
            m_builder.addSegment(0, {.address = address, .size = block.size}, std::span(&last, 1));
        }
        for (const Annotation &annotation : m_marks)
            m_builder.addAnnotation(annotation);
        return std::move(*m_builder.finish());
    }

    PlannedRecordingOptions m_options;
    Lifecycle m_lifecycle;
    std::size_t m_tensors;
    bool m_recomputes;
    TraceBuilder m_builder;
    std::vector<std::vector<Block>> m_live; // by part
    std::map<std::uint64_t, Block> m_all;
    std::vector<Annotation> m_marks;
    std::uint64_t m_next = 0x7f0000000000U;
    std::int64_t m_time = 1000;
    bool m_stepping = false;
    bool m_ended = false;
    bool m_recording = true;
    int m_step = 0;
};

} // namespace vramscope::test
