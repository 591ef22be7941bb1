// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

#include <memory>

namespace vramscope {

class ElidedLabel;
struct Settings;

/// The checkpoint of a plan below its model: files, bytes by type and what is not loaded, and a way
/// to all kinds of its tensors as a table. Not there where the plan has none.
class CheckpointCard : public QWidget
{
    Q_OBJECT

public:
    explicit CheckpointCard(QWidget *parent = nullptr);

    void showCheckpoint(const std::shared_ptr<const Settings> &settings);
    [[nodiscard]] QToolButton *detailsButton() const { return m_details; }
    /// The line of the card.
    [[nodiscard]] QString text() const;

private:
    void openDetails();

    std::shared_ptr<const Settings> m_settings;
    ElidedLabel *m_line;
    QToolButton *m_details;
};

} // namespace vramscope
