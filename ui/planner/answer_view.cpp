// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/answer_view.h"

#include "core/base/durations.h"
#include "core/model/missing_parts.h"
#include "core/plan/field.h"
#include "core/print/plan_report.h"
#include "core/print/time_report.h"
#include "core/settings/job_text.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/planner/look.h"
#include "ui/planner/word_control.h"
#include "ui/support/text.h"
#include "ui/support/verdict_color.h"
#include "ui/support/wrapped_label.h"

#include <QBoxLayout>
#include <QEvent>
#include <QPushButton>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

const QString kNotesLink = u"#notes"_s;
const QString kFiguresLink = u"#figures"_s;

bool refuses(const Issue &issue)
{
    return issue.severity == Issue::Severity::Blocking;
}

QString colored(const QString &text, const QColor &color)
{
    return u"<span style=\"color:%1\">%2</span>"_s.arg(color.name(), text.toHtmlEscaped());
}

/// How long a step takes and what the run costs; empty where nothing can be projected.
QString timeLine(const Settings &settings, const Result<StepTime> &time)
{
    return time ? toQString(speedText(settings, *time) + " · " + runText(settings, *time) +
                            " · a rough projection")
                : QString();
}

/// What that time is made of.
QString timeTip(const Result<StepTime> &time)
{
    if (!time)
        return {};
    QStringList lines;
    for (const TimeTerm &term : time->terms)
        lines += u"%1: %2, %3"_s.arg(toQString(term.name), toQString(formatSeconds(term.seconds)),
                                     toQString(term.rate));
    return lines.join(u'\n') + u"\n\n"_s + toQString(projectionRemark());
}

/// The refusal that the headline says; null where there is none.
const Issue *firstRefusal(const Estimate &estimate)
{
    const auto issue = std::find_if(estimate.issues.begin(), estimate.issues.end(), refuses);
    return issue == estimate.issues.end() ? nullptr : &*issue;
}

/// The field of an issue, as the link that leads to it.
QString fieldLink(const Issue &issue, const Theme &theme)
{
    const Field *field = findField(issue.field);
    return field ? u" <a style=\"color:%1;text-decoration:none\" href=\"%2\">%3</a>"_s.arg(
                       theme.accent.name(), toQString(field->path), toQString(field->label))
                 : QString();
}

} // namespace

QString levelsText(const Estimate &estimate, ByteUnit unit)
{
    if (!estimate.computed)
        return {};
    const QString device = estimate.inOneMemory() ? u"of the memory shared with the host"_s
                                                  : u"device, as nvidia-smi shows it,"_s;
    QString text = u"allocated %1 · reserved %2 · %3 %4"_s.arg(
        bytesText(estimate.peakAllocated, unit), bytesText(estimate.peakReserved, unit), device,
        bytesText(estimate.peakDevice, unit));
    if (estimate.uncertaintyLow != estimate.uncertaintyHigh)
        text += u" (%1 to %2)"_s.arg(bytesText(estimate.uncertaintyLow, unit),
                                     bytesText(estimate.uncertaintyHigh, unit));
    if (estimate.inference && !estimate.ofSteps())
        return text; // serving has no steps
    if (estimate.ofSteps() && estimate.firstStepAllocated > 0)
        text += u" · first step %1"_s.arg(bytesText(estimate.firstStepAllocated, unit));
    if (estimate.atRest > 0)
        text += u" · at rest %1"_s.arg(bytesText(estimate.atRest, unit));
    return text;
}

