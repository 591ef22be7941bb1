// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profiles/profiles_page.h"

#include "core/base/counted.h"
#include "ui/profile/breakdown_bar.h"
#include "ui/profile/profile_problems_view.h"
#include "ui/profile/profile_table_view.h"
#include "ui/profiles/profiles_text.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"
#include "ui/support/tip_html.h"

#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTabBar>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <filesystem>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype kMostNotes = 6; ///< lines of the head; the rest is in its tip

QLabel *textLabel(const QString &text)
{
    auto *label = new QLabel(text);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

ProfilesPage::ProfilesPage(std::shared_ptr<const ProfileFolder> folder, QWidget *parent)
    : QWidget(parent)
    , m_folder(std::move(folder))
{
    auto *parts = new QSplitter(Qt::Vertical);
    parts->setChildrenCollapsible(false);
    parts->addWidget(makeBars());
    parts->addWidget(makeTables());
    parts->setStretchFactor(1, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHead());
    layout->addWidget(problemsLabel(problemLines(*m_folder)));
    layout->addWidget(parts, 1);
    showTable();
}

QWidget *ProfilesPage::makeHead()
{
    auto *headline = textLabel(ranksHeadline(*m_folder));
    QFont larger = headline->font();
    larger.setPointSizeF(larger.pointSizeF() * 1.15);
    larger.setBold(true);
    headline->setFont(larger);
    auto *head = new QWidget;
    head->setProperty("role", u"strip"_s);
    head->setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QVBoxLayout(head);
    layout->setContentsMargins(18, 10, 18, 10);
    layout->setSpacing(4);
    layout->addWidget(headline);
    QStringList notes = ranksNotes(*m_folder);
    if (notes.isEmpty())
        return head;
    const QString all = notes.join(u'\n');
    if (const qsizetype more = notes.size() - kMostNotes; more > 0)
        notes = notes.mid(0, kMostNotes) << u"%1 more notes …"_s.arg(more);
    auto *label = textLabel(notes.join(u'\n'));
    label->setProperty("role", u"dim"_s);
    label->setToolTip(tipHtml(all));
    layout->addWidget(label);
    return head;
}

// As high as its bars where they fit, else it scrolls.
QWidget *ProfilesPage::makeBars()
{
    m_bar = new BreakdownBar;
    m_bar->setCommonScale(true);
    m_bar->setTimes(rankBars(*m_folder));
    auto *content = new QWidget;
    auto *layout = new QVBoxLayout(content);
    layout->setContentsMargins(18, 10, 18, 6);
    if (m_bar->times().empty()) {
        auto *none = textLabel(u"These recordings have no device event that can be compared."_s);
        none->setProperty("role", u"dim"_s);
        layout->addWidget(none);
        m_bar->setParent(content);
        m_bar->hide();
    } else {
        layout->addWidget(m_bar);
    }
    layout->addStretch(1);
    auto *area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setAccessibleName(u"Where the time of each rank went"_s);
    area->setWidget(content);
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

QWidget *ProfilesPage::makeTables()
{
    m_tabs = new QTabBar;
    m_tabs->setProperty("role", u"views"_s);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setAccessibleName(u"Tables"_s);
    for (std::size_t at = 0; at < kRanksTabCount; ++at)
        m_tabs->addTab(titleOf(static_cast<RanksTab>(at)));
    m_note = new QLabel;
    m_note->setProperty("role", u"dim"_s);
    m_note->setTextFormat(Qt::PlainText);
    m_view = new ProfileTableView(u"Table of the ranks"_s);
    auto *top = new QHBoxLayout;
    top->setSpacing(12);
    top->addWidget(m_tabs);
    top->addWidget(m_note, 1);
    auto *tables = new QWidget;
    tables->setProperty("role", u"side-below"_s);
    tables->setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QVBoxLayout(tables);
    layout->setContentsMargins(12, 6, 12, 6);
    layout->setSpacing(4);
    layout->addLayout(top);
    layout->addWidget(m_view, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, &ProfilesPage::showTable);
    connect(m_view, &QTableView::activated, this, [this](const QModelIndex &index) {
        const QVariant file = index.siblingAtColumn(0).data();
        if (tab() == RanksTab::Ranks)
            openFile(file.toString());
    });
    return tables;
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
    m_unit = unit;
    showTable();
}

RanksTab ProfilesPage::tab() const
{
    return static_cast<RanksTab>(m_tabs->currentIndex());
}

void ProfilesPage::setTab(RanksTab tab)
{
    m_tabs->setCurrentIndex(static_cast<int>(tab));
}

void ProfilesPage::showTable()
{
    ProfileTable table = ranksTable(*m_folder, tab(), m_unit);
    m_note->setText(table.note);
    m_view->setTable(std::move(table));
    Q_EMIT statusChanged();
}

QString ProfilesPage::statusText() const
{
    return u"%1 · %2 matched"_s.arg(
        toQString(counted(std::ssize(m_folder->ranks.ranks), "rank")),
        toQString(counted(std::ssize(m_folder->ranks.collectives), "collective")));
}

} // namespace vramscope
