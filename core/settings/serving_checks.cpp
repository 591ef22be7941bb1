// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/adapter_slots.h"
#include "core/settings/plan_checker.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/parts.h"
#include "core/base/text.h"
#include "core/catalog/model_types.h"
#include "core/model/drafts/drafts.h"
#include "core/settings/engines/vllm_releases.h"
#include "core/settings/field_conditions.h"
#include "core/settings/job_text.h"

#include <algorithm>
#include <array>

namespace vramscope {

/// How engines divide the tables and projections of layers' own inputs is not followed.
void PlanChecker::ownInputs()
{
    const Settings &s = m_settings;
    if (s.architecture.ownInputs == 0 || s.workload != Workload::Inference)
        return;
    constexpr std::string_view kWhose = " is not computed for a model whose layers have inputs of "
                                        "their own; ";
    block(s.tensor > 1, "parallel.tensor",
          [&] { return "Tensor parallelism" + std::string(kWhose) + "use 1."; });
    block(s.pipeline > 1, "parallel.pipeline",
          [&] { return "A pipeline" + std::string(kWhose) + "use 1."; });
    block(s.engine == Engine::LlamaCpp, "inference.engine", [&] {
        return "llama.cpp, which keeps their table on the host," + std::string(kWhose) +
               "choose another.";
    });
    add(s.engine == Engine::Vllm && s.architecture.residualStreams > 1, Severity::Warning,
        "inference.engine",
        "The profile run of Gemma 3n holds several residual streams (AltUp), which are not "
        "counted: the cache is smaller than this.");
}

void PlanChecker::engineKnowsModel()
{
    const Settings &s = m_settings;
    // Under transformers 5.20 its class gives vLLM the width of the rotated part for a head's.
    block(
        s.architecture.modelType == "bailing_hybrid" && s.engine == Engine::Vllm,
        "inference.engine",
        "Which states vLLM keeps of Ling 3.0 is not known: it reads the width of their heads from "
        "a key that transformers overwrites; choose hf.");
    const ModelType *type = findModelType(s.architecture.modelType);
    const auto lacks = [type](std::string_view engine) {
        return type && isOneOf(engine, partsOf(type->unknownTo, ' '));
    };
    block(lacks(traitsOf(s.engine).word), "inference.engine", [&] {
        return std::string(traitsOf(s.engine).name()) + " has no class of this model; choose hf" +
               (lacks("llama.cpp") ? "." : " or llama.cpp.");
    });
}

/// What serves an encoder was read in vLLM and recorded with transformers, for blocks as BERT's.
void PlanChecker::servedEncoder()
{
    const Settings &s = m_settings;
    const Architecture &a = s.architecture;
    constexpr EngineVersion kFirst = {0, 11, 0};
    if (!a.encoder || s.workload != Workload::Inference)
        return;
    block(s.engine != Engine::Vllm && s.engine != Engine::Hf && s.engine != Engine::Plain,
          "inference.engine", [&] {
              return "What " + std::string(traitsOf(s.engine).name()) +
                     " takes to serve an encoder is not computed; choose vllm or hf.";
          });
    block(a.gatedMlp || a.norm != NormKind::LayerNorm || a.learnedPositions == 0, "workload",
          "What a pass of this encoder takes when it serves is not computed; its parameters are.");
    block(s.tensor > 1 && s.engine != Engine::Vllm, "parallel.tensor",
          "Tensor parallelism is not computed for an encoder under transformers; use 1.");
    block(s.pipeline > 1, "parallel.pipeline",
          "A pipeline is not computed for an encoder that serves; use 1.");
    // vllm/config/scheduler.py of 0.33, verify_max_model_len().
    block(s.engine == Engine::Vllm && s.maxNumBatchedTokens < s.maxModelLen,
          "inference.max_num_batched_tokens",
          "vLLM reads an encoder's texts whole: state at least max_model_len, or lower that.");
    const auto version = engineVersion(s.engineVersion);
    block(s.engine == Engine::Vllm && version && kFirst.isNewerThan(*version),
          "inference.engine_version",
          "What vLLM kept for an encoder before 0.11 is not known; choose a later release.");
}

/// MLX runs on one Mac and reads the formats of mx.quantize (mlx_lm/utils.py, quantize_model()).
void PlanChecker::mlx()
{
    const Settings &s = m_settings;
    constexpr std::array kReads = {WeightFormat::Bf16, WeightFormat::Fp16, WeightFormat::Fp32,
                                   WeightFormat::MxFp4, WeightFormat::NvFp4};
    const bool isOwn = isOfMlx(s.weightFormat);
    block(isOwn && s.engine != Engine::Mlx && s.engine != Engine::Plain, "inference.weight_format",
          [&] {
              return std::string(choiceText(s.weightFormat)) +
                     " is a format of MLX alone; set inference.engine to mlx, or choose another "
                     "format.";
          });
    if (s.engine != Engine::Mlx)
        return;
    block(!isOwn && std::ranges::find(kReads, s.weightFormat) == kReads.end(),
          "inference.weight_format", [&] {
              return "MLX reads no weights in " + std::string(choiceText(s.weightFormat)) +
                     "; choose mlx-4bit, mlx-8bit or bf16.";
          });
    block(s.gpu && s.gpu->vendor() != GpuVendor::Apple, "inference.engine",
          "MLX is computed for Apple silicon alone; choose another engine.");
    block(s.tensor > 1, "parallel.tensor", "MLX is computed on one machine; use 1.");
    block(s.pipeline > 1, "parallel.pipeline", "MLX is computed on one machine; use 1.");
}

void PlanChecker::serving()
{
    const Settings &s = m_settings;
    engineKnowsModel();
    servedEncoder();
    if (applies::inference(s))
        mlx();
    release();
    block(sizesItsCache(s) && applies::inference(s) && s.capacity == 0 &&
              (s.engine != Engine::Vllm || s.kvCacheMemoryBytes < 0),
          "hardware.gpu", [&] {
              return std::string(traitsOf(s.engine).name()) +
                     " sizes its cache by the GPU's memory. " + unknownCapacity(s) +
                     (s.gpu ? ": state hardware.capacity_bytes."
                            : ": name a GPU, or state hardware.capacity_bytes.");
          });
    if (applies::servesAdapters(s))
        servedAdapters();
    add(applies::keptStates(s) && s.activationPeakBytes < 0, Severity::Warning,
        "inference.activation_peak_bytes",
        "What layers that keep a state hold during vLLM's profile run is not known and not "
        "counted; a start-up log states the peak.");
    block(applies::windowedEngine(s) && s.maxModelLen < 1, "inference.max_model_len",
          "The model states no context length: say how long sequences may be.");
    if (applies::speculates(s))
        speculation();
}

/// The models whose slots for adapters are known.
void PlanChecker::servedAdapters()
{
    const Settings &s = m_settings;
    const Architecture &a = s.architecture;
    constexpr FieldPath kSlots = "inference.max_loras";
    constexpr std::string_view kInstead =
        "; use 0, and state their bytes as overheads.resident_bytes.";
    const bool vllm = s.engine == Engine::Vllm;
    const AdapterSlots *known = vllm ? findAdapterSlots(a.modelType) : nullptr;
    const bool none = known && known->none;
    block(none, kSlots, "vLLM's class of this model takes no adapters; use 0.");
    block(vllm && !known, kSlots, [&] {
        return "Which layers of this model vLLM gives adapter slots is not known" +
               std::string(kInstead);
    });
    const bool mixed = a.mla() || a.sharedFfn > 0 || !a.isPlain() || (a.moe() && a.denseLayers > 0);
    block(!vllm && mixed, kSlots, [&] {
        return "SGLang's pool of adapters is not computed for latent attention, shared experts and "
               "layers of several kinds" +
               std::string(kInstead);
    });
    block(vllm && s.fullyShardedLoras && s.expert > 1, "inference.fully_sharded_loras",
          "vLLM does not divide the adapters of experts that are spread over GPUs; switch it off.");
    constexpr std::int64_t kMostOfHead = 258048; // lora/layers/logits_processor.py
    block(vllm && known && known->head && !s.hasVisionTower && a.vocab > kMostOfHead, kSlots,
          [&] { return "vLLM takes no adapters for a vocabulary of more than 258,048; use 0."; });
    constexpr auto kRanks = std::to_array<std::int64_t>({1, 8, 16, 32, 64, 128, 256, 320, 512});
    add(vllm && std::ranges::find(kRanks, s.maxLoraRank) == kRanks.end(), Severity::Warning,
        "inference.max_lora_rank",
        "vLLM takes a largest rank of 1, 8, 16, 32, 64, 128, 256, 320 or 512 alone.");
    note(!vllm && s.loraTargets.empty(), "inference.lora_targets",
         "SGLang adapts the modules that its adapters or --lora-target-modules name: all "
         "linear layers of the blocks are counted, embedding and head are not.");
}

/// The release of the engine, and whether its share of the GPU is free when it starts.
void PlanChecker::release()
{
    const Settings &s = m_settings;
    constexpr FieldPath kVersion = "inference.engine_version";
    if (!applies::versionedEngine(s))
        return;
    const auto version = engineVersion(s.engineVersion);
    const bool vllm = s.engine == Engine::Vllm;
    const std::string_view newest = traitsOf(s.engine).newest;
    block(!version, kVersion, [&] {
        return '"' + s.engineVersion + "\" is no release; write one as " + std::string(newest) +
               ", or leave it out for the newest that is known.";
    });
    add(version && version->isNewerThan(*engineVersion(newest)), Severity::Note, kVersion, [&] {
        const bool pools = s.engine == Engine::Sglang && s.architecture.compressed.tokens > 0;
        return "Newer than " + std::string(newest) +
               ", the newest release that is known here: counted as that one" +
               (pools ? ", but for the pools of this model, which are those of " + s.engineVersion
                      : std::string()) +
               '.';
    });
    add(version && vllm && vllmReleases().front().since.isNewerThan(*version), Severity::Warning,
        kVersion, "Older than the oldest release that is known here: counted as 0.4.0.");
    if (!vllm || !vllmRelease(s).asksForFreeMemory || unifiedMemory(s) || s.capacity == 0)
        return;
    const auto share = static_cast<Bytes>(static_cast<double>(s.capacity) * s.gpuMemoryUtilization);
    const Bytes free =
        s.capacity - s.contextBytes - s.systemBytes -
        (vllmRelease(s).nonTorch == NonTorch::WithoutCommunicators ? s.ncclBytes : 0);
    add(share > free, Severity::Warning, "inference.gpu_memory_utilization", [&] {
        return "vLLM asks for " + formatBytes(share) + " at the start, and its own context " +
               (s.systemBytes > 0 ? "and other programs leave " : "leaves ") +
               formatBytes(std::max<Bytes>(free, 0)) +
               " free (\"Free memory on device … is less than desired GPU memory utilization\"): "
               "it does not start. Lower the share.";
    });
}

void PlanChecker::speculation()
{
    const Settings &s = m_settings;
    constexpr FieldPath kMethod = "inference.speculative.method";
    const bool head = s.speculative.method == SpeculativeMethod::Eagle ||
                      s.speculative.method == SpeculativeMethod::Eagle3;
    block((head || s.speculative.method == SpeculativeMethod::Mtp) && s.engine != Engine::Vllm &&
              s.engine != Engine::Sglang,
          kMethod,
          "EAGLE heads and prediction modules are computed for vLLM and SGLang alone (transformers "
          "builds no such module); choose one of them, or draft_model or ngram.");
    // transformers generation/utils.py, _get_candidate_generator and assisted decoding.
    block(s.engine == Engine::Hf && s.concurrentSequences != 1, "inference.concurrent_sequences",
          "transformers speculates for one sequence at a time; use 1.");
    // Steps of a state cannot be taken back there (transformers generation/utils.py, is_stateful).
    block(s.engine != Engine::Vllm && s.architecture.state.kind != StateKind::None, kMethod,
          "Speculation with layers that keep a state is computed for vLLM alone; choose vLLM, or "
          "none.");
    if (!s.draft)
        return speculationOfVllm();
    const Architecture &draft = s.draft->architecture;
    block(s.pipeline > 1, "parallel.pipeline",
          "A draft is computed beside a model on one pipeline stage; use 1.");
    block(draft.heads % s.tensor != 0, "parallel.tensor", [&] {
        return "The draft's " + counted(draft.heads, "attention head") +
               (draft.heads == 1 ? " does" : " do") +
               " not divide by tensor = " + formatCount(s.tensor) + ".";
    });
    add(s.draft->whole && draft.vocab != s.architecture.vocab, Severity::Warning,
        "inference.speculative.model", [&] {
            return "The draft has a vocabulary of " + formatCount(draft.vocab) +
                   ", the model one of " + formatCount(s.architecture.vocab) +
                   ": engines ask for the same one unless they are told to translate.";
        });
    speculationOfVllm();
}

/// What of vLLM's pool was held against vLLM itself (tests/measure/drafts).
void PlanChecker::speculationOfVllm()
{
    const Settings &s = m_settings;
    if (s.engine != Engine::Vllm)
        return;
    const Architecture &a = s.architecture;
    constexpr FieldPath kMethod = "inference.speculative.method";
    const StateKind kind = a.state.kind;
    block(kind != StateKind::None && kind != StateKind::GatedDelta && kind != StateKind::Mamba2,
          kMethod,
          "How many states vLLM keeps of this model while it speculates is not known; choose "
          "none.");
    if (!s.draft)
        return;
    block(a.slidingWindow > 0, kMethod,
          "How vLLM groups the layers of a draft with those that look back over a window is not "
          "computed; choose none or ngram.");
    block(kind != StateKind::None && !keepsAlike(a, s.draft->architecture), kMethod,
          "The layers of this draft keep more or less of a token than the model's, and how vLLM "
          "shares its blocks with the model's states then is not computed; choose another "
          "method.");
    block(s.draft->architecture.slidingWindow > 0, kMethod,
          "Drafts that look back over a window are not computed; choose another.");
}

} // namespace vramscope
