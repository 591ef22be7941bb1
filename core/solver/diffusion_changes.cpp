// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/field_conditions.h"
#include "core/solver/changes.h"
#include "core/solver/edits.h"

#include <array>

namespace vramscope {

namespace {

/// Sets a format where the weights are in 16 bit and nothing is trained on them.
bool narrow(Plan &plan, const Settings &s, DiffusionFormat format)
{
    return applies::callsPipeline(s) && s.picture.transformerFormat == DiffusionFormat::Bf16 &&
           put(plan.diffusion.transformerFormat, s.picture.transformerFormat, format);
}

constexpr std::array kDiffusionChanges = {
    Change{"Offload whole components", "Weights move over the link to the host in every call.",
           Toll::None,
           [](Plan &plan, const Settings &s) {
               return applies::callsPipeline(s) && s.picture.offload == DiffusionOffload::None &&
                      put(plan.diffusion.offload, s.picture.offload, DiffusionOffload::Model);
           },
           "offload"},
    Change{"Offload layer by layer", "Each layer's weights move in every step: many times slower.",
           Toll::Slow,
           [](Plan &plan, const Settings &s) {
               return applies::callsPipeline(s) &&
                      put(plan.diffusion.offload, s.picture.offload, DiffusionOffload::Sequential);
           },
           "offload"},
    Change{"Transformer cast to fp8", "Weights are rounded to 8 bits, and widened layer by layer.",
           Toll::Results,
           [](Plan &plan, const Settings &s) { return narrow(plan, s, DiffusionFormat::Fp8); },
           "transformer"},
    Change{"Transformer in nf4", "Weights are rounded to 4 bits.", Toll::Results,
           [](Plan &plan, const Settings &s) { return narrow(plan, s, DiffusionFormat::Nf4); },
           "transformer"},
    Change{"Decode in tiles", "The decoder runs on parts that overlap.", Toll::Results,
           [](Plan &plan, const Settings &s) {
               return applies::imageDecoder(s) &&
                      put(plan.diffusion.vaeTiling, s.picture.vaeTiling, true);
           }},
    Change{"Decode images one by one", "The decoder runs once an image.", Toll::None,
           [](Plan &plan, const Settings &s) {
               return applies::imageDecoder(s) && s.picture.images > 1 &&
                      put(plan.diffusion.vaeSlicing, s.picture.vaeSlicing, true);
           }},
    Change{"{} at once", "Fewer images or videos in a batch.", Toll::Limits,
           [](Plan &plan, const Settings &s) {
               return halve(plan.diffusion.images, s.picture.images);
           },
           "", FieldPath("diffusion.images"), true},
    Change{"Frames {}", "Shorter videos.", Toll::Job,
           [](Plan &plan, const Settings &s) {
               return applies::videos(s) && put(plan.diffusion.frames, s.picture.frames,
                                                (s.picture.frames - 1) / 8 * 4 + 1);
           },
           "", FieldPath("diffusion.frames")},
    Change{"Checkpoint every block", "Forward runs a second time in backward.", Toll::None,
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
