// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A training step of a U-Net as diffusers' train_text_to_image_lora_sdxl.py runs it, with latents
// and prompt embeddings cached: adapters on the attention of its transformers, or the whole model,
// under autocast to bf16, with norms in fp32. Bytes of a channel and place are from
// tests/measure/diffusion/lora.py, tensor by tensor; steps agree within 2 %.
#include "core/estimate/diffusion/denoiser_training.h"
#include "core/estimate/diffusion/diffusion.h"
#include "core/estimate/diffusion/unet.h"
#include "core/settings/settings.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr Origin kUnetRecorded = {"Recorded: tests/measure/diffusion/lora.py; without what cuDNN "
                                  "takes for its convolutions",
                                  Evidence::Verified, 0.05};

// Bytes of a channel at a place, of a token of the image, or of one of the text.
constexpr std::int64_t kNormed = 10;     ///< fp32 into a norm, fp32 behind it, bf16 activated
constexpr std::int64_t kInput = 2;       ///< kept by checkpointing and by a shortcut
constexpr std::int64_t kGroupNorm = 4;   ///< fp32 into the norm of a transformer
constexpr std::int64_t kLayerNorm = 4;   ///< fp32 into a norm of a block
constexpr std::int64_t kProjections = 4; ///< into both projections, where their weights need it
constexpr std::int64_t kBlockAll = 66;   ///< a block, if all of it is trained
constexpr std::int64_t kBlockAdapters = 60;
constexpr std::int64_t kAdapted = 12; ///< a token of the image and number of the rank
constexpr std::int64_t kAdaptedText = 4;
constexpr std::int64_t kRoots = 24;  ///< mean and root of three norms, a token
constexpr std::int64_t kLogSums = 8; ///< of both attentions, a token and head
// Around the gate of a block: forward, where the block will run again, and the gradients in
// backward.
constexpr std::int64_t kBlockRuns = 42;
constexpr std::int64_t kGateAll = 18; ///< the saved product is freed by then
constexpr std::int64_t kGateAdapters = 26;

/// Memory at a moment of a pass, at the layer of its peak.
struct UnetMoment
{
    Exact saved;   ///< for backward, of the layers so far
    Exact waiting; ///< skips; in backward their gradients
    Exact work;    ///< of the layer
    Exact copies;  ///< weights in 16 bit, until forward ends
    Exact gradients;
    std::size_t layer = 0;

    [[nodiscard]] Exact total() const { return saved + waiting + work + copies + gradients; }
};

class UnetStep
{
public:
    explicit UnetStep(const Settings &settings)
        : m_s(settings)
        , m_base(*settings.diffusion->first(DiffusionRole::Denoiser))
        , m_layers(m_base.unet)
        , m_load(loadOf(m_base, settings))
        , m_text(Exact(m_load.batch) * m_load.tokens)
        , m_all(trainsAll(settings))
        , m_casts(!m_all && settings.picture.transformerFormat == DiffusionFormat::Fp8)
        , m_wide(m_all && settings.regime != Regime::PureBf16)
        , m_again(settings.checkpointing == Checkpointing::Full)
        , m_first(m_all ? 0 : firstTransformer())
    {
    }

    void addTo(Ledger &ledger) const;

private:
    [[nodiscard]] std::size_t firstTransformer() const
    {
        const auto found =
            std::ranges::find(m_layers, UnetLayerKind::Transformer, &UnetLayer::kind);
        return static_cast<std::size_t>(found - m_layers.begin());
    }
    [[nodiscard]] TrainedShare share() const;
    [[nodiscard]] std::int64_t trainedOf(const UnetLayer &layer) const
    {
        return m_all ? layer.parameters : adaptersOf(layer);
    }
    [[nodiscard]] std::int64_t adaptersOf(const UnetLayer &layer) const;
    [[nodiscard]] Exact savedOfBlock(const UnetLayer &layer) const;
    [[nodiscard]] Exact savedOfTransformer(std::size_t at) const;
    [[nodiscard]] Exact savedOf(std::size_t at) const;
    [[nodiscard]] Exact keptCopies(const UnetLayer &layer) const;
    [[nodiscard]] bool keepsInput(std::size_t at) const;
    [[nodiscard]] bool runsAgain(const UnetLayer &layer) const
    {
        return m_again && !layer.isKeptWhole;
    }
    [[nodiscard]] Exact forwardWork(const UnetLayer &layer) const;
    [[nodiscard]] Exact backwardWork(const UnetLayer &layer) const;
    [[nodiscard]] UnetMoment highestForward() const;
    [[nodiscard]] UnetMoment highestBackward() const;
    void addMoment(const UnetMoment &moment, StepPhase when, Ledger &ledger) const;

