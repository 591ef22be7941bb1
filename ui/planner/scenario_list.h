// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/estimate.h"
#include "core/plan/plan.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace vramscope {

struct Field;

/// A field in which two plans differ, with both values as people read them.
struct FieldDifference
{
    const Field *field = nullptr;
    QString before;
    QString after;
};
/// The fields that two plans state differently and that are not in force alike all the same, in the
/// order of the document.
[[nodiscard]] std::vector<FieldDifference>
differingFields(const Plan &before, const Settings &beforeSettings, const Plan &after,
                const Settings &afterSettings, ByteUnit unit);

/// A plan kept beside the one that is edited.
struct Scenario
{
    QChar letter;
    QString name; ///< beside the letter; may be empty
    Plan plan;
    Estimate estimate;
    /// "B full checkpointing".
    [[nodiscard]] QString title() const;
};

/// The plans pinned in a tab, and which of them changes are marked against. They live as long as
/// the tab: the document of a plan holds one plan.
class ScenarioList : public QObject
{
    Q_OBJECT

public:
    static constexpr std::size_t kMost = 8;

    using QObject::QObject;

    /// Forgets all of them; `opened` is the baseline now.
    void reset(const Plan &opened);
    [[nodiscard]] const std::vector<Scenario> &all() const { return m_all; }
    [[nodiscard]] bool full() const { return m_all.size() >= kMost; }

    /// The scenario that is this plan.
    [[nodiscard]] std::optional<std::size_t> find(const Plan &plan) const;
    /// Keeps a plan under the next free letter and a name; without one it is named by what makes it
    /// differ from the baseline. Nothing where kMost are pinned or one of them is the same plan.
    void pin(const Plan &plan, const Estimate &estimate, const QString &name = {});
    void rename(std::size_t index, const QString &name);
    void remove(std::size_t index);

    /// The scenario that changes are marked against; empty: the plan as opened.
    void setBaseline(std::optional<std::size_t> index);
    [[nodiscard]] std::optional<std::size_t> baseline() const;
    [[nodiscard]] const Plan &baselinePlan() const;
    [[nodiscard]] const Estimate &baselineEstimate() const;
    /// "As opened", or the scenario's title.
    [[nodiscard]] QString baselineTitle() const;
    /// Its letter, or "the opened plan".
    [[nodiscard]] QString baselineName() const;
    [[nodiscard]] const Plan &opened() const { return m_opened; }
    [[nodiscard]] const Estimate &openedEstimate() const { return m_openedEstimate; }

Q_SIGNALS:
    void changed();

private:
    [[nodiscard]] QChar freeLetter() const;

    Plan m_opened;
    Estimate m_openedEstimate = vramscope::estimate(Plan());
    std::vector<Scenario> m_all;
    QChar m_baseline; ///< a letter; null: as opened
};

} // namespace vramscope
