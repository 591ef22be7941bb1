// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/smi_devices.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace vramscope::smi {

namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostCurves = 32; // of a device, of each kind; further ones are left out
const std::string kOfProcesses = "The memory of processes";

template<class T>
void assign(T *place, T value)
{
    if (place != nullptr)
        *place = value;
}

/// What a curve has where no row gives it a value.
Bytes blankOf(const ByteCurve &curve)
{
    return curve.role == CurveRole::Process ? 0 : kNoBytes;
}

template<class T>
void reorder(std::vector<T> &column, const std::vector<std::size_t> &order)
{
    std::vector<T> sorted;
    sorted.reserve(column.size());
    for (const std::size_t at : order)
        sorted.push_back(column[at]);
    column = std::move(sorted);
}

void sortByTime(SeriesDevice &device)
{
    std::vector<std::size_t> order(device.time.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, {}, [&](std::size_t at) { return device.time[at]; });
    reorder(device.time, order);
    for (ByteCurve &curve : device.bytes)
        reorder(curve.values, order);
    for (NumberCurve &curve : device.numbers)
        reorder(curve.values, order);
}

/// The size of the device where every sample that has one says the same.
Bytes constantTotal(const SeriesDevice &device)
{
    Bytes total = kNoBytes;
    const ByteCurve *curve = device.curve(CurveRole::DeviceTotal);
    for (const Bytes value : curve ? curve->values : std::vector<Bytes>()) {
        if (value != kNoBytes && total != kNoBytes && value != total)
            return kNoBytes;
        total = value == kNoBytes ? total : value;
    }
    return total;
}

} // namespace

/// Curves grow when they have a value, and at the end.
void Devices::openSample(Device &device, std::int64_t time)
{
    device.series.time.push_back(time);
    device.listed.clear();
}

/// Whether a curve may have `gap` more places without a value: a file in which columns come and go
/// must not take memory that its rows do not justify.
bool Devices::mayFill(std::size_t gap)
{
    constexpr std::size_t kFree = std::size_t(8) << 20;
    constexpr std::size_t kFilledPerRow = 4;
    if (gap > 0 && m_filled + gap > kFree + kFilledPerRow * m_rows) {
        m_leftOut = true;
        return false;
    }
    m_filled += gap;
    return true;
}

/// The last of `count` places of a curve; null where too many before it would have to be filled.
template<class T>
T *Devices::extend(std::vector<T> &values, std::size_t count, T blank)
{
    if (values.size() < count && !mayFill(count - 1 - values.size()))
        return nullptr;
    values.resize(count, blank);
    return &values.back();
}

/// The value of a curve at the open sample; a new curve has none, or nothing of a process, before.
/// Null as extend().
Bytes *Devices::cell(Device &device, const std::string &name, CurveRole role)
{
    std::vector<ByteCurve> &curves = device.series.bytes;
    const auto [entry, isNew] = device.bytes.try_emplace(name, curves.size());
    if (isNew)
        curves.push_back({name, role, {}});
    ByteCurve &curve = curves[entry->second];
    return extend(curve.values, device.series.time.size(), blankOf(curve));
}

/// Fills the curves up to the last sample.
void Devices::fillCurves(SeriesDevice &device)
{
    const std::size_t count = device.time.size();
    std::erase_if(device.bytes, [&](ByteCurve &curve) {
        if (!mayFill(count - curve.values.size()))
            return true;
        curve.values.resize(count, blankOf(curve));
        return false;
    });
    std::erase_if(device.numbers, [&](NumberCurve &curve) {
        if (!mayFill(count - curve.values.size()))
            return true;
        curve.values.resize(count, kNoNumber);
        return false;
    });
}

void Devices::add(const Sample &sample)
{
    ++m_rows;
    const auto [entry, isNew] = m_keys.try_emplace(sample.device, m_devices.size());
    if (isNew) {
        Device device;
        device.series.ordinal = sample.ordinal;
        device.series.name = sample.name;
        device.series.identity = sample.identity;
        m_devices.push_back(std::move(device));
    }
    Device &device = m_devices[entry->second];
    for (const std::string &column : sample.notReported) {
        if (m_notReported.size() < kMostCurves || m_notReported.contains(column))
            ++m_notReported[sample.process.empty() ? column : kOfProcesses];
    }
    if (!sample.process.empty()) {
        addProcess(device, sample);
        return;
    }
    openSample(device, sample.time);
    for (const Sample::Size &size : sample.sizes)
        assign(cell(device, size.name, size.role), size.bytes);
    for (const Sample::Value &value : sample.values) {
        std::vector<NumberCurve> &curves = device.series.numbers;
        if (curves.size() == kMostCurves && !device.numbers.contains(value.name))
            continue;
        const auto [curve, isNewCurve] = device.numbers.try_emplace(value.name, curves.size());
        if (isNewCurve)
            curves.push_back({value.name, value.unit, {}});
        assign(extend(curves[curve->second].values, device.series.time.size(), kNoNumber),
               value.number);
    }
}

