// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deck/pptx_slide.h"

#include "core/base/text.h"
#include "core/deck/pptx_frame.h"

#include <algorithm>
#include <numeric>

namespace vramscope {

namespace {

/// A place on a slide, in English metric units.
struct Box
{
    std::int64_t x = 0;
    std::int64_t y = 0;
    std::int64_t width = 0;
    std::int64_t height = 0;
};

constexpr std::int64_t kMargin = 45 * kPixel;
constexpr std::int64_t kWide = kSlideWidth - 2 * kMargin;
constexpr std::int64_t kQuestionTop = 30 * kPixel;
constexpr std::int64_t kQuestionHigh = 32 * kPixel;
constexpr std::int64_t kProblemHigh = 52 * kPixel; ///< two lines
constexpr std::int64_t kHeadlineHigh = 104 * kPixel;
constexpr std::int64_t kNoteHigh = 70 * kPixel;
constexpr std::int64_t kGap = 16 * kPixel;
constexpr std::int64_t kBodyEnd = 664 * kPixel;
constexpr std::int64_t kTableShare = 42; ///< hundredths of the width, with a picture at its side
constexpr std::int64_t kRowHigh = 38 * kPixel;
constexpr std::size_t kFewLines = 8; ///< of a table over the whole width, in larger type
/// Outside of placeholders some programs use a typeface of their own.
constexpr std::string_view kFace = "<a:latin typeface=\"+mn-lt\"/>";

Box questionBox(const Slide &slide)
{
    const std::int64_t top = kQuestionTop + (slide.problem.empty() ? 0 : kProblemHigh);
    return {kMargin, top, kWide, slide.question.empty() ? 0 : kQuestionHigh};
}

Box headlineBox(const Slide &slide)
{
    const Box above = questionBox(slide);
    return {kMargin, above.y + above.height, kWide, kHeadlineHigh};
}

Box bodyBox(const Slide &slide)
{
    const Box above = headlineBox(slide);
    const std::int64_t top = above.y + above.height + kGap;
    return {kMargin, top, kWide, kBodyEnd - top - (slide.note.empty() ? 0 : kNoteHigh + kGap)};
}

Box pictureBox(const Slide &slide)
{
    Box box = bodyBox(slide);
    if (slide.table) {
        const std::int64_t taken = kWide * kTableShare / 100 + kGap;
        box.x += taken;
        box.width -= taken;
    }
    return box;
}

std::string emu(std::int64_t value)
{
    return std::to_string(value);
}

std::string transform(const Box &box, std::string_view element = "a:xfrm")
{
    const std::string name(element);
    return '<' + name + "><a:off x=\"" + emu(box.x) + "\" y=\"" + emu(box.y) + "\"/><a:ext cx=\"" +
           emu(box.width) + "\" cy=\"" + emu(box.height) + "\"/></" + name + '>';
}

std::string fill(std::string_view color)
{
    return "<a:solidFill><a:schemeClr val=\"" + std::string(color) + "\"/></a:solidFill>";
}

/// Hundredths of a point for a sentence that has to fit its place.
int headlineSize(std::string_view text)
{
    const std::size_t count = characters(text);
    return count < 70 ? 2800 : count < 120 ? 2400 : count < 200 ? 2000 : 1600;
}

std::string_view toneColor(SlideTone tone)
{
    switch (tone) {
    case SlideTone::Good:
        return "accent2";
    case SlideTone::Warning:
        return "accent3";
    case SlideTone::Bad:
        return "accent4";
    case SlideTone::Plain:
        break;
    }
    return "tx1";
}

std::string run(std::string_view text, int size, std::string_view color, bool bold = false)
{
    return "<a:r><a:rPr lang=\"en-US\" sz=\"" + std::to_string(size) + "\" b=\"" +
           (bold ? "1" : "0") + "\" dirty=\"0\">" + fill(color) + std::string(kFace) +
           "</a:rPr><a:t>" + xmlText(text) + "</a:t></a:r>";
}

/// One paragraph per line of the text.
std::string paragraphs(std::string_view text, int size, std::string_view color)
{
    std::string all;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        all += "<a:p>" + run(text.substr(from, end - from), size, color) + "</a:p>";
        from = end + 1;
    }
    return all;
}

std::string placeholder(int id, std::string_view name, std::string_view type, const Box &box,
                        const std::string &body)
{
    return "<p:sp><p:nvSpPr><p:cNvPr id=\"" + std::to_string(id) + "\" name=\"" +
           std::string(name) + "\"/><p:cNvSpPr><a:spLocks noGrp=\"1\"/></p:cNvSpPr><p:nvPr><p:ph " +
           std::string(type) + "/></p:nvPr></p:nvSpPr><p:spPr>" + transform(box) +
           "</p:spPr><p:txBody><a:bodyPr><a:normAutofit/></a:bodyPr><a:lstStyle/>" + body +
           "</p:txBody></p:sp>";
}

std::string textBox(int id, std::string_view name, const Box &box, const std::string &body)
{
    return "<p:sp><p:nvSpPr><p:cNvPr id=\"" + std::to_string(id) + "\" name=\"" +
           std::string(name) + "\"/><p:cNvSpPr txBox=\"1\"/><p:nvPr/></p:nvSpPr><p:spPr>" +
           transform(box) +
           "<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom><a:noFill/></p:spPr><p:txBody>"
           "<a:bodyPr wrap=\"square\" lIns=\"0\" tIns=\"0\" rIns=\"0\" bIns=\"0\"><a:normAutofit/>"
           "</a:bodyPr><a:lstStyle/>" +
           body + "</p:txBody></p:sp>";
}

bool hasWords(const SlideTable &table, std::size_t column)
{
    return std::ranges::find(table.words, static_cast<int>(column)) != table.words.end();
}

std::size_t longestWord(std::string_view text)
{
    std::size_t longest = 0;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find(' ', from), text.size());
        longest = std::max(longest, characters(text.substr(from, end - from)));
        from = end + 1;
    }
    return longest;
}

