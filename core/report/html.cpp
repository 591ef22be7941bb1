// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html.h"

#include "core/base/base64.h"
#include "core/base/sha256.h"
#include "core/base/shipped_documents.h"
#include "core/base/text.h"
#include "core/plan/embedded_plan.h"
#include "core/plan/plan_json.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace vramscope {

namespace {

std::string_view toneClass(Tone tone)
{
    constexpr std::array<std::string_view, 6> kClasses{"",        "good", "bad",
                                                       "warning", "note", "warning"};
    return kClasses[static_cast<std::size_t>(tone)];
}

/// Writes one block after the other.
struct Writer
{
    const Report &report;
    const std::function<std::string(const Figure &)> &image;
    std::string html = {};
    std::size_t sections = 0;

    void operator()(const Heading &heading)
    {
        const std::string tag = "h" + std::to_string(heading.level);
        const std::string id =
            heading.level == 1 ? " id=\"section-" + std::to_string(++sections) + "\"" : "";
        html += "<" + tag + id + ">" + htmlText(heading.text) + "</" + tag + ">\n";
    }

    void operator()(const Paragraph &paragraph)
    {
        std::string classes(paragraph.isAnswer ? "answer" : "");
        if (const std::string_view tone = toneClass(paragraph.tone); !tone.empty())
            classes += (classes.empty() ? "" : " ") + std::string(tone);
        html += classes.empty() ? "<p>" : "<p class=\"" + classes + "\">";
        const std::string_view word = paragraph.isAnswer ? "" : toneWord(paragraph.tone);
        if (!word.empty())
            html += "<b>" + std::string(word) + ":</b> ";
        html += htmlText(paragraph.text) + "</p>\n";
    }

    void operator()(const ReportTable &table)
    {
        html += table.shape == ReportTable::Shape::Cards   ? "<table class=\"wide\">\n"
                : table.shape == ReportTable::Shape::Pairs ? "<table class=\"pairs\">\n"
                                                           : "<table>\n";
        bool headed = false;
        for (const std::string &heading : table.headings)
            headed = headed || !heading.empty();
        if (headed) {
            html += "<thead><tr>";
            for (std::size_t column = 0; column < table.headings.size(); ++column)
                html += "<th" + cellClass(table, column) + ">" + htmlText(table.headings[column]) +
                        "</th>";
            html += "</tr></thead>\n";
        }
        html += "<tbody>\n";
        for (const auto &row : table.rows.rows())
            addRow(table, row);
        html += "</tbody></table>\n";
    }

    void operator()(const Figure &figure)
    {
        const std::string element = image(figure);
        if (!element.empty())
            html += "<figure>" + element + "<figcaption>" + htmlText(figure.caption) +
                    "</figcaption></figure>\n";
    }

    void operator()(const PlanDocument &document)
    {
        html += "<p>Open this page with VRAMscope to go on with the plan.</p>\n"
                "<details><summary>The document</summary>\n<pre>" +
                htmlText(planJson(report.plans[document.number - 1])) + "</pre>\n</details>\n";
    }

private:
    static std::string cellClass(const ReportTable &table, std::size_t column)
    {
        return table.rows.columns()[column] == Align::Right ? " class=\"n\"" : "";
    }

    /// Whether a word is so long that it must be broken for the others to have room.
    static bool hasLongWord(std::string_view text)
    {
        constexpr std::size_t kLong = 36;
        std::size_t length = 0;
        for (const char c : text) {
            length = c == ' ' ? 0 : length + 1;
            if (length > kLong)
                return true;
        }
        return false;
    }

