// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/parts.h"
#include "core/base/text.h"
#include "core/exchange/formats.h"
#include "core/exchange/serving.h"
#include "core/exchange/setting_values.h"
#include "core/model/parameters.h"
#include "core/settings/settings.h"

#include <algorithm>

namespace vramscope {

namespace {

/// Bytes per element of a ggml type: those of a block divided by its elements (ggml-common.h).
struct CacheType
{
    std::string_view name;
    double bytes;
};
constexpr CacheType kCacheTypes[] = {
    {"f32", 4},          {"f16", 2},          {"bf16", 2},
    {"q8_0", 34.0 / 32}, {"q5_1", 24.0 / 32}, {"q5_0", 22.0 / 32},
    {"q4_1", 20.0 / 32}, {"q4_0", 18.0 / 32}, {"iq4_nl", 18.0 / 32}};

/// Options that put a part of the model elsewhere than on one GPU.
constexpr Translation::Keys kPlacements =
    "-ts --tensor-split -sm --split-mode -mg --main-gpu -ot --override-tensor -nkvo "
    "--no-kv-offload";

/// Bytes per element of keys or of values; f16 if missing or unknown.
double cacheTypeBytes(Translation &t, Translation::Keys keys)
{
    const auto type = t.text(keys);
    if (!type)
        return 2;
    const auto *const known = std::ranges::find(kCacheTypes, lowered(*type), &CacheType::name);
    if (known != std::end(kCacheTypes))
        return known->bytes;
    t.noteWord(*type, ", which is no type of a cache known here; counted as f16.");
    return 2;
}

void importLlamaCache(Translation &t)
{
    const auto context = t.count("-c --ctx-size LLAMA_ARG_CTX_SIZE");
    if (context && *context > 0)
        t.set("inference.max_model_len", *context);
    else
        t.note("", "The context is the model's own (-c is not stated or 0); --fit, on in builds "
                   "since December 2025, shrinks it to what is free.");
    // tools/server and common/arg.cpp: n_ubatch is 512 by default.
    t.set("inference.max_num_batched_tokens",
          t.count("-ub --ubatch-size LLAMA_ARG_UBATCH").value_or(512));
    const bool stated =
        t.has("-ctk") || t.has("--cache-type-k") || t.has("-ctv") || t.has("--cache-type-v");
    const double keys = cacheTypeBytes(t, "-ctk --cache-type-k LLAMA_ARG_CACHE_TYPE_K");
    const double values = cacheTypeBytes(t, "-ctv --cache-type-v LLAMA_ARG_CACHE_TYPE_V");
    // Keys and values have the same width, except where one latent replaces both.
    if (stated)
        t.set("inference.kv_bytes_per_element", (keys + values) / 2);
    if (const auto slots = t.count("-np --parallel LLAMA_ARG_N_PARALLEL"); slots && *slots > 1)
        t.note("divides the context among " + counted(*slots, "slot") +
               "; the cache is as large as with one.");
}

/// Notes placements of the model that a plan does not have.
void noteLlamaPlacement(Translation &t)
{
    const auto layers = t.text("-ngl --gpu-layers --n-gpu-layers LLAMA_ARG_N_GPU_LAYERS");
    const auto architecture = architectureOf(t.plan().model);
    const std::int64_t all = architecture ? architecture->layers + 1 : 0; // with the head
    const auto whole = [all](const std::string &word) {
        const auto count = asCount(FieldValue(word));
        return word == "all" || word == "auto" ||
               (count && (*count < 0 || (all > 1 && *count >= all)));
    };
    if (const auto host = t.count("-ncmoe --n-cpu-moe LLAMA_ARG_N_CPU_MOE"))
        t.set("inference.host_expert_layers", *host);
    else if (architecture && (t.has("-cmoe") || t.has("--cpu-moe")))
        t.set("inference.host_expert_layers", architecture->layers);
    if (layers && !whole(*layers))
        t.note("keeps " + countedAs(excerpt(*layers, 20), "layer") +
               " on the GPU, which a plan does not say: it counts the whole model there.");
    for (const std::string_view key : partsOf(kPlacements, ' '))
        t.remark({key, Remarks::Given,
                  "puts a part of the model elsewhere, which a plan does not say: it counts the "
                  "whole model on one GPU."});
    t.remark({"--swa-full", Remarks::Given,
              "gives layers with a window the whole context, which a plan does not say: the cache "
              "is larger than this."});
}

/// A file of weights has no vision tower: --mmproj names that of the tower, which a repository
/// brings unless --no-mmproj leaves it out (common/arg.cpp).
void importLlamaTower(Translation &t, bool isRepository)
{
    constexpr Translation::Keys kTower = "--mmproj -mm --mmproj-url -mmu";
    const bool isNamed = t.text(kTower).has_value();
    const bool isLeftOut = !isNamed && (t.isOn("--no-mmproj") || !isRepository);
    const bool isKnown = !resolve(t.plan()).settings.towers.empty();
    t.set("model.text_only", isKnown && isLeftOut ? FieldValue(true) : FieldValue());
    if (isNamed && !isKnown)
        t.note("--mmproj", "loads an encoder of images that is not known here: its file and a "
                           "buffer add to the memory.");
}

void importLlamaDraft(Translation &t)
{
    const auto draft = t.text("-md --model-draft -hfd --hf-repo-draft");
    if (!draft)
        return;
    t.set("inference.speculative.method", "draft_model");
    const NamedModel named = findServedModel(*draft);
    importServedDraft(t, named.model, *draft);
    if (!named.weightFormat.empty())
        t.set("inference.speculative.weight_format", std::string(named.weightFormat));
    if (const auto tokens = t.count("--draft-max --draft --draft-n"); tokens && *tokens > 0)
        t.set("inference.speculative.num_speculative_tokens", *tokens);
}

/// The model from the repository or the file in the line, the repository first.
std::string llamaModelName(Translation &t)
{
    const auto file = t.text("-m --model LLAMA_ARG_MODEL");
    const auto repository = t.text("-hf -hfr --hf-repo LLAMA_ARG_HF_REPO");
    const auto inside = t.text("-hff --hf-file LLAMA_ARG_HF_FILE");
    return inside ? *inside : repository ? *repository : file.value_or("");
}

} // namespace

Imported importLlamaCpp(Translation t)
{
    const std::string name = llamaModelName(t);
    const ServedModel model = beginServing(t, "llama.cpp", name);
    t.clear("parallel");
    t.set("hardware.gpus", {});
    importLlamaCache(t);
    importLlamaDraft(t);
    importLlamaTower(t, t.has("-hf") || t.has("-hfr") || t.has("--hf-repo"));
    noteLlamaPlacement(t);
    return finishServing(std::move(t), model, "llama.cpp arguments", "llama.cpp");
}

} // namespace vramscope
