// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/constants.h"
#include "core/catalog/gpu_names.h"
#include "core/catalog/gpus.h"
#include "core/settings/settings.h"
#include "tests/support/measured_table.h"
#include "tests/support/test.h"

#include <algorithm>
#include <set>

using namespace vramscope;

namespace {

std::vector<test::TableRow> dataTable(const char *name)
{
    return test::readTable(QStringLiteral(VRAMSCOPE_SOURCE_DIR "/tests/data/catalog/") +
                           QLatin1StringView(name));
}

qint64 numberOrZero(const test::TableRow &row, const char *column)
{
    return row.text(column).isEmpty() ? 0 : row.number(column);
}

QString nameOf(const GpuPreset *gpu)
{
    return gpu ? QString::fromStdString(gpu->name) : QStringLiteral("none");
}

std::set<std::string> namesOf(const std::vector<const GpuPreset *> &gpus)
{
    std::set<std::string> names;
    for (const GpuPreset *gpu : gpus)
        names.insert(gpu->name);
    return names;
}

using Names = std::set<std::string>;

} // namespace

/// The table of GPUs, resources/gpus/gpus.csv, and the names by which people call them.
class TestGpus : public test::Test
{
    Q_OBJECT

private slots:
    void gpusThatWereBuiltInAreUnchanged();
    void everyRowIsComplete();
    void capacitiesAreNearTheSizeAsSold();
    void anUnreportedCapacityIsScaledFromAReport();
    void aSizeAloneReportsWhatMostCardsDo();
    void generationsBelongToTheirVendors();
    void cardsBeforeAmpereHaveNoFlashAttention();
    void namesAndTitlesLeadToTheirGpu();
    void namesThatPeopleUseAreKnown_data();
    void namesThatPeopleUseAreKnown();
    void everyListedNameMeansOneRow();
    void everySharedNameIsDecided();
    void aBareNameSaysWhatElseItMayMean();
    void aSizeThatIsNotSoldIsRefused();
    void aMachineNeedsASize();
    void wordsOfTheLanguageAndCountsAreNoGpus();
};

/// But for the capacity of a Strix Halo, which was not known then.
void TestGpus::gpusThatWereBuiltInAreUnchanged()
{
    const auto rows = dataTable("gpus_before.csv");
    QCOMPARE(rows.size(), std::size_t(99));
    const GpuPreset *last = nullptr;
    for (const test::TableRow &row : rows) {
        const GpuPreset *gpu = findGpuPreset(row.text("name").toStdString());
        QVERIFY2(gpu, qPrintable(row.text("name")));
        QVERIFY2(!last || last < gpu, "out of order");
        last = gpu;
        const auto same = [&](const char *column, std::string_view text) {
            return row.text(column).toStdString() == text;
        };
        QVERIFY2(same("title", gpu->title) && same("source", gpu->source) &&
                     same("generation", generationName(gpu->generation)) &&
                     same("other_name", gpu->otherName) && gpu->like.empty(),
                 gpu->name.c_str());
        QCOMPARE(qint64(gpu->capacity), row.number("capacity"));
        QCOMPARE(qint64(gpu->memoryBandwidth), row.number("memory_bandwidth"));
        QCOMPARE(qint64(gpu->hostLink), row.number("host_link"));
        QCOMPARE(qint64(gpu->bf16Flops), row.number("bf16_flops"));
        QCOMPARE(qint64(gpu->driverTotal), row.number("driver_total"));
        QCOMPARE(qint64(gpu->memory), row.number("memory"));
    }
}

void TestGpus::everyRowIsComplete()
{
    QVERIFY(gpuPresets().size() > 290);
    for (const GpuPreset &gpu : gpuPresets()) {
        QVERIFY2(soldGigabytes(gpu) > 0 && !gpu.source.empty(), gpu.name.c_str());
        QVERIFY2(gpu.capacity > 0 || gpu.source.starts_with("reported capacity not known"),
                 gpu.name.c_str());
        QVERIFY2(gpu.driverTotal == 0 || gpu.driverTotal >= gpu.capacity, gpu.name.c_str());
        QVERIFY2(!gpu.unified() || gpu.hostLink == 0, gpu.name.c_str());
    }
}

