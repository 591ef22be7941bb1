// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reconcile/recovered_plan.h"

#include "core/analysis/categories/categories.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/base/counted.h"
#include "core/base/exact.h"
#include "core/base/format.h"
#include "core/catalog/gpus.h"
#include "core/reconcile/reconcile.h"
#include "core/reconcile/recorded_step.h"
#include "core/reconcile/recovered_model.h"
#include "core/reconcile/stack_evidence.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <utility>

namespace vramscope {

namespace {

// What context, communicators and libraries take of a device beside the allocator.
constexpr Bytes kMostOutside = 4 * kGiB;
constexpr std::string_view kUsualGpu = "h100-sxm-80gb";

std::string textOf(const FieldValue &value)
{
    if (const auto *text = std::get_if<std::string>(&value))
        return *text;
    if (const auto *count = std::get_if<std::int64_t>(&value))
        return formatCount(*count);
    return {};
}

std::string bytesAndCount(Bytes bytes)
{
    return formatBytes(bytes) + " (" + counted(bytes, "byte") + ")";
}

/// The file holds it as JSON, in quotes.
std::string settingText(std::string_view value)
{
    if (value.size() >= 2 && value.starts_with('"') && value.ends_with('"'))
        value = value.substr(1, value.size() - 2);
    return value.empty() ? "defaults" : std::string(value);
}

class PlanRecovery
{
public:
    explicit PlanRecovery(const Study &recorded)
        : m_recorded(recorded)
        , m_evidence(recorded.trace())
        , m_proofs(m_evidence.proofs())
        , m_step(findRecordedStep(recorded, [](AllocationIndex) { return false; }))
    {
    }

    RecoveredPlan find(const Progress &progress)
    {
        m_found.plan.name = "From a recording";
        m_found.plan.workload = Workload::Training;
        takeGpu();
        takeModel();
        takeSharding();
        takeBatch();
        takePrecision();
        takeOptimizer();
        takeActivations();
        takeAllocator();
        sayWorkload();
        if (m_model)
            refine(progress);
        return std::move(m_found);
    }

private:
    void add(std::string subject, std::string value, Certainty certainty, std::string how,
             std::vector<FieldSetting> settings = {})
    {
        m_found.plan = withFields(std::move(m_found.plan), settings);
        m_found.fields.push_back(
            {std::move(subject), std::move(value), certainty, std::move(how), std::move(settings)});
    }
    void addOpen(std::string subject, std::string why)
    {
        add(std::move(subject), {}, Certainty::NotDetermined, std::move(why));
    }

    [[nodiscard]] const StackEvidence::Proof *proofOf(FieldPath path) const
    {
        const auto found = std::ranges::find_if(m_proofs, [&](const StackEvidence::Proof &proof) {
            return proof.setting.path == path;
        });
        return found == m_proofs.end() ? nullptr : &*found;
    }
    bool addProven(std::string subject, FieldPath path)
    {
        const StackEvidence::Proof *proof = proofOf(path);
        if (proof)
            add(std::move(subject), textOf(proof->setting.value), Certainty::Determined,
                "Stacks of the recording show that " + std::string(proof->ran) + " ran.",
                {proof->setting});
        return proof;
    }

    /// The smallest device that has room for what the recording shows: its file names none.
    void takeGpu()
    {
        Bytes least = 0;
        bool full = false;
        const UsageCurve &curve = m_recorded.curve();
        if (curve.count() > 0 && curve.isReservedKnown())
            least = curve.reserved(curve.peakReservedEvent());
        for (const OutOfMemoryEvent &failure : m_recorded.device().outOfMemory) {
            if (failure.deviceFree < 0 || !curve.isReservedKnown())
                continue;
            full = true;
            least = std::max(least, curve.reserved(failure.event) + failure.deviceFree);
        }
        std::vector<const GpuPreset *> fitting;
        for (const GpuPreset &gpu : gpuPresets()) {
            if (full && gpu.isReported() && gpu.capacity >= least &&
                gpu.capacity - least <= kMostOutside && !gpu.unified() && !isSlice(gpu))
                fitting.push_back(&gpu);
        }
        std::ranges::stable_sort(fitting, {}, &GpuPreset::capacity);
        if (!fitting.empty()) {
            std::string others;
            for (const GpuPreset *gpu : fitting) {
                if (gpu != fitting.front())
                    others += (others.empty() ? " So have " : ", ") + gpu->title;
            }
            return add("GPU", fitting.front()->title, Certainty::Likely,
                       "When an allocation failed, the allocator's memory and what was free came "
                       "to " +
                           formatBytes(least) + ", for which it has room." + others +
                           (others.empty() ? "" : "."),
                       {{"hardware.gpu", fitting.front()->name}});
        }
        m_found.plan = withFields(std::move(m_found.plan),
                                  std::array{FieldSetting{"hardware.gpu", std::string(kUsualGpu)}});
        addOpen("GPU", "The file does not name the device" +
                           (least > 0 ? "; it has at least " + formatBytes(least) : "") +
                           ". The plan takes an H100 of 80 GB.");
    }