/// The processes of one listing have nearly the same time and are listed once each: another time,
/// or a process a second time, begins the next listing.
void Devices::addProcess(Device &device, const Sample &sample)
{
    constexpr std::int64_t kOneListing = 100'000'000; // nanoseconds
    const bool again = device.listed.contains(sample.process);
    const std::int64_t before = device.series.time.empty() ? 0 : device.series.time.back();
    const std::int64_t passed = wrappingDifference(sample.time, before);
    if (device.series.time.empty() || again || passed > kOneListing || passed < -kOneListing)
        openSample(device, sample.time);
    device.listed.insert(sample.process);
    Bytes *const sum = cell(device, "processes", CurveRole::Process); // moves with its curve
    const std::string name = "process " + sample.process;
    const bool mayHaveCurve = device.bytes.contains(name) || device.bytes.size() < kMostCurves;
    // What one of them uses without saying how much is not known of all.
    if (!sample.notReported.empty()) {
        assign(sum, kNoBytes);
        if (mayHaveCurve)
            assign(cell(device, name, CurveRole::Process), kNoBytes);
        return;
    }
    for (const Sample::Size &size : sample.sizes) {
        if (size.role != CurveRole::DeviceUsed || size.bytes == kNoBytes)
            continue;
        if (sum != nullptr && *sum != kNoBytes)
            *sum = wrappingSum(*sum, size.bytes);
        if (mayHaveCurve)
            assign(cell(device, name, CurveRole::Process), size.bytes);
        m_reported.insert(kOfProcesses);
    }
}

void Devices::tellNotReported(SeriesBuilder &builder) const
{
    for (const auto &[column, rows] : m_notReported) {
        if (m_reported.contains(column))
            builder.addProblem(column +
                                   " is not reported ([N/A]) in some rows, where its curve has "
                                   "a gap.",
                               -1, rows);
        else
            builder.addProblem(column + " is not reported ([N/A]) by the driver, in any row: it is "
                                        "not known, and not 0.",
                               -1, rows);
    }
}

void Devices::finish(SeriesBuilder &builder)
{
    std::set<int> ordinals;
    for (const Device &one : m_devices)
        ordinals.insert(one.series.ordinal);
    const bool numbered = ordinals.size() == m_devices.size() && !ordinals.contains(-1);
    int place = 0;
    for (Device &one : m_devices) {
        SeriesDevice &device = one.series;
        if (!numbered)
            device.ordinal = -1;
        fillCurves(device);
        if (!std::ranges::is_sorted(device.time)) {
            builder.addProblem("Times go back; the samples were sorted.");
            sortByTime(device);
        }
        for (const ByteCurve &curve : device.bytes) {
            if (std::ranges::any_of(curve.values, [](Bytes bytes) { return bytes != kNoBytes; }))
                m_reported.insert(curve.name);
        }
        for (const NumberCurve &curve : device.numbers) {
            if (std::ranges::any_of(curve.values, [](double n) { return !std::isnan(n); }))
                m_reported.insert(curve.name);
        }
        std::erase_if(device.bytes, [](const ByteCurve &curve) {
            return std::ranges::all_of(curve.values, [](Bytes bytes) { return bytes == kNoBytes; });
        });
        std::erase_if(device.numbers, [](const NumberCurve &curve) {
            return std::ranges::all_of(curve.values,
                                       [](double number) { return std::isnan(number); });
        });
        device.total = constantTotal(device);
        device.label = "GPU " + std::to_string(numbered ? device.ordinal : place++);
        builder.addDevice(std::move(device));
    }
    tellNotReported(builder);
    if (m_leftOut)
        builder.addProblem("Columns come and go in very many rows; curves that most samples lack "
                           "were left out.");
    m_devices.clear();
    m_keys.clear();
}

} // namespace vramscope::smi
