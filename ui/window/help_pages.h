// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace vramscope {

// The pages of the help: Markdown of resources/help, compiled in. What the program itself knows
// (the keys of its menus, the lines that record) is put in from there, so that it cannot differ.

/// The names of all pages, in the order of the contents.
[[nodiscard]] QStringList helpPages();
/// The first line of a page after its #; empty if there is no such page.
[[nodiscard]] QString helpTitle(const QString &page);
[[nodiscard]] QString helpMarkdown(const QString &page);

/// The name of a heading in a link: "At rest" is "at-rest".
[[nodiscard]] QString helpAnchor(const QString &heading);

} // namespace vramscope
