// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"
#include "ui/stage/stage_item.h"

#include <functional>
#include <optional>
#include <vector>

namespace vramscope {

/// Bookmarks as a presentation shows them, in their order, each with its name and note; `scene`
/// makes what is seen of one. Those of one name are told apart by their sequence.
[[nodiscard]] std::vector<StageItem>
bookmarkItems(const std::vector<Bookmark> &bookmarks,
              const std::function<StageScene(const Bookmark &)> &scene);

/// The item that one more bookmark would add to those of a page, `itemsWith` its bookmarks; none
/// where there are as many as a session holds.
[[nodiscard]] std::optional<StageItem> nextBookmarkItem(
    std::vector<Bookmark> bookmarks, Bookmark next,
    const std::function<std::vector<StageItem>(const std::vector<Bookmark> &)> &itemsWith);

} // namespace vramscope
