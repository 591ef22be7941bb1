// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/encoding.h"

#include <algorithm>

namespace vramscope {

namespace {

/// vLLM's processors cast pixels to the model's type.
std::int64_t elementBytes(const Settings &s)
{
    return s.weightFormat == WeightFormat::Fp32 ? 4 : 2;
}

constexpr PhaseSet kProfiled = {StepPhase::Profile, StepPhase::Serve};

/// vllm/multimodal/encoder_budget.py: as many of the largest item as the tokens of one pass hold,
/// and at least one.
std::int64_t itemsOf(const Settings &s, std::int64_t tokens, std::int64_t limit)
{
    const std::int64_t budget = std::max(s.maxNumBatchedTokens, tokens) / tokens;
    const std::int64_t aPrompt = std::max<std::int64_t>(1, std::min(limit, s.maxModelLen / tokens));
    return std::max<std::int64_t>(1,
                                  std::min(Exact(budget), Exact(s.maxNumSeqs) * aPrompt).value());
}

/// Bytes of a patch, on one rank.
std::int64_t bytesAt(const EncodingMoment &moment, std::int64_t ranks)
{
    return moment.whole + dividedUp(Exact(moment.divided), ranks).value();
}

/// Bytes of a patch: the tower's tensors at its worst moment, without the pixels.
std::int64_t runningBytes(const Settings &s, const Encoding &it)
{
    const std::int64_t ranks = s.tensor;
    const std::int64_t exchanged = ranks > 1 ? it.exchanged : 0;
    const std::int64_t narrow =
        it.tables + std::max({bytesAt(it.attention, ranks) + exchanged,
                              bytesAt(it.activation, ranks), bytesAt(it.output, ranks), it.norm});
    return narrow * elementBytes(s) / 2;
}

/// Features for further layers of the text, which wait for the last ones.
Exact deepstackBytes(const Settings &s, const Tower &tower, std::int64_t tokens)
{
    return Exact(elementBytes(s)) * s.architecture.hidden * tower.deepstack * tokens;
}

} // namespace

Exact encodingPeak(const Settings &s, const Tower &tower, const VisualTokens &images)
{
    const std::int64_t patch =
        elementBytes(s) * tower.pixelValues + runningBytes(s, tower.encoding);
    return Exact(patch) * images.patches + deepstackBytes(s, tower, images.tokens);
}

ProfiledEncoding profiledEncoding(const Serving &serving)
{
    const Settings &s = serving.s;
    ProfiledEncoding it;
    if (s.towers.empty() || !serving.rank.hasEmbedding || !s.multimodal.profiled)
        return it;
    const Tower &tower = s.towers.front();
    if (!tower.encoding.known)
        return it;
    const auto image =
        s.multimodal.images > 0 ? largestImage(tower, s.multimodal.maxPixels) : std::nullopt;
    const auto video =
        s.multimodal.videos > 0
            ? largestVideo(tower, s.multimodal.maxPixels, s.maxModelLen, s.multimodal.images > 0)
            : std::nullopt;
    it.video = video && (!image || video->tokens >= image->tokens);
    const auto &largest = it.video ? video : image;
    if (!largest || largest->tokens < 1)
        return it;
    it.items = itemsOf(s, largest->tokens, it.video ? s.multimodal.videos : s.multimodal.images);
    it.all = {(Exact(it.items) * largest->tokens).value(),
              (Exact(it.items) * largest->patches).value()};
    it.width = elementBytes(s) * s.architecture.hidden * (1 + tower.deepstack);
    it.pixels = Exact(it.all.patches) * elementBytes(s) * tower.pixelValues;
    it.features = Exact(it.all.tokens) * it.width;
    it.peak = encodingPeak(s, tower, it.all);
    return it;
}

void addHeldImages(const Serving &serving, const ProfiledEncoding &it, Ledger &ledger)
{
    const std::int64_t pixel = elementBytes(serving.s) * serving.s.towers.front().pixelValues;
    ledger.add(Category::Activations, "Pixels of the profile run",
               {"{} patches", {pixel, it.all.patches}}, kProfiled,
               {"profile_run() in vllm/v1/worker/gpu_model_runner.py holds them until it ends",
                Evidence::Sourced});
    ledger.add(Category::Activations, "Encoder cache of the profile run",
               {"{} T_image", {it.width, it.all.tokens}}, kProfiled,
               {"Features of the largest images that one pass may hold, as vLLM keeps them; "
                "vllm/multimodal/encoder_budget.py",
                Evidence::Sourced});
}

void addEncoding(const Serving &serving, const ProfiledEncoding &it, Ledger &ledger)
{
    const Settings &s = serving.s;
    const std::int64_t patch = elementBytes(s) * s.towers.front().pixelValues;
    const std::int64_t running = runningBytes(s, s.towers.front().encoding);
    const std::int64_t deepstack = deepstackBytes(s, s.towers.front(), it.all.tokens).value();
    ledger.add(Category::Activations,
               it.video ? "Longest videos encoded in the profile run"
                        : "Largest images encoded in the profile run",
               it.peak, kProfiled,
               {"vLLM's own tower at its worst moment, above what the text's run takes; recorded "
                "without memory: tests/measure/encoders. What cuDNN takes for the patches is not "
                "in it",
                Evidence::Verified},
               {"({} + {}) patches + {} = {} × {} + {}",
                {patch, running, deepstack, patch + running, it.all.patches, deepstack}});
}

} // namespace vramscope