    [[nodiscard]] bool holds(Bytes size) const
    {
        const std::vector<Bytes> &sizes = m_recorded.allocations().requested;
        return std::ranges::find(sizes, size) != sizes.end();
    }

    /// Weights of 4 bytes over 8 ranks leave what weights of 2 bytes over 4 leave. Before it
    /// gathers weights, fully_shard copies those of 4 bytes into 2.
    [[nodiscard]] RecoveredModel chosen(const std::vector<RecoveredModel> &models)
    {
        const StackEvidence::Proof *proof = proofOf("parallel.strategy");
        const bool sharded = proof && textOf(proof->setting.value) == "fsdp2";
        const RecoveredModel *best = &models.front();
        m_ranksAreSure =
            std::ranges::all_of(
                models, [&](const RecoveredModel &model) { return model.ranks == best->ranks; }) &&
            (sharded || best->ranks == 1);
        for (const RecoveredModel &model : models) {
            if (model.title != best->title)
                continue;
            const bool wide = model.weightBytes == 4;
            if (sharded ? wide == holds(model.largest / 2) : model.ranks < best->ranks)
                best = &model;
        }
        return *best;
    }

    void takeModel()
    {
        m_sizes = residentTensors(m_recorded);
        const std::vector<RecoveredModel> models = recoveredModels(m_sizes);
        if (models.empty()) {
            std::int64_t count = 0;
            for (const auto &[size, tensors] : m_sizes)
                count += tensors;
            return addOpen("Model", "The " + counted(count, "tensor") +
                                        " that stay are those of no published model, and "
                                        "their sizes do not say of which widths another one is.");
        }
        m_model = chosen(models);
        const RecoveredModel &it = *m_model;
        const std::string widths = counted(it.layers, "layer") + ", hidden size " +
                                   formatCount(it.hidden) + ", feed-forward " +
                                   formatCount(it.feedForward) + ", vocabulary " +
                                   formatCount(it.vocab);
        std::string how = "All " + counted(it.tensors, "parameter tensor") +
                          (it.tensors == 1 ? " is" : " are") + " there in " + "their sizes, " +
                          bytesAndCount(it.bytes) + " in all";
        if (it.copies > 1)
            how += ", " + counted(it.copies, "time") + " with gradients or states";
        how += it.published() ? ": " + widths + "." : ".";
        std::string alike;
        for (const RecoveredModel &other : models) {
            if (other.title != it.title && alike.find(other.title) == std::string::npos)
                alike += (alike.empty() ? "" : ", ") + other.title;
        }
        if (!alike.empty())
            how += " Of the same sizes: " + alike + ".";
        add("Model", it.published() ? it.title : widths, Certainty::Determined, std::move(how),
            {it.model.preset ? FieldSetting{"model.preset", *it.model.preset}
                             : FieldSetting{"model.config", *it.model.config}});
        if (!it.headsKnown)
            addOpen("Attention heads",
                    "The widths of the tensors leave their number open; a usual width is taken.");
    }

