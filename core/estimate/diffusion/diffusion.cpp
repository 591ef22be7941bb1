// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/diffusion/diffusion.h"

#include "core/estimate/diffusion/gguf.h"

#include "core/plan/field_path.h"
#include "core/settings/settings.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr PhaseSet kCall = {StepPhase::Encode, StepPhase::Denoise, StepPhase::Decode};
constexpr PhaseSet kResident = kCall | PhaseSet{StepPhase::Rest};
constexpr std::int64_t kAllocationStep = 512; ///< of CUDA's caching allocator
constexpr std::int64_t kNf4Block = 64;
constexpr std::int64_t kReferenceSide = 1024; ///< to which an image to edit is resized

PhaseSet phaseOf(DiffusionRole role)
{
    switch (role) {
    case DiffusionRole::TextEncoder:
        return {StepPhase::Encode};
    case DiffusionRole::Denoiser:
        return {StepPhase::Denoise};
    case DiffusionRole::Autoencoder:
        break;
    }
    return {StepPhase::Decode};
}

std::string_view activationsName(const DiffusionComponent &it)
{
    switch (it.kind->role) {
    case DiffusionRole::TextEncoder:
        return "Text encoder activations";
    case DiffusionRole::Denoiser:
        return it.unet.empty() ? "Transformer activations" : "U-Net activations";
    case DiffusionRole::Autoencoder:
        break;
    }
    return "VAE decoder activations";
}

std::int64_t roundedDown(std::int64_t value, std::int64_t step)
{
    return std::max(value / step, std::int64_t(1)) * step;
}

/// The images or videos of a pass of the denoiser.
std::int64_t passBatch(const Settings &s)
{
    if (s.workload == Workload::Training)
        return s.picture.images * s.microBatch;
    const bool together = s.diffusion->guidance == GuidancePasses::Together;
    return s.picture.images * (together && s.picture.guidance ? 2 : 1);
}

/// Copies of a prompt's embedding: guidance adds that of the empty prompt.
std::int64_t prompts(const Settings &s)
{
    return s.diffusion->guidance != GuidancePasses::None && s.picture.guidance ? 2 : 1;
}

/// The format of the denoiser and of the largest text encoder are set.
DiffusionFormat formatOf(const DiffusionComponent &component, const Settings &s)
{
    switch (component.kind->role) {
    case DiffusionRole::Denoiser:
        return s.picture.transformerFormat;
    case DiffusionRole::TextEncoder:
        for (const DiffusionComponent &it : s.diffusion->components)
            if (it.kind->role == DiffusionRole::TextEncoder && it.parameters > component.parameters)
                return DiffusionFormat::Bf16;
        return s.picture.textEncoderFormat;
    case DiffusionRole::Autoencoder:
        break;
    }
    return DiffusionFormat::Bf16;
}

/// Where accelerate moves weights layer by layer, at most the largest layer is there.
Exact largestLayer(const DiffusionComponent &it, const Settings &s)
{
    const std::int64_t embedding =
        it.kind->role == DiffusionRole::TextEncoder ? it.vocabulary * it.width : 0;
    constexpr std::int64_t kConvolution = 9; // a kernel of 3 × 3
    const std::int64_t convolution = it.kind->role == DiffusionRole::Autoencoder
                                         ? 3 * kConvolution * 1024 * 1024
                                         : it.largestConvolution;
    const std::int64_t layer = std::max({it.largestMatrix, embedding, convolution});
    const bool wide = it.kind->role == DiffusionRole::Autoencoder &&
                      s.picture.vaeFormat == AutoencoderFormat::Fp32;
    return std::min(Exact(wide ? 4 : 2) * layer, weightBytes(it, s));
}

/// Where enable_group_offload moves a transformer block by block, the largest block and what is
/// outside the blocks are there; of other components all, since their blocks lie deeper
/// (diffusers 0.42 hooks/group_offloading.py).
Exact groupedBytes(const DiffusionComponent &it, const Settings &s)
{
    const Exact whole = weightBytes(it, s);
    const BlockMatrices blocks = blockMatrices(it);
    constexpr std::int64_t kParts = 4096; // of a byte, a parameter
    const Exact fixed = Exact(4) * (Exact(it.wide) + it.sinusoids) + Exact(2) * it.tables;
    const Exact parts = dividedUp(excess(whole, fixed) * kParts, it.parameters - it.wide);
    return excess(whole, dividedUp(excess(blocks.all, blocks.largest) * parts, kParts));
}

