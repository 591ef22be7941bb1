// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace vramscope {

/// Asks the system to back memory by large pages when it is first touched: one fault in place of
/// 512, which is most of the cost of filling a long column. Only a request: it may not be granted.
void preferLargePages(const void *begin, std::size_t size);

/// rows.reserve(count), preferably in large pages; for columns that are filled to their end.
template<class T>
void reserveLarge(std::vector<T> &rows, std::size_t count)
{
    rows.reserve(count);
    preferLargePages(rows.data(), rows.capacity() * sizeof(T));
}

/// For a program that does one thing and ends: freed memory stays with the program and is used
/// again, instead of being returned, cleared and handed out once more by the system, page by page.
/// The heap grows by large steps, the first in large pages. To be called before allocations; a
/// block of more than eight mebibytes is still returned.
void keepFreedMemory();

} // namespace vramscope
