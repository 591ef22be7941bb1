// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/lengths.h"
#include "core/ask/new_plan.h"
#include "core/ask/reading.h"
#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/catalog/formats.h"
#include "core/estimate/verdict.h"
#include "core/model/catalogue_shapes.h"
#include "core/model/diffusion/pipelines.h"
#include "core/model/towers/visual_tokens.h"
#include "core/settings/degrees.h"
#include "core/settings/field_conditions.h"
#include "core/settings/field_text.h"
#include "core/settings/job_text.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <array>

namespace vramscope {

// What is given beside the words

/// The layout and the lengths of the other kind of work, adapters of another task, and all but the
/// GPUs beside a model of another kind.
void startAnew(Reading &r)
{
    const Settings now = resolve(r.stated).settings;
    const PlanHardware hardware = r.stated.hardware;
    r.isAnew = r.model && r.model->pipeline != r.ofPipelineAsStated();
    if (r.isAnew)
        r.stated = {};
    r.stated.hardware = hardware;
    if (r.ofPipeline())
        return;
    r.stated.hardware.gpus = now.gpus;
    if (r.isAnew)
        return;
    r.statedFills = now.gpus == now.tensor * now.pipeline;
    const AskedPhrase *task = saidTask(r);
    const auto sets = [&](std::string_view what) {
        return task && task->sets.find(what) != task->sets.npos;
    };
    const bool serves = now.workload == Workload::Inference;
    r.isAnew =
        serves ? sets("workload=training") || sets("workload=rl") : sets("workload=inference");
    if (r.isAnew || sets("adapters.kind"))
        r.stated.adapters = {};
    if (!r.isAnew)
        return;
    r.stated.workload = serves ? Workload::Training : Workload::Inference;
    r.stated.parallel = {};
    if (serves)
        r.stated.batch.sequenceLength = now.maxModelLen;
    else
        r.stated.inference.maxModelLen = now.sequenceLength;
}

void takeStated(Reading &r)
{
    r.plan.model = {};
    for (const Field &field : planFields()) {
        const FieldValue value = field.get(r.stated);
        if (!isStated(value) || (field.path == "name" && !r.isOpen))
            continue;
        field.set(r.plan, value);
        r.claims.push_back({.field = field.path, .value = {}, .text = {}, .ofFile = true});
    }
}

namespace {

bool isZero(std::optional<Strategy> strategy)
{
    return strategy == Strategy::Zero1 || strategy == Strategy::Zero2 ||
           strategy == Strategy::Zero3;
}

/// Of the other kind of plan.
void dropWithoutEffect(Reading &r)
{
    const Settings settings = resolve(r.plan).settings;
    for (const Claim &claim : r.claims) {
        const Field &field = fieldAt(claim.field);
        if (claim.ofFile && !field.applies(settings))
            field.set(r.plan, {});
    }
}

void placeGpus(Reading &r)
{
    PlanHardware &hardware = r.plan.hardware;
    if (r.nodes) {
        // "16 H100 on 2 nodes" are all of them, "8 H100, 2 nodes" are those of each.
        const std::int64_t count = r.isClaimed("hardware.gpus") ? *hardware.gpus : kUsualNode;
        // accelerate's --num_processes are those of all machines.
        const auto said = std::ranges::find(r.claims, FieldPath("hardware.gpus"), &Claim::field);
        const bool saysAll = said != r.claims.end() && said->text.starts_with("num_processes");
        const bool isAll = (saysAll || count > kUsualNode) && count % *r.nodes == 0;
        hardware.gpusPerNode = isAll ? count / *r.nodes : count;
        hardware.gpus = std::min(*r.nodes * *hardware.gpusPerNode, kMostGpus);
        return;
    }
    if (r.isClaimed("hardware.gpus"))
        return;
    PlanParallel degrees;
    degrees.tensor = r.plan.parallel.tensor;
    degrees.pipeline = r.plan.parallel.pipeline;
    degrees.context = r.plan.parallel.context;
    const std::int64_t data = r.isClaimed("parallel.data") ? *r.plan.parallel.data : 1;
    const std::int64_t replica = std::min(replicaGpus(degrees).value_or(1), kMostGpus);
    hardware.gpus = std::min(replica * std::min(data, kMostGpus), kMostGpus);
}

/// Whoever trains all of a U-Net in bf16 means its weights, as kohya's full_bf16 does: those of a
/// base that is frozen, or that generates, are in 16 bit anyway.
void placeWholeUnet(Reading &r)
{
    const Settings settings = resolve(r.plan).settings;
    const bool isWhole = settings.diffusion && settings.workload == Workload::Training &&
                         settings.adapters.kind == AdapterKind::None &&
                         !settings.diffusion->first(DiffusionRole::Denoiser)->unet.empty();
    const FieldPath format("diffusion.transformer_format");
    const auto said = std::ranges::find_if(r.claims, [&](const Claim &claim) {
        return claim.field == format && !claim.ofFile && claim.text.starts_with("bf");
    });
    if (!isWhole || said == r.claims.end() || r.isClaimed("precision.regime"))
        return;
    const FieldPath regime("precision.regime");
    r.plan.diffusion.transformerFormat.reset();
    r.plan.precision.regime = Regime::PureBf16;
    for (AskedPiece &piece : r.asked.pieces)
        if (piece.state == AskedState::Understood && piece.text == said->text) {
            piece.fields = {regime};
            piece.meaning.clear();
        }
    *said = {regime, std::string(choiceText(Regime::PureBf16)), said->text, said->end};
}

/// What is made at once by a call is the batch of a training step.
void placePipelineBatch(Reading &r)
{
    constexpr FieldPath kAtOnce = "diffusion.images";
    constexpr FieldPath kBatch = "batch.micro_batch";
    if (r.plan.diffusion.images) {
        r.plan.batch.microBatch = *r.plan.diffusion.images;
        r.plan.diffusion.images.reset();
    }
    for (Claim &claim : r.claims)
        claim.field = claim.field == kAtOnce ? kBatch : claim.field;
    for (AskedPiece &piece : r.asked.pieces)
        std::ranges::replace(piece.fields, kAtOnce, kBatch);
    if (r.asked.sought && r.asked.sought->field == kAtOnce)
        r.asked.sought->field = kBatch;
}

/// A base "in NF4" is the transformer.
void placeQuantizedBase(Reading &r)
{
    constexpr FieldPath kBase = "adapters.base_quantization";
    constexpr FieldPath kFormat = "diffusion.transformer_format";
    const auto base = r.plan.adapters.baseQuantization;
    if (!base || r.isClaimed(kFormat))
        return;
    using enum BaseQuantization;
    if (*base == Nf4 || *base == Nf4Double)
        r.plan.diffusion.transformerFormat = DiffusionFormat::Nf4;
    else if (*base == Fp8)
        r.plan.diffusion.transformerFormat = DiffusionFormat::Fp8;
    else
        return;
    r.plan.adapters.baseQuantization.reset();
    for (Claim &claim : r.claims)
        claim.field = claim.field == kBase ? kFormat : claim.field;
    for (AskedPiece &piece : r.asked.pieces)
        std::ranges::replace(piece.fields, kBase, kFormat);
}

void placePipeline(Reading &r)
{
    if (!r.isClaimed("workload"))
        r.plan.workload.reset();
    if (r.isSaid("adapters.rank") && !r.isSaid("workload"))
        r.plan.workload = Workload::Training;
    if (r.plan.workload == Workload::Training)
        placePipelineBatch(r);
    placeQuantizedBase(r);
    r.plan.parallel = {};
    r.plan.batch.sequenceLength.reset();
    const auto checkpointing = r.plan.activations.checkpointing;
    r.plan.activations = {};
    if (r.isSaid("activations.checkpointing"))
        r.plan.activations.checkpointing = checkpointing;
    else if (r.plan.workload == Workload::Training) // as every published recipe has it
        r.plan.activations.checkpointing = Checkpointing::Full;
    r.plan.hardware.gpus.reset();
    r.plan.hardware.gpuList.reset();
    for (AskedPiece &piece : r.asked.pieces)
        if (std::ranges::find(piece.fields, FieldPath("hardware.gpu_list")) != piece.fields.end())
            Reading::passOver(piece, "is one of several GPUs, and a pipeline runs on one; name it");
    r.plan.inference.engine.reset();
    placeWholeUnet(r);
}

bool isWeak(const Reading &r, FieldPath path)
{
    const auto claim = std::ranges::find(r.claims, path, &Claim::field);
    return claim != r.claims.end() && claim->isWeak;
}

/// What the name of the files says where no word does.
void placeFormat(Reading &r)
{
    const NamedModel &named = r.named;
    const bool serves = r.when == AskedWhen::Serving;
    const auto isBits = [](const Claim &claim) {
        return claim.field == FieldPath("inference.weight_format") && claim.isWeak;
    };
    const bool saysEight = std::ranges::any_of(r.words, [](const SentenceWord &word) {
        return word.text.starts_with("8bit") || word.text.starts_with("8-bit");
    });
    if (serves && saysEight && !r.isClaimed("inference.kv_bytes_per_element") &&
        std::ranges::any_of(r.claims, isBits) &&
        r.plan.inference.weightFormat == WeightFormat::Nf4) // "8 bit (bitsandbytes)"
        r.plan.inference.weightFormat = WeightFormat::Int8;
    if (serves && !named.engine.empty() && !r.isClaimed("inference.engine"))
        static_cast<void>(setField(r.plan, fieldAt("inference.engine"), std::string(named.engine)));
    if (named.weightFormat.empty()) {
        if (serves && !named.formatWritten.empty() && !r.isClaimed("inference.weight_format"))
            r.remark(named.formatWritten, "is a format of weights that is not computed");
        return;
    }
    const FieldPath field =
        serves ? FieldPath("inference.weight_format") : FieldPath("adapters.base_quantization");
    const bool hasBase = serves || r.plan.adapters.kind == AdapterKind::Lora;
    // "…-GPTQ 4bit" says how the four bits are packed.
    if (hasBase && (!r.isClaimed(field) || isWeak(r, field)) &&
        setField(r.plan, fieldAt(field), std::string(named.weightFormat)))
        r.claims.push_back({.field = field,
                            .value = std::string(named.weightFormat),
                            .text = r.modelWords,
                            .isWeak = true});
}

void placeRollout(Plan &plan)
{
    constexpr double kShare = 0.5; // verl's own
    plan.inference.engine = plan.inference.engine.value_or(Engine::Vllm);
    if (plan.inference.engine == Engine::Vllm && !plan.inference.gpuMemoryUtilization)
        plan.inference.gpuMemoryUtilization = kShare;
    if (plan.inference.engine == Engine::Sglang && !plan.inference.sglang.memFractionStatic)
        plan.inference.sglang.memFractionStatic = kShare;
}

bool barsTargets(const Plan &plan)
{
    const ResolvedPlan resolved = resolve(plan);
    return std::ranges::any_of(resolved.issues, [](const Issue &issue) {
        return issue.severity == Issue::Severity::Blocking && issue.field == "adapters.targets";
    });
}

/// The layers that are adapted where nobody says which: all, or those of them that are computed.
void placeTargets(Plan &plan)
{
    const auto kFewer =
        std::to_array<TextList>({{"q", "k", "v", "o", "gate", "up", "down"}, {"q", "k", "v", "o"}});
    const std::optional<TextList> usual = plan.adapters.targets;
    for (const TextList &fewer : kFewer) {
        if (!barsTargets(plan))
            return;
        plan.adapters.targets = fewer;
    }
    if (barsTargets(plan))
        plan.adapters.targets = usual;
}

/// A word that sets several fields loses the one that this plan has no use for.
void withdraw(Reading &r, FieldPath path)
{
    fieldAt(path).set(r.plan, {});
    std::erase_if(r.claims, [&](const Claim &claim) { return claim.field == path; });
    for (AskedPiece &piece : r.asked.pieces)
        std::erase(piece.fields, path);
}

/// "Offload" without an object moves what the strategy can move: parameters and optimizer states
/// under ZeRO-3, the states under the other stages of ZeRO and without shards. FSDP steps where
/// its shards are, so that one setting moves both; torch.distributed.fsdp, CPUOffloadPolicy.
void placeOffload(Reading &r)
{
    constexpr FieldPath kShards = "parallel.cpu_offload";
    constexpr FieldPath kStates = "optimizer.offload";
    if (!r.isSaid(kShards) || !r.isSaid(kStates))
        return;
    const Settings settings = resolve(r.plan).settings;
    if (!applies::shardedParameters(settings))
        withdraw(r, kShards);
    else if (applies::fsdp(settings))
        withdraw(r, kStates);
}

/// Images that nobody gave a size are as large as the sequence holds them.
void placeImageSide(Reading &r, const Settings &s, const Tower &tower)
{
    constexpr std::int64_t kLeast = 112;
    if (r.isClaimed("batch.image_width") || r.isClaimed("batch.image_height"))
        return;
    const std::int64_t most = s.sequenceLength / s.images * 3 / 4; // the rest is text
    for (std::int64_t side = s.imageWidth; side >= kLeast; side /= 2) {
        const auto image = visualTokens(tower, side, side);
        if (!image || image->tokens > most)
            continue;
        if (side != s.imageWidth) {
            r.plan.batch.imageWidth = r.plan.batch.imageHeight = side;
            r.assume("batch.image_width", "images of " + formatCount(side) + " × " +
                                              formatCount(side) + ", which the sequence holds");
        }
        return;
    }
}

/// A sequence that nobody gave a length holds the images of a sample, and half as much text.
void placeImageLength(Reading &r)
{
    const Settings s = resolve(r.plan).settings;
    const auto tower = std::ranges::find(s.towers, TowerKind::Vision, &Tower::kind);
    const auto image =
        tower == s.towers.end() ? std::nullopt : visualTokens(*tower, s.imageWidth, s.imageHeight);
    if (!image || s.images == 0)
        return;
    if (r.isClaimed("batch.sequence_length"))
        return placeImageSide(r, s, *tower);
    const std::int64_t least = s.images * image->tokens * 3 / 2;
    std::int64_t length = s.sequenceLength;
    while (length < least && length < kLongestSequence)
        length *= 2;
    if (length > s.sequenceLength)
        r.plan.batch.sequenceLength = length;
}

void placeTraining(Reading &r)
{
    Plan &plan = r.plan;
    if (plan.workload == Workload::Rl)
        placeRollout(plan);
    placeImageLength(r);
    if (plan.adapters.kind == AdapterKind::Lora && !plan.adapters.targets)
        plan.adapters.targets = TextList{"all-linear"};
    if (plan.adapters.kind == AdapterKind::Lora && !r.isClaimed("adapters.targets"))
        placeTargets(plan);
    const Architecture architecture = resolve(plan).settings.architecture;
    const std::int64_t longest = architecture.maxPositions;
    std::optional<std::int64_t> &length = plan.batch.sequenceLength;
    if (!r.isClaimed("batch.sequence_length") && architecture.readsImages())
        length.reset();
    else if (!r.isClaimed("batch.sequence_length") && length && longest > 0)
        length = std::min(*length, longest);
    const bool keepsStrategy =
        r.isOpen ? r.isSaid("parallel.strategy") : r.isClaimed("parallel.strategy");
    if (!keepsStrategy && plan.hardware.gpus == 1)
        plan.parallel.strategy.reset();
    placeOffload(r);
    // DeepSpeed's fp16 is an engine of its own and no autocast; a field says what it says.
    const bool statesField = std::ranges::any_of(r.claims, [](const Claim &claim) {
        return claim.field == "precision.regime" && claim.text.find('=') != std::string::npos;
    });
    if (plan.precision.regime == Regime::AutocastFp16 && isZero(plan.parallel.strategy) &&
        !statesField && (r.isSaid("precision.regime") || r.isSaid("parallel.strategy")))
        plan.precision.regime = Regime::DeepSpeedFp16;
}

bool isGguf(WeightFormat format)
{
    return findWeightStorage(choiceText(format))->gguf;
}

/// Whether the file beside the words is that of a server, and not a config with its format alone.
bool statesServing(const Reading &r)
{
    return std::ranges::any_of(r.claims, [](const Claim &claim) {
        return claim.ofFile && isOfGroup(claim.field, "inference") &&
               claim.field != "inference.weight_format";
    });
}

/// What "4 bit" and "8 bit" are of the files that an engine loads.
WeightFormat genericFormat(std::optional<Engine> engine, WeightFormat format)
{
    const bool isFour = format == WeightFormat::AwqInt4 || format == WeightFormat::Nf4;
    const bool isEight = format == WeightFormat::Int8;
    if (engine == Engine::LlamaCpp)
        return isFour ? WeightFormat::Q4_K : isEight ? WeightFormat::Q8_0 : format;
    if (engine == Engine::Mlx)
        return isFour                           ? WeightFormat::Mlx4Bit
               : isEight                        ? WeightFormat::Mlx8Bit
               : format == WeightFormat::Q3_K_M ? WeightFormat::Mlx3Bit
               : format == WeightFormat::Q5_K   ? WeightFormat::Mlx5Bit
               : format == WeightFormat::Q6_K   ? WeightFormat::Mlx6Bit
                                                : format;
    return format;
}

/// vLLM without a GPU: what it needs is a cache for the sequences that are asked for.
void placeNeededCache(Reading &r)
{
    constexpr std::int64_t kBlock = 16; // tokens; vllm/config/cache.py
    constexpr FieldPath kCache = "inference.kv_cache_memory_bytes";
    const PlanHardware &hardware = r.plan.hardware;
    PlanInference &inference = r.plan.inference;
    const bool isSized = hardware.gpu || hardware.gpuList || hardware.capacity;
    if (inference.engine != Engine::Vllm || isSized || r.isOpen || r.statesModel() ||
        r.isClaimed(kCache))
        return;
    Plan plain = r.plan;
    plain.inference.engine = Engine::Plain;
    plain.inference.meanSequenceLength = inference.maxModelLen.value_or(kBlock) + kBlock;
    const Estimate needed = estimate(plain);
    if (!needed.inference)
        return;
    inference.kvCacheMemoryBytes = needed.inference->kvCache;
    r.assume(kCache, "a cache of " + formatBytes(needed.inference->kvCache) + " for " +
                         counted(inference.concurrentSequences.value_or(1), "sequence") + " of " +
                         formatCount(inference.maxModelLen.value_or(0)) + " tokens");
}

/// llama.cpp loads a vision tower only from the file that --mmproj names; Ollama and LM Studio load
/// it with the model.
void placeTower(Reading &r)
{
    const bool isPlain = r.plan.inference.engine == Engine::LlamaCpp && r.isAnew && !r.isOpen &&
                         (!r.engine || r.engine->name == "llama.cpp");
    if (!isPlain || r.statesModel() || r.isClaimed("model.text_only") ||
        r.isClaimed("inference.multimodal.images") || r.isClaimed("batch.image_width"))
        return;
    if (resolve(r.plan).settings.towers.empty())
        return;
    r.plan.model.textOnly = true;
    r.assume("model.text_only", "without its vision tower, which --mmproj loads");
}

/// "What can I run on a 3090?": at home models run from files in four bits or so.
void placeLocalModels(Reading &r)
{
    constexpr auto kAtHome =
        std::to_array<std::string_view>({"rtx-", "gtx-", "rx-", "arc-", "apple-", "titan-"});
    PlanInference &inference = r.plan.inference;
    const std::string gpu = r.plan.hardware.gpu.value_or(std::string());
    const bool isAtHome =
        r.plan.hardware.capacity || r.plan.hardware.gpuList ||
        std::ranges::any_of(kAtHome, [&](std::string_view name) { return gpu.starts_with(name); });
    if (!r.asked.sought || r.asked.sought->kind != Sought::Kind::Models || !isAtHome ||
        r.isClaimed("inference.engine") || r.isClaimed("inference.weight_format"))
        return;
    inference.engine = Engine::LlamaCpp;
    inference.weightFormat = WeightFormat::Q4_K_M;
}

void placeServing(Reading &r)
{
    constexpr std::int64_t kUsualText = 512;     ///< tokens of a text that becomes an embedding
    constexpr std::int64_t kUsualContext = 8192; // of a question that names none
    PlanInference &inference = r.plan.inference;
    const GpuPreset *gpu = r.plan.hardware.gpu ? findGpuPreset(*r.plan.hardware.gpu) : nullptr;
    const bool isLocal = (inference.weightFormat && isGguf(*inference.weightFormat)) ||
                         r.plan.hardware.gpuList || (gpu && gpu->vendor() == GpuVendor::Apple);
    if (!r.isClaimed("inference.engine") && isLocal) // what vLLM does not run
        inference.engine = Engine::LlamaCpp;
    else if (!gpu && !r.plan.hardware.gpuList && !r.plan.hardware.capacity && !r.isOpen &&
             !statesServing(r) && !r.isClaimed("inference.engine"))
        inference.engine = Engine::Plain; // others take what the GPU has
    if (isWeak(r, "inference.weight_format"))
        inference.weightFormat = genericFormat(inference.engine, *inference.weightFormat);
    const Architecture architecture = resolve(r.plan).settings.architecture;
    const std::int64_t limit = architecture.maxPositions;
    if (architecture.encoder && !r.isClaimed("inference.max_model_len") &&
        !inference.meanSequenceLength)
        inference.meanSequenceLength = limit > 0 ? std::min(kUsualText, limit) : kUsualText;
    if (!r.isClaimed("inference.max_model_len") && !inference.maxModelLen)
        inference.maxModelLen = limit > 0 ? std::min(kUsualContext, limit) : kUsualContext;
    if (inference.engine == Engine::Plain && !inference.meanSequenceLength)
        inference.meanSequenceLength = inference.maxModelLen;
    if (r.draft) {
        inference.speculative.method = SpeculativeMethod::DraftModel;
        inference.speculative.model = r.draft->name;
    }
    if (inference.hostExpertLayers)
        inference.hostExpertLayers =
            std::min(*inference.hostExpertLayers, resolve(r.plan).settings.architecture.layers);
    placeLocalModels(r);
    placeTower(r);
    placeNeededCache(r);
    placeFittingEngine(r);
}

/// How the model is trained or served, in the words of the tables of defaults.
std::vector<AskedTask> tasksOf(const Reading &r)
{
    using enum AskedTask;
    if (r.when == AskedWhen::Serving)
        return {Serve};
    std::vector<AskedTask> tasks = r.objectives;
    if (r.plan.workload == Workload::Rl)
        tasks.push_back(r.plan.rl.critic.value_or(false) ? Ppo : Grpo);
    const bool adapts = r.plan.adapters.kind == AdapterKind::Lora;
    const BaseQuantization base = r.plan.adapters.baseQuantization.value_or(BaseQuantization::None);
    const bool isInFourBits = base == BaseQuantization::Nf4 || base == BaseQuantization::Nf4Double;
    tasks.push_back(!adapts ? Full : isInFourBits ? Qlora : Lora);
    return tasks;
}

/// The teacher of a distillation is a frozen copy beside the student, in 16 bits.
void placeTeacher(Reading &r)
{
    constexpr std::int64_t kBytes = 2;
    const CatalogueShape *shape = r.teacher ? findCatalogueShape(r.teacher->name) : nullptr;
    if (!shape || r.isClaimed("overheads.resident_bytes") || shape->parameters == 0)
        return;
    const bool isSharded = r.plan.parallel.strategy && r.plan.parallel.strategy != Strategy::Ddp;
    const std::int64_t gpus = isSharded ? r.plan.hardware.gpus.value_or(1) : 1;
    r.plan.overheads.residentBytes = kBytes * shape->parameters / std::max<std::int64_t>(gpus, 1);
    r.assume("overheads.resident_bytes", r.teacher->title + " in 16 bits as the teacher");
}

/// What the tools that are named, or are usual, take by themselves.
void placeDefaults(Reading &r)
{
    if (r.ofPipeline() || r.isOpen || r.statesModel())
        return;
    // Who says LoRA and not QLoRA means a base in 16 bits.
    const bool saysLora = r.plan.adapters.kind == AdapterKind::Lora && r.isSaid("adapters.kind");
    // The longest sequence that fits is that of a batch of one.
    const std::optional<Sought> &sought = r.asked.sought;
    const bool seeksLength = sought && sought->field == FieldPath("batch.sequence_length");
    const auto isClaimed = [&](FieldPath path) {
        return r.isClaimed(path) || (saysLora && path == "adapters.base_quantization") ||
               (seeksLength && path == "batch.micro_batch");
    };
    const std::vector<AskedTask> tasks = tasksOf(r);
    const Tool *tool = r.when == AskedWhen::Serving ? r.engine : r.trainer;
    r.defaults = applyDefaults(r.plan, tool, tasks, isClaimed);
    for (const AskedTask task : r.objectives) // a batch of pairs has two sequences each
        if (r.isSaid("batch.micro_batch") && r.plan.batch.microBatch &&
            r.plan.workload != Workload::Rl)
            *r.plan.batch.microBatch *= sequencesPerSample(task);
}

/// How a tool computes a step, its kernels and what it offloads, gives way to the usual value where
/// that is not computed for this model, which is told. What it trains, and in which format, does
/// not: without it there would be figures of another job.
void dropBarredDefaults(Reading &r)
{
    for (const Issue &issue : resolve(r.plan).issues) {
        const auto barred = std::ranges::find_if(r.defaults, [&](const ToolDefault &def) {
            return issue.severity == Issue::Severity::Blocking &&
                   std::string_view(def.field) == issue.field &&
                   isOfGroup(def.field, "activations");
        });
        if (barred == r.defaults.end())
            continue;
        const FieldPath field = barred->field;
        std::string why = labelInSentence(fieldAt(field)) + " at the usual value (";
        why += barred->tool ? barred->tool->title + "'s own" : "the tool's own";
        why += " is not computed for this model)";
        fieldAt(field).set(r.plan, {});
        r.defaults.erase(barred);
        r.assume(field, std::move(why));
        return dropBarredDefaults(r);
    }
}

/// What the tools do that plans cannot state.
void takeRemarks(Reading &r)
{
    if (r.ofPipeline() || r.isOpen || r.statesModel())
        return;
    const Tool *tool = r.when == AskedWhen::Serving ? r.engine : r.trainer;
    for (const AskedTask task : tasksOf(r)) {
        const bool isCounted = task == AskedTask::Distill && r.plan.overheads.residentBytes;
        for (const std::string_view remark : remarksOf(tool, task))
            if (!isCounted && std::ranges::find(r.asked.remarks, remark) == r.asked.remarks.end())
                r.asked.remarks.emplace_back(remark);
    }
}

void placeTask(Reading &r)
{
    // Who says a rank, or asks for one, says adapters: "lora rank 32" is one phrase.
    const bool seeksRank = r.asked.sought && r.asked.sought->field == FieldPath("adapters.rank");
    if ((r.isSaid("adapters.rank") || seeksRank) && !r.isSaid("adapters.kind")) {
        r.plan.adapters.kind = AdapterKind::Lora;
        r.claims.push_back({.field = "adapters.kind", .value = "lora", .text = "rank"});
    }
    const bool isUsualAdapter = r.trainer && !r.isSaid("adapters.kind") && !r.isOpen &&
                                (r.trainer->usualTask == "lora" || r.trainer->usualTask == "qlora");
    if (isUsualAdapter && r.when == AskedWhen::Training)
        r.plan.adapters.kind = AdapterKind::Lora;
    if (isUsualAdapter && r.trainer->usualTask == "qlora" &&
        !r.isClaimed("adapters.base_quantization"))
        r.plan.adapters.baseQuantization = BaseQuantization::Nf4;
    const bool isFrozen =
        r.isSaid("adapters.base_quantization") &&
        r.plan.adapters.baseQuantization.value_or(BaseQuantization::None) != BaseQuantization::None;
    if (isFrozen && r.when == AskedWhen::Training && !r.isSaid("adapters.kind"))
        r.plan.adapters.kind = AdapterKind::Lora; // quantised weights cannot be trained
    placeFormat(r);
    placeDefaults(r);
    if (r.plan.adapters.kind == AdapterKind::Lora && r.when != AskedWhen::Serving)
        r.plan.adapters.rank = r.plan.adapters.rank.value_or(16);
    if (r.ofPipeline())
        placePipeline(r);
    else if (r.when == AskedWhen::Serving)
        placeServing(r);
    else
        placeTraining(r);
    dropBarredDefaults(r);
    placeTeacher(r);
    takeRemarks(r);
}

/// "131k" beside a model of 131,072 is that, which is assumed.
void placeLength(Reading &r)
{
    const Field &field = *findField(findKeyword("length", r.when)->field);
    const std::int64_t limit = resolve(r.plan).settings.architecture.maxPositions;
    const auto meant = meantLength(r.length, limit);
    if (meant && meant->isOther && setField(r.plan, field, meant->tokens))
        r.assume(field.path, r.length + " as " + formatCount(meant->tokens) +
                                 (meant->tokens == limit ? ", the model's own limit" : " tokens"));
}

/// "1,500 prompt tokens and 500 new ones" are a sequence of both.
void placeAnswer(Reading &r)
{
    if (r.answer == 0 || !r.isPromptAlone)
        return;
    std::optional<std::int64_t> &length =
        r.when == AskedWhen::Serving ? r.plan.inference.maxModelLen : r.plan.batch.sequenceLength;
    if (length)
        *length += r.answer;
}

/// What of the global batch a GPU takes in steps of its own.
void placeGlobalBatch(Reading &r)
{
    if (r.globalBatch == 0 || r.isSaid("batch.accumulation_steps"))
        return;
    const std::int64_t each =
        r.plan.batch.microBatch.value_or(1) * r.plan.parallel.data.value_or(1);
    if (each > 0 && r.globalBatch >= each)
        r.plan.batch.accumulationSteps = r.globalBatch / each;
}

/// Words of adapters and formats that a diffusion pipeline's figures do not follow.
void refuseUncomputed(Reading &r)
{
    if (!r.ofPipeline())
        return;
    const Settings settings = resolve(r.plan).settings;
    const auto isUsual =
        [&](FieldPath path) { // "mixed precision", and a base that is not quantised
            const auto claim = std::ranges::find(r.claims, path, &Claim::field);
            return claim != r.claims.end() && (claim->value.empty() || claim->value == "none");
        };
    const auto isLost = [&](FieldPath path) {
        const std::string_view name = path;
        return !isUsual(path) &&
               (name.starts_with("adapters.") || name.starts_with("precision.") ||
                name == "inference.weight_format") &&
               !fieldAt(path).applies(settings);
    };
    for (AskedPiece &piece : r.asked.pieces)
        if (piece.state == AskedState::Understood && std::ranges::any_of(piece.fields, isLost))
            Reading::contradict(
                piece, std::string("is not computed for a diffusion pipeline that ") +
                           (settings.workload == Workload::Training ? "is trained" : "generates"));
}

/// GPUs, or how the model lies on them.
bool saysLayout(const Reading &r)
{
    return r.nodes || std::ranges::any_of(r.claims, [](const Claim &claim) {
               const std::string_view path = claim.field;
               return !claim.ofFile && (path.starts_with("parallel.") || path == "hardware.gpus");
           });
}

void placeDegrees(Reading &r)
{
    if (r.ofPipeline())
        return;
    const std::int64_t gpus = *r.plan.hardware.gpus;
    PlanParallel &parallel = r.plan.parallel;
    if (r.splitsTensors && !r.isClaimed("parallel.tensor") && gpus > 1) {
        parallel.tensor = std::min(gpus, r.plan.hardware.gpusPerNode.value_or(kUsualNode));
        r.claims.push_back({.field = "parallel.tensor",
                            .value = std::to_string(*parallel.tensor),
                            .text = "tensor parallel"});
    }
    if (r.isOpen && !r.isAnew && !saysLayout(r))
        return;
    if (r.isOpen ? r.isSaid("parallel.data") : r.isClaimed("parallel.data"))
        return;
    parallel.data.reset();
    const bool statesSplit = r.isClaimed("parallel.tensor") || r.isClaimed("parallel.pipeline");
    const bool saysSplit = r.isSaid("parallel.tensor") || r.isSaid("parallel.pipeline");
    const bool splits =
        r.when == AskedWhen::Serving && !saysSplit && (!statesSplit || (r.isOpen && r.statedFills));
    if (splits && r.isOpen)
        parallel.pipeline.reset();
    if (splits && gpus > 1 && r.plan.inference.engine == Engine::LlamaCpp) {
        parallel.tensor.reset(); // layers are divided, over any number of GPUs
        parallel.pipeline = gpus;
        if (resolve(r.plan).computable())
            return;
        parallel.pipeline.reset();
    }
    // A server splits the model over all its GPUs, as far as its heads divide.
    for (std::int64_t tensor = splits ? std::min<std::int64_t>(gpus, 1024) : 0; tensor > 0;
         --tensor) {
        parallel.tensor = tensor;
        if (tensor == 1 && gpus > 1) { // three GPUs: a stage on each rather than three servers
            parallel.pipeline = gpus;
            if (fillGpus(parallel, gpus) && resolve(r.plan).computable())
                return;
            parallel.pipeline.reset();
        }
        if (fillGpus(parallel, gpus) && resolve(r.plan).computable())
            return;
    }
    if (splits)
        parallel.tensor = gpus;
    fillGpus(parallel, gpus);
}

/// What is given needs not be sought.
void placeQuestion(Reading &r)
{
    std::optional<Sought> &sought = r.asked.sought;
    if (sought && sought->field && r.isSaid(*sought->field))
        sought.reset();
    if (sought && sought->kind == Sought::Kind::SmallestGpu && r.isSaid("hardware.gpu"))
        sought.reset();
}

} // namespace

/// What is said as usual, "bf16 mixed precision", stands in the plan like all else that is said.
void stateWhatIsUsual(Reading &r)
{
    const Settings settings = resolve(r.plan).settings;
    for (const Claim &claim : r.claims) {
        const Field &field = fieldAt(claim.field);
        if (claim.value.empty() && !claim.ofFile && field.inForce && field.applies(settings) &&
            std::holds_alternative<std::monostate>(field.get(r.plan)))
            field.set(r.plan, field.inForce(settings));
    }
}

void placePlan(Reading &r)
{
    placeGpus(r);
    placeAnswer(r);
    placeTask(r);
    placeLength(r);
    placeDegrees(r);
    placeGlobalBatch(r);
    dropWithoutEffect(r);
    refuseUncomputed(r);
    placeFittingLoss(r);
    placeFittingBatch(r);
    offerFitting(r);
    stateWhatIsUsual(r);
    placeQuestion(r);
}

} // namespace vramscope
