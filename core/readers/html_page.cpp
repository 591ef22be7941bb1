// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/sources.h"

#include "core/readers/cancel_guard.h"

#include <algorithm>
#include <string_view>

namespace vramscope {

namespace {

constexpr std::string_view kFiles = "local_files";
constexpr std::string_view kPlot = "alloc_data";
constexpr std::string_view kPicture = "data:image/png;base64";
constexpr std::size_t kLongestMark = kPicture.size();

/// Finds a mark in the page. No byte is searched twice, however often another mark occurs in it.
class Mark
{
public:
    explicit Mark(std::string_view text)
        : m_text(text)
    {
    }

    /// The distance from the cursor to the next mark; npos if it is not in the window.
    std::size_t find(const ByteWindow &page)
    {
        const std::int64_t cursor = page.offset();
        if (m_place < cursor) {
            const std::string_view text(reinterpret_cast<const char *>(page.cursor()),
                                        page.available());
            const std::int64_t from = std::max(m_searched, cursor) - cursor;
            const std::size_t at = text.find(m_text, static_cast<std::size_t>(from));
            if (at == std::string_view::npos) {
                // The end of the window may be the beginning of a mark.
                const std::size_t whole = text.size() - std::min(text.size(), m_text.size() - 1);
                m_searched = std::max(m_searched, cursor + static_cast<std::int64_t>(whole));
                return at;
            }
            m_place = cursor + static_cast<std::int64_t>(at);
        }
        return static_cast<std::size_t>(m_place - cursor);
    }
    [[nodiscard]] std::size_t size() const { return m_text.size(); }

private:
    std::string_view m_text;
    std::int64_t m_searched = 0; // no unfound mark begins before this
    std::int64_t m_place = -1;   // of the last one found
};

/// Walks through the page.
class Page
{
public:
    explicit Page(ByteWindow &window)
        : m_in(window)
    {
    }

    /// The next character other than white space; 0 at the end.
    char next()
    {
        while (m_in.ensure(1)) {
            const auto c = static_cast<char>(*m_in.cursor());
            if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
                return c;
            m_in.advance(1);
        }
        return 0;
    }
    bool take(char wanted)
    {
        if (next() != wanted)
            return false;
        m_in.advance(1);
        return true;
    }
    /// Reads a JSON string and keeps its first characters.
    bool takeString(std::string &text)
    {
        constexpr std::size_t kKept = 64;
        text.clear();
        if (!take('"'))
            return false;
        bool escaped = false;
        while (m_in.ensure(1)) {
            const auto c = static_cast<char>(*m_in.cursor());
            m_in.advance(1);
            if (c == '"' && !escaped)
                return true;
            escaped = c == '\\' && !escaped;
            if (text.size() < kKept)
                text.push_back(c);
        }
        return false;
    }

private:
    ByteWindow &m_in;
};

/// Goes into the first object of the list of files, up to the quote that opens its base64.
bool enterFile(Page &page)
{
    if (!page.take('{'))
        return false;
    std::string key;
    std::string value;
    do {
        if (!page.takeString(key) || !page.take(':'))
            return false;
        if (key == "base64")
            return page.take('"');
        if (!page.takeString(value))
            return false;
    } while (page.take(','));
    return false;
}

Error noData(bool sawPicture)
{
    if (sawPicture)
        return {ErrorCode::Unsupported,
                "This HTML page holds only a picture, as export_memory_timeline() writes it; "
                "export the timeline again to a name that ends in .json."};
    return {ErrorCode::OtherContent,
            "This is an HTML page without a snapshot in it: neither a page of PyTorch's memory "
            "viewer nor a recording; if it was downloaded, the download may have gone wrong."};
}

} // namespace

Result<Embedded> findEmbedded(ByteWindow &page, const Progress &progress)
{
    Page walk(page);
    Mark filesMark(kFiles);
    Mark plotMark(kPlot);
    Mark pictureMark(kPicture);
    bool sawPicture = false;
    while (page.ensure(1)) {
        if (progress && !progress(page.fraction()))
            return readingCancelled();
        (void)page.ensure(kLongestMark);
        sawPicture = sawPicture || pictureMark.find(page) != std::string_view::npos;
        const std::size_t files = filesMark.find(page);
        const std::size_t plot = plotMark.find(page);
        const std::size_t mark = std::min(files, plot);
        if (mark == std::string_view::npos) {
            // The end of the window may be the beginning of a mark.
            const std::size_t size = page.available();
            page.advance(size < kLongestMark ? size : size - (kLongestMark - 1));
            continue;
        }
        page.advance(mark + (files < plot ? filesMark : plotMark).size());
        if (!walk.take('='))
            continue;
        if (plot < files && walk.next() == '{')
            return Embedded::AllocationPlot;
        if (files < plot && walk.take('[')) {
            if (enterFile(walk))
                return Embedded::Base64File;
            if (!page.status().ok())
                return page.status().error();
            return Error{ErrorCode::Malformed,
                         "This page of PyTorch's memory viewer holds no complete snapshot; save "
                         "or make it again.",
                         page.offset()};
        }
    }
    if (!page.status().ok())
        return page.status().error();
    return noData(sawPicture);
}

} // namespace vramscope
