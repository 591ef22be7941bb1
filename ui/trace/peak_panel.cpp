// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/peak_panel.h"

#include "core/analysis/costs/frame_text.h"
#include "core/analysis/findings/peak.h"
#include "core/analysis/replayed/usage_curve.h"
#include "ui/models/stack_text.h"
#include "ui/support/count_text.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QLabel>

#include <algorithm>
#include <span>

namespace vramscope {

using namespace Qt::StringLiterals;

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
                               toQString(memoryCategoryName(share.category)), u"categories"_s});
    Section stacks{u"The stacks that hold most of it"_s, {}};
    FrameOrigins origins(study()->trace());
    for (const LiveGroup &group :
         std::span(peak.byStack).first(std::min(kMostStacks, peak.byStack.size())))
        stacks.lines.push_back({bytesText(group.bytes, unit()), shareText(group.bytes, peak.active),
                                siteAndCalleeText(study()->trace(), group.stack, origins),
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
    return text;
}

QString PeakPanel::html() const
{
    const Theme &theme = themeOf(this);
    const auto link = [&](const Line &line) {
        return u"<a href=\"%1\" style=\"color:%2; text-decoration:none\">%3</a>"_s.arg(
            line.target, theme.accent.name(), line.what.toHtmlEscaped());
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
    return html;
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
