// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/ranks_page.h"

#include "core/describe/ranks_story.h"
#include "core/print/run_coverage_report.h"
#include "core/trace/redaction.h"
#include "ui/jobs/job.h"
#include "ui/models/data_table_view.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/page/tabbed_tables.h"
#include "ui/profile/breakdown_bar.h"
#include "ui/ranks/heat_map.h"
#include "ui/ranks/rank_bars.h"
#include "ui/ranks/rank_details.h"
#include "ui/ranks/rank_grid.h"
#include "ui/ranks/rank_items.h"
#include "ui/ranks/ranks_text.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QStyle>
#include <QTimer>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

// In what a page keeps.
const QString kRank = u"rank"_s;
const QString kFilter = u"filter"_s;
const QString kTab = u"tab"_s;

constexpr qsizetype kMostCoverageLines = 3; ///< of the head; the rest is in its tip

QStringList tabTitles(const RunStudy &study)
{
    QStringList titles;
    for (const RanksTab tab : tabsOf(study))
        titles << toQString(dataTable(study, tab, ByteUnit::Binary).title);
    return titles;
}

/// The index of a rank's device in its recording: summaries are of all devices, in their order.
std::size_t deviceIndexOf(const RunStudy &study, const RankSummary &rank)
{
    std::set<std::int64_t> devices{rank.device};
    for (const auto *ranks : {&study.run.ranks, &study.run.earlier}) {
        for (const RankSummary &each : *ranks) {
            if (each.source.path == rank.source.path)
                devices.insert(each.device);
        }
    }
    return static_cast<std::size_t>(std::distance(devices.begin(), devices.find(rank.device)));
}

} // namespace

RanksPage::RanksPage(RunStudyPointer study, QWidget *parent)
    : RanksPage(std::make_shared<const RanksDocument>(std::move(study)), parent)
{
}

RanksPage::RanksPage(const std::shared_ptr<const RanksDocument> &document, QWidget *parent)
    : DocumentPage(document, parent)
    , m_study(document->study())
    , m_current(m_study->mostTelling())
    , m_headline(textLabel())
    , m_spread(textLabel())
    , m_coverage(textLabel())
    , m_filter(new QLineEdit)
    , m_count(noteLabel())
    , m_view(new DataTableView(u"Table of the ranks"_s))
    , m_tables(new TabbedTables(tabTitles(*m_study), m_view, {}))
    , m_details(new RankDetails(m_study))
{
    askForFolder = [this] {
        return QFileDialog::getExistingDirectory(this, u"The folder of the run's recordings"_s);
    };
    QWidget *picture = makePicture(); // which the filter of the table is about
    if (m_study->hasMemory()) {
        m_across = splitter(Qt::Horizontal,
                            {picture, splitter(Qt::Vertical, {{makeTable(), 1}, {m_details, 1}})});
    } else { // bars are as high as they need
        QSplitter *below = splitter(Qt::Horizontal, {{makeTable(), 3}, {m_details, 2}});
        m_across = splitter(Qt::Vertical, {picture, {below, 1}});
        m_isSized = true;
    }
    connect(m_across, &QSplitter::splitterMoved, this, [this] { m_isSized = true; });
    setLayout(column({makeHead(), {m_across, 1}}));
    connect(this, &RanksPage::curvesRead, this, [this, document] { document->keep(m_study); });
    connect(m_details, &RankDetails::comparisonWanted, this, &RanksPage::compare);
    connect(m_details, &RankDetails::openWanted, this, &RanksPage::open);
    showTexts();
    follow();
    readCurves();
}

void RanksPage::readCurves()
{
    if (m_study->run.areCurvesRead)
        return;
    m_job =
        new Job([study = m_study](const Progress &progress) { return withCurves(study, progress); },
                [this](const Result<RunStudyPointer> &study) { takeCurves(study); }, this);
}

void RanksPage::workNow()
{
    if (m_study->run.areCurvesRead)
        return;
    delete std::exchange(m_job, nullptr); // it would come to the same
    takeCurves(withCurves(m_study));
}

// Nothing but the curves changes: what is chosen, sorted, filtered and in sight stays.
void RanksPage::takeCurves(const Result<RunStudyPointer> &study)
{
    if (!study) {
        if (m_reading)
            m_reading->setText(
                u"The curves cannot be read: each line is the peak of its rank. %1"_s.arg(
                    toQString(study.error().text())));
        return;
    }
    m_study = *study;
    m_details->takeCurves(m_study);
    if (m_heat) {
        m_heat->takeCurves(m_study);
        fillAxes();
    }
    if (m_reading)
        m_reading->hide();
    showCoverage();
    Q_EMIT curvesRead();
}

void RanksPage::showCoverage()
{
    setRole(*m_coverage, isIncomplete(*m_study) ? u"warn"_s : u"dim"_s);
    QStringList lines = problemLines(*m_study) + coverageLines(*m_study);
    const QString all = lines.join(u'\n');
    if (const qsizetype more = lines.size() - kMostCoverageLines; more > 0)
        lines = lines.mid(0, kMostCoverageLines) << u"(%1 more below the mouse)"_s.arg(more);
    m_coverage->setText(lines.join(u' '));
    m_coverage->setToolTip(tipHtml(all));
}

void RanksPage::changeEvent(QEvent *event)
{
    DocumentPage::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showTexts(); // the verdict has a colour
}

