// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reconcile/parameter_tensors.h"

#include "core/estimate/estimate.h"
#include "core/model/blocks/state_mixers.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace vramscope {

namespace {

/// Collects tensors and says what a rank keeps of each.
class TensorList
{
public:
    explicit TensorList(const Training &training)
        : m_t(training)
    {
    }

    void add(ParameterTensor tensor)
    {
        if (tensor.elements() <= 0 || tensor.elements().overflowed())
            return;
        const Degrees &degrees = tensor.expert ? m_t.expert : m_t.dense;
        const Exact rows = dividedUp(Exact(tensor.count) * tensor.rows, degrees.weights);
        tensor.shard = (rows * tensor.columns).value();
        m_tensors.push_back(std::move(tensor));
    }
    void addVector(std::string_view name, std::int64_t length, std::int64_t divisor = 1)
    {
        add({.name = std::string(name),
             .rows = dividedUp(Exact(length), divisor).value(),
             .trained = !m_t.lora()});
    }
    [[nodiscard]] std::vector<ParameterTensor> take() { return std::move(m_tensors); }

private:
    const Training &m_t;
    std::vector<ParameterTensor> m_tensors;
};

bool joinsMatrices(const Training &t)
{
    const bool serves = t.s.workload == Workload::Inference && t.s.engine == Engine::Vllm;
    return serves || t.megatron();
}

/// What the tensor is called that a matrix is, or is a part of.
std::string tensorOf(const Training &t, const Matrix &matrix, bool moe)
{
    const Architecture &a = t.s.architecture;
    const std::string own = matrix.module == "expert"       ? "experts' "
                            : matrix.module == "mlp" && moe ? "shared expert's "
                                                            : "";
    const bool attention = matrix.module == "attention";
    if (attention && a.mla() && matrix.target != "o") {
        const bool queries = matrix.target == "q";
        if (queries && a.qLoraRank == 0)
            return "q";
        const bool down = matrix.split == Split::None;
        return std::string(queries ? "q" : "kv") + (down ? "_a" : "_b");
    }
    if (attention && matrix.target != "o" && (a.fusedQkv || joinsMatrices(t)))
        return "qkv";
    if (joinsMatrices(t) && a.gatedMlp && (matrix.target == "gate" || matrix.target == "up"))
        return own + "gate and up";
    return own + std::string(matrix.target);
}

/// The matrices of a block; those that share a tensor stand one behind the other.
std::vector<ParameterTensor> matrixTensors(const Training &t, const RankGroup &group)
{
    const bool moe = group.kind.feedForward == FeedForward::Experts;
    std::vector<ParameterTensor> tensors;
    for (const Matrix &matrix : group.matrices) {
        const Matrix held = heldBy(t.s, matrix);
        std::string name = tensorOf(t, matrix, moe);
        if (!tensors.empty() && tensors.back().name == name) {
            tensors.back().rows += held.out;
            continue;
        }
        tensors.push_back({.name = std::move(name),
                           .count = std::max<std::int64_t>(held.count, 1),
                           .rows = held.out,
                           .columns = held.in,
                           .expert = held.module == "expert",
                           .trained = !t.lora()});
    }
    return tensors;
}

void addAttentionVectors(const Training &t, const RankGroup &group, TensorList &list)
{
    const Architecture &a = t.s.architecture;
    const AttentionShape shape = a.attentionOf(group.kind);
    if (a.mla()) {
        list.addVector("norm of q_a", a.qLoraRank);
        list.addVector("norm of kv_a", a.kvLoraRank);
        return;
    }
    const std::int64_t query = shape.queryWidth();
    const std::int64_t keyValue = heldHeads(t.s, shape) * shape.headDim;
    if (a.bias.qkv && (a.fusedQkv || joinsMatrices(t))) {
        list.addVector("bias of qkv", query + 2 * keyValue, t.s.tensor);
    } else if (a.bias.qkv) {
        list.addVector("bias of q", query, t.s.tensor);
        list.addVector("bias of k", keyValue, t.s.tensor);
        list.addVector("bias of v", keyValue, t.s.tensor);
    }
    if (a.bias.o)
        list.addVector("bias of o", a.hidden);
    if (a.qkNorm) {
        list.addVector("norm of q", a.qkNormWhole ? query : shape.headDim,
                       a.qkNormWhole ? t.s.tensor : 1);
        list.addVector("norm of k", a.qkNormWhole ? keyValue : shape.headDim,
                       a.qkNormWhole ? t.s.tensor : 1);
    }
    if (shape.sinks)
        list.addVector("attention sinks", shape.heads, t.s.tensor);
}

void addFeedForwardVectors(const Training &t, const RankGroup &group, TensorList &list)
{
    const bool moe = group.kind.feedForward == FeedForward::Experts;
    const Architecture &a = t.s.architecture;
    if (moe) {
        list.addVector("gate of the shared expert", a.sharedGate ? a.hidden : 0);
        list.addVector("bias of the router", a.bias.router ? a.experts : 0);
        list.addVector("scale of the router", a.routerScales ? a.hidden : 0);
        list.addVector("scales of the experts", a.routerScales ? a.experts : 0);
        list.addVector("correction bias", a.routerCorrectionBias ? a.experts : 0);
    }
    if (moe ? !a.bias.expert : !a.bias.mlp)
        return;
    for (const Matrix &matrix : group.matrices) {
        if (matrix.module != (moe ? "expert" : "mlp"))
            continue;
        const Matrix held = heldBy(t.s, matrix);
        list.add({.name = "bias of " + tensorOf(t, matrix, moe),
                  .count = std::max<std::int64_t>(held.count, 1),
                  .rows = held.out,
                  .expert = moe,
                  .trained = !t.lora()});
    }
}

/// What a mixer that keeps a state has beside its matrices.
std::int64_t mixerRest(const Training &t, const RankGroup &group)
{
    const Architecture &a = t.s.architecture;
    std::int64_t rest = mixerParameters(a, group.kind, t.s.tensor);
    for (const Matrix &matrix : group.matrices)
        rest -= matrix.module == "mixer" ? heldBy(t.s, matrix).elements() : 0;
    return rest;
}

void addAdapters(const Training &t, const RankGroup &group, TensorList &list)
{
    const bool moe = group.kind.feedForward == FeedForward::Experts;
    const std::int64_t rank = t.s.adapters.rank;
    for (const Matrix &matrix : group.matrices) {
        if (!t.lora() || !adapted(t.s, matrix))
            continue;
        const Matrix held = heldBy(t.s, matrix);
        const std::int64_t count = std::max<std::int64_t>(held.count, 1);
        const bool expert = held.module == "expert";
        const std::string name = "adapter of " + tensorOf(t, matrix, moe);
        if (held.modules > 0)
            list.add({name + ", A", count * held.modules, rank, held.in, expert});
        list.add({name + ", B", count, held.out, rank, expert});
    }
}

/// `tensors` as one flat buffer, for each kind of degree.
void addFlat(const std::vector<ParameterTensor> &tensors, const std::string &name, TensorList &list,
             bool trained)
{
    for (const bool expert : {false, true}) {
        Exact elements;
        for (const ParameterTensor &tensor : tensors)
            if (tensor.expert == expert && tensor.trained == trained)
                elements += tensor.elements();
        list.add({.name = expert ? name + ", experts" : name,
                  .rows = elements.value(),
                  .expert = expert,
                  .trained = trained});
    }
}

void append(std::vector<ParameterTensor> &all, const std::vector<ParameterTensor> &more)
{
    all.insert(all.end(), more.begin(), more.end());
}

std::vector<ParameterTensor> unitsOf(const Training &t)
{
    TensorList list(t);
    std::vector<ParameterTensor> root = tensorsBefore(t);
    append(root, tensorsBehind(t));
    for (const bool trained : {false, true})
        addFlat(root, "root unit", list, trained);
    for (std::int64_t block = 0; block < t.rank.layers(); ++block)
        for (const bool trained : {false, true})
            addFlat(blockTensors(t, t.rank.groupOf(block)),
                    "unit of block " + std::to_string(t.rank.firstLayer + block), list, trained);
    return list.take();
}

} // namespace

