// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/tools.h"

#include "core/base/csv.h"
#include "core/base/exact.h"
#include "core/base/parts.h"
#include "core/base/shipped_documents.h"
#include "core/catalog/formats.h"
#include "core/catalog/gpu_names.h"
#include "core/model/parameters.h"
#include "core/settings/field_conditions.h"
#include "core/settings/field_text.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <iterator>
#include <map>

namespace vramscope {

namespace {

/// A row of the table, in the order of its columns.
struct DefaultRow
{
    std::string tool, task, field, value, where, source, note;
};

std::span<const DefaultRow> defaultRows()
{
    static const std::vector<DefaultRow> all = [] {
        const auto table = parseCsv(shippedDocument("tools/defaults.csv"));
        assert(table);
        std::vector<DefaultRow> read;
        for (const CsvRow &row : table->rows) {
            const auto &c = row.cells;
            read.push_back({c[0], c[1], c[2], c[3], c[4], c[5], c[6]});
        }
        return read;
    }();
    return all;
}

bool isOf(const DefaultRow &row, const Tool *tool, AskedTask task)
{
    const auto tasks = partsOf(row.task, '|');
    return row.tool == (tool ? std::string_view(tool->name) : "none") &&
           std::ranges::find(tasks, kAskedTasks[static_cast<std::size_t>(task)]) != tasks.end();
}

// What `where` says of a plan

bool isSharded(const Settings &s)
{
    return applies::shardedParameters(s);
}

bool isInGguf(const Settings &s)
{
    return findWeightStorage(choiceText(s.weightFormat))->gguf;
}

struct NamedCondition
{
    std::string_view name;
    bool (*holds)(const Settings &);
};

constexpr auto kConditions = std::to_array<NamedCondition>({
    {"fsdp", [](const Settings &s) { return applies::fsdp(s); }},
    {"fsdp1", [](const Settings &s) { return applies::fsdp1(s); }},
    {"fsdp2", [](const Settings &s) { return s.strategy == Strategy::Fsdp2; }},
    {"zero", [](const Settings &s) { return applies::zero(s); }},
    {"zero3", [](const Settings &s) { return applies::zero3(s); }},
    {"sharded", isSharded},
    {"tensor", [](const Settings &s) { return s.tensor > 1; }},
    {"full", [](const Settings &s) { return s.adapters.kind == AdapterKind::None; }},
    {"experts", [](const Settings &s) { return s.architecture.moe(); }},
    {"unquantised", [](const Settings &s) { return s.weightFormat == WeightFormat::Bf16; }},
    {"causal", // models of the other kinds compute their loss themselves
     [](const Settings &s) { return !s.architecture.encoder && !s.architecture.readsSource(); }},
    {"gguf", isInGguf},
    {"mlx", [](const Settings &s) { return choiceText(s.weightFormat).starts_with("mlx-"); }},
    {"llama.cpp", [](const Settings &s) { return s.engine == Engine::LlamaCpp; }},
    {"apple", [](const Settings &s) { return s.gpu && s.gpu->vendor() == GpuVendor::Apple; }},
});

struct NamedQuantity
{
    std::string_view name;
    double (*of)(const Settings &);
};

constexpr auto kQuantities = std::to_array<NamedQuantity>({
    {"gpus", [](const Settings &s) { return static_cast<double>(s.gpus); }},
    {"billions",
     [](const Settings &s) {
         return static_cast<double>(countParameters(s.architecture).total) / 1e9;
     }},
    {"memory", // GiB of all GPUs; 0 where no GPU is known
     [](const Settings &s) {
         return static_cast<double>(s.capacity) * static_cast<double>(s.gpus) /
                static_cast<double>(kGiB);
     }},
});

double numberOf(std::string_view text)
{
    double number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

/// "fsdp", "!zero", "gpus=1" or "memory>=23".
bool holds(std::string_view word, const Settings &s)
{
    if (word.starts_with('!'))
        return !holds(word.substr(1), s);
    if (const std::size_t equals = word.find('='); equals != word.npos) {
        const bool atLeast = equals > 0 && word[equals - 1] == '>';
        const auto name = word.substr(0, atLeast ? equals - 1 : equals);
        const auto found = std::ranges::find(kQuantities, name, &NamedQuantity::name);
        assert(found != kQuantities.end());
        const double value = found->of(s);
        const double bound = numberOf(word.substr(equals + 1));
        return atLeast ? value >= bound : value == bound;
    }
    const auto found = std::ranges::find(kConditions, word, &NamedCondition::name);
    assert(found != kConditions.end());
    return found->holds(s);
}

bool allHold(std::string_view where, const Settings &s)
{
    return std::ranges::all_of(partsOf(where, ' '),
                               [&](std::string_view word) { return holds(word, s); });
}

// Values

/// "2*parameters/gpus": bytes of a copy of the model, in shards or whole.
FieldValue bytesOfCopy(std::string_view text, const Settings &s)
{
    const Exact whole =
        Exact(static_cast<std::int64_t>(numberOf(text))) * countParameters(s.architecture).total;
    const bool inShards = text.ends_with("/gpus") && s.gpus > 0;
    return (inShards ? dividedUp(whole, s.gpus) : whole).value();
}

bool isContextLength(FieldPath path)
{
    return path == FieldPath("batch.sequence_length") ||
           path == FieldPath("inference.max_model_len");
}

FieldValue valueOf(const ToolDefault &def, const Settings &s)
{
    if (def.value.find("*parameters") != def.value.npos)
        return bytesOfCopy(def.value, s);
    FieldValue value = writtenValue(fieldAt(def.field), def.value);
    const std::int64_t limit = s.architecture.maxPositions;
    auto *count = std::get_if<std::int64_t>(&value);
    if (count && limit > 0 && isContextLength(def.field))
        *count = std::min(*count, limit);
    return value;
}

} // namespace

std::optional<AskedTask> askedTaskNamed(std::string_view name)
{
    const auto found = std::ranges::find(kAskedTasks, name);
    if (found == kAskedTasks.end())
        return std::nullopt;
    return static_cast<AskedTask>(found - kAskedTasks.begin());
}

std::int64_t sequencesPerSample(AskedTask task)
{
    const bool pairs =
        task == AskedTask::Dpo || task == AskedTask::Orpo || task == AskedTask::Reward;
    return pairs ? 2 : 1;
}

const Tool *findTool(std::string_view key, std::optional<ToolKind> kind)
{
    using ByKey = std::map<std::string, const Tool *, std::less<>>;
    static const auto index = [] {
        std::array<ByKey, 2> all;
        for (const Tool &tool : tools())
            for (const std::string &word : tool.words)
                all[static_cast<std::size_t>(tool.kind)].emplace(nameKey(word), &tool);
        return all;
    }();
    const auto among = [&](ToolKind wanted) {
        const ByKey &byKey = index[static_cast<std::size_t>(wanted)];
        const auto found = byKey.find(key);
        return found == byKey.end() ? nullptr : found->second;
    };
    if (kind)
        return among(*kind);
    const Tool *engine = among(ToolKind::Engine);
    return engine ? engine : among(ToolKind::Trainer);
}

std::vector<ToolDefault> defaultsOf(const Tool *tool, AskedTask task)
{
    std::vector<ToolDefault> defaults;
    const auto addThoseOf = [&](const Tool *whose) {
        for (const DefaultRow &row : defaultRows()) {
            const Field *field = isOf(row, whose, task) ? findField(row.field) : nullptr;
            if (field)
                defaults.push_back({.field = field->path,
                                    .value = row.value,
                                    .where = row.where,
                                    .source = row.source,
                                    .note = row.note,
                                    .tool = whose});
        }
    };
    if (tool)
        addThoseOf(tool);
    addThoseOf(nullptr);
    return defaults;
}

std::vector<std::string_view> remarksOf(const Tool *tool, AskedTask task)
{
    std::vector<std::string_view> remarks;
    for (const DefaultRow &row : defaultRows())
        if (row.field.empty() && (isOf(row, tool, task) || isOf(row, nullptr, task)))
            remarks.emplace_back(row.note);
    return remarks;
}

std::string sourceText(const ToolDefault &def)
{
    if (!def.tool || def.tool->version.empty())
        return std::string(def.source);
    return def.tool->title + ' ' + def.tool->version + ", " + std::string(def.source);
}

std::vector<ToolDefault> applyDefaults(Plan &plan, const Tool *tool,
                                       std::span<const AskedTask> tasks,
                                       const std::function<bool(FieldPath)> &isClaimed)
{
    if (tool && tool->kind == ToolKind::Trainer && !isClaimed("trainer"))
        plan.trainer = tool->name;
    std::vector<ToolDefault> applied;
    Settings settings = resolve(plan).settings;
    const auto apply = [&](const ToolDefault &def) {
        const Field &field = fieldAt(def.field);
        const bool isSet =
            isClaimed(def.field) ||
            std::ranges::find(applied, def.field, &ToolDefault::field) != applied.end();
        if (isSet || !field.applies(settings) || !allHold(def.where, settings) ||
            !setField(plan, field, valueOf(def, settings)))
            return;
        applied.push_back(def);
        updateSettings(settings, plan);
    };
    const auto decides = [](const ToolDefault &def) { // whether others mean anything
        return def.field == FieldPath("workload") || def.field == FieldPath("adapters.kind");
    };
    std::vector<ToolDefault> defaults;
    for (const AskedTask task : tasks)
        std::ranges::move(defaultsOf(tool, task), std::back_inserter(defaults));
    std::stable_partition(defaults.begin(), defaults.end(), decides);
    std::ranges::for_each(defaults, apply);
    return applied;
}

} // namespace vramscope
