// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/catalog/architecture.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <vector>

namespace vramscope {

/// Exact parameter counts of one transformer block, equal to the published totals of the models.
struct BlockParameters
{
    std::int64_t norms = 0;
    std::int64_t attention = 0;
    std::int64_t stateMixer = 0;
    std::int64_t denseFfn = 0;
    std::int64_t router = 0;
    std::int64_t experts = 0; ///< all routed experts
    std::int64_t sharedExperts = 0;
    [[nodiscard]] std::int64_t total() const
    {
        return norms + attention + stateMixer + denseFfn + router + experts + sharedExperts;
    }
};

/// The blocks of one kind, which all count alike.
struct BlockGroup
{
    BlockKind kind;
    BlockParameters each;
    std::int64_t count = 0;
};

/// Exact parameter counts of a whole model.
struct ParameterCounts
{
    std::vector<BlockGroup> groups; ///< by their first block
    // The two of them that a transformer has, attention before a feed-forward:
    BlockParameters denseBlock; ///< zero where the model has none
    BlockParameters moeBlock;   ///< zero where the model has none
    std::int64_t denseBlocks = 0;
    std::int64_t moeBlocks = 0;
    std::int64_t embedding = 0; ///< token embedding
    std::int64_t positions = 0; ///< learned positions and token types
    std::int64_t finalNorm = 0;
    std::int64_t head = 0; ///< 0 where tied; with its bias otherwise
    std::int64_t extra = 0;
    std::int64_t total = 0;
    std::int64_t active = 0; ///< used by one token
};

[[nodiscard]] ParameterCounts countParameters(const Architecture &architecture);

/// The architecture that a plan's model names: its preset, or its config with the plan's own
/// settings. An error names the field at fault.
[[nodiscard]] Result<Architecture> architectureOf(const PlanModel &model);

} // namespace vramscope
