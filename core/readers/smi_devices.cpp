// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/smi.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace vramscope::smi {

namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostCurves = 32; // of each kind, per device; further ones are left out
const std::string kOfProcesses = "The memory of processes";

template<class T>
void assign(T *place, T value)
{
    if (place != nullptr)
        *place = value;
}

/// The value of a curve without one in a row.
Bytes blankOf(const ByteCurve &curve)
{
    return curve.role == CurveRole::Process ? 0 : kNoBytes;
}
double blankOf(const NumberCurve &)
{
    return kNoNumber;
}

bool isValue(Bytes bytes)
{
    return bytes != kNoBytes;
}
bool isValue(double number)
{
    return !std::isnan(number);
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

/// The size of the device if all samples with a size agree.
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

std::optional<CurveRole> roleOf(Kind kind)
{
    switch (kind) {
    case Kind::Used:
        return CurveRole::DeviceUsed;
    case Kind::Free:
        return CurveRole::DeviceFree;
    case Kind::Total:
        return CurveRole::DeviceTotal;
    case Kind::Reserved:
        return CurveRole::DeviceReserved;
    default:
        return {};
    }
}

bool Sample::take(const Column &column, std::string_view cell, Bytes plain)
{
    const auto quantity = quantityOf(cell);
    const auto role = roleOf(column.kind);
    const auto bytes = role && quantity ? quantity->bytes(column.unit, plain) : std::nullopt;
    if (bytes)
        sizes.push_back({column.name, *role, *bytes});
    else if (!role && quantity)
        values.push_back({column.name,
                          std::string(quantity->unit.empty() ? column.unit : quantity->unit),
                          quantity->value()});
    return bytes || (!role && quantity);
}

void ReportClock::begin(const std::optional<LogTime> &stated)
{
    constexpr std::int64_t kSecond = 1'000'000'000;
    m_time = stated ? stated->time : m_count * kSecond;
    if (m_count++ == 0 && stated)
        m_first = stated->clock;
    m_isOdd = clock() != (stated ? stated->clock : Clock::Relative);
}

/// Curves grow when they have a value, and at the end.
void Devices::openSample(SeriesDevice &device, std::int64_t time)
{
    device.time.push_back(time);
    if (!m_listed.empty())
        m_listed.erase(static_cast<std::size_t>(&device - m_devices.data()));
}

/// Whether a curve may have `gap` more places without a value: a file with columns that come and go
/// must not use memory that its rows do not justify.
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

/// The last of `count` places of a curve; null if too many before it would have to be filled.
template<class T>
T *Devices::extend(std::vector<T> &values, std::size_t count, T blank)
{
    if (values.size() < count && !mayFill(count - 1 - values.size()))
        return nullptr;
    values.resize(count, blank);
    return &values.back();
}

/// The value of a curve at the open sample; before its first value a new curve has blanks, or 0 for
/// a process. Null as in extend().
Bytes *Devices::cell(SeriesDevice &device, const std::string &name, CurveRole role)
{
    std::vector<ByteCurve> &curves = device.bytes;
    auto curve = std::ranges::find(curves, name, &ByteCurve::name);
    if (curve == curves.end())
        curve = curves.insert(curve, {name, role, {}});
    return extend(curve->values, device.time.size(), blankOf(*curve));
}

/// Fills the curves up to the last sample, and drops those without a value.
template<class Curve>
void Devices::finishCurves(std::vector<Curve> &curves, std::size_t count)
{
    std::erase_if(curves, [&](Curve &curve) {
        if (!mayFill(count - curve.values.size()))
            return true;
        curve.values.resize(count, blankOf(curve));
        const bool any = std::ranges::any_of(curve.values, [](auto one) { return isValue(one); });
        if (any)
            m_reported.insert(curve.name);
        return !any;
    });
}

void Devices::add(const Sample &sample)
{
    ++m_rows;
    const auto [entry, isNew] = m_keys.try_emplace(sample.device, m_devices.size());
    if (isNew) {
        SeriesDevice &added = m_devices.emplace_back();
        added.ordinal = sample.ordinal;
        added.name = sample.name;
        added.identity = sample.identity;
    }
    SeriesDevice &device = m_devices[entry->second];
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
        std::vector<NumberCurve> &curves = device.numbers;
        auto curve = std::ranges::find(curves, value.name, &NumberCurve::name);
        if (curve == curves.end() && curves.size() == kMostCurves)
            continue;
        if (curve == curves.end())
            curve = curves.insert(curve, {value.name, value.unit, {}});
        assign(extend(curve->values, device.time.size(), kNoNumber), value.number);
    }
}

/// The processes of one listing have nearly the same time and are listed once each: another time,
/// or a process a second time, starts the next listing.
void Devices::addProcess(SeriesDevice &device, const Sample &sample)
{
    constexpr std::int64_t kOneListing = 100'000'000; // nanoseconds
    const auto at = static_cast<std::size_t>(&device - m_devices.data());
    const auto listed = m_listed.find(at);
    const bool again = listed != m_listed.end() && listed->second.contains(sample.process);
    const std::int64_t before = device.time.empty() ? 0 : device.time.back();
    const std::int64_t passed = wrappingDifference(sample.time, before);
    if (device.time.empty() || again || passed > kOneListing || passed < -kOneListing)
        openSample(device, sample.time);
    m_listed[at].insert(sample.process);
    Bytes *const sum = cell(device, "processes", CurveRole::Process); // moves with its curve
    const std::string name = "process " + sample.process;
    const std::vector<ByteCurve> &curves = device.bytes;
    const bool mayHaveCurve = curves.size() < kMostCurves ||
                              std::ranges::find(curves, name, &ByteCurve::name) != curves.end();
    // If one process does not report its use, the total is unknown.
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
    m_keys.clear();
    std::vector<int> ordinals;
    for (const SeriesDevice &device : m_devices)
        ordinals.push_back(device.ordinal);
    std::ranges::sort(ordinals);
    const bool numbered = std::ranges::adjacent_find(ordinals) == ordinals.end() &&
                          (ordinals.empty() || ordinals.front() >= 0);
    int place = 0;
    for (SeriesDevice &device : m_devices) {
        if (!numbered)
            device.ordinal = -1;
        finishCurves(device.bytes, device.time.size());
        finishCurves(device.numbers, device.time.size());
        if (!std::ranges::is_sorted(device.time)) {
            builder.addProblem("Times go back; the samples were sorted.");
            sortByTime(device);
        }
        device.total = constantTotal(device);
        device.label = "GPU " + std::to_string(numbered ? device.ordinal : place++);
    }
    builder.addDevices(std::exchange(m_devices, {}));
    tellNotReported(builder);
    if (m_leftOut)
        builder.addProblem("Columns come and go in very many rows; curves that most samples lack "
                           "were left out.");
}

} // namespace vramscope::smi
