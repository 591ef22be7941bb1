// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profiles/profiles_page.h"

#include "core/base/counted.h"
#include "ui/models/data_table_view.h"
#include "ui/page/head.h"
#include "ui/page/labels.h"
#include "ui/page/tabbed_tables.h"
#include "ui/profile/breakdown_bar.h"
#include "ui/profile/profile_problems_view.h"
#include "ui/profiles/profiles_document.h"
#include "ui/profiles/profiles_text.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"
#include "ui/support/tip_html.h"

#include <QBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTimer>

#include <algorithm>
#include <filesystem>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype kMostNotes = 6; ///< lines of the head; the rest is in its tip

const QString kTab = u"tab"_s; ///< in what a page keeps

QStringList tabTitles()
{
    QStringList titles;
    for (std::size_t at = 0; at < kRanksTabCount; ++at)
        titles << titleOf(static_cast<RanksTab>(at));
    return titles;
}

} // namespace

ProfilesPage::ProfilesPage(ProfileFolderPointer folder, QWidget *parent)
    : DocumentPage(profilesDocument(folder), parent)
    , m_folder(std::move(folder))
    , m_bar(new BreakdownBar)
    , m_view(new DataTableView(u"Table of the ranks"_s))
    , m_tables(new TabbedTables(tabTitles(), m_view))
{
    setLayout(column({makeHead(),
                      problemsLabel(problemLines(*m_folder)),
                      {splitter(Qt::Vertical, {makeBars(), {m_tables, 1}}), 1}}));
    connectParts();
    showTable();
}

QWidget *ProfilesPage::makeHead()
{
    QStringList notes = ranksNotes(*m_folder);
    if (notes.isEmpty())
        return new PageHead({ranksHeadline(*m_folder)});
    const QString all = notes.join(u'\n');
    if (const qsizetype more = notes.size() - kMostNotes; more > 0)
        notes = notes.mid(0, kMostNotes) << u"%1 more notes …"_s.arg(more);
    QLabel *label = textLabel(notes.join(u'\n'), u"dim"_s);
    label->setToolTip(tipHtml(all));
    auto *head = new PageHead({ranksHeadline(*m_folder)});
    head->add(label);
    return head;
}

// As high as its bars where they fit, else it scrolls.
QWidget *ProfilesPage::makeBars()
{
    m_bar->setCommonScale(true);
    m_bar->setTimes(rankBars(*m_folder));
    QLabel *nothing = nullptr;
    if (m_bar->times().empty()) {
        m_bar->hide();
        nothing =
            textLabel(u"These recordings have no device event that can be compared."_s, u"dim"_s);
    }
    QWidget *content = panel(column({nothing, m_bar, EmptyRoom()}, kStyleSpacing, {18, 10, 18, 6}));
    QScrollArea *area = scrolled(content, u"Where the time of each rank went"_s);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    area->setMinimumHeight(std::min(content->sizeHint().height(), 180));
    area->setMaximumHeight(content->sizeHint().height());
    if (const auto late = m_folder->ranks.straggler) { // it is in sight, however many there are
        const QString title = rankTitle(m_folder->ranks.ranks[*late]);
        const auto bar = std::ranges::find_if(m_bar->times(), [&title](const BarTimes &times) {
            return times.name == title || times.name.startsWith(title + u',');
        });
        const auto at = static_cast<std::size_t>(bar - m_bar->times().begin());
        if (bar != m_bar->times().end())
            QTimer::singleShot(0, area, [this, area, at] {
                area->ensureVisible(0, qRound(m_bar->partRect(at, BarPart::Compute).bottom()), 0,
                                    area->height() / 2);
            });
    }
    return area;
}

void ProfilesPage::connectParts()
{
    connect(m_tables, &TabbedTables::tabChanged, this, &ProfilesPage::showTable);
    connect(m_view, &QTableView::activated, this, [this](const QModelIndex &index) {
        if (tab() == RanksTab::Ranks)
            openFile(index.siblingAtColumn(0).data().toString());
    });
}

void ProfilesPage::openFile(const QString &name)
{
    for (const RankProfile &rank : m_folder->ranks.ranks) {
        if (foreignText(rank.file) == name)
            Q_EMIT openWanted(
                pathText((std::filesystem::path(m_folder->path) / rank.fileName()).string()), 0);
    }
}

void ProfilesPage::setUnit(ByteUnit unit)
{
    DocumentPage::setUnit(unit);
    showTable();
}

RanksTab ProfilesPage::tab() const
{
    return static_cast<RanksTab>(m_tables->tab());
}

void ProfilesPage::setTab(RanksTab tab)
{
    m_tables->setTab(static_cast<int>(tab));
}

void ProfilesPage::showTable()
{
    DataTable table = ranksTable(*m_folder, tab());
    m_tables->setNote(toQString(table.note));
    m_view->setTable(std::move(table), unit());
    Q_EMIT statusChanged();
}

QString ProfilesPage::statusText() const
{
    return u"%1 · %2 matched"_s.arg(
        toQString(counted(std::ssize(m_folder->ranks.ranks), "rank")),
        toQString(counted(std::ssize(m_folder->ranks.collectives), "collective")));
}

Table ProfilesPage::table(qsizetype most) const
{
    return tableOf(*m_view->model(), toQString(m_view->table().title), most);
}

std::vector<StageItem> ProfilesPage::stageItems()
{
    return ranksItems(m_folder, unit());
}

QVariantMap ProfilesPage::chosen(const Redaction *) const
{
    return {{kTab, nameOf(tab())}};
}

void ProfilesPage::restore(const QVariantMap &chosen)
{
    goTo(chosen[kTab].toString());
}

void ProfilesPage::goTo(const QString &place)
{
    if (const auto tab = ranksTabNamed(place))
        setTab(*tab);
}

} // namespace vramscope
