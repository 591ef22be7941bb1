// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/event_panel.h"

#include "core/base/finding.h"
#include "ui/page/labels.h"
#include "ui/profile/profile_strip.h"
#include "ui/profile/profile_text.h"
#include "ui/support/text.h"

#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// A text without spaces can be broken where C++ names, patterns and lists can be.
QString breakable(QString text)
{
    for (const QString &sign : {u"::"_s, u"<"_s, u","_s, u"_"_s, u"|"_s})
        text.replace(sign, sign + QChar(0x200b));
    static const QRegularExpression calls(u"(\\S\\()"_s); // not the bracket of a sentence
    text.replace(calls, u"\\1\u200b"_s);
    static const QRegularExpression words(u"([a-z])([A-Z])"_s);
    return text.replace(words, u"\\1\u200b\\2"_s);
}

} // namespace

EventPanel::EventPanel(std::shared_ptr<const ProfileDocument> document, QWidget *parent)
    : SidePanel({}, u"Selected event"_s, parent)
    , m_document(std::move(document))
    , m_findings(new QLabel)
    , m_hint(textLabel(u"Click an event of the timeline or a row of a table to see what it is: "
                       "when it ran, what launched it, and within which operator."_s,
                       u"dim"_s))
    , m_name(textLabel())
    , m_facts(new QWidget)
    , m_form(new QFormLayout(m_facts))
    , m_link(linkButton({}))
{
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setHorizontalSpacing(14);
    m_form->setVerticalSpacing(6);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    m_form->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);

    m_findings->setObjectName(u"profileFindings"_s);
    m_findings->setTextFormat(Qt::RichText);
    m_findings->setWordWrap(true);
    m_findings->setMinimumWidth(1); // a long word must not push the ends of all lines out of sight
    m_findings->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setParts({m_findings, m_hint, m_name, m_facts, {m_link, 0, Qt::AlignLeft}, EmptyRoom()}, 8);
    connect(m_link, &QPushButton::clicked, this, [this] { Q_EMIT eventWanted(linked()); });
    refresh();
}

void EventPanel::setFindings(const std::vector<Finding> &findings)
{
    QString html;
    for (const Finding &finding : findings)
        html += u"<p><b>%1</b><br>%2</p>"_s.arg(
            toQString(finding.title), breakable(toQString(finding.sentence)).toHtmlEscaped());
    if (const KernelCounters *counters = m_document->study->counters())
        html += u"<p><b>%1</b><br>%2</p>"_s.arg(u"Counters of Nsight Compute"_s,
                                                joinText(*counters).toHtmlEscaped());
    m_findings->setText(html);
    refresh();
}

void EventPanel::showEvent(const ProfileEventId &event)
{
    m_event = event;
    refresh();
}

QString EventPanel::text() const
{
    return eventText(*m_document, m_event, m_unit);
}

ProfileEventId EventPanel::linked() const
{
    if (!m_event.valid())
        return {};
    if (m_event.kind == EventKind::Work)
        return {EventKind::Call, m_document->profile->work().call[m_event.row]};
    if (m_event.kind != EventKind::Call || m_document->launchedBy(m_event.row).empty())
        return {};
    return {EventKind::Work, m_document->launchedBy(m_event.row).front()};
}

void EventPanel::refresh()
{
    const bool some = m_event.valid();
    const bool isFound = !m_findings->text().isEmpty();
    setTitle(some || !isFound ? u"Selected event"_s : u"What the recording shows"_s);
    m_findings->setVisible(!some && isFound);
    m_hint->setVisible(!some);
    m_name->setVisible(some);
    m_facts->setVisible(some);
    copyButton()->setVisible(some);
    m_link->setVisible(linked().valid());
    m_link->setText(m_event.kind == EventKind::Work ? u"Go to its call"_s
                                                    : u"Go to what it launched"_s);
    while (m_form->rowCount() > 0)
        m_form->removeRow(0);
    if (!some)
        return;
    m_name->setText(breakable(eventName(*m_document, m_event)));
    for (const EventFact &fact : eventFacts(*m_document, m_event, m_unit)) {
        auto *of = new QLabel(toQString(fact.name));
        of->setProperty("role", u"dim"_s);
        auto *value = new QLabel(breakable(toQString(fact.value)));
        value->setTextFormat(Qt::PlainText);
        value->setWordWrap(true);
        value->setAlignment(Qt::AlignRight | Qt::AlignTop);
        value->setToolTip(tipHtml(toQString(fact.whole.empty() ? fact.value : fact.whole)));
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_form->addRow(of, value);
    }
}

} // namespace vramscope
