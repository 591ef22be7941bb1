// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deck/arial.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

// Thousandths of the type size, from the blank to the tilde: those of Helvetica in Adobe's font
// metrics (Core 14), which Arial and Liberation Sans share.
constexpr std::array<int, 95> kRegular = {
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,  278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667,  611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278,  556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500,  500, 334, 260, 334, 584};
constexpr std::array<int, 95> kBold = {
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667,
    611, 778, 722, 278, 556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556,
    278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584};
constexpr int kOther = 600; ///< of letters beyond ASCII, about

int widthOf(char32_t code, bool bold)
{
    constexpr char32_t kNoBreakSpace = 0xA0;
    constexpr char32_t kWordJoiner = 0x2060;
    if (code == kWordJoiner)
        return 0;
    if (code == kNoBreakSpace)
        code = U' ';
    return U' ' <= code && code <= U'~' ? (bold ? kBold : kRegular)[code - U' '] : kOther;
}

} // namespace

double arialWidth(std::string_view text, double points, bool bold)
{
    int sum = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = std::max<std::size_t>(characterLength(text.substr(at)), 1);
        sum += widthOf(codePoint(text.substr(at, length)), bold);
        at += length;
    }
    return sum * points / 1000;
}

} // namespace vramscope
