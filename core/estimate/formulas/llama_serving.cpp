// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/llama_serving.h"

#include "core/catalog/formats.h"
#include "core/llama_cpp/llama_fit.h"
#include "core/llama_cpp/llama_mix.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

/// Writes the tensors of a plan's model under llama.cpp's names (src/llama-arch.cpp).
class LlamaWriter
{
public:
    explicit LlamaWriter(const Settings &settings)
        : m_a(settings.architecture)
        , m_layers(settings.architecture.layers)
    {
    }

    void addBlock(std::int64_t layer, const std::vector<Matrix> &matrices,
                  const BlockParameters &counts);
    void addEnds(const ParameterCounts &counts, std::int64_t beside);
    [[nodiscard]] std::vector<LlamaTensor> take() { return std::move(m_tensors); }

private:
    void add(std::string name, std::vector<std::int64_t> shape)
    {
        m_elements += elementsOf(shape).value();
        m_tensors.push_back(placedTensor({std::move(name), {}, std::move(shape), 0}, m_layers, 0));
    }
    void add(const std::string &block, const Matrix &matrix, bool hasExperts);
    /// Norms, biases and all other tensors of a block except its matrices.
    void addVector(std::string name, std::int64_t elements)
    {
        if (elements > 0)
            add(std::move(name), {elements});
    }

    const Architecture &m_a;
    std::int64_t m_layers;
    std::int64_t m_elements = 0; ///< of the block
    std::vector<LlamaTensor> m_tensors;
};

void LlamaWriter::add(const std::string &block, const Matrix &matrix, bool hasExperts)
{
    const std::string target(matrix.target);
    if (matrix.module == "attention") {
        const bool isLatent = m_a.mla() && matrix.target == "v";
        if (isLatent) { // two products, of the keys' part and of the values'
            add(block + "attn_k_b.weight", {m_a.heads, m_a.kvLoraRank, m_a.qkNopeHeadDim});
            add(block + "attn_v_b.weight", {m_a.heads, m_a.vHeadDim, m_a.kvLoraRank});
            return;
        }
        const std::string name = target == "o"                ? "attn_output"
                                 : m_a.mla() && target == "k" ? "attn_kv_a_mqa"
                                 : m_a.mla() && target == "q" ? "attn_q_b"
                                                              : "attn_" + target;
        add(block + name + ".weight", {matrix.out, matrix.in});
        return;
    }
    if (matrix.module == "expert") {
        add(block + "ffn_" + target + "_exps.weight", {matrix.count, matrix.out, matrix.in});
        return;
    }
    const std::string name = matrix.module == "mlp" ? "ffn_" + target + (hasExperts ? "_shexp" : "")
                             : matrix.target == "router" ? "ffn_gate_inp"
                             : matrix.module == "router" ? "ffn_latent_" + target
                                                         : "ssm_" + target;
    add(block + name + ".weight", {matrix.out, matrix.in});
}

void LlamaWriter::addBlock(std::int64_t layer, const std::vector<Matrix> &matrices,
                           const BlockParameters &counts)
{
    const std::string block = "blk." + std::to_string(layer) + '.';
    const bool hasExperts =
        std::ranges::find(matrices, "expert", &Matrix::module) != matrices.end();
    m_elements = 0;
    if (m_a.fusedQkv && !m_a.mla()) {
        Matrix fused{"qkv", "attention", m_a.hidden, 0};
        for (const Matrix &each : matrices)
            if (each.module == "attention" && each.target != "o" && each.in == m_a.hidden)
                fused.out += each.out;
        if (fused.out > 0)
            add(block, fused, hasExperts);
    }
    for (const Matrix &each : matrices) {
        const bool isFused = m_a.fusedQkv && !m_a.mla() && each.module == "attention" &&
                             each.target != "o" && each.in == m_a.hidden;
        for (std::int64_t i = 0; !isFused && i < (each.module == "expert" ? 1 : each.count); ++i)
            add(block, each, hasExperts);
    }
    addVector(block + "attn_norm.weight", counts.total() - m_elements);
}

void LlamaWriter::addEnds(const ParameterCounts &counts, std::int64_t beside)
{
    add("token_embd.weight", {m_a.vocab, m_a.hidden});
    if (counts.positions > 0)
        add("position_embd.weight", {counts.positions / m_a.hidden, m_a.hidden});
    addVector("output_norm.weight", counts.finalNorm);
    if (counts.head > 0) {
        add("output.weight", {m_a.vocab, m_a.hidden});
        addVector("output.bias", counts.head - m_a.vocab * m_a.hidden);
    }
    addVector("cls.weight", counts.extra + beside);
}

/// Layers that slide under llama.cpp: 0 for models all of whose layers do, since llama.cpp has no
/// class with a window for them (src/models).
std::vector<bool> slidingOf(const Architecture &a)
{
    std::vector<bool> slides(static_cast<std::size_t>(a.layers));
    bool attendsFully = false;
    for (std::size_t i = 0; i < slides.size(); ++i) {
        const BlockKind kind = a.kindOf(static_cast<std::int64_t>(i));
        slides[i] = kind.attends() && slidesOver(a, static_cast<std::int64_t>(i));
        attendsFully = attendsFully || (kind.attends() && !slides[i]);
    }
    return attendsFully ? slides : std::vector<bool>(slides.size());
}

