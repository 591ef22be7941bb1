// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/foreign_files.h"
#include "core/base/json_text.h"
#include "core/base/output_file.h"
#include "core/base/text_file.h"
#include "core/plan/embedded_plan.h"
#include "core/plan/plan_json.h"

namespace vramscope {

Result<std::string> readSettingsText(const std::filesystem::path &file)
{
    Result<std::string> text = readTextFile(file, kLongestDocument);
    if (text && text->empty())
        return Error{
            ErrorCode::Empty,
            "The file is empty: it was not written or copied to the end; save or copy it again."};
    return text;
}

Result<Plan> readPlan(const std::filesystem::path &file)
{
    const Result<std::string> text = readSettingsText(file);
    if (!text)
        return text.error();
    if (auto foreign = foreignFile(*text, "choose a plan, or open a memory snapshot as a trace"))
        return Error{ErrorCode::NotRecognized, std::move(*foreign)};
    if (const auto plan = embeddedPlan(*text))
        return parsePlan(*plan);
    if (looksLikeReport(*text))
        return Error{ErrorCode::OtherContent,
                     "This is a report of VRAMscope about recordings; it holds no plan. Open the "
                     "recordings themselves."};
    if (text->starts_with('<'))
        return Error{ErrorCode::NotRecognized,
                     "This is a web page or XML, not a plan; a download may have gone wrong."};
    return parsePlan(*text);
}

Result<void> writePlan(const Plan &plan, const std::filesystem::path &file)
{
    return writeOutput(file, planJson(plan));
}

} // namespace vramscope
