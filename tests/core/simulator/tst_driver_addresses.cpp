// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/driver.h"

#include "core/simulator/simulation.h"
#include "tests/support/test.h"

#include <map>
#include <random>

using namespace vramscope;

namespace {

/// A cudaMalloc of so many MiB and where it came, in MiB from the first; or, where `gives`, the
/// cudaFree of the one that came there.
struct DriverCall
{
    std::int64_t size;
    std::int64_t at;
    bool gives = false;
};

using DriverCalls = std::vector<DriverCall>;

std::uint64_t bytesOf(std::int64_t mebibytes)
{
    return static_cast<std::uint64_t>(mebibytes) * static_cast<std::uint64_t>(kMiB);
}

QString firstOther(const DriverCalls &calls)
{
    DriverAddresses addresses(AddressOrder::Falling);
    std::optional<std::uint64_t> first;
    for (const DriverCall &call : calls) {
        if (call.gives) {
            addresses.giveBack(*first + bytesOf(call.at), call.size * kMiB);
            continue;
        }
        const auto address = addresses.take(call.size * kMiB);
        if (!address)
            return "no address";
        first = first.value_or(*address);
        if (*address != *first + bytesOf(call.at))
            return QString("%1 MiB at %2 instead of %3")
                .arg(call.size)
                .arg(static_cast<std::int64_t>(*address - *first) / kMiB)
                .arg(call.at);
    }
    return {};
}

} // namespace

Q_DECLARE_METATYPE(DriverCalls)

class TestDriverAddresses : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theyAreThoseOfADevice_data();
    void theyAreThoseOfADevice();
    void risingOnesAreNotUsedAgain();
    void noneAreGivenTwice();
    void theirOrderDecidesWhatIsReserved();
};

// Recorded on an H100 (driver 580.159.04, CUDA 13.0, Linux 6.18), three times alike. Left out is
// what went into addresses that the context had left.
void TestDriverAddresses::theyAreThoseOfADevice_data()
{
    QTest::addColumn<DriverCalls>("calls");
    QTest::newRow("sizes") << DriverCalls{
        {20, 0},      {20, -32},   {20, -64},   {12, -44},  {12, -12},     {48, -128},
        {48, -192},   {2, -144},   {2, -142},   {2, -140},  {2, -138},     {2, -136},
        {2, -134},    {2, -132},   {2, -130},   {2, -80},   {1500, -1696}, {100, -1824},
        {100, -1952}, {20, -1852}, {20, -1724}, {20, -1984}};
    QTest::newRow("gaps of one range stay") << DriverCalls{
        {20, 0},    {20, -32},  {20, -64},  {20, -96},       {20, -128},       {20, -160},
        {20, -192}, {20, -224}, {20, -256}, {20, -64, true}, {20, -192, true}, {20, -224, true},
        {20, -192}, {20, -288}, {20, -320}, {12, -300},      {12, -268}};
    QTest::newRow("neighbours are one gap") << DriverCalls{
        {64, 0},     {64, -64},  {64, -128},       {64, -192},       {64, -256},
        {64, -320},  {64, -384}, {64, -448},       {64, -128, true}, {64, -192, true},
        {128, -576}, {64, -128}, {64, -320, true}, {32, -160},       {32, -288}};
    QTest::newRow("large") << DriverCalls{
        {1500, 0},     {1500, -1504},       {1500, -3008},       {1500, -4512},  {1500, -6016},
        {1500, -7520}, {1500, -1504, true}, {1500, -3008, true}, {3000, -10528}, {1000, -1024},
        {600, -1632},  {1500, -6016, true}, {20, -24},           {1400, -5920}};
}

void TestDriverAddresses::theyAreThoseOfADevice()
{
    QFETCH(DriverCalls, calls);
    const QString other = firstOther(calls);
    QVERIFY2(other.isEmpty(), qPrintable(other));
}

void TestDriverAddresses::risingOnesAreNotUsedAgain()
{
    DriverAddresses addresses(AddressOrder::Rising);
    const std::uint64_t first = addresses.take(3 * kMiB).value();
    QCOMPARE(addresses.take(20 * kMiB).value(), first + bytesOf(4));
    addresses.giveBack(first, 3 * kMiB);
    QCOMPARE(addresses.take(2 * kMiB).value(), first + bytesOf(24));
}

void TestDriverAddresses::noneAreGivenTwice()
{
    std::mt19937 random(3);
    DriverAddresses addresses(AddressOrder::Falling);
    std::map<std::uint64_t, std::uint64_t> held; // end by address
    std::uint64_t lowest = ~std::uint64_t(0);
    for (int call = 0; call < 20'000; ++call) {
        if (held.size() > 40 && random() % 2 == 0) {
            const auto one = std::next(held.begin(), std::ptrdiff_t(random() % held.size()));
            addresses.giveBack(one->first, static_cast<Bytes>(one->second - one->first));
            held.erase(one);
            continue;
        }
        const Bytes size = 2 * kMiB * (1 + Bytes(random() % (random() % 5 == 0 ? 800 : 12)));
        const std::uint64_t address = addresses.take(size).value();
        const std::uint64_t end = address + static_cast<std::uint64_t>(size);
        const auto above = held.lower_bound(address);
        QVERIFY(above == held.end() || above->first >= end);
        QVERIFY(above == held.begin() || std::prev(above)->second <= address);
        held.emplace(address, end);
        lowest = std::min(lowest, address);
    }
    for (const auto &[address, end] : held)
        addresses.giveBack(address, static_cast<Bytes>(end - address));
    // All is below again: what comes now lies where the first did.
    const std::uint64_t first = DriverAddresses(AddressOrder::Falling).take(32 * kMiB).value();
    QCOMPARE(addresses.take(32 * kMiB).value(), first);
    QVERIFY(lowest < first);
    addresses.giveBack(5, kMiB); // of others
}

// Free are a segment of 64 MiB and 64 MiB of a later one of 104. The lower is taken, so that what
// follows finds the later segment whole or not.
void TestDriverAddresses::theirOrderDecidesWhatIsReserved()
{
    using Kind = AllocatorRequest::Kind;
    RequestStream stream;
    const auto add = [&](Kind kind, AllocationId allocation, Bytes size = 0) {
        stream.requests.push_back({.kind = kind, .allocation = allocation, .size = size});
    };
    add(Kind::Allocate, 0, 64 * kMiB);
    add(Kind::Allocate, 1, 104 * kMiB);
    add(Kind::Free, 1);
    add(Kind::Allocate, 2, 40 * kMiB);
    add(Kind::Free, 0);
    add(Kind::Allocate, 3, 64 * kMiB);
    add(Kind::Free, 2);
    add(Kind::Allocate, 4, 104 * kMiB);
    stream.allocations = 5;
    const auto falling = simulate(stream, {}, kUnknownCapacity);
    QCOMPARE(falling->figures.peakReserved, (64 + 104 + 104) * kMiB);
    stream.addresses = AddressOrder::Rising;
    const auto rising = simulate(stream, {}, kUnknownCapacity);
    QCOMPARE(rising->figures.peakReserved, (64 + 104) * kMiB);
}

VRAMSCOPE_TEST(TestDriverAddresses)
#include "tst_driver_addresses.moc"
