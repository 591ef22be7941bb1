// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/stacks/call_tree_view.h"
#include "ui/stacks/flame_view.h"
#include "ui/support/elided_label.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/stacks_view.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>

namespace vramscope {

using namespace Qt::StringLiterals;

StacksView::StacksView(std::shared_ptr<const TraceDocument> document, TimelineState *state,
                       QWidget *parent)
    : QWidget(parent)
    , m_document(std::move(document))
    , m_state(state)
    , m_forms(new QButtonGroup(this))
    , m_costs(new QComboBox)
    , m_hideFramework(new QCheckBox(u"Hide framework frames"_s))
    , m_about(new ElidedLabel(Qt::ElideRight))
    , m_crumbs(new QLabel)
    , m_search(searchField(u"Find a function or file"_s, 32))
    , m_matches(new QLabel)
    , m_body(new QStackedWidget)
    , m_flame(new FlameView)
    , m_rows(new CallTreeView)
    , m_empty(emptyLabel())
    , m_details(new ElidedLabel(Qt::ElideMiddle))
{
    m_matches->setProperty("role", u"dim"_s);
    m_crumbs->setProperty("role", u"dim"_s);
    m_about->setProperty("role", u"dim"_s);
    m_details->setProperty("role", u"dim"_s);
    for (QWidget *widget : {static_cast<QWidget *>(m_flame), static_cast<QWidget *>(m_rows),
                            static_cast<QWidget *>(m_empty)})
        m_body->addWidget(widget);
    setLayout(column({choices(), finder(), {m_body, 1}, m_details}, 4, {0, 4, 0, 4}));
    connectParts();
    present();
}

QWidget *StacksView::choices()
{
    QHBoxLayout *bar = tabButtons(*m_forms, {u"Flame graph"_s, u"Top-down"_s, u"Bottom-up"_s});
    m_forms->button(static_cast<int>(m_form))->setChecked(true);
    m_forms->button(static_cast<int>(Form::TopDown))
        ->setToolTip(u"From where the program starts to where it allocates"_s);
    m_forms->button(static_cast<int>(Form::BottomUp))
        ->setToolTip(u"From where memory is allocated to who called it"_s);
    for (std::size_t at = 0; at < kCostCount; ++at) {
        const auto cost = static_cast<Cost>(at);
        m_costs->addItem(costTitle(cost));
        m_costs->setItemData(static_cast<int>(at), costExplanation(cost), Qt::ToolTipRole);
    }
    m_costs->setCurrentIndex(static_cast<int>(m_style.cost));
    m_costs->setAccessibleName(u"Cost"_s);
    bar->addSpacing(8);
    bar->addWidget(m_costs);
    bar->addSpacing(6);
    bar->addWidget(m_about, 1);
    bar->addWidget(m_hideFramework);
    return panel(bar);
}

QWidget *StacksView::finder()
{
    m_crumbs->setTextFormat(Qt::RichText);
    m_crumbs->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_crumbs->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_crumbs->setAccessibleName(u"What is zoomed to"_s);
    return panel(row({{m_crumbs, 1}, EmptyRoom{0}, m_matches, m_search}, 10));
}

void StacksView::connectParts()
{
    connect(m_forms, &QButtonGroup::idClicked, this,
            [this](int id) { setForm(static_cast<Form>(id)); });
    connect(m_costs, &QComboBox::currentIndexChanged, this,
            [this](int at) { setCost(static_cast<Cost>(at)); });
    connect(m_hideFramework, &QCheckBox::toggled, this, &StacksView::refresh);
    connect(m_search, &QLineEdit::textChanged, this, &StacksView::search);
    connect(m_search, &QLineEdit::returnPressed, this, &StacksView::nextMatch);
    connect(m_state, &TimelineState::cursorChanged, this, &StacksView::refresh);
    connect(m_state, &TimelineState::keptChanged, this, &StacksView::refresh);
    connect(m_flame, &FlameView::focusChanged, this, &StacksView::updateCrumbs);
    connect(m_flame, &FlameView::described, m_details, &ElidedLabel::setFullText);
    connect(m_flame, &FlameView::activated, this, &StacksView::choose);
    connect(m_rows, &CallTreeView::nodeActivated, this, &StacksView::choose);
    connect(m_crumbs, &QLabel::linkActivated, this,
            [this](const QString &link) { m_flame->zoomTo(link.toUInt()); });
}

} // namespace vramscope
