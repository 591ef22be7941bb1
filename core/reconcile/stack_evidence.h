// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solver/fit_summary.h"
#include "core/trace/trace.h"

#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace vramscope {

/// What the frames of a recording say about settings of its run: code that recomputes, an attention
/// kernel, an implementation of the optimizer was running, or never was.
class StackEvidence
{
public:
    /// Looks at every frame of the recording once.
    explicit StackEvidence(const Trace &trace);

    /// Whether a setting is against what was seen: recomputation where no code for it ran (or none
    /// where it ran, or by operators where no policy ran), written-out attention where a fused
    /// kernel ran, another implementation of the optimizer than the one that ran, compiled or
    /// Transformer Engine kernels that never ran. False where the recording does not tell.
    [[nodiscard]] bool speaksAgainst(std::span<const FieldSetting> settings) const;

    /// A setting that code which ran leaves no doubt about, and that code: "torch.optim's AdamW".
    struct Proof
    {
        FieldSetting setting;
        std::string_view ran;
    };
    /// Of the sharding strategy, the optimizer, its implementation and a fused attention kernel.
    /// Where two that exclude each other ran, neither is named.
    [[nodiscard]] std::vector<Proof> proofs() const;
    /// Whether code that recomputes activations ran; nothing where no frame of Python is recorded.
    [[nodiscard]] std::optional<bool> recomputes() const;

private:
    enum class Seen {
        Python, ///< frames of Python, without which nothing is told
        Recompute,
        RecomputePolicy, ///< operator by operator
        FusedAttention,
        AttentionKernel,
        Compiled,
        TransformerEngine,
        ForeachOptimizer,
        FusedOptimizer,
        ForLoopOptimizer,
        Ddp,
        Fsdp1,
        Fsdp2,
        AdamW,
        Adam,
        Sgd
    };
    struct Mark;
    static std::span<const Mark> marks();
    [[nodiscard]] bool saw(Seen what) const { return m_seen.contains(what); }
    [[nodiscard]] bool speaksAgainst(const FieldSetting &setting) const;
    [[nodiscard]] bool otherOptimizerThan(std::string_view implementation) const;

    std::set<Seen> m_seen;
};

} // namespace vramscope
