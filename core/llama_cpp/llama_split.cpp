// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llama_cpp/llama_split.h"

#include "core/base/counted.h"
#include "core/base/format.h"

#include <algorithm>
#include <numeric>

namespace vramscope {

namespace {

constexpr std::int64_t kCellPadding = 256;
constexpr std::int64_t kCudaAlignment = 128;
constexpr std::int64_t kHostAlignment = 32;
constexpr std::int64_t kRowPadding = 512; ///< MATRIX_ROW_PADDING of ggml-cuda

Exact padded(Exact size, std::int64_t to)
{
    return dividedUp(size, to) * to;
}

Bytes hostBytes(const StoredTensor &tensor)
{
    return padded(tensor.bytes, kHostAlignment).value();
}

/// Bytes of `width` elements of a row of the cache.
Exact rowBytes(const TensorType &type, std::int64_t width)
{
    return dividedUp(Exact(width), type.block) * (type.bits / 8);
}

void add(Bytes &sum, Exact bytes)
{
    sum = (Exact(sum) + bytes).value();
}

class Splitter
{
public:
    Splitter(const LlamaModel &model, const LlamaSettings &settings,
             std::span<const LlamaDevice> devices)
        : m_model(model)
        , m_settings(settings)
        , m_devices(devices)
    {
    }

    LlamaSplit split();

private:
    [[nodiscard]] LlamaShare &at(std::int64_t device)
    {
        return device < 0 ? m_it.host : m_it.devices[static_cast<std::size_t>(device)];
    }
    [[nodiscard]] std::int64_t mainDevice() const
    {
        const std::int64_t last = std::ssize(m_devices) - 1;
        return std::clamp<std::int64_t>(m_settings.mainGpu, std::min<std::int64_t>(0, last), last);
    }
    [[nodiscard]] std::vector<float> shares() const;
    void placeLayers();
    void addTensors();
    void addTo(std::int64_t device, const StoredTensor &tensor);
    void addByRows(const StoredTensor &tensor);
    void addCache();
    void addCompute();
    void addTerm(LlamaShare &share, const char *name, Exact bytes, std::string formula);
    void addDraft();

