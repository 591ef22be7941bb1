// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/plan_checker.h"

#include "core/base/format.h"
#include "core/estimate/diffusion/diffusion.h"
#include "core/estimate/diffusion/gguf.h"
#include "core/settings/field_conditions.h"

#include <algorithm>

namespace vramscope {

/// A diffusion pipeline runs on one GPU.
void PlanChecker::pipeline()
{
    const Settings &s = m_settings;
    const auto alone = [&](std::int64_t degree, FieldPath field) {
        block(degree > 1, field,
              "A diffusion pipeline is computed on one GPU; use 1, or leave it out.");
    };
    block(s.learns, "workload", "Reinforcement learning is computed for language models alone.");
    alone(m_plan.hardware.gpus.value_or(1), "hardware.gpus");
    alone(s.data, "parallel.data");
    alone(s.tensor, "parallel.tensor");
    alone(s.pipeline, "parallel.pipeline");
    alone(s.context, "parallel.context");
    block(m_plan.inference.engine && s.engine != Engine::Plain, "inference.engine",
          "diffusers runs a diffusion pipeline; leave the engine out.");
    const std::int64_t step = s.diffusion->kind->sideStep;
    const auto multiple = [&](std::int64_t side, FieldPath field) {
        add(side % step != 0, Severity::Warning, field, [&] {
            return "The pipeline takes multiples of " + formatCount(step) + ": counted as " +
                   formatCount(std::max(side / step, std::int64_t(1)) * step) + ".";
        });
    };
    multiple(s.picture.width, "diffusion.width");
    multiple(s.picture.height, "diffusion.height");
    add(applies::videos(s) && s.picture.frames % s.diffusion->framesStep != 1, Severity::Warning,
        "diffusion.frames", [&] {
            const std::string frames = s.diffusion->framesStep == 4 ? "four" : "eight";
            return "The autoencoder makes one picture and then " + frames +
                   " at a time: counted as " +
                   formatCount(s.diffusion->madeFrames(s.picture.frames)) + ".";
        });
    const DiffusionComponent &denoiser = *s.diffusion->first(DiffusionRole::Denoiser);
    const DiffusionFormat format = s.picture.transformerFormat;
    block(isOfGguf(format) && !isGgufKnown(denoiser), "diffusion.transformer_format",
          "Which matrices of this denoiser a GGUF file quantises is not known; choose bf16, fp8 or "
          "nf4.");
    block(isOfGguf(format) && isGgufKnown(denoiser) && !fitsGgufBlocks(denoiser, format),
          "diffusion.transformer_format",
          "Rows of this transformer are no multiples of 256, so that K formats leave most of it in "
          "16 bit; choose q4_0, q5_0 or q8_0.");
    add(isOfGguf(format) && isGgufKnown(denoiser) && !isGgufListed(denoiser), Severity::Warning,
        "diffusion.transformer_format",
        "ComfyUI-GGUF's converter does not list this transformer: counted by its rules of names in "
        "general. Files that other converters wrote may be a tenth larger.");
    block(
        isOfGguf(s.picture.textEncoderFormat), "diffusion.text_encoder_format",
        "transformers dequantizes a text encoder of a GGUF file to 16 bit when it loads it; choose "
        "bf16, fp8 or nf4.");
    block(s.picture.offload == DiffusionOffload::Group && applies::callsPipeline(s) &&
              !isGgufKnown(denoiser),
          "diffusion.offload",
          "The blocks of this denoiser are not known to group offload; choose model or "
          "sequential.");
    add(s.picture.offload == DiffusionOffload::Sequential && applies::callsPipeline(s),
        Severity::Warning, "diffusion.offload",
        "Counted with the largest layer beside the highest activations, whichever runs then: an "
        "upper bound.");
    note(
        s.diffusion->kind->references > 0, "diffusion.images",
        "One image to edit is counted, which the pipeline resizes to a megapixel; each further one "
        "adds as many tokens.");
    if (s.workload == Workload::Training)
        pipelineTraining();
}

/// What of a training step was recorded: tests/measure/diffusion/lora.py.
void PlanChecker::pipelineTraining()
{
    const Settings &s = m_settings;
    const bool isUnet = !s.diffusion->first(DiffusionRole::Denoiser)->unet.empty();
    block(!trainingKnown(*s.diffusion), "workload",
          "What a training step of this pipeline keeps was not recorded: FLUX.1, FLUX.2, Z-Image, "
          "SD3, Qwen-Image, Wan from text with one time step a video and U-Nets of Stable "
          "Diffusion are. "
          "Calling it, workload inference, is computed.");
    const bool isFull = s.adapters.kind == AdapterKind::None;
    block(isFull && !isUnet && s.checkpointing != Checkpointing::Full, "activations.checkpointing",
          "What full training of a transformer keeps without checkpointing was not recorded; "
          "choose full.");
    const bool isPure = s.regime == Regime::PureBf16;
    block(isFull && !isPure && s.regime != Regime::AutocastBf16, "precision.regime",
          "A denoiser's weights are in fp32 under autocast, or all in bf16; choose autocast-bf16 "
          "or pure-bf16.");
    block(isFull && isPure && !isUnet, "precision.regime",
          "Full training of a transformer was recorded with weights in fp32 alone; choose "
          "autocast-bf16.");
    block(isFull && s.picture.transformerFormat != DiffusionFormat::Bf16,
          "diffusion.transformer_format",
          "All parameters are trained in fp32 under autocast, or in bf16; leave the format at "
          "bf16.");
    block(!isFull && isOfGguf(s.picture.transformerFormat), "diffusion.transformer_format",
          "diffusers trains nothing on a base from a GGUF file (quantizers/gguf, is_trainable); "
          "choose bf16, fp8 or nf4.");
    block(s.adapters.baseQuantization != BaseQuantization::None, "adapters.base_quantization",
          "The base of a denoiser's adapters is diffusion.transformer_format: choose nf4 or fp8 "
          "there, and leave this out.");
    block(applies::anyLora(s) && s.adapters.rank < 1, "adapters.rank",
          "LoRA needs a rank of at least 1.");
    const bool isAdam = s.optimizer.name == OptimizerName::AdamW ||
                        s.optimizer.name == OptimizerName::AdamW8bit ||
                        s.optimizer.name == OptimizerName::AdamWScheduleFree ||
                        s.optimizer.name == OptimizerName::Prodigy;
    block(isUnet && !isAdam && s.optimizer.name != OptimizerName::Adafactor, "optimizer.name",
          "A U-Net's step is computed with adamw, adamw-8bit, adamw-schedule-free, prodigy and "
          "adafactor; choose one of them.");
    block(!isUnet && !isAdam, "optimizer.name",
          "A diffusion transformer's step is computed with adamw, adamw-8bit, adamw-schedule-free "
          "and prodigy; choose one of them.");
    block(s.optimizer.implementation == OptimizerImplementation::InBackward,
          "optimizer.implementation",
          "Not computed for a denoiser; choose foreach, fused or for-loop.");
    block(s.checkpointing != Checkpointing::None && s.checkpointing != Checkpointing::Full,
          "activations.checkpointing",
          "diffusers checkpoints every block or none; choose full or none.");
    note(s.diffusion->kind->references > 0, "diffusion.images",
         "The step is that of the same transformer with the tokens of both images; none with an "
         "image to edit was recorded.");
    note(true, "workload",
         "Latents and prompt embeddings are counted as cached: neither text encoders nor the VAE "
         "are on the GPU.");
    note(s.picture.transformerFormat == DiffusionFormat::Nf4, "diffusion.transformer_format",
         "Recorded with a product that restores its matrix as bitsandbytes does; what the kernels "
         "of bitsandbytes need themselves is not counted.");
}

} // namespace vramscope