    void takeSharding()
    {
        const StackEvidence::Proof *proof = proofOf("parallel.strategy");
        if (!m_model) {
            if (!addProven("Strategy", "parallel.strategy"))
                addOpen("Strategy", "Without the model it is not known what a rank keeps of it.");
            return;
        }
        const std::int64_t ranks = m_model->ranks;
        const std::string element = formatCount(m_model->weightBytes);
        if (ranks > 1) {
            const Bytes whole = m_model->vocab * m_model->hidden * m_model->weightBytes;
            const Bytes part = dividedUp(Exact(m_model->vocab), ranks).value() * m_model->hidden *
                               m_model->weightBytes;
            add("Sharding over ranks", formatCount(ranks),
                m_ranksAreSure ? Certainty::Determined : Certainty::Likely,
                "The rank keeps " + formatCount(part) + " of the " + formatCount(m_model->vocab) +
                    " × " + formatCount(m_model->hidden) + " × " + element + " = " +
                    counted(whole, "byte") + " of the embedding" +
                    (m_ranksAreSure ? "."
                                    : "; twice the width of an element over twice the ranks would "
                                      "leave the same, but " +
                                          std::string(m_model->weightBytes == 2
                                                          ? "no copy into 16 bits was made."
                                                          : "copies into 16 bits were made.")),
                {{"parallel.strategy", std::string("fsdp2")}, {"parallel.data", ranks}});
            add("GPUs", formatCount(ranks), Certainty::Likely,
                "Those over which the tensors are sharded; replicas of them leave no trace.",
                {{"hardware.gpus", ranks}});
        } else if (proof) {
            addProven("Strategy", "parallel.strategy");
            addOpen("GPUs", "Each rank keeps the whole model, so their number leaves no trace. The "
                            "plan takes one.");
        } else {
            add("GPUs", "1", Certainty::Likely,
                "The device keeps every tensor whole, and no code of DDP or FSDP ran.",
                {{"hardware.gpus", std::int64_t(1)},
                 {"parallel.data", std::int64_t(1)},
                 {"parallel.strategy", std::string("none")}});
        }
    }

    /// How many allocations of the step are of this size.
    [[nodiscard]] std::int64_t countInStep(Exact size) const
    {
        const Allocations &allocations = m_recorded.allocations();
        std::int64_t count = 0;
        for (AllocationIndex index = allocations.firstBornAfter(m_step.first - 1);
             index < allocations.count() && allocations.birth[index] <= m_step.last; ++index)
            count += allocations.requested[index] == size.value();
        return size.overflowed() ? 0 : count;
    }

    /// The width of the elements that pass from block to block; 0: none was found.
    [[nodiscard]] std::int64_t streamWidth(std::int64_t tokens) const
    {
        const Exact elements = Exact(tokens) * m_model->hidden;
        // A size that a parameter has too may be one of its gradient.
        const auto countOf = [&](Exact size) {
            return m_sizes.contains(size.value()) ? 0 : countInStep(size);
        };
        const std::int64_t narrow = countOf(elements * 2);
        const std::int64_t wide = countOf(elements * 4);
        if (std::max(narrow, wide) < m_model->layers)
            return 0;
        return narrow >= wide ? 2 : 4;
    }

    /// Logits and stream of half the tokens in fp32 are as large as those of all in 16 bits; the
    /// tokens' numbers, of 8 bytes each, are not.
    [[nodiscard]] bool hasInputs(std::int64_t tokens) const
    {
        return holds((Exact(tokens) * 8).value());
    }

    void takeBatch()
    {
        if (!m_model)
            return addOpen("Batch", "Without the vocabulary the logits do not tell it.");
        Plan oneToken = m_found.plan; // so that no default is taken for what was recorded
        oneToken.batch.microBatch = 1;
        oneToken.batch.sequenceLength = 1;
        const RecordedBatch batch = recordedBatch(oneToken, m_recorded, m_step);
        if (batch.known && !batch.settings.empty())
            m_tokens = std::get<std::int64_t>(batch.settings.front().value);
        m_width = m_tokens > 0 ? streamWidth(m_tokens) : 0;
        if (m_width == 0) {
            m_tokens = 0;
            return addOpen("Batch", "No logits were found that fit the vocabulary of " +
                                        formatCount(m_model->vocab) +
                                        " and what passes from block to block.");
        }
        m_widthIsSure =
            m_width == 2 || (hasInputs(m_tokens) && !hasInputs((Exact(m_tokens) * 2).value()));
        const std::string tokens = formatCount(m_tokens);
        add("Tokens of a micro-batch", tokens,
            m_widthIsSure ? Certainty::Determined : Certainty::Likely,
            "Logits are " + counted(m_tokens * m_model->vocab * 4, "byte") + " = " + tokens +
                " × " + formatCount(m_model->vocab) + " × 4, and what passes from block to block " +
                "is " + formatCount(m_tokens * m_model->hidden * m_width) + " = " + tokens + " × " +
                formatCount(m_model->hidden) + " × " + formatCount(m_width) + ".");
        const std::int64_t usual = resolve(m_found.plan).settings.sequenceLength;
        const bool divides = usual > 0 && m_tokens % usual == 0;
        const std::int64_t sequence = divides ? usual : m_tokens;
        add("Micro-batch × sequence",
            formatCount(m_tokens / sequence) + " × " + formatCount(sequence),
            Certainty::NotDetermined,
            "Only the product is known. Memory hardly depends on how it is divided where attention "
            "is fused.",
            {{"batch.micro_batch", m_tokens / sequence}, {"batch.sequence_length", sequence}});
    }

