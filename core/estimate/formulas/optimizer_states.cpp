// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/constants.h"
#include "core/estimate/formulas/training.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vramscope {

namespace {

Origin momentsOrigin(const Training &t)
{
    switch (t.s.optimizer.name) {
    case OptimizerName::AdamW4bit:
        return {"Half a byte a state, a scale a block of 128; measured: torchao optim README",
                Evidence::Verified};
    case OptimizerName::AdamW8bit:
        return {"A byte a state, a scale a block of 256; measured: tests/measure",
                Evidence::Verified};
    case OptimizerName::SgdMomentum:
        return {"One moment per parameter; measured: tests/measure", Evidence::Verified};
    case OptimizerName::Lion:
        return {"One moment per parameter; derived from tensor shapes", Evidence::Derived};
    case OptimizerName::Muon:
        return {"One moment for matrices of blocks, AdamW's two for the rest; torch.optim.Muon",
                Evidence::Sourced};
    case OptimizerName::Prodigy:
        return {"Two moments, a sum of gradients and the first values of tensors that do not start "
                "at zero; prodigyopt 1.1.2 prodigy.py, measured: tests/measure",
                Evidence::Verified};
    case OptimizerName::AdamWScheduleFree:
        return {"The second moment and the sequence z; schedulefree 1.4.1 adamw_schedulefree.py, "
                "measured: tests/measure",
                Evidence::Verified};
    case OptimizerName::Shampoo:
        return {"Adam's grafting states beside the factors; facebookresearch/optimizers",
                Evidence::Sourced};
    default:
        return trainedOrigin(t);
    }
}

/// When the optimizer's states exist: they come with the first step.
struct Times
{
    PhaseSet when = kWholeStep;
    PhaseSet firstStep = {StepPhase::Step, StepPhase::Rest};
};

Times timesOf(const Training &t)
{
    Times times;
    if (t.inBackward()) // in the first step they come one by one, all of them by the end
        times.firstStep = times.firstStep | PhaseSet{StepPhase::EndOfBackward};
    return times;
}

/// One state of `count` parameters.
void addMoment(const Training &t, Ledger &ledger, std::string_view name, Share count)
{
    // States are stored in 4096ths of a byte here, which holds every format exactly.
    const std::int64_t parts = std::llround(t.s.optimizer.stateBytes * 4096);
    const std::int64_t d = t.dense.optimizer;
    const Times times = timesOf(t);
    if (parts % 4096 == 0) {
        addSharded(t, count,
                   {Category::OptimizerStates, name, times.when, momentsOrigin(t), times.firstStep},
                   parts / 4096, &Degrees::optimizer, ledger);
        return;
    }
    const Exact elements = sharded(count, 1, d, t.expert.optimizer);
    ledger.add(Entry{Category::OptimizerStates, name, dividedUp(elements * parts, 4096), times.when,
                     times.firstStep, momentsOrigin(t), d},
               {"bytes per state · N / D = {} / 4,096 × {}", {parts, elements.value()}});
}

void addAdamMoments(const Training &t, Ledger &ledger, Share count)
{
    const std::int64_t d = t.dense.optimizer;
    addMoment(t, ledger, named("Adam first moment", "Adam first moment shards", d), count);
    addMoment(t, ledger, named("Adam second moment", "Adam second moment shards", d), count);
}

Exact elementsOf(const std::vector<TrainedMatrix> &matrices)
{
    Exact sum;
    for (const TrainedMatrix &matrix : matrices)
        sum += Exact(matrix.rows) * matrix.columns * matrix.count;
    return sum;
}

/// Adafactor's row and column sums of every matrix, and a full fp32 vector for one-dimensional
/// parameters. FSDP2 shards rows, and each rank keeps its own columns' sums; the flat shards of
/// other strategies are vectors, which do not factor.
void addAdafactor(const Training &t, Ledger &ledger)
{
    const std::int64_t d = t.dense.optimizer;
    const Times times = timesOf(t);
    const Origin origin = {"Row and column sums of each matrix, whole vectors; Shazeer and Stern "
                           "2018 (arXiv 1804.04235)",
                           Evidence::Sourced};
    if (d > 1 && t.s.strategy != Strategy::Fsdp2) {
        addSharded(t, t.trained,
                   {Category::OptimizerStates, "Second moment of flat shards", times.when, origin,
                    times.firstStep},
                   4, &Degrees::optimizer, ledger);
        return;
    }
    const std::vector<TrainedMatrix> matrices = trainedMatrices(t);
    Exact sums;
    for (const TrainedMatrix &matrix : matrices) {
        const std::int64_t ranks = matrix.expert ? t.expert.optimizer : d;
        sums += (dividedUp(Exact(matrix.rows), ranks) + matrix.columns) * matrix.count;
    }
    const Exact vectors = dividedUp(excess(t.trained.total(), elementsOf(matrices)), d);
    ledger.add(Entry{Category::OptimizerStates, "Adafactor factors", Exact(4) * (sums + vectors),
                     times.when, times.firstStep, origin},
               {"4 (Σ (rows / D + columns) + n_vectors / D) = 4 × ({} + {})",
                {sums.value(), vectors.value()}});
}

/// States of whole tensors on the rank that has most of them.
void addOwnStates(const Training &t, Ledger &ledger)
{
    const OwnTensors own = ownTensors(t);
    const Times times = timesOf(t);
    const auto bytes = [&](std::int64_t count) {
        return Exact::ceiling(t.s.optimizer.stateBytes * static_cast<double>(count));
    };
    const auto add = [&](std::string_view name, std::int64_t count) {
        ledger.add(Entry{Category::OptimizerStates, name, bytes(count), times.when, times.firstStep,
                         momentsOrigin(t), t.dense.optimizer},
                   {"of {} parameters in whole tensors = {}", {count, bytes(count).value()}});
    };
    add("Momentum of the rank's matrices", own.matrices);
    add("Adam first moment of the rank's tensors", own.rest);
    add("Adam second moment of the rank's tensors", own.rest);
}

void addMuon(const Training &t, Ledger &ledger)
{
    if (t.ownsTensors())
        return addOwnStates(t, ledger);
    const Share matrices = muonParameters(t);
    const Share rest = {t.trained.dense - matrices.dense, t.trained.expert - matrices.expert};
    addMoment(t, ledger,
              named("Momentum of matrices", "Momentum shards of matrices", t.dense.optimizer),
              matrices);
    if (rest.total() > 0)
        addAdamMoments(t, ledger, rest);
}

void addProdigy(const Training &t, Ledger &ledger)
{
    const std::int64_t d = t.dense.optimizer;
    addAdamMoments(t, ledger, t.trained);
    addMoment(t, ledger, named("Prodigy sum of gradients", "Prodigy sum of gradients shards", d),
              t.trained);
    addMoment(t, ledger, named("Prodigy first values", "Prodigy first values shards", d),
              prodigyOrigins(t));
}

/// Σ b² over the blocks that a side of `length` is cut into.
Exact squares(std::int64_t length)
{
    const std::int64_t rest = length % kShampooBlock;
    return Exact(length / kShampooBlock) * kShampooBlock * kShampooBlock + Exact(rest) * rest;
}

std::int64_t blocksOf(std::int64_t length)
{
    return dividedUp(Exact(length), kShampooBlock).value();
}

/// A factor for each side of each block of a matrix, and its inverse root, in fp32; the blocks are
/// dealt out over the ranks that share the states.
void addShampoo(const Training &t, Ledger &ledger)
{
    const std::vector<TrainedMatrix> matrices = trainedMatrices(t);
    const std::int64_t d = t.dense.optimizer;
    Exact dense;
    Exact expert;
    for (const TrainedMatrix &matrix : matrices)
        (matrix.expert ? expert : dense) += (squares(matrix.rows) * blocksOf(matrix.columns) +
                                             squares(matrix.columns) * blocksOf(matrix.rows)) *
                                            matrix.count;
    const Times times = timesOf(t);
    ledger.add(Entry{Category::OptimizerStates,
                     "Shampoo factors and their roots",
                     Exact(8) * (dividedUp(dense, d) + dividedUp(expert, t.expert.optimizer)),
                     times.when,
                     times.firstStep,
                     {"Factors of blocks of up to 1,024 rows or columns, max_preconditioner_dim of "
                      "facebookresearch/optimizers; derived from tensor shapes",
                      Evidence::Derived, 0.2},
                     d},
               {"2 · 4 Σ (rows² + columns²) / D = 8 × (⌈{} / {}⌉ + ⌈{} / {}⌉)",
                {dense.value(), d, expert.value(), t.expert.optimizer}});
    addMoment(t, ledger, named("Filtered gradient", "Filtered gradient shards", d), t.trained);
    addMoment(t, ledger, named("Grafting second moment", "Grafting second moment shards", d),
              t.trained);
}

} // namespace

