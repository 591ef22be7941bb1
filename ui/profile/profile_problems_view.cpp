// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_problems_view.h"

#include "core/base/counted.h"
#include "core/report/tables.h"
#include "core/trace/problem_text.h"
#include "ui/page/labels.h"
#include "ui/support/text.h"

#include <QLabel>

namespace vramscope {

using namespace Qt::StringLiterals;

QStringList problemLines(const ProfileDocument &document, const QString &prefix)
{
    QStringList lines;
    for (const Problem &each : document.study->problems())
        lines << prefix + foreignText(document.shown(problemText(each)));
    return lines;
}

QLabel *problemsLabel(const QStringList &problems)
{
    QLabel *label = textLabel({}, u"warn"_s);
    label->setContentsMargins(16, 6, 16, 6);
    showProblems(*label, problems);
    return label;
}

void showProblems(QLabel &label, const QStringList &problems)
{
    constexpr qsizetype kMostLines = 4;
    const bool isCut = problems.size() > kMostLines; // the last line then counts the others
    QStringList shown = problems.mid(0, isCut ? kMostLines - 1 : kMostLines);
    if (isCut)
        shown << toQString(counted(problems.size() - shown.size(), "more problem")) +
                     u": point here to read all."_s;
    label.setText(shown.join(u'\n'));
    label.setToolTip(
        u"<p>%1</p>"_s.arg(problems.join(u'\n').toHtmlEscaped().replace(u'\n', u"<br>"_s)));
    label.setVisible(!problems.isEmpty());
}

void addProblems(Report &report, const QStringList &problems)
{
    for (const QString &each : problems)
        addParagraph(report, each.toStdString(), Tone::Problem);
}

} // namespace vramscope