    const Settings &m_s;
    const DiffusionComponent &m_base;
    const std::vector<UnetLayer> &m_layers;
    DiffusionLoad m_load;
    Exact m_text;        ///< tokens of the batch
    bool m_all;          ///< all parameters are trained
    bool m_casts;        ///< the base is in fp8, and autocast widens what a layer multiplies
    bool m_wide;         ///< in fp32
    bool m_again;        ///< layers run again in backward
    std::size_t m_first; ///< first layer with something to train
};

/// q, k, v and output of the image, and q and output of the text, join D to D; k and v of the text
/// join its width to D.
std::int64_t adaptersOfBlock(std::int64_t width, std::int64_t textWidth, std::int64_t rank)
{
    return rank * (12 * width + 2 * (textWidth + width));
}

std::int64_t UnetStep::adaptersOf(const UnetLayer &layer) const
{
    return layer.blocks * adaptersOfBlock(layer.outputs, m_base.textWidth, m_s.adapters.rank);
}

TrainedShare UnetStep::share() const
{
    TrainedShare sum;
    sum.bytes = m_all && !m_wide ? 2 : 4;
    for (const UnetLayer &layer : m_layers) {
        sum.parameters += trainedOf(layer);
        // A pair of matrices of each adapter: rank and inputs, outputs and rank.
        constexpr std::int64_t kAdapters = 8;
        sum.factors += m_all ? layer.factors
                             : adaptersOfBlock(layer.outputs, m_base.textWidth, 1) * layer.blocks +
                                   2 * kAdapters * m_s.adapters.rank * layer.blocks;
        // Each of eight second factors has as many rows as the layer is wide.
        sum.zeros += m_all ? 0 : layer.blocks * m_s.adapters.rank * kAdapters * layer.outputs;
        sum.largestTensor = std::max(
            sum.largestTensor, m_all ? layer.largestTensor
                               : layer.blocks > 0
                                   ? m_s.adapters.rank * std::max(layer.outputs, m_base.textWidth)
                                   : 0);
    }
    return sum;
}

/// Whether a layer keeps its input for backward. On the way down the input is a skip, which does
/// not count twice.
bool UnetStep::keepsInput(std::size_t at) const
{
    const UnetLayer &layer = m_layers[at];
    if (at < m_first)
        return false;
    if (layer.kind == UnetLayerKind::Downsample)
        return true;
    return layer.kind == UnetLayerKind::Residual &&
           (runsAgain(layer) || (!m_again && layer.inputs != layer.outputs));
}

/// Norms' inputs in fp32, inputs of products whose weights are trained, queries, keys, values,
/// attention's output, the gate's two halves and its activation.
Exact UnetStep::savedOfBlock(const UnetLayer &layer) const
{
    const Exact tokens = placesAt(layer.level, m_load);
    const std::int64_t d = layer.outputs;
    const Exact text = m_all ? Exact(4) * d * m_text : Exact(4) * (d + m_base.textWidth) * m_text;
    const Exact attended = tokens * (kLogSums * layer.heads + kRoots);
    const Exact image = tokens * d * (m_all ? kBlockAll : kBlockAdapters);
    if (m_all)
        return image + text + attended;
    return image + text + attended +
           Exact(m_s.adapters.rank) * (tokens * kAdapted + m_text * kAdaptedText);
}

/// A norm, two projections and the blocks. Before the first block with adapters nothing is trained,
/// so nothing is saved there.
Exact UnetStep::savedOfTransformer(std::size_t at) const
{
    const UnetLayer &layer = m_layers[at];
    const bool isFirst = !m_all && at == m_first;
    const bool projects = m_all || m_base.projectsByConvolution;
    const std::int64_t norm = isFirst ? 0 : kGroupNorm;
    const std::int64_t projections = !projects ? 0 : isFirst ? kProjections / 2 : kProjections;
    const Exact tokens = placesAt(layer.level, m_load);
    const Exact around = tokens * layer.outputs * (norm + projections);
    if (m_again)
        return around + tokens * layer.outputs * kInput * layer.blocks;
    const Exact adapters = Exact(2) * (m_all ? 0 : adaptersOf(layer));
    return excess(around + savedOfBlock(layer) * layer.blocks + adapters,
                  tokens * layer.outputs * (isFirst ? kLayerNorm : 0));
}