    void addRow(const ReportTable &table, const std::vector<std::string> &row)
    {
        html += "<tr>";
        for (std::size_t column = 0; column < row.size(); ++column) {
            html +=
                "<td" + (hasLongWord(row[column]) ? " class=\"long\"" : cellClass(table, column));
            const bool labelled =
                table.shape == ReportTable::Shape::Cards && column < table.headings.size();
            if (labelled && !table.headings[column].empty())
                html += " data-label=\"" + htmlText(table.headings[column]) + "\"";
            html += ">" + htmlText(row[column]) + "</td>";
        }
        html += "</tr>\n";
    }
};

/// The style sheet shows the one that fits the page; on paper it is the first.
std::string pictureElement(const Picture &picture, const Figure &figure, PageColors colors)
{
    std::string element;
    const auto add = [&](const PictureFile &file, std::string_view classes) {
        if (file.bytes.empty())
            return;
        const std::string size = " width=\"" + std::to_string(file.width) + "\" height=\"" +
                                 std::to_string(file.height) + "\"";
        element += "<div class=\"picture " + std::string(classes) +
                   "\" role=\"img\" aria-label=\"" + htmlText(figure.caption) +
                   "\" style=\"max-width:" + std::to_string(file.width) + "px\">" +
                   (file.kind == PictureFile::Kind::SvgElement
                        ? file.bytes
                        : "<img alt=\"\"" + size + " src=\"data:image/png;base64," +
                              base64(file.bytes) + "\"/>") +
                   "</div>\n";
    };
    // Where there is one appearance, it is that of every page.
    const bool both = colors == PageColors::Both;
    if (colors != PageColors::Dark) {
        add(picture.light, "large light");
        add(picture.narrowLight, "small light");
    }
    if (colors != PageColors::Light) {
        add(picture.dark, both ? "large dark" : "large light");
        add(picture.narrowDark, both ? "small dark" : "small light");
    }
    return element;
}

/// The document of a picture that the page explores, where the script finds it.
std::string dataElement(const Picture &picture, std::string_view id)
{
    return picture.data.empty() ? std::string()
                                : "<script type=\"application/json\" class=\"data\" id=\"" +
                                      htmlText(id) + "\">" + picture.data + "</script>\n";
}

/// Where a page of several sections begins: each with its answer, leading there. Empty for one.
std::string contents(const Report &report)
{
    std::vector<std::pair<std::string, std::string>> sections; // with their answers
    for (const ReportBlock &block : report.blocks) {
        const auto *heading = std::get_if<Heading>(&block);
        const auto *paragraph = std::get_if<Paragraph>(&block);
        if (heading && heading->level == 1)
            sections.emplace_back(heading->text, "");
        else if (paragraph && paragraph->isAnswer && !sections.empty() &&
                 sections.back().second.empty())
            sections.back().second = paragraph->text;
    }
    if (sections.size() < 2)
        return {};
    std::string list = "<nav aria-label=\"Contents\"><ol>\n";
    for (std::size_t at = 0; at < sections.size(); ++at)
        list += "<li><a href=\"#section-" + std::to_string(at + 1) + "\">" +
                htmlText(sections[at].first) + "</a><br/>" + htmlText(sections[at].second) +
                "</li>\n";
    return list + "</ol></nav>\n";
}

/// Whether anything of a page answers: else it needs no script.
bool answers(const Report &report, const Pictures &pictures)
{
    return std::ranges::any_of(
               report.blocks,
               [](const ReportBlock &each) { return std::holds_alternative<ReportTable>(each); }) ||
           std::ranges::any_of(pictures,
                               [](const auto &each) { return !each.second.data.empty(); });
}

/// The one script of a page. Readers of XML pass over it like those of HTML.
std::string pageScript()
{
    std::string script = "/*<![CDATA[*/\n";
    for (const char *part : {"data", "text", "canvas", "chart", "recording", "raster", "timeline",
                             "lines", "lanes", "plan", "tables", "page"})
        script += shippedDocument("report/" + std::string(part) + ".js");
    return script + "/*]]>*/";
}

std::string hashOf(std::string_view text)
{
    return "'sha256-" + base64(sha256(text)) + "'";
}

// The colours of the window's two appearances.
constexpr std::string_view kLight = "color-scheme:light;--scheme:light;--window:#f6f7f9;--card:#"
                                    "fff;--line:#e2e5ea;--text:#1d2430;--dim:#5c6778;"
                                    "--accent:#2660c4;--good:#1a7f4b;--warn:#9a6700;--bad:#b42318";
constexpr std::string_view kDark = "color-scheme:dark;--scheme:dark;--window:#16191f;--card:#"
                                   "1e222a;--line:#2d333d;--text:#e6e9ee;--dim:#98a2b3;"
                                   "--accent:#6ea0ff;--good:#4cc38a;--warn:#e0b04a;--bad:#ff8a7a";

constexpr std::string_view kLayout = R"(*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--window);color:var(--text);
 font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif}