namespace {

/// What each of the levels is, with its exact bytes.
QString levelsTip(const Estimate &estimate, ByteUnit unit)
{
    if (!estimate.computed)
        return {};
    const auto exact = [&](Bytes bytes) { return exactBytesText(bytes, unit); };
    QStringList lines{u"allocated: what tensors hold, max_memory_allocated(): "_s +
                          exact(estimate.peakAllocated),
                      u"reserved: what the caching allocator holds, max_memory_reserved(): "_s +
                          exact(estimate.peakReserved),
                      (estimate.inOneMemory()
                           ? u"device: all of the memory shared with the host, with the system: "_s
                           : u"device: what nvidia-smi shows, with context and libraries: "_s) +
                          exact(estimate.peakDevice)};
    if (estimate.uncertaintyLow != estimate.uncertaintyHigh)
        lines += u"in brackets: how far the device level may lie from it, %1 to %2"_s.arg(
                     exact(estimate.uncertaintyLow), exact(estimate.uncertaintyHigh)) +
                 u"; "_s + toQString(rangeSourceText(estimate));
    if (estimate.ofSteps() && estimate.firstStepAllocated > 0)
        lines += u"first step: its allocated peak; optimizer states are made at its end: "_s +
                 exact(estimate.firstStepAllocated);
    if ((!estimate.inference || estimate.ofSteps()) && estimate.atRest > 0)
        lines += (estimate.ofSteps() ? u"at rest: allocated between steps: "_s
                                     : u"at rest: allocated between calls: "_s) +
                 exact(estimate.atRest);
    return lines.join(u'\n');
}

} // namespace

AnswerView::AnswerView(QWidget *parent)
    : QWidget(parent)
    , m_subject(new WrappedLabel)
    , m_headline(new WrappedLabel)
    , m_figures(dimLabel())
    , m_levels(dimLabel())
    , m_time(dimLabel())
    , m_issues(new WrappedLabel)
{
    m_subject->setFont(typeFont(Type::Lead));
    m_headline->setFont(typeFont(Type::Head));
    m_headline->setObjectName(u"headline"_s);
    m_subject->setObjectName(u"subject"_s);
    for (WrappedLabel *label :
         {m_subject, m_headline, m_figures, m_issues}) { // their words are links
        label->setTextInteractionFlags(Qt::TextBrowserInteraction);
        label->setTextFormat(Qt::RichText);
        connect(label, &QLabel::linkActivated, this, [this](const QString &link) {
            if (link == kNotesLink)
                setNotesShown(!m_notesShown);
            else if (link == kFiguresLink)
                setFiguresShown(!m_figuresShown);
            else if (const Field *word = wordOf(link))
                Q_EMIT wordClicked(*word);
            else
                Q_EMIT fieldClicked(link);
        });
    }
    for (WrappedLabel *label : {m_levels, m_time})
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    for (WrappedLabel *label : {m_subject, m_headline, m_figures, m_levels, m_time, m_issues})
        label->ignoreWidth();
    QPushButton *trust = linkButton(u"How far to trust it"_s);
    trust->setCursor(Qt::PointingHandCursor);
    trust->setToolTip(u"What this planner predicts against measured figures"_s);
    connect(trust, &QPushButton::clicked, this, &AnswerView::trustWanted);
    m_details = panel(column({m_levels, m_time, {trust, 0, Qt::AlignLeft}}, 4));
    setLayout(column({m_subject, Gap{4}, m_headline, Gap{4}, m_figures, m_details, m_issues}, 2));
}

void AnswerView::showEstimate(const Estimate &estimate, ByteUnit unit)
{
    m_estimate = estimate;
    m_unit = unit;
    refresh();
}

void AnswerView::setNotesShown(bool shown)
{
    m_notesShown = shown;
    refresh();
}

void AnswerView::setFiguresShown(bool shown)
{
    m_figuresShown = shown;
    refresh();
}

void AnswerView::refresh()
{
    refreshAnswer();
    refreshFigures();
    const QString issues = issuesHtml();
    m_issues->setText(issues);
    m_issues->setVisible(!issues.isEmpty());
}