// The picture has a little more than half.
void RanksPage::resizeEvent(QResizeEvent *event)
{
    DocumentPage::resizeEvent(event);
    layout()->activate();
    if (m_isSized)
        return;
    constexpr double kPicture = 0.52;
    const int width = m_across->width();
    const int picture = static_cast<int>(width * kPicture);
    m_across->setSizes({picture, width - picture});
    QTimer::singleShot(0, this, &RanksPage::showRow);
}

void RanksPage::setUnit(ByteUnit unit)
{
    DocumentPage::setUnit(unit);
    m_details->setUnit(unit);
    if (m_picture)
        m_picture->setUnit(unit);
    showTable();
    showTexts();
}

RankGrid *RanksPage::grid() const
{
    return qobject_cast<RankGrid *>(m_picture);
}

QString RanksPage::heading() const
{
    return u"%1 %2"_s.arg(headlineOf(*m_study, unit()), spreadText(*m_study, unit())).trimmed();
}

void RanksPage::showTexts()
{
    const QString verdict = u"ran out of memory"_s;
    m_headline->setText(headlineOf(*m_study, unit())
                            .toHtmlEscaped()
                            .replace(verdict, u"<span style=\"color:%1\">%2</span>"_s.arg(
                                                  themeOf(this).bad.name(), verdict)));
    m_spread->setText(spreadText(*m_study, unit()));
    m_spread->setVisible(!m_spread->text().isEmpty());
}

void RanksPage::setCurrent(std::size_t rank)
{
    if (rank == m_current)
        return;
    m_current = rank;
    m_complaint.clear();
    follow();
}

// Picture, table and details show the same rank.
void RanksPage::follow()
{
    if (m_picture)
        m_picture->setCurrent(m_current);
    const QSignalBlocker quiet(m_view->selectionModel());
    if (const int row = rowOf(m_current); row >= 0) {
        m_view->setCurrentIndex(m_view->model()->index(row, 0));
        showRow();
    } else {
        m_view->clearSelection();
    }
    m_view->viewport()->update();
    m_details->setRank(m_current);
    Q_EMIT statusChanged();
}

// In the middle where it is out of sight, so that its neighbours are seen.
void RanksPage::showRow()
{
    const QModelIndex row = m_view->currentIndex();
    const QRect place = m_view->visualRect(row);
    if (row.isValid() && !m_view->viewport()->rect().contains(place))
        m_view->scrollTo(row.siblingAtColumn(0), QAbstractItemView::PositionAtCenter);
}

QString RanksPage::recordingPathOf(std::size_t rank)
{
    const auto find = [&] {
        return recordingOf(*m_study, m_study->rank(rank), nativePath(m_elsewhere));
    };
    auto file = find();
    if (!file) {
        const QString folder = askForFolder();
        if (folder.isEmpty())
            return {};
        m_elsewhere = folder;
        file = find();
    }
    if (file)
        return pathText(file->native());
    m_complaint = u"%1 is not in that folder; name the one that was summarised."_s.arg(
        foreignText(m_study->rank(rank).source.path));
    m_elsewhere.clear();
    Q_EMIT statusChanged();
    return {};
}

void RanksPage::open(std::size_t rank)
{
    if (const QString path = recordingPathOf(rank); !path.isEmpty())
        Q_EMIT openWanted(
            path, m_study->rank(rank).hasMemory ? deviceIndexOf(*m_study, m_study->rank(rank)) : 0);
}

void RanksPage::compare(std::size_t rank)
{
    std::vector<ComparedTrace> traces;
    for (const std::size_t each : {m_study->typicalOf(rank), rank}) {
        const QString path = recordingPathOf(each);
        if (path.isEmpty())
            return;
        traces.push_back({QFileInfo(path).fileName(), path, nullptr,
                          deviceIndexOf(*m_study, m_study->rank(each))});
    }
    Q_EMIT comparisonWanted(traces);
}

Table RanksPage::table(qsizetype most) const
{
    return tableOf(*m_view->model(), toQString(m_view->table().title), most);
}

std::vector<StageItem> RanksPage::stageItems()
{
    workNow();
    return rankItems(m_study, unit());
}

QVariantMap RanksPage::chosen(const Redaction *redaction) const
{
    return {{kRank, static_cast<qulonglong>(m_current)},
            {kFilter,
             redaction ? toQString(redaction->text(filter().toStdString(), Redaction::Kind::Prose))
                       : filter()},
            {kTab, nameOf(tab())}};
}

void RanksPage::restore(const QVariantMap &chosen)
{
    setFilter(chosen[kFilter].toString());
    const auto rank = static_cast<std::size_t>(chosen[kRank].toULongLong());
    if (chosen.contains(kRank) && rank < m_study->count())
        setCurrent(rank);
    goTo(chosen[kTab].toString());
}

void RanksPage::goTo(const QString &place)
{
    if (const auto tab = ranksTabNamed(place))
        setTab(*tab);
}

QString RanksPage::statusText() const
{
    if (!m_complaint.isEmpty())
        return m_complaint;
    const RankSummary &rank = m_study->rank(m_current);
    QStringList parts{foreignText(rankTitle(*m_study, m_current)),
                      foreignText(rank.source.path).section(u'/', -1)};
    if (rank.hasMemory)
        parts << u"peak active %1"_s.arg(bytesText(rank.figures.peakActive, unit()));
    if (const QString remark = remarkText(*m_study, m_current, unit()); !remark.isEmpty())
        parts << remark;
    return parts.join(u" · "_s);
}

} // namespace vramscope