main{max-width:1100px;margin:0 auto;padding:24px 20px 48px;overflow-wrap:anywhere}
h1{font-size:1.55rem;line-height:1.25;margin:1.6em 0 .4em}
h1:first-child{margin-top:0}
nav{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:4px 18px}
nav ol{margin:.5em 0;padding-left:1.4em}nav li{margin:.4em 0;color:var(--dim)}
a{color:var(--accent)}
h2{font-size:1.15rem;margin:1.8em 0 .5em}
h3{font-size:1rem;margin:1.4em 0 .4em;color:var(--dim)}
h1,h2,h3{break-after:avoid}
p{margin:.5em 0;max-width:78ch}
p.answer{font-size:1.3rem;line-height:1.35;font-weight:600;max-width:none;margin:.4em 0 .8em;
 padding:14px 18px;background:var(--card);border:1px solid var(--line);
 border-left:5px solid var(--accent);border-radius:8px}
p.good{color:var(--good)}p.bad{color:var(--bad)}
p.answer.good{border-left-color:var(--good)}p.answer.bad{border-left-color:var(--bad)}
p.answer.warning{color:var(--warn);border-left-color:var(--warn)}
p.warning b{color:var(--warn)}p.note b{color:var(--dim)}
table{border-collapse:collapse;background:var(--card);border:1px solid var(--line);
 font-variant-numeric:tabular-nums;margin:.5em 0 1em;max-width:100%}
th,td{padding:6px 12px;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);
 overflow-wrap:break-word}
td.long{overflow-wrap:anywhere;min-width:13em}
@media screen{table.wide{font-size:.92rem}table.wide th,table.wide td{padding:6px 9px}}
th{color:var(--dim);font-weight:600;font-size:.85rem}
tbody tr:last-child td{border-bottom:0}
.n{text-align:right;white-space:nowrap}th.n{white-space:normal}
thead{break-after:avoid}tr{break-inside:avoid}
table.pairs{display:block;background:none;border:0}
table.pairs tbody{display:block;columns:3 15em;column-gap:28px}
table.pairs tr{display:flex;justify-content:space-between;gap:14px;
 border-bottom:1px solid var(--line)}
table.pairs td{padding:4px 2px;border:0}
table.pairs td:first-child{color:var(--dim)}table.pairs td:last-child{text-align:right}
figure{margin:1em 0;break-inside:avoid}
.picture{border:1px solid var(--line);border-radius:8px;overflow:hidden}
.picture>*{display:block;width:100%;height:auto}
.picture.small,.picture.dark{display:none}
figcaption{color:var(--dim);font-size:.9rem;margin-top:.4em}
pre{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:12px;
 overflow-x:auto;overflow-wrap:normal;font:12.5px/1.45 ui-monospace,"DejaVu Sans Mono",monospace}
footer{margin-top:2.5em;padding-top:.8em;border-top:1px solid var(--line);color:var(--dim);
 font-size:.85rem}
details{margin:.5em 0}summary{cursor:pointer;color:var(--accent)}
@media screen and (max-width:640px){
 main{padding:14px 12px 40px}
 h1{font-size:1.3rem}p.answer{font-size:1.1rem;padding:11px 13px}
 th,td{padding:5px 8px;overflow-wrap:anywhere}
 table{width:100%}
 td:first-child:not(.n){min-width:6.5em}
 table.wide,table.wide tbody{display:block}
 table.wide thead{display:none}
 table.wide tr{display:flex;flex-wrap:wrap;gap:2px 16px;padding:8px 10px;
  border-bottom:1px solid var(--line)}
 table.wide tbody tr:last-child{border-bottom:0}
 td.long{min-width:0}table.wide td{flex:0 0 100%;padding:0;border:0;text-align:left}
 table.wide td.n{flex:0 0 auto}
 table.wide td:first-child:not(.n,:only-child){font-weight:600}
 table.wide td:empty{display:none}
 table.wide td[data-label]:not(:first-child:not(.n))::before{content:attr(data-label) "\00a0 ";
  color:var(--dim);font-size:.85rem}
 .picture.large.light{display:none}.picture.small.light{display:block}
}
@media print{
 body{font-size:10pt;background:#fff}
 main{max-width:none;padding:0}
 p.answer{font-size:13pt}
 h1:not(:first-child,nav+h1){break-before:page}
 th,td{padding:3px 6px}
 table.pairs tbody{columns:3}table.pairs td{padding:2px}
 details{display:none}
}
@page{margin:16mm 14mm}
)";

