// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/exchange/formats.h"
#include "core/exchange/harmless_keys.h"
#include "core/exchange/serving_import.h"

namespace vramscope {

namespace {

constexpr std::array<WordPair, 12> kSglangQuantizations = {{{"awq", "awq-int4-g128"},
                                                            {"awq_marlin", "awq-int4-g128"},
                                                            {"gptq", "gptq-int4-g128"},
                                                            {"gptq_marlin", "gptq-int4-g128"},
                                                            {"fp8", "fp8"},
                                                            {"w8a8_fp8", "fp8"},
                                                            {"modelopt_fp8", "fp8"},
                                                            {"w8a8_int8", "int8"},
                                                            {"mxfp4", "mxfp4"},
                                                            {"modelopt_fp4", "nvfp4"},
                                                            {"petit_nvfp4", "nvfp4"},
                                                            {"bitsandbytes", "nf4"}}};

constexpr std::array<WordPair, 5> kSglangAlgorithms = {{{"eagle", "eagle"},
                                                        {"eagle3", "eagle3"},
                                                        {"nextn", "mtp"},
                                                        {"standalone", "draft_model"},
                                                        {"ngram", "ngram"}}};

void importSglangCacheType(Translation &t)
{
    const auto type = t.text({"--kv-cache-dtype"});
    if (!type)
        return;
    if (type->starts_with("fp8"))
        t.set("inference.kv_bytes_per_element", std::int64_t(1));
    else if (*type == "auto" || type->starts_with("bf"))
        t.set("inference.kv_bytes_per_element", std::int64_t(2));
    else
        t.note("is \"" + excerpt(*type, 40) + "\"; known are auto, bfloat16 and fp8.");
}

void importSglangPools(Translation &t)
{
    t.carry("inference.sglang.mem_fraction_static", {"--mem-fraction-static"});
    const auto chunk = t.count({"--chunked-prefill-size"});
    if (chunk && *chunk > 0)
        t.set("inference.sglang.chunked_prefill_size", *chunk);
    else if (chunk)
        t.note("switches chunked prefill off: a pass then takes whole prompts, up to "
               "--max-prefill-tokens (16,384). State the longest as "
               "inference.sglang.chunked_prefill_size.");
    t.carry("inference.sglang.max_total_tokens", {"--max-total-tokens"});
    t.carry("inference.sglang.max_running_requests", {"--max-running-requests"});
    t.carry("inference.sglang.page_size", {"--page-size"});
    t.carry("inference.sglang.swa_full_tokens_ratio", {"--swa-full-tokens-ratio"});
    t.carry("inference.sglang.mamba_full_memory_ratio", {"--mamba-full-memory-ratio"});
    t.carry("inference.sglang.cuda_graph_max_bs", {"--cuda-graph-max-bs"});
    t.carry("inference.max_model_len", {"--context-length"});
    if (t.flag({"--disable-cuda-graph"}).value_or(false))
        t.set("inference.cuda_graph_bytes", std::int64_t(0));
    if (t.take({"--cuda-graph-bs"}))
        t.note("names the captured batches; the plan knows the largest alone: state it as "
               "inference.sglang.cuda_graph_max_bs.");
    importSglangCacheType(t);
}

void importSglangDraft(Translation &t)
{
    t.translate("inference.speculative.method", {"--speculative-algorithm", "--speculative-algo"},
                kSglangAlgorithms);
    const auto drafted = t.count({"--speculative-num-draft-tokens"});
    const auto steps = t.count({"--speculative-num-steps"});
    if (drafted && *drafted > 1)
        t.set("inference.speculative.num_speculative_tokens", *drafted - 1);
    else if (steps)
        t.set("inference.speculative.num_speculative_tokens", *steps);
    const auto model = t.text({"--speculative-draft-model-path", "--speculative-draft-model"});
    if (!model)
        return;
    if (const CatalogueModel *known = findServedModel(*model).model)
        t.set("inference.speculative.model", known->name);
    else
        t.note("names the draft " + excerpt(*model, 80) +
               ", which the catalogue does not have: give its config.json as "
               "inference.speculative.config.");
}

void noteSglangRest(Translation &t)
{
    if (t.flag({"--enable-dp-attention"}).value_or(false))
        t.note("gives each rank its own sequences and a whole cache of latent attention; the plan "
               "divides heads by --tp instead: the cache may differ.");
    if (t.number({"--cpu-offload-gb"}).value_or(0) > 0)
        t.note("keeps weights on the host, which a plan cannot say; they are counted on the GPU.");
    const bool lora = t.flag({"--enable-lora"}).value_or(false);
    if (t.take({"--lora-paths"}) || lora)
        t.note("serves LoRA adapters, whose pool is not counted under SGLang: state its bytes as "
               "overheads.resident_bytes.");
    if (t.flag({"--enable-memory-saver"}).value_or(false))
        t.note("gives weights and cache back while the engine is released; the figures are of an "
               "engine that is awake.");
    if (t.flag({"--enable-multimodal"}).value_or(false))
        t.note("reserves memory for images, which is not counted under SGLang.");
}

} // namespace

Imported importSglang(Translation t)
{
    const std::string name = t.text({"--model-path", "--model"}).value_or("");
    t.clear("inference.sglang");
    const ServedModel model = beginServing(t, "sglang", name);
    importServedDegrees(t, {"--tp-size", "--tp", "--tensor-parallel-size"},
                        {"--pp-size", "--pp", "--pipeline-parallel-size"},
                        {"--dp-size", "--dp", "--data-parallel-size"});
    t.carry("parallel.expert", {"--ep-size", "--ep", "--expert-parallel-size"});
    importSglangPools(t);
    importServedFormat(t, {"--dtype"}, {"--quantization"}, kSglangQuantizations);
    importSglangDraft(t);
    noteSglangRest(t);
    return finishServing(std::move(t), model, "SGLang arguments", sglangHarmless());
}

} // namespace vramscope
