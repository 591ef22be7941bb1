// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/rules_model.h"

#include "core/profile/name_pattern.h"
#include "ui/profile/profile_text.h"
#include "ui/support/text.h"

#include <algorithm>
#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype kMostNamed = 8;
constexpr std::array kHeaders{"",      "Name contains", "Filed as", "States a collective",
                              "Class", "Family",        "Kernels",  "Time"};
constexpr std::array kHeaderTips{
    "Its place: the first rule that fits decides",
    "Texts that occur anywhere in the name, whatever the case: \"|\" between alternatives, \"^\" "
    "ties one to the start, \"*\" stands for any characters, \"?\" makes the character before it "
    "optional. Empty: every name.",
    "Only work that the file files as a kernel, a copy or a fill",
    "Only kernels whose arguments name a collective",
    "What such work counts as in the bar and in every table",
    "Colour and table group of compute",
    "Names of kernels, copies and fills of this recording that the rule takes; rules above it had "
    "their choice before",
    "Time of their work, added up over all streams"};

template<class Enum>
QStringList wordsOf(int count)
{
    QStringList words;
    for (int at = 0; at < count; ++at)
        words += toQString(textOf(static_cast<Enum>(at)));
    return words;
}

QStringList kindWords()
{
    return QStringList{u"anything"_s} + wordsOf<WorkKind>(3);
}

bool isNumber(int column)
{
    return column == RulesModel::Number || column >= RulesModel::Kernels;
}

/// Of compute; the first family is none.
QStringList familyWords()
{
    return wordsOf<WorkFamily>(static_cast<int>(WorkFamily::Other) + 1).sliced(1);
}

} // namespace

RulesModel::RulesModel(std::shared_ptr<const ProfileDocument> document, QObject *parent)
    : QAbstractTableModel(parent)
    , m_document(std::move(document))
    , m_times(m_document->classes().groups.size())
    , m_rules(m_document->study->rules())
{
    const WorkColumns &work = m_document->profile->work();
    for (std::size_t at = 0; at < work.count(); ++at)
        m_times[m_document->classes().group[at]] += work.end[at] - work.start[at];
    count();
}

void RulesModel::setRules(std::vector<WorkRule> rules)
{
    beginResetModel();
    m_rules = std::move(rules);
    count();
    endResetModel();
    Q_EMIT edited();
}

void RulesModel::insert(int row, WorkRule rule)
{
    row = std::clamp(row, 0, rowCount());
    beginInsertRows({}, row, row);
    m_rules.insert(m_rules.begin() + row, std::move(rule));
    m_taken.insert(m_taken.begin() + row, Taken());
    endInsertRows();
    changed();
}

void RulesModel::remove(int row)
{
    if (!has(row))
        return;
    beginRemoveRows({}, row, row);
    m_rules.erase(m_rules.begin() + row);
    m_taken.erase(m_taken.begin() + row);
    endRemoveRows();
    changed();
}

void RulesModel::move(int row, int to)
{
    if (!has(row) || !has(to) || row == to)
        return;
    beginMoveRows({}, row, row, {}, to > row ? to + 1 : to);
    WorkRule rule = std::move(m_rules[static_cast<std::size_t>(row)]);
    m_rules.erase(m_rules.begin() + row);
    m_rules.insert(m_rules.begin() + to, std::move(rule));
    endMoveRows();
    changed();
}

void RulesModel::changed()
{
    count();
    if (!m_rules.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
    Q_EMIT edited();
}

// Rules decide by group of work, never by event: this is done at every key.
void RulesModel::count()
{
    m_taken.assign(m_rules.size(), {});
    const std::vector<WorkGroup> groups =
        decided(m_document->classes().groups, *m_document->profile, m_rules);
    std::vector<std::size_t> longest(groups.size());
    for (std::size_t at = 0; at < longest.size(); ++at)
        longest[at] = at;
    std::ranges::stable_sort(longest, std::greater(),
                             [this](std::size_t at) { return m_times[at]; });
    for (const std::size_t at : longest) {
        if (groups[at].rule == kNoRow)
            continue;
        Taken &taken = m_taken[groups[at].rule];
        ++taken.kernels;
        taken.time += m_times[at];
        if (taken.names.size() < kMostNamed)
            taken.names += foreignText(m_document->text(groups[at].name));
    }
}

QString RulesModel::troubleOf(const WorkRule &rule)
{
    const auto pattern = NamePattern::compiled(rule.pattern);
    return pattern ? QString() : toQString(pattern.error().detail);
}

QString RulesModel::trouble() const
{
    for (std::size_t at = 0; at < m_rules.size(); ++at) {
        if (const QString why = troubleOf(m_rules[at]); !why.isEmpty())
            return u"Rule %1 takes nothing: %2"_s.arg(at + 1).arg(why);
    }
    return {};
}

int RulesModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rules.size());
}

int RulesModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : kColumns;
}

QVariant RulesModel::textOf(const WorkRule &rule, int row, int column) const
{
    const Taken &taken = m_taken[static_cast<std::size_t>(row)];
    switch (column) {
    case Pattern:
        return toQString(rule.pattern);
    case Kind:
        return rule.kind ? toQString(vramscope::textOf(*rule.kind)) : kindWords().first();
    case Class:
        return toQString(vramscope::textOf(rule.workClass));
    case Family:
        return toQString(vramscope::textOf(rule.family));
    case Kernels:
        return taken.kernels > 0 ? countText(taken.kernels) : QString();
    case Time:
        return taken.kernels > 0 ? durationText(taken.time) : QString();
    default:
        return {};
    }
}

QVariant RulesModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const WorkRule &rule = m_rules[static_cast<std::size_t>(index.row())];
    const Taken &taken = m_taken[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == Pattern && rule.pattern.empty())
            return u"every name"_s;
        return textOf(rule, index.row(), index.column());
    case Qt::EditRole:
        return textOf(rule, index.row(), index.column());
    case Qt::CheckStateRole:
        if (index.column() == Collective)
            return rule.namesCollective ? Qt::Checked : Qt::Unchecked;
        return {};
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignVCenter |
                                (index.column() < Kernels ? Qt::AlignLeft : Qt::AlignRight));
    case kTroubleRole:
        return !troubleOf(rule).isEmpty();
    case Qt::ToolTipRole:
        if (const QString why = troubleOf(rule); !why.isEmpty())
            return why;
        return taken.names.isEmpty()
                   ? u"It takes nothing of this recording."_s
                   : u"It takes:\n"_s + taken.names.join(u'\n') +
                         (taken.kernels > taken.names.size() ? u"\n…"_s : QString());
    case kChoicesRole:
        return index.column() == Kind     ? kindWords()
               : index.column() == Class  ? wordsOf<WorkClass>(kWorkClassCount)
               : index.column() == Family ? familyWords()
                                          : QStringList();
    default:
        return {};
    }
}

QVariant RulesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical || section < 0 || section >= kColumns)
        return {};
    const auto at = static_cast<std::size_t>(section);
    if (role == Qt::DisplayRole)
        return QString::fromUtf8(kHeaders[at]);
    if (role == Qt::ToolTipRole)
        return QString::fromUtf8(kHeaderTips[at]);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignVCenter |
                                (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    return {};
}

bool RulesModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    WorkRule rule = m_rules[static_cast<std::size_t>(index.row())];
    if (index.column() == Collective && role == Qt::CheckStateRole) {
        rule.namesCollective = value.toInt() == Qt::Checked;
    } else if (role == Qt::EditRole && index.column() == Pattern) {
        rule.pattern = value.toString().trimmed().toStdString();
    } else if (role == Qt::EditRole) {
        const auto choice = data(index, kChoicesRole).toStringList().indexOf(value.toString());
        if (choice < 0)
            return false;
        if (index.column() == Kind)
            rule.kind =
                choice == 0 ? std::nullopt : std::optional(static_cast<WorkKind>(choice - 1));
        else if (index.column() == Class)
            rule.workClass = static_cast<WorkClass>(choice);
        else
            rule.family = static_cast<WorkFamily>(choice + 1);
        if (rule.workClass != WorkClass::Compute)
            rule.family = WorkFamily::None;
        else if (rule.family == WorkFamily::None)
            rule.family = WorkFamily::Other;
    } else {
        return false;
    }
    if (rule == m_rules[static_cast<std::size_t>(index.row())])
        return true;
    m_rules[static_cast<std::size_t>(index.row())] = std::move(rule);
    changed();
    return true;
}

Qt::ItemFlags RulesModel::flags(const QModelIndex &index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    const Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    if (index.column() == Collective)
        return flags | Qt::ItemIsUserCheckable;
    const bool isFixed =
        isNumber(index.column()) ||
        (index.column() == Family &&
         m_rules[static_cast<std::size_t>(index.row())].workClass != WorkClass::Compute);
    return isFixed ? flags : flags | Qt::ItemIsEditable;
}

} // namespace vramscope