std::vector<ParameterTensor> blockTensors(const Training &t, const RankGroup &group)
{
    const Architecture &a = t.s.architecture;
    TensorList list(t);
    for (ParameterTensor &tensor : matrixTensors(t, group))
        list.add(std::move(tensor));
    if (group.kind.attends())
        addAttentionVectors(t, group, list);
    if (group.kind.keepsState())
        list.addVector("convolution and vectors of the mixer", mixerRest(t, group));
    addFeedForwardVectors(t, group, list);
    const bool experts = group.kind.feedForward == FeedForward::Experts;
    const std::int64_t norms = a.normsPerLayer + (experts ? a.expertNorms : 0);
    for (std::int64_t norm = 0; norm < norms; ++norm)
        for (std::int64_t vector = 0; vector < a.normVectors(); ++vector)
            list.addVector(vector == 0 ? "norm" : "bias of the norm", a.hidden);
    addAdapters(t, group, list);
    return list.take();
}

std::vector<ParameterTensor> tensorsBefore(const Training &t)
{
    const Architecture &a = t.s.architecture;
    TensorList list(t);
    if (!t.rank.hasEmbedding)
        return {};
    const std::int64_t rows = dividedUp(Exact(a.vocab), embeddingSplit(t.s)).value();
    const bool trained = !t.lora();
    list.add({.name = "embedding", .rows = rows, .columns = a.hidden, .trained = trained});
    list.add(
        {.name = "positions", .rows = a.learnedPositions, .columns = a.hidden, .trained = trained});
    list.add({.name = "token types", .rows = a.typeVocab, .columns = a.hidden, .trained = trained});
    return list.take();
}

