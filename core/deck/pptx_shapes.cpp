// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deck/pptx_shapes.h"

#include "core/base/text.h"
#include "core/deck/pptx_frame.h"
#include "core/deck/pptx_slide.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

std::string emu(double points)
{
    return std::to_string(emus(points));
}

std::string transform(const SlideBox &box, std::string_view element)
{
    const std::string name(element);
    return '<' + name + "><a:off x=\"" + emu(box.x) + "\" y=\"" + emu(box.y) + "\"/><a:ext cx=\"" +
           emu(box.width) + "\" cy=\"" + emu(box.height) + "\"/></" + name + '>';
}

std::string fill(std::string_view color)
{
    return "<a:solidFill><a:schemeClr val=\"" + std::string(color) + "\"/></a:solidFill>";
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

std::string run(std::string_view text, double points, std::string_view color, bool bold)
{
    constexpr double kEach = 100;
    return "<a:r><a:rPr lang=\"en-US\" sz=\"" + std::to_string(std::lround(points * kEach)) +
           "\" b=\"" + (bold ? "1" : "0") + "\" dirty=\"0\">" + fill(color) + std::string(kFace) +
           "</a:rPr><a:t>" + xmlText(text) + "</a:t></a:r>";
}

std::string paragraphs(std::string_view text, double points, std::string_view color)
{
    std::string all;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        all += "<a:p>" + run(unbroken(text.substr(from, end - from)), points, color) + "</a:p>";
        from = end + 1;
    }
    return all;
}

std::string placeholder(int id, std::string_view name, std::string_view type, const SlideBox &box,
                        const std::string &body)
{
    return "<p:sp><p:nvSpPr><p:cNvPr id=\"" + std::to_string(id) + "\" name=\"" +
           std::string(name) + "\"/><p:cNvSpPr><a:spLocks noGrp=\"1\"/></p:cNvSpPr><p:nvPr><p:ph " +
           std::string(type) + "/></p:nvPr></p:nvSpPr><p:spPr>" + transform(box) +
           "</p:spPr><p:txBody><a:bodyPr><a:normAutofit/></a:bodyPr><a:lstStyle/>" + body +
           "</p:txBody></p:sp>";
}

std::string textBox(int id, std::string_view name, const SlideBox &box, const std::string &body)
{
    return "<p:sp><p:nvSpPr><p:cNvPr id=\"" + std::to_string(id) + "\" name=\"" +
           std::string(name) + "\"/><p:cNvSpPr txBox=\"1\"/><p:nvPr/></p:nvSpPr><p:spPr>" +
           transform(box) +
           "<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom><a:noFill/></p:spPr><p:txBody>"
           "<a:bodyPr wrap=\"square\" lIns=\"0\" tIns=\"0\" rIns=\"0\" "
           "bIns=\"0\"><a:normAutofit/></a:bodyPr><a:lstStyle/>" +
           body + "</p:txBody></p:sp>";
}

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

} // namespace vramscope
