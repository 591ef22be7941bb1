// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/reading.h"
#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/estimate/estimate.h"
#include "core/estimate/verdict.h"
#include "core/settings/field_conditions.h"
#include "core/settings/job_text.h"
#include "core/settings/settings.h"

#include <algorithm>

namespace vramscope {

/// A published quantised model that vLLM has no room for runs under llama.cpp, which keeps less
/// beside it: where nobody names an engine, the plan that fits is likelier meant.
void placeFittingEngine(Reading &r)
{
    if (r.isClaimed("inference.engine") || r.plan.inference.engine != Engine::Vllm || r.isOpen ||
        r.asked.sought || r.plan.hardware.gpus.value_or(1) != 1 || r.plan.inference.weightFormat ||
        resolve(r.plan).settings.weightFormat == WeightFormat::Bf16 ||
        verdictOf(estimate(r.plan)) != Verdict::DoesNotFit)
        return;
    Plan local = r.plan;
    local.inference.engine = Engine::LlamaCpp;
    const std::optional<Verdict> verdict = verdictOf(estimate(local));
    if (!verdict || verdict == Verdict::DoesNotFit)
        return;
    r.asked.versions.push_back({taskText(resolve(r.plan).settings), r.plan});
    r.plan.inference.engine = local.inference.engine;
}

/// Where no tool is named and full logits alone keep the plan from fitting, it is read with a fused
/// loss, and the plan with full logits stands beside it. Most trainers hold no full logits today:
/// the rows of the tools in resources/tools/defaults.csv say which.
void placeFittingLoss(Reading &r)
{
    static constexpr FieldPath kLoss = "loss";
    const auto assumed = std::ranges::find_if(r.defaults, [](const ToolDefault &def) {
        return def.field == kLoss && def.tool == nullptr;
    });
    if (r.trainer || assumed == r.defaults.end() ||
        verdictOf(estimate(r.plan)) != Verdict::DoesNotFit)
        return;
    Plan fused = r.plan;
    fused.loss = LossKind::LinearFused;
    const std::optional<Verdict> verdict = verdictOf(estimate(fused));
    if (!verdict || verdict == Verdict::DoesNotFit)
        return;
    if (!r.asked.sought)
        r.asked.versions.push_back({"a loss over full logits", r.plan});
    r.plan.loss = fused.loss;
    r.defaults.erase(assumed);
    r.assume(kLoss, "a fused loss, as Unsloth and TRL compute it");
}

namespace {

/// The plan with the largest batch below its own that fits, or else is tight, and as many sequences
/// a step; nothing where none is. A batch of pairs has two sequences at least.
std::optional<Plan> withFittingBatch(const Reading &r, const Plan &plan)
{
    const std::int64_t usual = plan.batch.microBatch.value_or(1);
    std::int64_t least = 1;
    for (const AskedTask task : r.objectives)
        least = std::max(least, sequencesPerSample(task));
    std::optional<Plan> tight;
    for (std::int64_t batch = usual / 2; batch >= least; batch /= 2) {
        Plan smaller = plan;
        smaller.batch.microBatch = batch;
        if (!r.isClaimed("batch.accumulation_steps"))
            smaller.batch.accumulationSteps =
                plan.batch.accumulationSteps.value_or(1) * usual / batch;
        const std::optional<Verdict> verdict = verdictOf(estimate(smaller));
        if (verdict == Verdict::Fits)
            return smaller;
        if (verdict == Verdict::Tight && !tight)
            tight = smaller;
    }
    return tight;
}

} // namespace

/// Where nobody names a batch and the tool's own is too large for the GPU, a smaller one is meant,
/// and the tool's own stands beside it.
void placeFittingBatch(Reading &r)
{
    static constexpr FieldPath kBatch = "batch.micro_batch";
    const auto assumed = std::ranges::find(r.defaults, kBatch, &ToolDefault::field);
    if (r.plan.workload != Workload::Training || r.ofPipeline() || r.isClaimed(kBatch) ||
        assumed == r.defaults.end() || r.asked.sought)
        return;
    const std::optional<Verdict> verdict = verdictOf(estimate(r.plan));
    if (!verdict || verdict == Verdict::Fits)
        return;
    const std::optional<Plan> meant = withFittingBatch(r, r.plan);
    if (!meant || (verdict == Verdict::Tight && verdictOf(estimate(*meant)) == verdict))
        return;
    const std::string own = formatCount(r.plan.batch.microBatch.value_or(1));
    const std::string tool = assumed->tool ? assumed->tool->title : "the usual";
    r.asked.versions.push_back({"micro-batch " + own, r.plan});
    r.plan.batch = meant->batch;
    r.defaults.erase(assumed);
    r.assume(kBatch, "micro-batch " + formatCount(*meant->batch.microBatch) +
                         ", the largest that fits (" + tool + "'s own is " + own + ")");
}

namespace {

/// A copy of the model on each GPU, which its trainer makes where nothing says otherwise, may be
/// too large where shards of it fit: they stand beside it.
void addSharded(Reading &r)
{
    const bool isOfTool = std::ranges::any_of(r.defaults, [](const ToolDefault &def) {
        return def.field == FieldPath("parallel.strategy") && def.tool;
    });
    if (!isOfTool || r.plan.parallel.strategy != Strategy::Ddp || r.asked.sought ||
        verdictOf(estimate(r.plan)) != Verdict::DoesNotFit)
        return;
    Plan sharded = r.plan;
    sharded.parallel.strategy = Strategy::Fsdp2;
    if (verdictOf(estimate(sharded)) == Verdict::DoesNotFit && !r.isClaimed("batch.micro_batch"))
        sharded = withFittingBatch(r, sharded).value_or(sharded);
    const std::optional<Verdict> verdict = verdictOf(estimate(sharded));
    if (verdict && verdict != Verdict::DoesNotFit)
        r.asked.versions.push_back(
            {"FSDP2 with micro-batch " + formatCount(sharded.batch.microBatch.value_or(1)),
             sharded});
}

/// A mixture of experts that is too large runs under llama.cpp with experts of its first layers on
/// the host: of the fewest layers that make it fit.
void addHostExperts(Reading &r)
{
    constexpr FieldPath kLayers = "inference.host_expert_layers";
    const Settings settings = resolve(r.plan).settings;
    if (!applies::llamaExperts(settings) || r.isClaimed(kLayers) || r.asked.sought ||
        verdictOf(estimate(r.plan)) != Verdict::DoesNotFit)
        return;
    Plan moved = r.plan;
    const auto fitsWith = [&](std::int64_t layers) {
        moved.inference.hostExpertLayers = layers;
        return verdictOf(estimate(moved)) == Verdict::Fits;
    };
    std::int64_t low = 0;
    std::int64_t high = settings.architecture.layers;
    if (!fitsWith(high))
        return;
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (fitsWith(middle) ? high : low) = middle;
    }
    moved.inference.hostExpertLayers = high;
    r.asked.versions.push_back({"--n-cpu-moe " + formatCount(high) + " (experts of " +
                                    counted(high, "layer") + ", " +
                                    formatBytes(estimate(moved).hostBytes) + ", on the host)",
                                moved});
}

} // namespace

void offerFitting(Reading &r)
{
    addSharded(r);
    addHostExperts(r);
}

} // namespace vramscope
