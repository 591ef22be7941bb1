// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/series/peaks_table.h"

#include "core/analysis/curves/series_metrics.h"
#include "ui/support/row_table.h"
#include "ui/support/text.h"

#include <QHeaderView>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

// A tooltip interprets text that looks like markup: text from a file is escaped.
QString plainTip(const QString &text)
{
    return text.isEmpty() ? QString() : u"<p>%1</p>"_s.arg(text.toHtmlEscaped());
}

} // namespace

PeaksTable::PeaksTable(QWidget *parent)
    : QTableWidget(0, ColumnCount, parent)
{
    setAccessibleName(u"Peaks of the curves"_s);
    setHorizontalHeaderLabels(
        {u"Curve"_s, u"Peak"_s, u"At"_s, u"In operator"_s, u"Lowest"_s, u"Last"_s});
    for (const Column column : {Peak, Time, Lowest, Last})
        horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    for (const Column column : {Curve, Operator})
        horizontalHeaderItem(column)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    setUpPlainRows(*this);
    setEditTriggers(NoEditTriggers);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setSectionResizeMode(Operator, QHeaderView::Stretch);
    const int digit = fontMetrics().averageCharWidth();
    horizontalHeader()->resizeSection(Curve, digit * 26);
    for (const Column column : {Peak, Time, Lowest, Last})
        horizontalHeader()->resizeSection(column, digit * 15);
    const auto choose = [this](int row) {
        Q_EMIT eventWanted(item(row, Curve)->data(Qt::UserRole).toInt());
    };
    connect(this, &QTableWidget::cellClicked, this, choose);
    connect(this, &QTableWidget::cellActivated, this, choose);
}

void PeaksTable::setScene(const SeriesDocument &document, const SeriesScene &scene, ByteUnit unit)
{
    setRowCount(0);
    for (const DeviceSamples &device : document.devices) {
        if (scene.device() ? scene.device() == &device : !scene.hasLeftOut(device))
            addDevice(document, scene, device, unit);
    }
    const bool operations = std::ranges::any_of(document.devices, [](const DeviceSamples &device) {
        return !device.recorded->operation.empty();
    });
    setColumnHidden(Operator, !operations);
    horizontalHeader()->setSectionResizeMode(Curve, operations ? QHeaderView::Fixed
                                                               : QHeaderView::Stretch);
}

void PeaksTable::addDevice(const SeriesDocument &document, const SeriesScene &scene,
                           const DeviceSamples &device, ByteUnit unit)
{
    const SeriesDevice &of = *device.recorded;
    const auto add = [&](const std::string &name, const auto &values, auto write, auto exact) {
        const auto figures = curveMetrics(values);
        if (!figures)
            return;
        const std::int64_t time = device.times.microseconds()[figures->mostAt] - scene.start();
        const QString operation = toQString(operationAt(*document.series, of, figures->mostAt));
        const QString title = scene.device()
                                  ? toQString(name)
                                  : u"%1 · %2"_s.arg(toQString(of.label), toQString(name));
        const QStringList texts{
            title,     write(figures->most),  toQString(formatMicroseconds(time)),
            operation, write(figures->least), write(figures->last)};
        const QStringList tips{plainTip(title),     exact(figures->most),  QString(),
                               plainTip(operation), exact(figures->least), exact(figures->last)};
        addRow(texts, tips, scene.eventOf(device, figures->mostAt));
    };
    for (const ByteCurve &curve : of.bytes)
        add(
            curve.name, curve.values, [unit](Bytes bytes) { return bytesText(bytes, unit); },
            [unit](Bytes bytes) { return exactBytesText(bytes, unit); });
    for (const NumberCurve &curve : of.numbers) {
        const auto write = [&curve](double value) {
            const QString number = toQString(formatNumber(value));
            return curve.unit.empty() ? number : u"%1 %2"_s.arg(number, toQString(curve.unit));
        };
        add(curve.name, curve.values, write, write);
    }
}

void PeaksTable::addRow(const QStringList &texts, const QStringList &tips, EventIndex peak)
{
    const int row = rowCount();
    insertRow(row);
    for (int column = 0; column < ColumnCount; ++column) {
        auto *cell = new QTableWidgetItem(texts[column]);
        const bool left = column == Curve || column == Operator;
        cell->setTextAlignment((left ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
        cell->setToolTip(tips[column]);
        cell->setData(Qt::UserRole, peak);
        setItem(row, column, cell);
    }
}

} // namespace vramscope
