// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/live_table.h"

#include "core/analysis/replayed/usage_curve.h"
#include "core/describe/trace_tables.h"
#include "ui/jobs/job.h"
#include "ui/models/data_table_model.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/support/elided_label.h"
#include "ui/support/row_delegate.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/timeline/axis_text.h"
#include "ui/trace/legend_bar.h"

#include <QAction>
#include <QButtonGroup>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableView>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// A row with a line under it, and its colour before its first cell.
class SwatchDelegate : public QStyledItemDelegate
{
public:
    using ColorOf = std::function<std::optional<QRgb>(int row)>;
    SwatchDelegate(ColorOf colorOf, QObject *parent)
        : QStyledItemDelegate(parent)
        , m_colorOf(std::move(colorOf))
    {
    }

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override
    {
        QStyledItemDelegate::paint(painter, option, index);
        const QRect &cell = option.rect;
        painter->fillRect(QRect(cell.left(), cell.bottom(), cell.width(), 1),
                          themeOf(option.widget).line);
    }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        const auto color = index.column() == 0 ? m_colorOf(index.row()) : std::nullopt;
        if (!color)
            return;
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->decorationSize = {12, 12};
        option->icon = swatch(*color, option->widget->devicePixelRatioF());
    }

private:
    ColorOf m_colorOf;
};

} // namespace

LiveTable::LiveTable(std::shared_ptr<const TraceDocument> document, QWidget *parent)
    : QFrame(parent)
    , m_document(std::move(document))
    , m_model(new DataTableModel(this))
    , m_view(new QTableView)
    , m_title(new QLabel)
    , m_choice(makeChoice())
    , m_where(elidedLabel())
{
    setProperty("role", u"card"_s);
    setBold(*m_title);
    setUpView();
    setLayout(column({m_view}, 0, {6, 4, 16, 8}));
}

QWidget *LiveTable::makeChoice()
{
    QHBoxLayout *choice = row({}, 6);
    auto *group = new QButtonGroup(this);
    for (const auto &[moment, text, tip] :
         {std::tuple(Moment::Cursor, u"At the cursor"_s, u"What is allocated there"_s),
          std::tuple(Moment::Peak, u"At the peak"_s, u"What is allocated at the peak"_s),
          std::tuple(Moment::Range, u"In the range"_s,
                     u"What is allocated in the visible range, freed again or not"_s)}) {
        QPushButton *button = tabButton(text, tip);
        button->setChecked(moment == m_moment);
        group->addButton(button);
        choice->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, at = moment] {
            m_moment = at;
            refresh();
        });
    }
    return panel(choice);
}

void LiveTable::setUpView()
{
    setGroups({});
    m_view->setModel(m_model);
    m_view->setAccessibleName(u"Live allocations by stack"_s);
    constexpr int kRow = 28;
    setUpPlainRows(*m_view, kRow - m_view->fontMetrics().height());
    m_view->setItemDelegate(new SwatchDelegate([this](int row) { return colorOf(row); }, m_view));
    QHeaderView *header = m_view->horizontalHeader();
    header->setFixedHeight(kRow + 4);
    header->setSectionResizeMode(QHeaderView::Fixed);
    header->setSectionResizeMode(m_model->columnOf("site"), QHeaderView::Stretch);
    for (const char *figures : {"bytes", "count", "share"})
        header->resizeSection(m_model->columnOf(figures), 72);
    // The title of the table replaces that of its first column.
    QWidget *title = panel(row({m_title, m_choice, {m_where, 1}}, 12, {10, 0, 0, 0}), u"side"_s);
    title->setParent(header);
    const auto fit = [this, title, header] {
        const int room = header->sectionSize(0);
        for (QWidget *part : std::initializer_list<QWidget *>{m_title, m_where})
            part->show();
        for (QWidget *least : std::initializer_list<QWidget *>{m_where, m_title})
            least->setVisible(title->minimumSizeHint().width() <= room);
        title->setGeometry(0, 0, room, header->height() - 1);
    };
    connect(header, &QHeaderView::sectionResized, title, fit);
    connect(header, &QHeaderView::geometriesChanged, title, fit);
    fit();
    const auto choose = [this](const QModelIndex &index) {
        const AllocationIndex first = m_groups[m_model->rowAt(index.row())].first;
        const Allocations &allocations = m_document->devices[m_device]->allocations();
        Q_EMIT allocationChosen(first, m_moment == Moment::Range ? allocations.birth[first]
                                                                 : shownEvent());
    };
    connect(m_view, &QTableView::clicked, this, choose);
    connect(m_view, &QTableView::activated, this, choose);
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto *only = new QAction(u"Show only this stack"_s, m_view);
    m_view->addAction(only);
    connect(only, &QAction::triggered, this, [this] {
        if (const QModelIndex index = m_view->currentIndex(); index.isValid())
            Q_EMIT stackWanted(m_groups[m_model->rowAt(index.row())].stack);
    });
}

void LiveTable::setDevice(std::size_t device)
{
    m_device = device;
    m_title->setText(m_document->devices[device]->device().outOfMemory.empty()
                         ? u"What is in use"_s
                         : u"What filled it"_s);
    m_choice->setVisible(m_document->devices[device]->hasHistory());
    if (!m_document->devices[device]->hasHistory())
        m_moment = Moment::Cursor;
    setGroups({}); // the range comes later, and these groups are from another device
    refresh();
}

