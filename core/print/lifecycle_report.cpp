// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/lifecycle_report.h"

#include "core/base/json_text.h"
#include "core/print/json_parts.h"
#include "core/table/text_table.h"

#include <array>

namespace vramscope {

namespace {

Json lifecyclePointJson(const LifecyclePoint &point)
{
    return {{"moment", point.moment},
            {"block", orNull(point.block >= 0, point.block)},
            {"after", point.after},
            {"allocated", point.allocated},
            {"bytes", point.bytes}};
}

std::array<Bytes, kCategoryCount> byCategory(const Lifecycle &lifecycle,
                                             const LifecyclePoint &point)
{
    std::array<Bytes, kCategoryCount> sums{};
    for (std::size_t i = 0; i < point.bytes.size(); ++i)
        sums[static_cast<std::size_t>(lifecycle.parts[i].category)] += point.bytes[i];
    return sums;
}

} // namespace

std::string lifecycleJson(const Lifecycle &lifecycle, const std::string &file)
{
    const auto partJson = [](const Lifecycle::Part &part) -> Json {
        return {{"category", categoryName(part.category)}, {"name", part.name}};
    };
    return jsonText({{"file", file},
                     {"parts", listJson(lifecycle.parts, partJson)},
                     {"first_step", listJson(lifecycle.firstStep, lifecyclePointJson)},
                     {"steady_step", listJson(lifecycle.steadyStep, lifecyclePointJson)}});
}

std::string lifecycleText(const Lifecycle &lifecycle, const std::string &file, ByteUnit unit)
{
    std::array<bool, kCategoryCount> used{};
    for (const Lifecycle::Part &part : lifecycle.parts)
        used[static_cast<std::size_t>(part.category)] = true;
    std::vector<Align> columns = {Align::Left, Align::Right};
    std::vector<std::string> head = {"", "allocated"};
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        if (used[i]) {
            columns.push_back(Align::Right);
            head.emplace_back(categoryName(static_cast<Category>(i)));
        }
    TextTable table(std::move(columns));
    table.addRow(std::move(head));
    for (const LifecyclePoint &point : lifecycle.steadyStep) {
        std::vector<std::string> row = {point.moment, formatBytes(point.allocated, unit)};
        const std::array<Bytes, kCategoryCount> sums = byCategory(lifecycle, point);
        for (std::size_t i = 0; i < kCategoryCount; ++i)
            if (used[i])
                row.push_back(sums[i] > 0 ? formatBytes(sums[i], unit) : std::string());
        table.addRow(std::move(row));
    }
    return printable(file) + ", a steady step:\n" + table.text();
}

} // namespace vramscope
