// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/driver.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace vramscope {

namespace {

constexpr std::uint64_t kAddressGrain = std::uint64_t(2) << 20U;
constexpr std::uint64_t kRangeGrain = std::uint64_t(32) << 20U;
constexpr std::uint64_t kEveryAddress = std::numeric_limits<std::uint64_t>::max();

std::uint64_t inWhole(std::uint64_t grain, std::uint64_t length)
{
    return (length + grain - 1) / grain * grain;
}

} // namespace

void AddressRanges::insert(Address address, Length length)
{
    if (length == 0)
        return;
    m_ranges.emplace(address, length);
    m_byLength[length].insert(address);
}

void AddressRanges::erase(std::map<Address, Length>::iterator range)
{
    const auto same = m_byLength.find(range->second);
    same->second.erase(range->first);
    if (same->second.empty())
        m_byLength.erase(same);
    m_ranges.erase(range);
}

void AddressRanges::add(Address address, Length length, Address low, Address high)
{
    const auto next = m_ranges.lower_bound(address);
    if (next != m_ranges.begin()) {
        const auto before = std::prev(next);
        if (before->first >= low && before->first + before->second == address) {
            address = before->first;
            length += before->second;
            erase(before);
        }
    }
    if (next != m_ranges.end() && next->first < high && next->first == address + length) {
        length += next->second;
        erase(next);
    }
    insert(address, length);
}

std::optional<AddressRanges::Address> AddressRanges::takeLowest(Length length)
{
    std::optional<Address> lowest;
    for (auto same = m_byLength.lower_bound(length); same != m_byLength.end(); ++same)
        lowest = std::min(lowest.value_or(kEveryAddress), *same->second.begin());
    if (!lowest)
        return {};
    const Length whole = takeAt(*lowest);
    insert(*lowest + length, whole - length);
    return lowest;
}

std::optional<AddressRanges::Address> AddressRanges::takeHighest(Length length, Length least)
{
    std::optional<Address> highest;
    for (auto same = m_byLength.lower_bound(least); same != m_byLength.end(); ++same)
        highest = std::max(highest.value_or(0), *same->second.rbegin());
    if (!highest)
        return {};
    const Length whole = takeAt(*highest);
    insert(*highest, whole - length);
    return *highest + whole - length;
}

AddressRanges::Length AddressRanges::takeAt(Address address)
{
    const auto range = m_ranges.find(address);
    if (range == m_ranges.end())
        return 0;
    const Length length = range->second;
    erase(range);
    return length;
}

std::optional<std::uint64_t> DriverAddresses::take(Bytes size)
{
    const std::uint64_t length = inWhole(kAddressGrain, static_cast<std::uint64_t>(size));
    if (m_order == AddressOrder::Rising) {
        if (length > kEveryAddress - m_next)
            return {};
        m_next += length;
        return m_next - length;
    }
    std::optional<std::uint64_t> address = m_left.takeLowest(length);
    if (!address) {
        const std::uint64_t whole = inWhole(kRangeGrain, length);
        address = newRange(whole);
        if (!address)
            return {};
        m_ranges.emplace(*address, Range{.length = whole});
        m_left.add(*address + length, whole - length, *address, *address + whole);
    }
    std::prev(m_ranges.upper_bound(*address))->second.used += length;
    return address;
}

std::optional<std::uint64_t> DriverAddresses::newRange(std::uint64_t length)
{
    if (const auto inGap = m_gaps.takeHighest(length, length + kRangeGrain))
        return inGap;
    if (length > m_next)
        return {};
    m_next -= length;
    return m_next;
}

void DriverAddresses::giveBack(std::uint64_t address, Bytes size)
{
    const auto above = m_ranges.upper_bound(address);
    if (above == m_ranges.begin())
        return;
    const auto range = std::prev(above);
    const auto [first, length] = std::pair{range->first, range->second.length};
    if (address - first >= length)
        return;
    const std::uint64_t given = inWhole(kAddressGrain, static_cast<std::uint64_t>(size));
    range->second.used -= given;
    m_left.add(address, given, first, first + length);
    if (range->second.used > 0)
        return;
    m_ranges.erase(range);
    m_left.takeAt(first);
    m_gaps.add(first, length, 0, kEveryAddress);
    m_next += m_gaps.takeAt(m_next); // addresses below all ranges are not a gap
}

} // namespace vramscope
