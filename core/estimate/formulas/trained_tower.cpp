// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/training.h"
#include "core/model/towers/visual_tokens.h"

namespace vramscope {

namespace {

constexpr Origin kSaved = {"What transformers' modules save in the tower and in what joins it to "
                           "the text; measured: tests/measure, family \"vision\"",
                           Evidence::Verified};

/// A tower's part of one micro-batch.
class TowerStep
{
public:
    TowerStep(const Training &t, const Tower &tower, const VisualTokens &image, Ledger &ledger)
        : m_t(t)
        , m_tower(tower)
        , m_patches(Exact(t.s.microBatch) * t.s.images * image.patches)
        , m_tokens(Exact(t.s.microBatch) * t.s.images * image.tokens)
        , m_ledger(ledger)
    {
    }

    void add()
    {
        addPixels();
        if (m_t.s.visionTower == TowerTraining::Trained)
            addSaved();
        m_ledger.add(Category::Activations, "Image features",
                     {"{} T_image", {featuresOfToken(), m_tokens}}, {StepPhase::Forward},
                     {"Variables of the model's forward() hold them while the text runs; measured: "
                      "tests/measure, family \"vision\"",
                      m_tower.features > 0 ? Evidence::Verified : Evidence::Derived});
    }

private:
    /// If the tower was not measured: the features of each image and of all images, in 16 bit.
    [[nodiscard]] std::int64_t featuresOfToken() const
    {
        return m_tower.features > 0 ? m_tower.features : 4 * m_t.s.architecture.hidden;
    }

    /// The image processor gives fp32, which the batch holds; the patch embedding keeps a copy in
    /// 16 bit.
    void addPixels()
    {
        m_ledger.add(Category::Activations, "Pixels of the batch",
                     {"4 values · patches", {4, m_tower.pixelValues, m_patches}},
                     kForwardToBackward,
                     {"The image processor's output, in fp32", Evidence::Verified});
    }

    [[nodiscard]] bool recomputes() const { return m_t.s.checkpointing == Checkpointing::Full; }

    void addSaved()
    {
        constexpr std::int64_t kNarrow = 2;
        const std::int64_t each = recomputes() ? kNarrow * m_tower.width : m_tower.blockKept;
        const std::int64_t embedded = kNarrow * m_tower.pixelValues + m_tower.tablesKept;
        const std::int64_t layers = m_tower.layers;
        const Exact blocks = m_patches * each * layers;
        const Exact embedding = m_patches * embedded;
        const Exact join = m_tokens * m_tower.joinKept;
        m_ledger.add(Category::Activations,
                     recomputes() ? "Inputs of the vision tower's blocks"
                                  : "Saved by the vision tower's blocks",
                     {"{} L patches", {each, layers, m_patches}}, kWhileSaved, kSaved);
        m_ledger.add(Category::Activations, "Saved by the patch embedding",
                     {"{} patches", {embedded, m_patches}}, kWhileSaved, kSaved);
        m_ledger.add(Category::Activations, "Saved between tower and text",
                     {"{} T_image", {m_tower.joinKept, m_tokens}}, kWhileSaved, kSaved);
        addRunning(blocks + embedding + join);
    }

    /// The tower runs backward last. When it begins, all that it saved is there and none of its
    /// gradients, which the end of backward counts.
    void addRunning(Exact saved)
    {
        const Exact passing =
            m_patches * (m_tower.blockPassing + (recomputes() ? m_tower.blockKept : 0));
        const std::int64_t g = m_t.trainedGradient;
        const Exact gradients = Exact(g) * dividedUp(Exact(m_t.rank.tower()), m_t.dense.gradients);
        m_ledger.add(Category::Activations, "Vision tower running backward",
                     excess(saved + passing, gradients), {StepPhase::EndOfBackward},
                     {"What the tower saved and its last block's gradients, before the tower's own "
                      "gradients are there; derived from the order of the backward pass",
                      Evidence::Derived, 0.5},
                     {"saved + running - {} N_tower / D = {} + {} - {}",
                      {g, saved.value(), passing.value(), gradients.value()}});
    }

    const Training &m_t;
    const Tower &m_tower;
    Exact m_patches;
    Exact m_tokens;
    Ledger &m_ledger;
};

} // namespace

void addVisionTower(const Training &t, Ledger &ledger)
{
    for (const Tower &tower : t.s.towers) {
        if (const auto image = visualTokens(tower, t.s.imageWidth, t.s.imageHeight))
            TowerStep(t, tower, *image, ledger).add();
    }
}

} // namespace vramscope
