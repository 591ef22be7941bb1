// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/text_panel.h"

#include "core/analysis/costs/frame_text.h"
#include "core/analysis/findings/peak.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/print/oom_remedies.h"
#include "core/print/oom_report.h"
#include "ui/models/stack_text.h"
#include "ui/page/labels.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/support/wrapped_label.h"
#include "ui/timeline/axis_text.h"
#include "ui/trace/budget_bar.h"

#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QLabel *richLabel(const QString &name)
{
    auto *label = new WrappedLabel;
    label->setObjectName(name);
    label->setTextFormat(Qt::RichText);
    label->ignoreWidth(); // a long word must not push the ends of all lines out of sight
    label->setAlignment(Qt::AlignTop);
    label->setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::TextSelectableByKeyboard);
    return label;
}

} // namespace

TextPanel::TextPanel(const QString &title, const QString &name, QWidget *parent)
    : SidePanel(title, title, parent)
    , m_content(richLabel(name))
    , m_plan(new QPushButton(u"Make a plan from this recording"_s))
{
    m_plan->setProperty("role", u"primary"_s);
    connect(m_plan, &QPushButton::clicked, this, &TextPanel::planWanted);
}

void TextPanel::setUnit(ByteUnit unit)
{
    m_unit = unit;
    refresh();
}

void TextPanel::setStudy(const Study *study)
{
    m_study = study;
    refresh();
}

void TextPanel::refresh()
{
    copyButton()->setVisible(m_study);
    m_plan->setVisible(m_study);
    m_content->setText(m_study ? html() : u"<p>Being worked out …</p>"_s);
    // At once, not after some turns of the event loop: pictures are taken without one.
    widget()->layout()->activate();
}

void TextPanel::changeEvent(QEvent *event)
{
    SidePanel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) // the text contains its colours
        refresh();
}

namespace {

QString paragraph(const QString &text)
{
    return text.isEmpty() ? QString() : u"<p>%1</p>"_s.arg(text.toHtmlEscaped());
}

} // namespace

namespace {

/// No line ends between a number and its unit, or a file and its line.
QString unbrokenPlaces(QString text)
{
    static const QRegularExpression line(u":(?=\\d)"_s);
    return unbroken(text.replace(line, u":\u2060"_s));
}

} // namespace

FailurePanel::FailurePanel(QWidget *parent)
    : TextPanel(u"Why memory ran out"_s, u"failure"_s, parent)
    , m_why(wideLabel())
    , m_bar(new BudgetBar)
    , m_remedies(richLabel(u"remedies"_s))
    , m_evidence(linkButton({}))
{
    m_evidence->setCheckable(true);
    connect(m_evidence, &QPushButton::toggled, this, &FailurePanel::showEvidence);
    showEvidence(false);
    setParts({m_why,
              m_bar,
              m_remedies,
              {planButton(), 0, Qt::AlignLeft},
              {m_evidence, 0, Qt::AlignLeft},
              content(),
              EmptyRoom()},
             8);
}

void FailurePanel::showEvidence(bool shown)
{
    m_evidence->setText(shown ? u"Evidence ▾"_s : u"Evidence ▸"_s);
    content()->setVisible(shown);
}

