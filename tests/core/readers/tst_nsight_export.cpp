// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_study.h"
#include "core/readers/byte_source.h"
#include "core/readers/file_kind.h"
#include "core/readers/formats.h"
#include "core/readers/nsight_names.h"
#include "core/readers/nsight_ranges.h"
#include "core/readers/read_trace.h"
#include "tests/support/nsight_export.h"
#include "tests/support/series_input.h"
#include "tests/support/test.h"
#include "tests/support/trace_text.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <map>
#include <set>

#include <sqlite3.h>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::NsightExport;

namespace {

Result<std::shared_ptr<const Profile>> tryRead(const std::string &bytes,
                                               const Progress &progress = {})
{
    const auto held = test::bytesOf(bytes);
    const auto source = memorySource(held);
    return readNsightExport(*source, progress);
}

std::shared_ptr<const Profile> read(const std::string &bytes)
{
    const auto profile = tryRead(bytes);
    if (!profile.ok())
        qCritical("%s", profile.error().detail.c_str());
    return profile.ok() ? *profile : nullptr;
}

QString complaintOf(const std::string &bytes)
{
    const auto profile = tryRead(bytes);
    return profile.ok() ? QString() : QString::fromStdString(profile.error().detail);
}

QStringList problemsOf(const Profile &profile)
{
    QStringList all;
    for (const Problem &problem : profile.curves()->problems())
        all.append(QString::fromStdString(problem.kind));
    return all;
}

using Spans = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// How long any of the spans lasts, counted instant by instant between all starts and ends.
std::int64_t lengthOf(const std::vector<const Spans *> &inAll)
{
    std::map<std::int64_t, std::vector<int>> changes; // of the number of spans that run, by set
    for (std::size_t set = 0; set < inAll.size(); ++set) {
        for (const auto &[start, end] : *inAll[set]) {
            changes[start].resize(inAll.size());
            changes[end].resize(inAll.size());
            ++changes[start][set];
            --changes[end][set];
        }
    }
    std::vector<int> running(inAll.size());
    std::int64_t length = 0;
    std::int64_t before = 0;
    for (const auto &[time, change] : changes) {
        if (std::ranges::all_of(running, [](int count) { return count > 0; }))
            length += time - before;
        for (std::size_t set = 0; set < running.size(); ++set)
            running[set] += change[set];
        before = time;
    }
    return length;
}

/// What a device did, by SQL that joins and sorts in the database.
Spans spansOf(sqlite3 *database, const std::string &sql)
{
    sqlite3_stmt *statement = nullptr;
    Spans spans;
    if (sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
        return spans; // an export lacks the tables that would be empty
    while (sqlite3_step(statement) == SQLITE_ROW)
        spans.emplace_back(sqlite3_column_int64(statement, 0), sqlite3_column_int64(statement, 1));
    sqlite3_finalize(statement);
    return spans;
}

std::int64_t countOf(sqlite3 *database, const std::string &sql)
{
    const Spans spans = spansOf(database, sql);
    return spans.empty() ? 0 : spans.front().first;
}

} // namespace

class TestNsightExport : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void timesThatAreRealOrTextAreRead();
    void aRecordedExportGivesWhatItsTablesSay_data();
    void aRecordedExportGivesWhatItsTablesSay();
    void processesWithTheSameNumbersStayApart();
    void rangesOfEmitNvtxAreOperators();
    void namesAreThoseOfTheProfiler();
    void ncclStatesWhatItMoves();
    void aGroupOfSendsAndReceivesIsOneExchange();
    void memoryCountsWhatWasAllocatedSince();
    void waitsBelongToTheDeviceOfTheirContext();
    void devicesOfSeveralProcessesGetNumbersOfTheirOwn();
    void olderExportsLackColumns();
    void aGraphRecordedAsAWholeIsSaidToBe();
    void aCompressedExportIsRead();
    void otherDatabasesAreNamed();
    void aRangeWithoutAThreadHasOne();
    void aDamagedDatabaseIsNoWantOfMemory();
    void whatIsNoTableIsRefused_data();
    void whatIsNoTableIsRefused();
    void everyPrefixGivesAnError();
    void everyFlippedByteGivesAnErrorOrAProfile();
    void pagesInACircleEnd();
    void readingIsCancelledWhenProgressSaysSo();
    void reportsOfNsightSayHowToExportThem();
};