void AnswerView::refreshAnswer()
{
    const Theme &theme = themeOf(this);
    if (!m_estimate.computed) {
        const Issue *refusal = firstRefusal(m_estimate);
        const QString reason =
            toQString(weightsAloneText(m_estimate, m_unit)) +
            (refusal ? toQString(refusal->text) : u"There are no figures for this plan."_s);
        m_sentence = u"Not computed. "_s + reason;
        m_subject->setVisible(false);
        m_headline->setTextInteractionFlags(Qt::TextBrowserInteraction); // it leads to the field
        m_headline->setText(colored(u"Not computed. "_s, theme.bad) + reason.toHtmlEscaped() +
                            (refusal ? fieldLink(*refusal, theme) : QString()));
        return;
    }
    m_headline->setTextInteractionFlags(Qt::TextSelectableByMouse);
    const std::string job =
        m_plan ? jobText(*m_plan, *m_estimate.settings) : std::string("This plan");
    m_sentence = toQString(answerLine(job, m_estimate, m_unit));
    m_subject->setText(m_plan ? jobHtml(*m_plan, *m_estimate.settings, theme) : QString());
    m_subject->setVisible(m_plan.has_value());
    const std::optional<Verdict> verdict = verdictOf(m_estimate);
    const QString word = toQString(verdictWord(m_estimate));
    const QString rest = toQString(verdictText(m_estimate, m_unit, false)).sliced(word.size());
    m_headline->setText(colored(capitalized(word), verdictColor(verdict, theme, theme.text)) +
                        unbroken(rest).toHtmlEscaped());
}

void AnswerView::refreshFigures()
{
    const Theme &theme = themeOf(this);
    const Result<StepTime> time = m_estimate.computed
                                      ? projectStep(*m_estimate.settings, m_estimate.work)
                                      : Result<StepTime>(Error{ErrorCode::Invalid, {}});
    QStringList figures;
    if (m_estimate.computed && !m_estimate.peakAt.empty())
        figures += u"Peak "_s + toQString(momentPhrase(m_estimate.peakAt));
    if (m_estimate.computed)
        figures += toQString(likelyText(m_estimate, m_unit));
    if (time)
        figures += toQString(shortSpeedText(*m_estimate.settings, *time));
    figures.removeAll(QString());
    m_levels->setText(levelsText(m_estimate, m_unit));
    m_levels->setToolTip(levelsTip(m_estimate, m_unit));
    m_time->setText(m_estimate.computed ? timeLine(*m_estimate.settings, time) : QString());
    m_time->setToolTip(timeTip(time));
    m_time->setVisible(!m_time->text().isEmpty());
    m_figures->setText(
        unbroken(figures.join(u" · "_s)).toHtmlEscaped() +
        u"&nbsp;&nbsp; <a style=\"color:%1;text-decoration:none\" href=\"%2\">%3</a>"_s.arg(
            theme.accent.name(), kFiguresLink,
            m_figuresShown ? u"Fewer&nbsp;figures&nbsp;▾"_s : u"More&nbsp;figures&nbsp;▸"_s));
    m_figures->setVisible(m_estimate.computed);
    m_details->setVisible(m_estimate.computed && m_figuresShown);
}

QString AnswerView::issuesHtml() const
{
    const Theme &theme = themeOf(this);
    QStringList lines;
    int notes = 0;
    for (const Issue &issue : m_estimate.issues) {
        const bool note = issue.severity == Issue::Severity::Note;
        notes += note;
        if ((note && !m_notesShown && !isMissingPart(issue)) ||
            (!m_estimate.computed && &issue == firstRefusal(m_estimate)))
            continue; // the headline has it
        const QColor color = note ? theme.dim : refuses(issue) ? theme.bad : theme.warn;
        lines.append(u"<span style=\"color:%1\">●</span>&nbsp;&nbsp;%2"_s.arg(
                         color.name(), toQString(issue.text).toHtmlEscaped()) +
                     fieldLink(issue, theme));
    }
    if (notes > 0)
        lines.append(u"<a style=\"color:%1;text-decoration:none\" href=\"%2\">%3</a>"_s.arg(
            theme.dim.name(), kNotesLink,
            m_notesShown ? u"hide notes"_s : countedText(notes, "note") + u" ▾"_s));
    return lines.join(u"<br>"_s);
}

void AnswerView::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

} // namespace vramscope
