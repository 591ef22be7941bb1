// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/formats.h"
#include "core/exchange/serving.h"

namespace vramscope {

namespace {

constexpr SettingRow kTrtLlmDegrees[] = {
    {"--tp-size", "parallel.tensor"},
    {"--pp-size", "parallel.pipeline"},
};
constexpr SettingRow kTrtLlmRows[] = {
    {"--ep-size", "parallel.expert"},
    {"--max-batch-size", "inference.max_num_seqs"},
    {"--max-num-tokens", "inference.max_num_batched_tokens"},
    {"--max-seq-len", "inference.max_model_len"},
    {"--kv-cache-free-gpu-memory-fraction --free-gpu-memory-fraction",
     "inference.trtllm.free_gpu_memory_fraction"},
};

void importTrtLlmCacheType(Translation &t)
{
    const auto type = t.text("--kv-cache-dtype");
    if (type && type->starts_with("fp8"))
        t.set("inference.kv_bytes_per_element", std::int64_t(1));
    else if (type && *type != "auto")
        t.note("is \"" + *type + "\"; known are auto and fp8.");
}

} // namespace

Imported importTrtLlm(Translation t)
{
    const std::string name = t.text("--model").value_or("");
    t.clear("inference.trtllm");
    const ServedModel model = beginServing(t, "trt-llm", name);
    importServedDegrees(t, kTrtLlmDegrees, {});
    t.read(kTrtLlmRows);
    importTrtLlmCacheType(t);
    t.remark({"--extra-llm-api-options --config --extra-llm-api-options-yaml", Remarks::Given,
              "names a file of further options, which is not read: state what it sets of the cache "
              "and the batches."});
    return finishServing(std::move(t), model, "TensorRT-LLM arguments", "trt-llm");
}

} // namespace vramscope
