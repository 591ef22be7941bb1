// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The U-Net of Stable Diffusion, UNet2DConditionModel of diffusers 0.42. Memory of a pass is from
// tests/measure/record_diffusion.py, tensor by tensor at its peak, within 2 %.
#include "core/estimate/diffusion/unet.h"

#include "core/estimate/formulas/ledger.h"
#include "core/model/towers/tower_reader.h"

#include <algorithm>
#include <array>
#include <string>

namespace vramscope {

namespace {

// Above every published U-Net, and low enough that no count leaves 64 bits.
constexpr std::int64_t kMostLayers = 16;
constexpr std::int64_t kMostBlocks = 100;
constexpr std::array<std::string_view, 4> kDefaultDown = {
    "CrossAttnDownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D", "DownBlock2D"};

/// Adds parameters to the component and to one layer of it.
class LayerWeights
{
public:
    LayerWeights(DiffusionComponent &it, UnetLayer &layer)
        : m_it(it)
        , m_layer(layer)
    {
    }

    void addLinear(std::int64_t count, std::int64_t inputs, std::int64_t outputs, bool bias = true)
    {
        m_it.addLinear(count, inputs, outputs, bias);
        const std::int64_t biases = bias ? outputs : 0;
        addTensor(count * (inputs * outputs + biases), inputs * outputs,
                  count * (inputs + outputs + biases));
    }
    /// Adafactor's sums of a convolution run over its inputs and over its outputs, a pair for each
    /// weight of the kernel's row and of its column (transformers optimization.py).
    void addConvolution(std::int64_t inputs, std::int64_t outputs, std::int64_t side)
    {
        const std::int64_t elements = inputs * outputs * side * side;
        m_it.addOthers(elements + outputs, true);
        m_it.largestConvolution = std::max(m_it.largestConvolution, elements);
        addTensor(elements + outputs, elements, 2 * inputs * outputs * side + outputs);
    }
    void addNorms(std::int64_t count, std::int64_t width)
    {
        m_it.addOthers(2 * count * width);
        addTensor(2 * count * width, width, 2 * count * width);
    }

private:
    void addTensor(std::int64_t parameters, std::int64_t largest, std::int64_t factors)
    {
        m_layer.parameters += parameters;
        m_layer.factors += factors;
        m_layer.largestTensor = std::max(m_layer.largestTensor, largest);
    }

    DiffusionComponent &m_it;
    UnetLayer &m_layer;
};

/// Puts a U-Net's layers together in the order in which they run.
class UnetBuilder
{
public:
    UnetBuilder(TowerReader &config, DiffusionComponent &it)
        : m_config(config)
        , m_it(it)
        , m_levels(config.listed("block_out_channels", 4))
    {
        constexpr std::array<std::int64_t, 4> kWidths = {320, 640, 1280, 1280};
        for (std::int64_t i = 0; i < m_levels; ++i)
            m_widths.push_back(config.element("block_out_channels", static_cast<std::size_t>(i),
                                              kWidths[static_cast<std::size_t>(i % 4)]));
    }

    void build()
    {
        if (m_config.error() || m_widths.empty())
            return;
        m_it.projectsByConvolution = !m_config.flag("use_linear_projection", false);
        m_it.textWidth = m_config.count({"cross_attention_dim"}, 1280);
        m_it.width = 4 * m_widths.front(); // of the time step's embedding
        addInput();
        for (std::int64_t level = 0; level < m_levels; ++level)
            addDown(level);
        addMiddle();
        for (std::int64_t level = m_levels; level-- > 0;)
            addUp(level);
        addOutput();
    }

private:
    /// A number of each level, or one for all.
    [[nodiscard]] std::int64_t ofLevel(std::string_view key, std::int64_t level,
                                       std::int64_t fallback, std::int64_t maximum)
    {
        return m_config.listed(key, 1) > 1
                   ? m_config.element(key, static_cast<std::size_t>(level), fallback, maximum)
                   : m_config.count({key}, fallback, maximum);
    }
    [[nodiscard]] std::int64_t width(std::int64_t level) const
    {
        return m_widths[static_cast<std::size_t>(level)];
    }
    /// Whether the blocks of a level on the way down or up attend.
    [[nodiscard]] bool attends(std::string_view key, std::int64_t at) const
    {
        const std::string stated = m_config.textElement(key, static_cast<std::size_t>(at));
        if (!stated.empty())
            return stated.starts_with("CrossAttn");
        const std::int64_t down = key == "down_block_types" ? at : m_levels - 1 - at;
        return kDefaultDown[static_cast<std::size_t>(std::min<std::int64_t>(down, 3))].starts_with(
            "CrossAttn");
    }

    UnetLayer &push(UnetLayerKind kind, std::int64_t level, std::int64_t outputs)
    {
        m_it.unet.push_back({.kind = kind, .level = level, .inputs = m_last, .outputs = outputs});
        m_last = outputs;
        return m_it.unet.back();
    }
    void markSkip()
    {
        m_it.unet.back().isSkip = true;
        m_skips.push_back(m_it.unet.size() - 1);
    }

