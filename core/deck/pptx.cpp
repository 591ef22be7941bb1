// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deck/pptx.h"

#include "core/deck/pptx_frame.h"
#include "core/deck/pptx_slide.h"
#include "core/deck/slide_layout.h"
#include "core/deck/zip_writer.h"

#include <algorithm>
#include <string_view>

namespace vramscope {

namespace {

constexpr std::string_view kRelations =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships/";
constexpr std::string_view kContent =
    "application/vnd.openxmlformats-officedocument.presentationml.";

/// A part's relations to others, rId1, rId2, … in order.
class Relations
{
public:
    void add(std::string_view type, const std::string &target)
    {
        m_xml += "<Relationship Id=\"rId" + std::to_string(++m_count) + "\" Type=\"" +
                 (type.starts_with("http") ? std::string() : std::string(kRelations)) +
                 std::string(type) + "\" Target=\"" + target + "\"/>";
    }
    [[nodiscard]] std::string xml() const
    {
        return std::string(kXmlHead) +
               "<Relationships "
               "xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">" +
               m_xml + "</Relationships>";
    }

private:
    std::string m_xml;
    int m_count = 0;
};

std::string relation(std::string_view type, const std::string &target)
{
    Relations one;
    one.add(type, target);
    return one.xml();
}

bool hasSpeech(const SlideDeck &deck)
{
    return std::ranges::any_of(deck.slides, [](const Slide &it) { return !speechOf(it).empty(); });
}

std::string contentTypes(const SlideDeck &deck)
{
    std::string xml = std::string(kXmlHead) +
                      "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/"
                      "content-types\"><Default Extension=\"rels\" "
                      "ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
                      "<Default Extension=\"xml\" ContentType=\"application/xml\"/>"
                      "<Default Extension=\"png\" ContentType=\"image/png\"/>"
                      "<Default Extension=\"svg\" ContentType=\"image/svg+xml\"/>";
    const auto add = [&](const std::string &part, std::string_view type) {
        xml += "<Override PartName=\"/" + part + "\" ContentType=\"" + std::string(type) + "\"/>";
    };
    const auto ofSlides = [](std::string_view kind) {
        return std::string(kContent) + std::string(kind) + "+xml";
    };
    add("ppt/presentation.xml", ofSlides("presentation.main"));
    add("ppt/slideMasters/slideMaster1.xml", ofSlides("slideMaster"));
    add("ppt/slideLayouts/slideLayout1.xml", ofSlides("slideLayout"));
    add("ppt/theme/theme1.xml", "application/vnd.openxmlformats-officedocument.theme+xml");
    for (std::size_t at = 1; at <= deck.slides.size(); ++at) {
        add("ppt/slides/slide" + std::to_string(at) + ".xml", ofSlides("slide"));
        if (!speechOf(deck.slides[at - 1]).empty())
            add("ppt/notesSlides/notesSlide" + std::to_string(at) + ".xml", ofSlides("notesSlide"));
    }
    if (hasSpeech(deck)) {
        add("ppt/notesMasters/notesMaster1.xml", ofSlides("notesMaster"));
        add("ppt/theme/theme2.xml", "application/vnd.openxmlformats-officedocument.theme+xml");
    }
    add("docProps/core.xml", "application/vnd.openxmlformats-package.core-properties+xml");
    add("docProps/app.xml",
        "application/vnd.openxmlformats-officedocument.extended-properties+xml");
    return xml + "</Types>";
}

std::string presentationXml(const SlideDeck &deck)
{
    const std::size_t slides = deck.slides.size();
    std::string xml = std::string(kXmlHead) + "<p:presentation " + std::string(kNamespaces) +
                      "><p:sldMasterIdLst><p:sldMasterId id=\"2147483648\" r:id=\"rId1\"/>"
                      "</p:sldMasterIdLst>";
    if (hasSpeech(deck)) // after the slides
        xml += "<p:notesMasterIdLst><p:notesMasterId r:id=\"rId" + std::to_string(slides + 3) +
               "\"/></p:notesMasterIdLst>";
    xml += "<p:sldIdLst>";
    for (std::size_t at = 0; at < slides; ++at)
        xml += "<p:sldId id=\"" + std::to_string(256 + at) + "\" r:id=\"rId" +
               std::to_string(at + 3) + "\"/>";
    return xml + "</p:sldIdLst><p:sldSz cx=\"" + std::to_string(emus(kSlideWide)) + "\" cy=\"" +
           std::to_string(emus(kSlideHigh)) +
           "\"/><p:notesSz cx=\"6858000\" cy=\"9144000\"/></p:presentation>";
}

std::string presentationRelations(const SlideDeck &deck)
{
    Relations all;
    all.add("slideMaster", "slideMasters/slideMaster1.xml");
    all.add("theme", "theme/theme1.xml");
    for (std::size_t at = 1; at <= deck.slides.size(); ++at)
        all.add("slide", "slides/slide" + std::to_string(at) + ".xml");
    if (hasSpeech(deck))
        all.add("notesMaster", "notesMasters/notesMaster1.xml");
    return all.xml();
}

std::string coreProperties(const SlideDeck &deck)
{
    const auto date = [&](const std::string &name) {
        return deck.date.empty() ? std::string()
                                 : "<dcterms:" + name + " xsi:type=\"dcterms:W3CDTF\">" +
                                       xmlText(deck.date) + "</dcterms:" + name + '>';
    };
    return std::string(kXmlHead) +
           "<cp:coreProperties "
           "xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/metadata/core-properties\" "
           "xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
           "xmlns:dcterms=\"http://purl.org/dc/terms/\" "
           "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><dc:title>" +
           xmlText(deck.title) + "</dc:title><dc:subject>" + xmlText(deck.source) +
           "</dc:subject><dc:creator>VRAMscope</dc:creator>" + date("created") + date("modified") +
           "</cp:coreProperties>";
}

std::string appProperties(std::size_t slides)
{
    return std::string(kXmlHead) +
           "<Properties "
           "xmlns=\"http://schemas.openxmlformats.org/officeDocument/2006/extended-properties\">"
           "<Application>VRAMscope</Application><Slides>" +
           std::to_string(slides) + "</Slides></Properties>";
}

void addSlide(std::vector<ZipPart> &parts, const SlideDeck &deck, std::size_t at)
{
    const Slide &slide = deck.slides[at];
    const std::string number = std::to_string(at + 1);
    Relations of;
    of.add("slideLayout", "../slideLayouts/slideLayout1.xml");
    if (slide.picture) {
        of.add("image", "../media/image" + number + ".png");
        parts.push_back({"ppt/media/image" + number + ".png", slide.picture->png});
        if (!slide.picture->svg.empty()) {
            of.add("image", "../media/image" + number + ".svg");
            parts.push_back({"ppt/media/image" + number + ".svg", slide.picture->svg});
        }
    }
    if (!speechOf(slide).empty()) {
        of.add("notesSlide", "../notesSlides/notesSlide" + number + ".xml");
        Relations notes;
        notes.add("notesMaster", "../notesMasters/notesMaster1.xml");
        notes.add("slide", "../slides/slide" + number + ".xml");
        parts.push_back({"ppt/notesSlides/notesSlide" + number + ".xml", notesXml(slide)});
        parts.push_back({"ppt/notesSlides/_rels/notesSlide" + number + ".xml.rels", notes.xml()});
    }
    parts.push_back({"ppt/slides/slide" + number + ".xml", slideXml(slide, deck.title)});
    parts.push_back({"ppt/slides/_rels/slide" + number + ".xml.rels", of.xml()});
}

} // namespace

Result<std::string> pptx(const SlideDeck &deck)
{
    const std::size_t count = deck.slides.size();
    Relations whole;
    whole.add("officeDocument", "ppt/presentation.xml");
    whole.add("http://schemas.openxmlformats.org/package/2006/relationships/metadata/"
              "core-properties",
              "docProps/core.xml");
    whole.add("extended-properties", "docProps/app.xml");
    Relations master;
    master.add("slideLayout", "../slideLayouts/slideLayout1.xml");
    master.add("theme", "../theme/theme1.xml");
    std::vector<ZipPart> parts{
        {"[Content_Types].xml", contentTypes(deck)},
        {"_rels/.rels", whole.xml()},
        {"docProps/core.xml", coreProperties(deck)},
        {"docProps/app.xml", appProperties(count)},
        {"ppt/presentation.xml", presentationXml(deck)},
        {"ppt/_rels/presentation.xml.rels", presentationRelations(deck)},
        {"ppt/theme/theme1.xml", themeXml(deck.colors)},
        {"ppt/slideMasters/slideMaster1.xml", masterXml()},
        {"ppt/slideMasters/_rels/slideMaster1.xml.rels", master.xml()},
        {"ppt/slideLayouts/slideLayout1.xml", layoutXml()},
        {"ppt/slideLayouts/_rels/slideLayout1.xml.rels",
         relation("slideMaster", "../slideMasters/slideMaster1.xml")},
    };
    if (hasSpeech(deck)) {
        parts.push_back({"ppt/theme/theme2.xml", themeXml(deck.colors)});
        parts.push_back({"ppt/notesMasters/notesMaster1.xml", notesMasterXml()});
        parts.push_back({"ppt/notesMasters/_rels/notesMaster1.xml.rels",
                         relation("theme", "../theme/theme2.xml")});
    }
    for (std::size_t at = 0; at < count; ++at)
        addSlide(parts, deck, at);
    return zipped(parts);
}

} // namespace vramscope
