// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/offload.h"

#include <algorithm>

namespace vramscope {

namespace {

/// Lists of parameter size that the optimizer's foreach implementation makes in addition to its
/// states: Adam's denominators, Lion's signs; SGD updates in place.
bool foreachCopies(OptimizerName name)
{
    return name == OptimizerName::AdamW || name == OptimizerName::Adam ||
           name == OptimizerName::AdamWScheduleFree || name == OptimizerName::Lion ||
           name == OptimizerName::Shampoo;
}

/// Bytes per element of the tensors that the update of one parameter has at once, without weights,
/// gradient and states. Measured: tests/measure, family "optimizer".
std::int64_t updateBytes(OptimizerName name, std::int64_t weightBytes)
{
    switch (name) {
    case OptimizerName::AdamW:
    case OptimizerName::Adam: // the root of the second moment, and its quotient by the correction
    case OptimizerName::Lion: // the mean times beta and the update; lion-pytorch, update_fn
        return 2 * weightBytes;
    case OptimizerName::AdafactorTorch:
        return weightBytes; // the update; the second moment is a product of rows and columns
    case OptimizerName::Adafactor:
        // transformers': the squared gradient and its sum with epsilon, later the update and its
        // negative, in fp32; with fp32 copies of gradient and weight where these are narrower.
        return weightBytes == 4 ? 8 : 16;
    default:
        return weightBytes;
    }
}

/// Elements that the step updates at a time: the rank's share, of which ZeRO-3 takes a sub-group.
Exact elementsOfStep(const Training &t)
{
    const Exact share = sharded(t.trained, 1, t.dense.optimizer, t.expert.optimizer);
    return t.zero3() ? std::min(share, Exact(t.s.bucket.subGroup)) : share;
}

/// Whether the update goes through the parameters one tensor at a time.
bool singly(const Training &t)
{
    const OptimizerName name = t.s.optimizer.name;
    const bool inPlace = name == OptimizerName::Sgd || name == OptimizerName::SgdMomentum;
    return !inPlace && name != OptimizerName::Muon &&
           (t.s.optimizer.implementation == OptimizerImplementation::ForLoop ||
            (t.inBackward() && foreachCopies(name)) || name == OptimizerName::Adafactor ||
            name == OptimizerName::AdafactorTorch || name == OptimizerName::Prodigy);
}

bool inLists(const Training &t)
{
    return foreachCopies(t.s.optimizer.name) &&
           t.s.optimizer.implementation == OptimizerImplementation::Foreach;
}

void addLargestUpdate(const Training &t, Ledger &ledger, std::int64_t bytes, std::int64_t largest,
                      PhaseSet when)
{
    const std::int64_t d = t.dense.optimizer;
    ledger.add(Category::TemporaryBuffers, "Update of the largest tensor",
               {"{} n_max / D", {bytes, over(largest, d)}}, when,
               {"A for-loop over tensors holds one update at a time; measured: tests/measure",
                Evidence::Verified},
               d);
}

/// Muon orthogonalises one matrix at a time, whole; AdamW updates the rest, by lists or one tensor
/// at a time. The larger of both is the step's.
void addMuonTemporaries(const Training &t, Ledger &ledger, std::int64_t w)
{
    const Exact update = largestMuonUpdate(t);
    const Share matrices = muonParameters(t);
    const Share rest = {t.trained.dense - matrices.dense, t.trained.expert - matrices.expert};
    const std::int64_t d = t.dense.optimizer;
    const PhaseSet when = t.inBackward() ? PhaseSet{StepPhase::Backward, StepPhase::EndOfBackward}
                                         : PhaseSet{StepPhase::Step};
    const bool lists = t.s.optimizer.implementation == OptimizerImplementation::Foreach;
    if (lists && sharded(rest, w, d, t.expert.optimizer) > update) {
        addSharded(
            t, rest,
            {Category::TemporaryBuffers,
             "Foreach temporaries of AdamW",
             when,
             {"AdamW's list for embeddings, head and vectors; torch.optim", Evidence::Sourced}},
            w, &Degrees::optimizer, ledger);
        return;
    }
    const std::int64_t largest = std::min(t.rank.largestTensor, rest.total());
    const std::int64_t bytes = updateBytes(OptimizerName::AdamW, w);
    const bool oneByOne =
        t.inBackward() || t.s.optimizer.implementation == OptimizerImplementation::ForLoop;
    if (oneByOne && Exact(bytes) * dividedUp(Exact(largest), d) > update) {
        addLargestUpdate(t, ledger, bytes, largest, when);
        return;
    }
    ledger.add(Category::TemporaryBuffers, "Orthogonalised update", update, when,
               {"Newton–Schulz of the largest matrix: the update, the iterate and its successor in "
                "bf16, two products of the shorter side; torch.optim.Muon",
                Evidence::Sourced, 0.2},
               {"(4 + {}) rows · columns + 4 rows² = {}", {t.trainedWeight, update.value()}});
}

/// A list, or for ZeRO the update of a partition (one flat tensor), of the elements that the step
/// takes at a time.
void addUpdateOfPartition(const Training &t, Ledger &ledger, std::int64_t bytes)
{
    const Exact elements = elementsOfStep(t);
    ledger.add(
        Category::TemporaryBuffers,
        inLists(t) ? "Foreach temporaries" : "Update of the flat partition",
        {"{} G", {bytes, elements}}, {StepPhase::Step},
        {"The optimizer sees each flat partition of ZeRO, or sub-group of it, as one tensor; "
         "DeepSpeed runtime/zero/stage3.py and stage_1_and_2.py",
         Evidence::Sourced},
        t.dense.optimizer);
}

/// ZeRO makes a flat copy of the gradients that the step takes at a time, and an fp32 copy of that;
/// the flat one is gone when the optimizer begins, which in the first step makes its states.
/// `update` is the optimizer's bytes per element.
void addZeroStep(const Training &t, Ledger &ledger, std::int64_t update)
{
    const Exact elements = elementsOfStep(t);
    const std::int64_t d = t.dense.optimizer;
    const std::int64_t g = t.trainedGradient;
    const Origin origin = {
        "Flat gradients of a partition, in ZeRO-3 of a sub-group, and their cast; "
        "DeepSpeed runtime/zero/stage3.py and stage_1_and_2.py",
        Evidence::Sourced};
    const std::int64_t master = t.s.masterWeightBytes; // the type of what the step works on
    const bool widens = t.castsGradients() && master > g;
    if (widens)
        ledger.add(Category::TemporaryBuffers, "Gradients in fp32 for the step",
                   {"{} G", {master, elements}}, {StepPhase::Step}, origin, d);
    if (!widens || update < g)
        ledger.add(Entry{Category::TemporaryBuffers,
                         "Flat copy of the gradients",
                         Exact(g) * elements,
                         {StepPhase::Step},
                         flatInFirstStep(t),
                         origin,
                         d},
                   {"{} G = {} × {}", {g, g, elements.value()}});
}

/// Memory of ZeRO's step without states and gradients; false where it is as without ZeRO.
bool addZeroTemporaries(const Training &t, Ledger &ledger, std::int64_t w)
{
    const bool flat = t.zero3() || (t.zero() && t.castsGradients());
    if (!flat || t.inBackward())
        return false;
    const bool muon = t.s.optimizer.name == OptimizerName::Muon;
    const std::int64_t update = inLists(t) || muon ? w
                                : singly(t)        ? updateBytes(t.s.optimizer.name, w)
                                                   : 0;
    if (muon)
        addMuonTemporaries(t, ledger, w);
    else if (update > 0)
        addUpdateOfPartition(t, ledger, update);
    addZeroStep(t, ledger, update);
    return true;
}

} // namespace

PhaseSet flatInFirstStep(const Training &t)
{
    const Exact states =
        Exact::ceiling(t.s.optimizer.stateBytes * static_cast<double>(momentsOf(t).value()));
    const Exact flat = Exact(2 * t.trainedGradient) * elementsOfStep(t);
    const bool widens = t.s.masterWeightBytes > t.trainedGradient;
    return widens && !t.statesOnHost() && states >= flat ? PhaseSet() : PhaseSet{StepPhase::Step};
}

void addStepTemporaries(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    const std::int64_t w = s.masterWeightBytes > 0 ? s.masterWeightBytes : t.trainedWeight;
    if (s.optimizer.name == OptimizerName::None || t.statesOnHost())
        return;
    if (addZeroTemporaries(t, ledger, w))
        return;
    if (s.optimizer.name == OptimizerName::Muon)
        addMuonTemporaries(t, ledger, w);
    if (inLists(t))
        addSharded(t, t.trained,
                   {Category::TemporaryBuffers,
                    "Foreach temporaries",
                    {StepPhase::Step},
                    {"torch's foreach implementation makes one list of all local parameters' size; "
                     "measured: fms-acceleration A100 benchmarks",
                     Evidence::Verified}},
                   w, &Degrees::optimizer, ledger);
    if (singly(t)) {
        const std::int64_t largest = std::min(t.rank.largestTensor, t.trained.total());
        const PhaseSet when = t.inBackward()
                                  ? PhaseSet{StepPhase::Backward, StepPhase::EndOfBackward}
                                  : PhaseSet{StepPhase::Step};
        addLargestUpdate(t, ledger, updateBytes(s.optimizer.name, w), largest, when);
    }
    if (t.castsGradients())
        addSharded(t, t.trained,
                   {Category::TemporaryBuffers,
                    "Gradients in fp32 for the step",
                    {StepPhase::Step},
                    {"The partition of the gradients is cast and dropped; DeepSpeed docs, memory "
                     "requirements",
                     Evidence::Sourced}},
                   4, &Degrees::optimizer, ledger);
}

} // namespace vramscope