    void addInput();
    void addResidual(std::int64_t level, bool joins);
    void addTransformer(std::int64_t level);
    void addDown(std::int64_t level);
    void addMiddle();
    void addUp(std::int64_t level);
    void addOutput();

    TowerReader &m_config;
    DiffusionComponent &m_it;
    std::int64_t m_levels;
    std::vector<std::int64_t> m_widths;
    std::vector<std::size_t> m_skips; ///< layers whose output is not joined yet
    std::int64_t m_last = 0;          ///< output channels of the last layer
};

/// The first convolution, and the embedding of the time step and of SDXL's sizes and pooled text.
void UnetBuilder::addInput()
{
    m_it.channels = m_config.count({"in_channels"}, 4, 1'000);
    m_last = m_it.channels;
    UnetLayer &layer = push(UnetLayerKind::Input, 0, width(0));
    LayerWeights weights(m_it, layer);
    weights.addConvolution(layer.inputs, layer.outputs, 3);
    weights.addLinear(1, width(0), m_it.width);
    weights.addLinear(1, m_it.width, m_it.width);
    if (m_config.text("addition_embed_type") == "text_time") {
        weights.addLinear(1, m_config.count({"projection_class_embeddings_input_dim"}, 2816),
                          m_it.width);
        weights.addLinear(1, m_it.width, m_it.width);
    }
    markSkip();
}

/// ResnetBlock2D: norm, convolution, time embedding, norm, convolution; a shortcut of 1 × 1 where
/// channels change.
void UnetBuilder::addResidual(std::int64_t level, bool joins)
{
    UnetLayer &layer = push(UnetLayerKind::Residual, level, width(level));
    if (joins) {
        layer.source = m_skips.back();
        layer.skip = m_it.unet[layer.source].outputs;
        layer.inputs += layer.skip;
        m_skips.pop_back();
    }
    LayerWeights weights(m_it, layer);
    weights.addNorms(1, layer.inputs);
    weights.addConvolution(layer.inputs, layer.outputs, 3);
    weights.addLinear(1, m_it.width, layer.outputs);
    weights.addNorms(1, layer.outputs);
    weights.addConvolution(layer.outputs, layer.outputs, 3);
    if (layer.inputs != layer.outputs)
        weights.addConvolution(layer.inputs, layer.outputs, 1);
}

/// Transformer2DModel: norm, projections in and out, and blocks of attention to the image and to
/// the text, each with a bias at its output only, and a gated feed-forward (GEGLU).
void UnetBuilder::addTransformer(std::int64_t level)
{
    const std::int64_t d = width(level);
    UnetLayer &layer = push(UnetLayerKind::Transformer, level, d);
    layer.blocks = ofLevel("transformer_layers_per_block", level, 1, kMostBlocks);
    // The key means the number of heads, whatever its name (diffusers issue 2011).
    layer.heads = ofLevel("attention_head_dim", level, 8, 1'000);
    const std::int64_t n = layer.blocks;
    LayerWeights weights(m_it, layer);
    weights.addNorms(1, d);
    if (m_it.projectsByConvolution) {
        weights.addConvolution(d, d, 1);
        weights.addConvolution(d, d, 1);
    } else {
        weights.addLinear(2, d, d);
    }
    weights.addNorms(3 * n, d);
    weights.addLinear(4 * n, d, d, false); // to_q, to_k, to_v; to_q of the text
    weights.addLinear(2 * n, d, d);        // to_out.0 of both
    weights.addLinear(2 * n, m_it.textWidth, d, false);
    layer.textParameters = 2 * n * m_it.textWidth * d;
    weights.addLinear(n, d, 8 * d);
    weights.addLinear(n, 4 * d, d);
}

void UnetBuilder::addDown(std::int64_t level)
{
    const std::int64_t blocks = ofLevel("layers_per_block", level, 2, kMostLayers);
    for (std::int64_t block = 0; block < blocks; ++block) {
        addResidual(level, false);
        if (attends("down_block_types", level))
            addTransformer(level);
        markSkip();
    }
    if (level + 1 == m_levels)
        return;
    LayerWeights weights(m_it, push(UnetLayerKind::Downsample, level, width(level)));
    weights.addConvolution(width(level), width(level), 3);
    markSkip();
}

void UnetBuilder::addMiddle()
{
    addResidual(m_levels - 1, false);
    m_it.unet.back().isKeptWhole = true;
    addTransformer(m_levels - 1);
    addResidual(m_levels - 1, false);
}

void UnetBuilder::addUp(std::int64_t level)
{
    const std::int64_t blocks = ofLevel("layers_per_block", level, 2, kMostLayers) + 1;
    for (std::int64_t block = 0; block < blocks; ++block) {
        addResidual(level, true);
        m_it.unet.back().opensBlock = block == 0;
        if (attends("up_block_types", m_levels - 1 - level))
            addTransformer(level);
    }
    if (level == 0)
        return;
    LayerWeights weights(m_it, push(UnetLayerKind::Upsample, level, width(level)));
    weights.addConvolution(width(level), width(level), 3);
}

void UnetBuilder::addOutput()
{
    UnetLayer &layer = push(UnetLayerKind::Output, 0, m_config.count({"out_channels"}, 4, 1'000));
    LayerWeights weights(m_it, layer);
    weights.addNorms(1, layer.inputs);
    weights.addConvolution(layer.inputs, layer.outputs, 3);
}

/// Whether a layer's input is a tensor of its own, not one of the waiting skips.
bool readsItsOwn(const std::vector<UnetLayer> &layers, std::size_t index)
{
    return layers[index].skip > 0 || !layers[index - 1].isSkip;
}

/// Numbers a place that a layer needs at its peak in addition to what waits, in 16 bit.
Exact workOf(const std::vector<UnetLayer> &layers, std::size_t index, const DiffusionLoad &load)
{
    const UnetLayer &layer = layers[index];
    const Exact places = placesAt(layer.level, load);
    switch (layer.kind) {
    case UnetLayerKind::Residual: {
        // Around the first activation function two tensors of the input; at the end the outputs of
        // both branches, their sum, and the sum divided by 1.
        const std::int64_t ends = layer.inputs == layer.outputs ? 3 : 4;
        const std::int64_t most = std::max(2 * layer.inputs, ends * layer.outputs);
        return Exact(2) * places * (most + (readsItsOwn(layers, index) ? layer.inputs : 0));
    }
    case UnetLayerKind::Transformer:
        // In the feed-forward's gate its 16 D, the residual of the transformer, the block's input
        // and its sum with attention, the norm, and the attention's output.
        return Exact(2) * 21 * places * layer.outputs;
    case UnetLayerKind::Upsample: // the input, the enlarged input, and the convolution's output
        return Exact(2) * places * layer.inputs + Exact(2) * outputOf(layer, load);
    case UnetLayerKind::Output:
        return Exact(2) * 3 * places * layer.inputs;
    case UnetLayerKind::Input:
    case UnetLayerKind::Downsample:
        break;
    }
    return outputOf(layer, load);
}

} // namespace

Exact placesAt(std::int64_t level, const DiffusionLoad &load)
{
    std::int64_t height = load.height / load.patch;
    std::int64_t width = load.width / load.patch;
    for (std::int64_t i = 0; i < level; ++i) {
        height = (height + 1) / 2;
        width = (width + 1) / 2;
    }
    return Exact(load.batch) * height * width;
}

Exact outputOf(const UnetLayer &layer, const DiffusionLoad &load)
{
    const std::int64_t level = layer.kind == UnetLayerKind::Downsample ? layer.level + 1
                               : layer.kind == UnetLayerKind::Upsample ? layer.level - 1
                                                                       : layer.level;
    return Exact(2) * placesAt(level, load) * layer.outputs;
}

std::vector<Exact> waitingBytes(const std::vector<UnetLayer> &layers, const DiffusionLoad &load,
                                const std::vector<bool> &keptElsewhere)
{
    std::vector<Exact> waiting;
    waiting.reserve(layers.size());
    Exact skips;
    Exact joined; // skips of the block that runs
    Exact input;  // of that block
    Exact last;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const UnetLayer &layer = layers[i];
        const auto isCounted = [&](std::size_t at) {
            return keptElsewhere.empty() || !keptElsewhere[at];
        };
        if (layer.opensBlock) {
            skips = excess(skips, joined);
            joined = 0;
            input = last;
        }
        if (layer.skip > 0 && isCounted(layer.source))
            joined += outputOf(layers[layer.source], load);
        waiting.push_back(skips + input);
        last = outputOf(layer, load);
        if (layer.isSkip && isCounted(i))
            skips += last;
    }
    return waiting;
}

void readUnet(TowerReader &config, DiffusionComponent &it)
{
    UnetBuilder(config, it).build();
}

PassBytes passOfUnet(const DiffusionComponent &it, const DiffusionLoad &load)
{
    const std::vector<Exact> waiting = waitingBytes(it.unet, load, {});
    std::size_t highest = 0;
    Exact most;
    for (std::size_t i = 0; i < it.unet.size(); ++i) {
        const Exact bytes = waiting[i] + workOf(it.unet, i, load);
        if (bytes > most) {
            highest = i;
            most = bytes;
        }
    }
    const UnetLayer &layer = it.unet[highest];
    const Exact work = workOf(it.unet, highest, load);
    const Exact places = placesAt(layer.level, load);
    if (layer.kind == UnetLayerKind::Transformer)
        return {most, fill({"skips that wait + 2 × 21 h T in a transformer = {} + 42 × {} × {}",
                            {waiting[highest].value(), layer.outputs, places.value()}})};
    return {most, fill({"skips that wait + a layer of {} to {} channels at {} places = {} + {}",
                        {layer.inputs, layer.outputs, places.value(), waiting[highest].value(),
                         work.value()}})};
}

} // namespace vramscope
