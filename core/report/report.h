// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/finding.h"
#include "core/plan/plan.h"
#include "core/table/text_table.h"

#include <string>
#include <variant>
#include <vector>

namespace vramscope {

struct Heading
{
    int level = 2; ///< 1: one of the files; 2: a part of it; 3: below that
    std::string text;
};

struct Paragraph
{
    std::string text;
    Tone tone = Tone::Plain;
    bool isAnswer = false; ///< the one sentence that the section is about: set large
};

/// Rows of text under headings.
struct ReportTable
{
    enum class Shape {
        Plain,
        Cards, ///< wide: a narrow page shows each row as a card of its own
        Pairs  ///< names and values, many and short: several beside each other where there is room
    };

    std::vector<std::string> headings; ///< one a column; may be empty texts
    TextTable rows;
    Shape shape = Shape::Plain;
};

/// Where a picture stands, made elsewhere and known by its id; left out where there is none.
struct Figure
{
    std::string id; ///< "bars-1"
    std::string caption;
};

/// Where the document of a plan stands that travels with the report.
struct PlanDocument
{
    std::size_t number = 1; ///< of Report::plans, from 1
};

using ReportBlock = std::variant<Heading, Paragraph, ReportTable, Figure, PlanDocument>;

/// A report as its reader goes through it, whatever it is written as: the answer comes first. Plans
/// that it is about travel with it, so that the program opens them again.
struct Report
{
    std::string title;
    std::vector<ReportBlock> blocks;
    std::vector<Plan> plans;
    std::string origin; ///< by what it was made, and of which files: its last line
};

} // namespace vramscope
