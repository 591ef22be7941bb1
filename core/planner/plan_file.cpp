// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text_file.h"
#include "core/planner/json_text.h"
#include "core/planner/plan_json.h"

#include <array>

namespace vramscope {

namespace {

/// Files that people take for a plan, by their first bytes.
struct Lookalike
{
    std::string_view begin;
    ErrorCode code;
    std::string_view text;
};

using namespace std::string_view_literals;

constexpr std::array<Lookalike, 10> kLookalikes = {{
    {"version https://git-lfs.github.com/spec/"sv, ErrorCode::NotRecognized,
     "This is a Git LFS pointer, not the file itself; fetch it with \"git lfs pull\"."},
    {"\x80\x02"sv, ErrorCode::NotRecognized,
     "This is a Python pickle, not a plan; if it is a memory snapshot, open it as a trace."},
    {"\x80\x03"sv, ErrorCode::NotRecognized,
     "This is a Python pickle, not a plan; if it is a memory snapshot, open it as a trace."},
    {"\x80\x04"sv, ErrorCode::NotRecognized,
     "This is a Python pickle, not a plan; if it is a memory snapshot, open it as a trace."},
    {"\x80\x05"sv, ErrorCode::NotRecognized,
     "This is a Python pickle, not a plan; if it is a memory snapshot, open it as a trace."},
    {"PK\x03\x04"sv, ErrorCode::NotRecognized,
     "This is a zip archive, perhaps of torch.save, not a plan; choose a plan."},
    {"\x1f\x8b"sv, ErrorCode::NotRecognized, "This is compressed with gzip; unpack it first."},
    {"\xff\xfe"sv, ErrorCode::NotRecognized,
     "This is text in UTF-16; save it again in UTF-8, as JSON is written."},
    {"\xfe\xff"sv, ErrorCode::NotRecognized,
     "This is text in UTF-16; save it again in UTF-8, as JSON is written."},
    {"<"sv, ErrorCode::NotRecognized,
     "This is a web page or XML, not a plan; a download may have gone wrong."},
}};

} // namespace

Result<Plan> readPlan(const std::filesystem::path &file)
{
    const Result<std::string> text = readTextFile(file, kLongestDocument);
    if (!text)
        return text.error();
    if (text->empty())
        return Error{
            ErrorCode::Empty,
            "The file is empty: it was not written or copied to the end; save or copy it again."};
    for (const Lookalike &lookalike : kLookalikes) {
        if (text->starts_with(lookalike.begin))
            return Error{lookalike.code, std::string(lookalike.text)};
    }
    return parsePlan(*text);
}

Result<void> writePlan(const Plan &plan, const std::filesystem::path &file)
{
    return writeTextFile(file, planJson(plan));
}

} // namespace vramscope
