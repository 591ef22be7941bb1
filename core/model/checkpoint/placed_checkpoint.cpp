// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/checkpoint/placed_checkpoint.h"

#include "core/model/config_reader.h"
#include "core/model/flat_json.h"
#include "core/plan/plan.h"

#include <algorithm>

namespace vramscope {

namespace {

/// The packing of weights from a config.
struct Packing
{
    std::int64_t bits = 4;
    bool symmetric = false;
};

Packing packingOf(const PlanModel &model)
{
    Packing packing;
    auto values = model.config ? flattened(*model.config) : std::nullopt;
    if (!values)
        return packing;
    const ConfigReader config(std::move(*values));
    if (const FieldValue *bits = config.find("quantization_config.bits"))
        if (const auto *count = std::get_if<std::int64_t>(bits); count && *count > 0)
            packing.bits = *count;
    if (const FieldValue *sym = config.find("quantization_config.sym"))
        if (const auto *is = std::get_if<bool>(sym))
            packing.symmetric = *is;
    return packing;
}

/// Elements of the model in one stored tensor.
Exact elementsIn(const TensorGroup &group, const TensorMeaning &meaning, std::int64_t bits)
{
    const Exact stored = elementsOf(group.shape);
    if (meaning.role == TensorRole::Scale)
        return 0;
    if (group.type.name == "I32" && meaning.role == TensorRole::Packed)
        return stored * std::max<std::int64_t>(32 / bits, 1);
    // Two of four bits in a byte: bitsandbytes, MXFP4 and NVFP4.
    if (group.type.name == "U8")
        return stored * 2;
    return stored;
}

/// Layers of the model in the order of a group, cut into runs of one kind; layers beyond the last
/// one make one more run.
template<class Add>
void forEachKind(const TensorGroup &group, const Architecture &a, const Add &add)
{
    std::vector<std::pair<BlockKind, std::vector<LayerRange>>> kinds;
    std::vector<LayerRange> behind;
    const auto append = [](std::vector<LayerRange> &ranges, std::int64_t layer) {
        if (!ranges.empty() && ranges.back().second == layer - 1)
            ranges.back().second = layer;
        else
            ranges.emplace_back(layer, layer);
    };
    for (const auto &[first, last] : group.layers) {
        for (std::int64_t layer = first; layer <= last && layer < a.layers; ++layer) {
            const BlockKind kind = a.kindOf(layer);
            auto same = std::ranges::find(kinds, kind, [](const auto &each) { return each.first; });
            if (same == kinds.end())
                same = kinds.insert(kinds.end(), {kind, {}});
            append(same->second, layer);
        }
        if (last >= a.layers)
            behind.emplace_back(std::max(first, a.layers), last);
    }
    for (const auto &[kind, ranges] : kinds)
        add(kind, ranges, false);
    if (!behind.empty())
        add(BlockKind{}, behind, true);
}

class Placing
{
public:
    /// `isHalf`: most unquantised weights are stored in 16 bits.
    Placing(PlacedCheckpoint &placed, const Architecture &architecture, std::int64_t bits,
            bool isHalf)
        : m_placed(placed)
        , m_architecture(architecture)
        , m_bits(bits)
        , m_isHalf(isHalf)
    {
    }

    void add(const TensorGroup &group)
    {
        const TensorMeaning meaning = meaningOf(group.name, {});
        if (!meaning.inLayer) {
            place({group, meaning, {}, 0});
            return;
        }
        forEachKind(group, m_architecture,
                    [&](const BlockKind &kind, const std::vector<LayerRange> &layers, bool behind) {
                        TensorGroup part = group;
                        part.layers = layers;
                        TensorMeaning own = meaningOf(group.name, kind);
                        if (behind)
                            own.use = StoredUse::Prediction;
                        place({std::move(part), own, kind, 0});
                    });
    }

private:
    void place(PlacedTensors tensors)
    {
        TensorMeaning &meaning = tensors.meaning;
        tensors.elements = elementsIn(tensors.group, meaning, m_bits);
        const bool corrects = meaning.part == ModelPart::Router && meaning.keepsType;
        meaning.isBuffer |= corrects && !m_architecture.routerCorrectionBias;
        if (meaning.isBuffer || meaning.use != StoredUse::Model)
            tensors.elements = 0;
        // Classes that route in fp32 store and keep it in fp32 (ERNIE 4.5).
        meaning.keepsType |= meaning.part == ModelPart::Router && m_isHalf;
        if (meaning.division == Division::HeadNorm)
            meaning.division = m_architecture.qkNormWhole ? Division::Output : Division::Whole;
        m_placed.nested |= tensors.group.name.ends_with(".nested_absmax");
        const bool isHead = meaning.use == StoredUse::Model && meaning.part == ModelPart::Head;
        if (isHead && m_architecture.tiedEmbeddings && meaning.role == TensorRole::Weight) {
            m_placed.tiedHead = true;
        } else if (meaning.use == StoredUse::Model) {
            m_placed.elements[static_cast<std::size_t>(meaning.part)] += tensors.allElements();
            m_placed.quantised |=
                meaning.role == TensorRole::Packed ||
                (meaning.role == TensorRole::Weight && !tensors.group.type.isFloat);
        }
        m_placed.tensors.push_back(std::move(tensors));
    }

    PlacedCheckpoint &m_placed;
    const Architecture &m_architecture;
    std::int64_t m_bits;
    bool m_isHalf;
};

/// A model whose head is its embedding may store it under either name.
void takeHeadForEmbedding(PlacedCheckpoint &placed)
{
    Exact &embedding = placed.elements[static_cast<std::size_t>(ModelPart::Embedding)];
    if (!placed.tiedHead || embedding > Exact(0))
        return;
    placed.tiedHead = false;
    for (PlacedTensors &each : placed.tensors) {
        if (each.meaning.part == ModelPart::Head && each.meaning.role == TensorRole::Weight) {
            each.meaning.part = ModelPart::Embedding;
            embedding += each.allElements();
        }
    }
}

} // namespace

Bytes PlacedCheckpoint::bytesOf(StoredUse use) const
{
    Bytes sum = 0;
    for (const PlacedTensors &each : tensors)
        sum += each.meaning.use == use ? each.group.bytes() : 0;
    return sum;
}

const PlacedTensors *PlacedCheckpoint::first(StoredUse use) const
{
    const auto found = std::ranges::find_if(
        tensors, [use](const PlacedTensors &each) { return each.meaning.use == use; });
    return found == tensors.end() ? nullptr : &*found;
}

Result<std::shared_ptr<const PlacedCheckpoint>> placeCheckpoint(const PlanModel &model,
                                                                const Architecture &architecture)
{
    auto table = parseCheckpoint(*model.checkpoint);
    if (!table)
        return table.error();
    auto placed = std::make_shared<PlacedCheckpoint>();
    const Packing packing = packingOf(model);
    placed->symmetric = packing.symmetric;
    placed->gguf = std::ranges::any_of(
        table->groups, [](const TensorGroup &group) { return isGgufName(group.name); });
    const std::vector<TypeBytes> types = bytesByType(*table);
    const auto mostOf =
        std::ranges::find_if(types, [](const TypeBytes &each) { return each.type.isFloat; });
    const bool isHalf = mostOf != types.end() && mostOf->type.bits == 16;
    Placing placing(*placed, architecture, packing.bits, isHalf);
    for (const TensorGroup &group : table->groups)
        placing.add(group);
    placed->table = std::move(table).value();
    takeHeadForEmbedding(*placed);
    return std::shared_ptr<const PlacedCheckpoint>(std::move(placed));
}

} // namespace vramscope
