// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/calibration_marks.h"

#include "core/plan/field.h"
#include "core/plan/field_value.h"
#include "core/plan/plan.h"
#include "core/settings/settings.h"

#include <string>

namespace vramscope {

namespace {

constexpr std::string_view kOverheadsPath = "overheads.";
constexpr FieldPath kMarks = "overheads.calibrated";
constexpr std::string_view kFrom = " from ";

} // namespace

const Field *constantField(std::string_view path)
{
    return path.starts_with(kOverheadsPath) && path != kMarks.text() ? findField(path) : nullptr;
}

const Field *calibratedField(std::string_view mark)
{
    const std::size_t from = mark.find(kFrom);
    if (from == mark.npos || from + kFrom.size() == mark.size())
        return nullptr;
    return constantField(std::string(kOverheadsPath).append(mark.substr(0, from)));
}

std::string_view calibrationFile(const Plan &plan, std::string_view path)
{
    const Field *field = plan.overheads.calibrated ? constantField(path) : nullptr;
    if (!field || std::holds_alternative<std::monostate>(field->get(plan)))
        return {};
    for (const std::string_view mark : *plan.overheads.calibrated)
        if (calibratedField(mark) == field)
            return mark.substr(mark.find(kFrom) + kFrom.size());
    return {};
}

void markCalibrated(Plan &plan, std::string_view path, std::string_view file)
{
    const Field *field = constantField(path);
    if (!field)
        return;
    TextList marks = plan.overheads.calibrated.value_or(TextList());
    std::erase_if(marks, [&](const std::string &mark) { return calibratedField(mark) == field; });
    if (!file.empty())
        marks.push_back(std::string(path.substr(kOverheadsPath.size())).append(kFrom).append(file));
    plan.overheads.calibrated.reset();
    if (!marks.empty())
        plan.overheads.calibrated = std::move(marks);
}

CalibratedSources calibratedSources(const Plan &plan)
{
    CalibratedSources sources;
    if (!plan.overheads.calibrated)
        return sources;
    const auto tell = [&](FieldPath path, std::string &source) {
        const std::string_view file = calibrationFile(plan, path);
        if (!file.empty())
            source.append("calibrated from ").append(file);
    };
    tell("overheads.context_bytes", sources.context);
    tell("overheads.nccl_bytes", sources.nccl);
    tell("overheads.cublas_workspace_bytes", sources.cublasWorkspace);
    tell("overheads.reserved_factor", sources.reservedFactor);
    tell("overheads.resident_bytes", sources.resident);
    return sources;
}

} // namespace vramscope