/// Backward needs the bf16 copies of fp32 and fp8 weights unless layers run again; of a transformer
/// its two projections never do. The text is not trained, so the weights that multiply it are not
/// needed.
Exact UnetStep::keptCopies(const UnetLayer &layer) const
{
    if (m_casts && m_again && layer.kind == UnetLayerKind::Transformer)
        return Exact(4) * layer.outputs * layer.outputs;
    const bool keeps = m_casts
                           ? !m_again || !runsAgain(layer) || layer.kind != UnetLayerKind::Residual
                           : m_wide && !m_again;
    return Exact(keeps ? 2 : 0) * (layer.parameters - layer.textParameters);
}

Exact UnetStep::savedOf(std::size_t at) const
{
    const UnetLayer &layer = m_layers[at];
    const Exact places = placesAt(layer.level, m_load);
    if (at < m_first)
        return {};
    switch (layer.kind) {
    case UnetLayerKind::Residual: {
        const Exact input = Exact(kInput) * layer.inputs * places;
        if (runsAgain(layer))
            return input;
        return places * kNormed * (layer.inputs + layer.outputs) + keptCopies(layer) +
               (layer.inputs == layer.outputs ? Exact(0) : input);
    }
    case UnetLayerKind::Transformer:
        return savedOfTransformer(at) + keptCopies(layer);
    case UnetLayerKind::Downsample:
        return Exact(kInput) * layer.inputs * places + keptCopies(layer);
    case UnetLayerKind::Upsample: // enlarged, as the convolution takes it in
        return outputOf(layer, m_load) + keptCopies(layer);
    case UnetLayerKind::Output:
        return places * kNormed * layer.inputs + keptCopies(layer);
    case UnetLayerKind::Input:
        break;
    }
    return keptCopies(layer);
}

/// A layer that will run again needs the input and output of its first norm in fp32, or the input
/// of its second norm and its output; a transformer needs one block around its gate.
Exact UnetStep::forwardWork(const UnetLayer &layer) const
{
    const Exact places = placesAt(layer.level, m_load);
    if (layer.kind == UnetLayerKind::Output)
        return Exact(4) * layer.inputs * places;
    if (!runsAgain(layer))
        return {};
    if (layer.kind == UnetLayerKind::Residual)
        return places * std::max(8 * layer.inputs, 10 * layer.outputs);
    const bool projects = m_all || m_base.projectsByConvolution;
    if (layer.kind == UnetLayerKind::Transformer)
        return places * layer.outputs * (kBlockRuns - (projects ? kProjections / 2 : 0));
    return {};
}

/// Gradients: around the norms of a residual block, with its saved tensors; around the gate of a
/// transformer's block, with the tensors that it saves when it runs again.
Exact UnetStep::backwardWork(const UnetLayer &layer) const
{
    const Exact places = placesAt(layer.level, m_load);
    switch (layer.kind) {
    case UnetLayerKind::Residual: {
        const std::int64_t first = (kNormed + 8) * layer.inputs;
        const std::int64_t second = kNormed * layer.inputs + (kNormed + 10) * layer.outputs;
        return places * std::max(first, second);
    }
    case UnetLayerKind::Transformer:
        return places * layer.outputs * (m_all ? kGateAll : kGateAdapters) +
               (m_again ? savedOfBlock(layer) : Exact(0));
    case UnetLayerKind::Output:
        return Exact(6) * layer.inputs * places;
    case UnetLayerKind::Input:
    case UnetLayerKind::Downsample:
    case UnetLayerKind::Upsample:
        break;
    }
    return outputOf(layer, m_load);
}

UnetMoment UnetStep::highestForward() const
{
    std::vector<bool> kept(m_layers.size(), false);
    for (std::size_t i = 0; i + 1 < m_layers.size(); ++i)
        kept[i] = m_layers[i].isSkip && keepsInput(i + 1);
    const std::vector<Exact> waiting = waitingBytes(m_layers, m_load, kept);
    UnetMoment highest;
    Exact saved;
    Exact copies;
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        const UnetLayer &layer = m_layers[i];
        saved += savedOf(i);
        // Autocast keeps its copies until forward ends; saved ones count there.
        if (m_wide)
            copies += excess(Exact(2) * layer.parameters, keptCopies(layer));
        else if (!m_all && m_again)
            copies += Exact(2) * adaptersOf(layer);
        const UnetMoment moment = {.saved = saved,
                                   .waiting = waiting[i],
                                   .work = forwardWork(layer),
                                   .copies = copies,
                                   .gradients = {},
                                   .layer = i};
        if (moment.total() > highest.total())
            highest = moment;
    }
    return highest;
}

