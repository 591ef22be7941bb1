// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace vramscope {

/// A document compiled into the program.
struct Example
{
    QString path; ///< ":/examples/…"
    QString title;
    QString shows;     ///< its content, in a line
    bool plan = false; ///< else a trace
};

/// Two examples that say more together.
struct ExamplePair
{
    QString title;
    QString shows;
    QString first; ///< paths, as of Example
    QString second;
};

/// Plans first, then traces, each by name.
[[nodiscard]] const std::vector<Example> &examples();
[[nodiscard]] const std::vector<ExamplePair> &examplePairs();

/// The path of the page about measured figures, which are compiled in too.
[[nodiscard]] QString trustPath();

/// A path as tabs compare it: absolute and without a trailing slash; examples unchanged.
[[nodiscard]] QString wholePath(const QString &path);

/// The title of a document: an example's own, else the file's name.
[[nodiscard]] QString documentTitle(const QString &path);

} // namespace vramscope
