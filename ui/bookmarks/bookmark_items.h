// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"
#include "ui/stage/stage_item.h"

#include <functional>
#include <optional>
#include <vector>

namespace vramscope {

/// Bookmarks as items of a presentation, in their order, each with its name and note; `scene` makes
/// the view of one. Bookmarks of the same name are distinguished by their sequence.
[[nodiscard]] std::vector<StageItem>
bookmarkItems(const std::vector<Bookmark> &bookmarks,
              const std::function<StageScene(const Bookmark &)> &scene);

/// The item that one more bookmark would add to those of a page, `itemsWith` its bookmarks; empty
/// if a session can store no more.
[[nodiscard]] std::optional<StageItem> nextBookmarkItem(
    std::vector<Bookmark> bookmarks, Bookmark next,
    const std::function<std::vector<StageItem>(const std::vector<Bookmark> &)> &itemsWith);

} // namespace vramscope
