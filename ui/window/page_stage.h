// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/stage/stage_item.h"

#include <optional>
#include <vector>

namespace vramscope {

class DocumentPage;

/// Whether a presentation can show anything of a page.
[[nodiscard]] bool isPresentable(const DocumentPage &page);

/// What it can show, as the page is now.
[[nodiscard]] std::vector<StageItem> stageItems(const DocumentPage &page, ByteUnit unit);

/// What the page of a recording shows just now, as the bookmark that DocumentPage::addBookmark()
/// would make; none of other pages.
[[nodiscard]] std::optional<StageItem> viewItem(const DocumentPage &page, ByteUnit unit);

} // namespace vramscope
