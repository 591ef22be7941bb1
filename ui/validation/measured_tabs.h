// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/measured.h"
#include "core/validation/throughput.h"
#include "ui/document/document_page.h"

#include <optional>

class QButtonGroup;
class QStackedWidget;

namespace vramscope {

class ThroughputView;
class ValidationPage;

/// What was measured.
enum class MeasuredTab { Memory, Throughput };

/// A tab by its name in the arguments of `render`: "throughput".
[[nodiscard]] std::optional<MeasuredTab> measuredTabNamed(QStringView name);

/// The planner compared with the measured figures and the published speeds that ship.
struct MeasuredDocument : Document
{
    MeasuredDocument(std::shared_ptr<const Validation> memory,
                     std::shared_ptr<const SpeedValidation> speeds);

    std::shared_ptr<const Validation> memory;
    std::shared_ptr<const SpeedValidation> speeds;

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &path,
                                                         QWidget *parent) const override;
    [[nodiscard]] DocumentKind kind() const override;
    [[nodiscard]] Caption caption(const QString &title, const QString &file,
                                  ByteUnit unit) const override;
};

/// How accurate the planner is, a tab for each kind of measurement.
class MeasuredTabs : public DocumentPage
{
    Q_OBJECT

public:
    explicit MeasuredTabs(const std::shared_ptr<const MeasuredDocument> &document,
                          QWidget *parent = nullptr);

    void showTab(MeasuredTab tab);
    [[nodiscard]] MeasuredTab tab() const;
    void setUnit(ByteUnit unit) override;
    [[nodiscard]] QString statusText() const override;
    [[nodiscard]] QString helpTopic() const override { return QStringLiteral("accuracy"); }
    /// The rows of the tab in front.
    [[nodiscard]] Table table(qsizetype most) const override;
    /// A tab, or a kind of run in that of memory.
    void goTo(const QString &place) override;

    [[nodiscard]] ValidationPage *memory() const { return m_memory; }
    [[nodiscard]] ThroughputView *throughput() const { return m_throughput; }

private:
    ValidationPage *m_memory;
    ThroughputView *m_throughput;
    QButtonGroup *m_buttons;
    QStackedWidget *m_pages;
};

} // namespace vramscope
