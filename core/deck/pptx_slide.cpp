// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deck/pptx_slide.h"

#include "core/base/text.h"
#include "core/deck/arial.h"
#include "core/deck/pptx_frame.h"
#include "core/deck/pptx_shapes.h"
#include "core/deck/slide_layout.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

std::vector<std::string> problemLines(const Slide &slide)
{
    return wrapped(unbroken(slide.problem), kContentWide, kLabelType, false, 2, arialWidth);
}

/// How far everything is moved down by a problem above it.
double movedDown(const Slide &slide)
{
    const double end = kProblemTop + static_cast<double>(problemLines(slide).size()) * kLabelHigh;
    return slide.problem.empty() ? 0 : std::max(0.0, end + 4 - kTitleTop);
}

std::vector<std::string> noteLines(const Slide &slide)
{
    constexpr std::size_t kMost = 5;
    return wrapped(unbroken(slide.note), kContentWide - kPartGap, kNoteType, false, kMost,
                   arialWidth);
}

SlideBox noteBox(const Slide &slide)
{
    constexpr double kLine = 20;
    const double high =
        slide.note.empty()
            ? 0
            : static_cast<double>(std::max<std::size_t>(
                  noteLines(slide).size(),
                  static_cast<std::size_t>(std::ranges::count(slide.note, '\n')) + 1)) *
                  kLine;
    return {kSlideSide + kPartGap, kBodyEnd - high, kContentWide - kPartGap, high};
}

SlideBox bodyBox(const Slide &slide)
{
    const double top = kBodyTop + movedDown(slide);
    const double end = slide.note.empty() ? kBodyEnd : noteBox(slide).y - kPartGap;
    return {kSlideSide, top, kContentWide, end - top};
}

/// Under the picture, if there is one.
SlideBox tableBox(const Slide &slide)
{
    SlideBox box = bodyBox(slide);
    if (!slide.picture)
        return box;
    const double high = tableRoom(shownRows(*slide.table), box.height, arialWidth);
    return {box.x, box.y + box.height - high, box.width, high};
}

SlideBox pictureBox(const Slide &slide)
{
    SlideBox box = bodyBox(slide);
    if (slide.table && !slide.table->rows.empty())
        box.height -= tableRoom(shownRows(*slide.table), box.height, arialWidth) + kPartGap;
    return box;
}

/// The headline in its lines, with the words of its verdict in their colour.
std::string titleParagraph(const Slide &slide)
{
    const TitleLines title = titleLines(slide.headline, kContentWide, arialWidth);
    const std::string verdict = unbroken(slide.verdict);
    std::string xml;
    for (const std::string_view line : title.lines) {
        if (!xml.empty())
            xml += "<a:br><a:rPr lang=\"en-US\" sz=\"3000\" b=\"1\"/></a:br>";
        const std::size_t at = verdict.empty() ? std::string::npos : line.find(verdict);
        const auto part = [&](std::string_view text, std::string_view color) {
            if (!text.empty())
                xml += run(text, title.type, color, true);
        };
        part(line.substr(0, std::min(at, line.size())), "tx1");
        if (at == std::string::npos)
            continue;
        part(verdict, toneColor(slide.tone));
        part(line.substr(at + verdict.size()), "tx1");
    }
    return "<a:p>" + xml + "</a:p>";
}

std::string pictureFrame(int id, const SlidePicture &picture, const SlideBox &box)
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

PictureRoom pictureRoom(const Slide &slide)
{
    constexpr double kPixels = 96.0 / 72; // in a point
    const SlideBox box = pictureBox(slide);
    return {static_cast<int>(box.width * kPixels), static_cast<int>(box.height * kPixels)};
}

