// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/scenario_bar.h"

#include "ui/page/layout.h"
#include "ui/planner/look.h"
#include "ui/planner/scenario_list.h"

#include <QHBoxLayout>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>

namespace vramscope {

using namespace Qt::StringLiterals;

ScenarioBar::ScenarioBar(QWidget *parent)
    : QWidget(parent)
    , m_pin(quietButton(u"Pin this plan"_s))
    , m_notice(dimLabel())
    , m_row(row({m_pin, m_notice}, 2))
{
    setLayout(m_row);
    m_notice->setWordWrap(false);
    m_notice->setContentsMargins(0, 0, 6, 0);
    m_notice->hide();
    m_pin->setAccessibleName(u"Pin this plan as a scenario"_s);
    m_pin->setFocusPolicy(Qt::StrongFocus);
    m_pin->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P));
    connect(m_pin, &QToolButton::clicked, this, &ScenarioBar::pinWanted);
}

void ScenarioBar::setList(ScenarioList *list)
{
    m_list = list;
    connect(list, &ScenarioList::changed, this, &ScenarioBar::rebuild);
    rebuild();
}

void ScenarioBar::showPinned(std::size_t index)
{
    m_notice->setText(u"pinned already as %1"_s.arg(m_list->all()[index].letter));
    m_notice->show();
    m_letters[index]->setFocus(Qt::OtherFocusReason);
}

void ScenarioBar::forgetPinned()
{
    m_notice->clear();
    m_notice->hide();
}

QString ScenarioBar::notice() const
{
    return m_notice->text();
}

void ScenarioBar::rebuild()
{
    forgetPinned();
    // A button whose menu led here is still at work: it goes when it is done.
    for (QToolButton *letter : m_letters) {
        letter->hide();
        letter->deleteLater();
    }
    m_letters.clear();
    for (std::size_t index = 0; index < m_list->all().size(); ++index) {
        m_letters.push_back(makeLetter(index));
        m_row->addWidget(m_letters.back());
    }
    m_pin->setEnabled(!m_list->full());
    m_pin->setToolTip(m_list->full()
                          ? u"%1 scenarios are pinned: remove one first"_s.arg(ScenarioList::kMost)
                          : u"Keep this plan as a scenario to compare with "
                            "(Ctrl+Shift+P). Scenarios last as long as this tab."_s);
}

QToolButton *ScenarioBar::makeLetter(std::size_t index)
{
    const Scenario &scenario = m_list->all()[index];
    const bool baseline = m_list->baseline() == index;
    QToolButton *button =
        quietButton(baseline ? u"[%1]"_s.arg(scenario.letter) : QString(scenario.letter));
    button->setProperty("role", u"scenario"_s);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setToolTip(baseline ? u"%1: changes are marked against it"_s.arg(scenario.title())
                                : scenario.title());
    button->setAccessibleName(u"Scenario %1"_s.arg(button->toolTip()));
    auto *menu = new QMenu(button);
    connect(menu->addAction(u"Bring back"_s), &QAction::triggered, this,
            [this, index] { Q_EMIT bringBackWanted(index); });
    QAction *mark = menu->addAction(u"Mark changes against it"_s);
    mark->setCheckable(true);
    mark->setChecked(baseline);
    connect(mark, &QAction::triggered, this, [this, index](bool on) {
        m_list->setBaseline(on ? std::optional(index) : std::nullopt);
    });
    connect(menu->addAction(u"Rename…"_s), &QAction::triggered, this,
            [this, index] { askName(index); });
    connect(menu->addAction(u"Remove"_s), &QAction::triggered, this,
            [this, index] { m_list->remove(index); });
    button->setMenu(menu);
    return button;
}

void ScenarioBar::askName(std::size_t index)
{
    const Scenario &scenario = m_list->all()[index];
    bool wanted = false;
    const QString name = QInputDialog::getText(this, u"Rename scenario"_s,
                                               u"Name of scenario %1"_s.arg(scenario.letter),
                                               QLineEdit::Normal, scenario.name, &wanted);
    if (wanted)
        m_list->rename(index, name);
}

} // namespace vramscope
