// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llama_cpp/llama_model.h"

#include "core/base/format.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <functional>

namespace vramscope {

namespace {

constexpr std::int64_t kMostLlamaLayers = 10'000;
constexpr std::int64_t kMostLlamaWidth = std::int64_t(1) << 31;

/// The part of a tensor's name after the layer: "attn_q.weight" in "blk.3.attn_q.weight".
std::string_view moduleOf(std::string_view name)
{
    return name.substr(name.find('.', 4) + 1);
}

/// The sliding layers of a model without a list: every n-th layer has full attention, the last or
/// the first of n (set_swa_pattern() in load_arch_hparams() of src/models).
struct WindowPattern
{
    std::string_view architecture;
    std::int64_t every = 0;
    bool fullFirst = false;
    std::int64_t window = 0; ///< if the code has it and no key does
};

constexpr auto kWindowPatterns = std::to_array<WindowPattern>({
    {"afmoe", 4},
    {"cohere2", 4},
    {"exaone-moe", 4},
    {"exaone4", 4},
    {"gemma-embedding", 6},
    {"gemma2", 2, false, 4096},
    {"gemma3", 6},
    {"gemma3n", 5},
    {"gpt-oss", 2},
    {"laguna", 4, true},
    {"llama4", 4, false, 8192},
    {"modern-bert", 3, true},
    {"olmo2", 4},
    {"phi3", 1}, // its window is switched off
    {"plamo3", 8},
    {"smallthinker", 4, true, 4096},
});

class LlamaModelReader
{
public:
    explicit LlamaModelReader(const Checkpoint &checkpoint)
        : m_file(*checkpoint.gguf)
        , m_prefix(m_file.text("general.architecture") + '.')
    {
    }

    Result<LlamaModel> read(const Checkpoint &checkpoint);

private:
    [[nodiscard]] std::optional<std::int64_t> number(std::string_view key) const
    {
        const auto value = m_file.number(m_prefix + std::string(key));
        const bool fits = value && *value >= 0 && *value < kMostLlamaWidth;
        return fits ? value : std::nullopt;
    }
    /// The value for a layer, from a key with one for all or one per layer.
    [[nodiscard]] std::int64_t ofLayer(std::string_view key, std::size_t layer,
                                       std::int64_t otherwise) const;
    void placeTensors(const Checkpoint &checkpoint);
    void readLayers();
    [[nodiscard]] bool slides(std::size_t layer);
    [[nodiscard]] std::int64_t stateOf() const;