void TestNsightExport::aRecordedExportGivesWhatItsTablesSay_data()
{
    QTest::addColumn<QString>("file");
    QTest::newRow("sample") << QString();
    const QDir folder(test::corpusFolder() + u"/../profiles/nsys"_s);
    for (const QFileInfo &file : folder.entryInfoList({u"*.sqlite.gz"_s}, QDir::Files))
        QTest::newRow(qPrintable(file.fileName())) << file.filePath();
}

void TestNsightExport::aRecordedExportGivesWhatItsTablesSay()
{
    QFETCH(QString, file);
    const std::string bytes =
        file.isEmpty() ? test::sampleNsightExport() : test::contentOf(file).toStdString();
    const auto profile = read(bytes);
    QVERIFY(profile);
    const QTemporaryDir folder;
    const std::string path = folder.filePath(u"export.sqlite"_s).toStdString();
    QFile copy(QString::fromStdString(path));
    QVERIFY(copy.open(QIODevice::WriteOnly));
    copy.write(bytes.data(), qsizetype(bytes.size()));
    copy.close();
    sqlite3 *database = nullptr;
    QCOMPARE(sqlite3_open(path.c_str(), &database), SQLITE_OK);

    const ProfileStudy study(profile);
    QVERIFY(!study.devices().empty());
    for (const DeviceBreakdown &device : study.devices()) {
        const std::string ofDevice = " WHERE deviceId = " + std::to_string(device.device);
        const std::string kernels = "SELECT start, end FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN "
                                    "StringIds s ON s.id = k.demangledName" +
                                    ofDevice;
        const Spans compute = spansOf(database, kernels + " AND s.value NOT LIKE '%nccl%'");
        const Spans communication = spansOf(database, kernels + " AND s.value LIKE '%nccl%'");
        Spans memory =
            spansOf(database, "SELECT start, end FROM CUPTI_ACTIVITY_KIND_MEMCPY" + ofDevice);
        for (const auto &each :
             spansOf(database, "SELECT start, end FROM CUPTI_ACTIVITY_KIND_MEMSET" + ofDevice))
            memory.push_back(each);
        Spans all = compute;
        all.insert(all.end(), communication.begin(), communication.end());
        const std::int64_t busyWithoutCopies = lengthOf({&all});
        all.insert(all.end(), memory.begin(), memory.end());
        std::int64_t first = all.front().first;
        std::int64_t last = all.front().second;
        for (const auto &[start, end] : all) {
            first = std::min(first, start);
            last = std::max(last, end);
        }
        const TimeBreakdown &times = device.times;
        QCOMPARE(times.count(), std::int64_t(all.size()));
        QCOMPARE(times.start, first);
        QCOMPARE(times.span, last - first);
        QCOMPARE(times.compute, lengthOf({&compute}));
        QCOMPARE(times.communication, lengthOf({&communication}));
        QCOMPARE(times.memory, lengthOf({&memory}));
        QCOMPARE(times.busy, lengthOf({&all}));
        QCOMPARE(times.overlappedCommunication, lengthOf({&compute, &communication}));
        QCOMPARE(times.exposedCopy, lengthOf({&all}) - busyWithoutCopies);
    }
    QCOMPARE(std::int64_t(profile->calls().count()),
             countOf(database, "SELECT count(*), 0 FROM CUPTI_ACTIVITY_KIND_RUNTIME"));
    QCOMPARE(std::int64_t(profile->operators().count()),
             countOf(database, "SELECT count(*), 0 FROM NVTX_EVENTS WHERE text LIKE '%op_id = %' "
                               "AND text NOT LIKE 'ProfilerStep%'"));
    // Each call of a process that launched something, joined to it in the database.
    const std::int64_t linked = countOf(
        database, "SELECT count(DISTINCT k.rowid), 0 FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN "
                  "CUPTI_ACTIVITY_KIND_RUNTIME r ON r.correlationId = k.correlationId AND "
                  "r.globalTid >> 24 = k.globalPid >> 24");
    std::int64_t found = 0;
    const WorkColumns &work = profile->work();
    for (std::size_t at = 0; at < work.count(); ++at)
        found += work.kind[at] == WorkKind::Kernel && work.call[at] != kNoRow ? 1 : 0;
    QCOMPARE(found, linked);
    sqlite3_close(database);
}

