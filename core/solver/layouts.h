// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/solver/fit_summary.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// One way to run a plan on its GPUs, with its costs.
struct Layout
{
    std::vector<FieldSetting> fields; ///< the varied ones, and those that follow
    FitSummary standing;
    double recomputeShare = 0;    ///< of the step's arithmetic
    double bubbleShare = 0;       ///< of the step's time
    Bytes communicationBytes = 0; ///< per GPU and step
    std::int64_t cacheTokens = 0; ///< in serving: room in the caches of all replicas
    /// In a micro-batch; in serving: requested at once.
    std::int64_t tokens = 0;
};

struct Layouts
{
    std::vector<Layout> best;   ///< ranked; at most the requested number
    std::int64_t pareto = 0;    ///< length of the whole list
    std::int64_t evaluated = 0; ///< layouts whose figures were computed
    std::int64_t fitting = 0;
    /// If none fits: the five that need the least memory, each the cheapest for its figure.
    std::vector<Layout> nearest{};
    std::string held; ///< varied fields, and values that the plan keeps, in sentences
};

/// The layouts of the plan's GPUs over the fields at `paths` ("parallel" and "activations" mean
/// groups of fields; "parallel.data" always follows from the other degrees), those that fit and
/// that no other one beats in memory, recomputation, bubble, communication a token, sequences at
/// once, their length and room for cache. For a single field each value that fits is listed: often
/// it is another job. First come those that lose the least of the step to recomputation and bubble
/// (in steps of half a percent), then those that send the least a token, then those with most
/// tokens and the longest sequences, then those with most room for cache, then those that need the
/// least memory.
///
/// A model without loss or optimizer is compared only where the plan states it.
///
/// Tensor parallelism stays within a node. Each step keeps its number of sequences: accumulation
/// becomes what data parallelism and micro-batch leave of it, and at least 1. More than 2,000,000
/// combinations are an error that says how many there are.
[[nodiscard]] Result<Layouts> layoutsThatFit(const Plan &plan,
                                             std::span<const std::string_view> paths,
                                             std::size_t limit, const Progress &progress = {});

/// The fewest GPUs on which a layout of tensor, pipeline, context, expert and data parallelism fits
/// that the plan's strategy allows; everything else as in the plan.
struct FewestGpus
{
    std::optional<std::int64_t> gpus; ///< nothing if no tried number is enough
    std::optional<Layout> layout;     ///< the best that fits
    std::int64_t triedBefore = 0;     ///< the number of GPUs tried before it; 0: none
    std::optional<Layout> before;     ///< its layout that needs the least memory
    std::int64_t evaluated = 0;
    std::string note; ///< varied fields, and kept ones that decide the memory
};

/// Tries the divisors of a node, then whole nodes up to 64, then coarser steps up to 65,536 GPUs.
[[nodiscard]] Result<FewestGpus> fewestGpus(const Plan &plan, const Progress &progress = {});

} // namespace vramscope
