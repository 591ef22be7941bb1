// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/report/report.h"

namespace vramscope {

struct DataTable;

/// Adds a table under a heading, where it has rows, its columns under brief titles. Tables of four
/// columns and more, or of long texts, are wide; columns of which no row has anything to say are
/// left out.
void addTable(Report &report, const std::string &title, const DataTable &table, ByteUnit unit);
/// The same under its own title.
void addTable(Report &report, const DataTable &table, ByteUnit unit);

/// Its first 20 rows under the titles of its columns, and how many are left out.
void addFirstRows(Report &report, DataTable table, ByteUnit unit);

/// Names and values, without headings.
void addPairs(Report &report, const DataTable &table, ByteUnit unit);

void addHeading(Report &report, int level, std::string text);
void addParagraph(Report &report, std::string text, Tone tone = Tone::Plain);
/// The sentence that a section is about.
void addAnswer(Report &report, std::string text, Tone tone);
/// A place for the picture `kind` of the section `number`.
void addFigure(Report &report, std::string_view kind, std::size_t number, std::string caption);
/// "bars-1": the id of that picture.
[[nodiscard]] std::string figureId(std::string_view kind, std::size_t number);

} // namespace vramscope