    void takePrecision()
    {
        if (!m_model || m_width == 0)
            return addOpen("Precision", "Without the model and its batch the widths of elements "
                                        "are not known.");
        const bool wide = m_model->weightBytes == 4;
        const bool sharded = proofOf("parallel.strategy") &&
                             textOf(proofOf("parallel.strategy")->setting.value) != "ddp";
        const std::string how = "Weights have " + counted(m_model->weightBytes, "byte") +
                                " an element, what passes from block to block has " +
                                formatCount(m_width) + ".";
        const auto set = [&](const std::string &regime, Certainty certainty,
                             std::string_view more) {
            add("Precision", regime, certainty, how + std::string(more),
                {{"precision.regime", regime}});
        };
        if (wide && m_width == 4)
            set("fp32", m_widthIsSure ? Certainty::Determined : Certainty::Likely, "");
        else if (wide)
            takeMixed(sharded, how);
        else if (m_width == 2)
            set("pure-bf16", Certainty::Likely,
                " Sizes do not tell bf16 from fp16, nor where a copy in fp32 may be.");
        else
            addOpen("Precision", how + " No regime of a plan does that.");
    }

    /// Weights of 4 bytes computed with in 2: autocast keeps copies of them in 2 bytes.
    void takeMixed(bool sharded, const std::string &how)
    {
        const bool copies =
            !sharded && countInStep(Exact(m_model->hidden) * m_model->feedForward * 2) > 0;
        if (copies)
            return add("Precision", "autocast-bf16", Certainty::Likely,
                       how + " Copies of weights in 2 bytes stand beside them. Sizes do not tell "
                             "bf16 from fp16.",
                       {{"precision.regime", std::string("autocast-bf16")}});
        std::vector<FieldSetting> settings{{"precision.regime", std::string("fsdp-mixed-bf16")}};
        if (!proofOf("parallel.strategy"))
            settings.push_back({"parallel.strategy", std::string("fsdp2")});
        add("Precision", "fsdp-mixed-bf16", Certainty::Likely,
            how + (sharded ? "" : " No copies of weights in 2 bytes stay, as autocast keeps.") +
                " Sizes do not tell bf16 from fp16.",
            std::move(settings));
    }

    void takeOptimizer()
    {
        Exact states;
        const Allocations &allocations = m_recorded.allocations();
        const EventIndex end = m_recorded.device().events.count();
        for (AllocationIndex index = 0; index < allocations.count(); ++index) {
            if (allocations.death[index] >= end &&
                m_recorded.categories().of(index).category == Category::OptimizerStates)
                states += allocations.requested[index];
        }
        if (!addProven("Optimizer", "optimizer.name")) {
            const Exact two = m_model ? Exact(m_model->bytes) * 2 : Exact(0);
            const bool adam = two.value() > 0 && !states.overflowed() &&
                              std::abs(states.value() - two.value()) <= two.value() / 100;
            if (adam)
                add("Optimizer", "adamw", Certainty::Likely,
                    "States of " + formatBytes(states.value()) +
                        " are twice the weights, as Adam and AdamW keep.",
                    {{"optimizer.name", std::string("adamw")}});
            else
                addOpen("Optimizer", "No code of an optimizer of torch ran in the recording, and "
                                     "no states of it were found.");
        }
        (void)addProven("Optimizer's implementation", "optimizer.implementation");
    }

    void takeActivations()
    {
        if (!addProven("Attention", "activations.attention"))
            addOpen("Attention", "No stack names a fused kernel; written-out attention need not "
                                 "be named.");
        const std::optional<bool> recomputes = m_evidence.recomputes();
        if (!recomputes)
            addOpen("Checkpointing", "No frames of Python are recorded.");
        else if (*recomputes)
            add("Checkpointing", "full", Certainty::Likely,
                "Code that recomputes activations ran; of which blocks the stacks do not say.",
                {{"activations.checkpointing", std::string("full")}});
        else
            add("Checkpointing", "none", Certainty::Likely,
                "No code that recomputes activations ran.",
                {{"activations.checkpointing", std::string("none")}});
    }

