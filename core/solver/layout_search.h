// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/projection/step_time.h"
#include "core/solver/dimensions.h"
#include "core/solver/layouts.h"
#include "core/solver/plan_evaluator.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace vramscope {

/// Evaluates every layout of a job over some dimensions.
class LayoutSearch
{
public:
    static constexpr std::size_t kMostDimensions = 16;
    static constexpr std::size_t kNearest = 5; ///< layouts that smallest() keeps

    /// A layout by its index in each dimension, with its figures for comparison.
    struct Candidate
    {
        std::array<std::int16_t, kMostDimensions> at{}; ///< -1: as the plan states it
        Bytes device = 0;
        Bytes communication = 0;
        std::int64_t cacheTokens = 0; ///< in serving: room in the caches of all replicas
        std::int64_t tokens = 0;      ///< as in Layout
        std::int64_t sequences = 0;   ///< of a micro-batch; in serving: requested at once
        std::int64_t length = 0;      ///< of the longest sequence
        double sent = 0;              ///< communication of a step, per token
        double recompute = 0;
        double bubble = 0;
        std::optional<double> tokenSeconds; ///< of the likely step, over its tokens; if projected

        /// No worse in any figure and not the same.
        [[nodiscard]] bool beats(const Candidate &other) const;
    };

    /// `trial` and `calibration` stay the caller's; the plan of the former is changed and restored.
    LayoutSearch(PlanEvaluator &trial, std::span<const Dimension> dimensions, std::int64_t gpus,
                 const SpeedCalibration *calibration = nullptr);

    /// Combinations of values that fill the GPUs; every sound layout is one of them.
    [[nodiscard]] std::int64_t combinations();
    /// Receives each evaluated layout that can be counted, with its settings and whether it fits.
    using Observer = std::function<void(const Candidate &, const Settings &, bool fits)>;
    /// Returns false where `progress` cancelled it.
    [[nodiscard]] bool run(const Progress &progress = {}, const Observer &observer = {});

    [[nodiscard]] std::span<const Candidate> fitting() const { return m_fitting; }
    /// The few layouts that need the least memory, fitting or not, the least first.
    [[nodiscard]] std::span<const Candidate> smallest() const { return m_smallest; }
    /// The fitting ones that none beats, or all if a single field is varied, by rank.
    [[nodiscard]] std::vector<Candidate> ranked() const;
    [[nodiscard]] Plan planOf(const Candidate &candidate) const;
    /// A candidate with its figures; an error where its plan has none.
    [[nodiscard]] Result<Layout> layout(const Candidate &candidate) const;

private:
    [[nodiscard]] std::vector<Candidate> unbeaten() const;
    /// Sets each combination of the dimensions from `depth` on and passes it on.
    template<class Visitor>
    void visit(std::size_t depth, const Visitor &visitor);
    /// Whether a dimension has a meaning in the current plan.
    [[nodiscard]] bool isWorthVarying(const Dimension &dimension) const;
    void weigh(const Observer &observer);
    void keepIfSmall();
    /// Sets data parallelism to the rest of the other degrees, and keeps the sequences of a step.
    [[nodiscard]] bool fillWorld(Plan &plan) const;

    PlanEvaluator &m_trial;
    const Plan m_base;
    std::span<const Dimension> m_dimensions;
    std::int64_t m_gpus;
    const SpeedCalibration *m_calibration;
    std::int64_t m_sequences; ///< of a step
    Candidate m_current;
    std::vector<Candidate> m_fitting;
    std::vector<Candidate> m_smallest;
};

} // namespace vramscope
