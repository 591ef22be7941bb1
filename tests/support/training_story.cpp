// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/training_story.h"

#include <array>
#include <optional>

namespace vramscope::test {

namespace {

struct Shape
{
    int layers;
    Bytes hidden;
    Bytes intermediate;
    Bytes vocabulary;
    Bytes heads;
    Bytes weightBytes;
    Bytes shards; ///< of parameters, gradients and states; 1: not sharded
};

// What the forward pass of a layer allocates, in its order.
struct LayerOp
{
    Site site;
    enum Width { Hidden, Intermediate, Statistics } width;
    bool kept; ///< for the backward pass
    Site backward;
};

constexpr std::array kLayerOps{
    LayerOp{Site::Norm, LayerOp::Hidden, true, Site::BackwardGradient},
    LayerOp{Site::QueryKeyValue, LayerOp::Hidden, true, Site::BackwardGradient},
    LayerOp{Site::QueryKeyValue, LayerOp::Hidden, true, Site::BackwardGradient},
    LayerOp{Site::QueryKeyValue, LayerOp::Hidden, true, Site::BackwardGradient},
    LayerOp{Site::Rotary, LayerOp::Hidden, false, Site::BackwardGradient},
    LayerOp{Site::Attention, LayerOp::Hidden, true, Site::BackwardAttention},
    LayerOp{Site::Attention, LayerOp::Statistics, true, Site::BackwardAttention},
    LayerOp{Site::AttentionOutput, LayerOp::Hidden, false, Site::BackwardGradient},
    LayerOp{Site::Residual, LayerOp::Hidden, true, Site::BackwardGradient},
    LayerOp{Site::Norm, LayerOp::Hidden, true, Site::BackwardGradient},
    LayerOp{Site::Gate, LayerOp::Intermediate, true, Site::BackwardGradient},
    LayerOp{Site::Up, LayerOp::Intermediate, true, Site::BackwardGradient},
    LayerOp{Site::Activation, LayerOp::Intermediate, true, Site::BackwardGradient},
    LayerOp{Site::Product, LayerOp::Intermediate, true, Site::BackwardGradient},
    LayerOp{Site::Down, LayerOp::Hidden, false, Site::BackwardGradient},
    LayerOp{Site::Residual, LayerOp::Hidden, true, Site::BackwardGradient},
};

struct OutOfMemory
{
};

// A training program on the model of the allocator. Out of memory ends it by the exception that it
// is in life.
class Training
{
public:
    using Block = AllocatorModel::Block;

    Training(const Shape &shape, Bytes capacity, bool expandable)
        : m_shape(shape)
        , m_allocator(capacity, expandable)
    {
        m_story.expandable = expandable;
    }

    void build();
    void train(Bytes tokens);
    void capturePool();
    void evaluate(Bytes tokens);
    void emptyCache() { m_allocator.emptyCache(int(Site::EmptyCache)); }
    void setSideStream(std::int64_t stream) { m_story.sideStream = stream; }

    Story finish()
    {
        m_story.events = m_allocator.events();
        m_story.segments = m_allocator.segments();
        m_story.truth = m_allocator.truth();
        return std::move(m_story);
    }

private:
    struct Saved
    {
        Block block;
        Bytes size;
        Site backward;
    };
    struct Parameter
    {
        Bytes size;
        int layer;
    };

    Block make(Bytes size, Site site, std::int64_t stream = 0)
    {
        m_allocator.work(250);
        const std::optional<Block> block = m_allocator.allocate(size, int(site), stream);
        if (!block)
            throw OutOfMemory{};
        return *block;
    }
    void drop(Block block, Site site) { m_allocator.free(block, int(site)); }
    void mark(const std::string &name, bool start)
    {
        m_story.marks.push_back({name, start, m_allocator.clock()});
    }
    [[nodiscard]] bool sharded() const { return m_shape.shards > 1; }
    [[nodiscard]] Bytes widthOf(const LayerOp &op) const
    {
        if (op.width == LayerOp::Statistics)
            return m_shape.heads * 4;
        return 2 * (op.width == LayerOp::Hidden ? m_shape.hidden : m_shape.intermediate);
    }

    void addParameter(Bytes elements, int layer, Site site);
    [[nodiscard]] Bytes layerBytes() const;
    void forwardLayer(Bytes tokens);
    void loss(Bytes tokens);
    void backwardLayer(int layer);
    void weightGradients(int layer);
    void optimizerStep();
    std::optional<Block> gather(Site site);
    void release(const std::optional<Block> &gathered);

