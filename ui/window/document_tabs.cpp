// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/document_tabs.h"

#include "core/exchange/import.h"
#include "ui/compare/comparison.h"
#include "ui/offscreen/examples.h"
#include "ui/planner/plan_page.h"
#include "ui/profile/profile_page.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/window/document_tab.h"
#include "ui/window/notice_bar.h"
#include "ui/window/start_page.h"
#include "ui/window/tab_drag.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>
#include <QTabBar>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// Tabs that give up the middle of a long name where there are many, and no more: beyond that the
/// bar scrolls.
class TitledTabBar : public QTabBar
{
public:
    using QTabBar::QTabBar;

protected:
    [[nodiscard]] QSize tabSizeHint(int tab) const override
    {
        constexpr int kHeight = 40;
        return {QTabBar::tabSizeHint(tab).width(), kHeight};
    }

    [[nodiscard]] QSize minimumTabSizeHint(int tab) const override
    {
        constexpr int kLeastCharacters = 30; // with the margins and the button that closes it
        QSize size = tabSizeHint(tab);
        size.setWidth(std::min(size.width(), kLeastCharacters * fontMetrics().averageCharWidth()));
        return size;
    }
};

} // namespace

DocumentTabs::DocumentTabs(DocumentReader reader, Questions questions, QWidget *parent)
    : QTabWidget(parent)
    , m_reader(std::move(reader))
    , m_questions(std::move(questions))
    , m_startPage(new StartPage(this))
{
    setTabBar(new TitledTabBar);
    setDocumentMode(true);
    setTabsClosable(true);
    setMovable(true);
    setElideMode(Qt::ElideMiddle);
    addTab(m_startPage, u"Start"_s);
    new TabDrag(this);
    for (const auto side : {QTabBar::LeftSide, QTabBar::RightSide})
        tabBar()->setTabButton(0, side, nullptr);
    connect(this, &QTabWidget::currentChanged, this, &DocumentTabs::currentDocumentChanged);
    connect(this, &QTabWidget::tabCloseRequested, this, [this](int tab) { close(document(tab)); });
    connect(m_startPage, &StartPage::documentWanted, this,
            [this](const QString &path) { openFile(path); });
}

DocumentTab *DocumentTabs::current() const
{
    return document(currentIndex());
}

DocumentTab *DocumentTabs::document(int tab) const
{
    return qobject_cast<DocumentTab *>(widget(tab));
}

QList<DocumentTab *> DocumentTabs::documents() const
{
    QList<DocumentTab *> found;
    for (int tab = 0; tab < count(); ++tab) {
        if (DocumentTab *one = document(tab))
            found.append(one);
    }
    return found;
}

void DocumentTabs::layOut()
{
    setTabText(0, tabText(0)); // nothing else makes room for a corner's new size
}

void DocumentTabs::paintEvent(QPaintEvent *)
{
    // The strip behind the tabs, and a line under it that the current tab interrupts.
    const Theme &theme = themeOf(this);
    const QRect strip(0, 0, width(), tabBar()->geometry().bottom() + 1);
    QPainter painter(this);
    painter.fillRect(strip, theme.raised);
    painter.fillRect(strip.adjusted(0, strip.height() - 1, 0, 0), theme.line);
}

void DocumentTabs::contextMenuEvent(QContextMenuEvent *event)
{
    DocumentTab *tab = current();
    if (!tab || !tab->rect().contains(tab->mapFromGlobal(event->globalPos())))
        return event->ignore();
    // Not exec(): the chosen action may open a dialog, or close the tab.
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addActions(actions());
    menu->popup(event->globalPos());
}

DocumentTab *DocumentTabs::add()
{
    auto *tab = new DocumentTab(m_reader, m_unit, this);
    tab->setWorkRules(m_rules);
    connect(tab, &DocumentTab::changed, this, [this, tab] { refresh(tab); });
    connect(tab, &DocumentTab::closeWanted, this, [this, tab] { close(tab); });
    connect(tab, &DocumentTab::pageShown, this, &DocumentTabs::connectPage);
    connect(tab, &DocumentTab::otherFileWanted, this, &DocumentTabs::openWanted);
    addTab(tab, QString());
    return tab;
}

void DocumentTabs::connectPage(const DocumentPage *page)
{
    connect(page, &DocumentPage::openWanted, this, &DocumentTabs::openFile);
    connect(page, &DocumentPage::comparisonWanted, this, &DocumentTabs::compare);
    connect(page, &DocumentPage::planWanted, this, &DocumentTabs::startPlan);
    connect(page, &DocumentPage::recoveredPlanWanted, this, &DocumentTabs::startRecovered);
    if (const auto *plan = qobject_cast<const PlanPage *>(page)) {
        connect(plan, &PlanPage::settingsWanted, this, &DocumentTabs::settingsWanted);
        connect(plan, &PlanPage::trustWanted, this, &DocumentTabs::showTrust);
    }
    if (const auto *profile = qobject_cast<const ProfilePage *>(page))
        connect(profile, &ProfilePage::rulesWanted, this, &DocumentTabs::rulesWanted);
}

void DocumentTabs::openFile(const QString &asked, std::optional<std::size_t> device)
{
    const QString path = documentPath(asked);
    const QString wanted = wholePath(path);
    for (DocumentTab *open : documents()) {
        if (open->path() == wanted) {
            setCurrentWidget(open);
            if (device && open->page())
                open->page()->showDevice(*device);
            return;
        }
    }
    DocumentTab *tab = add();
    tab->open(path, device);
    setCurrentWidget(tab);
    if (!isExample(path))
        Q_EMIT fileUsed(tab->path());
}

