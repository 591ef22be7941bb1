// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/study/study.h"
#include "core/base/format.h"
#include "ui/page/side_panel.h"

class QLabel;
class QPushButton;

namespace vramscope {

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
    [[nodiscard]] ByteUnit unit() const { return m_unit; }
    [[nodiscard]] const Study *study() const { return m_study; }
    /// Null while the study is in progress.
    void setStudy(const Study *study);
    /// The content for a study as rich text.
    [[nodiscard]] virtual QString html() const = 0;

    void changeEvent(QEvent *event) override;

private:
    void refresh();

    const Study *m_study = nullptr;
    ByteUnit m_unit = ByteUnit::Binary;
    QLabel *m_content;
    QPushButton *m_plan;
};

} // namespace vramscope
