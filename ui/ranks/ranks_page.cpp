// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/ranks_page.h"

#include "core/ranks/rank_filter.h"
#include "core/trace/redaction.h"
#include "ui/jobs/job.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/ranks/heat_map.h"
#include "ui/ranks/rank_details.h"
#include "ui/ranks/rank_grid.h"
#include "ui/ranks/rank_items.h"
#include "ui/ranks/ranks_model.h"
#include "ui/ranks/ranks_text.h"
#include "ui/support/file_path.h"
#include "ui/support/row_table.h"
#include "ui/support/text.h"
#include "ui/support/tip_html.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStyle>
#include <QTableView>
#include <QTimer>

#include <algorithm>
#include <set>
#include <utility>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

// In what a page keeps.
const QString kRank = u"rank"_s;
const QString kFilter = u"filter"_s;

constexpr qsizetype kMostCoverageLines = 3; ///< of the head; the rest is in its tip

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
    , m_table(new QTableView)
    , m_model(new RanksModel(m_study, this))
    , m_details(new RankDetails(m_study))
{
    askForFolder = [this] {
        return QFileDialog::getExistingDirectory(this, u"The folder of the run's snapshots"_s);
    };
    QWidget *picture = makePicture(); // which the table is told of
    m_across = splitter(Qt::Horizontal,
                        {picture, splitter(Qt::Vertical, {{makeTable(), 1}, {m_details, 1}})});
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
    m_model->takeCurves(m_study);
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

QWidget *RanksPage::makeHead()
{
    setBold(*m_headline, 1.1);
    if (hasFailed(*m_study))
        m_headline->setProperty("role", u"bad"_s);
    m_coverage->setObjectName(u"coverage"_s);
    showCoverage();
    return panel(column({m_headline, m_spread, m_coverage}, 3, {16, 8, 16, 8}), u"strip"_s);
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

QWidget *RanksPage::makePicture()
{
    if (m_study->count() > kMostTiles)
        m_heat = new HeatMap(m_study);
    else
        m_grid = new RankGrid(m_study);
    QHBoxLayout *bar = row({}, 8, {16, 0, 8, 0});
    makeBar(*bar);
    connectPicture();
    return panel(
        column({bar, {m_heat ? static_cast<QWidget *>(m_heat) : m_grid, 1}}, 2, {0, 4, 0, 0}));
}

void RanksPage::makeBar(QHBoxLayout &bar)
{
    m_order = new QComboBox;
    m_order->setAccessibleName(u"Order of the ranks"_s);
    for (std::size_t at = 0; at < kRankOrderCount; ++at)
        m_order->addItem(rankOrderText(static_cast<RankOrder>(at)));
    connect(m_order, &QComboBox::activated, this, [this](int at) {
        const auto order = static_cast<RankOrder>(at);
        if (m_grid)
            return m_grid->setOrder(order);
        m_heat->setOrder(order);
        m_fold->setVisible(order == RankOrder::Group);
    });
    bar.addWidget(m_order);
    if (m_grid) {
        QLabel *legend = noteLabel(u"one scale; dashed: the group's median"_s);
        legend->setToolTip(u"Active memory over events, all ranks on one scale of both"_s);
        legend->setMinimumWidth(60);
        bar.addWidget(legend, 1);
        return;
    }
    m_axis = new QComboBox;
    m_axis->setAccessibleName(u"What the ranks are laid along"_s);
    fillAxes();
    connect(m_axis, &QComboBox::activated, this, [this](int at) {
        m_heat->setAxis(static_cast<RankAxis>(m_axis->itemData(at).toInt()));
    });
    auto *color = new QComboBox;
    color->setAccessibleName(u"What the colours say"_s);
    color->addItems({u"active memory"_s, u"distance from median"_s});
    connect(color, &QComboBox::activated, this,
            [this](int at) { m_heat->setColoring(static_cast<HeatColoring>(at)); });
    m_fold = new QCheckBox(u"fold groups"_s);
    m_fold->setToolTip(u"Shows each group as a band from its lowest rank to its highest"_s);
    m_fold->setVisible(false);
    connect(m_fold, &QCheckBox::toggled, m_heat, &HeatMap::setFolded);
    bar.addWidget(m_axis);
    bar.addWidget(color);
    bar.addWidget(m_fold);
    m_reading = noteLabel(u"Reading the curves… each line is the peak of its rank"_s);
    m_reading->setMinimumWidth(40);
    if (m_study->run.areCurvesRead)
        m_reading->hide();
    bar.addWidget(m_reading);
    bar.addStretch(1);
}

void RanksPage::fillAxes()
{
    m_axis->clear();
    for (const RankAxis each : axesOf(m_study->run))
        m_axis->addItem(rankAxisText(each), static_cast<int>(each));
    m_axis->setCurrentIndex(m_axis->findData(static_cast<int>(m_heat->axis())));
}

void RanksPage::connectPicture()
{
    const auto connectTo = [this](auto *picture) {
        using PictureWidget = std::remove_pointer_t<decltype(picture)>;
        picture->setCurrent(m_current);
        connect(picture, &PictureWidget::currentChanged, this, &RanksPage::setCurrent);
        connect(picture, &PictureWidget::openWanted, this, &RanksPage::open);
        connect(picture, &PictureWidget::comparisonWanted, this, &RanksPage::compare);
    };
    if (m_heat)
        connectTo(m_heat);
    else
        connectTo(m_grid);
}

QWidget *RanksPage::makeTable()
{
    m_filter->setPlaceholderText(u"Filter: peak>70GiB  node:0216  oom"_s);
    m_filter->setAccessibleName(u"Filter"_s);
    m_filter->setClearButtonEnabled(true);
    m_filter->setToolTip(
        u"<p>Words are looked for in paths and nodes.</p><p>peak&gt;70GiB &nbsp; reserved&gt;70GiB "
        "&nbsp; unused&gt;1GiB &nbsp; growth&gt;16MiB &nbsp; distance&gt;1GiB &nbsp; rank&lt;64 "
        "&nbsp; device:5 &nbsp; group:3 &nbsp; step:12 &nbsp; node:0216 &nbsp; oom &nbsp; outlier "
        "&nbsp; problems</p><p>Of profiler traces: steptime&gt;500ms &nbsp; compute&lt;60% &nbsp; "
        "exposed&gt;10% &nbsp; idle&gt;20% &nbsp; wait&gt;5ms &nbsp; late</p>"_s);
    m_filter->setProperty("help", m_filter->toolTip());
    connect(m_filter, &QLineEdit::textChanged, this, &RanksPage::applyFilter);
    m_table->setModel(m_model);
    m_table->setAccessibleName(u"Table of the ranks"_s);
    setUpRowTable(*m_table);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(RanksModel::Number, Qt::AscendingOrder);
    const int digit = m_table->fontMetrics().averageCharWidth();
    constexpr std::array kWidths{10, 15, 17, 14, 33, 15, 11, 14, 13, 13, 13, 13, 13, 10, 40};
    for (std::size_t column = 0; column < kWidths.size(); ++column)
        m_table->horizontalHeader()->resizeSection(static_cast<int>(column),
                                                   digit * kWidths[column]);
    const bool hasNodes = std::ranges::any_of(
        m_study->run.ranks, [](const RankSummary &rank) { return !rank.source.node.empty(); });
    m_table->setColumnHidden(RanksModel::Node, !hasNodes);
    m_table->setColumnHidden(RanksModel::Group, m_study->findings.groups.size() < 2);
    for (int column = RanksModel::Growth; column <= RanksModel::Wait; ++column)
        m_table->setColumnHidden(column,
                                 !m_model->isKnown(static_cast<RanksModel::Column>(column)));
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &row) {
                if (row.isValid())
                    setCurrent(m_model->rank(row.row()));
            });
    connect(m_table, &QTableView::activated, this,
            [this](const QModelIndex &row) { open(m_model->rank(row.row())); });
    connect(m_model, &QAbstractItemModel::modelReset, this, &RanksPage::follow);
    applyFilter();
    QHBoxLayout *bar = row({{m_filter, 1}, m_count}, kStyleSpacing, {0, 0, 12, 0});
    return panel(column({bar, {m_table, 1}}, 4, {8, 4, 0, 0}));
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

void RanksPage::setFilter(const QString &text)
{
    m_filter->setText(text);
}

QString RanksPage::filter() const
{
    return m_filter->text();
}

void RanksPage::applyFilter()
{
    const Result<RankFilter> filter = parseRankFilter(m_filter->text().toStdString());
    m_filter->setProperty("bad", !filter.ok());
    m_filter->style()->unpolish(m_filter);
    m_filter->style()->polish(m_filter);
    m_filter->setToolTip(filter.ok() ? m_filter->property("help").toString()
                                     : toQString(filter.error().text()));
    if (!filter.ok())
        return m_count->setText(u"not understood"_s);
    std::vector<std::uint8_t> kept;
    if (*filter != RankFilter()) {
        for (std::size_t rank = 0; rank < m_study->count(); ++rank)
            kept.push_back(keeps(*filter, *m_study, rank) ? 1 : 0);
    }
    const auto all = static_cast<std::int64_t>(m_study->count());
    const auto shown = kept.empty() ? all : std::ranges::count(kept, std::uint8_t(1));
    m_count->setText(kept.empty() ? countedText(all, "rank")
                                  : u"%1 of %2"_s.arg(countText(shown), countText(all)));
    m_model->setKept(kept);
    if (m_heat)
        m_heat->setKept(std::move(kept));
    else if (m_grid)
        m_grid->setKept(std::move(kept));
}

void RanksPage::setUnit(ByteUnit unit)
{
    DocumentPage::setUnit(unit);
    m_model->setUnit(unit);
    m_details->setUnit(unit);
    if (m_heat)
        m_heat->setUnit(unit);
    else
        m_grid->setUnit(unit);
    showTexts();
}

QString RanksPage::heading() const
{
    return headingOf(*m_study, unit());
}

void RanksPage::showTexts()
{
    m_headline->setText(headlineOf(*m_study, unit()));
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
    if (m_heat)
        m_heat->setCurrent(m_current);
    else
        m_grid->setCurrent(m_current);
    const QSignalBlocker quiet(m_table->selectionModel());
    if (const int row = m_model->rowOf(m_current); row >= 0) {
        m_table->setCurrentIndex(m_model->index(row, 0));
        showRow();
    } else {
        m_table->clearSelection();
    }
    m_table->viewport()->update();
    m_details->setRank(m_current);
    Q_EMIT statusChanged();
}

// In the middle where it is out of sight, so that its neighbours are seen.
void RanksPage::showRow()
{
    const QModelIndex row = m_table->currentIndex();
    const QRect place = m_table->visualRect(row);
    if (row.isValid() && !m_table->viewport()->rect().contains(place))
        m_table->scrollTo(row.siblingAtColumn(0), QAbstractItemView::PositionAtCenter);
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
        Q_EMIT openWanted(path, deviceIndexOf(*m_study, m_study->rank(rank)));
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
    return tableOf(*m_model, u"Ranks"_s, most);
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
                       : filter()}};
}

void RanksPage::restore(const QVariantMap &chosen)
{
    setFilter(chosen[kFilter].toString());
    const auto rank = static_cast<std::size_t>(chosen[kRank].toULongLong());
    if (chosen.contains(kRank) && rank < m_study->count())
        setCurrent(rank);
}

QString RanksPage::statusText() const
{
    if (!m_complaint.isEmpty())
        return m_complaint;
    const RankSummary &rank = m_study->rank(m_current);
    QStringList parts{u"rank %1"_s.arg(m_study->number(m_current)),
                      foreignText(rank.source.path).section(u'/', -1),
                      u"peak active %1"_s.arg(bytesText(rank.figures.peakActive, unit()))};
    if (const QString remark = remarkOf(*m_study, m_current, unit()); !remark.isEmpty())
        parts << remark;
    return parts.join(u" · "_s);
}

} // namespace vramscope
