// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/allocations.h"
#include "core/analysis/study/study.h"
#include "core/base/format.h"
#include "ui/page/card.h"

#include <optional>
#include <vector>

class QLabel;
class QPushButton;

namespace vramscope {

class BudgetBar;

/// Facts of a recording, next to its views while nothing is selected: text that can be selected and
/// copied, and a link that makes a plan from it.
class TextPanel : public SidePanel
{
    Q_OBJECT

public:
    void setUnit(ByteUnit unit);

Q_SIGNALS:
    /// The user wants a plan of the run made from the recording.
    void planWanted();

protected:
    /// `name`: the object name of the label with the text.
    TextPanel(const QString &title, const QString &name, QWidget *parent);

    [[nodiscard]] QLabel *content() const { return m_content; }
    [[nodiscard]] QPushButton *planButton() const { return m_plan; }
    [[nodiscard]] ByteUnit unit() const { return m_unit; }
    [[nodiscard]] const Study *study() const { return m_study; }
    /// Null while the study is in progress.
    void setStudy(const Study *study);
    /// The content for a study as rich text.
    [[nodiscard]] virtual QString html() const = 0;
    virtual void refresh();

    void changeEvent(QEvent *event) override;

private:
    const Study *m_study = nullptr;
    ByteUnit m_unit = ByteUnit::Binary;
    QLabel *m_content;
    QPushButton *m_plan;
};

/// Why memory ran out at a device's first failure: a sentence, the device's memory as a bar, and
/// what would help. Behind "Evidence" is all of it in words: what was free and where, what the rest
/// of the step needs, why each change helps.
class FailurePanel : public TextPanel
{
    Q_OBJECT

public:
    explicit FailurePanel(QWidget *parent = nullptr);

    /// `study`: of a device with a failure; null while the study is in progress. Free if it is
    /// already shown: the cursor moves often.
    void showStudy(const Study *study);
    [[nodiscard]] QString text() const override;

protected:
    [[nodiscard]] QString html() const override;
    void refresh() override;

private:
    [[nodiscard]] QString whyText() const;
    [[nodiscard]] QString remediesHtml() const;
    void showEvidence(bool shown);

    QLabel *m_why;
    BudgetBar *m_bar;
    QLabel *m_remedies;
    QPushButton *m_evidence;
    std::optional<const Study *> m_shown;
};

/// The first facts of a recording, while nothing is selected and nothing failed: the peak, its
/// bytes by category, the stacks with the most of them, and memory that is reserved but idle. Each
/// line links to its place.
class PeakPanel : public TextPanel
{
    Q_OBJECT

public:
    explicit PeakPanel(QWidget *parent = nullptr);

    /// `study`: of the memory in use at the peak, or, without a history, when the snapshot was
    /// taken.
    void showStudy(const Study *study);
    [[nodiscard]] QString text() const override;

Q_SIGNALS:
    void eventWanted(EventIndex event);
    void allocationWanted(AllocationIndex allocation);
    /// The bands are to be coloured by category.
    void categoriesWanted();

protected:
    [[nodiscard]] QString html() const override;

private:
    /// A line of a table, and where it leads: "event 12", "allocation 3", "categories".
    struct Line
    {
        QString size;
        QString share; ///< of the peak; may be empty
        QString what;
        QString target;
    };
    /// Lines under a heading.
    struct Section
    {
        QString heading;
        std::vector<Line> lines;
    };
    [[nodiscard]] Line peakLine() const;
    [[nodiscard]] std::vector<Section> sections() const;
    [[nodiscard]] bool advises() const;
    [[nodiscard]] QString adviceHtml() const;
    void follow(const QString &target);
};

} // namespace vramscope
