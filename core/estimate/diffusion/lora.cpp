// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Training of a diffusion transformer as diffusers' examples/dreambooth do it: adapters in fp32
// with a frozen base, or the whole model in fp32, under autocast, with latents and prompt
// embeddings cached. Counts of tensors are from tests/measure/diffusion/lora.py, within 2 %; full
// training keeps what adapters keep, which is little compared with its gradients.
#include "core/estimate/diffusion/denoiser_training.h"
#include "core/estimate/diffusion/diffusion.h"
#include "core/settings/settings.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr std::string_view kRecorded = "Recorded: tests/measure/diffusion/lora.py";
constexpr PhaseSet kWhole = {StepPhase::Forward, StepPhase::Backward, StepPhase::Step,
                             StepPhase::Rest};

/// Tensors of D a token in 16 bit, 2 D bytes each: for image tokens, for text tokens, and for image
/// tokens as wide as the feed-forward.
struct Tensors
{
    std::int64_t image = 0;
    std::int64_t text = 0;
    std::int64_t inner = 0;
};

/// Parameters whose products run backward: multiples of D² and of D F.
struct Products
{
    std::int64_t squares = 0, feeds = 0;
};

/// A block of image and text that are joined, after those of both streams.
struct Single
{
    std::int64_t adapters = 0;
    Tensors saved, adapted;
    Products products;
};

/// Memory of a family's step, by block. A running block has these in addition to its saved tensors.
struct LoraFamily
{
    std::string_view transformer; ///< its class
    std::int64_t adapters; ///< parameters of a block's adapters, as multiples of D times rank
    std::int64_t lastLess; ///< multiples that the last block has fewer
    Tensors saved;
    Tensors adapted;       ///< numbers of the rank that adapters save of each token
    std::int64_t lastText; ///< text tensors that the last block does not save: nothing reads it
    Tensors forward;
    Tensors forwardAgain; ///< in a block that will run again
    Tensors backward;
    Tensors backwardAgain;  ///< with what it saves when it runs again
    std::int64_t turned;    ///< bytes of rotary tables, as multiples of a head's width and a token
    std::int64_t table = 0; ///< bytes of the tables of all positions, kept: multiples of that width
    bool textTurns = false;
    bool keepsText = true;        ///< a checkpointed block keeps its text
    bool joined = false;          ///< blocks take image and text as one
    bool activationPeaks = false; ///< the peak may be around a feed-forward's activation function
    Products products = {24, 0};
    Products first = {24, 0}; ///< of the block that runs backward first
    Single single = {};
};

