// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/formats.h"
#include "core/exchange/serving.h"

namespace vramscope {

namespace {

constexpr WordPair kSglangQuantizations[] = {{"awq awq_marlin", "awq-int4-g128"},
                                             {"gptq gptq_marlin", "gptq-int4-g128"},
                                             {"fp8 w8a8_fp8 modelopt_fp8", "fp8"},
                                             {"w8a8_int8", "int8"},
                                             {"mxfp4", "mxfp4"},
                                             {"modelopt_fp4 petit_nvfp4", "nvfp4"},
                                             {"bitsandbytes", "nf4"}};
constexpr WordPair kSglangAlgorithms[] = {{"eagle", "eagle"},
                                          {"eagle3", "eagle3"},
                                          {"nextn", "mtp"},
                                          {"standalone", "draft_model"},
                                          {"ngram", "ngram"}};

constexpr SettingRow kSglangDegrees[] = {
    {"--tp-size --tp --tensor-parallel-size", "parallel.tensor"},
    {"--pp-size --pp --pipeline-parallel-size", "parallel.pipeline"},
};
constexpr SettingRow kSglangPools[] = {
    {"--max-total-tokens", "inference.sglang.max_total_tokens"},
    {"--max-running-requests", "inference.sglang.max_running_requests"},
    {"--page-size", "inference.sglang.page_size"},
    {"--swa-full-tokens-ratio", "inference.sglang.swa_full_tokens_ratio"},
    {"--mamba-full-memory-ratio", "inference.sglang.mamba_full_memory_ratio"},
    {"--cuda-graph-max-bs", "inference.sglang.cuda_graph_max_bs"},
    {"--context-length", "inference.max_model_len"},
};
constexpr RemarkRow kSglangRemarks[] = {
    {"--enable-dp-attention", Remarks::On,
     "gives each rank its own sequences and a whole cache of latent attention; the plan divides "
     "heads by --tp instead: the cache may differ."},
    {"--cpu-offload-gb", Remarks::Positive,
     "keeps weights on the host, which a plan cannot say; they are counted on the GPU."},
};
constexpr RemarkRow kSglangLateRemarks[] = {
    {"--enable-memory-saver", Remarks::On,
     "gives weights and cache back while the engine is released; the figures are of an engine that "
     "is awake."},
    {"--enable-multimodal", Remarks::On,
     "reserves memory for images, which is not counted under SGLang."},
};

void importSglangPools(Translation &t)
{
    t.carry("inference.sglang.mem_fraction_static", "--mem-fraction-static");
    const auto chunk = t.count("--chunked-prefill-size");
    if (chunk && *chunk > 0)
        t.set("inference.sglang.chunked_prefill_size", *chunk);
    else if (chunk)
        t.note("switches chunked prefill off: a pass then takes whole prompts, up to "
               "--max-prefill-tokens (16,384). State the longest as "
               "inference.sglang.chunked_prefill_size.");
    t.read(kSglangPools);
    t.read({"--disable-cuda-graph", "inference.cuda_graph_bytes", Always, kNoGraphs});
    t.remark({"--cuda-graph-bs", Remarks::Given,
              "names the captured batches; the plan knows the largest alone: state it as "
              "inference.sglang.cuda_graph_max_bs."});
    importServedCacheType(t, "auto bf16 bfloat16");
}

void importSglangDraft(Translation &t)
{
    t.translate("inference.speculative.method", "--speculative-algorithm --speculative-algo",
                kSglangAlgorithms);
    const auto drafted = t.count("--speculative-num-draft-tokens");
    const auto steps = t.count("--speculative-num-steps");
    if (drafted && *drafted > 1)
        t.set("inference.speculative.num_speculative_tokens", *drafted - 1);
    else if (steps)
        t.set("inference.speculative.num_speculative_tokens", *steps);
    if (const auto model = t.text("--speculative-draft-model-path --speculative-draft-model"))
        importServedDraft(t, findServedModel(*model).model, *model);
}

/// The pool of adapters: eight slots unless stated, and their rank that of the largest adapter
/// (sglang/srt/server_args.py).
void importSglangAdapters(Translation &t)
{
    constexpr std::int64_t kUsualSlots = 8;
    const bool on = t.isOn("--enable-lora");
    const bool paths = t.take("--lora-paths") != nullptr;
    const auto slots = t.count("--max-loras-per-batch");
    t.set("inference.max_loras",
          on || paths ? FieldValue(slots.value_or(kUsualSlots)) : FieldValue());
    t.read({"--max-lora-rank", "inference.max_lora_rank", Stated});
    importServedTargets(t, "--lora-target-modules");
    if ((on || paths) && !t.plan().inference.maxLoraRank)
        t.note("--lora-paths",
               "gives adapters whose largest rank is not in the line: it is taken as "
               "16; set inference.max_lora_rank.");
    t.remark({"--experts-shared-outer-loras", Remarks::On,
              "keeps one factor for all experts, which plans do not have: the pool takes less."});
}

void noteSglangRest(Translation &t)
{
    t.remark(kSglangRemarks);
    t.remark(kSglangLateRemarks);
}

} // namespace

Imported importSglang(Translation t)
{
    const std::string name = t.text("--model-path --model").value_or("");
    t.clear("inference.sglang");
    const ServedModel model = beginServing(t, "sglang", name);
    importServedDegrees(t, kSglangDegrees, "--dp-size --dp --data-parallel-size");
    t.carry("parallel.expert", "--ep-size --ep --expert-parallel-size");
    importSglangPools(t);
    importServedFormat(t, "--dtype", "--quantization", kSglangQuantizations);
    importSglangDraft(t);
    importSglangAdapters(t);
    noteSglangRest(t);
    return finishServing(std::move(t), model, "SGLang arguments", "sglang");
}

} // namespace vramscope
