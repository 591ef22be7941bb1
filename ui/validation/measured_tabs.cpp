// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/validation/measured_tabs.h"

#include "ui/validation/throughput_view.h"
#include "ui/validation/validation_page.h"

#include <QButtonGroup>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

std::optional<MeasuredTab> measuredTabNamed(QStringView name)
{
    return name == u"memory"       ? std::optional(MeasuredTab::Memory)
           : name == u"throughput" ? std::optional(MeasuredTab::Throughput)
                                   : std::nullopt;
}

MeasuredTabs::MeasuredTabs(std::shared_ptr<const Validation> validation,
                           std::shared_ptr<const SpeedValidation> speeds, QWidget *parent)
    : QWidget(parent)
    , m_memory(new ValidationPage(std::move(validation)))
    , m_throughput(new ThroughputView(std::move(speeds)))
    , m_buttons(new QButtonGroup(this))
    , m_pages(new QStackedWidget)
{
    auto *bar = new QWidget;
    bar->setProperty("role", u"strip"_s);
    bar->setAttribute(Qt::WA_StyledBackground);
    auto *tabs = new QHBoxLayout(bar);
    tabs->setContentsMargins(12, 6, 12, 6);
    tabs->setSpacing(4);
    for (const auto &[tab, text] : {std::pair(MeasuredTab::Memory, u"Memory"_s),
                                    std::pair(MeasuredTab::Throughput, u"Throughput"_s)}) {
        auto *button = new QPushButton(text);
        button->setCheckable(true);
        button->setProperty("role", u"tab"_s);
        m_buttons->addButton(button, static_cast<int>(tab));
        tabs->addWidget(button);
    }
    tabs->addStretch(1);
    m_pages->addWidget(m_memory);
    m_pages->addWidget(m_throughput);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(bar);
    layout->addWidget(m_pages, 1);
    connect(m_buttons, &QButtonGroup::idClicked, this,
            [this](int tab) { showTab(static_cast<MeasuredTab>(tab)); });
    connect(m_memory, &ValidationPage::statusChanged, this, &MeasuredTabs::statusChanged);
    connect(m_throughput, &ThroughputView::statusChanged, this, &MeasuredTabs::statusChanged);
    connect(m_memory, &ValidationPage::planWanted, this, &MeasuredTabs::planWanted);
    connect(m_throughput, &ThroughputView::planWanted, this, &MeasuredTabs::planWanted);
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
    m_memory->setUnit(unit);
}

const QAbstractItemModel &MeasuredTabs::rows() const
{
    return *(tab() == MeasuredTab::Memory ? m_memory->rowsView() : m_throughput->rowsView())
                ->model();
}

QString MeasuredTabs::tableTitle() const
{
    return tab() == MeasuredTab::Memory ? u"Predicted against measured"_s
                                        : u"Projected against published speeds"_s;
}

QString MeasuredTabs::statusText() const
{
    return tab() == MeasuredTab::Memory ? m_memory->statusText() : m_throughput->statusText();
}

} // namespace vramscope
