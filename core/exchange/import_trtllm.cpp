// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/formats.h"
#include "core/exchange/harmless_keys.h"
#include "core/exchange/serving_import.h"

namespace vramscope {

namespace {

void importTrtLlmCacheType(Translation &t)
{
    const auto type = t.text({"--kv-cache-dtype"});
    if (type && type->starts_with("fp8"))
        t.set("inference.kv_bytes_per_element", std::int64_t(1));
    else if (type && *type != "auto")
        t.note("is \"" + *type + "\"; known are auto and fp8.");
}

} // namespace

Imported importTrtLlm(Translation t)
{
    const std::string name = t.text({"--model"}).value_or("");
    t.clear("inference.trtllm");
    const ServedModel model = beginServing(t, "trt-llm", name);
    importServedDegrees(t, {"--tp-size"}, {"--pp-size"}, {});
    t.carry("parallel.expert", {"--ep-size"});
    t.carry("inference.max_num_seqs", {"--max-batch-size"});
    t.carry("inference.max_num_batched_tokens", {"--max-num-tokens"});
    t.carry("inference.max_model_len", {"--max-seq-len"});
    t.carry("inference.trtllm.free_gpu_memory_fraction",
            {"--kv-cache-free-gpu-memory-fraction", "--free-gpu-memory-fraction"});
    importTrtLlmCacheType(t);
    if (t.take({"--extra-llm-api-options", "--config", "--extra-llm-api-options-yaml"}))
        t.note(
            "names a file of further options, which is not read: state what it sets of the cache "
            "and the batches.");
    return finishServing(std::move(t), model, "TensorRT-LLM arguments", trtLlmHarmless());
}

} // namespace vramscope