void TestNsightExport::processesWithTheSameNumbersStayApart()
{
    const auto profile = read(test::sampleNsightExport());
    QVERIFY(profile);
    QCOMPARE(profile->base(), 1'700'000'000'000'000'000);
    QCOMPARE(profile->curves()->format(), std::string("nsight-systems"));
    QCOMPARE(profile->gpus().size(), 2U);
    QCOMPARE(profile->steps().size(), 2U);
    const WorkColumns &work = profile->work();
    QCOMPARE(work.count(), 8U);
    for (std::size_t at = 0; at < work.count(); ++at) {
        if (work.call[at] == kNoRow)
            continue;
        const std::int64_t device = profile->lanes()[work.lane[at]].device;
        const ProfileThread &thread = profile->threads()[profile->calls().thread[work.call[at]]];
        QCOMPARE(thread.process, std::to_string(11 + device));
    }
}

void TestNsightExport::rangesOfEmitNvtxAreOperators()
{
    const nsight::OperatorText text =
        nsight::operatorText("aten::mm, seq = 12, op_id = 34, sizes = [[2, 3], [3, 4]], "
                             "input_op_ids = [(1,0)]");
    QVERIFY(text.isOperator);
    QCOMPARE(text.name, std::string_view("aten::mm"));
    QCOMPARE(text.sequence, 12);
    QCOMPARE(text.shapes, std::string_view("[[2, 3], [3, 4]]"));
    QVERIFY(nsight::operatorText("aten::view").isOperator);
    QVERIFY(!nsight::operatorText("forward, layer 3").isOperator);
    QCOMPARE(nsight::operatorText("forward, layer 3").name, std::string_view("forward, layer 3"));
    QVERIFY(nsight::operatorText("a, sizes = [[1").shapes.empty());
    QVERIFY(nsight::isBackward("AddmmBackward0"));
    QVERIFY(nsight::isBackward("autograd::engine::evaluate_function: AddmmBackward0"));
    QVERIFY(!nsight::isBackward("aten::addmm"));

    const auto profile = read(test::sampleNsightExport());
    const OperatorColumns &operators = profile->operators();
    QCOMPARE(operators.count(), 4U);
    QCOMPARE(profile->text(operators.name[0]), std::string_view("aten::linear"));
    QCOMPARE(profile->text(operators.shapes[0]), std::string_view("[[2, 3], [4, 3]]"));
    QCOMPARE(operators.parent[1], 0U);
    QCOMPARE(profile->text(operators.name[profile->work().operation[0]]),
             std::string_view("aten::addmm"));
}