void TestGpus::capacitiesAreNearTheSizeAsSold()
{
    for (const GpuPreset &gpu : gpuPresets()) {
        if (gpu.capacity == 0)
            continue;
        // What a system shares of its memory with the device is less: 2/3 of the smallest Macs.
        const double least = gpu.memory == DeviceMemory::ShareOfPool ? 0.7 : 0.83;
        const auto sold = static_cast<double>(gpu.gigabytes);
        const auto capacity = static_cast<double>(gpu.capacity);
        QVERIFY2(capacity >= least * sold * 1e9, gpu.name.c_str());
        QVERIFY2(capacity <= 1.03 * sold * static_cast<double>(kGiB), gpu.name.c_str());
    }
}

void TestGpus::anUnreportedCapacityIsScaledFromAReport()
{
    const GpuPreset *card = findGpuPreset("rtx-3060-ti");
    QVERIFY(card && !card->isReported());
    QCOMPARE(card->like, std::string("rtx-3070"));
    QCOMPARE(card->capacity, findGpuPreset("rtx-3070")->capacity);
    QCOMPARE(card->source, std::string("no report known: scaled from GeForce RTX 3070 8 GB to 8 GB "
                                       "(NVIDIA's data sheet)"));
    const GpuPreset *modded = findGpuPreset("rtx-4090-modded-48gb");
    QCOMPARE(modded->capacity, 2 * findGpuPreset("rtx-4090")->capacity);
    for (const GpuPreset &gpu : gpuPresets()) {
        if (gpu.like.empty())
            continue;
        const GpuPreset *like = findGpuPreset(gpu.like);
        QVERIFY2(like && like->like.empty(), gpu.name.c_str());
        QCOMPARE(gpu.capacity, like->capacity * gpu.gigabytes / like->gigabytes);
        QCOMPARE(gpu.memory == DeviceMemory::Own, like->memory == DeviceMemory::Own);
    }
}

void TestGpus::aSizeAloneReportsWhatMostCardsDo()
{
    QCOMPARE(usualCapacity(11), findGpuPreset("rtx-2080-ti")->capacity);
    // As a GeForce of 24 GB, and not as an L4, whose error correction takes a part.
    QVERIFY(usualCapacity(24) > findGpuPreset("l4-24gb")->capacity + kGiB);
    QVERIFY(std::abs(usualCapacity(24) - findGpuPreset("rtx-4090")->capacity) < kGiB / 4);
    for (std::int64_t size = 1; size <= 600; ++size) { // none of them is what no card has
        const auto share = static_cast<double>(usualCapacity(size)) / static_cast<double>(size);
        QVERIFY2(share >= 0.83e9 && share <= 1.03 * static_cast<double>(kGiB),
                 std::to_string(size).c_str());
    }
    QCOMPARE(usualCapacity(0), Bytes(0));
    QCOMPARE(usualCapacity(-24), Bytes(0));
    QCOMPARE(usualCapacity(std::numeric_limits<std::int64_t>::max()), Bytes(0));
}

void TestGpus::generationsBelongToTheirVendors()
{
    using enum GpuGeneration;
    QCOMPARE(vendorOf(Kepler), GpuVendor::Nvidia);
    QCOMPARE(vendorOf(Rubin), GpuVendor::Nvidia);
    QCOMPARE(vendorOf(Gcn), GpuVendor::Amd);
    QCOMPARE(vendorOf(Cdna5), GpuVendor::Amd);
    QCOMPARE(vendorOf(Rdna2), GpuVendor::Amd);
    QCOMPARE(vendorOf(Gaudi), GpuVendor::Intel);
    QCOMPARE(vendorOf(Musa), GpuVendor::MooreThreads);
    QCOMPARE(vendorOf(Trainium), GpuVendor::Amazon);
    QCOMPARE(vendorName(GpuVendor::MooreThreads), std::string_view("Moore Threads"));
    QCOMPARE(vendorName(GpuVendor::Amazon), std::string_view("Amazon"));
    QCOMPARE(generationName(Cdna), std::string_view("CDNA"));
    QVERIFY(!atLeast(Pascal, Ampere) && atLeast(Rubin, Hopper) && !atLeast(Trainium, Kepler));
}

