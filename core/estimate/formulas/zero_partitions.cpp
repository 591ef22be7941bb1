// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/zero_partitions.h"

#include <algorithm>

namespace vramscope {

namespace {

/// The matrices of a trained vision tower, which comes before the text, and the rest of it in two
/// pieces.
std::vector<std::int64_t> towerTensors(const Training &t)
{
    std::vector<std::int64_t> tensors;
    if (t.rank.tower() == 0 || t.s.visionTower != TowerTraining::Trained)
        return tensors;
    const Tower &tower = t.s.towers.front();
    tensors.push_back(tower.encoder - tower.layers * tower.block);
    for (std::int64_t layer = 0; layer < tower.layers; ++layer) {
        std::int64_t rest = tower.block;
        for (const std::int64_t matrix : {3 * tower.width * tower.width, tower.width * tower.width,
                                          tower.width * tower.ffn, tower.width * tower.ffn}) {
            tensors.push_back(matrix);
            rest -= matrix;
        }
        tensors.push_back(rest); // the third matrix of a gated feed-forward
    }
    tensors.push_back(tower.projector);
    return tensors;
}

/// Calls `visit` with each partition; of those that lie within one tensor, with one.
template<class Visit>
void visitPartitions(const Training &t, const std::vector<std::int64_t> &tensors, Visit visit)
{
    const std::int64_t share = dividedUp(Exact(t.trained.total()), t.dense.optimizer).value();
    if (share <= 0) // the plan states fewer parameters than the blocks have
        return;
    Partition running;
    std::int64_t begin = 0;
    std::int64_t boundary = share;
    for (std::size_t index = 0; index < tensors.size(); ++index) {
        const std::int64_t end = begin + tensors[index];
        while (begin < end) {
            const std::int64_t piece = std::min(end, boundary) - begin;
            if (running.averaged == 0)
                running.first = index;
            running.last = index;
            running.averaged += tensors[index];
            running.largest = std::max(running.largest, piece);
            begin += piece;
            if (begin == boundary) {
                visit(running);
                running = {};
                boundary += share;
            }
            const std::int64_t within = (end - begin) / share;
            if (within > 1 && begin + share == boundary) {
                begin += (within - 1) * share;
                boundary += (within - 1) * share;
            }
        }
    }
    visit(running);
}

/// The reductions of a pass over tensors in the order in which their gradients come. The bucket is
/// sent when the next tensor does not fit, and a tensor that is larger than it by itself
/// (reduce_independent_p_g_buckets_and_remove_grads of stage_1_and_2.py).
struct Reductions
{
    std::vector<std::size_t> of;       ///< the reduction of each tensor
    std::vector<std::int64_t> content; ///< elements of the bucket; 0 for a tensor by itself
};

Reductions reductionsOf(const std::vector<std::int64_t> &tensors, std::int64_t bucket)
{
    Reductions all;
    for (const std::int64_t tensor : tensors) {
        const bool alone = tensor > bucket;
        const bool joins = !alone && !all.content.empty() && all.content.back() > 0 &&
                           all.content.back() + tensor <= bucket;
        if (!joins)
            all.content.push_back(0);
        if (!alone)
            all.content.back() += tensor;
        all.of.push_back(all.content.size() - 1);
    }
    return all;
}

/// ZeRO-1 reduces whole gradients in the order of the model when all are there. One that is copied
/// to the bucket goes; the buffer of averaged ones is made with the first of the rank's own.
EndOfReduction endOfReduction1(const Training &t, Exact tied)
{
    const std::int64_t g = t.trainedGradient;
    const std::vector<std::int64_t> tensors = tensorsInOrder(t);
    const Reductions reductions = reductionsOf(tensors, t.s.bucket.reduce);
    EndOfReduction most = {0, 0, tied};
    visitPartitions(t, tensors, [&](const Partition &it) {
        std::int64_t copied = 0;
        for (std::size_t i = 0; i <= reductions.of[it.first]; ++i)
            copied += reductions.content[i];
        const EndOfReduction here = {excess(Exact(g) * it.averaged, Exact(g) * copied), 0, 0};
        if (here.total() > most.total())
            most = here;
    });
    return most;
}

/// ZeRO-2 reduces gradients as they come; the embedding's is the last. When it comes the bucket
/// before it is sent, and ranks that own a part of either make their buffer.
EndOfReduction endOfReduction2(const Training &t, Exact tied)
{
    const std::int64_t g = t.trainedGradient;
    const std::vector<std::int64_t> tensors = tensorsInOrder(t);
    const Reductions reductions =
        reductionsOf({tensors.rbegin(), tensors.rend()}, t.s.bucket.reduce);
    const std::size_t own = reductions.of.back();
    const bool joins = reductions.content[own] > 0; // the embedding fits into the bucket
    const std::size_t pending = joins || own == 0 ? own : own - 1;
    const Exact content = Exact(t.s.reduceBytes) * reductions.content[pending];
    const Exact embedding = Exact(g) * (joins ? tensors.front() : 0);
    EndOfReduction most;
    visitPartitions(t, tensors, [&](const Partition &it) {
        const bool earlier = reductions.of[tensors.size() - 1 - it.last] < pending;
        const Exact averaged = Exact(g) * it.averaged;
        const Exact before = earlier ? averaged : Exact(0);
        // An embedding in the bucket has given its own gradient up.
        for (const EndOfReduction &here : {EndOfReduction{before, 0, tied},
                                           EndOfReduction{before, excess(content, embedding), 0},
                                           EndOfReduction{excess(averaged, embedding), 0, 0}})
            if (here.total() > most.total())
                most = here;
    });
    return most;
}

} // namespace

std::vector<std::int64_t> tensorsInOrder(const Training &t)
{
    const RankInventory &rank = t.rank;
    const Architecture &a = t.s.architecture;
    std::vector<std::int64_t> tensors = towerTensors(t);
    tensors.push_back(rank.embedding);
    for (std::int64_t block = 0; block < rank.layers(); ++block) {
        for (const Matrix &matrix : rank.groupOf(block).matrices)
            tensors.push_back(heldBy(t.s, matrix).elements());
        for (std::int64_t norm = 0; norm < a.normsPerLayer; ++norm)
            tensors.push_back(a.normVectors() * a.hidden);
    }
    tensors.insert(tensors.end(), {rank.finalNorm, rank.head, rank.extra});
    return tensors;
}

Partition largestPartition(const Training &t, bool atNorm)
{
    if (t.lora())
        return {dividedUp(Exact(t.trained.total()), t.dense.optimizer).value()};
    const auto weight = [&](const Partition &it) {
        return t.trainedGradient * it.averaged + (atNorm ? 8 * it.largest : 0);
    };
    Partition most;
    visitPartitions(t, tensorsInOrder(t), [&](const Partition &it) {
        if (weight(it) > weight(most))
            most = it;
    });
    return most;
}

EndOfReduction endOfReduction(const Training &t, Exact tied)
{
    return t.s.strategy == Strategy::Zero1 ? endOfReduction1(t, tied) : endOfReduction2(t, tied);
}

} // namespace vramscope
