// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/dimensions.h"

#include "core/base/nearest.h"
#include "core/base/text.h"
#include "core/catalog/constants.h"
#include "core/plan/choices.h"
#include "core/plan/plan.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <array>
#include <string>

namespace vramscope {

namespace {

using Values = std::vector<FieldValue>;

struct Group
{
    std::string_view name;
    std::span<const FieldPath> paths;
};

constexpr std::array<FieldPath, 7> kParallel = {
    "parallel.tensor", "parallel.pipeline", "parallel.virtual_stages", "parallel.context",
    "parallel.expert", "parallel.sequence", "parallel.sharding"};
constexpr std::array<FieldPath, 3> kActivations = {"activations.checkpointing", "activations.every",
                                                   "activations.blocks"};
constexpr std::array<Group, 2> kGroups = {{{"parallel", kParallel}, {"activations", kActivations}}};

/// Inputs for making values.
struct Job
{
    const Plan &plan;
    const Settings &settings;
    std::int64_t gpus;
};

/// Divisors of a number up to a limit.
Values divisors(std::int64_t number, std::int64_t limit)
{
    Values values;
    for (std::int64_t i = 1; i <= std::min(number, limit); ++i)
        if (number % i == 0)
            values.emplace_back(i);
    return values;
}

Values upTo(std::int64_t last)
{
    Values values;
    for (std::int64_t i = 1; i <= last; ++i)
        values.emplace_back(i);
    return values;
}

/// 1, 2, 4, … up to a limit.
Values powers(std::int64_t limit)
{
    Values values;
    for (std::int64_t i = 1; i <= limit; i *= 2)
        values.emplace_back(i);
    return values;
}

/// How the fields of layouts get their values; other fields derive them from their kind.
struct Rule
{
    FieldPath path;
    Values (*values)(const Job &);
};

constexpr std::int64_t kMostVirtualStages = 16;

Values divisorsOfGpus(const Job &job)
{
    return divisors(job.gpus, job.gpus);
}

constexpr std::array kRules = {
    Rule{"parallel.tensor",
         [](const Job &job) {
             return divisors(job.gpus, job.plan.hardware.gpusPerNode.value_or(kGpusPerNode));
         }},
    Rule{"parallel.pipeline",
         [](const Job &job) { return divisors(job.gpus, job.settings.architecture.layers); }},
    Rule{"parallel.virtual_stages",
         [](const Job &job) {
             return upTo(std::min(kMostVirtualStages, job.settings.architecture.layers));
         }},
    Rule{"parallel.context",
         [](const Job &job) {
             const bool trains = job.settings.workload == Workload::Training;
             return trains ? divisorsOfGpus(job) : Values{};
         }},
    Rule{"parallel.expert",
         [](const Job &job) { return divisors(job.settings.architecture.experts, job.gpus); }},
    Rule{"parallel.expert_tensor", [](const Job &job) { return divisors(job.gpus, kGpusPerNode); }},
    Rule{"parallel.shard_group", divisorsOfGpus},
    Rule{"activations.every", [](const Job &) { return upTo(8); }},
    Rule{"activations.blocks",
         [](const Job &job) { return upTo(job.settings.architecture.layers); }},
    Rule{"batch.micro_batch", [](const Job &) { return powers(64); }},
};

/// A model that is not trained is no cheaper alternative for training it.
bool leavesTheWork(const Field &field, std::string_view choice)
{
    return choice == "none" && (field.path == "loss" || field.path == "optimizer.name");
}

Values valuesByKind(const Field &field, const Job &job)
{
    if (field.kind == FieldKind::Switch)
        return {false, true};
    Values values;
    if (field.kind == FieldKind::Choice)
        for (const std::string_view choice : field.choices)
            if (const FieldValue value = std::string(choice);
                !leavesTheWork(field, choice) || field.get(job.plan) == value)
                values.push_back(value);
    if (field.kind == FieldKind::Count)
        values = powers(1 << 20);
    std::erase_if(values, [&](const FieldValue &value) {
        const auto *number = std::get_if<std::int64_t>(&value);
        return number && (static_cast<double>(*number) < field.minimum ||
                          static_cast<double>(*number) > field.maximum);
    });
    return values;
}

Dimension dimensionOf(const Field &field, const Job &job)
{
    const auto rule = std::ranges::find(kRules, field.path, &Rule::path);
    return {&field, rule == kRules.end() ? valuesByKind(field, job) : rule->values(job)};
}

/// Fields that a comparison keeps: those that define the job, and those that follow from others.
bool varies(const Field &field)
{
    return !isOfGroup(field.path, "model") && !isOfGroup(field.path, "hardware") &&
           field.path != "name" && field.path != "workload" && field.path != "parallel.stage" &&
           field.path != "inference.speculative.method" &&
           field.path != "inference.speculative.model" &&
           field.path != "inference.speculative.config";
}

} // namespace

Result<const Field *> fieldToVary(std::string_view path)
{
    std::vector<std::string_view> known = {"hardware.gpus", "parallel", "activations"};
    for (const Field &field : planFields())
        if (varies(field))
            known.push_back(field.path);
    const Field *field = findField(path);
    if (!field)
        return invalid("There is no field " + excerpt(path, 60) + didYouMean(path, known) + '.');
    if (!varies(*field) && path != "hardware.gpus")
        return invalid(std::string(path) + " cannot be varied: it says what the job is.");
    return field;
}

Result<std::vector<const Field *>> fieldsToCompare(std::span<const std::string_view> paths)
{
    std::vector<const Field *> fields;
    const auto add = [&](std::string_view path) -> Result<void> {
        const Result<const Field *> field = fieldToVary(path);
        if (!field)
            return field.error();
        if (path == "hardware.gpus")
            return invalid("hardware.gpus cannot be varied with other fields: vary it alone, or "
                           "state the GPUs in the plan and vary the others.");
        const FieldKind kind = (*field)->kind;
        if (kind != FieldKind::Switch && kind != FieldKind::Choice && kind != FieldKind::Count)
            return invalid(std::string(path) +
                           " has no short list of values to compare; vary it alone.");
        if (std::ranges::find(fields, *field) == fields.end())
            fields.push_back(*field);
        return {};
    };
    for (const std::string_view path : paths) {
        const auto group = std::ranges::find(kGroups, path, &Group::name);
        if (group == kGroups.end()) {
            if (const Result<void> added = add(path); !added)
                return added.error();
            continue;
        }
        for (const FieldPath member : group->paths)
            if (const Result<void> added = add(member); !added)
                return added.error();
    }
    std::ranges::sort(fields); // all of one table: in the order of the document
    return fields;
}

Result<std::vector<Dimension>> dimensionsOf(std::span<const std::string_view> paths,
                                            const Plan &plan, const Settings &settings,
                                            std::int64_t gpus)
{
    const Result<std::vector<const Field *>> fields = fieldsToCompare(paths);
    if (!fields)
        return fields.error();
    const Job job{plan, settings, gpus};
    std::vector<Dimension> dimensions;
    for (const Field *field : *fields)
        if (field->path != "parallel.data" && field->path != "batch.accumulation_steps")
            dimensions.push_back(dimensionOf(*field, job));
    return dimensions;
}

} // namespace vramscope
