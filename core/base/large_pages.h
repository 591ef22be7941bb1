// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace vramscope {

/// Asks the system to back memory by large pages as it is first touched: one fault in place of 512,
/// which is most of what filling a long column costs. A wish: it may not be granted.
void preferLargePages(const void *begin, std::size_t size);

/// rows.reserve(count), preferably in large pages; for what is filled to its end.
template<class T>
void reserveLarge(std::vector<T> &rows, std::size_t count)
{
    rows.reserve(count);
    preferLargePages(rows.data(), rows.capacity() * sizeof(T));
}

/// For a program that does one thing and ends: what is freed stays with the program and is used
/// again, where the system would take it back, clear it and hand it out once more, page by page.
/// The heap grows by large steps, the first in large pages. Called before memory is asked for; a
/// block of more than eight mebibytes still goes back.
void keepFreedMemory();

} // namespace vramscope
