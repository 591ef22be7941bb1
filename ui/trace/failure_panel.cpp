// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/failure_panel.h"

#include "core/print/oom_remedies.h"
#include "core/print/oom_report.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QString paragraph(const QString &text)
{
    return text.isEmpty() ? QString() : u"<p>%1</p>"_s.arg(text.toHtmlEscaped());
}

} // namespace

FailurePanel::FailurePanel(std::shared_ptr<const TraceDocument> document, QWidget *parent)
    : QScrollArea(parent)
    , m_document(std::move(document))
    , m_content(new QLabel)
    , m_copy(new QPushButton(u"Copy"_s))
    , m_plan(new QPushButton(u"Make a plan from this recording"_s))
{
    setFrameShape(NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(u"Why memory ran out"_s);
    m_content->setObjectName(u"failure"_s);
    m_content->setTextFormat(Qt::RichText);
    m_content->setWordWrap(true);
    m_content->setMinimumWidth(1); // a long word must not push the ends of all lines out of sight
    m_content->setAlignment(Qt::AlignTop);
    m_content->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_copy->setToolTip(u"Copy everything here as text"_s);
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(text()); });
    connect(m_plan, &QPushButton::clicked, this, &FailurePanel::planWanted);

    auto *title = new QLabel(u"Why memory ran out"_s.toUpper());
    title->setProperty("role", u"section"_s);
    auto *content = new QWidget;
    content->setProperty("role", u"side"_s);
    content->setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(6);
    auto *head = new QHBoxLayout;
    head->addWidget(title, 1);
    head->addWidget(m_copy);
    layout->addLayout(head);
    layout->addWidget(m_plan, 0, Qt::AlignLeft);
    layout->addWidget(m_content, 1);
    setWidget(content);
}

void FailurePanel::setUnit(ByteUnit unit)
{
    m_unit = unit;
    if (m_isShown)
        refresh();
}

void FailurePanel::showDevice(std::size_t device, const Study *study)
{
    m_device = device;
    m_study = study;
    m_isShown = true;
    refresh();
}

bool FailurePanel::isKnown() const
{
    return m_study && !m_study->failures().empty();
}

QString FailurePanel::whyText() const
{
    return toQString(outOfMemoryParagraph(*m_study, m_study->failures().front(), m_unit));
}

QString FailurePanel::html() const
{
    const OutOfMemoryReport &failure = m_study->failures().front();
    const OutOfMemoryAdvice &advice = m_study->advice().front();
    const QString dim = themeOf(this).dim.name();
    const QString filled = toQString(filledText(advice, m_unit));
    QString html = paragraph(whyText());
    if (!filled.isEmpty())
        html += paragraph(u"In use: %1."_s.arg(filled));
    html += paragraph(toQString(stepText(failure, advice, m_unit)));
    const std::vector<RemedyText> remedies = remedyTexts(failure, advice, m_unit);
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
    if (!isKnown())
        return {};
    return whyText() + u"\n\n"_s +
           toQString(adviceText(m_study->failures().front(), m_study->advice().front(), m_unit));
}

void FailurePanel::refresh()
{
    m_copy->setVisible(isKnown());
    m_plan->setVisible(isKnown());
    m_content->setText(isKnown() ? html() : paragraph(u"Being worked out …"_s));
    // At once, not after some turns of the event loop: pictures are taken without one.
    widget()->layout()->activate();
}

void FailurePanel::changeEvent(QEvent *event)
{
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_isShown)
        refresh();
}

} // namespace vramscope
