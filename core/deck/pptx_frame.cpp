// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deck/pptx_frame.h"

#include "core/deck/slide_layout.h"

namespace vramscope {

namespace {

std::string schemeColor(std::string_view name, std::string_view value)
{
    const std::string element = "a:" + std::string(name);
    return '<' + element + "><a:srgbClr val=\"" + std::string(value) + "\"/></" + element + '>';
}

/// A typeface of both kinds that exists on every machine, or has a substitute with the same widths
/// there.
std::string fonts(std::string_view kind)
{
    const std::string element = "a:" + std::string(kind);
    return '<' + element +
           "><a:latin typeface=\"Arial\"/><a:ea typeface=\"\"/><a:cs typeface=\"\"/></" + element +
           '>';
}

/// Three equal styles of a kind: slides name the ones that they use.
std::string thrice(std::string_view list, std::string_view style)
{
    const std::string element = "a:" + std::string(list);
    std::string xml = '<' + element + '>';
    for (int at = 0; at < 3; ++at)
        xml += style;
    return xml + "</" + element + '>';
}

std::string framePlaceholder(int id, std::string_view name, std::string_view type, double x,
                             double y, double width, double height, std::string_view style,
                             std::string_view body)
{
    const auto emu = [](double points) { return std::to_string(emus(points)); };
    return "<p:sp><p:nvSpPr><p:cNvPr id=\"" + std::to_string(id) + "\" name=\"" +
           std::string(name) + "\"/><p:cNvSpPr><a:spLocks noGrp=\"1\"/></p:cNvSpPr><p:nvPr><p:ph " +
           std::string(type) + "/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x=\"" + emu(x) +
           "\" y=\"" + emu(y) + "\"/><a:ext cx=\"" + emu(width) + "\" cy=\"" + emu(height) +
           "\"/></a:xfrm><a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></p:spPr><p:txBody>"
           "<a:bodyPr vert=\"horz\" lIns=\"0\" tIns=\"0\" rIns=\"0\" bIns=\"0\" anchor=\"t\">"
           "<a:normAutofit/></a:bodyPr><a:lstStyle>" +
           std::string(style) + "</a:lstStyle>" + std::string(body) + "</p:txBody></p:sp>";
}

std::string smallType(std::string_view alignment)
{
    return "<a:lvl1pPr algn=\"" + std::string(alignment) +
           "\"><a:defRPr sz=\"1100\"><a:solidFill><a:schemeClr val=\"tx2\"/></a:solidFill>"
           "</a:defRPr></a:lvl1pPr>";
}

/// Title, footer and number at their places in master and layout.
std::string frameShapes()
{
    constexpr double kFootHigh = 16;
    constexpr double kFootWide = kContentWide - kPageWide;
    return framePlaceholder(2, "Title", "type=\"title\"", kSlideSide, kTitleTop, kContentWide,
                            kTitleHigh, "",
                            "<a:p><a:r><a:rPr lang=\"en-US\"/><a:t>Title</a:t></a:r></a:p>") +
           framePlaceholder(3, "Footer", "type=\"ftr\" sz=\"quarter\" idx=\"11\"", kSlideSide,
                            kFootTop, kFootWide, kFootHigh, smallType("l"), "<a:p/>") +
           framePlaceholder(
               4, "Slide number", "type=\"sldNum\" sz=\"quarter\" idx=\"12\"",
               kSlideSide + kFootWide, kFootTop, kPageWide, kFootHigh, smallType("r"),
               "<a:p><a:fld id=\"{B6F15528-21DE-4FAA-801E-634DDDAF4B2B}\" "
               "type=\"slidenum\"><a:rPr lang=\"en-US\"/><a:t>‹#›</a:t></a:fld></a:p>");
}

} // namespace

std::string themeXml(const DeckColors &colors)
{
    const std::string fillStyle = "<a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill>";
    return std::string(kXmlHead) +
           "<a:theme xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" "
           "name=\"VRAMscope\"><a:themeElements><a:clrScheme name=\"VRAMscope\">" +
           schemeColor("dk1", colors.text) + schemeColor("lt1", colors.ground) +
           schemeColor("dk2", colors.dim) + schemeColor("lt2", colors.line) +
           schemeColor("accent1", colors.accent) + schemeColor("accent2", colors.good) +
           schemeColor("accent3", colors.warning) + schemeColor("accent4", colors.bad) +
           schemeColor("accent5", colors.dim) + schemeColor("accent6", colors.line) +
           schemeColor("hlink", colors.accent) + schemeColor("folHlink", colors.accent) +
           "</a:clrScheme><a:fontScheme name=\"VRAMscope\">" + fonts("majorFont") +
           fonts("minorFont") + "</a:fontScheme><a:fmtScheme name=\"VRAMscope\">" +
           thrice("fillStyleLst", fillStyle) +
           thrice("lnStyleLst", "<a:ln w=\"9525\">" + fillStyle + "</a:ln>") +
           thrice("effectStyleLst", "<a:effectStyle><a:effectLst/></a:effectStyle>") +
           thrice("bgFillStyleLst", fillStyle) + "</a:fmtScheme></a:themeElements></a:theme>";
}

std::string masterXml()
{
    const auto style = [](int level) {
        const std::string element = "a:lvl" + std::to_string(level) + "pPr";
        return '<' + element +
               "><a:buNone/><a:defRPr sz=\"1600\"><a:solidFill><a:schemeClr val=\"tx1\"/>"
               "</a:solidFill><a:latin typeface=\"+mn-lt\"/></a:defRPr></" +
               element + '>';
    };
    std::string levels;
    for (int level = 1; level <= 9; ++level)
        levels += style(level);
    return std::string(kXmlHead) + "<p:sldMaster " + std::string(kNamespaces) +
           "><p:cSld><p:bg><p:bgPr><a:solidFill><a:schemeClr val=\"bg1\"/></a:solidFill>"
           "<a:effectLst/></p:bgPr></p:bg><p:spTree>" +
           std::string(kGroupHead) + frameShapes() +
           "</p:spTree></p:cSld><p:clrMap bg1=\"lt1\" tx1=\"dk1\" bg2=\"lt2\" tx2=\"dk2\" "
           "accent1=\"accent1\" accent2=\"accent2\" accent3=\"accent3\" accent4=\"accent4\" "
           "accent5=\"accent5\" accent6=\"accent6\" hlink=\"hlink\" folHlink=\"folHlink\"/>"
           "<p:sldLayoutIdLst><p:sldLayoutId id=\"2147483649\" r:id=\"rId1\"/></p:sldLayoutIdLst>"
           "<p:txStyles><p:titleStyle><a:lvl1pPr><a:buNone/><a:defRPr sz=\"3000\" b=\"1\">"
           "<a:solidFill><a:schemeClr val=\"tx1\"/></a:solidFill><a:latin typeface=\"+mj-lt\"/>"
           "</a:defRPr></a:lvl1pPr></p:titleStyle><p:bodyStyle>" +
           levels + "</p:bodyStyle><p:otherStyle>" + levels +
           "</p:otherStyle></p:txStyles></p:sldMaster>";
}

std::string notesMasterXml()
{
    constexpr double kWide = 540; // of a page of notes
    constexpr double kEdge = 54;
    return std::string(kXmlHead) + "<p:notesMaster " + std::string(kNamespaces) +
           "><p:cSld><p:bg><p:bgPr><a:solidFill><a:schemeClr val=\"bg1\"/></a:solidFill>"
           "<a:effectLst/></p:bgPr></p:bg><p:spTree>" +
           std::string(kGroupHead) +
           framePlaceholder(2, "Slide", "type=\"sldImg\" idx=\"2\"", kEdge, kEdge,
                            kWide - 2 * kEdge, 243, "", "<a:p/>") +
           framePlaceholder(3, "Notes", "type=\"body\" sz=\"quarter\" idx=\"3\"", kEdge, 342,
                            kWide - 2 * kEdge, 324, "", "<a:p/>") +
           "</p:spTree></p:cSld><p:clrMap bg1=\"lt1\" tx1=\"dk1\" bg2=\"lt2\" tx2=\"dk2\" "
           "accent1=\"accent1\" accent2=\"accent2\" accent3=\"accent3\" accent4=\"accent4\" "
           "accent5=\"accent5\" accent6=\"accent6\" hlink=\"hlink\" folHlink=\"folHlink\"/>"
           "</p:notesMaster>";
}

std::string layoutXml()
{
    return std::string(kXmlHead) + "<p:sldLayout " + std::string(kNamespaces) +
           " type=\"titleOnly\" preserve=\"1\"><p:cSld name=\"Title only\"><p:spTree>" +
           std::string(kGroupHead) + frameShapes() +
           "</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>";
}

} // namespace vramscope
