// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reconcile/recovered_model.h"

#include "core/analysis/categories/categories.h"
#include "core/base/exact.h"
#include "core/model/catalogue_shapes.h"
#include "core/reconcile/parameter_tensors.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace vramscope {

namespace {

constexpr Bytes kGranule = 512;  // what the allocator rounds requests up to
constexpr Bytes kTelling = kMiB; // smaller tensors may be of anything
constexpr std::int64_t kMostRanks = 4096;
constexpr std::array<std::int64_t, 2> kElementSizes = {4, 2};
constexpr std::int64_t kMostCopies = 4;  // parameters, gradients, two states
constexpr std::int64_t kMostOthers = 50; // one part in so many may be workspaces and the like
// cuBLAS' own, of which there is one a stream: no embedding.
constexpr std::array<Bytes, 2> kWorkspaces = {8'519'680, 33'554'432};
constexpr int kMostTries = 64;          // widths that are compared tensor by tensor
constexpr std::size_t kMostSizes = 512; // different ones; a model has some dozens

Bytes granules(Bytes bytes)
{
    return (bytes + kGranule - 1) / kGranule * kGranule;
}

/// Whether code puts these side by side into one matrix: queries with keys and values, the gate
/// with what it gates.
struct Joined
{
    bool qkv = false;
    bool gateAndUp = false;
};

Plan planOf(const PlanModel &model, std::int64_t ranks)
{
    Plan plan;
    plan.model = model;
    plan.hardware.gpu = "h100-sxm-80gb"; // any: tensors do not depend on it
    plan.hardware.gpus = ranks;
    plan.parallel.data = ranks;
    plan.parallel.strategy = ranks > 1 ? Strategy::Fsdp2 : Strategy::None;
    return plan;
}

/// The sizes of a plan's parameters, as one rank keeps them.
SizeCounts sizesOf(const std::vector<ParameterTensor> &tensors, std::int64_t element, Joined joined)
{
    SizeCounts sizes;
    Bytes pending = 0; // the parts of a joined matrix before its last
    for (const ParameterTensor &tensor : tensors) {
        const Bytes bytes = tensor.shard * element;
        const auto ends = [&](std::string_view name) { return tensor.name.ends_with(name); };
        if ((joined.qkv && (ends(": q") || ends(": k"))) || (joined.gateAndUp && ends(": gate"))) {
            pending += bytes;
            continue;
        }
        ++sizes[granules(std::exchange(pending, 0) + bytes)];
    }
    return sizes;
}

/// How many copies of `model` the recording holds; 0 where it is another model.
std::int64_t copiesIn(const SizeCounts &recorded, const SizeCounts &model)
{
    Exact all;
    Exact known;
    std::int64_t copies = 0;
    for (const auto &[size, count] : recorded)
        all += Exact(size) * count;
    for (const auto &[size, count] : model) {
        const auto found = recorded.find(size);
        const std::int64_t there = found == recorded.end() ? 0 : found->second;
        known += Exact(size) * count;
        if (size < kTelling)
            continue;
        if (there % count != 0 || there == 0 || (copies > 0 && there / count != copies))
            return 0;
        copies = there / count;
    }
    known *= copies;
    if (copies == 0 || copies > kMostCopies || all.overflowed() || known.overflowed() ||
        all.value() - known.value() > all.value() / kMostOthers)
        return 0;
    // Small tensors of other things may be of the same size, so there may be more of these.
    const bool whole = std::ranges::all_of(model, [&](const auto &each) {
        const auto found = recorded.find(each.first);
        return found != recorded.end() && found->second >= each.second * copies;
    });
    return whole ? copies : 0;
}

std::optional<RecoveredModel> accepted(const SizeCounts &recorded, const PlanModel &model,
                                       std::int64_t ranks, std::int64_t element)
{
    const Plan plan = planOf(model, ranks);
    const std::vector<ParameterTensor> tensors = parameterTensors(plan);
    if (tensors.empty())
        return std::nullopt;
    for (const Joined joined : {Joined{}, Joined{true, false}, Joined{true, true}}) {
        const SizeCounts sizes = sizesOf(tensors, element, joined);
        const std::int64_t copies = copiesIn(recorded, sizes);
        if (copies == 0)
            continue;
        RecoveredModel found;
        found.model = model;
        found.ranks = ranks;
        found.weightBytes = element;
        found.copies = copies;
        found.largest = sizes.rbegin()->first;
        for (const auto &[size, count] : sizes)
            found.tensors += count;
        for (const ParameterTensor &tensor : tensors)
            found.bytes += tensor.shard * element;
        const Architecture architecture = resolve(plan).settings.architecture;
        found.layers = architecture.layers;
        found.hidden = architecture.hidden;
        found.vocab = architecture.vocab;
        found.feedForward = architecture.ffn;
        return found;
    }
    return std::nullopt;
}

/// Over how many ranks the embedding is divided where its part is the largest tensor; 0: over no
/// whole number.
std::int64_t ranksOf(const Architecture &model, std::int64_t element, Bytes largest)
{
    const Exact row = Exact(model.hidden) * element;
    const Exact whole = row * model.vocab;
    if (whole.overflowed() || row.value() <= 0 || largest < row.value())
        return 0;
    const std::int64_t rows = largest / row.value();
    const std::int64_t ranks = (model.vocab + rows / 2) / rows;
    if (ranks < 1 || ranks > kMostRanks)
        return 0;
    const Bytes part = dividedUp(Exact(model.vocab), ranks).value() * row.value();
    return granules(part) == largest ? ranks : 0;
}

std::vector<RecoveredModel> publishedModels(const SizeCounts &recorded)
{
    std::vector<RecoveredModel> found;
    const Bytes largest = recorded.rbegin()->first;
    for (const CatalogueShape &shape : catalogueShapes()) {
        if (!shape.computed() || shape.model->pipeline)
            continue;
        for (const std::int64_t element : kElementSizes) {
            const std::int64_t ranks = ranksOf(shape.architecture, element, largest);
            if (ranks == 0)
                continue;
            PlanModel model;
            model.preset = shape.model->name;
            if (auto here = accepted(recorded, model, ranks, element)) {
                here->title = shape.model->title;
                found.push_back(std::move(*here));
            }
        }
    }
    return found;
}

/// The widths of a dense model of which every layer has two norms and a gated feed-forward.
struct DenseWidths
{
    std::int64_t layers = 0;
    std::int64_t hidden = 0;
    std::int64_t keyValue = 0;
    std::int64_t feedForward = 0;
    std::int64_t vocab = 0;
    bool tied = false;
};

std::string configOf(const DenseWidths &widths)
{
    const auto divides = [&](std::int64_t head) {
        return widths.hidden % head == 0 && widths.keyValue % head == 0;
    };
    const std::int64_t head = divides(128) ? 128 : divides(64) ? 64 : widths.keyValue;
    const auto field = [](std::string_view name, std::int64_t value) {
        return '"' + std::string(name) + "\": " + std::to_string(value) + ", ";
    };
    return "{\"model_type\": \"llama\", " + field("hidden_size", widths.hidden) +
           field("intermediate_size", widths.feedForward) +
           field("num_hidden_layers", widths.layers) +
           field("num_attention_heads", widths.hidden / head) +
           field("num_key_value_heads", widths.keyValue / head) + field("head_dim", head) +
           field("vocab_size", widths.vocab) +
           "\"tie_word_embeddings\": " + (widths.tied ? "true" : "false") + "}";
}

/// Reads widths off the sizes. Each is a guess until the whole model that they make is compared.
class DenseModels
{
public:
    explicit DenseModels(const SizeCounts &recorded)
        : m_recorded(recorded)
    {
    }