/// All cards of a kind are planned alike: the older ones as a T4 is, Rubin as Hopper and Blackwell.
void TestGpus::cardsBeforeAmpereHaveNoFlashAttention()
{
    const auto settingsOn = [](const char *gpu) {
        Plan plan;
        plan.model.preset = "qwen3-0.6b";
        plan.hardware.gpu = gpu;
        return resolve(plan).settings;
    };
    for (const char *old : {"t4-16gb", "titan-v", "gtx-1080-ti", "m40-24gb", "k80-12gb"}) {
        const Settings settings = settingsOn(old);
        QVERIFY2(settings.attention == AttentionKind::Math, old);
        QCOMPARE(settings.cublasWorkspaceBytes, 2 * kCublasHandle);
        QCOMPARE(settings.networkGigabits, std::int64_t(200));
    }
    QVERIFY(settingsOn("rtx-3060-ti").attention == AttentionKind::Flash);
    QCOMPARE(settingsOn("rtx-3060-ti").cublasWorkspaceBytes, 2 * kCublasHandle);
    QVERIFY(settingsOn("vr200-288gb").attention == AttentionKind::Flash);
    QCOMPARE(settingsOn("vr200-288gb").cublasWorkspaceBytes,
             settingsOn("b200-180gb").cublasWorkspaceBytes);
    QVERIFY(!isDatacenterBlackwell(*findGpuPreset("vr200-288gb")));
    for (const char *other : {"mi50-32gb", "mi455x-432gb", "gaudi-3-128gb", "trainium2-96gb"})
        QCOMPARE(settingsOn(other).cublasWorkspaceBytes, Bytes(0));
}

void TestGpus::namesAndTitlesLeadToTheirGpu()
{
    for (const GpuPreset &gpu : gpuPresets()) {
        const NamedGpu byName = findNamedGpu(gpu.name);
        QCOMPARE(nameOf(byName.gpu), nameOf(&gpu));
        QVERIFY2(byName.others.empty(), gpu.name.c_str());
        const NamedGpu byTitle = findNamedGpu(gpu.title);
        // Its name is the title of the workstation's card.
        const bool isTwin = gpu.name == "rtx-pro-6000-96gb";
        QCOMPARE(nameOf(byTitle.gpu),
                 isTwin ? QStringLiteral("rtx-pro-6000-blackwell-96gb") : nameOf(&gpu));
    }
}

void TestGpus::namesThatPeopleUseAreKnown_data()
{
    QTest::addColumn<qint64>("gigabytes");
    QTest::addColumn<QString>("gpu");
    QTest::addColumn<QString>("words");
    for (const test::TableRow &row : dataTable("gpu_names.csv")) {
        const qint64 gigabytes = numberOrZero(row, "gigabytes");
        QTest::addRow("%s, %lld", qPrintable(row.text("words")), gigabytes)
            << gigabytes << row.text("gpu") << row.text("words");
    }
}

void TestGpus::namesThatPeopleUseAreKnown()
{
    QFETCH(qint64, gigabytes);
    QFETCH(QString, gpu);
    QFETCH(QString, words);
    for (const QString &text : {words, words.toLower(), words.toUpper()})
        QCOMPARE(nameOf(findNamedGpu(text.toStdString(), gigabytes).gpu), gpu);
    const QString dashes = QString(words).replace(u' ', u'-');
    QCOMPARE(nameOf(findNamedGpu(dashes.toStdString(), gigabytes).gpu), gpu);
}

void TestGpus::everyListedNameMeansOneRow()
{
    const auto rows =
        test::readTable(QStringLiteral(VRAMSCOPE_SOURCE_DIR "/resources/gpus/names.csv"));
    Names keys;
    for (const test::TableRow &row : rows) {
        const std::string words = row.text("name").toStdString();
        QVERIFY2(keys.insert(nameKey(words)).second, words.c_str());
        const NamedGpu named = findNamedGpu(words);
        QCOMPARE(nameOf(named.gpu),
                 row.text("gpu").isEmpty() ? QStringLiteral("none") : row.text("gpu"));
        QVERIFY2(named.gpu || !named.others.empty(), words.c_str());
        QCOMPARE(named.ofFamily, named.gpu && !named.others.empty());
        const Names others = namesOf(named.others);
        for (const QString &other : row.text("others").split(u' ', Qt::SkipEmptyParts))
            QVERIFY2(others.contains(other.toStdString()), qPrintable(other));
    }
}