std::vector<ParameterTensor> tensorsBehind(const Training &t)
{
    const Architecture &a = t.s.architecture;
    TensorList list(t);
    const std::int64_t rows = dividedUp(Exact(a.vocab), embeddingSplit(t.s)).value();
    const std::int64_t weights = a.tiedEmbeddings && t.rank.hasEmbedding ? 0 : rows;
    if (t.rank.hasHead) {
        for (std::int64_t vector = 0; vector < a.normVectors(); ++vector)
            list.addVector(vector == 0 ? "final norm" : "bias of the final norm", a.hidden);
        list.add({.name = "head", .rows = weights, .columns = a.hidden, .trained = !t.lora()});
        list.addVector("bias of the head", a.bias.head ? rows : 0);
    }
    list.addVector("others", t.rank.extra);
    const TextList &targets = t.s.adapters.targets;
    if (t.lora() && t.rank.hasHead && std::ranges::find(targets, "head") != targets.end()) {
        list.add({.name = "adapter of head, A", .rows = t.s.adapters.rank, .columns = a.hidden});
        list.add({.name = "adapter of head, B", .rows = rows, .columns = t.s.adapters.rank});
    }
    return list.take();
}

std::vector<ParameterTensor> parameterTensors(const Plan &plan)
{
    const Estimate figures = estimate(plan);
    if (!figures.computed || figures.settings->diffusion) // whose components are no blocks
        return {};
    const Settings s = resolve(plan).settings;
    const RankInventory rank = rankOf(s, countParameters(s.architecture), figures.stage);
    const Training t(s, rank);
    const bool trains = s.workload == Workload::Training;
    if (trains && s.strategy == Strategy::Fsdp1 && t.dense.weights > 1)
        return unitsOf(t);
    std::vector<ParameterTensor> all = tensorsBefore(t);
    for (std::int64_t block = 0; block < rank.layers(); ++block) {
        for (ParameterTensor &tensor : blockTensors(t, rank.groupOf(block))) {
            tensor.name = "block " + std::to_string(rank.firstLayer + block) + ": " + tensor.name;
            all.push_back(std::move(tensor));
        }
    }
    append(all, tensorsBehind(t));
    // DeepSpeed's bit16_groups_flat and ZeRO-3's partitions, Megatron's param_data.
    const bool flat = s.strategy == Strategy::Zero1 || s.strategy == Strategy::Zero2 ||
                      s.strategy == Strategy::Zero3 ||
                      s.strategy == Strategy::MegatronDistributedOptimizer;
    if (!trains || !flat)
        return all;
    TensorList list(t);
    for (const bool trained : {false, true})
        addFlat(all, trained ? "trained weights" : "frozen weights", list, trained);
    return list.take();
}

} // namespace vramscope
