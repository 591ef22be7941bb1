// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_problems_view.h"

#include "core/base/counted.h"
#include "core/report/tables.h"
#include "core/trace/problem_text.h"
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
    if (problems.isEmpty())
        return nullptr;
    constexpr qsizetype kMostLines = 3;
    QStringList shown = problems.mid(0, kMostLines);
    if (const qsizetype more = problems.size() - shown.size(); more > 0)
        shown << toQString(counted(more, "more problem")) + u" …"_s;
    auto *label = new QLabel(shown.join(u'\n'));
    label->setProperty("role", u"warn"_s);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setToolTip(
        u"<p>%1</p>"_s.arg(problems.join(u'\n').toHtmlEscaped().replace(u'\n', u"<br>"_s)));
    label->setContentsMargins(16, 6, 16, 6);
    return label;
}

void addProblems(Report &report, const QStringList &problems)
{
    for (const QString &each : problems)
        addParagraph(report, "Problem: " + each.toStdString(), Tone::Warning);
}

} // namespace vramscope