/// Weights that a component has on the GPU while it runs.
Exact runningBytes(const DiffusionComponent &it, const Settings &s)
{
    switch (s.picture.offload) {
    case DiffusionOffload::None:
    case DiffusionOffload::Model:
        break;
    case DiffusionOffload::Group:
        return groupedBytes(it, s);
    case DiffusionOffload::Sequential:
        return largestLayer(it, s);
    }
    return weightBytes(it, s);
}

/// kohya's fp8_base casts all parameters of a U-Net (sd-scripts train_network.py), layerwise
/// casting those of linear layers and convolutions.
bool trainsCastUnet(const DiffusionComponent &it, const Settings &s)
{
    return s.workload == Workload::Training && !it.unet.empty();
}

std::string weightsText(const DiffusionComponent &it, const Settings &s, Exact bytes)
{
    if (it.kind->role == DiffusionRole::Autoencoder &&
        s.picture.vaeFormat == AutoencoderFormat::Fp32)
        return fill({"4 N = 4 × {}", {it.parameters}});
    const DiffusionFormat format = formatOf(it, s);
    if (isOfGguf(format)) {
        const GgufWeights gguf = ggufWeights(it, format);
        return fill({"{} of {} parameters in quantised matrices, 2 bytes of each other = {}",
                     {gguf.bytes.value(), gguf.elements, bytes.value()}});
    }
    switch (format) {
    case DiffusionFormat::Fp8:
        return fill(
            {"1 byte each of {} parameters that are cast, 2 of {}, 4 of {}, and {} of tables",
             {it.parameters - it.uncast - it.wide, it.uncast, it.wide, it.tables}});
    case DiffusionFormat::Nf4:
        if (it.unquantised > 0)
            return fill({"(0.5 + 4 / 64) × {} in matrices, 4 × {}, 2 of each other = {}",
                         {it.matrixElements - it.unquantised, it.unquantised, bytes.value()}});
        return fill({"(0.5 + 4 / 64) × {} in {} matrices with a table each, 2 of each other = {}",
                     {it.matrixElements, it.matrices, bytes.value()}});
    default:
        break;
    }
    if (it.wide > 0)
        return fill({"2 N + 2 N_fp32 = 2 × {} + 2 × {}", {it.parameters, it.wide}});
    if (it.sinusoids > 0)
        return fill(
            {"2 N + 4 × sinusoids of places = 2 × {} + 4 × {}", {it.parameters, it.sinusoids}});
    if (it.tables > 0)
        return fill({"2 N + 2 × table of positions = 2 × {} + 2 × {}", {it.parameters, it.tables}});
    return fill({"2 N = 2 × {}", {it.parameters}});
}

/// Peak memory of a component's pass, without weights and inputs.
PassBytes passOf(const DiffusionComponent &it, const Settings &s)
{
    return it.kind->pass(it, loadOf(it, s));
}

/// A pass of a component in a phase of a call.
struct Run
{
    const DiffusionComponent *component;
    std::string_view name;
    PassBytes pass;
};

/// An autoencoder turns images to edit into latents, one after the other; or a video that has a
/// picture at its beginning.
Run readingOf(const DiffusionComponent &autoencoder, const Settings &s)
{
    DiffusionLoad load = loadOf(autoencoder, s);
    load.batch = 1;
    if (!s.diffusion->kind->animates)
        load.width = load.height = kReferenceSide;
    return {&autoencoder, "VAE encoder activations", autoencoder.kind->reading(autoencoder, load)};
}

std::vector<Run> runsOf(const Settings &s, DiffusionRole role)
{
    std::vector<Run> runs;
    for (const DiffusionComponent &it : s.diffusion->components)
        if (it.kind->role == role)
            runs.push_back({&it, activationsName(it), passOf(it, s)});
    const bool reads = s.diffusion->kind->references > 0 || s.diffusion->kind->animates;
    if (role == DiffusionRole::TextEncoder && reads)
        runs.push_back(readingOf(*s.diffusion->first(DiffusionRole::Autoencoder), s));
    return runs;
}

/// One of them runs at a time; the largest sets the peak of the phase.
Run highest(const Settings &s, DiffusionRole role)
{
    const auto takes = [&](const Run &run) {
        const DiffusionComponent &it = *run.component;
        const bool stays = s.picture.offload == DiffusionOffload::None;
        return (stays ? Exact(0) : runningBytes(it, s)) + run.pass.bytes;
    };
    const std::vector<Run> runs = runsOf(s, role); // there is one of each role
    return *std::ranges::max_element(runs, {}, takes);
}

