// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/validation/measured_tabs.h"

#include "ui/export/exported_view.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/validation/throughput_view.h"
#include "ui/validation/validation_page.h"

#include <QAbstractButton>
#include <QBoxLayout>
#include <QButtonGroup>
#include <QStackedWidget>
#include <QTableView>

namespace vramscope {

using namespace Qt::StringLiterals;

std::optional<MeasuredTab> measuredTabNamed(QStringView name)
{
    return name == u"memory"       ? std::optional(MeasuredTab::Memory)
           : name == u"throughput" ? std::optional(MeasuredTab::Throughput)
                                   : std::nullopt;
}

MeasuredDocument::MeasuredDocument(std::shared_ptr<const Validation> validation,
                                   std::shared_ptr<const SpeedValidation> throughput)
    : memory(std::move(validation))
    , speeds(std::move(throughput))
{
}

std::unique_ptr<DocumentPage> MeasuredDocument::makePage(const QString &, const QString &,
                                                         QWidget *parent) const
{
    return std::make_unique<MeasuredTabs>(shared<MeasuredDocument>(), parent);
}

DocumentKind MeasuredDocument::kind() const
{
    return {u"Measured figures of VRAMscope"_s, u"trust"_s,
            u"These are the measured figures; their view is trust."_s};
}

Caption MeasuredDocument::caption(const QString &title, const QString &, ByteUnit) const
{
    return captionOf(title, {}, kind().source); // of no file
}

MeasuredTabs::MeasuredTabs(const std::shared_ptr<const MeasuredDocument> &document, QWidget *parent)
    : DocumentPage(document, parent)
    , m_memory(new ValidationPage(document->memory))
    , m_throughput(new ThroughputView(document->speeds))
    , m_buttons(new QButtonGroup(this))
    , m_pages(new QStackedWidget)
{
    for (MeasuredView *view : std::initializer_list<MeasuredView *>{m_memory, m_throughput}) {
        m_pages->addWidget(view);
        connect(view, &MeasuredView::statusChanged, this, &MeasuredTabs::statusChanged);
        connect(view, &MeasuredView::planWanted, this, &MeasuredTabs::planWanted);
    }
    QHBoxLayout *tabs = tabButtons(*m_buttons, {u"Memory"_s, u"Throughput"_s}, {12, 6, 12, 6});
    tabs->addStretch(1);
    setLayout(column({panel(tabs, u"strip"_s), {m_pages, 1}}));
    connect(m_buttons, &QButtonGroup::idClicked, this,
            [this](int tab) { showTab(static_cast<MeasuredTab>(tab)); });
    showTab(MeasuredTab::Memory);
}

void MeasuredTabs::showTab(MeasuredTab tab)
{
    m_buttons->button(static_cast<int>(tab))->setChecked(true);
    m_pages->setCurrentIndex(static_cast<int>(tab));
    Q_EMIT statusChanged();
}

MeasuredTab MeasuredTabs::tab() const
{
    return static_cast<MeasuredTab>(m_pages->currentIndex());
}

void MeasuredTabs::setUnit(ByteUnit unit)
{
    DocumentPage::setUnit(unit);
    m_memory->setUnit(unit);
}

Table MeasuredTabs::table(qsizetype) const
{
    return tab() == MeasuredTab::Memory
               ? tableOf(*m_memory->rowsView()->model(), u"Predicted against measured"_s)
               : tableOf(*m_throughput->rowsView()->model(),
                         u"Projected against published speeds"_s);
}

void MeasuredTabs::goTo(const QString &place)
{
    if (const auto tab = measuredTabNamed(place))
        return showTab(*tab);
    showTab(MeasuredTab::Memory);
    m_memory->showRuns(place.toStdString());
}

QString MeasuredTabs::statusText() const
{
    return tab() == MeasuredTab::Memory ? m_memory->statusText() : m_throughput->statusText();
}

} // namespace vramscope