void DocumentTabs::showTrust(const QString &run)
{
    openFile(trustPath());
    current()->showRuns(run);
}

void DocumentTabs::compare(std::vector<ComparedTrace> traces)
{
    const bool isOfDevices = traces.size() == 1 && traces.front().profile;
    if ((traces.size() < 2 && !isOfDevices) || traces.size() > kMostCompared)
        return m_questions.tell(
            u"A comparison takes two to %1 recordings; these are %2."_s.arg(kMostCompared)
                .arg(traces.size()));
    for (ComparedTrace &trace : traces)
        shareOpen(trace);
    DocumentTab *tab = add();
    tab->compare(std::move(traces));
    setCurrentWidget(tab);
}

void DocumentTabs::shareOpen(ComparedTrace &trace) const
{
    for (const DocumentTab *open : trace.isRead() ? QList<DocumentTab *>() : documents()) {
        if (open->path() != trace.path || !open->page())
            continue;
        for (const ComparedTrace &shown : open->page()->compared())
            trace.take(shown);
    }
}

void DocumentTabs::hold(DocumentTab *plan, ComparedTrace recording)
{
    shareOpen(recording);
    DocumentTab *tab = add();
    tab->hold(plan, std::move(recording));
    setCurrentWidget(tab);
}

void DocumentTabs::startPlan(const Plan &plan, const QString &notice)
{
    DocumentTab *tab = add();
    tab->start(plan, notice);
    setCurrentWidget(tab);
}

void DocumentTabs::startUnsaved(const Plan &plan)
{
    startPlan(plan);
    current()->page()->planEditing()->markUnsaved();
}

void DocumentTabs::startRecovered(const Plan &plan, const QString &notice,
                                  const ComparedTrace &recording)
{
    startUnsaved(plan);
    DocumentTab *tab = current();
    tab->notice()->showNotice(notice, u"Compare with the recording"_s,
                              [this, tab, recording] { hold(tab, recording); });
}

void DocumentTabs::startImported(const QString &name, const Imported &imported)
{
    DocumentTab *tab = add();
    tab->startImported(name, imported);
    setCurrentWidget(tab);
}

void DocumentTabs::recoverPlan(const QString &path, const FileState &file, const Plan &opened,
                               const Plan &plan)
{
    DocumentTab *tab = add();
    tab->recover(path, file, opened, plan);
    setCurrentWidget(tab);
}

void DocumentTabs::setWorkRules(const std::vector<WorkRule> &rules)
{
    m_rules = rules;
    for (DocumentTab *tab : documents())
        tab->setWorkRules(rules);
}

void DocumentTabs::setUnit(ByteUnit unit)
{
    m_unit = unit;
    for (DocumentTab *tab : documents())
        tab->setUnit(unit);
}

void DocumentTabs::refresh(DocumentTab *tab)
{
    const int index = indexOf(tab);
    if (index < 0)
        return;
    QString text = tab->title();
    text.replace(u'&', u"&&"_s);
    setTabText(index, tab->isModified() ? text + u" \u25cf"_s : text);
    setTabToolTip(index, tab->path().isEmpty() ? tab->title() : tab->path());
    if (tab == current())
        Q_EMIT currentDocumentChanged();
}

bool DocumentTabs::save(DocumentTab *tab)
{
    if (tab->path().isEmpty() || isExample(tab->path()))
        return saveAs(tab);
    if (tab->isFileChanged() &&
        !m_questions.confirm(
            u"%1 was changed by another program. Saving this plan replaces what is in it now."_s
                .arg(tab->path()),
            u"Replace"_s))
        return false;
    const auto saved = tab->saveAs(tab->path());
    if (!saved)
        m_questions.tell(toQString(saved.error().text()));
    return saved.ok();
}

bool DocumentTabs::saveAs(DocumentTab *tab)
{
    QString suggestion = tab->path();
    if (suggestion.isEmpty() || isExample(suggestion))
        suggestion = tab->title().replace(u'/', u'-') + u".vramplan"_s;
    const QString name = m_questions.askForName(suggestion);
    if (name.isEmpty())
        return false;
    const auto saved = tab->saveAs(name);
    if (!saved)
        m_questions.tell(toQString(saved.error().text()));
    else
        Q_EMIT fileUsed(tab->path());
    return saved.ok();
}

bool DocumentTabs::mayDrop(DocumentTab *tab)
{
    if (!tab->isModified())
        return true;
    setCurrentWidget(tab);
    switch (m_questions.askToSave(tab->title())) {
    case SaveAnswer::Save:
        return save(tab);
    case SaveAnswer::Discard:
        return true;
    case SaveAnswer::Cancel:
        break;
    }
    return false;
}

bool DocumentTabs::close(DocumentTab *tab)
{
    if (!tab || !mayDrop(tab))
        return false;
    removeTab(indexOf(tab));
    Q_EMIT tab->closed();
    tab->deleteLater();
    return true;
}

bool DocumentTabs::mayCloseAll()
{
    for (DocumentTab *tab : documents()) {
        if (!mayDrop(tab))
            return false;
    }
    return true;
}

} // namespace vramscope
