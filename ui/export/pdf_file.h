// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QDateTime>

#include <functional>

class QPdfWriter;

namespace vramscope {

/// A PDF laid out by `write`, with its date, or the epoch without one: the same bytes for the same
/// layout, on every run.
[[nodiscard]] QByteArray pdfFile(const QDateTime &date,
                                 const std::function<void(QPdfWriter &)> &write);

} // namespace vramscope