std::vector<TrainedMatrix> trainedMatrices(const Training &t)
{
    const Settings &s = t.s;
    const Architecture &a = s.architecture;
    const RankInventory &rank = t.rank;
    std::vector<TrainedMatrix> matrices;
    const auto add = [&](const Matrix &matrix, std::int64_t blocks) {
        const Matrix held = heldBy(s, matrix);
        const bool expert = matrix.module == "expert";
        const std::int64_t count = blocks * held.count;
        if (!t.lora()) {
            matrices.push_back({held.out, held.in, count, true, expert});
        } else if (adapted(s, matrix)) {
            matrices.push_back({s.adapters.rank, held.in, count * held.modules, true, expert});
            matrices.push_back({held.out, s.adapters.rank, count, true, expert, true});
        }
    };
    for (const RankGroup &group : rank.groups)
        for (const Matrix &matrix : group.matrices)
            add(matrix, group.count);
    if (t.lora())
        return matrices;
    const std::int64_t vocabulary = dividedUp(Exact(a.vocab), embeddingSplit(s)).value();
    if (rank.hasEmbedding)
        matrices.push_back({vocabulary, a.hidden, 1, false, false});
    if (rank.head >= vocabulary * a.hidden && rank.head > 0)
        matrices.push_back({vocabulary, a.hidden, 1, false, false});
    return matrices;
}

