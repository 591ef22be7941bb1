// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_devices.h"
#include "core/profile/profile_study.h"
#include "core/ranks/rank_profiles.h"
#include "core/readers/formats.h"
#include "tests/support/nsight_export.h"
#include "tests/support/test.h"
#include "tests/support/trace_text.h"

using namespace vramscope;

namespace {

std::shared_ptr<const Profile> sample()
{
    const std::string bytes = test::sampleNsightExport();
    const auto source = memorySource(test::bytesOf(bytes));
    const auto profile = readNsightExport(*source, {});
    return profile.ok() ? *profile : nullptr;
}

} // namespace

/// A recording of several processes taken apart into its devices.
class TestProfileDevices : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aDeviceDoesWhatItDidInTheWhole()
    {
        const auto whole = sample();
        QVERIFY(whole);
        QCOMPARE(drivingProcesses(*whole), 2U);
        const std::vector<DeviceProfile> parts = deviceProfiles(*whole);
        QCOMPARE(parts.size(), 2U);
        const ProfileStudy study(whole);
        for (std::size_t at = 0; at < parts.size(); ++at) {
            QCOMPARE(parts[at].device, study.devices()[at].device);
            const ProfileStudy part(parts[at].profile);
            QCOMPARE(part.devices().size(), 1U);
            QCOMPARE(part.devices().front().times, study.devices()[at].times);
        }
    }

    void theHostIsThatOfItsProcess()
    {
        const auto whole = sample();
        for (const DeviceProfile &each : deviceProfiles(*whole)) {
            const Profile &part = *each.profile;
            const std::string process = std::to_string(11 + each.device);
            QCOMPARE(part.calls().count(), whole->calls().count() / 2);
            QCOMPARE(part.operators().count(), whole->operators().count() / 2);
            for (const std::uint32_t thread : part.calls().thread)
                QCOMPARE(part.threads()[thread].process, process);
            QCOMPARE(part.steps().size(), 2U);
            QCOMPARE(part.memory().size(), 1U);
            QCOMPARE(part.gpus().size(), 1U);
            const WorkColumns &work = part.work();
            std::size_t linked = 0;
            for (std::size_t row = 0; row < work.count(); ++row) {
                if (work.call[row] == kNoRow)
                    continue;
                ++linked;
                QVERIFY(part.calls().start[work.call[row]] < work.start[row]);
                if (part.text(work.name[row]).starts_with("void gemm"))
                    QCOMPARE(part.text(part.operators().name[work.operation[row]]),
                             std::string_view("aten::addmm"));
            }
            QCOMPARE(linked, 3U);
        }
    }

    void aDeviceIsCalledWhatItIs()
    {
        const auto whole = sample();
        std::vector<RankProfileFile> files;
        for (const DeviceProfile &each : deviceProfiles(*whole)) {
            QCOMPARE(each.title(false), "GPU " + std::to_string(each.device));
            files.push_back({"report.sqlite", std::nullopt,
                             std::make_shared<const ProfileStudy>(each.profile), "report.sqlite",
                             each.title(true)});
        }
        const RankProfiles ranks = compareRanks(std::move(files));
        QVERIFY(ranks.isOneRecording());
        QCOMPARE(ranks.ranks[0].title(), std::string("GPU 0 of process 11"));
        QCOMPARE(ranks.ranks[1].title(), std::string("GPU 1 of process 12"));
        const DeviceProfile many{3, nullptr, {"1", "2", "3", "4"}};
        QCOMPARE(many.title(true), std::string("GPU 3 of processes 1, 2, 3 and others"));
    }

    void collectivesOfItsRanksMatch()
    {
        std::vector<RankProfileFile> files;
        const auto whole = sample();
        for (const DeviceProfile &each : deviceProfiles(*whole))
            files.push_back({"GPU " + std::to_string(each.device), std::nullopt,
                             std::make_shared<const ProfileStudy>(each.profile)});
        const RankProfiles ranks = compareRanks(std::move(files));
        QCOMPARE(ranks.collectives.size(), 1U);
        QCOMPARE(ranks.collectives.front().bytes.value_or(-1), 4'096);
        QCOMPARE(ranks.collectives.front().transfer, 700);
        QCOMPARE(ranks.collectives.front().last, 0U);
        QVERIFY(ranks.collectives.front().allWait);
    }
};

VRAMSCOPE_TEST(TestProfileDevices)
#include "tst_profile_devices.moc"