    Shape m_shape;
    AllocatorModel m_allocator;
    Story m_story;
    std::vector<Parameter> m_parameters;
    std::vector<Block> m_states;
    std::vector<std::vector<Saved>> m_saved; // by layer
    std::vector<Saved> m_savedLoss;
    std::vector<Block> m_gradients;
    std::optional<Block> m_gradient; // of the activations, on its way down
    int m_step = 0;
};

void Training::addParameter(Bytes elements, int layer, Site site)
{
    const Bytes size = elements * m_shape.weightBytes / m_shape.shards;
    make(size, site);
    m_parameters.push_back({size, layer});
}

void Training::build()
{
    const Bytes h = m_shape.hidden;
    const Bytes f = m_shape.intermediate;
    addParameter(m_shape.vocabulary * h, -1, Site::InitEmbedding);
    for (int layer = 0; layer < m_shape.layers; ++layer) {
        addParameter(h, layer, Site::InitNorm);
        addParameter(3 * h * h, layer, Site::InitAttention);
        addParameter(h * h, layer, Site::InitAttention);
        addParameter(h, layer, Site::InitNorm);
        for (int matrix = 0; matrix < 3; ++matrix)
            addParameter(h * f, layer, Site::InitMlp);
    }
    addParameter(h, -1, Site::InitNorm);
    addParameter(m_shape.vocabulary * h, -1, Site::InitHead);
}

Bytes Training::layerBytes() const
{
    return (4 * m_shape.hidden * m_shape.hidden + 3 * m_shape.hidden * m_shape.intermediate) * 2;
}

// The whole weights of a sharded layer, in 16 bit, copied together on the side stream.
std::optional<Training::Block> Training::gather(Site site)
{
    if (!sharded())
        return std::nullopt;
    const Block buffer = make(layerBytes(), site, m_story.sideStream);
    const Block whole = make(layerBytes(), site);
    m_allocator.freeLater(buffer, int(site), 900);
    return whole;
}

void Training::release(const std::optional<Block> &gathered)
{
    if (gathered)
        m_allocator.freeLater(*gathered, int(Site::Reshard), 400);
}

void Training::forwardLayer(Bytes tokens)
{
    const std::optional<Block> weights = gather(Site::GatherForward);
    std::vector<Saved> saved;
    std::optional<Block> temporary;
    for (const LayerOp &op : kLayerOps) {
        const Bytes size = tokens * widthOf(op);
        const Block block = make(size, op.site);
        if (temporary)
            drop(*temporary, op.site);
        temporary.reset();
        if (op.kept)
            saved.push_back({block, size, op.backward});
        else
            temporary = block;
    }
    m_saved.push_back(std::move(saved));
    release(weights);
}

void Training::loss(Bytes tokens)
{
    const Bytes logits = tokens * m_shape.vocabulary * 2;
    m_savedLoss.push_back({make(logits, Site::Head), logits, Site::BackwardGradient});
    const Block upcast = make(2 * logits, Site::LossUpcast);
    m_savedLoss.push_back({make(2 * logits, Site::Loss), 2 * logits, Site::BackwardLoss});
    drop(upcast, Site::Loss);
    m_savedLoss.push_back({make(4, Site::Loss), 4, Site::BackwardLoss});
}

void Training::weightGradients(int layer)
{
    for (const Parameter &parameter : m_parameters) {
        if (parameter.layer == layer)
            m_gradients.push_back(make(parameter.size, Site::BackwardWeight));
    }
}

void Training::backwardLayer(int layer)
{
    const std::optional<Block> weights = gather(Site::GatherBackward);
    std::vector<Saved> &saved = m_saved.back();
    while (!saved.empty()) {
        const Saved one = saved.back();
        saved.pop_back();
        const Block gradient = make(one.size, one.backward);
        if (m_gradient)
            drop(*m_gradient, one.backward);
        m_gradient = gradient;
        drop(one.block, one.backward);
    }
    m_saved.pop_back();
    if (sharded()) { // the whole gradient is summed over the ranks, the own part of it stays
        const Block whole = make(layerBytes(), Site::ReduceScatter);
        weightGradients(layer);
        m_allocator.freeLater(whole, int(Site::ReduceScatter), 700);
    } else {
        weightGradients(layer);
    }
    release(weights);
}

void Training::optimizerStep()
{
    mark("Optimizer.step#AdamW.step", true);
    if (m_states.empty()) {
        for (const Parameter &parameter : m_parameters) {
            for (int moment = 0; moment < 2; ++moment)
                m_states.push_back(make(parameter.size, Site::OptimizerState));
        }
    }
    std::vector<Block> roots; // a multi-tensor step holds one temporary for each parameter
    for (const Parameter &parameter : m_parameters)
        roots.push_back(make(parameter.size, Site::OptimizerStep));
    for (const Block &root : roots)
        drop(root, Site::OptimizerStep);
    m_allocator.work(60'000);
    mark("Optimizer.step#AdamW.step", false);
    for (const Block &gradient : m_gradients)
        drop(gradient, Site::ZeroGrad);
    m_gradients.clear();
}

void Training::train(Bytes tokens)
{
    const std::string name = "ProfilerStep#" + std::to_string(m_step++);
    mark(name, true);
    const Block batch = make(tokens * 8, Site::Batch);
    const Bytes hidden = tokens * m_shape.hidden * 2;
    const Block embedded = make(hidden, Site::Embedding);
    for (int layer = 0; layer < m_shape.layers; ++layer) {
        forwardLayer(tokens);
        m_allocator.work(12'000);
    }
    loss(tokens);
    while (!m_savedLoss.empty()) {
        const Saved one = m_savedLoss.back();
        m_savedLoss.pop_back();
        const Block gradient = make(one.size, one.backward);
        if (m_gradient)
            drop(*m_gradient, one.backward);
        m_gradient = gradient;
        drop(one.block, one.backward);
    }
    for (int layer = m_shape.layers - 1; layer >= 0; --layer) {
        backwardLayer(layer);
        m_allocator.work(25'000);
    }
    weightGradients(-1);
    drop(embedded, Site::BackwardGradient);
    drop(*m_gradient, Site::BackwardGradient);
    m_gradient.reset();
    optimizerStep();
    drop(batch, Site::StepEnd);
    mark(name, false);
}

void Training::capturePool()
{
    m_allocator.setPool(1);
    const Bytes hidden = m_shape.hidden * 64 * 2;
    std::vector<Block> inner;
    for (int layer = 0; layer < m_shape.layers; ++layer) {
        make(64 * hidden, Site::Capture); // the cache that the graph fills
        inner.push_back(make(4 * hidden, Site::Capture));
        if (layer % 2 == 1)
            drop(inner[static_cast<std::size_t>(layer - 1)], Site::Capture);
    }
    m_allocator.setPool(0);
}

void Training::evaluate(Bytes tokens)
{
    const Bytes hidden = tokens * m_shape.hidden * 2;
    std::optional<Block> state = make(hidden, Site::Evaluate);
    for (int layer = 0; layer < m_shape.layers; ++layer) {
        const std::optional<Block> weights = gather(Site::Evaluate);
        const Block gate = make(tokens * m_shape.intermediate * 2, Site::Evaluate);
        const Block next = make(hidden, Site::Evaluate);
        drop(gate, Site::Evaluate);
        drop(*state, Site::Evaluate);
        state = next;
        release(weights);
        m_allocator.work(9'000);
    }
    const Block logits = make(tokens * m_shape.vocabulary * 2, Site::Evaluate);
    drop(*state, Site::Evaluate);
    drop(logits, Site::Evaluate);
}

} // namespace

Story trainingOutOfMemory()
{
    const Shape shape{8, 2048, 5632, 32000, 16, 4, 1};
    Training training(shape, 23 * kGiB + 512 * kMiB, false);
    try {
        training.build();
        for (int step = 0; step < 3; ++step)
            training.train(8192);
        training.train(20480);
    } catch (const OutOfMemory &) {
    }
    return training.finish();
}

Story trainingExpandableSegments()
{
    const Shape shape{8, 4096, 14336, 32000, 32, 4, 8};
    Training training(shape, 79 * kGiB, true);
    training.setSideStream(94'518'772'401'568);
    training.build();
    training.capturePool();
    for (int step = 0; step < 2; ++step)
        training.train(16384);
    training.emptyCache();
    training.evaluate(32768);
    training.train(16384);
    return training.finish();
}

} // namespace vramscope::test
