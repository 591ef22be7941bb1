// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/peak_panel.h"

#include "core/analysis/costs/frame_text.h"
#include "core/analysis/findings/peak.h"
#include "core/analysis/replayed/usage_curve.h"
#include "ui/support/text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMostStacks = 3;

QString shareText(Bytes part, Bytes whole)
{
    const double share =
        whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
    return share < 0.1 ? u"< 0.1 %"_s : u"%1 %"_s.arg(share, 0, 'f', 1);
}

} // namespace

PeakPanel::PeakPanel(QWidget *parent)
    : QScrollArea(parent)
    , m_content(new QLabel)
{
    setFrameShape(NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(u"What the recording shows"_s);
    m_content->setObjectName(u"peak"_s);
    m_content->setTextFormat(Qt::RichText);
    m_content->setWordWrap(true);
    m_content->setMinimumWidth(1); // a long word must not push the ends of all lines out of sight
    m_content->setAlignment(Qt::AlignTop);
    m_content->setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::TextSelectableByKeyboard);
    connect(m_content, &QLabel::linkActivated, this, &PeakPanel::follow);
    auto *copy = new QPushButton(u"Copy"_s);
    copy->setToolTip(u"Copy everything here as text"_s);
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(text()); });
    auto *plan = new QPushButton(u"Make a plan from this recording"_s);
    connect(plan, &QPushButton::clicked, this, &PeakPanel::planWanted);

    auto *title = new QLabel(u"What the recording shows"_s.toUpper());
    title->setProperty("role", u"section"_s);
    auto *content = new QWidget;
    content->setProperty("role", u"side"_s);
    content->setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(6);
    auto *head = new QHBoxLayout;
    head->addWidget(title, 1);
    head->addWidget(copy);
    layout->addLayout(head);
    layout->addWidget(m_content, 1);
    layout->addWidget(plan, 0, Qt::AlignLeft);
    setWidget(content);
}

void PeakPanel::setUnit(ByteUnit unit)
{
    m_unit = unit;
    refresh();
}

void PeakPanel::showStudy(const Study *study)
{
    if (std::exchange(m_study, study) != study)
        refresh();
}

std::vector<PeakPanel::Line> PeakPanel::lines() const
{
    if (!m_study)
        return {};
    const Study &study = *m_study;
    const Peak &peak = study.peak();
    const auto event = [](EventIndex at) { return u"event %1"_s.arg(at); };
    QString when =
        peak.event < 0 ? u"before the first event"_s : u"at event %1"_s.arg(countText(peak.event));
    if (study.hasTimes() && peak.event >= 0)
        when +=
            u", %1 after the first"_s.arg(toQString(formatMicroseconds(study.timeOf(peak.event))));
    std::vector<Line> lines{
        {u"The peak is %1 in use, %2."_s.arg(bytesText(peak.active, m_unit), when),
         event(peak.event)},
        {u"What it holds"_s, {}}};
    for (const Peak::CategoryShare &share : peak.byCategory) {
        const QString name = toQString(memoryCategoryName(share.category));
        lines.push_back({u"%1 · %2 · %3"_s.arg(bytesText(share.tally.bytes, m_unit),
                                               shareText(share.tally.bytes, peak.active), name),
                         u"categories"_s});
    }
    lines.push_back({u"The stacks that hold most of it"_s, {}});
    for (const LiveGroup &group :
         std::span(peak.byStack).first(std::min(kMostStacks, peak.byStack.size()))) {
        const QString stack = group.stack == StackId::None
                                  ? u"without a stack"_s
                                  : toQString(bestFrameText(study.trace(), group.stack));
        lines.push_back({u"%1 · %2 · %3"_s.arg(bytesText(group.bytes, m_unit),
                                               shareText(group.bytes, peak.active), stack),
                         u"allocation %1"_s.arg(group.first)});
    }
    const UsageCurve &curve = study.curve();
    if (curve.isReservedKnown()) {
        const Bytes idle = std::max(peak.reserved - peak.active, Bytes(0));
        const EventIndex end = curve.count() - 1;
        lines.push_back({u"Reserved but idle"_s, {}});
        lines.push_back({u"%1 at the peak"_s.arg(bytesText(idle, m_unit)), event(peak.event)});
        lines.push_back({u"%1 at the end"_s.arg(bytesText(
                             std::max(curve.reserved(end) - curve.active(end), Bytes(0)), m_unit)),
                         event(end)});
    }
    return lines;
}

QString PeakPanel::text() const
{
    QString text;
    for (const Line &line : lines())
        text += (line.target.isEmpty() ? u"\n"_s + line.text : line.text) + u'\n';
    return text;
}

void PeakPanel::refresh()
{
    QString html;
    for (const Line &line : lines()) {
        const QString shown = line.text.toHtmlEscaped();
        html +=
            line.target.isEmpty()
                ? u"<p><b>%1</b></p>"_s.arg(shown)
                : u"<p style=\"margin:2px 0\"><a href=\"%1\">%2</a></p>"_s.arg(line.target, shown);
    }
    m_content->setText(html);
    widget()->layout()->activate(); // pictures are taken without an event loop
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
