// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/sites_model.h"

#include "core/print/cells.h"
#include "ui/models/stack_text.h"
#include "ui/stacks/frame_search.h"
#include "ui/support/exact_role.h"
#include "ui/support/text.h"

#include <algorithm>
#include <numeric>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

bool anyFrame(const Trace &trace, StackId stack, const std::vector<bool> &matching)
{
    return std::ranges::any_of(trace.stack(stack), [&](FrameId frame) {
        return matching[static_cast<std::size_t>(frame)];
    });
}

} // namespace

QString changeText(Bytes bytes, ByteUnit unit)
{
    return toQString(formatChange(bytes, unit));
}

QString exactChangeText(Bytes bytes, ByteUnit unit)
{
    return u"%1 (%2%3)"_s.arg(changeText(bytes, unit), bytes > 0 ? u"+"_s : QString(),
                              countedText(bytes, "byte"));
}

void SitesModel::setPair(std::shared_ptr<const TracePair> pair)
{
    beginResetModel();
    m_pair = std::move(pair);
    m_originsA.reset();
    m_originsB.reset();
    if (m_pair) {
        m_originsA.emplace(m_pair->a.recorded());
        m_originsB.emplace(m_pair->b.recorded());
    }
    arrange();
    endResetModel();
}

void SitesModel::setUnit(ByteUnit unit)
{
    m_unit = unit;
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void SitesModel::setFilter(const QString &text)
{
    beginResetModel();
    m_filter = text;
    arrange();
    endResetModel();
}

void SitesModel::sort(int column, Qt::SortOrder order)
{
    beginResetModel();
    m_column = column;
    m_order = order;
    arrange();
    endResetModel();
}

void SitesModel::arrange()
{
    m_rows.clear();
    if (!m_pair)
        return;
    const std::vector<ComparedSite> &sites = m_pair->sites;
    m_rows.resize(sites.size());
    std::iota(m_rows.begin(), m_rows.end(), std::size_t(0));
    if (!m_filter.isEmpty()) {
        const std::vector<bool> inA = matchingFrames(m_pair->a.recorded(), m_filter);
        const std::vector<bool> inB = matchingFrames(m_pair->b.recorded(), m_filter);
        std::erase_if(m_rows, [&](std::size_t at) {
            return !anyFrame(m_pair->a.recorded(), sites[at].stackA, inA) &&
                   !anyFrame(m_pair->b.recorded(), sites[at].stackB, inB);
        });
    }
    const auto sortBy = [&](auto &&key) {
        std::ranges::stable_sort(m_rows, [&](std::size_t x, std::size_t y) {
            return m_order == Qt::AscendingOrder ? key(sites[x]) < key(sites[y])
                                                 : key(sites[y]) < key(sites[x]);
        });
    };
    switch (m_column) {
    case Site: {
        QStringList names; // made once each, not at every comparison
        for (const ComparedSite &site : sites)
            names += text(site, Site);
        return sortBy([&](const ComparedSite &site) { return names[&site - sites.data()]; });
    }
    case BytesA:
        return sortBy([](const ComparedSite &site) { return site.bytesA; });
    case BytesB:
        return sortBy([](const ComparedSite &site) { return site.bytesB; });
    case Delta:
        return sortBy([](const ComparedSite &site) { return site.delta(); });
    case CountA:
        return sortBy([](const ComparedSite &site) { return site.countA; });
    case CountB:
        return sortBy([](const ComparedSite &site) { return site.countB; });
    case Match:
        return sortBy([](const ComparedSite &site) { return site.match; });
    default:
        break; // in core's order
    }
}

int SitesModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int SitesModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SitesModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const bool left = index.column() == Site || index.column() == Match;
    switch (role) {
    case Qt::DisplayRole:
        return text(site(index.row()), index.column());
    case Qt::ToolTipRole:
        return tip(site(index.row()), index.column());
    case kExactRole:
        return number(site(index.row()), index.column());
    case Qt::TextAlignmentRole:
        return static_cast<int>((left ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant SitesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == kUnitRole)
        return section == BytesA || section == BytesB || section == Delta ? QVariant(u"bytes"_s)
                                                                          : QVariant();
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(
            (section == Site || section == Match ? Qt::AlignLeft : Qt::AlignRight) |
            Qt::AlignVCenter);
    if (role == Qt::DisplayRole)
        return title(section);
    if (role == Qt::ToolTipRole)
        return explanation(section);
    return {};
}

QString SitesModel::explanation(int column) const
{
    const QString a = letterOf(m_pair ? m_pair->a.at : 0);
    const QString b = letterOf(m_pair ? m_pair->b.at : 1);
    switch (column) {
    case Site:
        return u"The stack that allocated"_s;
    case BytesA:
        return u"Bytes live in %1 at the moment compared"_s.arg(a);
    case BytesB:
        return u"Bytes live in %1 at the moment compared"_s.arg(b);
    case Delta:
        return u"How many more bytes are live in %1; all of them add up to the difference of the "
               "totals"_s.arg(b);
    case CountA:
        return u"Allocations live in %1 at the moment compared"_s.arg(a);
    case CountB:
        return u"Allocations live in %1 at the moment compared"_s.arg(b);
    case Match:
        return u"How much of the two stacks is the same"_s;
    default:
        return {};
    }
}

QString SitesModel::title(int column) const
{
    const QString a = letterOf(m_pair ? m_pair->a.at : 0);
    const QString b = letterOf(m_pair ? m_pair->b.at : 1);
    switch (column) {
    case Site:
        return u"allocated at"_s;
    case BytesA:
        return a;
    case BytesB:
        return b;
    case Delta:
        return u"Δ = %1 − %2"_s.arg(b, a);
    case CountA:
        return u"count %1"_s.arg(a);
    case CountB:
        return u"count %1"_s.arg(b);
    case Match:
        return u"stacks agree"_s;
    default:
        return {};
    }
}

QVariant SitesModel::number(const ComparedSite &site, int column)
{
    switch (column) {
    case BytesA:
        return QVariant::fromValue<qint64>(site.bytesA);
    case BytesB:
        return QVariant::fromValue<qint64>(site.bytesB);
    case Delta:
        return QVariant::fromValue<qint64>(site.delta());
    case CountA:
        return QVariant::fromValue<qint64>(site.countA);
    case CountB:
        return QVariant::fromValue<qint64>(site.countB);
    default:
        return {};
    }
}

QString SitesModel::siteName(int row) const
{
    const ComparedSite &at = site(row);
    const bool inB = at.countB > 0;
    return vramscope::siteName(inB ? m_pair->b.recorded() : m_pair->a.recorded(),
                               inB ? at.stackB : at.stackA);
}

QString SitesModel::text(const ComparedSite &site, int column) const
{
    const auto counted = [](std::int64_t count) { return count > 0 ? countText(count) : u"–"_s; };
    switch (column) {
    case Site:
        return site.countB > 0 ? siteAndCalleeText(m_pair->b.recorded(), site.stackB, *m_originsB)
                               : siteAndCalleeText(m_pair->a.recorded(), site.stackA, *m_originsA);
    case BytesA:
        return site.countA > 0 ? bytesText(site.bytesA, m_unit) : u"–"_s;
    case BytesB:
        return site.countB > 0 ? bytesText(site.bytesB, m_unit) : u"–"_s;
    case Delta:
        return changeText(site.delta(), m_unit);
    case CountA:
        return counted(site.countA);
    case CountB:
        return counted(site.countB);
    case Match:
        return matchTitle(site, *m_pair);
    default:
        return {};
    }
}

QString SitesModel::tip(const ComparedSite &site, int column) const
{
    switch (column) {
    case Site:
        return text(site, Site);
    case BytesA:
        return exactBytesText(site.bytesA, m_unit);
    case BytesB:
        return exactBytesText(site.bytesB, m_unit);
    case Delta:
        return exactChangeText(site.delta(), m_unit);
    case Match:
        return matchExplanation(site, *m_pair);
    default:
        return {};
    }
}

SitesModel::Sums SitesModel::sums() const
{
    Sums sums;
    for (const std::size_t at : m_rows) {
        sums.a = wrappingSum(sums.a, m_pair->sites[at].bytesA);
        sums.b = wrappingSum(sums.b, m_pair->sites[at].bytesB);
    }
    return sums;
}

QString SitesModel::totalText() const
{
    if (!m_pair)
        return {};
    const Sums all = sums();
    const auto kept = static_cast<std::int64_t>(m_rows.size());
    const auto total = static_cast<std::int64_t>(m_pair->sites.size());
    const QString sites = kept == total
                              ? u"Total of %1"_s.arg(countedText(total, "site"))
                              : u"%1 of %2"_s.arg(countText(kept), countedText(total, "site"));
    return u"%1: %2 %3, %4 %5, difference %6"_s.arg(
        sites, letterOf(m_pair->a.at), bytesText(all.a, m_unit), letterOf(m_pair->b.at),
        bytesText(all.b, m_unit), changeText(wrappingDifference(all.b, all.a), m_unit));
}

QString SitesModel::totalToolTip() const
{
    if (!m_pair)
        return {};
    const Sums all = sums();
    return u"%1: %2\n%3: %4\n%5"_s.arg(
        titleOf(m_pair->a.trace, m_pair->a.at), exactBytesText(all.a, m_unit),
        titleOf(m_pair->b.trace, m_pair->b.at), exactBytesText(all.b, m_unit),
        exactChangeText(wrappingDifference(all.b, all.a), m_unit));
}

} // namespace vramscope