void LiveTable::setCursorEvent(EventIndex event)
{
    m_cursor = event;
    if (m_moment == Moment::Cursor)
        refresh();
}

void LiveTable::setRange(EventIndex first, EventIndex last)
{
    m_first = first;
    m_last = last;
    if (m_moment == Moment::Range)
        refresh();
}

void LiveTable::takeUnit()
{
    m_model->setUnit(m_unit);
    m_model->setTable(keptWith(tableOfGroups(), m_document));
    m_where->setFullText(momentText());
}

void LiveTable::setKept(TimelineState::Kept kept)
{
    m_kept = std::move(kept);
    refresh();
}

void LiveTable::refresh()
{
    delete std::exchange(m_job, nullptr);
    if (m_moment == Moment::Range)
        return refreshRange();
    const Allocations &allocations = m_document->devices[m_device]->allocations();
    std::vector<AllocationIndex> live = allocations.liveAfter(shownEvent());
    if (m_kept)
        std::erase_if(live, [this](AllocationIndex at) { return !(*m_kept)[at]; });
    present(groupBySite(allocations, live));
}

void LiveTable::refreshRange()
{
    const auto work = [document = m_document, device = m_device, kept = m_kept, first = m_first,
                       last = m_last](const Progress &progress) {
        const Allocations &allocations = document->devices[device]->allocations();
        std::vector<AllocationIndex> born;
        const AllocationIndex end = allocations.firstBornAfter(last);
        const Progress choosing = partOf(progress, 0, 0.5);
        for (AllocationIndex at = allocations.firstBornAfter(first - 1); at < end; ++at) {
            if (!goesOn(choosing, at, end))
                return std::vector<LiveGroup>();
            if (!kept || (*kept)[at])
                born.push_back(at);
        }
        return groupBySite(allocations, born, partOf(progress, 0.5, 1));
    };
    m_job = new Job(
        work, [this](std::vector<LiveGroup> groups) { present(std::move(groups)); }, this);
    showProgress(*m_job, this);
}

void LiveTable::setGroups(std::vector<LiveGroup> groups)
{
    m_groups = std::move(groups);
    m_total = 0;
    m_allocations = 0;
    for (const LiveGroup &group : m_groups) {
        m_total = wrappingSum(m_total, group.bytes);
        m_allocations += group.count;
    }
    m_model->setTable(keptWith(tableOfGroups(), m_document));
}

DataTable LiveTable::tableOfGroups() const
{
    DataTable table = liveGroupsTable(*m_document->trace, m_groups);
    const Bytes most = m_groups.empty() ? 0 : m_groups.front().bytes;
    const ByteAxis sizes({0, static_cast<double>(most)}, m_unit, 1);
    const auto write = [&table](const char *key, const QString &title, auto textOf) {
        DataTable::Column &column = table.columns[*table.columnOf(key)];
        column.title = title.toStdString();
        column.cell = [cell = std::move(column.cell), textOf](std::size_t row) {
            DataTable::Cell made = cell(row);
            made.text = textOf(made);
            return made;
        };
    };
    write("bytes", sizes.unit(), [sizes](const DataTable::Cell &cell) {
        return sizes.figure(std::get<std::int64_t>(cell.value)).toStdString();
    });
    write("share", u"%"_s, [](const DataTable::Cell &cell) {
        const auto *share = std::get_if<double>(&cell.value);
        return share ? formatDecimals(*share * 100, 1) : std::string();
    });
    table.columns[*table.columnOf("count")].title = "Blocks";
    return table;
}

void LiveTable::setColoring(std::shared_ptr<const Coloring> coloring)
{
    m_coloring = std::move(coloring);
    m_view->viewport()->update();
}

std::optional<QRgb> LiveTable::colorOf(int row) const
{
    const AllocationIndex first = m_groups[m_model->rowAt(row)].first;
    if (!m_coloring || first >= m_coloring->colors.of.size())
        return std::nullopt;
    return m_coloring->colors.colors[m_coloring->colors.of[first]];
}

void LiveTable::present(std::vector<LiveGroup> groups)
{
    setGroups(std::move(groups));
    m_where->setFullText(momentText());
}

EventIndex LiveTable::shownEvent() const
{
    return m_moment == Moment::Peak ? m_document->devices[m_device]->curve().peakActiveEvent()
                                    : m_cursor;
}

QString LiveTable::momentText() const
{
    const Study &device = *m_document->devices[m_device];
    QString where = u"at the end"_s;
    if (device.hasHistory() && m_moment == Moment::Range)
        where = u"allocated from event %1 to %2"_s.arg(countText(m_first), countText(m_last));
    else if (device.hasHistory())
        where = shownEvent() < 0 ? u"before the first event"_s
                                 : u"event %1"_s.arg(countText(shownEvent()));
    if (m_kept)
        where += u", filtered"_s;
    return u"%1 · %2 in %3"_s.arg(where, bytesText(m_total, m_unit),
                                  countedText(m_allocations, "block"));
}

} // namespace vramscope