    const GgufFile &m_file;
    std::string m_prefix;
    LlamaModel m_model;
    std::int64_t m_prediction = 0;
    std::vector<bool> m_recurrent; ///< by the tensors of each layer
    std::vector<bool> m_keys;      ///< whether it has a matrix for only keys
};

std::int64_t LlamaModelReader::ofLayer(std::string_view key, std::size_t layer,
                                       std::int64_t otherwise) const
{
    const auto found = m_file.keys.find(m_prefix + std::string(key));
    if (found == m_file.keys.end() || found->second.first.empty())
        return otherwise;
    const auto &values = found->second.first;
    const GgufScalar &value =
        found->second.isArray ? values[std::min(layer, values.size() - 1)] : values.front();
    const auto *whole = std::get_if<std::int64_t>(&value);
    return whole && *whole >= 0 && *whole < kMostLlamaWidth ? *whole : otherwise;
}

LlamaFfn ffnOf(std::string_view module)
{
    if (module.starts_with("ffn_gate_up"))
        return LlamaFfn::GateUp;
    if (module.starts_with("ffn_gate"))
        return LlamaFfn::Gate;
    if (module.starts_with("ffn_up"))
        return LlamaFfn::Up;
    return module.starts_with("ffn_down") ? LlamaFfn::Down : LlamaFfn::None;
}

void LlamaModelReader::placeTensors(const Checkpoint &checkpoint)
{
    const auto layers = static_cast<std::int64_t>(m_model.layers.size());
    m_model.tied = true;
    for (const StoredTensor &tensor : checkpoint.tensors) {
        LlamaTensor placed = placedTensor(tensor, layers, m_prediction);
        if (placed.layer >= 0) {
            const std::string_view module = moduleOf(tensor.name);
            const auto at = static_cast<std::size_t>(placed.layer);
            m_recurrent[at] = m_recurrent[at] || module.starts_with("ssm_") ||
                              module.starts_with("shortconv.") || module.starts_with("time_mix_");
            m_keys[at] = m_keys[at] || module == "attn_k.weight";
        }
        m_model.tied = m_model.tied && tensor.name != "output.weight";
        m_model.tensors.push_back(std::move(placed));
    }
}

/// The state of a sequence in one recurrent layer: n_embd_r() and n_embd_s() of
/// src/llama-hparams.cpp.
std::int64_t LlamaModelReader::stateOf() const
{
    const std::int64_t width = m_model.width;
    if (const std::int64_t head = number("wkv.head_size").value_or(0); head > 0)
        return number("token_shift_count").value_or(2) * width + width * head;
    if (const std::int64_t cells = number("shortconv.l_cache").value_or(0); cells > 0)
        return width * (cells - 1);
    const std::int64_t inner = number("ssm.inner_size").value_or(0);
    const std::int64_t state = number("ssm.state_size").value_or(0);
    const std::int64_t groups = number("ssm.group_count").value_or(0);
    const std::int64_t convolution = number("ssm.conv_kernel").value_or(0);
    const Exact sum = Exact(std::max<std::int64_t>(convolution - 1, 0)) *
                          (Exact(inner) + Exact(2) * groups * state) +
                      Exact(state) * inner;
    return sum.value();
}

bool LlamaModelReader::slides(std::size_t layer)
{
    const auto list = m_file.keys.find(m_prefix + "attention.sliding_window_pattern");
    if (list != m_file.keys.end() && list->second.isArray) {
        if (layer >= list->second.first.size())
            return false;
        const GgufScalar &value = list->second.first[layer];
        if (const auto *flag = std::get_if<bool>(&value))
            return *flag;
        const auto *whole = std::get_if<std::int64_t>(&value);
        return whole && *whole != 0;
    }
    const auto *const pattern =
        std::ranges::find(kWindowPatterns, m_model.architecture, &WindowPattern::architecture);
    if (pattern == kWindowPatterns.end())
        return false;
    const auto every = static_cast<std::size_t>(std::max<std::int64_t>(
        1, pattern->every == 1
               ? 1
               : number("attention.sliding_window_pattern").value_or(pattern->every)));
    return pattern->fullFirst ? layer % every != 0 : layer % every < every - 1;
}

void LlamaModelReader::readLayers()
{
    const std::int64_t even = m_model.heads > 0 ? m_model.width / m_model.heads : 0;
    const bool latent = number("attention.key_length_mla").value_or(0) > 0;
    const std::int64_t state = stateOf();
    const std::int64_t own = static_cast<std::int64_t>(m_model.layers.size()) - m_prediction -
                             number("attention.shared_kv_layers").value_or(0);
    const std::int64_t withKeys =
        m_model.architecture == "gemma3n" && !number("attention.shared_kv_layers")
            ? 20 // src/models/gemma3n.cpp
            : own;
    for (std::size_t i = 0; i < m_model.layers.size(); ++i) {
        LlamaLayer &layer = m_model.layers[i];
        if (static_cast<std::int64_t>(i) >=
            static_cast<std::int64_t>(m_model.layers.size()) - m_prediction)
            continue;
        layer.state = m_recurrent[i] ? state : 0;
        layer.window = m_model.window > 0 && slides(i);
        const std::int64_t heads = ofLayer("attention.head_count", i, m_model.heads);
        const std::int64_t groups = ofLayer("attention.head_count_kv", i, heads);
        const bool attends = groups > 0 && (!m_recurrent[i] || m_keys[i]);
        if (!attends || static_cast<std::int64_t>(i) >= withKeys)
            continue;
        std::int64_t key = number("attention.key_length").value_or(even);
        std::int64_t value = number("attention.value_length").value_or(even);
        if (layer.window) {
            key = number("attention.key_length_swa").value_or(key);
            value = number("attention.value_length_swa").value_or(value);
        }
        layer.keyWidth = (Exact(key) * groups).value();
        layer.valueWidth = latent ? 0 : (Exact(value) * groups).value();
    }
}

Result<LlamaModel> LlamaModelReader::read(const Checkpoint &checkpoint)
{
    m_model.architecture = m_file.text("general.architecture");
    if (m_model.architecture.empty() || m_model.architecture == "clip" || !checkpoint.table)
        return Error{ErrorCode::OtherContent,
                     m_model.architecture == "clip"
                         ? "This is a projector (mmproj): name the model, and this one beside it "
                           "by --mmproj."
                         : "The file has no keys or no tensors of a model, so nothing can be "
                           "divided; choose the model's first part."};
    const std::int64_t layers = number("block_count").value_or(0);
    m_model.width = number("embedding_length").value_or(0);
    if (layers < 1 || layers > kMostLlamaLayers || m_model.width < 1)
        return Error{ErrorCode::Malformed, m_prefix + "block_count or " + m_prefix +
                                               "embedding_length is missing or none that a model "
                                               "has; fetch the file again."};
    m_model.layers.resize(static_cast<std::size_t>(layers));
    m_recurrent.assign(m_model.layers.size(), false);
    m_keys.assign(m_model.layers.size(), false);
    m_prediction = std::min(number("nextn_predict_layers").value_or(0), layers - 1);
    m_model.trainedContext = number("context_length").value_or(0);
    m_model.experts = number("expert_count").value_or(0);
    m_model.expertsUsed = number("expert_used_count").value_or(0);
    m_model.expertFeedForward = number("expert_feed_forward_length").value_or(0);
    for (std::size_t i = 0; i < m_model.layers.size(); ++i) {
        m_model.heads = std::max(m_model.heads, ofLayer("attention.head_count", i, 0));
        m_model.feedForward = std::max(m_model.feedForward, ofLayer("feed_forward_length", i, 0));
    }
    m_model.vocabulary =
        std::max(m_file.countOf("tokenizer.ggml.tokens"), number("vocab_size").value_or(0));
    for (const StoredTensor &tensor : checkpoint.tensors)
        if (tensor.name == "token_embd.weight" && tensor.shape.size() == 2)
            m_model.vocabulary = tensor.shape.front();
    const auto *const pattern =
        std::ranges::find(kWindowPatterns, m_model.architecture, &WindowPattern::architecture);
    const bool listed = m_file.countOf(m_prefix + "attention.sliding_window_pattern") > 0;
    const bool known = listed || pattern != kWindowPatterns.end();
    const auto stated = number("attention.sliding_window");
    m_model.window = stated.value_or(known && !listed ? pattern->window : 0);
    if (m_model.window > 0 && !known) {
        m_model.notes.push_back("Which layers of \"" + excerpt(m_model.architecture, 60) +
                                "\" have a sliding window is not known: all keep the whole "
                                "context here, the most that they can.");
        m_model.window = 0;
    }
    placeTensors(checkpoint);
    readLayers();
    if (m_model.architecture.starts_with("deepseek4"))
        m_model.notes.emplace_back("DeepSeek-V4 has caches of its own, which are not counted: the "
                                   "cache is not right.");
    if (!checkpoint.missing.empty())
        m_model.notes.emplace_back("Parts of the model are missing: its weights are at least "
                                   "these.");
    return std::move(m_model);
}

} // namespace

LlamaTensor placedTensor(StoredTensor tensor, std::int64_t layers, std::int64_t prediction)
{
    constexpr auto kInputs = std::to_array<std::string_view>(
        {"token_embd", "token_embd_norm", "token_types", "position_embd", "per_layer_token_embd"});
    LlamaTensor placed{std::move(tensor), LlamaPlace::Output, -1, LlamaFfn::None, false};
    const std::string_view name = placed.stored.name;
    const std::string_view first = name.substr(0, name.find('.'));
    const auto layer = first == "blk" ? layerOf(placed.stored) : std::nullopt;
    if (layer && *layer < layers) {
        const std::string_view module = moduleOf(name);
        const bool skipped = *layer >= layers - prediction || module.starts_with("nextn.");
        placed.place = skipped ? LlamaPlace::Skipped : LlamaPlace::Layer;
        placed.layer = *layer;
        placed.ffn = ffnOf(module);
        placed.routed = placed.ffn != LlamaFfn::None && (module.find("_exps") != module.npos ||
                                                         module.find("_chexps") != module.npos);
    } else if (isOneOf(first, kInputs)) {
        placed.place = LlamaPlace::Input;
    } else if (first.starts_with("rope_f")) {
        placed.place = LlamaPlace::Every;
    }
    return placed;
}

Result<LlamaModel> llamaModel(const Checkpoint &checkpoint)
{
    if (!checkpoint.gguf)
        return Error{ErrorCode::OtherContent, "llama.cpp reads GGUF files, which this is none of; "
                                              "choose one."};
    return LlamaModelReader(checkpoint).read(checkpoint);
}

} // namespace vramscope
