// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/failure_panel.h"

#include "core/print/oom_remedies.h"
#include "core/print/oom_report.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <utility>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QString paragraph(const QString &text)
{
    return text.isEmpty() ? QString() : u"<p>%1</p>"_s.arg(text.toHtmlEscaped());
}

} // namespace

FailurePanel::FailurePanel(QWidget *parent)
    : TextPanel(u"Why memory ran out"_s, u"failure"_s, parent)
{
}

void FailurePanel::showStudy(const Study *study)
{
    const Study *failed = study && !study->failures().empty() ? study : nullptr;
    if (std::exchange(m_shown, failed) != failed)
        setStudy(failed);
}

QString FailurePanel::whyText() const
{
    return toQString(outOfMemoryParagraph(*study(), study()->failures().front(), unit()));
}

QString FailurePanel::html() const
{
    const OutOfMemoryReport &failure = study()->failures().front();
    const OutOfMemoryAdvice &advice = study()->advice().front();
    const QString dim = themeOf(this).dim.name();
    const QString filled = toQString(filledText(advice, unit()));
    QString html = paragraph(whyText());
    if (!filled.isEmpty())
        html += paragraph(u"In use: %1."_s.arg(filled));
    html += paragraph(toQString(stepText(failure, advice, unit())));
    const std::vector<RemedyText> remedies = remedyTexts(failure, advice, unit());
    if (!remedies.empty())
        html += u"<p style=\"color:%1\">%2</p>"_s.arg(
            dim, u"What would help, by what filled the memory"_s.toUpper());
    for (const RemedyText &remedy : remedies)
        html += u"<p><b>%1</b><br>%2 · %3<br><span style=\"color:%4\">%5</span></p>"_s.arg(
            toQString(remedy.title).toHtmlEscaped().replace(u'=', u"=<br>"_s),
            toQString(remedy.gives).toHtmlEscaped(), toQString(remedy.verdict).toHtmlEscaped(), dim,
            toQString(remedy.text).toHtmlEscaped());
    return html;
}

QString FailurePanel::text() const
{
    if (!study())
        return {};
    return whyText() + u"\n\n"_s +
           toQString(adviceText(study()->failures().front(), study()->advice().front(), unit()));
}

} // namespace vramscope
