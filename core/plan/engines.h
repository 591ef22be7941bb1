// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace vramscope {

enum class Engine { Vllm, Hf, LlamaCpp, Plain, Sglang, TrtLlm, Mlx };

/// What an engine is called, and what tells its settings from those of others.
struct EngineTraits
{
    enum Trait : unsigned {
        Pool = 1,       ///< it fills its share of the GPU with cache, whatever the sequences are
        Releases = 2,   ///< they plan their memory differently
        OwnFiles = 4,   ///< weights are converted to a format of its own
        Share = 8,      ///< it takes gpu_memory_utilization
        Sequences = 16, ///< max_num_seqs
        Tokens = 32,    ///< max_num_batched_tokens
        Length = 64,    ///< max_model_len
    };

    std::string_view word;  ///< in the document
    std::string_view title; ///< what people read where the word does not say it
    unsigned traits = 0;
    std::string_view newest = {};      ///< release that was looked at last
    std::int64_t batchedTokens = 8192; ///< this and the next two: where none is stated
    std::int64_t sequences = 256;
    double share = 0.9;

    [[nodiscard]] constexpr bool has(Trait trait) const { return (traits & trait) != 0; }
    [[nodiscard]] constexpr std::string_view name() const { return title.empty() ? word : title; }
};

// In the order of the enumerators. The newest vLLM was looked at for its blocks
// (tests/measure/caches); its budget was read in 0.22 and in logs up to 0.29, and what it takes by
// the GPU is in settings/engines. llama.cpp: n_ubatch of common/common.h. TensorRT-LLM:
// llmapi/llm_args.py. MLX: mlx_lm/generate.py, prefill_step_size.
inline constexpr auto kEngineTraits = [] {
    using enum EngineTraits::Trait;
    return std::to_array<EngineTraits>({
        {"vllm", "vLLM", Pool | Releases | Share | Sequences | Tokens | Length, "0.33.0"},
        {"hf", "Hugging Face"},
        {"llama.cpp", "", OwnFiles | Tokens | Length, "", 512},
        {"plain", ""},
        {"sglang", "SGLang", Pool | Releases | Length, "0.5.10"},
        {"trt-llm", "TensorRT-LLM", Pool | Sequences | Tokens | Length, "", 8192, 2048},
        {"mlx", "MLX", OwnFiles | Tokens | Length, "", 2048},
    });
}();

[[nodiscard]] constexpr const EngineTraits &traitsOf(Engine engine)
{
    return kEngineTraits[static_cast<std::size_t>(engine)];
}

/// The engines with a trait: "vLLM, llama.cpp and MLX".
template<EngineTraits::Trait Trait>
inline constexpr auto engineNames = [] {
    std::array<char, 200> text{};
    char *end = text.data();
    const auto append = [&end](std::string_view part) { end = std::ranges::copy(part, end).out; };
    auto left =
        std::ranges::count_if(kEngineTraits, [](auto &engine) { return engine.has(Trait); });
    for (const EngineTraits &engine : kEngineTraits) {
        if (!engine.has(Trait))
            continue;
        append(engine.name());
        --left;
        append(left > 1 ? ", " : left == 1 ? " and " : "");
    }
    return text;
}();

} // namespace vramscope
