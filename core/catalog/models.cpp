// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/models.h"

#include "core/catalog/model_types.h"

#include <algorithm>
#include <cassert>

namespace vramscope {

namespace {

/// The routed and shared experts of a mixture-of-experts model.
struct Experts
{
    std::int64_t count = 0;
    std::int64_t perToken = 0;
    std::int64_t ffn = 0;
    std::int64_t shared = 0;
    std::int64_t sharedFfn = 0;
    std::int64_t denseLayers = 0;
};

/// The low ranks and head dimensions of multi-head latent attention.
struct LatentAttention
{
    std::int64_t qRank = 0;
    std::int64_t kvRank = 0;
    std::int64_t nope = 0;
    std::int64_t rope = 0;
    std::int64_t value = 0;
};

/// One preset: what its config.json says. The rest follows from the model type.
struct Row
{
    std::string_view name;
    std::string_view title;
    std::string_view family;
    std::string_view type;
    int year;
    std::int64_t layers, hidden, heads, kvHeads, headDim, ffn, vocab, positions;
    bool tied = false;
    std::int64_t window = 0;
    Experts experts{};
    LatentAttention latent{};
};

constexpr bool kTied = true;
constexpr bool kOwnHead = false;

// clang-format off
constexpr Row kRows[] = {
    // name, title, family, type, year,
    //     layers, hidden, heads, KV heads, head dim, FFN, vocabulary, positions, head, window, experts, latent
    {"gpt2", "GPT-2 small 124M", "GPT-2", "gpt2", 2019,
        12, 768, 12, 12, 64, 3072, 50257, 1024, kTied},
    {"gpt2-medium", "GPT-2 medium 355M", "GPT-2", "gpt2", 2019,
        24, 1024, 16, 16, 64, 4096, 50257, 1024, kTied},
    {"gpt2-large", "GPT-2 large 774M", "GPT-2", "gpt2", 2019,
        36, 1280, 20, 20, 64, 5120, 50257, 1024, kTied},
    {"gpt2-xl", "GPT-2 XL 1.6B", "GPT-2", "gpt2", 2019,
        48, 1600, 25, 25, 64, 6400, 50257, 1024, kTied},

    {"llama-2-7b", "Llama 2 7B", "Llama", "llama", 2023,
        32, 4096, 32, 32, 128, 11008, 32000, 4096},
    {"llama-2-13b", "Llama 2 13B", "Llama", "llama", 2023,
        40, 5120, 40, 40, 128, 13824, 32000, 4096},
    {"llama-2-70b", "Llama 2 70B", "Llama", "llama", 2023,
        80, 8192, 64, 8, 128, 28672, 32000, 4096},
    {"codellama-7b", "Code Llama 7B", "Llama", "llama", 2023,
        32, 4096, 32, 32, 128, 11008, 32016, 16384},
    {"codellama-34b", "Code Llama 34B", "Llama", "llama", 2023,
        48, 8192, 64, 8, 128, 22016, 32000, 16384},
    {"llama-3-8b", "Llama 3 8B", "Llama", "llama", 2024,
        32, 4096, 32, 8, 128, 14336, 128256, 8192},
    {"llama-3.1-8b", "Llama 3.1 8B", "Llama", "llama", 2024,
        32, 4096, 32, 8, 128, 14336, 128256, 131072},
    {"llama-3.1-70b", "Llama 3.1 70B", "Llama", "llama", 2024,
        80, 8192, 64, 8, 128, 28672, 128256, 131072},
    {"llama-3.1-405b", "Llama 3.1 405B", "Llama", "llama", 2024,
        126, 16384, 128, 8, 128, 53248, 128256, 131072},
    {"llama-3.2-1b", "Llama 3.2 1B", "Llama", "llama", 2024,
        16, 2048, 32, 8, 64, 8192, 128256, 131072, kTied},
    {"llama-3.2-3b", "Llama 3.2 3B", "Llama", "llama", 2024,
        28, 3072, 24, 8, 128, 8192, 128256, 131072, kTied},
    {"tinyllama-1.1b", "TinyLlama 1.1B", "Llama", "llama", 2023,
        22, 2048, 32, 4, 64, 5632, 32000, 2048},
    {"yi-34b", "Yi 34B", "Llama", "llama", 2023,
        60, 7168, 56, 8, 128, 20480, 64000, 4096},

    {"mistral-7b-v0.1", "Mistral 7B v0.1", "Mistral", "mistral", 2023,
        32, 4096, 32, 8, 128, 14336, 32000, 32768},
    {"mistral-7b-v0.3", "Mistral 7B v0.3", "Mistral", "mistral", 2024,
        32, 4096, 32, 8, 128, 14336, 32768, 32768},
    {"mixtral-8x7b", "Mixtral 8x7B", "Mistral", "mixtral", 2023,
        32, 4096, 32, 8, 128, 14336, 32000, 32768, kOwnHead, 0, {8, 2, 14336}},
    {"mixtral-8x22b", "Mixtral 8x22B", "Mistral", "mixtral", 2024,
        56, 6144, 48, 8, 128, 16384, 32000, 65536, kOwnHead, 0, {8, 2, 16384}},

    {"qwen2.5-0.5b", "Qwen2.5 0.5B", "Qwen", "qwen2", 2024,
        24, 896, 14, 2, 64, 4864, 151936, 32768, kTied},
    {"qwen2.5-1.5b", "Qwen2.5 1.5B", "Qwen", "qwen2", 2024,
        28, 1536, 12, 2, 128, 8960, 151936, 32768, kTied},
    {"qwen2.5-7b", "Qwen2.5 7B", "Qwen", "qwen2", 2024,
        28, 3584, 28, 4, 128, 18944, 152064, 32768},
    {"qwen2.5-14b", "Qwen2.5 14B", "Qwen", "qwen2", 2024,
        48, 5120, 40, 8, 128, 13824, 152064, 32768},
    {"qwen2.5-32b", "Qwen2.5 32B", "Qwen", "qwen2", 2024,
        64, 5120, 40, 8, 128, 27648, 152064, 32768},
    {"qwen2.5-72b", "Qwen2.5 72B", "Qwen", "qwen2", 2024,
        80, 8192, 64, 8, 128, 29568, 152064, 32768},
    {"qwen3-0.6b", "Qwen3 0.6B", "Qwen", "qwen3", 2025,
        28, 1024, 16, 8, 128, 3072, 151936, 40960, kTied},
    {"qwen3-8b", "Qwen3 8B", "Qwen", "qwen3", 2025,
        36, 4096, 32, 8, 128, 12288, 151936, 40960},
    {"qwen3-32b", "Qwen3 32B", "Qwen", "qwen3", 2025,
        64, 5120, 64, 8, 128, 25600, 151936, 40960},
    {"qwen3-30b-a3b", "Qwen3 30B-A3B", "Qwen", "qwen3_moe", 2025,
        48, 2048, 32, 4, 128, 6144, 151936, 40960, kOwnHead, 0, {128, 8, 768}},
    {"qwen3-235b-a22b", "Qwen3 235B-A22B", "Qwen", "qwen3_moe", 2025,
        94, 4096, 64, 4, 128, 12288, 151936, 40960, kOwnHead, 0, {128, 8, 1536}},

    {"deepseek-v3", "DeepSeek V3 671B", "DeepSeek", "deepseek_v3", 2024,
        61, 7168, 128, 128, 192, 18432, 129280, 163840, kOwnHead, 0,
        {256, 8, 2048, 1, 2048, 3}, {1536, 512, 128, 64, 128}},
    {"deepseek-v2-lite", "DeepSeek V2 Lite 16B", "DeepSeek", "deepseek_v2", 2024,
        27, 2048, 16, 16, 192, 10944, 102400, 163840, kOwnHead, 0,
        {64, 6, 1408, 2, 2816, 1}, {0, 512, 128, 64, 128}},

    {"kimi-k2", "Kimi K2 1T", "Kimi", "kimi_k2", 2025,
        61, 7168, 64, 64, 192, 18432, 163840, 131072, kOwnHead, 0,
        {384, 8, 2048, 1, 2048, 1}, {1536, 512, 128, 64, 128}},

    {"gpt-oss-20b", "gpt-oss 20B", "gpt-oss", "gpt_oss", 2025,
        24, 2880, 64, 8, 64, 2880, 201088, 131072, kOwnHead, 128, {32, 4, 2880}},
    {"gpt-oss-120b", "gpt-oss 120B", "gpt-oss", "gpt_oss", 2025,
        36, 2880, 64, 8, 64, 2880, 201088, 131072, kOwnHead, 128, {128, 4, 2880}},

    {"phi-1.5", "Phi-1.5 1.4B", "Phi", "phi", 2023,
        24, 2048, 32, 32, 64, 8192, 51200, 2048},
    {"phi-2", "Phi-2 2.8B", "Phi", "phi", 2023,
        32, 2560, 32, 32, 80, 10240, 51200, 2048},
    {"phi-3-mini", "Phi-3 mini 3.8B", "Phi", "phi3", 2024,
        32, 3072, 32, 32, 96, 8192, 32064, 4096},
    {"phi-4", "Phi-4 15B", "Phi", "phi3", 2024,
        40, 5120, 40, 10, 128, 17920, 100352, 16384},

    {"gemma-2b", "Gemma 2B", "Gemma", "gemma", 2024,
        18, 2048, 8, 1, 256, 16384, 256000, 8192, kTied},
    {"gemma-7b", "Gemma 7B", "Gemma", "gemma", 2024,
        28, 3072, 16, 16, 256, 24576, 256000, 8192, kTied},
    {"gemma-2-2b", "Gemma 2 2B", "Gemma", "gemma2", 2024,
        26, 2304, 8, 4, 256, 9216, 256000, 8192, kTied, 4096},
    {"gemma-2-9b", "Gemma 2 9B", "Gemma", "gemma2", 2024,
        42, 3584, 16, 8, 256, 14336, 256000, 8192, kTied, 4096},
    {"gemma-2-27b", "Gemma 2 27B", "Gemma", "gemma2", 2024,
        46, 4608, 32, 16, 128, 36864, 256000, 8192, kTied, 4096},
    {"gemma-3-1b", "Gemma 3 1B", "Gemma", "gemma3_text", 2025,
        26, 1152, 4, 1, 256, 6912, 262144, 32768, kTied, 512},
    {"gemma-3-27b", "Gemma 3 27B (text part)", "Gemma", "gemma3_text", 2025,
        62, 5376, 32, 16, 128, 21504, 262208, 131072, kTied, 1024},

    {"bert-base-uncased", "BERT base uncased", "BERT", "bert", 2018,
        12, 768, 12, 12, 64, 3072, 30522, 512, kTied},
    {"bert-base-cased", "BERT base cased", "BERT", "bert", 2018,
        12, 768, 12, 12, 64, 3072, 28996, 512, kTied},
    {"bert-large-uncased", "BERT large uncased", "BERT", "bert", 2018,
        24, 1024, 16, 16, 64, 4096, 30522, 512, kTied},
};
// clang-format on

ModelPreset presetOf(const Row &row)
{
    const ModelType *type = findModelType(row.type);
    assert(type);
    Architecture it = architectureOfType(*type);
    it.layers = row.layers;
    it.hidden = row.hidden;
    it.heads = row.heads;
    it.kvHeads = row.kvHeads;
    it.headDim = row.headDim;
    it.ffn = row.ffn;
    it.vocab = row.vocab;
    it.maxPositions = row.positions;
    it.tiedEmbeddings = row.tied;
    it.learnedPositions = type->learnedPositions ? row.positions : 0;
    it.experts = row.experts.count;
    it.expertsPerToken = row.experts.perToken;
    it.expertFfn = row.experts.ffn;
    it.sharedExperts = row.experts.shared;
    it.sharedFfn = row.experts.sharedFfn;
    it.denseLayers = row.experts.denseLayers;
    it.qLoraRank = row.latent.qRank;
    it.kvLoraRank = row.latent.kvRank;
    it.qkNopeHeadDim = row.latent.nope;
    it.qkRopeHeadDim = row.latent.rope;
    it.vHeadDim = row.latent.value;
    it.slidingWindow = row.window;
    if (type->fullEvery > 0)
        it.slidingLayers = slidingPattern(row.layers, type->fullEvery);
    if (type->pooler)
        it.extraParameters = row.hidden * row.hidden + row.hidden;
    return {std::string(row.name),
            std::string(row.title),
            std::string(row.family),
            it,
            "config.json of the published model",
            row.year};
}

} // namespace

std::span<const ModelPreset> modelPresets()
{
    static const std::vector<ModelPreset> presets = [] {
        std::vector<ModelPreset> all;
        all.reserve(std::size(kRows));
        std::ranges::transform(kRows, std::back_inserter(all), presetOf);
        return all;
    }();
    return presets;
}

const ModelPreset *findModelPreset(std::string_view name)
{
    const auto presets = modelPresets();
    const auto found = std::ranges::find(presets, name, &ModelPreset::name);
    return found == presets.end() ? nullptr : &*found;
}

} // namespace vramscope
