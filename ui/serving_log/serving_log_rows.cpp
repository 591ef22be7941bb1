// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/serving_log/serving_log_rows.h"

#include "core/print/serving_log_report.h"
#include "ui/support/text.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QString meaningOf(const BestFigure &figure)
{
    QString meaning = toQString(logQuantity(figure.key)->meaning);
    if (!meaning.isEmpty())
        meaning[0] = meaning[0].toUpper();
    const std::size_t device = figure.key.find(':');
    if (device != figure.key.npos)
        meaning = foreignText(figure.key.substr(device + 1)) + u": "_s + meaning;
    return meaning;
}

/// Memory in the unit that is chosen, with what the log printed in its tooltip; counts as they are.
FactCell valueCell(const BestFigure &figure, ByteUnit unit)
{
    const QString printed = toQString(figureText(figure.value, figure.unit, figure.decimals));
    if (bytesOfUnit(figure.unit) == 0)
        return {printed, {}, {}};
    const Bytes bytes = figure.bytes();
    const QString text = bytes < 0 ? u"-"_s + bytesText(-bytes, unit) : bytesText(bytes, unit);
    return {text, u"%1 as printed"_s.arg(printed), qint64(bytes)};
}

FactCell amountCell(std::optional<double> amount, LogUnit of, ByteUnit unit)
{
    if (!amount)
        return {u"–"_s, {}, {}};
    if (of != LogUnit::Byte)
        return {toQString(formatDecimals(*amount, of == LogUnit::Sequences ? 2 : 0)), {}, {}};
    const auto bytes = static_cast<Bytes>(std::llround(*amount));
    const QString text = bytes < 0 ? u"-"_s + bytesText(-bytes, unit) : bytesText(bytes, unit);
    return {text, exactBytesText(bytes, unit), qint64(bytes)};
}

} // namespace

std::vector<FactRow> figureRows(const ServingLog &log, ByteUnit unit)
{
    std::vector<FactRow> rows;
    for (const BestFigure &figure : log.best)
        rows.push_back({{{meaningOf(figure), foreignText(figure.key), {}}, valueCell(figure, unit)},
                        {},
                        false});
    return rows;
}

std::vector<FactRow> comparisonRows(const LogComparison &comparison, ByteUnit unit)
{
    std::vector<FactRow> rows;
    for (const LogDifference &row : comparison.rows) {
        QString difference;
        if (const auto relative = row.relative())
            difference = toQString(differenceText(row, *relative));
        rows.push_back({{{toQString(row.name), {}, {}},
                         amountCell(row.logged, row.unit, unit),
                         amountCell(row.planned, row.unit, unit),
                         {difference, {}, {}},
                         {toQString(row.reason), {}, {}}},
                        {},
                        false});
    }
    return rows;
}

std::vector<FactRow> checkRows(const ServingLog &log)
{
    std::vector<FactRow> rows;
    for (const LogCheck &check : log.checks) {
        const int decimals = bytesOfUnit(check.unit) == 0 || check.unit == LogUnit::MiB ? 0 : 2;
        rows.push_back({{{toQString(check.text), foreignText(check.rank), {}},
                         {toQString(formatDecimals(check.left, decimals)), {}, {}},
                         {toQString(figureText(check.right, check.unit, decimals)), {}, {}},
                         {check.holds ? u"holds"_s : u"does not hold"_s, {}, {}}},
                        {},
                        !check.holds});
    }
    return rows;
}

std::vector<FactRow> settingRows(const std::vector<LogPlanSetting> &settings)
{
    std::vector<FactRow> rows;
    rows.reserve(settings.size());
    for (const LogPlanSetting &setting : settings)
        rows.push_back({{{foreignText(setting.subject), {}, {}},
                         {foreignText(setting.value), {}, {}},
                         {foreignText(setting.how), {}, {}}},
                        {},
                        false});
    return rows;
}

Table figuresTable(const ServingLog &log, qsizetype most)
{
    Table table;
    table.title = toQString(servingLogTitle(log));
    table.columns = {u"Figure"_s, u"Value"_s, u"What it is"_s};
    table.units = {{}, u"bytes"_s, {}};
    for (const BestFigure &figure : log.best) {
        if (qsizetype(table.rows.size()) >= most) {
            ++table.leftOut;
            continue;
        }
        const bool isMemory = bytesOfUnit(figure.unit) > 0;
        table.rows.push_back({{foreignText(figure.key), {}, 0},
                              {toQString(figureText(figure.value, figure.unit, figure.decimals)),
                               isMemory ? std::optional<qint64>(figure.bytes()) : std::nullopt, 0},
                              {meaningOf(figure), {}, 0}});
    }
    return table;
}

} // namespace vramscope
