// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace_builder.h"
#include "ui/stacks/stack_tree.h"

#include <random>
#include <string>

namespace vramscope::test {

inline Costs costOf(Bytes peak, Bytes total)
{
    Costs costs;
    costs.peak = {peak, 1};
    costs.total = {total, 2};
    costs.allocations = 2;
    return costs;
}

/// A trace with `stacks` stacks of up to ten calls among a few functions.
inline std::shared_ptr<const Trace> randomStacks(unsigned seed, int stacks)
{
    std::mt19937 random(seed);
    TraceBuilder builder;
    for (int at = 0; at < stacks; ++at) {
        std::vector<FrameId> frames;
        for (auto depth = 1 + random() % 10; depth > 0; --depth) {
            const auto function = random() % 9;
            frames.push_back(builder.internFrame("f" + std::to_string(function),
                                                 "/home/me/model.py", static_cast<int>(function)));
        }
        builder.internStack(frames);
    }
    return std::move(*builder.finish());
}

/// The same stacks with costs of another seed: every stack has some in total, some none at the
/// peak.
inline std::shared_ptr<const StackTree>
randomTree(const std::shared_ptr<const Trace> &trace, unsigned seed,
           CallTree::Direction direction = CallTree::Direction::TopDown)
{
    std::mt19937 random(seed);
    std::vector<Costs> costs;
    for (std::size_t at = 0; at <= trace->stackCount(); ++at) {
        const Bytes size = static_cast<Bytes>(1 + random() % 1000) * kMiB;
        costs.push_back(costOf(random() % 3 == 0 ? 0 : size, size));
    }
    const auto tree = std::make_shared<StackTree>();
    tree->trace = trace;
    tree->tree = CallTree(*trace, costs, direction);
    return tree;
}

} // namespace vramscope::test
