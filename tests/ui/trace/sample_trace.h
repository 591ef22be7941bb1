// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace_builder.h"

namespace vramscope::test {

/// What the sample holds beside its events.
struct SampleOptions
{
    bool times = true;
    bool outOfMemory = true;
    int steps = 3;
    int layers = 12;
};

/// A small training run on device 0: parameters from before the recording, in each step activations
/// layer by layer with temporaries, freed backward; the last step ends out of memory. Every event
/// has a stack with frames of the program, of a library, of the framework and of the interpreter.
class SampleTrace
{
public:
    explicit SampleTrace(SampleOptions options = {})
        : m_options(options)
    {
        const StackId parameters = stack("Model.__init__", "model.py", 31);
        for (int layer = 0; layer < m_options.layers; ++layer)
            m_blocks.push_back(
                {take(64 * kMiB), 64 * kMiB, 64 * kMiB, parameters, BlockState::Allocated});
        for (int step = 0; step < m_options.steps; ++step)
            trainStep(step, step + 1 == m_options.steps);
        addFinalState();
        m_builder.setFormat("pytorch-snapshot");
        m_builder.setProducer("PyTorch 2.8");
    }

    [[nodiscard]] TraceBuilder &builder() { return m_builder; }
    [[nodiscard]] std::shared_ptr<const Trace> finish()
    {
        auto trace = m_builder.finish();
        return trace.ok() ? *trace : nullptr;
    }

private:
    static constexpr std::uint64_t kBase = 0x7f4000000000;
    static constexpr Bytes kBaseBytes = static_cast<Bytes>(kBase);

    // The blocks in use, with what is free between them.
    void addFinalState()
    {
        std::vector<FinalBlock> all;
        std::uint64_t end = kBase;
        for (const FinalBlock &block : m_blocks) {
            if (block.address > end)
                all.push_back({end, static_cast<Bytes>(block.address - end)});
            all.push_back(block);
            end = block.address + static_cast<std::uint64_t>(block.size);
        }
        FinalSegment segment;
        segment.address = kBase;
        segment.stream = m_builder.internStream(0);
        segment.size = static_cast<Bytes>(end - kBase);
        m_builder.addSegment(0, segment, all);
    }

    StackId stack(std::string_view name, std::string_view file, int line)
    {
        const std::string path = std::string("/home/me/project/") + std::string(file);
        const std::string site = "/home/me/.venv/lib/python3.11/site-packages/";
        const FrameId frames[] = {
            m_builder.internFrame("torch::unwind::unwind()", "??", 0),
            m_builder.internFrame("at::native::empty_cuda(c10::ArrayRef<long>, "
                                  "std::optional<c10::ScalarType>, std::optional<c10::Layout>)",
                                  "??", 0),
            m_builder.internFrame("_call_impl", site + "torch/nn/modules/module.py", 1784),
            m_builder.internFrame(name, path, line),
            m_builder.internFrame("_PyEval_EvalFrameDefault", "??", 0),
            m_builder.internFrame("inner_training_loop", site + "transformers/trainer.py", 2514),
            m_builder.internFrame("main", "/home/me/project/train.py", 88),
            m_builder.internFrame("_start", "??", 0),
        };
        return m_builder.internStack(frames);
    }

    std::uint64_t take(Bytes size)
    {
        m_next += size;
        return static_cast<std::uint64_t>(m_next - size);
    }

    void record(Action action, std::uint64_t address, Bytes size, StackId at)
    {
        Event event;
        event.action = action;
        event.address = address;
        event.size = size;
        event.stack = at;
        event.stream = m_builder.internStream(0);
        if (m_options.times)
            event.time = m_time += 137;
        if (action == Action::OutOfMemory)
            event.deviceFree = 300 * kMiB;
        m_builder.addEvent(0, event);
    }

    void annotate(std::string_view name, bool start)
    {
        if (m_options.times)
            m_builder.addAnnotation({m_builder.internText(name), m_time + 1, 0, start});
    }

    void trainStep(int step, bool last)
    {
        struct Live
        {
            std::uint64_t address;
            Bytes size;
        };
        std::vector<Live> live;
        const std::string name = "ProfilerStep#" + std::to_string(step);
        annotate(name, true);
        annotate("forward", true);
        for (int layer = 0; layer < m_options.layers; ++layer) {
            for (const auto &[site, line, size] :
                 {std::tuple("Attention.forward", 142, 48 * kMiB),
                  std::tuple("FeedForward.forward", 214, 160 * kMiB + layer * 512)}) {
                live.push_back({take(size), size});
                record(Action::Alloc, live.back().address, size, stack(site, "model.py", line));
                const Live temporary{take(90 * kMiB), 90 * kMiB};
                const StackId softmax = stack("softmax_scale_mask", "kernels.py", 77);
                record(Action::Alloc, temporary.address, temporary.size, softmax);
                record(Action::FreeRequested, temporary.address, temporary.size, softmax);
                record(Action::FreeCompleted, temporary.address, temporary.size, softmax);
            }
        }
        annotate("forward", false);
        if (last && m_options.outOfMemory) {
            record(Action::OutOfMemory, 0, 2 * kGiB, stack("Loss.forward", "loss.py", 19));
            for (const Live &each : live)
                m_blocks.push_back({each.address, each.size, each.size,
                                    stack("FeedForward.forward", "model.py", 214),
                                    BlockState::Allocated});
            return;
        }
        annotate("backward", true);
        for (; !live.empty(); live.pop_back()) {
            const StackId backward = stack("train_step", "train.py", 61);
            record(Action::FreeRequested, live.back().address, live.back().size, backward);
            record(Action::FreeCompleted, live.back().address, live.back().size, backward);
        }
        annotate("backward", false);
        annotate(name, false);
    }

    SampleOptions m_options;
    TraceBuilder m_builder;
    std::vector<FinalBlock> m_blocks;
    Bytes m_next = kBaseBytes;
    std::int64_t m_time = 1'700'000'000'000'000;
};

} // namespace vramscope::test
