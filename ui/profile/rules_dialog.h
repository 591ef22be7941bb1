// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/profile/profile_document.h"

#include <QDialog>
#include <QString>

#include <memory>
#include <vector>

class QLabel;
class QPushButton;
class QTableView;

namespace vramscope {

class RulesModel;

/// The table of rules by which work of devices is filed, edited with what each takes of the
/// recording beside it. Can be read from a file and written to one, which
/// `vramscope-cli profile --rules` takes.
class RulesDialog : public QDialog
{
    Q_OBJECT

public:
    /// `name`: that of the selected kernel, for which a rule is offered; empty: none is.
    RulesDialog(std::shared_ptr<const ProfileDocument> document, const QString &name,
                QWidget *parent = nullptr);

    [[nodiscard]] RulesModel *model() const { return m_model; }
    [[nodiscard]] const std::vector<WorkRule> &rules() const;
    void add();
    /// Those of a file instead; the sentence says why not, or nothing.
    [[nodiscard]] QString takeFile(const QString &path);
    /// Writes them; the sentence says why not, or nothing.
    [[nodiscard]] QString writeFile(const QString &path) const;

private:
    void refresh();
    [[nodiscard]] int current() const;
    void moveBy(int by);
    void askToOpen();
    void askToSave();

    RulesModel *m_model;
    QString m_name;
    QTableView *m_table;
    QLabel *m_state;
    QPushButton *m_remove;
    QPushButton *m_up;
    QPushButton *m_down;
    QPushButton *m_shipped;
    QPushButton *m_apply;
};

} // namespace vramscope