void addWeights(const DiffusionComponent &it, const Settings &s, PhaseSet when, Ledger &ledger)
{
    if (s.picture.offload == DiffusionOffload::Sequential) {
        const Exact layer = largestLayer(it, s);
        ledger.add(Category::Parameters, it.title + ", one layer", layer, when,
                   {"accelerate's cpu_offload moves each layer for its own pass; the largest is "
                    "taken, whichever runs at the peak",
                    Evidence::Derived, 0.5},
                   {"the largest layer = {}", {layer.value()}});
        return;
    }
    if (s.picture.offload == DiffusionOffload::Group && blockMatrices(it).all > Exact(0)) {
        const Exact bytes = groupedBytes(it, s);
        ledger.add(Category::Parameters, it.title + ", one block", bytes, when,
                   {"enable_group_offload by block: the largest block and what is outside the "
                    "blocks; diffusers 0.42 hooks/group_offloading.py",
                    Evidence::Derived, 0.05},
                   {"the largest block and the rest = {}", {bytes.value()}});
        return;
    }
    const Exact bytes = weightBytes(it, s);
    ledger.add({Category::Parameters, it.title, bytes, when, when,
                Origin{it.kind->source, Evidence::Verified}},
               weightsText(it, s, bytes));
}

/// What restoring a matrix of a GGUF file takes beyond the highest moment of the pass.
void addRestored(const Run &run, const Settings &s, PhaseSet when, Ledger &ledger)
{
    const DiffusionComponent &it = *run.component;
    const Exact product = ggufProduct(it, loadOf(it, s), formatOf(it, s));
    const Exact more = excess(product, run.pass.bytes);
    ledger.add(Category::TemporaryBuffers, "Matrix in 16 bit", more, when,
               {"diffusers dequantizes the matrix that is multiplied; recorded: "
                "tests/measure/record_diffusion.py",
                Evidence::Verified, 0.2},
               {"the dequantized matrix, its temporaries and tensors at that product, beyond the "
                "pass = {} - {}",
                {product.value(), run.pass.bytes.value()}});
}

/// A pass, with the running layer's quantised or cast weights.
void addPass(const Run &run, const Settings &s, PhaseSet when, Ledger &ledger)
{
    const DiffusionComponent &it = *run.component;
    const bool convolves = it.kind->role == DiffusionRole::Autoencoder || !it.unet.empty();
    ledger.add({Category::Activations, run.name, run.pass.bytes, when, when,
                convolves
                    ? Origin{"Recorded: tests/measure/record_diffusion.py; without what cuDNN "
                             "takes for its convolutions",
                             Evidence::Verified, 0.05}
                    : Origin{"Recorded: tests/measure/record_diffusion.py", Evidence::Verified}},
               run.pass.formula);
    const DiffusionFormat format = formatOf(it, s);
    if (isOfGguf(format))
        return addRestored(run, s, when, ledger);
    // bitsandbytes leaves convolutions in 16 bit.
    const std::int64_t largest = format == DiffusionFormat::Fp8
                                     ? std::max(it.largestMatrix, it.largestConvolution)
                                     : it.largestMatrix;
    if (format != DiffusionFormat::Bf16)
        ledger.add(Category::TemporaryBuffers, "Matrix in 16 bit", {"2 n_max", {2, largest}}, when,
                   {format == DiffusionFormat::Nf4
                        ? "bitsandbytes restores the matrix that is multiplied; the largest"
                        : "Layerwise casting widens the layer that runs; the largest",
                    Evidence::Derived, 0.5});
}

void addCall(const Settings &s, Ledger &ledger)
{
    for (const DiffusionRole role :
         {DiffusionRole::TextEncoder, DiffusionRole::Denoiser, DiffusionRole::Autoencoder}) {
        const Run run = highest(s, role);
        if (s.picture.offload != DiffusionOffload::None)
            addWeights(*run.component, s, phaseOf(role), ledger);
        addPass(run, s, phaseOf(role), ledger);
    }
    if (s.picture.offload == DiffusionOffload::None)
        for (const DiffusionComponent &it : s.diffusion->components)
            addWeights(it, s, kResident, ledger);
    const Exact held = heldBytes(s);
    ledger.add(Category::Activations, "Latents and prompt embeddings", held, kCall,
               {"Held by the pipeline's call until its images are there; derived from tensor "
                "shapes",
                Evidence::Derived},
               {"latents and embeddings = {}", {held.value()}});
    ledger.add(Category::Framework, "cuBLAS workspace", s.cublasWorkspaceBytes, kResident,
               calibratedOr(s.calibrated.cublasWorkspace,
                            {"Workspace of the forward handle; measured: fms-acceleration A100 "
                             "benchmarks",
                             Evidence::Verified}),
               {"catalogue or overheads.cublas_workspace_bytes = {}", {s.cublasWorkspaceBytes}});
    ledger.add(Category::Framework, "Other resident tensors", s.residentBytes, kResident,
               calibratedOr(s.calibrated.resident,
                            {FieldPath("overheads.resident_bytes"), Evidence::Sourced}),
               {"overheads.resident_bytes = {}", {s.residentBytes}});
}

} // namespace