    [[nodiscard]] std::optional<RecoveredModel> find() const
    {
        for (const auto &[size, count] : m_recorded) {
            for (const std::int64_t element : kElementSizes) {
                for (std::int64_t copies = 1; copies <= kMostCopies; ++copies) {
                    // Two norms a layer and one behind the last.
                    const std::int64_t norms = count / copies;
                    if (count % copies != 0 || norms % 2 == 0 || norms < 3 || size % element != 0)
                        continue;
                    if (auto found = withNorms(size / element, (norms - 1) / 2, element, copies))
                        return found;
                }
            }
        }
        return std::nullopt;
    }

private:
    [[nodiscard]] std::int64_t countOf(Exact size) const
    {
        const auto found =
            size.overflowed() ? m_recorded.end() : m_recorded.find(granules(size.value()));
        return found == m_recorded.end() ? 0 : found->second;
    }

    [[nodiscard]] std::optional<RecoveredModel> withNorms(std::int64_t hidden, std::int64_t layers,
                                                          std::int64_t element,
                                                          std::int64_t copies) const
    {
        const Exact square = Exact(hidden) * hidden * element;
        if (countOf(square) == 0)
            return std::nullopt;
        const Bytes row = hidden * element;
        int tries = kMostTries;
        std::optional<RecoveredModel> best; // the one that leaves least over
        for (const auto &[size, count] : m_recorded) {
            // Gate, up and down.
            if (count != 3 * layers * copies || size % row != 0 || size == square.value())
                continue;
            for (const auto &[end, ends] : m_recorded) {
                // Embedding and head, or one for both.
                if ((ends != copies && ends != 2 * copies) || end % row != 0 || end < kTelling ||
                    std::ranges::find(kWorkspaces, end) != kWorkspaces.end())
                    continue;
                for (const std::int64_t keyValue : keyValues(hidden, layers * copies, row)) {
                    const DenseWidths widths{layers,     hidden,    keyValue,
                                             size / row, end / row, ends == copies};
                    PlanModel model;
                    model.config = configOf(widths);
                    auto found =
                        tries-- > 0 ? accepted(m_recorded, model, 1, element) : std::nullopt;
                    if (found && (!best || found->bytes > best->bytes))
                        best = std::move(found);
                }
            }
        }
        if (best)
            best->headsKnown = false;
        return best;
    }

