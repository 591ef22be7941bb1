// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// LoRA training of FLUX as diffusers' examples/dreambooth do it: a frozen base in bf16, adapters in
// fp32 on attention and feed-forward, autocast, latents and prompt embeddings cached. Counts of
// tensors were read off tests/measure/diffusion/lora.py and are held within 2 %.
#include "core/planner/diffusion/diffusion.h"

#include "core/planner/field_path.h"
#include "core/planner/settings.h"

namespace vramscope {

namespace {

constexpr std::string_view kRecorded = "Recorded: tests/measure/diffusion/lora.py";
constexpr PhaseSet kWhole = {StepPhase::Forward, StepPhase::Backward, StepPhase::Step,
                             StepPhase::Rest};

/// Tensors of D a token in 16 bit, 2 D bytes each.
constexpr std::int64_t kSavedOfDouble = 25;
constexpr std::int64_t kSavedOfSingle = 17;
constexpr std::int64_t kForward = 24;            ///< of the single block that runs
constexpr std::int64_t kForgottenForward = 23;   ///< of one that will run again
constexpr std::int64_t kBackward = 14;           ///< with what it saved there already
constexpr std::int64_t kRecomputedBackward = 41; ///< with what it saves when run again

class Step
{
public:
    Step(const Settings &settings, Ledger &ledger)
        : m_s(settings)
        , m_base(*settings.diffusion->first(DiffusionRole::Transformer))
        , m_load(loadOf(m_base, settings))
        , m_ledger(ledger)
        , m_text(Exact(m_load.batch) * m_load.tokens)
        , m_image(Exact(m_load.batch) * (m_load.latents() / 4))
        , m_tokens(m_image + m_text)
        , m_trained(adapterParameters(settings))
    {
    }

    void add()
    {
        addStates();
        addActivations();
        m_ledger.add(
            Category::Framework, "cuBLAS workspace", m_s.cublasWorkspaceBytes, kWhole,
            calibratedOr(m_s.calibrated.cublasWorkspace,
                         {"Workspaces of the forward and backward handles", Evidence::Sourced}),
            {"catalogue or overheads.cublas_workspace_bytes = {}", {m_s.cublasWorkspaceBytes}});
        m_ledger.add(Category::Framework, "Other resident tensors", m_s.residentBytes, kWhole,
                     calibratedOr(m_s.calibrated.resident,
                                  {FieldPath("overheads.resident_bytes"), Evidence::Sourced}),
                     {"overheads.resident_bytes = {}", {m_s.residentBytes}});
    }

private:
    void addStates();
    void addActivations();
    void addRunning(std::string_view name, std::int64_t tensors, StepPhase when)
    {
        const Exact bytes = Exact(2) * m_base.width * (m_tokens * tensors + m_text * 2);
        m_ledger.add(Category::Activations, name, bytes, {when}, {kRecorded, Evidence::Verified},
                     {"2 D ({} T + 2 T_text) = 2 × {} × ({} × {} + 2 × {})",
                      {tensors, m_base.width, tensors, m_tokens.value(), m_text.value()}});
    }