std::vector<Position> diffusionPositions(const Settings &s)
{
    if (s.workload == Workload::Inference)
        return {{StepPhase::Encode}, {StepPhase::Denoise}, {StepPhase::Decode}, {StepPhase::Rest}};
    return {{StepPhase::Forward}, {StepPhase::Backward}, {StepPhase::Step}, {StepPhase::Rest}};
}

Ledger diffusionLedger(const Settings &s, bool texts)
{
    Ledger ledger(diffusionPositions(s), texts);
    if (s.workload == Workload::Inference)
        addCall(s, ledger);
    else
        addDiffusionTraining(s, ledger);
    return ledger;
}

Bytes diffusionHostBytes(const Settings &s)
{
    Exact bytes;
    if (s.workload == Workload::Inference && s.picture.offload != DiffusionOffload::None)
        for (const DiffusionComponent &it : s.diffusion->components)
            bytes += weightBytes(it, s);
    return bytes.value();
}

Exact weightBytes(const DiffusionComponent &it, const Settings &s)
{
    if (it.kind->role == DiffusionRole::Autoencoder &&
        s.picture.vaeFormat == AutoencoderFormat::Fp32)
        return Exact(4) * it.parameters;
    const Exact wide = Exact(4) * (Exact(it.wide) + it.sinusoids) + Exact(2) * it.tables;
    const std::int64_t narrow = it.parameters - it.wide;
    const DiffusionFormat format = formatOf(it, s);
    if (isOfGguf(format)) {
        const GgufWeights gguf = ggufWeights(it, format);
        return wide + gguf.bytes + Exact(2) * (narrow - gguf.elements);
    }
    switch (format) {
    case DiffusionFormat::Fp8:
        if (trainsCastUnet(it, s))
            return Exact(it.parameters);
        return wide + Exact(narrow) + it.uncast;
    case DiffusionFormat::Nf4: {
        // Half a byte, a scale in fp32 for 64 of them, and a table of 16 numbers a matrix.
        const std::int64_t quantised = it.matrixElements - it.unquantised;
        const Exact scales = Exact(4) * (quantised / kNf4Block);
        return wide + Exact(4) * it.unquantised + Exact(2) * (narrow - it.matrixElements) +
               quantised / 2 + scales + Exact(kAllocationStep) * it.matrices;
    }
    default:
        break;
    }
    return wide + Exact(2) * narrow;
}

DiffusionLoad loadOf(const DiffusionComponent &it, const Settings &s)
{
    const DiffusionPipeline &pipeline = *s.diffusion;
    const std::int64_t step = pipeline.kind->sideStep;
    DiffusionLoad load;
    load.patch = pipeline.patch;
    load.stepsPerToken = pipeline.stepsPerToken;
    load.width = roundedDown(s.picture.width, step);
    load.height = roundedDown(s.picture.height, step);
    load.frames = pipeline.makesVideos() ? pipeline.madeFrames(s.picture.frames) : 1;
    load.framesStep = pipeline.framesStep;
    load.cell = pipeline.cell;
    load.tokens =
        s.picture.promptTokens + s.diffusion->kind->references * pipeline.kind->seenTokens;
    switch (it.kind->role) {
    case DiffusionRole::TextEncoder:
        break; // a prompt is encoded once for all images; the one for guidance after it
    case DiffusionRole::Denoiser:
        load.batch = passBatch(s);
        load.tokens += pipeline.kind->clipTokens;
        load.references = s.diffusion->kind->references * (kReferenceSide / load.patch) *
                          (kReferenceSide / load.patch);
        break;
    case DiffusionRole::Autoencoder:
        load.batch = s.picture.images;
        load.bytes = s.picture.vaeFormat == AutoencoderFormat::Fp32 ? 4 : 2;
        load.slicing = s.picture.vaeSlicing;
        load.tiling = s.picture.vaeTiling;
        break;
    }
    return load;
}

Exact heldBytes(const Settings &s)
{
    const DiffusionComponent &denoiser = *s.diffusion->first(DiffusionRole::Denoiser);
    const DiffusionLoad load = loadOf(denoiser, s);
    const DiffusionComponent &vae = *s.diffusion->first(DiffusionRole::Autoencoder);
    const Exact latents = Exact(load.latents() + load.references) * vae.channels * s.picture.images;
    return latents * s.diffusion->kind->latentBytes +
           Exact(2) * load.tokens * denoiser.textWidth * s.picture.images * prompts(s);
}

} // namespace vramscope