    /// Keys as wide as queries, or of a size of which each layer has two, or what a joined matrix
    /// of all three leaves.
    [[nodiscard]] std::vector<std::int64_t> keyValues(std::int64_t hidden, std::int64_t perLayer,
                                                      Bytes row) const
    {
        std::vector<std::int64_t> widths{hidden};
        for (const auto &[size, count] : m_recorded) {
            const std::int64_t rows = size / row;
            if (size % row != 0)
                continue;
            if (count == 2 * perLayer && rows < hidden)
                widths.push_back(rows);
            if (count == perLayer && rows > hidden && (rows - hidden) % 2 == 0)
                widths.push_back((rows - hidden) / 2);
        }
        return widths;
    }

    const SizeCounts &m_recorded;
};

} // namespace

SizeCounts residentTensors(const Study &recorded)
{
    SizeCounts sizes;
    const Allocations &allocations = recorded.allocations();
    const EventIndex end = recorded.device().events.count();
    for (AllocationIndex index = 0; index < allocations.count(); ++index) {
        const bool early = allocations.birth[index] < 0;
        const bool stays = allocations.death[index] >= end;
        const bool made = recorded.categories().of(index).category == Category::Parameters;
        if (stays && (early || made) && allocations.requested[index] > 0 &&
            allocations.requested[index] < std::numeric_limits<Bytes>::max() / 2)
            ++sizes[granules(allocations.requested[index])];
    }
    return sizes;
}

std::vector<RecoveredModel> recoveredModels(const SizeCounts &sizes)
{
    if (sizes.empty() || sizes.size() > kMostSizes || sizes.rbegin()->first < kTelling)
        return {};
    std::vector<RecoveredModel> found = publishedModels(sizes);
    if (found.empty()) {
        if (auto dense = DenseModels(sizes).find())
            found.push_back(std::move(*dense));
    }
    return found;
}

} // namespace vramscope