Share prodigyOrigins(const Training &t)
{
    Share rest = t.trained;
    if (t.dense.optimizer > 1 && t.s.strategy != Strategy::Fsdp2)
        return rest; // a flat shard has tensors of both kinds
    for (const TrainedMatrix &matrix : trainedMatrices(t))
        if (matrix.startsAtZero)
            (matrix.expert ? rest.expert : rest.dense) -=
                matrix.rows * matrix.columns * matrix.count;
    return rest;
}

Share muonParameters(const Training &t)
{
    Share sum;
    for (const TrainedMatrix &matrix : trainedMatrices(t))
        if (matrix.ofBlock)
            (matrix.expert ? sum.expert : sum.dense) += matrix.rows * matrix.columns * matrix.count;
    return {std::min(sum.dense, t.trained.dense), std::min(sum.expert, t.trained.expert)};
}

namespace {

/// The parameters of one tensor, and whether Muon orthogonalises it.
struct OwnedTensor
{
    std::int64_t elements;
    bool orthogonalised;
};

/// Tensors are sorted by their size and dealt out to the ranks back and forth, the smallest first
/// (_shard_params_ping_pong of Megatron-Core optimizer/layer_wise_optimizer.py).
OwnTensors dealtOut(std::vector<OwnedTensor> tensors, std::int64_t ranks)
{
    std::ranges::stable_sort(tensors, {}, &OwnedTensor::elements);
    std::vector<OwnTensors> owners(
        static_cast<std::size_t>(std::clamp<std::int64_t>(ranks, 1, std::ssize(tensors) + 1)));
    const std::int64_t turns = 2 * ranks;
    for (std::int64_t i = 0; i < std::ssize(tensors); ++i) {
        const std::int64_t turn = i % turns;
        const std::int64_t rank = turn < ranks ? turn : turns - 1 - turn;
        if (rank >= std::ssize(owners)) // beyond the last tensor
            continue;
        const OwnedTensor &tensor = tensors[static_cast<std::size_t>(i)];
        OwnTensors &owner = owners[static_cast<std::size_t>(rank)];
        (tensor.orthogonalised ? owner.matrices : owner.rest) += tensor.elements;
    }
    const auto states = [](const OwnTensors &own) { return own.matrices + 2 * own.rest; };
    return *std::ranges::max_element(owners, {}, states);
}

} // namespace

