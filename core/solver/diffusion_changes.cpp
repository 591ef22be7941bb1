// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/field_conditions.h"
#include "core/solver/changes.h"
#include "core/solver/edits.h"

#include <array>

namespace vramscope {

namespace {

/// Puts a format where the weights are in 16 bit and nothing trains over them.
bool narrow(Plan &plan, const Settings &s, DiffusionFormat format)
{
    return applies::callsPipeline(s) && s.transformerFormat == DiffusionFormat::Bf16 &&
           put(plan.diffusion.transformerFormat, s.transformerFormat, format);
}

constexpr std::array kDiffusionChanges = {
    Change{"Offload whole components", "Weights move over the link to the host in every call.",
           false,
           [](Plan &plan, const Settings &s) {
               return applies::callsPipeline(s) && s.diffusionOffload == DiffusionOffload::None &&
                      put(plan.diffusion.offload, s.diffusionOffload, DiffusionOffload::Model);
           }},
    Change{"Offload layer by layer", "Each layer's weights move in every step: many times slower.",
           false,
           [](Plan &plan, const Settings &s) {
               return applies::callsPipeline(s) &&
                      put(plan.diffusion.offload, s.diffusionOffload, DiffusionOffload::Sequential);
           }},
    Change{"Transformer cast to fp8", "Weights are rounded to 8 bits, and widened layer by layer.",
           true,
           [](Plan &plan, const Settings &s) { return narrow(plan, s, DiffusionFormat::Fp8); }},
    Change{"Transformer in nf4", "Weights are rounded to 4 bits.", true,
           [](Plan &plan, const Settings &s) { return narrow(plan, s, DiffusionFormat::Nf4); }},
    Change{"Decode in tiles", "The decoder runs on parts that overlap.", true,
           [](Plan &plan, const Settings &s) {
               return applies::imageDecoder(s) && put(plan.diffusion.vaeTiling, s.vaeTiling, true);
           }},
    Change{"Decode images one by one", "The decoder runs once an image.", false,
           [](Plan &plan, const Settings &s) {
               return applies::imageDecoder(s) && s.diffusionImages > 1 &&
                      put(plan.diffusion.vaeSlicing, s.vaeSlicing, true);
           }},
    Change{"{} at once", "Fewer images or videos in a batch.", false,
           [](Plan &plan, const Settings &s) {
               return halve(plan.diffusion.images, s.diffusionImages);
           },
           &Settings::diffusionImages},
    Change{"Frames {}", "Shorter videos.", true,
           [](Plan &plan, const Settings &s) {
               return applies::videos(s) && put(plan.diffusion.frames, s.diffusionFrames,
                                                (s.diffusionFrames - 1) / 8 * 4 + 1);
           },
           &Settings::diffusionFrames},
    Change{"Checkpoint every block", "Forward runs a second time in backward.", false,
           [](Plan &plan, const Settings &s) {
               return s.workload == Workload::Training &&
                      put(plan.activations.checkpointing, s.checkpointing, Checkpointing::Full);
           }},
};

} // namespace

std::span<const Change> diffusionChanges()
{
    return kDiffusionChanges;
}

} // namespace vramscope
