// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/model_names.h"
#include "core/catalog/published.h"
#include "core/exchange/outline.h"
#include "core/exchange/setting_values.h"

namespace vramscope {

namespace {

/// Bytes and formats that vLLM's own words stand for; empty where it has none.
std::string weightWords(WeightFormat format)
{
    switch (format) {
    case WeightFormat::Bf16:
        return "--dtype bfloat16";
    case WeightFormat::Fp16:
        return "--dtype float16";
    case WeightFormat::Fp32:
        return "--dtype float32";
    case WeightFormat::Fp8:
        return "--quantization fp8";
    case WeightFormat::GptqInt4:
        return "--quantization gptq";
    case WeightFormat::AwqInt4:
        return "--quantization awq";
    case WeightFormat::Nf4:
        return "--quantization bitsandbytes";
    case WeightFormat::MxFp4:
        return "--quantization mxfp4";
    case WeightFormat::NvFp4:
        return "--quantization nvfp4";
    default:
        return {};
    }
}

/// The draft as vLLM takes it, in one JSON option.
std::string speculationWords(Outline &o)
{
    const Settings &s = o.settings();
    std::string json = "{\"method\": \"" + std::string(choiceText(s.speculativeMethod)) +
                       "\", \"num_speculative_tokens\": " + std::to_string(s.speculativeTokens);
    o.said({"inference.speculative.method", "inference.speculative.num_speculative_tokens"});
    if (s.draft && s.speculativeMethod != SpeculativeMethod::Mtp) {
        const auto &model = o.plan().inference.speculative.model;
        const std::string_view repository = model ? repositoryOf(*model) : std::string_view();
        if (!repository.empty())
            o.said({"inference.speculative.model"});
        json += ", \"model\": \"" + std::string(repository.empty() ? "DRAFT" : repository) + '"';
        const std::string words = weightWords(s.draftWeightFormat);
        constexpr std::string_view kQuantized = "--quantization ";
        if (words.starts_with(kQuantized)) {
            json += ", \"quantization\": \"" + words.substr(kQuantized.size()) + '"';
            o.said({"inference.speculative.weight_format"});
        }
    }
    return json + '}';
}

/// What prompts may hold beside text.
std::vector<std::string> multimodalWords(Outline &o)
{
    const Settings &s = o.settings();
    std::vector<std::string> words;
    std::string limits;
    const auto limit = [&](FieldPath field, std::string_view kind, std::int64_t count) {
        if (o.states(field))
            limits += std::string(limits.empty() ? "" : ", ") + '"' + std::string(kind) +
                      "\": " + std::to_string(count);
    };
    limit("inference.multimodal.images", "image", s.promptImages);
    limit("inference.multimodal.videos", "video", s.promptVideos);
    if (!limits.empty())
        words.push_back("--limit-mm-per-prompt '{" + limits + "}'");
    if (o.states("inference.multimodal.max_pixels") && s.maxPixels > 0)
        words.push_back("--mm-processor-kwargs '{\"max_pixels\": " + std::to_string(s.maxPixels) +
                        "}'");
    if (o.states("inference.multimodal.profiled") && !s.encodingProfiled)
        words.emplace_back("--skip-mm-profiling");
    return words;
}

} // namespace

std::string vllmText(Outline &o)
{
    const Settings &s = o.settings();
    const auto &preset = o.plan().model.preset;
    const std::string_view repository = preset ? repositoryOf(*preset) : std::string_view();
    std::string text = "vllm serve ";
    text += repository.empty() ? "." : repository;
    if (!repository.empty())
        o.said({"model.preset"});
    const auto put = [&](const std::string &words) { text += " \\\n    " + words; };
    if (s.engine == Engine::Vllm)
        o.said({"inference.engine"});
    o.said({"parallel.tensor", "parallel.pipeline"});
    put("--tensor-parallel-size " + std::to_string(s.tensor));
    if (s.pipeline > 1)
        put("--pipeline-parallel-size " + std::to_string(s.pipeline));
    if (s.gpus == s.tensor * s.pipeline)
        o.said({"hardware.gpus"});
    if (s.expert == 1 || s.expert == s.tensor)
        o.said({"parallel.expert"});
    if (s.expert > 1 && s.expert == s.tensor)
        put("--enable-expert-parallel");
    if (s.textOnly && o.states("model.text_only"))
        put("--language-model-only");
    const auto count = [&](FieldPath field, const char *flag, std::int64_t value) {
        if (o.states(field))
            put(flag + (' ' + std::to_string(value)));
    };
    if (o.states("inference.gpu_memory_utilization"))
        put("--gpu-memory-utilization " + shortestNumber(s.gpuMemoryUtilization));
    count("inference.max_model_len", "--max-model-len", s.maxModelLen);
    count("inference.max_num_seqs", "--max-num-seqs", s.maxNumSeqs);
    count("inference.max_num_batched_tokens", "--max-num-batched-tokens", s.maxNumBatchedTokens);
    count("inference.block_size", "--block-size", s.blockSize);
    count("inference.kv_cache_memory_bytes", "--kv-cache-memory-bytes", s.kvCacheMemoryBytes);
    if (s.maxLoras > 0) {
        put("--enable-lora");
        count("inference.max_loras", "--max-loras", s.maxLoras);
        count("inference.max_lora_rank", "--max-lora-rank", s.maxLoraRank);
    }
    if (s.kvBytesPerElement == 1 || s.kvBytesPerElement == 2) {
        if (o.states("inference.kv_bytes_per_element"))
            put(s.kvBytesPerElement == 1 ? "--kv-cache-dtype fp8" : "--kv-cache-dtype auto");
    }
    // --dtype does not unpack weights that are published in fewer bits: it cannot say this.
    const PublishedModel *published = preset ? findPublished(*preset) : nullptr;
    const std::string weights = weightWords(s.weightFormat);
    const bool unpacks =
        published && !published->weightFormat.empty() && weights.starts_with("--dtype");
    if (!weights.empty() && !unpacks) {
        if (o.states("inference.weight_format"))
            put(weights);
    }
    if (o.states("inference.moe_backend"))
        put("--moe-backend " + std::string(choiceText(s.moeBackend)));
    if (o.states("inference.prefix_caching"))
        put(s.prefixCaching ? "--enable-prefix-caching" : "--no-enable-prefix-caching");
    for (const std::string &words : multimodalWords(o))
        put(words);
    if (draftedTokens(s) > 0)
        put("--speculative-config '" + speculationWords(o) + '\'');
    if (s.cudaGraphBytes == 0 && o.states("inference.cuda_graph_bytes"))
        put("--enforce-eager");
    return text + '\n';
}

} // namespace vramscope
