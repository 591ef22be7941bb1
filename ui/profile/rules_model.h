// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/profile/profile_document.h"

#include <QAbstractTableModel>

#include <vector>

namespace vramscope {

/// The rules by which work of devices gets its class, to be edited, with the kernels that each
/// takes of one profile and their time. The first that fits decides, so their order counts.
class RulesModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    /// Number has no data: a row's place is for the view to show.
    enum Column { Number, Pattern, Kind, Collective, Class, Family, Kernels, Time };
    static constexpr int kColumns = Time + 1;
    /// The words from which a cell is chosen; of other cells none.
    static constexpr int kChoicesRole = Qt::UserRole;
    /// Whether the rule is none.
    static constexpr int kTroubleRole = Qt::UserRole + 1;

    explicit RulesModel(std::shared_ptr<const ProfileDocument> document, QObject *parent = nullptr);

    [[nodiscard]] const std::vector<WorkRule> &rules() const { return m_rules; }
    void setRules(std::vector<WorkRule> rules);
    /// A rule that stands at `row` afterwards.
    void insert(int row, WorkRule rule);
    void remove(int row);
    /// Moves a rule so that it stands at `to` afterwards.
    void move(int row, int to);
    /// Why the first rule that is none is none, in a sentence; empty where all are.
    [[nodiscard]] QString trouble() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;

Q_SIGNALS:
    /// The rules are other ones.
    void edited();

private:
    /// What a rule takes of the profile.
    struct Taken
    {
        std::int64_t kernels = 0; ///< names of them
        std::int64_t time = 0;    ///< of their work, in ns
        QStringList names;        ///< of the longest
    };

    void changed();
    void count();
    [[nodiscard]] bool has(int row) const { return 0 <= row && row < rowCount(); }
    [[nodiscard]] QVariant textOf(const WorkRule &rule, int row, int column) const;
    [[nodiscard]] static QString troubleOf(const WorkRule &rule);

    std::shared_ptr<const ProfileDocument> m_document;
    std::vector<std::int64_t> m_times; ///< of all work of each of the profile's groups
    std::vector<WorkRule> m_rules;
    std::vector<Taken> m_taken; ///< by rule
};

} // namespace vramscope
