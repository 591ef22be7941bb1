// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/planner/plan.h"
#include "core/validation/measured.h"
#include "core/validation/throughput.h"

#include <QWidget>

#include <memory>
#include <optional>

class QAbstractItemModel;
class QButtonGroup;
class QStackedWidget;

namespace vramscope {

class ThroughputView;
class ValidationPage;

/// What was measured.
enum class MeasuredTab { Memory, Throughput };

/// A tab by its name in the arguments of `render`: "throughput".
[[nodiscard]] std::optional<MeasuredTab> measuredTabNamed(QStringView name);

/// How far to trust the planner, a tab for each kind of what was measured.
class MeasuredTabs : public QWidget
{
    Q_OBJECT

public:
    MeasuredTabs(std::shared_ptr<const Validation> validation,
                 std::shared_ptr<const SpeedValidation> speeds, QWidget *parent = nullptr);

    void showTab(MeasuredTab tab);
    [[nodiscard]] MeasuredTab tab() const;
    void setUnit(ByteUnit unit);

    [[nodiscard]] ValidationPage *memory() const { return m_memory; }
    [[nodiscard]] ThroughputView *throughput() const { return m_throughput; }
    /// The rows of the tab in front.
    [[nodiscard]] const QAbstractItemModel &rows() const;
    [[nodiscard]] QString tableTitle() const;
    [[nodiscard]] QString statusText() const;

Q_SIGNALS:
    void statusChanged();
    void planWanted(const vramscope::Plan &plan, const QString &notice);

private:
    ValidationPage *m_memory;
    ThroughputView *m_throughput;
    QButtonGroup *m_buttons;
    QStackedWidget *m_pages;
};

} // namespace vramscope