void FailurePanel::refresh()
{
    for (QWidget *part : std::initializer_list<QWidget *>{m_bar, m_remedies, m_evidence})
        part->setVisible(study());
    m_why->setText(u"Being worked out …"_s);
    if (study()) {
        const OutOfMemoryReport &failure = study()->failures().front();
        m_why->setText(unbrokenPlaces(toQString(outOfMemorySentence(*study(), failure, unit()))));
        m_bar->setFailure(failure, unit());
        m_remedies->setText(remediesHtml());
    }
    TextPanel::refresh();
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

namespace {

/// Remedies as rows in an order: name and gain; what it means and, against a failure, whether that
/// is enough.
QString remediesTable(const OutOfMemoryAdvice &advice, const std::vector<RemedyText> &texts,
                      std::span<const std::size_t> order, bool hasVerdicts, const ByteAxis &sizes,
                      const Theme &theme)
{
    const QString line = u"border-bottom:1px solid "_s + theme.line.name();
    const auto pair = [&](const QString &left, const QString &right, const QString &style) {
        return u"<tr><td style=\"%1\">%2</td><td align=\"right\" style=\"%1\">%3</td></tr>"_s.arg(
            style, left, right);
    };
    QString html =
        pair(hasVerdicts ? u"<b>What would help</b>"_s : u"<b>What would lower the peak</b>"_s,
             u"gives up to, %1"_s.arg(sizes.unit()),
             line + u"; padding-bottom:6px; color:"_s + theme.dim.name());
    for (const std::size_t at : order) {
        const RemedyText &text = texts[at];
        const QColor tone = text.tone == Tone::Good      ? theme.good
                            : text.tone == Tone::Warning ? theme.warn
                            : text.tone == Tone::Bad     ? theme.bad
                                                         : theme.dim;
        html += pair(u"<b>%1</b>"_s.arg(toQString(text.name).toHtmlEscaped()),
                     u"<b>%1</b>"_s.arg(sizes.figure(advice.remedies[at].bytes).toHtmlEscaped()),
                     u"padding-top:6px"_s);
        html += pair(u"<span style=\"color:%1\">%2</span>"_s.arg(
                         theme.dim.name(), toQString(text.means).toHtmlEscaped()),
                     hasVerdicts ? u"<span style=\"color:%1\">%2</span>"_s.arg(
                                       tone.name(), toQString(text.brief).toHtmlEscaped())
                                 : QString(),
                     line + u"; padding-bottom:6px"_s);
    }
    return u"<table width=\"100%\" cellspacing=\"0\" cellpadding=\"0\" "
           "style=\"border-collapse:collapse; font-size:9pt\">%1</table>"_s.arg(html);
}

/// The scale of the largest of them.
ByteAxis sizesOf(const OutOfMemoryAdvice &advice, ByteUnit unit)
{
    Bytes most = 0;
    for (const Remedy &remedy : advice.remedies)
        most = std::max(most, remedy.bytes);
    return ByteAxis({0, static_cast<double>(most)}, unit, 1);
}

} // namespace

QString FailurePanel::remediesHtml() const
{
    const OutOfMemoryAdvice &advice = study()->advice().front();
    const std::vector<RemedyText> texts = remedyTexts(study()->failures().front(), advice, unit());
    return remediesTable(advice, texts, surestFirst(advice, texts), true, sizesOf(advice, unit()),
                         themeOf(this));
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
            dim, u"What would help, by what filled the memory"_s);
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

namespace {

constexpr std::size_t kMostStacks = 3;

QString takenText()
{
    return u"when the snapshot was taken"_s;
}

QString eventTarget(EventIndex event)
{
    return u"event %1"_s.arg(event);
}

} // namespace

PeakPanel::PeakPanel(QWidget *parent)
    : TextPanel(u"What the recording shows"_s, u"peak"_s, parent)
{
    connect(content(), &QLabel::linkActivated, this, &PeakPanel::follow);
    setParts({content(), {planButton(), 0, Qt::AlignLeft}, EmptyRoom()}, 12);
}

void PeakPanel::showStudy(const Study *study)
{
    if (study != this->study())
        setStudy(study);
}

PeakPanel::Line PeakPanel::peakLine() const
{
    const Peak &peak = study()->peak();
    if (!study()->hasHistory())
        return {bytesText(peak.active, unit()), {}, takenText(), eventTarget(peak.event)};
    QString when =
        peak.event < 0 ? u"before the first event"_s : u"at event %1"_s.arg(countText(peak.event));
    if (study()->hasTimes() && peak.event >= 0)
        when += u", %1 after the first"_s.arg(
            toQString(formatMicroseconds(study()->timeOf(peak.event))));
    return {bytesText(peak.active, unit()), {}, when, eventTarget(peak.event)};
}

std::vector<PeakPanel::Section> PeakPanel::sections() const
{
    const Peak &peak = study()->peak();
    std::vector<Section> sections;
    Section kinds{u"What it holds"_s, {}};
    for (const Peak::CategoryShare &share : peak.byCategory)
        kinds.lines.push_back({bytesText(share.tally.bytes, unit()),
                               shareText(share.tally.bytes, peak.active),
                               toQString(categoryPhrase(share.category)), u"categories"_s});
    Section stacks{u"The stacks that hold most of it"_s, {}};
    FrameOrigins origins(study()->trace());
    for (const LiveGroup &group :
         std::span(peak.byStack).first(std::min(kMostStacks, peak.byStack.size())))
        stacks.lines.push_back({bytesText(group.bytes, unit()), shareText(group.bytes, peak.active),
                                groupText(study()->trace(), group, origins),
                                u"allocation %1"_s.arg(group.first)});
    sections = {kinds, stacks};
    const UsageCurve &curve = study()->curve();
    if (curve.isReservedKnown()) {
        const EventIndex end = curve.count() - 1;
        const Bytes atEnd = std::max(curve.reserved(end) - curve.active(end), Bytes(0));
        const Bytes atPeak = std::max(peak.reserved - peak.active, Bytes(0));
        if (!study()->hasHistory())
            sections.push_back({u"Reserved but idle"_s,
                                {{bytesText(atEnd, unit()), {}, takenText(), eventTarget(end)}}});
        else
            sections.push_back(
                {u"Reserved but idle"_s,
                 {{bytesText(atPeak, unit()), {}, u"at the peak"_s, eventTarget(peak.event)},
                  {bytesText(atEnd, unit()), {}, u"at the end"_s, eventTarget(end)}}});
    }
    return sections;
}

QString PeakPanel::text() const
{
    if (!study())
        return {};
    const Line peak = peakLine();
    QString text =
        (study()->hasHistory() ? u"The peak is %1 in use, %2.\n"_s : u"%1 in use %2.\n"_s)
            .arg(peak.size, peak.what);
    for (const Section &section : sections()) {
        text += u'\n' + section.heading + u'\n';
        for (const Line &line : section.lines) {
            QStringList parts{line.size, line.share, line.what};
            parts.removeAll(QString());
            text += parts.join(u" · "_s) + u'\n';
        }
    }
    if (!advises())
        return text;
    text += u"\nWhat would lower the peak\n"_s;
    for (const RemedyText &remedy : peakRemedyTexts(study()->peakAdvice(), unit()))
        text += u"%1 · %2\n"_s.arg(toQString(remedy.gives), toQString(remedy.title));
    return text;
}

QString PeakPanel::html() const
{
    const Theme &theme = themeOf(this);
    const auto link = [&](const Line &line) {
        return u"<a href=\"%1\" style=\"color:%2; text-decoration:none\">%3</a>"_s.arg(
            line.target, theme.accent.name(),
            line.what.toHtmlEscaped().replace(u"::"_s, u"::&#8203;"_s)); // where lines may end
    };
    const Line peak = peakLine();
    QString html = (study()->hasHistory() ? u"<p><b>Peak %1 in use</b><br>%2</p>"_s
                                          : u"<p><b>%1 in use</b><br>%2</p>"_s)
                       .arg(peak.size, link(peak));
    for (const Section &section : sections()) {
        html += u"<p style=\"color:%1; margin-bottom:2px\">%2</p><table cellspacing=\"0\" "
                "cellpadding=\"2\" width=\"100%\">"_s.arg(theme.dim.name(), section.heading);
        for (const Line &line : section.lines)
            html += u"<tr><td align=\"right\" style=\"white-space:nowrap\">%1</td>"
                    "<td align=\"right\" style=\"white-space:nowrap; color:%2; "
                    "padding-left:6px\">%3</td>"
                    "<td width=\"100%\" style=\"padding-left:6px\">%4</td></tr>"_s.arg(
                        line.size, theme.dim.name(), line.share.toHtmlEscaped(), link(line));
        html += u"</table>"_s;
    }
    return html + adviceHtml();
}

bool PeakPanel::advises() const
{
    return study()->hasHistory() && study()->failures().empty() &&
           !study()->peakAdvice().remedies.empty();
}

QString PeakPanel::adviceHtml() const
{
    if (!advises()) // why memory ran out is another panel's
        return {};
    const OutOfMemoryAdvice &advice = study()->peakAdvice();
    const std::vector<RemedyText> texts = peakRemedyTexts(advice, unit());
    std::vector<std::size_t> order(texts.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    return u"<p></p>"_s +
           remediesTable(advice, texts, order, false, sizesOf(advice, unit()), themeOf(this));
}

void PeakPanel::follow(const QString &target)
{
    if (target == u"categories")
        return Q_EMIT categoriesWanted();
    const QString number = target.section(u' ', 1);
    if (target.startsWith(u"event"))
        Q_EMIT eventWanted(number.toInt());
    else
        Q_EMIT allocationWanted(number.toUInt());
}

} // namespace vramscope
