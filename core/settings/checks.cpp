// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/checks.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/plan/field.h"
#include "core/settings/calibration_marks.h"
#include "core/settings/field_conditions.h"
#include "core/settings/plan_checker.h"
#include "core/settings/rollout.h"
#include "core/settings/usual_values.h"

#include <algorithm>
#include <numeric>

namespace vramscope {

bool PlanChecker::run()
{
    if (m_issues) {
        marks();
        scaledCapacity();
    }
    ranges();
    if (m_barred)
        return false; // divisions below need positive degrees, and products that can be counted
    if (m_settings.diffusion) {
        pipeline();
        oneMemory();
        if (m_issues)
            withoutEffect();
        return !m_barred;
    }
    listedGpus();
    degrees();
    otherVendors();
    oneMemory();
    if (m_settings.workload == Workload::Training) {
        strategies();
        memorySavers();
        adapters();
    } else {
        serving();
    }
    if (m_issues)
        withoutEffect();
    return !m_barred;
}

void PlanChecker::ranges()
{
    for (const Field &field : planFields()) {
        if (field.isInRange != nullptr && !field.isInRange(field, m_plan))
            block(true, field.path,
                  [&] { return checkValue(field, field.get(m_plan)).error().detail; });
    }
    if (!worldSize(m_settings))
        blockGroup("parallel", "The parallel degrees multiply to more GPUs than can be counted.");
    block(!isAllocConf(m_settings.allocConf), "overheads.alloc_conf",
          "Options as PYTORCH_CUDA_ALLOC_CONF has them: expandable_segments:True,"
          "max_split_size_mb:512.");
}

void PlanChecker::degrees()
{
    const Settings &s = m_settings;
    const Architecture &a = s.architecture;
    const std::int64_t world = worldSize(s).value_or(1); // ranges() has refused those beyond count
    const bool servesCompressed = s.workload == Workload::Inference && a.compressed.tokens > 0;
    block(servesCompressed && s.engine != Engine::Vllm && s.engine != Engine::Sglang,
          "inference.engine",
          "What this engine keeps of compressed attention is not computed; choose vLLM or SGLang.");
    note(
        servesCompressed, "inference.kv_bytes_per_element",
        "The cache of this model is counted in fp8 with its rotary part in 16 bit, as both engines "
        "keep it by default, whatever this field says.");
    block(a.layers > 0 && a.countedOnly && !servesCompressed, "workload",
          "Of this model the parameters alone are known: what serving engines keep for its sparse "
          "attention, and what a training step keeps, is not computed. For a rough figure describe "
          "a transformer of its width and state its count as model.parameters_override.");
    block(s.workload == Workload::Training && a.layers > 0 && !a.countedOnly && !a.readsSource() &&
              !a.isTrainingKnown(),
          "workload",
          "What a training step keeps of this model's layers is not known: of a gate of "
          "attention, inputs of each layer's own, blocks that several layers share, experts on a "
          "latent or in some layers "
          "among others, or layers of Mamba alone. Its parameters, and serving it, are "
          "computed.");
    sourceModels();
    pictures();
    ownInputs();
    mixedLayers();
    images();
    allExperts();
    block(a.shared.count > 0 && s.pipeline > 1, "parallel.pipeline",
          "A model whose layers share their weights is not computed in pipeline stages; use 1.");
    block(a.state.kind == StateKind::Rwkv7 && s.tensor > 1, "parallel.tensor",
          "No engine divides the layers of RWKV 7 among GPUs; use 1.");
    block(a.state.heads % s.tensor != 0, "parallel.tensor", [&] {
        return "The " + counted(a.state.heads, "head") + " of its layers that keep a state " +
               (a.state.heads == 1 ? "does" : "do") +
               " not divide by tensor = " + formatCount(s.tensor) + ".";
    });
    block(a.heads % s.tensor != 0, "parallel.tensor", [&] {
        return "The " + counted(a.heads, "attention head") + (a.heads == 1 ? " does" : " do") +
               " not divide by tensor = " + formatCount(s.tensor) + ".";
    });
    const std::int64_t replica = world / s.data;
    const bool divides = s.gpus % replica == 0;
    block(world != s.gpus && !divides, "hardware.gpus", [&] {
        return "The " + counted(s.gpus, "GPU") + (s.gpus == 1 ? " does" : " do") +
               " not divide by tensor × pipeline × context = " + formatCount(replica) + '.';
    });
    block(world != s.gpus && divides, "hardware.gpus", [&] {
        return "The degrees make data × tensor × pipeline × context = " + formatCount(world) +
               ", but hardware.gpus is " + formatCount(s.gpus) + ".";
    });
    if (a.layers == 0)
        return; // the model itself is unknown and said so
    block(s.pipeline > a.layers, "parallel.pipeline", [&] {
        return "More pipeline stages than the model's " + counted(a.layers, "layer") + ".";
    });
    stages();
    block(s.stage >= s.pipeline, "parallel.stage",
          [&] { return "There are stages 0 to " + formatCount(s.pipeline - 1) + " only."; });
    block(s.sequenceLength % s.context != 0, "parallel.context", [&] {
        return "The sequence length does not divide by context = " + formatCount(s.context) + ".";
    });
    experts();
}

/// A list says all that is said of its GPUs.
void PlanChecker::listedGpus()
{
    const Settings &s = m_settings;
    if (s.gpuList.empty())
        return;
    const PlanHardware &stated = m_plan.hardware;
    constexpr std::size_t kMostListed = 1024;
    block(s.gpuList.size() > kMostListed, "hardware.gpu_list",
          "More than 1,024 GPUs are listed; plan for GPUs of one kind.");
    block(stated.gpu.has_value(), "hardware.gpu",
          "hardware.gpu_list names the GPUs; leave one of the two out.");
    block(stated.capacity.has_value(), "hardware.capacity_bytes",
          "hardware.gpu_list says how much memory each GPU has; leave one of the two out.");
    block(s.gpus != std::ssize(s.gpuList), "hardware.gpus", [&] {
        return "hardware.gpu_list names " + counted(std::ssize(s.gpuList), "GPU") +
               ", but hardware.gpus is " + formatCount(s.gpus) + ".";
    });
    note(s.ofStages.empty() && s.gpus > 1, "hardware.gpu_list",
         "The work is divided evenly, and no GPU can hold more than the smallest has room for: the "
         "figures are of that one.");
}

void PlanChecker::stages()
{
    const Settings &s = m_settings;
    const Architecture &a = s.architecture;
    if (s.pipeline > a.layers)
        return; // said already
    constexpr FieldPath field = "parallel.layers_per_stage";
    const bool isListed = static_cast<std::int64_t>(s.layersPerStage.size()) == s.pipeline;
    const std::int64_t sum =
        std::accumulate(s.layersPerStage.begin(), s.layersPerStage.end(), std::int64_t(0));
    block(!isListed, field, [&] {
        return "Lists the layers of " + counted(std::ssize(s.layersPerStage), "stage") +
               ", but parallel.pipeline makes " + formatCount(s.pipeline) + ".";
    });
    block(isListed && sum != a.layers, field, [&] {
        return "Adds up to " + counted(sum, "layer") + ", but the model has " +
               formatCount(a.layers) + ".";
    });
    block(
        isListed && s.virtualStages > 1 &&
            std::ranges::any_of(s.layersPerStage,
                                [&](std::int64_t layers) { return layers % s.virtualStages != 0; }),
        "parallel.virtual_stages", "The layers of a stage do not divide by virtual_stages.");
}

void PlanChecker::experts()
{
    const Settings &s = m_settings;
    const Architecture &a = s.architecture;
    if (s.expert == 1 && s.expertTensor == 1)
        return;
    block(s.expert > 1 && !a.moe(), "parallel.expert", "The model has no experts to spread.");
    block(a.moe() && a.experts % s.expert != 0, "parallel.expert", [&] {
        return "The " + counted(a.experts, "expert") + (a.experts == 1 ? " does" : " do") +
               " not divide by expert = " + formatCount(s.expert) + ".";
    });
    block(a.moe() && s.gpus / s.pipeline % s.expertTensor != 0, "parallel.expert_tensor",
          "The GPUs of a stage do not divide by expert_tensor.");
    block(a.moe() && s.gpus / s.pipeline % s.expertTensor == 0 &&
              s.gpus / s.pipeline / s.expertTensor % s.expert != 0,
          "parallel.expert", "The GPUs of a stage do not divide by expert × expert_tensor.");
}

/// Nobody reported the capacity of the GPU, and the plan does not state it.
void PlanChecker::scaledCapacity()
{
    const GpuPreset *gpu = m_settings.gpu;
    const bool isScaled =
        gpu && gpu->capacity > 0 && !gpu->isReported() && !m_plan.hardware.capacity;
    add(isScaled, Severity::Note, "hardware.gpu", [&] {
        return "No report of the capacity of " + gpu->title +
               " is known: " + formatBytes(gpu->capacity) + " is scaled from " +
               findGpuPreset(gpu->like)->title +
               ". State what your driver reports (hardware.capacity_bytes).";
    });
    const bool isShare =
        gpu && gpu->memory == DeviceMemory::ShareOfPool && !m_plan.hardware.capacity;
    add(isShare && gpu->capacity > 0, Severity::Note, "hardware.gpu", [&] {
        return "The system lets the GPU use " + formatBytes(gpu->capacity) + " of " +
               std::to_string(gpu->gigabytes) + " GB" +
               (gpu->vendor() == GpuVendor::Apple
                    ? "; sysctl iogpu.wired_limit_mb raises that limit. "
                    : "; the BIOS and ttm.pages_limit set that limit. ") +
               "State another one as hardware.capacity_bytes.";
    });
}

/// What runtimes beside CUDA take, nobody has reported: where the plan does not state it, the
/// answer says what is missing.
void PlanChecker::otherVendors()
{
    const Settings &s = m_settings;
    if (runsCuda(s))
        return;
    const PlanOverheads &stated = m_plan.overheads;
    const bool vllm = applies::vllm(s);
    const bool context = !vllm && !stated.contextBytes;
    const bool several = !vllm && s.gpus > 1 && !stated.ncclBytes;
    const bool workspace = !stated.cublasWorkspaceBytes;
    const bool system = s.gpu->memory == DeviceMemory::Pool && !m_plan.hardware.systemBytes;
    add(context || several || workspace || system, Severity::Warning, "hardware.gpu", [&] {
        const bool amd = s.gpu->vendor() == GpuVendor::Amd;
        std::string missing;
        const auto name = [&](bool unstated, std::string_view what, FieldPath field) {
            if (unstated)
                missing.append(missing.empty() ? "" : ", ")
                    .append(what)
                    .append(" (")
                    .append(field.text())
                    .append(")");
        };
        name(context, amd ? "the HIP context" : "the runtime's context", "overheads.context_bytes");
        name(several, amd ? "RCCL's communicators" : "communicators", "overheads.nccl_bytes");
        name(workspace, amd ? "hipBLASLt's workspace" : "workspaces of matrix products",
             "overheads.cublas_workspace_bytes");
        name(system, "the system's part of the memory", "hardware.system_bytes");
        return "Not known of " + std::string(vendorName(s.gpu->vendor())) +
               " and not counted: " + missing + ". State what your runs show.";
    });
    add(vllm && s.nonTorchBytes < 0, Severity::Warning, "inference.non_torch_bytes",
        "What vLLM holds outside PyTorch is known of NVIDIA alone, and taken from there.");
}

/// Host and device share their memory, and the system takes its part first.
void PlanChecker::oneMemory()
{
    const Settings &s = m_settings;
    if (!unifiedMemory(s))
        return;
    constexpr std::string_view kWithin =
        "Moves bytes within one memory: host and device share it, so that they stay in it and are "
        "counted.";
    const auto warn = [&](bool offloads, FieldPath field) {
        add(offloads, Severity::Warning, field, kWithin);
    };
    warn(s.cpuOffload && applies::shardedParameters(s), "parallel.cpu_offload");
    warn(s.optimizer.offload && applies::training(s), "optimizer.offload");
    warn(s.activationOffload && applies::blockInputs(s), "activations.offload");
    const double share = static_cast<double>(s.capacity) * s.gpuMemoryUtilization;
    add(applies::vllm(s) && s.capacity > 0 &&
            share > static_cast<double>(s.capacity - s.systemBytes),
        Severity::Warning, "inference.gpu_memory_utilization", [&] {
            return "vLLM takes its share of the whole memory, " +
                   formatBytes(static_cast<Bytes>(share)) + ", and the system leaves " +
                   formatBytes(std::max<Bytes>(s.capacity - s.systemBytes, 0)) +
                   ": it does not start. Lower the share.";
        });
}

void PlanChecker::marks()
{
    if (!m_plan.overheads.calibrated)
        return;
    for (const std::string &mark : *m_plan.overheads.calibrated)
        add(calibratedField(mark) == nullptr, Severity::Note, "overheads.calibrated", [&] {
            return '"' + mark +
                   "\" is ignored: a mark is \"FIELD from FILE\", with a field of overheads.";
        });
}

void PlanChecker::withoutEffect()
{
    for (const Field &field : planFields()) {
        const Condition *broken = field.condition->broken(m_settings);
        // What is stated for the other workload waits there for its turn.
        if (!broken || broken == &applies::training || broken == &applies::inference ||
            broken == &applies::anyTraining || broken == &applies::anyInference ||
            broken == &applies::rl || !asksForSomething(field.get(m_plan)) ||
            std::ranges::find(*m_issues, field.path.text(), &Issue::field) != m_issues->end())
            continue;
        note(true, field.path,
             "Without effect: a setting of " + std::string(broken->because.subject) + " (" +
                 std::string(broken->because.reason) + ").");
    }
}

bool asksForSomething(const FieldValue &value)
{
    struct
    {
        bool operator()(std::monostate) const { return false; }
        bool operator()(bool on) const { return on; }
        bool operator()(std::int64_t count) const { return count > 1; }
        bool operator()(double number) const { return number > 0; }
        bool operator()(const std::string &text) const { return text != "none"; }
        bool operator()(const TextList &list) const { return !list.empty(); }
        bool operator()(const CountList &list) const { return list.size() > 1; }
    } constexpr asks;
    return std::visit(asks, value);
}

std::optional<std::int64_t> worldSize(const Settings &s)
{
    std::int64_t world = 1;
    for (const std::int64_t degree : {s.data, s.tensor, s.pipeline, s.context})
        if (__builtin_mul_overflow(world, degree, &world))
            return std::nullopt;
    return world;
}

void checkPlan(const Plan &plan, ResolvedPlan &resolved)
{
    PlanChecker(plan, resolved.settings, &resolved.issues).run();
}

bool soundPlan(const Plan &plan, const Settings &settings)
{
    return PlanChecker(plan, settings, nullptr).run() &&
           (!settings.rollout || soundRollout(plan, settings));
}

} // namespace vramscope