UnetMoment UnetStep::highestBackward() const
{
    std::vector<Exact> saved; // of the layers before each
    Exact sum;
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        saved.push_back(sum);
        sum += savedOf(i);
    }
    const std::int64_t bytes = share().bytes;
    std::vector<Exact> skips(m_layers.size()); // gradients that wait for the layer
    Exact waiting;
    Exact gradients;
    UnetMoment highest;
    for (std::size_t i = m_layers.size(); i-- > m_first;) {
        const UnetLayer &layer = m_layers[i];
        waiting = excess(waiting, skips[i]); // becomes the gradient that enters the layer
        gradients += Exact(bytes) * trainedOf(layer);
        // The transformer block that runs last has no gradients at its peak.
        const Exact none =
            layer.blocks > 0 ? Exact(bytes) * (trainedOf(layer) / layer.blocks) : Exact(0);
        const bool whole = layer.kind == UnetLayerKind::Residual && !runsAgain(layer);
        // backwardWork() counts what a whole residual block saved, except a shortcut's input.
        const Exact input = whole && layer.inputs != layer.outputs
                                ? Exact(kInput) * layer.inputs * placesAt(layer.level, m_load)
                                : Exact(0);
        const UnetMoment moment = {.saved = whole ? saved[i] + input + keptCopies(layer)
                                                  : saved[i] + savedOf(i),
                                   .waiting = waiting,
                                   .work = backwardWork(layer),
                                   .copies = {},
                                   .gradients = excess(gradients, none),
                                   .layer = i};
        if (moment.total() > highest.total())
            highest = moment;
        // The gradient of the joined input is one tensor; its part for the skip keeps all of it.
        if (layer.skip > 0 && layer.source >= m_first) {
            const Exact joined = Exact(2) * layer.inputs * placesAt(layer.level, m_load);
            skips[layer.source] = joined;
            waiting += joined;
        }
    }
    return highest;
}

void UnetStep::addMoment(const UnetMoment &moment, StepPhase when, Ledger &ledger) const
{
    const bool forward = when == StepPhase::Forward;
    const UnetLayer &layer = m_layers[moment.layer];
    const std::int64_t number = static_cast<std::int64_t>(moment.layer) + 1;
    const auto layers = static_cast<std::int64_t>(m_layers.size());
    const auto add = [&](Category category, std::string_view name, Exact bytes, FormulaText text) {
        if (bytes > Exact(0))
            ledger.add(category, name, bytes, {when}, kUnetRecorded, text);
    };
    add(Category::Activations, forward ? "Saved activations" : "Saved activations still needed",
        moment.saved,
        {"what is saved of layers 1 to {} of {} = {}", {number, layers, moment.saved.value()}});
    add(Category::Activations, forward ? "Skips that wait" : "Gradients of skips", moment.waiting,
        {"at layer {} of {} = {}", {number, layers, moment.waiting.value()}});
    add(Category::Activations, forward ? "Layer that runs forward" : "Layer that runs backward",
        moment.work,
        {"layer {} of {}: {} to {} channels at {} places = {}",
         {number, layers, layer.inputs, layer.outputs, placesAt(layer.level, m_load).value(),
          moment.work.value()}});
    add(Category::Parameters, m_all ? "Weights in 16 bit" : "Adapters in 16 bit", moment.copies,
        {"2 bytes each of what autocast keeps = {}", {moment.copies.value()}});
    add(Category::Gradients, m_all ? "Gradients so far" : "Adapter gradients so far",
        moment.gradients,
        {"of layers {} to {}, but for the block that runs = {}",
         {number, layers, moment.gradients.value()}});
}

void UnetStep::addTo(Ledger &ledger) const
{
    addTrainingStates(m_s, share(), {StepPhase::Step}, ledger);
    addMoment(highestForward(), StepPhase::Forward, ledger);
    addMoment(highestBackward(), StepPhase::Backward, ledger);
    const Exact latents = Exact(4) * placesAt(0, m_load) * m_base.channels;
    const Exact texts = Exact(2) * m_text * m_base.textWidth;
    ledger.add(Category::Activations, "Latents and prompt embeddings", latents + texts,
               {StepPhase::Forward, StepPhase::Backward}, kUnetRecorded,
               {"latents and target + embeddings = {} + {}", {latents.value(), texts.value()}});
}

} // namespace

void addUnetTraining(const Settings &settings, Ledger &ledger)
{
    UnetStep(settings).addTo(ledger);
}

std::int64_t unetAdapters(const DiffusionComponent &unet, std::int64_t rank)
{
    std::int64_t parameters = 0;
    for (const UnetLayer &layer : unet.unet)
        parameters += layer.blocks * adaptersOfBlock(layer.outputs, unet.textWidth, rank);
    return parameters;
}

} // namespace vramscope
