// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/reserve_model.h"

#include "ui/support/setting_text.h"
#include "ui/support/text.h"
#include "ui/support/verdict_color.h"

namespace vramscope {

using namespace Qt::StringLiterals;

QString whereText(const PlannedReserve &reserve)
{
    if (!reserve.result.runsOut())
        return toQString(reserve.peakAt);
    const QString when = toQString(reserve.outOfMemoryAt);
    const bool fits = when.startsWith(u"after "_s) || when.startsWith(u"at "_s);
    return u"out of memory %1"_s.arg(fits ? when : u"at the %1"_s.arg(when));
}

void ReserveModel::setReserves(PlanReserves reserves)
{
    m_found = std::move(reserves);
    setTable(reservesTable());
}

void ReserveModel::setUnit(ByteUnit unit)
{
    if (unit == this->unit())
        return;
    DataTableModel::setUnit(unit);
    setTable(reservesTable()); // the range is text
}

DataTable ReserveModel::reservesTable() const
{
    using enum DataTable::Kind;
    using Cell = DataTable::Cell;
    const auto ordered = [](auto order, const QString &text) {
        Cell cell(order);
        cell.text = text.toStdString();
        return cell;
    };
    const auto placeOf = [this](const PlannedReserve &reserve) {
        return &reserve - m_found.reserves.data();
    };
    TableOf<PlannedReserve> table("Settings", std::span<const PlannedReserve>(m_found.reserves));
    table
        .add({"setting", "setting", Text, "PYTORCH_CUDA_ALLOC_CONF"},
             [ordered, placeOf](const PlannedReserve &reserve) {
                 return ordered(placeOf(reserve), configurationName(reserve.configuration));
             })
        .tips([](const PlannedReserve &reserve) {
            std::string lines = configurationName(reserve.configuration).toStdString();
            for (const SettingIssue &issue : reserve.issues)
                lines += '\n' + std::string(issue.text);
            return lines;
        })
        .add({"reserved", "reserved", Size,
              "The most bytes reserved, by the plan's factor; the bar: the share of what the "
              "device has for the allocator"},
             [](const PlannedReserve &reserve) { return reserve.result.figures.peakReserved; })
        .tips([this](const PlannedReserve &reserve) {
            std::string lines = formatExactBytes(reserve.result.figures.peakReserved, unit());
            if (const auto part = share(reserve))
                lines += '\n' + formatNumber(100 * *part, 3) +
                         " % of what the device has for the allocator";
            if (reserve.result.runsOut())
                lines += "\nsimulated: " + whereText(reserve).toStdString();
            return lines;
        })
        .add({"likely", "likely", Number, "The range in which it is likely to lie"},
             [ordered, unit = unit()](const PlannedReserve &reserve) {
                 return ordered(static_cast<double>(reserve.high),
                                u"%1 to %2"_s.arg(bytesText(reserve.low, unit),
                                                  bytesText(reserve.high, unit)));
             })
        .add({"verdict", "verdict", Text, "How the plan compares with its card under the setting"},
             [ordered](const PlannedReserve &reserve) {
                 return reserve.verdict
                            ? ordered(int(*reserve.verdict), verdictText(*reserve.verdict))
                            : Cell("");
             })
        .add({"stranded", "stranded", Size,
              "Simulated: bytes that are free between blocks in use when most is reserved"},
             [](const PlannedReserve &reserve) { return reserve.result.strandedAtPeak; })
        .add({"segments", "segments", Count,
              "Simulated: segments at the end, of expandable ones the mapped ranges"},
             &PlannedReserve::segments)
        .add({"retries", "retries", Count,
              "Simulated, where the plan does not fit well within the device: allocations that "
              "first gave back all that was cached"},
             [](const PlannedReserve &reserve) { return reserve.result.figures.retries; })
        .add({"where", "most reserved", Text,
              "Simulated: when most is reserved for the first time, or where memory does not "
              "suffice"},
             [](const PlannedReserve &reserve) { return whereText(reserve).toStdString(); })
        .strong([this, placeOf](const PlannedReserve &reserve) {
            return m_found.best && static_cast<std::ptrdiff_t>(*m_found.best) == placeOf(reserve);
        });
    return std::move(table).table();
}

std::optional<double> ReserveModel::share(const PlannedReserve &reserve) const
{
    if (m_found.capacity.value_or(0) <= 0)
        return {};
    return static_cast<double>(reserve.result.figures.peakReserved) /
           static_cast<double>(*m_found.capacity);
}

} // namespace vramscope