namespace {

std::string footShapes(const Slide &slide, const std::string &title)
{
    constexpr double kHigh = 16;
    const std::string between = title.empty() || slide.foot.empty() ? "" : " · ";
    const std::vector<std::string> foot =
        wrapped(unbroken(title + between + slide.foot), kContentWide - kPageWide, kFootType, false,
                1, arialWidth);
    return placeholder(7, "Footer", "type=\"ftr\" sz=\"quarter\" idx=\"11\"",
                       {kSlideSide, kFootTop, kContentWide - kPageWide, kHigh},
                       "<a:p>" + run(foot.empty() ? "" : foot.front(), kFootType, "tx2") +
                           "</a:p>") +
           placeholder(
               8, "Slide number", "type=\"sldNum\" sz=\"quarter\" idx=\"12\"",
               {kSlideSide + kContentWide - kPageWide, kFootTop, kPageWide, kHigh},
               "<a:p><a:fld id=\"{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}\" type=\"slidenum\"><a:rPr "
               "lang=\"en-US\" sz=\"1100\" dirty=\"0\">" +
                   fill("tx2") + std::string(kFace) + "</a:rPr><a:t>‹#›</a:t></a:fld></a:p>");
}

std::string tableOf(const Slide &slide)
{
    if (!slide.table || slide.table->columns.empty() || slide.table->rows.empty())
        return {};
    const SlideTable table = shownRows(*slide.table);
    const SlideBox box = tableBox(slide);
    const TableLayout layout = tableLayout(table, box.width, box.height, arialWidth);
    return tableShapes(table, layout, box);
}

} // namespace

std::string slideXml(const Slide &slide, const std::string &title)
{
    const double down = movedDown(slide);
    std::string shapes;
    if (!slide.problem.empty()) // first, in reading order
        shapes += textBox(9, "Problem",
                          {kSlideSide, kProblemTop, kContentWide,
                           static_cast<double>(problemLines(slide).size()) * kLabelHigh},
                          paragraphs(slide.problem, kLabelType, toneColor(SlideTone::Warning)));
    shapes += placeholder(2, "Title", "type=\"title\"",
                          {kSlideSide, kTitleTop + down, kContentWide, kTitleHigh},
                          titleParagraph(slide));
    if (!slide.kicker.empty())
        shapes += textBox(
            3, "Kicker", {kSlideSide, kKickerTop + down, kContentWide, kLabelHigh},
            "<a:p>" +
                run(wrapped(unbroken(slide.kicker), kContentWide, kLabelType, false, 1, arialWidth)
                        .front(),
                    kLabelType, "tx2") +
                "</a:p>");
    if (slide.picture)
        shapes += pictureFrame(5, *slide.picture, pictureBox(slide));
    shapes += tableOf(slide);
    if (!slide.note.empty())
        shapes += textBox(6, "Note", noteBox(slide), paragraphs(slide.note, kNoteType, "tx1"));
    shapes += footShapes(slide, title);
    return std::string(kXmlHead) + "<p:sld " + std::string(kNamespaces) + "><p:cSld><p:spTree>" +
           std::string(kGroupHead) + shapes +
           "</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>";
}

std::string speechOf(const Slide &slide)
{
    std::string speech = slide.speech;
    if (!slide.table || slide.table->rows.empty())
        return speech;
    const SlideBox box = tableBox(slide);
    const SlideTable shown = shownRows(*slide.table);
    const TableLayout layout = tableLayout(shown, box.width, box.height, arialWidth);
    for (const std::string &row : leftOutRows(*slide.table, layout))
        speech += (speech.empty() ? "" : "\n") + row;
    return speech;
}

std::string notesXml(const Slide &slide)
{
    constexpr double kType = 12;
    return std::string(kXmlHead) + "<p:notes " + std::string(kNamespaces) + "><p:cSld><p:spTree>" +
           std::string(kGroupHead) +
           "<p:sp><p:nvSpPr><p:cNvPr id=\"2\" name=\"Slide\"/><p:cNvSpPr><a:spLocks noGrp=\"1\" "
           "noRot=\"1\" noChangeAspect=\"1\"/></p:cNvSpPr><p:nvPr><p:ph type=\"sldImg\" "
           "idx=\"2\"/></p:nvPr></p:nvSpPr><p:spPr/></p:sp>"
           "<p:sp><p:nvSpPr><p:cNvPr id=\"3\" name=\"Notes\"/><p:cNvSpPr><a:spLocks noGrp=\"1\"/>"
           "</p:cNvSpPr><p:nvPr><p:ph type=\"body\" sz=\"quarter\" idx=\"3\"/></p:nvPr></p:nvSpPr>"
           "<p:spPr/><p:txBody><a:bodyPr/><a:lstStyle/>" +
           paragraphs(speechOf(slide), kType, "tx1") +
           "</p:txBody></p:sp></p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr>"
           "</p:notes>";
}

} // namespace vramscope
