// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bookmarks/bookmark_items.h"

#include "ui/support/text.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

std::vector<std::string> keysOf(const std::vector<Bookmark> &bookmarks)
{
    std::vector<std::string> keys;
    for (const Bookmark &bookmark : bookmarks) {
        const std::string key = "bookmark:" + bookmark.name;
        std::string free = key;
        for (int number = 2; std::ranges::find(keys, free) != keys.end(); ++number)
            free = key + '#' + std::to_string(number);
        keys.push_back(std::move(free));
    }
    return keys;
}

} // namespace

std::vector<StageItem> bookmarkItems(const std::vector<Bookmark> &bookmarks,
                                     const std::function<StageScene(const Bookmark &)> &scene)
{
    std::vector<std::string> keys = keysOf(bookmarks);
    std::vector<StageItem> items;
    for (std::size_t at = 0; at < bookmarks.size(); ++at)
        items.push_back({std::move(keys[at]), u"Bookmark: %1"_s.arg(toQString(bookmarks[at].name)),
                         [scene, bookmark = bookmarks[at]] { return scene(bookmark); }, true,
                         toQString(bookmarks[at].note)});
    return items;
}

std::optional<StageItem> nextBookmarkItem(
    std::vector<Bookmark> bookmarks, Bookmark next,
    const std::function<std::vector<StageItem>(const std::vector<Bookmark> &)> &itemsWith)
{
    if (bookmarks.size() >= kMostBookmarks)
        return std::nullopt;
    bookmarks.push_back(std::move(next));
    const std::vector<StageItem> items = itemsWith(bookmarks);
    const auto added = std::ranges::find(items, keysOf(bookmarks).back(), &StageItem::key);
    return added == items.end() ? std::nullopt : std::optional(*added);
}

} // namespace vramscope