// FLUX adapts attention and feed-forward of its double blocks, for image and text; SD3 attention,
// for both; the others to_q, to_k, to_v and to_out.0, which FLUX.2 has in its double blocks alone.
constexpr LoraFamily kFamilies[] = {
    {.transformer = "FluxTransformer2DModel",
     .adapters = 36,
     .lastLess = 0,
     .saved = {25, 25},
     .adapted = {6, 6},
     .lastText = 0,
     .forward = {24, 26},
     .forwardAgain = {23, 25},
     .backward = {14, 16},
     .backwardAgain = {41, 43},
     .turned = 8,
     .textTurns = true,
     .single = {6, {17, 17}, {3, 3}, {12, 0}}},
    {.transformer = "Flux2Transformer2DModel",
     .adapters = 8,
     .lastLess = 0,
     .saved = {25, 21},
     .adapted = {4, 0},
     .lastText = 0,
     .forward = {21, 21},
     .forwardAgain = {29, 32},
     .backward = {19, 19},
     .backwardAgain = {42, 44},
     .turned = 8,
     .textTurns = true,
     .products = {8, 6},
     .first = {4, 3},
     .single = {0, {21, 21}, {0, 0}, {4, 3}}},
    {.transformer = "ZImageTransformer2DModel",
     .adapters = 8,
     .lastLess = 0,
     .saved = {26, 0, 3},
     .adapted = {4, 0},
     .lastText = 0,
     .forward = {5, 0},
     .forwardAgain = {2, 0, 4},
     .backward = {6, 0},
     .backwardAgain = {32, 0, 3},
     .turned = 8,
     .textTurns = true,
     .joined = true,
     .products = {4, 3},
     .first = {4, 3}},
    {.transformer = "SD3Transformer2DModel",
     .adapters = 16,
     .lastLess = 2,
     .saved = {16, 16},
     .adapted = {4, 4},
     .lastText = 9,
     .forward = {9, 4},
     .forwardAgain = {11, 3},
     .backward = {7, 0},
     .backwardAgain = {25, 12},
     .turned = 0},
    {.transformer = "QwenImageTransformer2DModel",
     .adapters = 8,
     .lastLess = 0,
     .saved = {22, 18},
     .adapted = {4, 0},
     .lastText = 14,
     .forward = {14, 7},
     .forwardAgain = {16, 6},
     .backward = {7, 0},
     .backwardAgain = {36, 18},
     .turned = 4,
     .table = 32'768},
    {.transformer = "WanTransformer3DModel",
     .adapters = 16,
     .lastLess = 0,
     .saved = {24, 6, 1},
     .adapted = {6, 2},
     .lastText = 0,
     .forward = {9, 1},
     .forwardAgain = {9, 0},
     .backward = {-1, 0, 2},
     .backwardAgain = {32, 6, 1},
     .turned = 8,
     .table = 8'192,
     .keepsText = false,
     .activationPeaks = true,
     .products = {8, 2},
     .first = {8, 2}},
};
constexpr Tensors kSavedOfNorms = {6, 6};   ///< by SD3's norms of queries and keys
constexpr Tensors kSavedOfSecond = {10, 0}; ///< where SD3's image attends a second time and
                                            ///< an earlier layer is trained
constexpr Tensors kSecondAgain = {12, 2};   ///< extra in such a block when it runs again

const LoraFamily *familyOf(const DiffusionComponent &transformer)
{
    const auto *const found =
        std::ranges::find(kFamilies, transformer.kind->name, &LoraFamily::transformer);
    return found == std::ranges::end(kFamilies) ? nullptr : found;
}

Tensors operator+(const Tensors &a, const Tensors &b)
{
    return {a.image + b.image, a.text + b.text, a.inner + b.inner};
}

Tensors operator*(std::int64_t times, const Tensors &it)
{
    return {times * it.image, times * it.text, times * it.inner};
}

class Step
{
public:
    Step(const Settings &settings, Ledger &ledger)
        : m_s(settings)
        , m_base(*settings.diffusion->first(DiffusionRole::Denoiser))
        , m_family(*familyOf(m_base))
        , m_load(loadOf(m_base, settings))
        , m_ledger(ledger)
        , m_text(Exact(m_family.joined ? 0 : m_load.batch) * m_load.tokens)
        , m_image(Exact(m_load.batch) *
                  (m_load.tokensOfImage() + (m_family.joined ? m_load.tokens : 0)))
        , m_trained(settings.adapters.kind == AdapterKind::None ? m_base.parameters
                                                                : adapterParameters(settings))
    {
    }

    void add()
    {
        const bool all = trainsAll(m_s);
        // Adapters join D to D, or D to four times that and back.
        addTrainingStates(
            m_s,
            {.parameters = m_trained,
             .largestTensor = all ? m_base.largestMatrix : 4 * m_base.width * m_s.adapters.rank,
             .zeros = all ? 0 : m_trained / 2},
            all ? PhaseSet{StepPhase::Backward, StepPhase::Step} : PhaseSet{StepPhase::Step},
            m_ledger);
        // In backward they are those of the block that runs again.
        if (all)
            m_ledger.add(Category::Parameters, "Weights in 16 bit", {"2 N", {2, m_trained}},
                         {StepPhase::Forward},
                         {"Autocast keeps its copies; recorded", Evidence::Verified});
        m_ledger.add(Category::Parameters, "Rotary tables of all places",
                     {"{} d", {m_family.table, m_base.headWidth}}, kWhole,
                     {kRecorded, Evidence::Verified});
        addActivations();
    }

private:
    void addActivations();
    void addSaved();
    void addInputs();
    void addWidened();
    [[nodiscard]] std::int64_t productsOf(bool allBlocks) const;
    [[nodiscard]] bool again() const { return m_s.checkpointing == Checkpointing::Full; }
    [[nodiscard]] Tensors normed() const { return (m_base.normsQueries ? 1 : 0) * kSavedOfNorms; }
    [[nodiscard]] Exact bytesOf(const Tensors &it) const
    {
        return Exact(2) * m_base.width * (m_image * it.image + m_text * it.text) +
               Exact(2) * m_base.ffn * m_image * it.inner;
    }
    void addTensors(std::string_view name, const Tensors &it, PhaseSet when)
    {
        const FormulaText text =
            it.inner == 0
                ? FormulaText{"2 h ({} T_image + {} T_text) = 2 × {} × ({} × {} + {} × {})",
                              {it.image, it.text, m_base.width, it.image, m_image.value(), it.text,
                               m_text.value()}}
                : FormulaText{"2 h ({} T_image + {} T_text) + 2 f {} T_image = 2 × {} × ({} × {} + "
                              "{} × {}) + 2 × {} × {} × {}",
                              {it.image, it.text, it.inner, m_base.width, it.image, m_image.value(),
                               it.text, m_text.value(), m_base.ffn, it.inner, m_image.value()}};
        m_ledger.add(Category::Activations, name, bytesOf(it), when,
                     {kRecorded, Evidence::Verified}, text);
    }

    const Settings &m_s;
    const DiffusionComponent &m_base;
    const LoraFamily &m_family;
    DiffusionLoad m_load;
    Ledger &m_ledger;
    Exact m_text, m_image; ///< tokens of the batch
    std::int64_t m_trained;
};

void Step::addSaved()
{
    constexpr PhaseSet kSaved = {StepPhase::Forward, StepPhase::Backward};
    const std::int64_t blocks = m_base.layers + m_base.refiners;
    const std::int64_t single = m_base.singleLayers;
    if (again()) {
        // The image once more before and after the blocks.
        const std::int64_t texts = m_family.keepsText ? blocks + single : 1;
        return addTensors("Inputs of blocks", {blocks + single + 2, texts}, kSaved);
    }
    Tensors saved = blocks * (m_family.saved + normed()) + single * m_family.single.saved +
                    std::max<std::int64_t>(m_base.dualLayers - 1, 0) * kSavedOfSecond;
    saved.text -= m_family.lastText;
    addTensors("Saved activations", saved, kSaved);
    // Log-sum-exp and the roots of two norms, in fp32, and the tensor between an adapter's
    // matrices.
    const Tensors adapted = blocks * m_family.adapted + single * m_family.single.adapted;
    const Exact roots = Exact(12) * m_base.heads * (blocks + single) * (m_image + m_text);
    const Exact inner =
        Exact(2) * m_s.adapters.rank * (m_image * adapted.image + m_text * adapted.text);
    m_ledger.add(Category::Activations, "Saved of adapters, norms and attention",
                 roots + inner + Exact(2) * m_trained, kSaved, {kRecorded, Evidence::Verified},
                 {"12 a T L + 2 r ({} T_image + {} T_text) + 2 N_adapters = {}",
                  {adapted.image, adapted.text, (roots + inner + Exact(2) * m_trained).value()}});
}

/// Parameters whose products run backward, so that they are kept in 16 bit until then where they
/// are stored in another type: those of one block, or of all. Inputs of modulations are not
/// trained.
std::int64_t Step::productsOf(bool allBlocks) const
{
    const auto of = [this](const Products &it) {
        return m_base.width * (it.squares * m_base.width + it.feeds * m_base.ffn);
    };
    const std::int64_t blocks = m_base.layers + 2 * m_base.refiners;
    return allBlocks
               ? blocks * of(m_family.products) + m_base.singleLayers * of(m_family.single.products)
               : of(m_family.first);
}

/// The 16-bit weights of a base of fewer bits. Where it is cast, autograd keeps the cast weight for
/// the gradient of the product's input; bitsandbytes restores each matrix again instead
/// (bitsandbytes/autograd/_functions.py, MatMul4Bit).
void Step::addWidened()
{
    const bool casts = m_s.picture.transformerFormat == DiffusionFormat::Fp8;
    if (m_s.picture.transformerFormat == DiffusionFormat::Bf16)
        return;
    const PhaseSet restored =
        casts ? PhaseSet{StepPhase::Forward} : PhaseSet{StepPhase::Forward, StepPhase::Backward};
    if (!casts || again())
        m_ledger.add(Category::TemporaryBuffers, "Matrix in 16 bit",
                     {"2 n_max", {2, m_base.largestMatrix}}, restored,
                     {"The matrix that is multiplied; the largest", Evidence::Derived, 0.5});
    if (!casts)
        return;
    const std::int64_t products = productsOf(!again());
    m_ledger.add(Category::TemporaryBuffers, "Cast weights", {"2 N", {2, products}},
                 again() ? PhaseSet{StepPhase::Backward}
                         : PhaseSet{StepPhase::Forward, StepPhase::Backward},
                 {kRecorded, Evidence::Verified, 0.2});
}

void Step::addInputs()
{
    const Exact places = m_load.tokensOfImage();
    const Exact turned = Exact(m_family.turned) * m_base.headWidth *
                         (places + (m_family.textTurns ? m_load.tokens : 0));
    const Exact inputs = Exact(m_load.batch) * (Exact(4) * places * m_base.channels +
                                                Exact(2) * m_load.tokens * m_base.textWidth);
    m_ledger.add(Category::Activations, "Latents, prompt embeddings and positions", turned + inputs,
                 {StepPhase::Forward, StepPhase::Backward}, {kRecorded, Evidence::Verified},
                 {"rotary tables + latents and target + embeddings = {} + {}",
                  {turned.value(), inputs.value()}});
}

void Step::addActivations()
{
    addSaved();
    addInputs();
    addWidened();
    if (again() && !trainsAll(m_s))
        m_ledger.add(Category::Activations, "Adapters in 16 bit", {"2 N_adapters", {2, m_trained}},
                     {StepPhase::Forward},
                     {"Autocast keeps its copies; recorded", Evidence::Verified});
    const auto larger = [this](const Tensors &a, const Tensors &b) {
        return bytesOf(a) >= bytesOf(b) ? a : b;
    };
    const bool wide = m_family.activationPeaks;
    const Tensors forward = again() ? m_family.forwardAgain : m_family.forward;
    addTensors("Block that runs forward", wide && again() ? larger(forward, {1, 0, 2}) : forward,
               {StepPhase::Forward});
    Tensors backward = m_family.backward;
    if (again()) {
        backward = m_family.backwardAgain + normed();
        if (wide)
            backward = larger(backward, m_family.saved + m_family.backward);
        // The last block whose image attends twice runs backward with fewer inputs kept.
        const std::int64_t gone = m_base.layers - m_base.dualLayers;
        const Tensors second = backward + kSecondAgain + (-gone) * Tensors{1, 1};
        if (m_base.dualLayers > 0 && bytesOf(second) > bytesOf(backward)) {
            backward = second;
            const Exact gradients = Exact(4) * (m_trained / m_base.layers * gone);
            m_ledger.add(
                Category::Gradients, "Adapter gradients so far", gradients, {StepPhase::Backward},
                {kRecorded, Evidence::Verified},
                {"4 N_adapters × {} / {} blocks = {}", {gone, m_base.layers, gradients.value()}});
        }
    }
    addTensors("Block that runs backward", backward, {StepPhase::Backward});
}

} // namespace

void addTransformerTraining(const Settings &settings, Ledger &ledger)
{
    Step(settings, ledger).add();
}

bool trainingKnown(const DiffusionPipeline &pipeline)
{
    // Where each token has a time step of its own, modulations are kept for each.
    const DiffusionComponent &denoiser = *pipeline.first(DiffusionRole::Denoiser);
    return !denoiser.unet.empty() ||
           (familyOf(denoiser) && !pipeline.stepsPerToken && !pipeline.kind->animates);
}

std::int64_t adapterParameters(const Settings &s)
{
    const DiffusionComponent &base = *s.diffusion->first(DiffusionRole::Denoiser);
    if (!base.unet.empty())
        return unetAdapters(base, s.adapters.rank);
    const LoraFamily *family = familyOf(base);
    if (!family)
        return 0;
    return s.adapters.rank * base.width *
           (family->adapters * (base.layers + 2 * base.refiners) - family->lastLess +
            family->single.adapters * base.singleLayers);
}

} // namespace vramscope
