// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/formulas/training.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr Origin kBuckets = {"Bucket sizes in elements; DeepSpeed runtime/zero/config.py",
                             Evidence::Sourced, 0.5};
constexpr Origin kStage3 = {"Flat buffers that ZeRO-3 makes once; DeepSpeed runtime/zero/stage3.py",
                            Evidence::Sourced};
constexpr Origin kStage12 = {"Gradients as they are reduced and averaged; DeepSpeed "
                             "runtime/zero/stage_1_and_2.py",
                             Evidence::Sourced};
constexpr MomentSet kBackward = {StepPhase::Backward, StepPhase::EndOfBackward};

/// Parameters of the largest matrix of a block, as a rank holds it.
std::int64_t largestMatrix(const Training &t)
{
    std::int64_t largest = 0;
    for (const auto *matrices : {&t.rank.denseMatrices, &t.rank.moeMatrices}) {
        for (const Matrix &matrix : *matrices) {
            const Matrix held = heldBy(t.s, matrix);
            largest = std::max(largest, held.in * held.out);
        }
    }
    return largest;
}

/// A gradient is whole until it has been copied into the bucket.
void addWholeGradient(const Training &t, Ledger &ledger)
{
    if (t.lora())
        return;
    const std::int64_t g = t.trainedGradient;
    const std::int64_t matrix = largestMatrix(t);
    const Origin origin = {"A gradient is whole until the bucket has it; DeepSpeed "
                           "runtime/zero/stage3.py",
                           Evidence::Sourced};
    ledger.add(Entry{Category::Gradients,
                     "Gradient of the running matrix",
                     Exact(g) * matrix,
                     {StepPhase::Backward},
                     {StepPhase::Backward},
                     origin,
                     1,
                     BlockProfile::running(t.rank.allBlocks())},
               {"{} n = {} × {}", {g, g, matrix}});
    if (t.rank.hasEmbedding)
        ledger.add(Category::Gradients, "Gradient of the embedding", Exact(g) * t.rank.embedding,
                   {StepPhase::EndOfBackward}, origin,
                   {"{} V h = {} × {}", {g, g, t.rank.embedding}});
}

/// Partitions of the gradients; those of offloaded states are on the host.
void addPartitions(const Training &t, Ledger &ledger, std::string_view name, MomentSet when,
                   const Origin &origin)
{
    if (t.s.optimizerOffload)
        return;
    addSharded(t.trained, ledger, {Category::Gradients, name, 0, when, when, origin},
               t.trainedGradient, t.dense.optimizer, t.expert.optimizer);
}

void addBucket(Ledger &ledger, std::string_view name, Exact elements, std::int64_t bytes,
               MomentSet when, const Origin &origin)
{
    ledger.add(Category::Communication, name, Exact(bytes) * elements, when, origin,
               {"{} × bucket = {} × {}", {bytes, bytes, elements.value()}});
}

/// The whole bucket however few parameters there are, and the copy of what it is filled with that
/// leaves for the other ranks.
void addReduceBuckets(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    const bool flat = t.zero3() || t.castsGradients();
    const Exact filled = std::min(Exact(s.reduceBucket), Exact(t.trained.total()));
    if (t.zero3())
        addBucket(ledger, "Reduce bucket", s.reduceBucket, s.reduceBytes, kWholeStep, kStage3);
    else if (s.overlapComm)
        addBucket(ledger, "Two reduce buckets", Exact(2) * s.reduceBucket, s.weightBytes, kBackward,
                  kStage12);
    else
        addBucket(ledger, "Reduce bucket", s.reduceBucket, s.weightBytes, kBackward, kStage12);
    if (flat)
        addBucket(ledger, "Copy of the bucket that is sent", filled, s.reduceBytes, kBackward,
                  t.zero3() ? kStage3 : kStage12);
}

/// Tensors below the threshold stay whole: of a transformer, its norms.
void addSmallWeights(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    const Architecture &a = s.architecture;
    if (a.hidden > s.persistenceThreshold || t.lora())
        return;
    const std::int64_t norms =
        (t.rank.layers() * a.normsPerLayer + (t.rank.hasHead ? 1 : 0)) * a.normVectors() * a.hidden;
    const std::int64_t d = t.dense.weights;
    ledger.add(
        Category::Parameters, "Small weights kept whole",
        Exact(s.weightBytes) * dividedUp(Exact(norms) * (d - 1), d), kWholeStep,
        {"Tensors up to param_persistence_threshold stay whole; DeepSpeed runtime/zero/config.py",
         Evidence::Sourced},
        {"{} n (D - 1) / D = {} × ⌈{} × {} / {}⌉",
         {s.weightBytes, s.weightBytes, norms, d - 1, d}});
}

} // namespace

bool addZeroGradients(const Training &t, Ledger &ledger)
{
    const bool earlier = t.s.accumulationSteps > 1;
    if (t.zero3()) {
        addPartitions(t, ledger, "Gradient partitions", kWholeStep, kStage3);
        addWholeGradient(t, ledger);
        return true;
    }
    if (!t.zero() || !t.castsGradients())
        return false;
    if (t.s.strategy == Strategy::Zero1) { // averaged at the end; before that they are whole
        addPartitions(t, ledger, "Gradient shards for the step", {StepPhase::Step}, kStage12);
        return false;
    }
    addPartitions(t, ledger, "Gradient shards",
                  kBackward | MomentSet{StepPhase::Step} |
                      (earlier ? MomentSet{StepPhase::Forward, StepPhase::Loss} : MomentSet{}),
                  kStage12);
    if (earlier)
        addPartitions(t, ledger, "Gradient shards of the running micro-batch", kBackward, kStage12);
    addWholeGradient(t, ledger);
    return true;
}

void addZeroBuffers(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    if (s.strategy != Strategy::Zero1 || t.castsGradients())
        addReduceBuckets(t, ledger);
    if (!t.zero3())
        return;
    const auto gathered = [&](std::string_view name, std::int64_t elements) {
        addBucket(ledger, name, std::min(Exact(elements), Exact(t.trained.total())), s.weightBytes,
                  kForwardToBackward, kBuckets);
    };
    gathered("Live gathered weights", s.maxLiveParameters);
    gathered("Prefetched weights", s.prefetchBucket);
    addSmallWeights(t, ledger);
}

} // namespace vramscope