void addLayers(const Settings &s, LlamaModel &model)
{
    const Architecture &a = s.architecture;
    const std::vector<bool> slides = slidingOf(a);
    for (std::int64_t i = 0; i < a.layers; ++i) {
        const BlockKind kind = a.kindOf(i);
        LlamaLayer layer;
        layer.window = slides[static_cast<std::size_t>(i)];
        if (kind.attends() && !kind.borrowsKeys) {
            const AttentionShape shape = a.attentionOf(kind);
            layer.keyWidth = a.mla() ? a.kvLoraRank + a.qkRopeHeadDim : shape.keyWidth();
            layer.valueWidth = a.mla() ? 0 : shape.valueWidth();
        }
        model.heads = std::max(model.heads, a.attentionOf(kind).heads);
        model.feedForward = std::max(model.feedForward, a.ffnOf(kind));
        model.layers.push_back(layer);
    }
}

/// The type of a cache with elements of this size, mean of keys and values.
TensorType cacheType(double bytes)
{
    if (bytes == 2)
        return *findTensorType("F16");
    constexpr std::int64_t kBlock = 32;
    return {"cache", std::llround(bytes * 8 * kBlock), false, kBlock};
}

} // namespace

bool isLlamaFormat(const Settings &s)
{
    const std::string_view format = choiceText(s.weightFormat);
    return findWeightStorage(format)->gguf || format == "bf16" || format == "fp16" ||
           format == "fp32" || (format == "mxfp4" && s.architecture.moe());
}

LlamaModel llamaModelOf(const Settings &settings)
{
    const Architecture &a = settings.architecture;
    LlamaModel model;
    model.architecture = a.modelType;
    model.trainedContext = a.maxPositions;
    model.width = a.hidden;
    model.experts = a.experts;
    model.expertsUsed = a.expertsPerToken;
    model.expertFeedForward = a.expertFfn;
    model.vocabulary = a.vocab;
    model.window = a.slidingWindow;
    model.tied = a.tiedEmbeddings;
    addLayers(settings, model);

    Settings whole = settings;
    whole.tensor = whole.pipeline = 1;
    const ParameterCounts counts = countParameters(a);
    LlamaWriter writer(settings);
    for (std::int64_t i = 0; i < a.layers; ++i) {
        const BlockKind kind = a.kindOf(i);
        const auto group = std::ranges::find(counts.groups, kind, &BlockGroup::kind);
        if (group != counts.groups.end())
            writer.addBlock(i, blockMatrices(whole, kind), group->each);
    }
    writer.addEnds(counts, settings.model.parametersOverride > 0
                               ? settings.model.parametersOverride - counts.total
                               : 0);
    model.tensors = writer.take();
    const bool is70B = a.layers == 80 && a.kvHeads != a.heads &&
                       (a.modelType == "llama" || a.modelType == "qwen2");
    mixTensors(choiceText(settings.weightFormat),
               {a.layers, a.kvHeads > 0 ? a.heads / a.kvHeads : 1, a.experts, is70B},
               model.tensors);
    return model;
}

LlamaServing::LlamaServing(const Settings &s, std::int64_t stage)
    : m_model(llamaModelOf(s))
{
    m_settings.context = s.maxModelLen;
    m_settings.microBatch = s.maxNumBatchedTokens;
    m_settings.keyType = m_settings.valueType = cacheType(s.kvBytesPerElement);
    for (std::int64_t i = 0; i < std::min(s.hostExpertLayers, s.architecture.layers); ++i)
        m_settings.overrides.push_back(expertsOnHost(i));
    const std::int64_t each = std::max<std::int64_t>(s.tensor, 1);
    const std::int64_t all = each * std::max<std::int64_t>(s.pipeline, 1);
    m_devices.assign(static_cast<std::size_t>(all), {"", Bytes(1) << 40});
    if (std::ssize(s.gpuList) == all) {
        for (std::size_t i = 0; i < m_devices.size(); ++i)
            m_devices[i].free = std::max<Bytes>(s.gpuList[i].capacity - s.contextBytes, 1);
        moveLayers();
    }
    LlamaSplit split = splitModel(m_model, m_settings, m_devices);
    const auto first = split.devices.begin() + stage * each;
    const auto fullest = std::max_element(
        first, first + each, [](const auto &a, const auto &b) { return a.total() < b.total(); });
    m_device = static_cast<std::size_t>(fullest - split.devices.begin());
    m_share = std::move(*fullest);
    m_hostModel = split.host.model;
    m_model.tensors.clear();
}

/// Layers are divided by free memory of each GPU, and where one would overflow as --fit moves them.
void LlamaServing::moveLayers()
{
    const auto holds = [this](const LlamaSettings &settings) {
        const LlamaSplit split = splitModel(m_model, settings, m_devices);
        for (std::size_t i = 0; i < m_devices.size(); ++i)
            if (split.devices[i].total() > m_devices[i].free)
                return false;
        return std::ranges::find(split.layerDevice, -1) == split.layerDevice.end();
    };
    if (holds(m_settings))
        return;
    LlamaSettings moved = fitModel(m_model, m_settings, m_devices, {.margin = 0}).settings;
    if (moved.overrides.size() == m_settings.overrides.size() && holds(moved))
        m_settings = std::move(moved);
}

LlamaShare LlamaServing::shareAt(std::int64_t context) const
{
    LlamaSettings settings = m_settings;
    settings.context = context;
    return std::move(splitModel(m_model, settings, m_devices).devices[m_device]);
}

} // namespace vramscope