OwnTensors ownTensors(const Training &t)
{
    std::vector<OwnedTensor> dense;
    std::vector<OwnedTensor> experts;
    std::int64_t others = t.trained.dense;
    for (const TrainedMatrix &matrix : trainedMatrices(t)) {
        const OwnedTensor tensor = {matrix.rows * matrix.columns, matrix.ofBlock};
        (matrix.expert ? experts : dense)
            .insert((matrix.expert ? experts : dense).end(), static_cast<std::size_t>(matrix.count),
                    tensor);
        if (!matrix.expert)
            others -= matrix.count * tensor.elements;
    }
    if (others > 0) // vectors: little, spread evenly
        dense.push_back({dividedUp(Exact(others), t.dense.optimizer).value(), false});
    OwnTensors own = dealtOut(std::move(dense), t.dense.optimizer);
    if (!experts.empty())
        own.matrices += dealtOut(std::move(experts), t.expert.optimizer).matrices;
    return own;
}

Exact largestMuonUpdate(const Training &t)
{
    // The update in the weights' type; in bf16 the iterate and its successor, and two products of
    // its shorter side.
    Exact largest;
    for (const TrainedMatrix &matrix : trainedMatrices(t)) {
        const std::int64_t side = std::min(matrix.rows, matrix.columns);
        const Exact elements = Exact(matrix.rows) * matrix.columns;
        if (matrix.ofBlock)
            largest =
                std::max(largest, Exact(4 + t.trainedWeight) * elements + Exact(4) * side * side);
    }
    return largest;
}

void addOptimizerStates(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    const std::int64_t d = t.dense.optimizer;
    if (t.statesOnHost())
        return;
    switch (s.optimizer.name) {
    case OptimizerName::AdamW:
    case OptimizerName::Adam:
    case OptimizerName::AdamW8bit:
    case OptimizerName::AdamW4bit:
        addAdamMoments(t, ledger, t.trained);
        return;
    case OptimizerName::Prodigy:
        addProdigy(t, ledger);
        return;
    case OptimizerName::AdamWScheduleFree:
        addMoment(t, ledger, named("Sequence z", "Sequence z shards", d), t.trained);
        addMoment(t, ledger, named("Second moment", "Second moment shards", d), t.trained);
        return;
    case OptimizerName::SgdMomentum:
    case OptimizerName::Lion:
        addMoment(t, ledger, named("Momentum", "Momentum shards", d), t.trained);
        return;
    case OptimizerName::Adafactor:
    case OptimizerName::AdafactorTorch:
        addAdafactor(t, ledger);
        return;
    case OptimizerName::Muon:
        addMuon(t, ledger);
        return;
    case OptimizerName::Shampoo:
        addShampoo(t, ledger);
        return;
    case OptimizerName::Sgd:
    case OptimizerName::None:
        return;
    }
}

} // namespace vramscope