    /// A plan has no field of it.
    void takeAllocator()
    {
        for (const Setting &setting : m_recorded.trace().settings()) {
            if (setting.name == "PYTORCH_CUDA_ALLOC_CONF")
                return add(
                    "Allocator", settingText(setting.value), Certainty::Determined,
                    "The file holds the allocator's settings. A plan has no field for them.");
        }
        addOpen("Allocator", "The file does not hold the allocator's settings.");
    }

    void sayWorkload()
    {
        if (!m_step.at(StepMoment::Backward).found() && !m_step.at(StepMoment::Optimizer).found() &&
            m_step.failure < 0)
            addOpen("Workload", "No backward pass was recorded: the run may not have trained. The "
                                "plan takes training.");
    }

    /// What is not determined is set as it brings the prediction closest to the recording.
    void refine(const Progress &progress)
    {
        m_found.reconciliation = reconcile(m_found.plan, m_recorded, progress);
        if (m_tokens == 0) // what a step of another batch needs says nothing of its settings
            return;
        std::vector<FieldSetting> settings;
        std::string texts;
        for (const Reason &reason : m_found.reconciliation.reasons) {
            if (reason.kind != Reason::Kind::Setting ||
                std::ranges::any_of(reason.settings, [this](const FieldSetting &setting) {
                    return isDetermined(setting.path);
                }))
                continue;
            settings = reason.settings;
            texts += (texts.empty() ? "" : "; ") + reason.text;
        }
        if (settings.empty())
            return;
        // Settings of a reason come with those before it, some of which may be determined.
        std::erase_if(settings,
                      [this](const FieldSetting &setting) { return isDetermined(setting.path); });
        Plan closer = withFields(m_found.plan, settings);
        Reconciliation after = reconcile(closer, m_recorded, progress);
        if (after.moments.empty())
            return;
        // A value that gave way is no longer what the plan says.
        for (RecoveredField &field : m_found.fields) {
            const bool gaveWay = std::ranges::any_of(settings, [&](const FieldSetting &setting) {
                return std::ranges::find(field.settings, setting.path, &FieldSetting::path) !=
                       field.settings.end();
            });
            if (!gaveWay)
                continue;
            field.value.clear();
            field.how += " Of the values left open this one predicts the recording best.";
            for (FieldSetting &own : field.settings) {
                const auto now = std::ranges::find(settings, own.path, &FieldSetting::path);
                if (now != settings.end())
                    own.value = now->value;
                field.value += (field.value.empty() ? "" : " × ") + textOf(own.value);
            }
        }
        add("Closest to the recording", texts, Certainty::Likely,
            "Of the settings that were left open these predict what was recorded best.",
            std::move(settings));
        m_found.reconciliation = std::move(after);
    }

    [[nodiscard]] bool isDetermined(FieldPath path) const
    {
        return std::ranges::any_of(m_found.fields,
                                   [&](const RecoveredField &field) {
                                       return field.certainty == Certainty::Determined &&
                                              std::ranges::find(field.settings, path,
                                                                &FieldSetting::path) !=
                                                  field.settings.end();
                                   }) ||
               (m_tokens > 0 && isOfGroup(path, "batch"));
    }

    const Study &m_recorded;
    StackEvidence m_evidence;
    std::vector<StackEvidence::Proof> m_proofs;
    RecordedStep m_step;
    SizeCounts m_sizes;
    std::optional<RecoveredModel> m_model;
    std::int64_t m_tokens = 0; ///< of a micro-batch; 0: not determined
    std::int64_t m_width = 0;  ///< bytes of an element that passes from block to block
    bool m_ranksAreSure = false;
    bool m_widthIsSure = false;
    RecoveredPlan m_found;
};

} // namespace

std::string_view certaintyName(Certainty certainty)
{
    constexpr std::array<std::string_view, 3> kNames = {"determined", "likely", "not determined"};
    return kNames[static_cast<std::size_t>(certainty)];
}

RecoveredPlan planFromRecording(const Study &recorded, const Progress &progress)
{
    return PlanRecovery(recorded).find(progress);
}

} // namespace vramscope
