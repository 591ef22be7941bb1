// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/field_path.h"
#include "core/plan/issue.h"
#include "core/plan/plan.h"
#include "core/settings/settings.h"

#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace vramscope {

/// Goes through the rules of a plan; every check is one line that reads as its rule. Collects the
/// issues, or, without a list for them, only tells whether one of them bars the figures. A class
/// of core/settings alone: others call checkPlan().
class PlanChecker
{
public:
    PlanChecker(const Plan &plan, const Settings &settings, std::vector<Issue> *issues)
        : m_plan(plan)
        , m_settings(settings)
        , m_issues(issues)
    {
    }

    /// Whether figures may be computed.
    bool run();

private:
    using Severity = Issue::Severity;

    /// `text` is a text, or what puts one together.
    template<class Text>
    void add(bool when, Severity severity, FieldPath field, const Text &text)
    {
        if (!when)
            return;
        m_barred |= severity == Severity::Blocking;
        if (!m_issues)
            return;
        if constexpr (std::is_invocable_v<Text>)
            m_issues->push_back(issueOf(field, severity, text()));
        else
            m_issues->push_back(issueOf(field, severity, std::string(text)));
    }
    template<class Text>
    void block(bool when, FieldPath field, const Text &text)
    {
        add(when, Severity::Blocking, field, text);
    }
    /// What several fields of a group do together.
    void blockGroup(const char *group, const char *text)
    {
        m_barred = true;
        if (m_issues)
            m_issues->push_back({Severity::Blocking, group, text});
    }
    void note(bool when, FieldPath field, std::string_view text)
    {
        add(when, Severity::Note, field, text);
    }

    // checks.cpp: what every plan has
    void ranges();
    void marks();
    void degrees();
    void listedGpus();
    void stages();
    void experts();
    void scaledCapacity();
    void otherVendors();
    void oneMemory();
    void withoutEffect();
    // training_checks.cpp
    void strategies();
    void memorySavers();
    void adapters();
    void dora();
    void servedAdapters();
    void mixedLayers();
    void adaptersOfMixedLayers();
    void adaptersOfIndexed();
    void adaptedMixers();
    void allExperts();
    void sourceModels();
    void pictures();
    void images();
    // serving_checks.cpp
    void serving();
    void engineKnowsModel();
    void servedEncoder();
    void mlx();
    void ownInputs();
    void release();
    void speculation();
    void speculationOfVllm();
    // diffusion_checks.cpp
    void pipeline();
    void pipelineTraining();

    const Plan &m_plan;
    const Settings &m_settings;
    std::vector<Issue> *m_issues;
    bool m_barred = false;
};

} // namespace vramscope