    const LlamaModel &m_model;
    const LlamaSettings &m_settings;
    std::span<const LlamaDevice> m_devices;
    LlamaSplit m_it;
};

std::vector<float> Splitter::shares() const
{
    std::vector<float> shares(m_devices.size(), 0.0F);
    for (std::size_t i = 0; i < shares.size(); ++i)
        shares[i] = m_settings.tensorSplit.empty()      ? static_cast<float>(m_devices[i].free)
                    : i < m_settings.tensorSplit.size() ? m_settings.tensorSplit[i]
                                                        : 0.0F;
    return shares;
}

void Splitter::placeLayers()
{
    const auto layers = static_cast<std::int64_t>(m_model.layers.size());
    if (m_settings.splitMode == LlamaSplitMode::None && !m_devices.empty()) {
        const float whole = 1;
        m_it.layerDevice = devicesOfLayers(layers, m_settings.gpuLayers, {&whole, 1});
        for (std::int64_t &device : m_it.layerDevice)
            device = device < 0 ? device : mainDevice();
        return;
    }
    m_it.layerDevice = devicesOfLayers(layers, m_settings.gpuLayers, shares());
    if (m_settings.splitMode == LlamaSplitMode::Row)
        for (std::int64_t &device : m_it.layerDevice)
            device = device < 0 ? device : mainDevice();
}

void Splitter::addTo(std::int64_t device, const StoredTensor &tensor)
{
    add(at(device).model, device < 0 ? hostBytes(tensor) : cudaBytes(tensor));
}

/// Splits the rows of a matrix by the shares of the devices (get_row_split() of ggml-cuda.cu).
void Splitter::addByRows(const StoredTensor &tensor)
{
    constexpr std::int64_t kRounding = 128;
    const std::vector<float> parts = shares();
    const float sum = std::accumulate(parts.begin(), parts.end(), 0.0F);
    const std::int64_t rows = tensor.shape.front();
    const Bytes row = rows > 0 ? tensor.bytes / rows : 0;
    float before = 0;
    std::int64_t from = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        before += sum > 0 ? parts[i] / sum : 0;
        const bool last = i + 1 == parts.size();
        std::int64_t end =
            last ? rows : static_cast<std::int64_t>(static_cast<float>(rows) * before);
        end -= last ? 0 : end % kRounding;
        if (end > from)
            add(m_it.devices[i].model, padded(Exact(end - from) * row, kCudaAlignment));
        from = std::max(from, end);
    }
}

void Splitter::addTensors()
{
    const std::int64_t output = m_it.layerDevice.back();
    std::vector<bool> hasLayers(m_devices.size() + 1, false);
    for (std::size_t i = 0; i + 1 < m_it.layerDevice.size(); ++i)
        hasLayers[static_cast<std::size_t>(m_it.layerDevice[i] + 1)] = true;
    Bytes skipped = 0;
    for (const LlamaTensor &tensor : m_model.tensors) {
        if (tensor.place == LlamaPlace::Skipped) {
            skipped += tensor.stored.bytes;
            continue;
        }
        const auto moved =
            std::ranges::find_if(m_settings.overrides, [&tensor](const LlamaOverride &each) {
                return each.matches(tensor);
            });
        if (moved != m_settings.overrides.end()) {
            addTo(moved->device < std::ssize(m_devices) ? moved->device : -1, tensor.stored);
            continue;
        }
        switch (tensor.place) {
        case LlamaPlace::Input:
            addTo(-1, tensor.stored);
            // A tied head is a copy of the embedding, unless the output is on the host.
            if (m_model.tied && output >= 0 && tensor.stored.name == "token_embd.weight")
                addTo(output, tensor.stored);
            break;
        case LlamaPlace::Every:
            for (std::size_t i = 0; i < hasLayers.size(); ++i)
                if (hasLayers[i])
                    addTo(static_cast<std::int64_t>(i) - 1, tensor.stored);
            break;
        case LlamaPlace::Layer:
        case LlamaPlace::Output: {
            const std::int64_t device =
                tensor.place == LlamaPlace::Output
                    ? output
                    : m_it.layerDevice[static_cast<std::size_t>(tensor.layer)];
            const bool cut = m_settings.splitMode == LlamaSplitMode::Row && device >= 0 &&
                             tensor.stored.shape.size() == 2;
            if (cut)
                addByRows(tensor.stored);
            else
                addTo(device, tensor.stored);
            break;
        }
        case LlamaPlace::Skipped:
            break;
        }
    }
    if (skipped > 0)
        m_it.notes.push_back("Not loaded: modules for multi-token prediction, " +
                             formatBytes(skipped) + " of the file (a run with them takes more).");
}

void Splitter::addCache()
{
    const LlamaSettings &s = m_settings;
    const std::int64_t sequences = std::max<std::int64_t>(s.sequences, 1);
    const std::int64_t streams = s.unified ? 1 : sequences;
    const Exact wanted = s.context > 0 ? s.context : m_model.trainedContext;
    // n_ctx_seq of src/llama-context.cpp.
    const std::int64_t cells = s.unified || sequences == 1
                                   ? padded(wanted, kCellPadding).value()
                                   : padded(wanted.value() / sequences, kCellPadding).value();
    m_it.context = (Exact(cells) * streams).value();
    std::int64_t windowed = cells;
    const bool slides = std::ranges::any_of(m_model.layers, &LlamaLayer::window);
    if (slides && !s.wholeWindow)
        windowed =
            padded(std::min(Exact(cells),
                            Exact(m_model.window) * (s.unified ? sequences : 1) + s.microBatch),
                   kCellPadding)
                .value();
    m_it.windowCells = slides ? windowed : 0;
    std::int64_t widest = 0;
    for (const LlamaLayer &layer : m_model.layers)
        widest = std::max(widest, layer.valueWidth);
    for (std::size_t i = 0; i < m_model.layers.size(); ++i) {
        const LlamaLayer &layer = m_model.layers[i];
        LlamaShare &share = at(s.offloadCache ? m_it.layerDevice[i] : -1);
        if (layer.keyWidth > 0) {
            // Without flash attention values are transposed, as wide as the widest.
            const std::int64_t values =
                layer.valueWidth == 0 || s.flashAttention ? layer.valueWidth : widest;
            const Exact all = Exact(layer.window ? windowed : cells) * streams;
            add(share.cache,
                all * (rowBytes(s.keyType, layer.keyWidth) + rowBytes(s.valueType, values)));
        }
        if (layer.state > 0)
            add(share.cache, Exact(layer.state) * 4 * sequences);
    }
    if (slides && (s.keyType.block > 1 || s.valueType.block > 1))
        m_it.notes.emplace_back("The window's cache is counted in the type of -ctk and -ctv; "
                                "builds of April 2026 keep it in f16.");
    if (m_it.context > m_model.trainedContext * streams && m_model.trainedContext > 0)
        m_it.notes.push_back("The context is longer than the model's " +
                             counted(m_model.trainedContext, "token") + ".");
}

void Splitter::addTerm(LlamaShare &share, const char *name, Exact bytes, std::string formula)
{
    share.terms.push_back({name, bytes.value(), std::move(formula)});
}

/// Peaks of a graph's parts: parts that share only the mask take turns.
void Splitter::addCompute()
{
    const LlamaSettings &s = m_settings;
    const std::int64_t batch =
        std::max<std::int64_t>(1, std::min(s.microBatch, std::max<std::int64_t>(m_it.context, 1)));
    const std::int64_t perStream =
        m_it.context / (s.unified ? 1 : std::max<std::int64_t>(s.sequences, 1));
    const bool attends =
        std::ranges::any_of(m_model.layers, [](const LlamaLayer &l) { return l.keyWidth > 0; });
    const std::int64_t cells = attends ? perStream : 0;
    std::int64_t wide = m_model.feedForward;
    if (m_model.experts > 0 && m_model.expertFeedForward > 0)
        wide = std::max(wide, m_model.expertFeedForward * m_model.expertsUsed);
    const Exact logits = Exact(batch) * m_model.vocabulary * 4;
    const Exact activations = Exact(batch) * (Exact(wide) * 8 + Exact(m_model.width) * 16);
    const Exact mask = Exact(batch) * cells * (s.flashAttention ? 2 : 4);
    const Exact scores = s.flashAttention ? Exact(0) : Exact(batch) * cells * m_model.heads * 4;
    const std::int64_t output = m_it.layerDevice.back();
    const auto withLayers = [this](std::int64_t device) {
        return std::find(m_it.layerDevice.begin(), m_it.layerDevice.end() - 1, device) !=
               m_it.layerDevice.end() - 1;
    };
    for (std::int64_t device = -1; device < std::ssize(m_devices); ++device) {
        LlamaShare &share = at(device);
        const bool layers = withLayers(device);
        const bool hasOutput = output == device;
        if (!layers && !hasOutput)
            continue;
        const std::string b = formatCount(batch);
        Exact turns;
        if (layers) {
            addTerm(share, "Mask of attention", mask,
                    "n_ubatch · cells · " + std::string(s.flashAttention ? "2" : "4") + " = " + b +
                        " · " + formatCount(cells) + " · " + (s.flashAttention ? "2" : "4"));
            addTerm(share, "Activations", activations,
                    "n_ubatch · (8 · feed-forward + 16 · width) = " + b + " · (8 · " +
                        formatCount(wide) + " + 16 · " + formatCount(m_model.width) + ")");
            turns = activations;
            if (scores > Exact(0)) {
                addTerm(share, "Scores of attention", scores,
                        "n_ubatch · cells · heads · 4 = " + b + " · " + formatCount(cells) + " · " +
                            formatCount(m_model.heads) + " · 4");
                turns = std::max(turns, scores);
            }
        }
        if (hasOutput) {
            addTerm(share, "Logits", logits,
                    "n_ubatch · vocabulary · 4 = " + b + " · " + formatCount(m_model.vocabulary) +
                        " · 4");
            turns = std::max(turns, logits);
        }
        share.compute = (turns + (layers ? mask : Exact(0))).value();
    }
    add(m_it.host.output, Exact(std::max<std::int64_t>(s.sequences, 1)) * m_model.vocabulary * 4);
    if (output >= 0) {
        const Exact input = Exact(batch) * m_model.width * 4;
        addTerm(m_it.host, "Inputs of a micro-batch", input + mask,
                "n_ubatch · width · 4 and the mask, pinned");
        add(m_it.host.compute, input + mask);
    }
}

void Splitter::addDraft()
{
    LlamaSettings settings = m_settings;
    settings.draft = nullptr;
    settings.projector = 0;
    settings.overrides.clear();
    settings.gpuLayers = -1;
    settings.context = m_it.context;
    const LlamaSplit draft = splitModel(*m_settings.draft, settings, m_devices);
    for (std::size_t i = 0; i < m_it.devices.size(); ++i)
        add(m_it.devices[i].draft, draft.devices[i].total());
    add(m_it.host.draft, draft.host.total());
    m_it.notes.insert(m_it.notes.end(), draft.notes.begin(), draft.notes.end());
}

LlamaSplit Splitter::split()
{
    for (const LlamaDevice &device : m_devices)
        m_it.devices.push_back({.name = device.name, .terms = {}});
    m_it.host.name = "host";
    m_it.notes = m_model.notes;
    placeLayers();
    addTensors();
    addCache();
    addCompute();
    if (m_settings.projector > 0) {
        at(m_devices.empty() ? -1 : mainDevice()).projector = m_settings.projector;
        m_it.notes.emplace_back("Of the projector its weights alone are counted, not what it "
                                "takes to encode an image.");
    }
    if (m_settings.draft)
        addDraft();
    if (m_settings.splitMode == LlamaSplitMode::Row)
        m_it.notes.emplace_back("Rows are cut at multiples of 128, as kernels of recent cards "
                                "want them; older ones differ by a few rows.");
    return std::move(m_it);
}

} // namespace