/// The widths of the columns: figures get what they need on one line, words at least the width of
/// their longest word, and share the rest by their longest texts, within limits.
std::vector<std::int64_t> columnWidths(const SlideTable &table, std::int64_t width, int size)
{
    constexpr std::size_t kMost = 80;
    constexpr std::int64_t kPadding = 120'000;                          // both margins of a cell
    const std::int64_t character = std::int64_t(size) * 127 * 58 / 100; // typical of the typeface
    std::vector<std::int64_t> widths;
    std::vector<std::int64_t> shares;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        std::size_t text = characters(table.columns[column]);
        std::size_t word = longestWord(table.columns[column]);
        for (const auto &row : table.rows) {
            text = std::max(text, characters(row[column]));
            word = std::max(word, longestWord(row[column]));
        }
        const bool isWords = hasWords(table, column);
        const auto least = static_cast<std::int64_t>(std::min(isWords ? word : text, kMost) + 1);
        widths.push_back(least * character + kPadding);
        shares.push_back(isWords ? static_cast<std::int64_t>(std::min(text, kMost)) : 0);
    }
    const auto sum = [](const std::vector<std::int64_t> &of) {
        return std::accumulate(of.begin(), of.end(), std::int64_t(0));
    };
    const std::int64_t needed = sum(widths);
    const std::int64_t all = sum(shares);
    for (std::size_t column = 0; column < widths.size(); ++column) {
        if (needed > width) // no rest to share: all become narrower
            widths[column] = widths[column] * width / needed;
        else if (all > 0)
            widths[column] += (width - needed) * shares[column] / all;
    }
    return widths;
}

std::string cell(std::string_view text, bool isWords, bool isHead, bool isStrong, int size)
{
    const auto line = [](const std::string &side, const std::string &width,
                         const std::string &color) {
        return "<a:ln" + side + " w=\"" + width + "\">" + color + "</a:ln" + side + '>';
    };
    const std::string none = "<a:noFill/>";
    const std::string lines = line("L", "0", none) + line("R", "0", none) + line("T", "0", none) +
                              line("B", "9525", fill("bg2"));
    return "<a:tc><a:txBody><a:bodyPr/><a:lstStyle/><a:p><a:pPr algn=\"" +
           std::string(isWords ? "l" : "r") + "\"/>" +
           run(text, size, isHead ? "tx2" : "tx1", isHead || isStrong) +
           "</a:p></a:txBody><a:tcPr marL=\"60000\" marR=\"60000\" marT=\"40000\" marB=\"40000\" "
           "anchor=\"ctr\">" +
           lines + none + "</a:tcPr></a:tc>";
}

std::string tableFrame(int id, const SlideTable &table, Box box)
{
    const bool hasHead =
        std::ranges::any_of(table.columns, [](const std::string &title) { return !title.empty(); });
    const std::size_t lines = table.rows.size() + (hasHead ? 1 : 0);
    const std::int64_t high =
        std::min(kRowHigh, box.height / static_cast<std::int64_t>(std::max<std::size_t>(lines, 1)));
    const bool isFew = lines <= kFewLines && box.width > kWide / 2;
    const int size = isFew ? 1600 : high >= kRowHigh ? 1400 : high > 28 * kPixel ? 1200 : 1000;
    box.height = high * static_cast<std::int64_t>(lines);
    std::string xml = "<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id=\"" + std::to_string(id) +
                      "\" name=\"Table\"/><p:cNvGraphicFramePr><a:graphicFrameLocks noGrp=\"1\"/>"
                      "</p:cNvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr>" +
                      transform(box, "p:xfrm") +
                      "<a:graphic><a:graphicData "
                      "uri=\"http://schemas.openxmlformats.org/drawingml/2006/table\"><a:tbl>"
                      "<a:tblPr" +
                      (hasHead ? " firstRow=\"1\"" : "") + "/><a:tblGrid>";
    for (const std::int64_t width : columnWidths(table, box.width, size))
        xml += "<a:gridCol w=\"" + emu(width) + "\"/>";
    xml += "</a:tblGrid>";
    const auto addRow = [&](const std::vector<std::string> &cells, bool isHead, bool isStrong) {
        xml += "<a:tr h=\"" + emu(high) + "\">";
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            // In facts without a head the first column labels the second.
            const bool names = !hasHead && column == 0;
            xml += cell(cells[column], hasWords(table, column), isHead || names, isStrong, size);
        }
        xml += "</a:tr>";
    };
    if (hasHead)
        addRow(table.columns, true, false);
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        addRow(table.rows[row], false, table.strong == row);
    return xml + "</a:tbl></a:graphicData></a:graphic></p:graphicFrame>";
}

