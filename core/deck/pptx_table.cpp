// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deck/pptx_shapes.h"

#include <optional>

namespace vramscope {

namespace {

std::string cellXml(std::string_view text, bool isWords, std::string_view color, bool isStrong,
                    double points, double left, double right)
{
    const auto line = [](const std::string &side, const std::string &width,
                         const std::string &filled) {
        return "<a:ln" + side + " w=\"" + width + "\">" + filled + "</a:ln" + side + '>';
    };
    const std::string none = "<a:noFill/>";
    const std::string lines = line("L", "0", none) + line("R", "0", none) + line("T", "0", none) +
                              line("B", "9525", fill("bg2"));
    const std::string alignment = "<a:pPr algn=\"" + std::string(isWords ? "l" : "r") + "\"/>";
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string below =
        end == text.size() ? std::string()
                           : "<a:p>" + alignment +
                                 run(unbroken(text.substr(end + 1)), kLabelType, "tx2") + "</a:p>";
    return "<a:tc><a:txBody><a:bodyPr/><a:lstStyle/><a:p>" + alignment +
           run(unbroken(text.substr(0, end)), points, color, isStrong) + "</a:p>" + below +
           "</a:txBody><a:tcPr marL=\"" + emu(left) + "\" marR=\"" + emu(right) +
           "\" marT=\"25400\" marB=\"25400\" anchor=\"ctr\">" + lines + none + "</a:tcPr></a:tc>";
}

/// A cell as it was laid out: where the text was cut, so is it here, so that no row grows.
std::string shownText(const TableLayout::Cell &cell)
{
    std::string text;
    for (const std::string &line : cell.lines)
        text += (text.empty() ? "" : " ") + line;
    return cell.below.empty() ? text : text + '\n' + cell.below;
}

std::string rowXml(const SlideTable &table, const TableLayout &layout,
                   std::optional<std::size_t> at)
{
    const std::vector<std::string> &cells = at ? table.rows[*at] : table.columns;
    std::string xml = "<a:tr h=\"" + emu(at ? layout.rows[*at] : layout.head) + "\">";
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const bool isSize = table.sizes && table.sizes->column == column;
        const bool isWords = hasWords(table, column) || isSize;
        const bool labels = !at || (!hasHead(table) && column == 0); // of facts the first column
        const bool isStrong = at && !labels && isBold(table, *at, column);
        const double after = column + 1 < table.columns.size() ? kCellGap : 0;
        const double before = isSize && at ? layout.figures[*at] : 0;
        xml += cellXml(at ? shownText(layout.cells[*at][column]) : cells[column], isWords,
                       labels                             ? "tx2"
                       : at && isBest(table, *at, column) ? "accent2"
                                                          : "tx1",
                       isStrong, at ? layout.type : kLabelType, before, before > 0 ? 0 : after);
    }
    return xml + "</a:tr>";
}

std::string tableFrame(int id, const SlideTable &table, const TableLayout &layout, SlideBox box)
{
    box.height = layout.height();
    std::string xml = "<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id=\"" + std::to_string(id) +
                      "\" name=\"Table\"/><p:cNvGraphicFramePr><a:graphicFrameLocks noGrp=\"1\"/>"
                      "</p:cNvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr>" +
                      transform(box, "p:xfrm") +
                      "<a:graphic><a:graphicData "
                      "uri=\"http://schemas.openxmlformats.org/drawingml/2006/table\"><a:tbl>"
                      "<a:tblPr" +
                      (layout.head > 0 ? " firstRow=\"1\"" : "") + "/><a:tblGrid>";
    for (const double width : layout.columns)
        xml += "<a:gridCol w=\"" + emu(width) + "\"/>";
    xml += "</a:tblGrid>";
    if (layout.head > 0)
        xml += rowXml(table, layout, {});
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        xml += rowXml(table, layout, row);
    return xml + "</a:tbl></a:graphicData></a:graphic></p:graphicFrame>";
}

std::string rectangle(int id, std::string_view name, const SlideBox &box, std::string_view color)
{
    return "<p:sp><p:nvSpPr><p:cNvPr id=\"" + std::to_string(id) + "\" name=\"" +
           std::string(name) + "\"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr>" + transform(box) +
           "<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom>" + fill(color) +
           "<a:ln><a:noFill/></a:ln></p:spPr><p:txBody><a:bodyPr/><a:lstStyle/><a:p/></p:txBody>"
           "</p:sp>";
}

/// The bars of the column of sizes, and the line of their limit.
std::string sizeBars(int id, const SlideTable &table, const TableLayout &layout,
                     const SlideBox &box)
{
    std::string xml;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const SizeBar bar = sizeBar(table, layout, row);
        xml += rectangle(id++, "Size", {box.x + bar.left, box.y + bar.top, bar.width, bar.height},
                         toneColor(table.sizes->tones[row]));
    }
    if (table.sizes->limit <= 0)
        return xml;
    constexpr double kThick = 2;
    constexpr double kTextWide = 160;
    const SizeBar line = limitLine(table, layout);
    xml += rectangle(id++, "Limit", {box.x + line.left - 1, box.y + line.top, kThick, line.height},
                     "tx1");
    return xml +
           textBox(id, "Limit text",
                   {box.x + layout.limitText, box.y + line.top - kLabelHigh, kTextWide, kLabelHigh},
                   "<a:p>" + run(unbroken(table.sizes->limitText), kLabelType, "tx1", true) +
                       "</a:p>");
}

} // namespace

std::string tableShapes(const SlideTable &table, const TableLayout &layout, const SlideBox &box)
{
    constexpr int kTable = 4; // identities of shapes
    constexpr int kFirstBar = 20;
    return tableFrame(kTable, table, layout, box) +
           (table.sizes ? sizeBars(kFirstBar, table, layout, box) : std::string());
}

} // namespace vramscope
