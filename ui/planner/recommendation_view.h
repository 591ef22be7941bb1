// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/plan/plan.h"
#include "core/solver/recommendation.h"
#include "ui/support/wrapped_label.h"

#include <QTimer>

#include <memory>

namespace vramscope {

class Job;
struct Estimate;
struct Theme;

/// What to do about a plan: the recommended combination of changes with its memory, time and risk,
/// and beside it the next best of other kinds; a click takes one. The search takes some tens of
/// milliseconds, so it runs on a thread once the plan stays as it is.
class RecommendationView : public WrappedLabel
{
    Q_OBJECT

public:
    explicit RecommendationView(QWidget *parent = nullptr);
    ~RecommendationView() override;

    void showPlan(const Plan &plan, const Estimate &estimate, ByteUnit unit);
    /// Searches at once: for pictures without an event loop.
    void workNow();
    [[nodiscard]] const Recommendation &recommendation() const { return m_found; }

Q_SIGNALS:
    void optionChosen(const vramscope::Combination &option);

protected:
    void changeEvent(QEvent *event) override;

private:
    void search();
    void take(Recommendation found);
    void refresh();
    [[nodiscard]] QString html() const;
    [[nodiscard]] QString cardHtml(std::size_t index, const Theme &theme) const;

    Plan m_plan;
    Bytes m_capacity = 0;
    ByteUnit m_unit = ByteUnit::Binary;
    bool m_outdated = false;
    Recommendation m_found;
    QTimer m_wait;
    std::unique_ptr<Job> m_job;
};

} // namespace vramscope
