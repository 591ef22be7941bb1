// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/steps_view.h"

#include "ui/models/data_table_model.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"
#include "ui/support/elided_label.h"
#include "ui/support/row_delegate.h"
#include "ui/support/text.h"
#include "ui/timeline/steps_plot.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>

namespace vramscope {

using namespace Qt::StringLiterals;

StepsView::StepsView(std::shared_ptr<const TraceDocument> document, TimelineState *state,
                     QWidget *parent)
    : QWidget(parent)
    , m_document(std::move(document))
    , m_state(state)
    , m_how(elidedLabel())
    , m_body(new QWidget)
    , m_plot(new StepsPlot)
    , m_model(new DataTableModel(this))
    , m_table(new QTableView)
    , m_empty(emptyLabel())
{
    setUpTable();
    m_body->setLayout(row({{m_plot, 1}, m_table}, kStyleSpacing));
    setLayout(column({m_how, {m_body, 1}, {m_empty, 1}}, 4, {4, 4, 4, 4}));
    connect(state, &TimelineState::axisChanged, this, &StepsView::refresh);
    connect(state, &TimelineState::cursorChanged, this, &StepsView::followCursor);
    connect(m_plot, &StepsPlot::stepChosen, this, &StepsView::choose);
    refresh();
}

void StepsView::setUpTable()
{
    m_model->setTable(stepsTable({}));
    m_model->setRowTip([this](std::size_t step) {
        return tipHtml(stepLines(m_data, step, m_model->unit()).join(u'\n'));
    });
    m_table->setModel(m_model);
    m_table->setAccessibleName(u"Steps"_s);
    setUpRowTable(*m_table);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // the last column is cut off
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(0, Qt::AscendingOrder);
    QHeaderView *header = m_table->horizontalHeader();
    const int digit = m_table->fontMetrics().averageCharWidth();
    const std::array widths = {7, 10, 12, 9};
    m_tableWidth = digit * 24;
    for (std::size_t column = 0; column < widths.size(); ++column) {
        header->resizeSection(static_cast<int>(column), digit * widths[column]);
        m_tableWidth += digit * widths[column];
    }
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &current) {
                if (current.isValid())
                    choose(m_model->rowAt(current.row()));
            });
    connect(m_model, &QAbstractItemModel::layoutChanged, this, &StepsView::followCursor);
}

void StepsView::setStudy(std::size_t device, const std::shared_ptr<const Study> &study)
{
    if (device == m_device && study == m_study)
        return;
    m_device = device;
    m_study = study;
    refresh();
}

// The chart gets more than half of a narrow view.
void StepsView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    m_table->setFixedWidth(std::min(m_tableWidth, width() * 9 / 20));
}

std::optional<Table> StepsView::asTable(const QString &title, qsizetype most) const
{
    return tableOf(*m_model, title, most);
}

void StepsView::setUnit(ByteUnit unit)
{
    m_plot->setUnit(unit);
    m_model->setUnit(unit);
}

void StepsView::simplify()
{
    m_table->hide();
}

QString StepsView::emptyText() const
{
    if (!m_study)
        return u"Finding steps…"_s;
    if (!m_data.isEmpty())
        return {};
    return u"No training steps were found. %1\n\nThey are found where the allocations of several "
           "steps repeat, and for certain where the steps are marked: run the loop under "
           "torch.profiler.profile() with prof.step() after each step, or each step inside "
           "torch.profiler.record_function(\"step\"), while the history is recorded."_s.arg(
               toQString(m_study->steps().how));
}

void StepsView::refresh()
{
    m_data = {};
    if (m_study) {
        const Study &device = *m_document->devices[m_device];
        const bool timed = m_state->axis().kind() == EventAxis::Kind::Time;
        m_data = {
            &m_study->steps(), timed ? &m_study->stepFolds().byTime : &m_study->stepFolds().byEvent,
            &device.curve().active(), timed ? device.times() : std::span<const std::int64_t>()};
    }
    m_plot->setSteps(m_data);
    m_model->setTable(keptWith(stepsTable(m_data), m_study));
    const QString empty = emptyText();
    m_empty->setText(empty);
    m_empty->setVisible(!empty.isEmpty());
    m_body->setVisible(empty.isEmpty());
    m_how->setVisible(empty.isEmpty());
    if (empty.isEmpty()) {
        QString how = m_data.count() == 1 ? u"1 step; there is none to compare it with"_s
                                          : countedText(std::int64_t(m_data.count()), "step");
        how += u" (%1 % sure). %2"_s.arg(std::lround(m_study->steps().confidence * 100))
                   .arg(toQString(m_study->steps().how));
        m_how->setFullText(how);
    }
    followCursor();
}

void StepsView::choose(std::size_t step)
{
    const Step &of = m_data.step(step);
    m_state->setCursor(of.peakActiveEvent);
    m_state->showEvents(of.first, of.last);
}

void StepsView::followCursor()
{
    const auto step =
        m_data.isEmpty() ? std::nullopt : stepAt(m_data.steps->steps, m_state->cursor());
    m_plot->setChosen(step);
    const QSignalBlocker silent(m_table->selectionModel());
    const QModelIndex index = step ? m_model->index(m_model->placeOf(*step), 0) : QModelIndex();
    m_table->setCurrentIndex(index);
    m_table->scrollTo(index);
    m_table->viewport()->update();
}

} // namespace vramscope