void TestNsightExport::namesAreThoseOfTheProfiler()
{
    QCOMPARE(nsight::copyName(1, 1, 2), std::string("Memcpy HtoD (Pinned -> Device)"));
    QCOMPARE(nsight::copyName(12, 4, 0), std::string("Memcpy DtoH (Unified Memory)"));
    QCOMPARE(nsight::copyName(-1, 99, kNoNumber),
             std::string("Memcpy Unknown (Unknown -> Unknown)"));
    QCOMPARE(nsight::fillName(2), std::string("Memset (Device)"));
    QCOMPARE(nsight::callName("cudaLaunchKernel_v7000"), std::string_view("cudaLaunchKernel"));
    QCOMPARE(nsight::callName("cudaStreamGetCaptureInfo_v2_v11030"),
             std::string_view("cudaStreamGetCaptureInfo_v2"));
    QCOMPARE(nsight::callName("cuMemcpyHtoDAsync_v2"), std::string_view("cuMemcpyHtoDAsync_v2"));
}

void TestNsightExport::ncclStatesWhatItMoves()
{
    const auto profile = read(test::sampleNsightExport());
    const ProfileStudy study(profile);
    const Collectives &collectives = study.collectives();
    QCOMPARE(collectives.calls.size(), 2U);
    for (const CollectiveCall &call : collectives.calls) {
        QCOMPARE(call.kind, CollectiveKind::AllReduce);
        QCOMPARE(call.bytes.value_or(-1), 4'096);
        QCOMPARE(call.groupSize.value_or(-1), 2);
    }
    QCOMPARE(collectives.groups, std::vector<std::string>{"0000000000000abc"});
    QVERIFY(!problemsOf(*profile).join(u' ').contains(u"NCCL"));

    NsightExport silent;
    silent.addKernel(0, 10, 1, 0, 7, 1, "ncclDevKernel_AllReduce_Sum");
    const auto other = read(silent.bytes());
    QVERIFY(!ProfileStudy(other).collectives().calls.front().bytes);
    QVERIFY(problemsOf(*other).join(u' ').contains(u"its bytes and bandwidth are not known"));
}

void TestNsightExport::aGroupOfSendsAndReceivesIsOneExchange()
{
    using nsight::NcclPayload;
    nsight::NcclRanges ranges;
    ranges.add("ncclGroupEnd", 50, 90, 0, NcclPayload{7});
    ranges.add("ncclGroupStart", 0, 5, 0, NcclPayload{7});
    ranges.add("ncclSend", 10, 12, 0, NcclPayload{7, 100});
    ranges.add("ncclRecv", 20, 22, 0, NcclPayload{7, 300});
    ranges.add("ncclSend", 30, 32, 0, NcclPayload{7, 100});
    ranges.add("ncclAllGather", 100, 110, 0, NcclPayload{8, 16});
    ranges.add("ncclCommInitRank", 95, 96, 0, NcclPayload{8, kNoNumber, 4});
    ranges.add("ncclSomethingNew", 120, 130, 1, NcclPayload{8, 16});
    const std::vector<nsight::NcclLaunch> launches = ranges.launches();
    QCOMPARE(launches.size(), 3U);
    QCOMPARE(launches[0].name, std::string("SendRecv"));
    QCOMPARE(launches[0].start, 50);
    QCOMPARE(launches[0].bytes, 300);
    QCOMPARE(launches[1].bytes, 64);
    QCOMPARE(launches[2].bytes, kNoNumber);
}

void TestNsightExport::memoryCountsWhatWasAllocatedSince()
{
    const auto profile = read(test::sampleNsightExport());
    QCOMPARE(profile->memory().size(), 2U);
    QCOMPARE(profile->memory()[0].peakAllocated, 4'000);
    const SeriesDevice &device = profile->curves()->devices()[0];
    QCOMPARE(device.bytes[0].values, (std::vector<Bytes>{1'000, 4'000, 3'000}));
    QCOMPARE(device.total, 1'000'000);

    NsightExport file;
    file.addKernel(0, 10, 1, 0, 7, 1, "k");
    file.addMemory(5, 1, 0, 64, 10, 2, 1);  // freed, never allocated
    file.addMemory(6, 1, 0, 128, 10, 4, 0); // managed
    file.addMemory(7, 1, 0, 256, 10, 1, 0); // pinned: of the host
    file.addMemory(8, 1, 0, 512, 30, 2, 0);
    const auto other = read(file.bytes());
    QCOMPARE(other->curves()->devices().size(), 2U);
    QCOMPARE(other->curves()->devices()[0].bytes[0].values, std::vector<Bytes>{30});
    QCOMPARE(other->curves()->devices()[1].kind, DeviceKind::Cpu);
    const QString problems = problemsOf(*other).join(u' ');
    QVERIFY(problems.contains(u"allocated before the recording"));
    QVERIFY(problems.contains(u"Managed memory"));
}

void TestNsightExport::waitsBelongToTheDeviceOfTheirContext()
{
    const auto profile = read(test::sampleNsightExport());
    std::set<std::int64_t> devices;
    const RangeColumns &ranges = profile->ranges();
    for (std::size_t at = 0; at < ranges.count(); ++at) {
        if (ranges.kind[at] != RangeKind::Sync)
            continue;
        devices.insert(profile->lanes()[ranges.thread[at]].device);
        QCOMPARE(profile->text(ranges.name[at]), std::string_view("Context Sync"));
    }
    QCOMPARE(devices, (std::set<std::int64_t>{0, 1}));
}

void TestNsightExport::devicesOfSeveralProcessesGetNumbersOfTheirOwn()
{
    NsightExport told;
    told.run("INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (4, 0, 11), (6, 0, 12), (6, 0, 13)");
    NsightExport silent;
    for (NsightExport *file : {&told, &silent}) {
        for (const std::int64_t pid : {11, 12, 13})
            file->addKernel(0, 10, pid, 0, 7, 1, "k");
    }
    const auto devicesOf = [](const Profile &profile) {
        std::set<std::int64_t> devices;
        for (const ProfileLane &lane : profile.lanes())
            devices.insert(lane.device);
        return devices;
    };
    QCOMPARE(devicesOf(*read(told.bytes())), (std::set<std::int64_t>{4, 6}));
    const auto profile = read(silent.bytes());
    QCOMPARE(devicesOf(*profile), (std::set<std::int64_t>{0, 1, 2}));
    QVERIFY(problemsOf(*profile).join(u' ').contains(u"whether they are one GPU"));
}

void TestNsightExport::olderExportsLackColumns()
{
    NsightExport file;
    file.addCall(0, 5, 1, 1, 1, "cudaLaunchKernel_v7000");
    const std::int64_t name = file.text("old");
    file.run("DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL; DROP TABLE NVTX_EVENTS; CREATE TABLE "
             "CUPTI_ACTIVITY_KIND_KERNEL (shortName INT, correlationId INT, end INT, start INT, "
             "streamId INT, deviceId INT, globalPid INT)");
    file.run("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (" + std::to_string(name) +
             ", 1, 30, 10, 7, 2, " + std::to_string(NsightExport::globalPid(1)) + ")");
    file.run("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 1, 'x', NULL, 7, 2, 0)");
    const auto profile = read(file.bytes());
    QVERIFY(profile);
    const WorkColumns &work = profile->work();
    QCOMPARE(work.count(), 1U);
    QCOMPARE(profile->text(work.name[0]), std::string_view("old"));
    QCOMPARE(work.duration(0), 20);
    QCOMPARE(work.call[0], 0U);
    QCOMPARE(profile->lanes()[0], (ProfileLane{2, 7}));
    QCOMPARE(profile->launchShapes()[work.shape[0]].registers, kNotStated);
    QVERIFY(problemsOf(*profile).join(u' ').contains(u"lacks its start or its end"));
}

void TestNsightExport::aGraphRecordedAsAWholeIsSaidToBe()
{
    NsightExport file;
    file.addCall(0, 5, 1, 1, 9, "cudaGraphLaunch_v10000");
    file.run("CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INT, end INT, deviceId INT, "
             "contextId INT, streamId INT, correlationId INT, globalPid INT, graphId INT)");
    file.run("INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (10, 90, 0, 1, 7, 9, " +
             std::to_string(NsightExport::globalPid(1)) + ", 3)");
    const auto profile = read(file.bytes());
    QVERIFY(profile);
    const ProfileStudy study(profile);
    QCOMPARE(study.devices().size(), 1U);
    QCOMPARE(study.devices().front().times.compute, 80);
    QCOMPARE(profile->work().call[0], 0U);
    QVERIFY(problemsOf(*profile).join(u' ').contains(u"--cuda-graph-trace=node"));
}

void TestNsightExport::aCompressedExportIsRead()
{
    const QString packed = test::corpusFolder() + u"/../profiles/nsys/mock.sqlite.gz"_s;
    if (!QFile::exists(packed))
        QSKIP("The recorded exports are not there (VRAMSCOPE_CORPUS).");
    QCOMPARE(identifyFile(packed.toStdString()), FileKind::Packed);
    const auto recording = readRecording(packed.toStdString());
    QVERIFY(recording.ok());
    const auto *profile = std::get_if<std::shared_ptr<const Profile>>(&*recording);
    QVERIFY(profile != nullptr);
    QCOMPARE((*profile)->work().count(), 3U);
    QCOMPARE((*profile)->gpus().front().name.value_or(""), std::string("NVIDIA GeForce RTX 3080"));
}

void TestNsightExport::otherDatabasesAreNamed()
{
    NsightExport file;
    file.run("DROP TABLE StringIds");
    QVERIFY2(complaintOf(file.bytes()).contains(u"none that nsys exported"),
             qPrintable(complaintOf(file.bytes())));

    sqlite3 *database = nullptr;
    sqlite3_open(":memory:", &database);
    sqlite3_exec(database, "CREATE TABLE bookmarks (a)", nullptr, nullptr, nullptr);
    sqlite3_int64 size = 0;
    unsigned char *data = sqlite3_serialize(database, "main", &size, 0);
    const std::string bytes(reinterpret_cast<const char *>(data), std::size_t(size));
    sqlite3_free(data);
    sqlite3_close(database);
    QVERIFY(complaintOf(bytes).contains(u"none that nsys exported"));
    QCOMPARE(identify(bytes, true), FileKind::Other);
    QCOMPARE(identify(test::sampleNsightExport(), true), FileKind::Curves);
}

// Rows that state no thread are of one that has no name.
void TestNsightExport::aRangeWithoutAThreadHasOne()
{
    test::NsightExport file;
    file.addRange(100, 900, 7, 7, "aten::mm, seq = 1");
    file.run("UPDATE NVTX_EVENTS SET globalTid = NULL");
    const std::string bytes = file.bytes();
    const auto source = memorySource(std::as_bytes(std::span(bytes)));
    const auto profile = readNsightExport(*source, {});
    QVERIFY(profile.ok());
    QCOMPARE((*profile)->operators().count(), std::size_t(1));
    QCOMPARE((*profile)->threads().size(), std::size_t(1));
    QVERIFY((*profile)->operators().thread[0] < (*profile)->threads().size());
}

// SQLite calls it a want of memory where a row claims more than there is.
void TestNsightExport::aDamagedDatabaseIsNoWantOfMemory()
{
    QFile file(test::projectFile(u"tests/data/damaged/nsight_no_memory.sqlite"_s));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString complaint = complaintOf(file.readAll().toStdString());
    QVERIFY2(complaint.contains(u"The database is damaged"_s), qPrintable(complaint));
}

void TestNsightExport::whatIsNoTableIsRefused_data()
{
    QTest::addColumn<QString>("sql");
    QTest::newRow("view")
        << u"CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT 1 AS start, 2 AS end"_s;
    QTest::newRow("view that never ends")
        << u"CREATE VIEW cupti_activity_kind_kernel AS WITH RECURSIVE a(start) AS (SELECT 1 UNION "
           "ALL SELECT start FROM a) SELECT start, start AS end FROM a"_s;
    QTest::newRow("computed column")
        << u"CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, end INT AS (start + 1))"_s;
    QTest::newRow("virtual table")
        << u"CREATE VIRTUAL TABLE CUPTI_ACTIVITY_KIND_KERNEL USING fts5(start, end)"_s;
}

void TestNsightExport::whatIsNoTableIsRefused()
{
    QFETCH(QString, sql);
    NsightExport file;
    file.run("DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL");
    QCOMPARE(sqlite3_exec(file.database(), qPrintable(sql), nullptr, nullptr, nullptr), SQLITE_OK);
    const auto profile = tryRead(file.bytes());
    QVERIFY(!profile.ok());
    QCOMPARE(profile.error().code, ErrorCode::Refused);
    QVERIFY(QString::fromStdString(profile.error().detail).contains(u"nothing of it was run"));
}

void TestNsightExport::everyPrefixGivesAnError()
{
    const std::string whole = test::sampleNsightExport();
    for (std::size_t size = 16; size < whole.size(); size += size < 200 ? 1 : 509) {
        const auto profile = tryRead(whole.substr(0, size));
        QVERIFY(!profile.ok());
        QCOMPARE(profile.error().code, ErrorCode::Truncated);
        QVERIFY(profile.error().detail.ends_with('.'));
    }
}

void TestNsightExport::everyFlippedByteGivesAnErrorOrAProfile()
{
    const std::string whole = test::sampleNsightExport();
    std::size_t errors = 0;
    for (std::size_t at = 0; at < whole.size(); at += at < 2'000 ? 1 : 5) {
        for (const std::size_t bit : {at % 8, (at + 3) % 8}) {
            std::string damaged = whole;
            damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
            const auto profile = tryRead(damaged);
            if (!profile.ok()) {
                ++errors;
                QVERIFY(profile.error().detail.ends_with('.'));
                continue;
            }
            const ProfileStudy study(*profile);
            for (const DeviceBreakdown &device : study.devices())
                QVERIFY(device.times.span >= 0);
        }
    }
    QVERIFY(errors > 100);
}

/// Pages that each point to the same one below many times over would be billions of rows.
void TestNsightExport::pagesInACircleEnd()
{
    NsightExport file;
    file.run("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) "
             "INSERT INTO PROFILER_OVERHEAD SELECT i, i + 1, 5, 1 FROM n");
    std::string bytes = file.bytes();
    constexpr std::size_t kPage = 512;
    constexpr char kInterior = 5;
    std::size_t changed = 0;
    for (std::size_t page = kPage; page < bytes.size(); page += kPage) {
        if (bytes[page] != kInterior)
            continue;
        const auto byteAt = [&](std::size_t at) { return static_cast<std::uint8_t>(bytes[at]); };
        const std::size_t cells = std::size_t(byteAt(page + 3)) << 8 | byteAt(page + 4);
        const std::size_t first = page + (std::size_t(byteAt(page + 12)) << 8 | byteAt(page + 13));
        for (std::size_t cell = 1; cell < cells; ++cell) {
            const std::size_t place = page + 12 + 2 * cell;
            const std::size_t to = page + (std::size_t(byteAt(place)) << 8 | byteAt(place + 1));
            std::copy_n(bytes.begin() + std::ptrdiff_t(first), 4,
                        bytes.begin() + std::ptrdiff_t(to));
            ++changed;
        }
    }
    QVERIFY(changed > 100);
    const auto profile = tryRead(bytes);
    if (profile.ok())
        QVERIFY((*profile)->ranges().count() <= bytes.size() / 5);
    else
        QVERIFY(QString::fromStdString(profile.error().detail).contains(u"damaged"));
}

void TestNsightExport::readingIsCancelledWhenProgressSaysSo()
{
    NsightExport file;
    file.run("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) "
             "INSERT INTO PROFILER_OVERHEAD SELECT i, i + 1, 5, 1 FROM n");
    const std::string bytes = file.bytes();
    double furthest = 0;
    int asked = 0;
    const auto whole = tryRead(bytes, [&](double share) {
        furthest = std::max(furthest, share);
        ++asked;
        return true;
    });
    QVERIFY(whole.ok());
    QVERIFY(asked > 3 && furthest <= 1.0);
    for (int most = 0; most < asked; ++most) {
        int left = most;
        const auto stopped = tryRead(bytes, [&](double) { return left-- > 0; });
        QVERIFY(!stopped.ok());
        QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
    }
}

void TestNsightExport::reportsOfNsightSayHowToExportThem()
{
    const QTemporaryDir folder;
    const auto complaint = [&](const QString &name, const QByteArray &bytes) {
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly))
            return QString();
        file.write(bytes);
        file.close();
        const auto recording = readRecording(file.fileName().toStdString());
        return recording.ok() ? QString() : QString::fromStdString(recording.error().detail);
    };
    for (const QString &name : {u"a.nsys-rep"_s, u"a.qdrep"_s})
        QVERIFY(complaint(name, QByteArray("\x01\x02\x03\x04", 4))
                    .contains(u"nsys export --type sqlite"));
    QVERIFY(
        complaint(u"b"_s, QByteArray("\x08\x01\0\0 Nsight Systems", 20)).contains(u"nsys export"));
    QVERIFY(complaint(u"c"_s, QByteArray("NVR\0\x10\0\0\0", 8)).contains(u"ncu --import"));
}

void TestNsightExport::timesThatAreRealOrTextAreRead()
{
    const auto kernels = [](const char *type, const char *start) {
        NsightExport made;
        made.addCall(1'000'000'000, 1'000'005'000, 1, 1, 1, "cudaLaunchKernel");
        made.addKernel(1'000'010'000, 1'000'020'000, 1, 0, 7, 1, "gemm");
        const std::string table = "CUPTI_ACTIVITY_KIND_KERNEL";
        made.run("ALTER TABLE " + table + " RENAME TO old");
        made.run("CREATE TABLE " + table + " AS SELECT * FROM old");
        made.run("DROP TABLE old");
        made.run("CREATE TABLE typed (start " + std::string(type) + ", \"end\" " + type +
                 ", deviceId INTEGER, contextId INTEGER, streamId INTEGER, correlationId INTEGER, "
                 "globalPid INTEGER, demangledName INTEGER, shortName INTEGER)");
        made.run("INSERT INTO typed SELECT " + std::string(start) +
                 ", \"end\", deviceId, contextId, streamId, correlationId, globalPid, "
                 "demangledName, shortName FROM " +
                 table);
        made.run("DROP TABLE " + table);
        made.run("ALTER TABLE typed RENAME TO " + table);
        return read(made.bytes());
    };
    for (const char *type : {"INTEGER", "REAL", "TEXT", "NUMERIC", ""}) {
        const auto profile = kernels(type, "start");
        QVERIFY2(profile && profile->work().count() == 1, type);
        QCOMPARE(profile->work().start[0], 1'000'010'000);
        QCOMPARE(profile->work().end[0], 1'000'020'000);
    }
    const auto fraction = kernels("", "1000010000.4");
    QVERIFY(fraction && fraction->work().count() == 1);
    QCOMPARE(fraction->work().start[0], 1'000'010'000);
    const auto none = kernels("TEXT", "'soon'");
    QVERIFY(none && none->work().count() == 0);
    QCOMPARE(problemsOf(*none).first(), u"An event lacks its start or its end; it was left out."_s);
}

VRAMSCOPE_TEST(TestNsightExport)

#include "tst_nsight_export.moc"