    const Settings &m_s;
    const DiffusionComponent &m_base;
    DiffusionLoad m_load;
    Ledger &m_ledger;
    Exact m_text, m_image, m_tokens; ///< tokens of the batch, and all of them
    std::int64_t m_trained;
};

void Step::addStates()
{
    const Exact base = weightBytes(m_base, m_s);
    m_ledger.add(Category::Parameters, m_base.title, base, kWhole,
                 {m_base.kind->source, Evidence::Verified}, {"2 N = 2 × {}", {m_base.parameters}});
    m_ledger.add(Category::Parameters, "Adapter weights", Exact(4) * m_trained, kWhole,
                 {kRecorded, Evidence::Verified}, {"4 N_adapters = 4 × {}", {m_trained}});
    m_ledger.add(Category::Gradients, "Adapter gradients", Exact(4) * m_trained, {StepPhase::Step},
                 {kRecorded, Evidence::Verified}, {"4 N_adapters = 4 × {}", {m_trained}});
    m_ledger.add({Category::OptimizerStates, "Optimizer states", Exact(8) * m_trained, kWhole,
                  PhaseSet{StepPhase::Step, StepPhase::Rest},
                  Origin{"Two moments of AdamW in fp32", Evidence::Verified}},
                 FormulaText{"2 × 4 N_adapters = 8 × {}", {m_trained}});
    if (m_s.implementation == OptimizerImplementation::Foreach)
        m_ledger.add(Category::TemporaryBuffers, "Foreach temporaries", Exact(4) * m_trained,
                     {StepPhase::Step}, {kRecorded, Evidence::Verified},
                     {"4 N_adapters = 4 × {}", {m_trained}});
}

void Step::addActivations()
{
    constexpr PhaseSet kSaved = {StepPhase::Forward, StepPhase::Backward};
    const bool again = m_s.checkpointing == Checkpointing::Full;
    const std::int64_t d = m_base.width;
    const std::int64_t both = m_base.layers + m_base.singleLayers;
    const std::int64_t tensors =
        again ? both : kSavedOfDouble * m_base.layers + kSavedOfSingle * m_base.singleLayers;
    const Exact image = again ? Exact(2) * m_image : Exact(0); // before and behind the blocks
    m_ledger.add(Category::Activations, again ? "Inputs of blocks" : "Saved activations",
                 Exact(2) * d * (m_tokens * tensors + image), kSaved,
                 {kRecorded, Evidence::Verified},
                 {"2 D ({} T + {}) = 2 × {} × ({} × {} + {})",
                  {tensors, image.value(), d, tensors, m_tokens.value(), image.value()}});
    if (!again) {
        // Log-sum-exp and the roots of two norms, in fp32, and what an adapter gives between its
        // matrices: six of them a token of a double block, three of a single one.
        const Exact roots = Exact(12) * m_base.heads * both * m_tokens;
        const Exact inner =
            Exact(2) * m_s.adapterRank * m_tokens * (6 * m_base.layers + 3 * m_base.singleLayers);
        m_ledger.add(Category::Activations, "Saved of adapters, norms and attention",
                     roots + inner + Exact(2) * m_trained, kSaved, {kRecorded, Evidence::Verified},
                     {"12 a T L + 2 r T (6 L_double + 3 L_single) + 2 N_adapters = {}",
                      {(roots + inner + Exact(2) * m_trained).value()}});
    }
    const Exact turned = Exact(8) * (m_load.latents() / 4 + m_load.tokens) * m_base.headWidth;
    const Exact inputs =
        Exact(4) * m_image * m_base.channels + Exact(2) * m_text * m_base.textWidth;
    m_ledger.add(Category::Activations, "Latents, prompt embeddings and positions", turned + inputs,
                 kSaved, {kRecorded, Evidence::Verified},
                 {"rotary tables + latents and target + embeddings = {} + {}",
                  {turned.value(), inputs.value()}});
    if (again)
        m_ledger.add(Category::Activations, "Adapters in 16 bit", Exact(2) * m_trained,
                     {StepPhase::Forward},
                     {"Autocast keeps its copies; recorded", Evidence::Verified},
                     {"2 N_adapters = 2 × {}", {m_trained}});
    addRunning("Block that runs forward", again ? kForgottenForward : kForward, StepPhase::Forward);
    addRunning("Block that runs backward", again ? kRecomputedBackward : kBackward,
               StepPhase::Backward);
}

} // namespace

void addDiffusionTraining(const Settings &settings, Ledger &ledger)
{
    Step(settings, ledger).add();
}

bool trainingKnown(const DiffusionPipeline &pipeline)
{
    return pipeline.first(DiffusionRole::Transformer)->kind->name == "FluxTransformer2DModel";
}

std::int64_t adapterParameters(const Settings &s)
{
    // Of a double block: four matrices of attention and the two of the feed-forward, for image and
    // text; of a single one those that make queries, keys and values.
    const DiffusionComponent &base = *s.diffusion->first(DiffusionRole::Transformer);
    return s.adapterRank * base.width * (36 * base.layers + 6 * base.singleLayers);
}

} // namespace vramscope