/// Where cards of several sizes or forms share a name, names.csv decides which is the commonest.
void TestGpus::everySharedNameIsDecided()
{
    Names listed;
    for (const test::TableRow &row :
         test::readTable(QStringLiteral(VRAMSCOPE_SOURCE_DIR "/resources/gpus/names.csv")))
        listed.insert(nameKey(row.text("name").toStdString()));
    for (const GpuPreset &gpu : gpuPresets()) {
        if (isSlice(gpu))
            continue;
        const std::size_t last = gpu.name.rfind('-');
        if (last == gpu.name.npos || !gpu.name.ends_with("gb"))
            continue;
        const std::string family = gpu.name.substr(0, last);
        const NamedGpu named = findNamedGpu(family);
        QVERIFY2(named.others.empty() || listed.contains(nameKey(family)), family.c_str());
    }
}

void TestGpus::aBareNameSaysWhatElseItMayMean()
{
    const auto others = [](std::string_view words) { return namesOf(findNamedGpu(words).others); };
    QCOMPARE(others("RTX 2080"), Names{});
    QCOMPARE(others("RTX 4090"), Names{});
    QCOMPARE(others("4060 Ti"), Names{"rtx-4060-ti-8gb"});
    QCOMPARE(others("3080"), Names{"rtx-3080-12gb"});
    QCOMPARE(others("A100"), (Names{"a100-pcie-40gb", "a100-sxm-40gb", "a100-pcie-80gb"}));
    QCOMPARE(others("M4 Max"),
             (Names{"apple-m4-max-36gb", "apple-m4-max-48gb", "apple-m4-max-64gb"}));
    QCOMPARE(others("RTX 6000"), (Names{"quadro-rtx-6000-24gb", "rtx-pro-6000-96gb"}));
    QCOMPARE(others("M4 Max 36GB"), Names{});
    // Of the same size, another form.
    const NamedGpu sized = findNamedGpu("v100", 32);
    QCOMPARE(nameOf(sized.gpu), QStringLiteral("v100-sxm-32gb"));
    QCOMPARE(namesOf(sized.others), Names{"v100-pcie-32gb"});
}

void TestGpus::aSizeThatIsNotSoldIsRefused()
{
    for (const auto &[words, gigabytes] :
         {std::pair("RTX 4090", 40), std::pair("M3 Max", 40), std::pair("A100", 64),
          std::pair("h100 80gb", 40), std::pair("l4", 48), std::pair("4060 ti", 12)}) {
        const NamedGpu named = findNamedGpu(words, gigabytes);
        QVERIFY2(!named.gpu && !named.others.empty() && !named.ofFamily, words);
    }
    QVERIFY(!findNamedGpu("RTX 4090 40GB").gpu);
    const NamedGpu unknown = findNamedGpu("abacus", 24);
    QVERIFY(!unknown.gpu && unknown.others.empty());
}

void TestGpus::aMachineNeedsASize()
{
    for (const char *words : {"Mac", "MacBook Pro", "Mac Studio", "mac-mini", "apple silicon"}) {
        const NamedGpu named = findNamedGpu(words);
        QVERIFY2(!named.gpu && !named.others.empty(), words);
    }
    QCOMPARE(nameOf(findNamedGpu("Mac Studio", 512).gpu), QStringLiteral("apple-m3-ultra-512gb"));
    QVERIFY(!findNamedGpu("MacBook Air", 192).gpu);
}

void TestGpus::wordsOfTheLanguageAndCountsAreNoGpus()
{
    for (const char *word :
         {"max",   "pro",   "air",     "ultra",   "mini",  "studio", "super",  "ti",
          "apple", "titan", "8b",      "16gb",    "80 gb", "6000",   "8000",   "1550",
          "1080",  "580",   "6800",    "v3",      "v4",    "100h",   "",       "-",
          "gpu",   "card",  "80 a100", "2 gaudi", "8 v5e", "laptop", "nvidia", "amd"}) {
        const NamedGpu named = findNamedGpu(word);
        QVERIFY2(!named.gpu && named.others.empty(), word);
    }
}

VRAMSCOPE_TEST(TestGpus)
#include "tst_gpus.moc"
