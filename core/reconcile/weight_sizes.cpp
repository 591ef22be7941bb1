// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reconcile/parameter_tensors.h"
#include "core/reconcile/size_names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace vramscope {

namespace {

/// What elements of one type are used for.
struct Use
{
    std::string_view noun; ///< "weight"
    std::int64_t element;
    Category category;
    bool usual = true;
};
using Uses = std::vector<Use>;

/// Every type once, with all its uses: "weight, gradient or optimizer state of gate in fp32".
void addUses(const Uses &uses, const std::string &what, std::span<const Side> sides,
             SizeMatcher &matcher)
{
    for (const std::int64_t element : {1, 2, 4, 8}) {
        std::vector<Use> same;
        for (const Use &use : uses)
            if (use.element == element)
                same.push_back(use);
        if (same.empty())
            continue;
        std::string nouns(same.front().noun);
        for (std::size_t i = 1; i < same.size(); ++i)
            nouns.append(i + 1 < same.size() ? ", " : " or ").append(same[i].noun);
        nouns.append(" of ").append(what);
        matcher.add(same.front().category, nouns, sides, element, same.front().usual);
    }
}

std::vector<ParameterTensor> joined(std::vector<ParameterTensor> a,
                                    const std::vector<ParameterTensor> &b)
{
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/// The weights of a plan by what is done with them. An element size of 0 is none.
class WeightSizes
{
public:
    WeightSizes(const Training &t, SizeMatcher &matcher)
        : m_t(t)
        , m_s(t.s)
        , m_matcher(matcher)
        , m_trains(t.s.workload == Workload::Training)
        , m_gathers(m_trains && t.fsdp() && t.dense.weights > 1)
    {
    }

    void addTensors(const std::vector<ParameterTensor> &tensors) const;
    void addUnit(const std::string &what, const std::vector<ParameterTensor> &tensors) const;
    void addFlat() const;

private:
    [[nodiscard]] std::int64_t stored(bool trained) const;
    [[nodiscard]] std::int64_t stateElement() const;
    void addStates(Uses &uses, std::string_view state) const;
    [[nodiscard]] Uses wholeUses(const ParameterTensor &tensor) const;
    [[nodiscard]] Uses shardUses(const ParameterTensor &tensor) const;
    void addPacked(const ParameterTensor &tensor) const;
    void addUnitOf(const std::string &what, Exact shard, std::int64_t degree, bool trained) const;

    const Training &m_t;
    const Settings &m_s;
    SizeMatcher &m_matcher;
    bool m_trains;
    bool m_gathers; ///< FSDP with sharded weights
};

/// Bytes of a weight as it is kept.
std::int64_t WeightSizes::stored(bool trained) const
{
    if (m_trains)
        return trained                                                   ? m_t.trainedWeight
               : m_s.adapters.baseQuantization == BaseQuantization::None ? m_s.weightBytes
                                                                         : 0;
    const bool half =
        m_s.weightFormat == WeightFormat::Bf16 || m_s.weightFormat == WeightFormat::Fp16;
    return half ? 2 : m_s.weightFormat == WeightFormat::Fp32 ? 4 : 0;
}

std::int64_t WeightSizes::stateElement() const
{
    const bool whole = std::floor(m_s.optimizer.stateBytes) == m_s.optimizer.stateBytes;
    return whole ? static_cast<std::int64_t>(m_s.optimizer.stateBytes) : 0;
}

void WeightSizes::addStates(Uses &uses, std::string_view state) const
{
    uses.push_back({"master weight", m_s.masterWeightBytes, Category::OptimizerStates});
    uses.push_back({state, stateElement(), Category::OptimizerStates});
}

Uses WeightSizes::wholeUses(const ParameterTensor &tensor) const
{
    Uses uses;
    if (m_gathers) {
        uses.push_back({"gathered weight", m_t.gathered, Category::Communication});
        if (tensor.trained)
            uses.push_back({"gradient", m_t.gathered, Category::Gradients});
        return uses;
    }
    uses.push_back({"weight", stored(tensor.trained), Category::Parameters});
    if (!m_trains)
        return uses;
    if (tensor.trained) {
        uses.push_back({"gradient", m_t.trainedGradient, Category::Gradients});
        if ((tensor.expert ? m_t.expert : m_t.dense).optimizer == 1)
            addStates(uses, "optimizer state");
    }
    if (m_t.autocast() && m_s.computeBytes != stored(tensor.trained))
        uses.push_back({"autocast copy", m_s.computeBytes, Category::TemporaryBuffers});
    return uses;
}

Uses WeightSizes::shardUses(const ParameterTensor &tensor) const
{
    Uses uses = {{"weight shard", stored(tensor.trained), Category::Parameters}};
    if (!tensor.trained)
        return uses;
    uses.push_back({"gradient shard", m_t.trainedGradient, Category::Gradients});
    addStates(uses, "optimizer state");
    return uses;
}

/// Quantised bases: bitsandbytes packs two NF4 weights in a byte, GPTQ eight in an int32.
void WeightSizes::addPacked(const ParameterTensor &tensor) const
{
    const BaseQuantization base = m_s.adapters.baseQuantization;
    if (!m_trains || base == BaseQuantization::None || tensor.trained || tensor.columns == 1)
        return;
    const bool bytes = base == BaseQuantization::Int8 || base == BaseQuantization::Fp8;
    const Side side = {bytes ? "rows columns" : "(rows columns / 2)", tensor.elements(),
                       bytes ? "weights" : "pairs of weights", bytes ? 1 : 2};
    m_matcher.addUntyped(Category::Parameters, "quantised weight of " + tensor.name,
                         std::array{side}, 1);
}

void WeightSizes::addTensors(const std::vector<ParameterTensor> &tensors) const
{
    for (const ParameterTensor &tensor : tensors) {
        const std::int64_t degree = (tensor.expert ? m_t.expert : m_t.dense).weights;
        const bool experts = tensor.count > 1;
        const bool matrix = tensor.columns > 1;
        const Exact rows = Exact(tensor.count) * tensor.rows;
        std::vector<Side> whole = {{matrix ? "rows" : "n", rows, matrix ? "rows" : "elements"}};
        std::vector<Side> shard = {
            {matrix ? "(rows / D)" : "(n / D)", rows, matrix ? "rows" : "elements", degree}};
        if (matrix) {
            whole.push_back({"columns", tensor.columns, "columns"});
            shard.push_back(whole.back());
        }
        addUses(wholeUses(tensor), tensor.name, whole, m_matcher);
        addPacked(tensor);
        if (experts) {
            whole.front().value = tensor.rows;
            addUses(wholeUses(tensor), tensor.name + ", of one expert", whole, m_matcher);
        }
        if (m_gathers && degree > 1 && m_s.strategy == Strategy::Fsdp2)
            addUses(shardUses(tensor), tensor.name, shard, m_matcher);
    }
}

/// A unit of FSDP. FSDP2 pads each tensor to whole rows on every rank, FSDP1 all of them at once.
void WeightSizes::addUnit(const std::string &what,
                          const std::vector<ParameterTensor> &tensors) const
{
    if (!m_gathers)
        return;
    const bool together = m_t.expert.weights == m_t.dense.weights;
    for (const bool expert : {false, true}) {
        const std::int64_t degree = (expert ? m_t.expert : m_t.dense).weights;
        Exact shards;
        Exact elements;
        for (const ParameterTensor &tensor : tensors) {
            if (together ? expert : tensor.expert != expert)
                continue;
            shards += tensor.shard;
            elements += tensor.elements();
        }
        const bool flat = m_s.strategy == Strategy::Fsdp1;
        addUnitOf(expert ? "the experts of " + what : what,
                  flat ? dividedUp(elements, degree) : shards, degree, !m_t.lora());
    }
}

void WeightSizes::addUnitOf(const std::string &what, Exact shard, std::int64_t degree,
                            bool trained) const
{
    Uses whole = {{"gathered weights", m_t.gathered, Category::Communication}};
    Uses part = {{"weight shards to be gathered", m_t.gathered, Category::Communication}};
    if (m_s.strategy == Strategy::Fsdp1)
        part.push_back({"weight shards", m_s.weightBytes, Category::Parameters});
    if (trained) {
        whole.push_back({"gradients", m_t.gathered, Category::Communication});
        // Many loops reduce in fp32 whatever the rest is in, also where a plan does not say so.
        for (const std::int64_t element : {m_s.reduceBytes, std::int64_t(4)})
            if (element != whole.back().element)
                whole.push_back({"gradients to be reduced", element, Category::Communication,
                                 element == m_s.reduceBytes});
        part.push_back({"reduced gradients", m_s.reduceBytes, Category::Gradients});
        if (m_t.trainedGradient != m_s.reduceBytes)
            part.push_back({"reduced gradients", m_t.trainedGradient, Category::Gradients});
        if (m_s.strategy == Strategy::Fsdp1)
            addStates(part, "optimizer states");
    }
    const Exact all = shard * degree;
    addUses(whole, what, std::array{Side{"u", all, "parameters"}}, m_matcher);
    addUses(part, what, std::array{Side{"(u / D)", all, "parameters", degree}}, m_matcher);
}

/// Megatron's gradients are one buffer; its distributed optimizer and ZeRO keep all else so too.
void WeightSizes::addFlat() const
{
    const bool zero = m_s.strategy == Strategy::Zero1 || m_s.strategy == Strategy::Zero2 ||
                      m_s.strategy == Strategy::Zero3;
    if (!m_trains || (!zero && !m_t.megatron()))
        return;
    for (const bool expert : {false, true}) {
        const Degrees &degrees = expert ? m_t.expert : m_t.dense;
        const Exact all = expert ? m_t.trained.expert : m_t.trained.dense;
        const std::string what = expert ? "all experts" : "all parameters";
        const auto add = [&](std::int64_t degree, const Uses &uses) {
            const std::string_view symbol = degree > 1 ? "(N / D)" : "N";
            addUses(uses, what, std::array{Side{symbol, all, "parameters", degree}}, m_matcher);
        };
        add(degrees.gradients, {{"gradients", m_t.trainedGradient, Category::Gradients}});
        if (m_s.strategy == Strategy::Megatron)
            continue;
        add(degrees.weights, {{"weights", m_t.trainedWeight, Category::Parameters}});
        Uses states;
        addStates(states, "optimizer states");
        add(degrees.optimizer, states);
    }
}

} // namespace

void addWeightSizes(const Training &t, SizeMatcher &matcher)
{
    const WeightSizes sizes(t, matcher);
    const std::vector<ParameterTensor> before = tensorsBefore(t);
    const std::vector<ParameterTensor> behind = tensorsBehind(t);
    for (const RankGroup &group : t.rank.groups) {
        const std::vector<ParameterTensor> block = blockTensors(t, group);
        const bool experts = group.kind.feedForward == FeedForward::Experts;
        sizes.addUnit(experts ? "a block with experts" : "a block", block);
        sizes.addTensors(block);
    }
    sizes.addUnit("the root unit", joined(before, behind));
    sizes.addUnit("final norm and head", behind);
    sizes.addTensors(before);
    sizes.addTensors(behind);
    sizes.addFlat();
}

} // namespace vramscope
