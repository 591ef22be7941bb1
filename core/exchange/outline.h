// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/export.h"
#include "core/planner/field.h"
#include "core/planner/settings.h"

#include <initializer_list>
#include <map>
#include <set>

namespace vramscope {

/// A plan on its way into another tool's words: what was said is ticked off, so that the rest can
/// be named.
class Outline
{
public:
    explicit Outline(const Plan &plan);

    [[nodiscard]] const Plan &plan() const { return m_plan; }
    [[nodiscard]] const Settings &settings() const { return m_resolved.settings; }

    /// The fields are said, by these words or by leaving them out.
    void said(std::initializer_list<FieldPath> fields);
    void saidGroup(std::string_view group);
    /// Whether the plan states the field, which is then said.
    [[nodiscard]] bool states(FieldPath field);
    /// The line of a shell that sets the plan's PYTORCH_CUDA_ALLOC_CONF, which is then said; empty
    /// where the plan states none.
    [[nodiscard]] std::string allocatorLine();
    /// The format says something else in place of the field; `text` is what, as a note.
    void changed(FieldPath field, std::string text);
    /// A note for each field that was changed and each stated one that was not said; `format` as in
    /// "a DeepSpeed JSON".
    [[nodiscard]] std::vector<ImportNote> notes(std::string_view format) const;

private:
    const Plan &m_plan;
    ResolvedPlan m_resolved;
    std::set<std::string_view> m_said;
    std::map<std::string_view, std::string> m_changed;
};

// One function a format.
[[nodiscard]] std::string hfConfigText(Outline &outline);
[[nodiscard]] std::string deepSpeedText(Outline &outline);
[[nodiscard]] std::string torchtitanText(Outline &outline);
[[nodiscard]] std::string megatronText(Outline &outline);
[[nodiscard]] std::string vllmText(Outline &outline);
[[nodiscard]] std::string accelerateText(Outline &outline);
[[nodiscard]] std::string trainerText(Outline &outline);
[[nodiscard]] std::string trlText(Outline &outline);
[[nodiscard]] std::string axolotlText(Outline &outline);
[[nodiscard]] std::string llamaFactoryText(Outline &outline);

} // namespace vramscope
