// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/estimate.h"
#include "ui/models/estimate_model.h"
#include "ui/support/theme.h"
#include "ui/support/wrapped_label.h"

#include <QLabel>
#include <QScrollArea>
#include <QString>
#include <QTreeView>

#include <vector>

namespace vramscope {

/// The right side of the plan page: the breakdown tree of a moment, why the selected part is as
/// large as it is, and the figures beside it.
class BreakdownPanel : public QScrollArea
{
    Q_OBJECT

public:
    explicit BreakdownPanel(QWidget *parent = nullptr);

    /// Shows a moment; the selection stays where its part still exists.
    void showEstimate(const Estimate &estimate, std::size_t moment, ByteUnit unit);
    void selectPart(const PartKey &key);
    /// Without the formulas: the table and the figures alone.
    void setWhyShown(bool shown);
    /// Adds a widget of the page at the top, or below the breakdown where `setSectionFirst(false)`.
    void addSection(QWidget *section);
    void setSectionFirst(bool first);
    [[nodiscard]] std::optional<PartKey> selection() const { return m_selection; }
    [[nodiscard]] QTreeView *tree() const { return m_tree; }
    [[nodiscard]] const EstimateModel &model() const { return *m_model; }
    [[nodiscard]] QString whyText() const;

Q_SIGNALS:
    void partSelected(const vramscope::PartKey &key);

protected:
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void takeCurrent(const QModelIndex &current);
    void restoreSelection();
    /// The row of the selected part, or of what it belongs to.
    [[nodiscard]] QModelIndex selectedIndex() const;
    /// What is in the place of a formula.
    [[nodiscard]] QString noWhyText() const;
    void refreshTexts();
    void fitTree();

    EstimateModel *m_model;
    QTreeView *m_tree;
    QLabel *m_title;
    QLabel *m_empty;
    QLabel *m_whyTitle;
    WrappedLabel *m_why = nullptr;
    QLabel *m_figuresTitle;
    WrappedLabel *m_figures;
    QWidget *m_section = nullptr;
    Estimate m_estimate;
    ByteUnit m_unit = ByteUnit::Binary;
    std::optional<PartKey> m_selection;
    bool m_restoring = false;
    bool m_whyShown = true;
};

/// How sure a figure is, in words: "Checked against measured runs."
[[nodiscard]] QString evidenceText(const Component &component);

/// Rich text that explains components: each one's size, formula with the numbers put in, source and
/// how sure it is.
[[nodiscard]] QString whyHtml(const std::vector<Component> &components, const Theme &theme,
                              ByteUnit unit);

/// Rich text of the figures next to the breakdown: parameters, host memory, communication, cache.
/// What these figures are, a line each.
[[nodiscard]] QString figuresTip(const Estimate &estimate);
[[nodiscard]] QString figuresHtml(const Estimate &estimate, const Theme &theme, ByteUnit unit);

} // namespace vramscope