std::string pictureFrame(int id, const SlidePicture &picture, const Box &box)
{
    // Vectors accompany the pixels in an extension that older programs ignore.
    const std::string vectors =
        picture.svg.empty()
            ? std::string()
            : "<a:extLst><a:ext uri=\"{96DAC541-7B7A-43D3-8B79-37D633B846F1}\"><asvg:svgBlip "
              "xmlns:asvg=\"http://schemas.microsoft.com/office/drawing/2016/SVG/main\" "
              "r:embed=\"rId3\"/></a:ext></a:extLst>";
    return "<p:pic><p:nvPicPr><p:cNvPr id=\"" + std::to_string(id) + "\" name=\"Chart\" descr=\"" +
           xmlText(picture.description) +
           "\"/><p:cNvPicPr><a:picLocks noChangeAspect=\"1\"/></p:cNvPicPr><p:nvPr/></p:nvPicPr>"
           "<p:blipFill><a:blip r:embed=\"rId2\">" +
           vectors + "</a:blip><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr>" +
           transform(box) + "<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></p:spPr></p:pic>";
}

} // namespace

std::string xmlText(std::string_view text)
{
    std::string xml;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = characterLength(text.substr(at));
        const std::string_view one = text.substr(at, std::max<std::size_t>(length, 1));
        at += one.size();
        if (length == 0 || (one[0] >= 0 && one[0] < ' ' && one[0] != '\t'))
            continue;
        if (one == "\xEF\xBF\xBE" || one == "\xEF\xBF\xBF") // U+FFFE and U+FFFF
            continue;
        if (one == "&")
            xml += "&amp;";
        else if (one == "<")
            xml += "&lt;";
        else if (one == ">")
            xml += "&gt;";
        else if (one == "\"")
            xml += "&quot;";
        else
            xml += one;
    }
    return xml;
}

PictureRoom pictureRoom(const Slide &slide)
{
    const Box box = pictureBox(slide);
    return {static_cast<int>(box.width / kPixel), static_cast<int>(box.height / kPixel)};
}

std::string slideXml(const Slide &slide, const std::string &footer)
{
    std::string shapes;
    if (!slide.problem.empty()) // first, in reading order
        shapes += textBox(9, "Problem", {kMargin, kQuestionTop, kWide, kProblemHigh},
                          paragraphs(slide.problem, 1400, toneColor(SlideTone::Warning)));
    shapes += placeholder(
        2, "Title", "type=\"title\"", headlineBox(slide),
        "<a:p>" + run(slide.headline, headlineSize(slide.headline), toneColor(slide.tone), true) +
            "</a:p>");
    if (!slide.question.empty())
        shapes +=
            textBox(3, "Question", questionBox(slide), paragraphs(slide.question, 1400, "tx2"));
    Box place = bodyBox(slide);
    if (slide.table && slide.picture)
        place.width = place.width * kTableShare / 100;
    if (slide.table && !slide.table->columns.empty() && !slide.table->rows.empty())
        shapes += tableFrame(4, *slide.table, place);
    if (slide.picture)
        shapes += pictureFrame(5, *slide.picture, pictureBox(slide));
    if (!slide.note.empty())
        shapes += textBox(6, "Note", {kMargin, kBodyEnd - kNoteHigh, kWide, kNoteHigh},
                          paragraphs(slide.note, 1400, "tx1"));
    shapes += placeholder(7, "Footer", "type=\"ftr\" sz=\"quarter\" idx=\"11\"",
                          {kMargin, kFooterTop, kWide - kNumberWide, kFooterHigh},
                          "<a:p>" + run(footer, 1000, "tx2") + "</a:p>");
    shapes += placeholder(
        8, "Slide number", "type=\"sldNum\" sz=\"quarter\" idx=\"12\"",
        {kMargin + kWide - kNumberWide, kFooterTop, kNumberWide, kFooterHigh},
        "<a:p><a:fld id=\"{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}\" type=\"slidenum\"><a:rPr "
        "lang=\"en-US\" sz=\"1000\" dirty=\"0\">" +
            fill("tx2") + std::string(kFace) + "</a:rPr><a:t>‹#›</a:t></a:fld></a:p>");
    return std::string(kXmlHead) + "<p:sld " + std::string(kNamespaces) + "><p:cSld><p:spTree>" +
           std::string(kGroupHead) + shapes +
           "</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>";
}

} // namespace vramscope
