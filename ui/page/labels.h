// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/theme.h"

#include <QMargins>
#include <QStringList>

class QButtonGroup;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QTabBar;
class QWidget;

namespace vramscope {

/// Plain text that wraps and can be selected. `role` is that of the style sheet: "dim", "warn",
/// "bad"; empty: none.
[[nodiscard]] QLabel *textLabel(const QString &text = {}, const QString &role = {});
/// A text label as wide as its place, whatever its text: for pages that scroll.
[[nodiscard]] QLabel *wideLabel(const QString &text = {}, const QString &role = {});
/// One line of plain text, dim.
[[nodiscard]] QLabel *noteLabel(const QString &text = {});
/// The title of a section.
[[nodiscard]] QLabel *sectionLabel(const QString &title = {});
/// Plain text that wraps, as large as the headline of a page.
[[nodiscard]] QLabel *headlineLabel(const QString &text = {});

/// The reason why a place is empty, in its middle: a title and a text, dim.
[[nodiscard]] QLabel *explanation(const QString &title, const QString &text);

/// A reason that its view changes: one text, which can be selected.
[[nodiscard]] QLabel *emptyLabel();

/// Makes a widget's font bold, in a size of type.
void setBold(QWidget &widget, Type type = Type::Body);

/// A field to search or filter by, with a button that clears it; `width` in average characters of
/// the application's font. Its placeholder is its name for screen readers unless `name` is one.
[[nodiscard]] QLineEdit *searchField(const QString &placeholder, int width,
                                     const QString &name = {});
/// A button that looks like a link.
[[nodiscard]] QPushButton *linkButton(const QString &text);
/// A checkable button for one of several views.
[[nodiscard]] QPushButton *tabButton(const QString &text, const QString &tip = {});
/// A row of checkable buttons, one per view, whose ids in the group are their places; the first is
/// checked.
[[nodiscard]] QHBoxLayout *tabButtons(QButtonGroup &group, const QStringList &titles,
                                      const QMargins &margins = {}, int spacing = 4);
/// Tabs over views of a page.
[[nodiscard]] QTabBar *viewTabs(const QString &name);

} // namespace vramscope
