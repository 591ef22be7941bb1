// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/stored_weights.h"

#include "core/estimate/formulas/expert_layout.h"

#include <algorithm>

namespace vramscope {

namespace {

/// Bytes of one matrix with its scales.
Exact bytesOf(const Matrix &matrix, const StorageChoice &choice, const WeightStorage &storage)
{
    Exact bytes =
        dividedUp(Exact(matrix.in) * matrix.out * storage.blockBytes, storage.blockElements);
    if (storage.groupBits > 0) {
        const std::int64_t size = choice.groupSize > 0 ? choice.groupSize : matrix.in;
        const Exact groups = Exact(matrix.out) * dividedUp(Exact(matrix.in), size);
        bytes += dividedUp(groups * storage.groupBits, 8);
    }
    return bytes + Exact(storage.rowBytes) * matrix.out + storage.tensorBytes;
}

/// The format of what is not an expert: DeepSeek V4 keeps its experts alone in fp4, other layers in
/// fp8 (vLLM 0.33.0 models/deepseek_v4/quant_config.py; SGLang's logs call it quant=fp8).
const WeightStorage &storageBesideExperts(const Settings &s, const WeightStorage &ofExperts)
{
    return s.architecture.compressed.tokens > 0 && s.weightFormat == WeightFormat::MxFp4
               ? fp8InBlocks()
               : ofExperts;
}

/// transformers' bitsandbytes quantises every linear layer but the head, those of a vision tower
/// among them (checked with bitsandbytes 0.50.2); a published GPTQ or FP8 model leaves the tower.
bool quantisesTowers(const Settings &s)
{
    const BaseQuantization q = s.adapters.baseQuantization;
    return s.workload == Workload::Training &&
           (q == BaseQuantization::Nf4 || q == BaseQuantization::Nf4Double ||
            q == BaseQuantization::Int8);
}

} // namespace

StoredWeights storedWeights(const Settings &s, const RankInventory &rank,
                            const StorageChoice &choice)
{
    StoredWeights stored;
    stored.expertRest = rank.share().expert;
    const auto converted = [&](std::string_view module) {
        return std::ranges::find(choice.notConverted, module) == choice.notConverted.end();
    };
    const auto add = [&](const Matrix &matrix, std::int64_t blocks, std::int64_t ranks) {
        if (!converted(matrix.module) || blocks <= 0)
            return;
        const bool byKernels = isLaidOutByKernels(s, matrix, choice.storage->name);
        const Matrix held = byKernels ? laidOut(s, matrix) : matrix;
        const WeightStorage &storage =
            matrix.module == "expert" ? *choice.storage : storageBesideExperts(s, *choice.storage);
        const Exact bytes =
            dividedUp(Exact(blocks) * matrix.count * bytesOf(held, choice, storage), ranks);
        if (byKernels)
            stored.ofKernels +=
                dividedUp(Exact(blocks) * matrix.count * scalesInOrder(s, held), ranks);
        const Exact elements = dividedUp(Exact(blocks) * matrix.elements(), ranks);
        stored.elements += elements;
        stored.bytes += bytes;
        if (matrix.module == "expert") {
            stored.expertBytes += bytes;
            stored.expertRest = excess(stored.expertRest, elements);
        }
        stored.largest = std::max(stored.largest, matrix.in * matrix.out / ranks);
    };
    const Architecture &a = s.architecture;
    for (const RankGroup &group : rank.groups) {
        // A first or last layer that stays as it is makes one block less of its kind.
        std::int64_t blocks = group.count;
        if (rank.hasEmbedding && !converted("first-layer") &&
            a.kindOf(rank.firstLayer) == group.kind)
            --blocks;
        if (rank.hasHead && !converted("last-layer") &&
            a.kindOf(rank.firstLayer + rank.layers() - 1) == group.kind)
            --blocks;
        for (const Matrix &matrix : group.matrices)
            add(matrix, blocks,
                matrix.module == "expert"   ? expertSplit(s)
                : matrix.module == "router" ? 1
                                            : s.tensor);
    }
    if (rank.head > 0)
        add({"head", "head", a.hidden, a.vocab}, 1, embeddingSplit(s));
    if (rank.hasEmbedding)
        add({"embedding", "embedding", a.hidden, a.vocab}, 1, embeddingSplit(s));
    if (quantisesTowers(s))
        for (const Tower &tower : s.towers)
            for (const TowerLinear &it : tower.linears)
                add({"vision", "vision", it.in, it.out, Split::Out, it.count}, 1, 1);
    stored.rest = excess(rank.parameters(), stored.elements);
    if (stored.ofKernels > Exact())
        stored.ofKernels += Exact(wideBias(s)) * stored.expertRest;
    return stored;
}

} // namespace vramscope
