// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/session.h"

#include <algorithm>

namespace vramscope {

namespace {

bool holds(const std::vector<Bookmark> &bookmarks, const Bookmark &bookmark)
{
    return std::find(bookmarks.begin(), bookmarks.end(), bookmark) != bookmarks.end();
}

} // namespace

std::vector<Bookmark> merged(const std::vector<Bookmark> &base, const std::vector<Bookmark> &mine,
                             const std::vector<Bookmark> &theirs)
{
    if (theirs == base)
        return mine; // including its order
    std::vector<Bookmark> all;
    for (const Bookmark &bookmark : theirs) {
        if (!holds(base, bookmark) || holds(mine, bookmark))
            all.push_back(bookmark);
    }
    for (const Bookmark &bookmark : mine) {
        if (!holds(base, bookmark) && !holds(theirs, bookmark))
            all.push_back(bookmark);
    }
    return all;
}

} // namespace vramscope
