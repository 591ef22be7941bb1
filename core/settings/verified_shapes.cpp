// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/verified_shapes.h"

#include "core/catalog/shipped_table.h"
#include "core/settings/field_conditions.h"

#include <initializer_list>
#include <unordered_set>

namespace vramscope {

namespace {

/// Megatron builds every model of its own layers; elsewhere a class has its own code.
std::string_view classOf(const Settings &s)
{
    const bool isOwn = s.kernels == Kernels::MegatronTe || s.kernels == Kernels::MegatronLocal ||
                       s.kernels == Kernels::Textbook;
    if (!isOwn)
        return s.architecture.modelType;
    return s.architecture.mla() ? "mla" : s.architecture.moe() ? "experts" : "dense";
}

std::string joined(std::initializer_list<std::string_view> words)
{
    std::string text;
    for (const std::string_view word : words)
        text.append(text.empty() ? "" : " ").append(word);
    return text;
}

} // namespace

std::vector<VerifiedShape> shapesOf(const Settings &s)
{
    if (!applies::training(s))
        return {};
    return {{"Activations", joined({classOf(s), choiceText(s.kernels), choiceText(s.attention),
                                    choiceText(s.checkpointing)})},
            {"Loss and logits", joined({choiceText(s.loss), choiceText(s.regime)})},
            {"Optimizer states",
             joined({choiceText(s.optimizer.name), choiceText(s.optimizer.implementation)})}};
}

bool isVerified(const VerifiedShape &it)
{
    const auto key = [](std::string_view part, std::string_view shape) {
        return std::string(part).append(",").append(shape);
    };
    static const std::unordered_set<std::string> all = [&] {
        std::unordered_set<std::string> rows;
        readShippedTable("models/verified_shapes.csv",
                         [&](const auto &cell) { rows.insert(key(cell("part"), cell("shape"))); });
        return rows;
    }();
    return all.contains(key(it.part, it.shape));
}

} // namespace vramscope