constexpr std::string_view kDarkPictures = R"(@media screen and (prefers-color-scheme:dark){
 .picture.large.light,.picture.small.light{display:none}.picture.large.dark{display:block}
}
@media screen and (prefers-color-scheme:dark) and (max-width:640px){
 .picture.large.dark{display:none}.picture.small.dark{display:block}
}
)";

std::string rule(std::string_view selector, std::string_view body)
{
    return std::string(selector) + "{" + std::string(body) + "}";
}

// Paper is light, also where the system is dark.
std::string pageStyle(PageColors colors)
{
    std::string style = rule(":root", colors == PageColors::Dark ? kDark : kLight) + "\n";
    if (colors == PageColors::Both)
        style += rule("@media screen and (prefers-color-scheme:dark)", rule(":root", kDark)) + "\n";
    style += kLayout;
    style += shippedDocument("report/page.css");
    return colors == PageColors::Both ? style + std::string(kDarkPictures) : style;
}

} // namespace

std::string_view toneWord(Tone tone)
{
    return tone == Tone::Bad       ? "Error"
           : tone == Tone::Warning ? "Warning"
           : tone == Tone::Note    ? "Note"
           : tone == Tone::Problem ? "Problem"
                                   : "";
}

std::string htmlText(std::string_view text)
{
    std::string html;
    html.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        const auto first = static_cast<unsigned char>(text.front());
        const bool control =
            length > 0 && first != '\n' && first != '\t' && isControl(text.substr(0, length));
        if (length == 0 || control)
            html += "\xef\xbf\xbd";
        else if (first == '&')
            html += "&amp;";
        else if (first == '<')
            html += "&lt;";
        else if (first == '>')
            html += "&gt;";
        else if (first == '"')
            html += "&quot;";
        else
            html += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return html;
}

std::string htmlBlocks(const Report &report,
                       const std::function<std::string(const Figure &)> &image)
{
    Writer writer{report, image};
    for (const ReportBlock &block : report.blocks)
        std::visit(writer, block);
    return std::move(writer.html);
}

std::string htmlPage(const Report &report, const Pictures &pictures, PageColors colors)
{
    const std::string style = "\n" + pageStyle(colors);
    const std::string script = answers(report, pictures) ? pageScript() : std::string();
    std::string page = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n" +
                       std::string(kReportMark) + "\n";
    for (std::size_t at = 0; at < report.plans.size(); ++at)
        page += planElement(report.plans[at], at + 1);
    // Attributes give pictures their width; a browser without style-src-elem allows all style.
    page += "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "img-src data:; script-src " +
            (script.empty() ? "'none'" : hashOf(script)) +
            "; style-src 'unsafe-inline'; style-src-elem " + hashOf(style) +
            "; style-src-attr 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<title>" +
            htmlText(report.title) + "</title>\n<style>" + style +
            "</style></head>\n<body><main>\n" + contents(report);
    page += htmlBlocks(report, [&](const Figure &figure) {
        const auto found = pictures.find(figure.id);
        return found == pictures.end() ? std::string()
                                       : pictureElement(found->second, figure, colors) +
                                             dataElement(found->second, figure.id);
    });
    if (!report.origin.empty())
        page += "<footer>" + htmlText(report.origin) + "</footer>\n";
    return page + "</main>" + (script.empty() ? "" : "<script>" + script + "</script>") +
           "</body></html>\n";
}

} // namespace vramscope
