// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html.h"

#include "core/base/text.h"
#include "core/plan/embedded_plan.h"
#include "core/plan/plan_json.h"
#include "core/report/page_style.h"

#include <array>
#include <cstdint>

namespace vramscope {

namespace {

std::string base64(std::string_view bytes)
{
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t group = 0;
        for (std::size_t one = 0; one < 3; ++one)
            group = group << 8 |
                    (at + one < bytes.size() ? static_cast<unsigned char>(bytes[at + one]) : 0U);
        for (std::size_t digit = 0; digit < 4; ++digit)
            text += at + digit > bytes.size() ? '=' : kDigits[group >> (18 - 6 * digit) & 63U];
    }
    return text;
}

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

    void operator()(const Heading &heading)
    {
        const std::string tag = "h" + std::to_string(heading.level);
        html += "<" + tag + ">" + htmlText(heading.text) + "</" + tag + ">\n";
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
    std::string page = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n" +
                       std::string(kReportMark) + "\n";
    for (std::size_t at = 0; at < report.plans.size(); ++at)
        page += planElement(report.plans[at], at + 1);
    page += "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "img-src data:; style-src 'unsafe-inline'\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<title>" +
            htmlText(report.title) + "</title>\n<style>\n" + pageStyle(colors) +
            "</style></head>\n<body><main>\n";
    page += htmlBlocks(report, [&](const Figure &figure) {
        const auto found = pictures.find(figure.id);
        return found == pictures.end() ? std::string()
                                       : pictureElement(found->second, figure, colors);
    });
    if (!report.origin.empty())
        page += "<footer>" + htmlText(report.origin) + "</footer>\n";
    return page + "</main></body></html>\n";
}

} // namespace vramscope
