// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/report.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace vramscope {

/// Which colours a page has: those that its reader's system prefers, or one of them.
enum class PageColors { Both, Light, Dark };

/// A picture as a file or as an element of a page; without bytes where it is not wanted.
struct PictureFile
{
    enum class Kind { Png, SvgElement };

    std::string bytes; ///< an element enters the page as it is: it must be well formed
    int width = 0;     ///< in pixels of the page
    int height = 0;
    Kind kind = Kind::Png;
};

/// A picture of a report in each colour that is wanted, and once more for narrow pages, where the
/// wide one would be too small to read.
struct Picture
{
    PictureFile light;
    PictureFile dark;
    PictureFile narrowLight;
    PictureFile narrowDark;
    std::string data; ///< from which the page draws the same, to be explored; empty: only pictures
};
using Pictures = std::map<std::string, Picture, std::less<>>;

/// "Error", "Warning" or "Note", so that the colour of a sentence tells nothing alone; else empty.
[[nodiscard]] std::string_view toneWord(Tone tone);

/// Text for the content of an element or an attribute between double quotes. Control characters but
/// tabs and line feeds, which HTML does not allow, and bytes that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string htmlText(std::string_view text);

/// The blocks of a report as elements; `image` writes the element of a picture, or nothing.
[[nodiscard]] std::string htmlBlocks(const Report &report,
                                     const std::function<std::string(const Figure &)> &image);

/// A whole page that asks for nothing else: no address, pictures inside, and one script, which its
/// policy names by its hash and allows no connection; a page without data and tables has none.
/// Without it the page is complete, but answers nothing. One of several sections begins with links
/// to them. Plans are in it as data (embedded_plan.h). The same report gives the same bytes.
[[nodiscard]] std::string htmlPage(const Report &report, const Pictures &pictures,
                                   PageColors colors = PageColors::Both);

} // namespace vramscope
