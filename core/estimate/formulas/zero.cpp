// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/zero_partitions.h"
#include "core/settings/field_conditions.h"

#include <algorithm>
#include <vector>

namespace vramscope {

namespace {

constexpr Origin kBuckets = {"Bucket sizes in elements; DeepSpeed runtime/zero/config.py",
                             Evidence::Sourced, 0.5};
constexpr Origin kStage3 = {"Flat buffers that ZeRO-3 makes once; DeepSpeed runtime/zero/stage3.py",
                            Evidence::Sourced};
constexpr Origin kStage12 = {"Gradients as they are reduced and averaged; DeepSpeed "
                             "runtime/zero/stage_1_and_2.py",
                             Evidence::Sourced};
constexpr PhaseSet kBackward = {StepPhase::Backward, StepPhase::EndOfBackward};

/// Parameters of the largest matrix of a block, as a rank holds it.
std::int64_t largestMatrix(const Training &t)
{
    std::int64_t largest = 0;
    for (const RankGroup &group : t.rank.groups) {
        for (const Matrix &matrix : group.matrices) {
            const Matrix held = heldBy(t.s, matrix);
            largest = std::max(largest, held.in * held.out);
        }
    }
    return largest;
}

/// Parameters of the largest tensor that a rank trains.
std::int64_t largestTrained(const Training &t)
{
    if (!t.lora())
        return std::ranges::max(tensorsInOrder(t));
    std::int64_t largest = 0;
    for (const TrainedMatrix &matrix : trainedMatrices(t))
        largest = std::max(largest, matrix.rows * matrix.columns);
    return largest;
}

/// Parameters that stay gathered at the loss: the tensors that backward reads next, up to the one
/// with which they reach max_reuse_distance (__params_to_release of
/// partitioned_param_coordinator.py; max_live_parameters only bounds what is prefetched).
std::int64_t liveParameters(const Training &t)
{
    const std::vector<std::int64_t> tensors = tensorsInOrder(t);
    std::int64_t live = 0;
    for (auto it = tensors.rbegin(); it != tensors.rend() && live < t.s.bucket.maxReuseDistance;
         ++it)
        live += *it;
    return live;
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
    ledger.add(Category::Gradients, "Gradient of the running matrix", {"{} n", {g, matrix}},
               {StepPhase::Backward}, origin, 1, Course::running(t.rank.allBlocks()));
    if (t.rank.hasEmbedding)
        ledger.add(Category::Gradients, "Gradient of the embedding",
                   {"{} V h", {g, t.rank.embedding}}, {StepPhase::EndOfBackward}, origin);
}

/// Partitions of the gradients; those of offloaded states are on the host.
void addPartitions(const Training &t, Ledger &ledger, std::string_view name, PhaseSet when,
                   PhaseSet firstStep, const Origin &origin)
{
    if (t.s.optimizer.offload)
        return;
    addSharded(t, t.trained, {Category::Gradients, name, when, origin, firstStep},
               t.trainedGradient, &Degrees::optimizer, ledger);
}

constexpr Origin kAveraged = {"A gradient of which a part is the rank's is averaged whole; "
                              "DeepSpeed runtime/zero/stage_1_and_2.py; measured: tests/measure",
                              Evidence::Verified};

/// Gradients that ZeRO-1 and ZeRO-2 have averaged: whole where only a part of one is the rank's.
void addAveraged(const Training &t, Ledger &ledger, std::string_view name, PhaseSet when,
                 bool atNorm = false)
{
    if (t.s.optimizer.offload)
        return;
    const std::int64_t elements = largestPartition(t, atNorm).averaged;
    const std::int64_t g = t.trainedGradient;
    ledger.add(Category::Gradients, name, {"{} × tensors that reach into N / D", {g, elements}},
               when, kAveraged, t.dense.optimizer);
}

/// The gradients that are being reduced when the embedding's is there.
void addEndOfReduction(const Training &t, Ledger &ledger, Exact tied)
{
    constexpr PhaseSet kEnd = {StepPhase::EndOfBackward};
    const EndOfReduction end = endOfReduction(t, tied);
    ledger.add(Category::Gradients, "Gradients that are being averaged", end.averaged, kEnd,
               kAveraged,
               {"of the tensors that reach into N / D, less what the bucket has = {}",
                {end.averaged.value()}},
               t.dense.optimizer);
    ledger.add(Category::Communication, "Copy of the last bucket", end.sent, kEnd, kStage12,
               {"of the gradients before the embedding's = {}", {end.sent.value()}});
    ledger.add(Category::Gradients, "Gradients of the tied embedding, before their sum", end.tied,
               kEnd,
               {"Head and embedding each give a gradient, and they are added up; measured: "
                "tests/measure",
                Evidence::Verified},
               {"of head and embedding = {}", {end.tied.value()}});
}

/// Before the step ZeRO-1 and ZeRO-2 sum the squares of one gradient after the other, in fp64.
void addNorm(const Training &t, Ledger &ledger)
{
    addAveraged(t, ledger, "Averaged gradients at their norm", {StepPhase::GradientNorm}, true);
    if (t.s.optimizer.offload)
        return;
    ledger.add(Category::TemporaryBuffers, "Largest gradient in fp64 for its norm",
               {"8 n_max", {8, largestPartition(t, true).largest}}, {StepPhase::GradientNorm},
               {"get_grad_norm_direct of DeepSpeed 0.19.8, runtime/zero/stage_1_and_2.py; "
                "measured: tests/measure",
                Evidence::Verified});
}

/// The largest part of a tensor that begins after `before` parameters in one partition.
std::int64_t largestPiece(std::int64_t before, std::int64_t tensor, std::int64_t share)
{
    const std::int64_t first = std::min(tensor, share - before % share);
    return std::max(first, std::min(tensor - first, share));
}

/// Copied elements of the bucket that leave for other ranks.
Exact sentElements(const Training &t)
{
    return std::min(Exact(t.s.bucket.reduce), Exact(t.trained.total()));
}

/// With the optimizer on the host ZeRO-1 and ZeRO-2 take the norm of a gradient when it is reduced,
/// in fp64 on the GPU (set_norm_for_param_grad_in_gpu), and clone one that is larger than the
/// bucket (reduce_independent_p_g_buckets_and_remove_grads). ZeRO-2 ends with the embedding.
void addReductionForHost(const Training &t, Ledger &ledger)
{
    const std::int64_t share = dividedUp(Exact(t.trained.total()), t.dense.optimizer).value();
    if (!t.s.optimizer.offload || t.lora() || share <= 0)
        return;
    const bool atOnce = t.s.strategy == Strategy::Zero1;
    const std::int64_t g = t.trainedGradient;
    const Exact sent = atOnce ? Exact(0) : Exact(t.s.reduceBytes) * sentElements(t);
    std::int64_t before = 0;
    std::int64_t piece = 0;
    std::int64_t cloned = 0;
    for (const std::int64_t tensor : tensorsInOrder(t)) {
        piece = std::max(piece, largestPiece(before, tensor, share));
        if (tensor > t.s.bucket.reduce)
            cloned = std::max(cloned, tensor);
        before += tensor;
        if (!atOnce)
            break;
    }
    const Origin origin = {
        "A gradient's part of the partition in fp64 for its norm, or a clone of one that is larger "
        "than the bucket; DeepSpeed 0.19.8, runtime/zero/stage_1_and_2.py; measured: tests/measure",
        Evidence::Verified};
    const Exact most = std::max(Exact(g) * cloned, sent);
    if (Exact(8) * piece >= most)
        ledger.add(Category::TemporaryBuffers, "Gradient in fp64 for its norm", {"8 n", {8, piece}},
                   {StepPhase::EndOfBackward}, origin);
    else
        ledger.add(Category::Communication, "Clone of a gradient or the bucket", most,
                   {StepPhase::EndOfBackward}, origin,
                   {"max({} n, bucket) = {}", {g, most.value()}});
}

/// Gradients come back from the host through this buffer to be summed; it is allocated at the
/// start, whether they do or not.
void addBufferFromHost(const Training &t, Ledger &ledger)
{
    if (!t.s.optimizer.offload)
        return;
    const std::int64_t largest = largestTrained(t);
    const std::int64_t w = t.s.weightBytes;
    ledger.add(Category::TemporaryBuffers, "Buffer for a gradient from the host",
               {"{} n_max", {w, largest}}, kWholeStep,
               {"temp_grad_buffer_for_gpu_offload of DeepSpeed 0.19.8, "
                "runtime/zero/stage_1_and_2.py; measured: tests/measure",
                Evidence::Verified});
}

void addBucket(Ledger &ledger, std::string_view name, Exact elements, std::int64_t bytes,
               PhaseSet when, const Origin &origin)
{
    ledger.add(Category::Communication, name, {"{} × bucket", {bytes, elements}}, when, origin);
}

/// ZeRO-3 reduces a gradient larger than its bucket apart from it; the embedding's comes last.
bool reducesLargeEmbedding(const Training &t)
{
    return !t.lora() && t.rank.embedding > t.s.bucket.reduce;
}

/// A gradient outside the bucket has two copies while it is reduced. With the optimizer on the host
/// its partition comes to the GPU, where its norm is taken in fp64 (partition_grads;
/// _constant_buffered_norm2, this many elements at a time).
void addLargeEmbedding(const Training &t, Ledger &ledger)
{
    if (!reducesLargeEmbedding(t))
        return;
    constexpr Origin kLarge = {"A gradient larger than the bucket; DeepSpeed 0.19.8, "
                               "runtime/zero/stage3.py; measured: tests/measure",
                               Evidence::Verified};
    constexpr std::int64_t kNormAtOnce = 250'000'000;
    const std::int64_t g = t.trainedGradient;
    const std::int64_t n = t.rank.embedding;
    const std::int64_t d = t.dense.optimizer;
    ledger.add(Category::Communication, "Copy of the embedding's gradient", {"{} V h", {g, n}},
               {StepPhase::EndOfBackward}, kLarge);
    if (!t.s.optimizer.offload)
        return;
    const std::int64_t part = dividedUp(Exact(n), d).value();
    const std::int64_t normed = std::min(part, kNormAtOnce);
    ledger.add(Category::TemporaryBuffers, "Embedding's gradient for the host",
               Exact(g) * part + Exact(8) * normed, {StepPhase::EndOfBackward}, kLarge,
               {"{} V h / D + 8 n = {} × {} + 8 × {}", {g, g, part, normed}}, d);
}

/// ZeRO-1 releases its bucket when the last micro-batch has been reduced.
bool bucketStays(const Training &t)
{
    return t.s.strategy == Strategy::Zero1 && t.s.accumulationSteps > 1;
}

/// The whole bucket however few parameters there are, and the copy of its content that leaves for
/// the other ranks. ZeRO-1 fills its own when backward is over; it exists from the first gradient
/// of a step until the last micro-batch has been reduced (setup_buckets, _release_ipg_buffers).
void addReduceBuckets(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    if (t.zero3()) {
        addBucket(ledger, "Reduce bucket", s.bucket.reduce, s.reduceBytes, kWholeStep, kStage3);
    } else {
        const bool atOnce = s.strategy == Strategy::Zero1;
        addBucket(ledger,
                  named("Reduce bucket", "Two reduce buckets", s.bucket.overlapComm ? 2 : 1),
                  Exact(s.bucket.overlapComm ? 2 : 1) * s.bucket.reduce, s.weightBytes,
                  bucketStays(t) ? kForwardToBackward : kBackward, kStage12);
        if (atOnce || !t.castsGradients())
            return;
    }
    // At the end something larger may replace it.
    const bool other = t.zero3() ? reducesLargeEmbedding(t) : !t.lora();
    addBucket(ledger, "Copy of the bucket that is sent", sentElements(t), s.reduceBytes,
              other ? PhaseSet{StepPhase::Backward} : kBackward, t.zero3() ? kStage3 : kStage12);
}

/// Tensors below the threshold stay whole: in a transformer, its norms.
void addSmallWeights(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    const Architecture &a = s.architecture;
    if (a.hidden > s.bucket.persistence || t.lora())
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

/// Gradients of one reduction in fp32 on their way to the drives, all at once
/// (_offload_grad_partition_at_boundary of stage3.py; for the host's memory they come one by one).
void addGradientsForDrives(const Training &t, Ledger &ledger)
{
    if (!applies::statesOnDrives(t.s) || t.lora())
        return;
    const Exact elements = dividedUp(sentElements(t), t.dense.optimizer);
    ledger.add(Category::TemporaryBuffers, "Gradients in fp32 for the drives",
               {"{} G", {t.s.masterWeightBytes, elements}}, kBackward,
               {"The partitions of one bucket's gradients; DeepSpeed 0.19.8, "
                "runtime/zero/stage3.py, partition_grads",
                Evidence::Sourced},
               t.dense.optimizer);
}

} // namespace

Exact bucketOfFirstGradient(const Training &t)
{
    const bool head = t.rank.hasHead && !t.s.architecture.tiedEmbeddings && !t.lora();
    if (!head || !t.zero() || t.zero3() || !t.castsGradients() || bucketStays(t))
        return 0;
    return Exact(t.s.weightBytes) * (t.s.bucket.overlapComm ? 2 : 1) * t.s.bucket.reduce;
}

bool addZeroGradients(const Training &t, Ledger &ledger, std::int64_t tied)
{
    const bool earlier = t.s.accumulationSteps > 1;
    constexpr PhaseSet kEnd = {StepPhase::EndOfBackward};
    if (t.zero3()) {
        addPartitions(t, ledger, "Gradient partitions", kWholeStep, kWholeStep, kStage3);
        addWholeGradient(t, ledger);
        return true;
    }
    if (!t.zero() || !t.castsGradients())
        return false;
    addPartitions(t, ledger, "Gradient shards", {StepPhase::Step}, flatInFirstStep(t), kStage12);
    addNorm(t, ledger);
    addReductionForHost(t, ledger);
    const bool atOnce = t.s.strategy == Strategy::Zero1; // averaged at the end, whole until then
    const PhaseSet running = t.averages() ? PhaseSet{StepPhase::Backward} : kBackward;
    if (atOnce && !t.averages())
        addAveraged(t, ledger, "Averaged gradients", kEnd);
    if (!atOnce)
        addAveraged(t, ledger, "Averaged gradients", earlier ? kBackward | kWhileSaved : running);
    if (!atOnce && earlier)
        addAveraged(t, ledger, "Averaged gradients of the running micro-batch", running);
    if (t.averages())
        addEndOfReduction(t, ledger, Exact(t.trainedGradient) * tied * t.rank.embedding);
    if (atOnce)
        return false;
    addWholeGradient(t, ledger);
    return true;
}

void addZeroBuffers(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    if (s.strategy != Strategy::Zero1 || t.castsGradients())
        addReduceBuckets(t, ledger);
    if (!t.zero3()) {
        addBufferFromHost(t, ledger);
        return;
    }
    // Kept parameters follow the order of an earlier pass: the first has none. After backward
    // nothing of the pass is read again.
    const PhaseSet first = s.accumulationSteps > 1 ? kWhileSaved : PhaseSet{};
    const std::int64_t live = liveParameters(t);
    ledger.add(Entry{Category::Communication, "Live gathered weights", Exact(s.weightBytes) * live,
                     kWhileSaved, first, kBuckets},
               {"{} × live parameters = {} × {}", {s.weightBytes, s.weightBytes, live}});
    // Backward does not read a frozen tower, which comes first.
    const std::int64_t read =
        t.rank.parameters() - (s.visionTower == TowerTraining::Frozen ? t.rank.tower() : 0);
    const std::int64_t ahead =
        std::min({s.bucket.prefetch, s.bucket.maxLiveParameters - live, read - live});
    if (ahead > 0)
        ledger.add(Entry{Category::Communication, "Prefetched weights",
                         Exact(s.weightBytes) * ahead, kWhileSaved, first, kBuckets},
                   {"{} × prefetched parameters = {} × {}", {s.weightBytes, s.weightBytes, ahead}});
    addSmallWeights(t, ledger);
    addLargeEmbedding(t, ledger);
    addGradientsForDrives(t, ledger);
}

} // namespace vramscope
