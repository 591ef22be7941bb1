// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/formulas/inventory.h"
#include "core/estimate/formulas/ledger.h"
#include "core/estimate/formulas/stored_weights.h"
#include "core/settings/schedules/schedule.h"
#include "core/settings/settings.h"

#include <vector>

namespace vramscope {

/// The inputs of every formula of a training step: the settings and one rank's inventory.
struct Training
{
    Training(const Settings &settings, const RankInventory &rank);

    const Settings &s;
    const RankInventory &rank;
    Exact tokens;          ///< T = b · s / c, in one micro-batch
    Exact sourceTokens;    ///< the same of the sequences that an encoder reads
    Degrees dense, expert; ///< of state sharding
    Share trained; ///< parameters that have gradients and states: all, or those of the adapters
    std::int64_t gathered = 2; ///< bytes of a parameter gathered by FSDP
    std::int64_t residual = 2; ///< bytes of an element of the residual stream
    std::int64_t flights = 1;  ///< chunks of blocks whose activations a pipeline stage keeps
    std::int64_t chunks = 1;   ///< chunks that the stage's blocks are cut into
    std::int64_t trainedWeight = 2, trainedGradient = 2; ///< bytes of a trained parameter

    /// The tokens that a block of a kind works on.
    [[nodiscard]] Exact tokensOf(const BlockKind &kind) const
    {
        return kind.encodes() ? sourceTokens : tokens;
    }
    [[nodiscard]] bool fsdp() const
    {
        return s.strategy == Strategy::Fsdp1 || s.strategy == Strategy::Fsdp2;
    }
    [[nodiscard]] bool megatron() const { return isMegatron(s); }
    [[nodiscard]] bool lora() const { return s.adapters.kind == AdapterKind::Lora; }
    [[nodiscard]] bool dtensor() const { return isDTensor(s); }
    [[nodiscard]] bool autocast() const { return isAutocast(s); }
    /// Units are gathered and freed block by block.
    [[nodiscard]] bool reshards() const
    {
        return fsdp() && dense.weights > 1 &&
               (s.sharding == Sharding::FullShard || s.sharding == Sharding::HybridShard);
    }
    [[nodiscard]] bool gathersOnce() const
    {
        return fsdp() && dense.weights > 1 && s.sharding == Sharding::ShardGradOp;
    }
    [[nodiscard]] bool inBackward() const
    {
        return s.optimizer.implementation == OptimizerImplementation::InBackward &&
               s.optimizer.name != OptimizerName::None;
    }
    /// The optimizer's states, and the gradients that it reads, are on the host.
    [[nodiscard]] bool statesOnHost() const
    {
        return s.optimizer.offload || (s.cpuOffload && fsdp());
    }
    /// The distributed optimizer gives each tensor whole to one rank.
    [[nodiscard]] bool ownsTensors() const
    {
        return s.optimizer.partition == StatePartition::Tensors &&
               s.optimizer.name == OptimizerName::Muon &&
               s.strategy == Strategy::MegatronDistributedOptimizer && !lora();
    }
    /// DeepSpeed divides states among GPUs.
    [[nodiscard]] bool zero() const { return dense.optimizer > 1 && isZero(s); }
    [[nodiscard]] bool zero3() const { return zero() && s.strategy == Strategy::Zero3; }
    /// ZeRO-1 or ZeRO-2 averages gradients in a buffer of the rank's own on the GPU.
    [[nodiscard]] bool averages() const
    {
        return zero() && !zero3() && castsGradients() && !s.optimizer.offload && !lora();
    }
    /// The step works on an fp32 copy of 16-bit gradients (DeepSpeed).
    [[nodiscard]] bool castsGradients() const
    {
        return s.masterWeightBytes > 0 && trainedGradient < 4 && !megatron();
    }
    /// All forward passes of a step come before its first backward pass, which then finds no
    /// gradients of the step yet.
    [[nodiscard]] bool forwardFirst() const
    {
        return s.pipeline > 1 && s.accumulationSteps > 1 &&
               Exact(flights) == Exact(s.accumulationSteps) * s.virtualStages && !megatron() &&
               s.optimizer.zeroGrad != ZeroGrad::Never;
    }
    /// Gradients keep their unsharded size until the last micro-batch.
    [[nodiscard]] bool keepsUnsharded() const
    {
        return s.noSync && s.accumulationSteps > 1 && dense.gradients > 1;
    }
};

/// The positions of a step that may be its peak: every moment, and within forward and backward the
/// blocks at which a part's course turns. Between them all courses are straight lines.
[[nodiscard]] std::vector<Position> turningPoints(const Training &training);

/// All parts of a training step, added up at `positions`.
[[nodiscard]] Ledger trainingLedger(const Training &training, std::vector<Position> positions,
                                    bool texts);

/// Tensors of the size of a tied embedding that exist at once while the gradients of head and
/// embedding are added up; 0 where nothing is tied. PyTorch csrc/autograd/input_buffer.cpp.
[[nodiscard]] std::int64_t tiedGradients(const Training &training);

// One function per subject; each appends its parts, which name their own sources.
void addStates(const Training &training, Ledger &ledger);
/// The partitions of gradients that DeepSpeed's ZeRO keeps, and `tied` gradients of a tied
/// embedding before their sum. False where whole gradients, or those of another strategy, come in
/// addition or instead.
bool addZeroGradients(const Training &training, Ledger &ledger, std::int64_t tied);
/// The units that FSDP gathers and reduces.
void addFsdpUnits(const Training &training, Ledger &ledger);
/// Linear layers save NVFP4 codes of their inputs and weights in place of the tensors.
[[nodiscard]] bool savesCodes(const Training &training);
/// When ZeRO's flat gradients exist in the first step: not with the states that it makes, where
/// these take more.
[[nodiscard]] PhaseSet flatInFirstStep(const Training &training);
/// The bucket of ZeRO-1 and ZeRO-2 where the head's gradient, the first of a pass, makes it.
[[nodiscard]] Exact bucketOfFirstGradient(const Training &training);
/// DeepSpeed's buckets and gathered weights.
void addZeroBuffers(const Training &training, Ledger &ledger);
void addOptimizerStates(const Training &training, Ledger &ledger);
void addActivations(const Training &training, Ledger &ledger);
/// The images of a batch, and the tensors that the vision tower keeps of them (trained_tower.cpp).
void addVisionTower(const Training &training, Ledger &ledger);
/// What a model that reads a source keeps outside its blocks (source_model.cpp).
void addSource(const Training &training, Ledger &ledger);
/// The pictures of a model that reads nothing else (source_model.cpp).
void addPictures(const Training &training, Ledger &ledger);
void addLoss(const Training &training, Ledger &ledger);
void addBuffers(const Training &training, Ledger &ledger);
void addWeightCopies(const Training &training, Ledger &ledger);
void addParallelBuffers(const Training &training, Ledger &ledger);
/// The tokens that an all-gather brings to a rank's experts from those who share them.
[[nodiscard]] Exact gatheredRows(const Training &training);
/// The rows that leave for and come from the experts of other ranks.
[[nodiscard]] Exact exchangedRows(const Training &training);
void addStepTemporaries(const Training &training, Ledger &ledger);
void addOverheads(const Training &training, Ledger &ledger);
/// Memory that Megatron-Core's modules keep from one step to the next.
void addMegatronHeld(const Training &training, Ledger &ledger);

/// Traffic from the GPU to others in a step, in the parts of StepWork.
struct Communication
{
    struct Part
    {
        Exact bytes;
        double passes = 0;
        void add(const Exact &more, double inPasses)
        {
            bytes += more;
            passes += inPasses;
        }
    };
    Part shards;
    Part replicas;
    Part blocks;
    Part experts;
    [[nodiscard]] Exact total() const
    {
        return shards.bytes + replicas.bytes + blocks.bytes + experts.bytes;
    }
};
[[nodiscard]] Communication communicationOf(const Training &training);

/// count · bytes of each group, divided over the group's degree and rounded up to whole parameters.
[[nodiscard]] Exact sharded(Share count, std::int64_t bytes, std::int64_t denseDegree,
                            std::int64_t expertDegree);

/// The name of a part that is whole, or divided over `degree` ranks.
[[nodiscard]] constexpr std::string_view named(std::string_view whole, std::string_view shards,
                                               std::int64_t degree)
{
    return degree > 1 ? shards : whole;
}

/// The source of the bytes of a trained parameter.
[[nodiscard]] Origin trainedOrigin(const Training &training);

/// What a part is, without its bytes.
struct LedgerPart
{
    Category category;
    std::string_view name;
    PhaseSet when;
    Origin origin;
    PhaseSet firstStep = when;
};
/// Adds `bytes` a parameter of `count`, spread over a degree of the dense and of the expert
/// parameters, with the formula that fits them.
void addSharded(const Training &training, Share count, const LedgerPart &part, std::int64_t bytes,
                std::int64_t Degrees::*spread, Ledger &ledger);

/// Matrices that the optimizer updates, as one rank has them before sharding: embedding and head
/// (in no block), the linear layers of the blocks, or the factors of the adapters.
struct TrainedMatrix
{
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t count = 0;
    bool ofBlock = true;
    bool expert = false;
    bool startsAtZero = false; ///< the second factor of an adapter
};
[[nodiscard]] std::vector<TrainedMatrix> trainedMatrices(const Training &training);
/// The parameters whose first values Prodigy keeps: those of tensors that do not start at zero.
[[nodiscard]] Share prodigyOrigins(const Training &training);
/// The parameters of the blocks' matrices, which Muon orthogonalises; AdamW updates the rest.
[[nodiscard]] Share muonParameters(const Training &training);
/// Whole tensors of the rank that updates most of them, where each belongs to one rank.
struct OwnTensors
{
    std::int64_t matrices = 0; ///< parameters that Muon orthogonalises
    std::int64_t rest = 0;
};
[[nodiscard]] OwnTensors ownTensors(const Training &training);
[[nodiscard]] Exact largestMuonUpdate(const Training &training);

/// The frozen base of an adapter as it is stored.
[[nodiscard]] StoredWeights quantisedBase(const Training &training);

} // namespace vramscope