LlamaSettings::LlamaSettings()
    : keyType(*findTensorType("F16"))
    , valueType(keyType)
{
}

std::vector<std::int64_t> devicesOfLayers(std::int64_t layers, std::int64_t gpuLayers,
                                          std::span<const float> shares)
{
    const std::int64_t all = layers + 1;
    const std::int64_t wanted = gpuLayers < 0 ? all : gpuLayers;
    const std::int64_t first = std::max<std::int64_t>(all - wanted, 0);
    const std::int64_t active = std::min(wanted, all);
    std::vector<std::int64_t> devices(static_cast<std::size_t>(all), -1);
    std::vector<float> cumulative(shares.begin(), shares.end());
    float sum = 0;
    for (float &each : cumulative)
        each = sum += each;
    if (!(sum > 0))
        return devices;
    for (float &each : cumulative)
        each /= sum;
    for (std::int64_t layer = first; layer < all && layer - first < active; ++layer) {
        const float place = static_cast<float>(layer - first) / static_cast<float>(active);
        devices[static_cast<std::size_t>(layer)] =
            std::ranges::upper_bound(cumulative, place) - cumulative.begin();
    }
    return devices;
}

Bytes cudaBytes(const StoredTensor &tensor)
{
    Exact bytes = tensor.bytes;
    const std::int64_t row = tensor.shape.empty() ? 1 : tensor.shape.back();
    if (tensor.type.block > 1 && row % kRowPadding != 0)
        bytes += rowBytes(tensor.type, kRowPadding - row % kRowPadding);
    return padded(bytes, kCudaAlignment).value();
}

LlamaSplit splitModel(const LlamaModel &model, const LlamaSettings &settings,
                      std::span<const LlamaDevice> devices)
{
    return Splitter(model, settings, devices).split();
}

} // namespace vramscope
