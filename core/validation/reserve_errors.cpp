// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/reserve_errors.h"

#include "core/planned_requests/planned_reserve.h"
#include "core/validation/shipped.h"

namespace vramscope {

namespace {

const std::vector<std::string> kDefault = {""};

/// The row with the simulation's prediction; nothing without a simulation.
std::optional<ComparedFigure> simulated(ComparedFigure figure)
{
    const std::vector<PlannedReserve> reserves =
        plannedReserves(*shippedSetup(figure.row.setup), kDefault);
    if (reserves.empty())
        return {};
    figure.predicted = static_cast<double>(reserves.front().simulated);
    figure.errorPercent = (figure.predicted - figure.row.value) / figure.row.value * 100;
    figure.band.reset();
    return figure;
}

} // namespace

ReserveErrors shippedReserveErrors()
{
    std::vector<MeasuredRow> rows = shippedRows();
    std::erase_if(rows, [](const MeasuredRow &row) { return row.figure != "peak.reserved"; });
    std::vector<ComparedFigure> byFactor;
    std::vector<ComparedFigure> bySimulation;
    for (const ComparedFigure &figure : validate(rows, shippedSetup).rows) {
        if (const std::optional<ComparedFigure> other = simulated(figure)) {
            byFactor.push_back(figure);
            bySimulation.push_back(*other);
        }
    }
    const auto all = [](const ComparedFigure &) { return true; };
    return {errorSummary("factor", byFactor, all), errorSummary("simulated", bySimulation, all)};
}

} // namespace vramscope
