// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/embedded_plan.h"
#include "core/plan/plan_json.h"
#include "core/readers/detect_format.h"
#include "tests/core/planner/sample_plans.h"
#include "tests/support/test.h"

#include <QTemporaryDir>

#include <fstream>

using namespace vramscope;

namespace {

std::string page(const std::string &inside)
{
    return "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\">\n" + std::string(kReportMark) +
           "\n" + inside + "<title>x</title></head></html>";
}

} // namespace

class TestEmbeddedPlan : public test::Test
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    Result<Plan> read(const std::string &text)
    {
        const std::filesystem::path file = m_folder.filePath("r.html").toStdString();
        std::ofstream(file, std::ios::binary) << text;
        return readPlan(file);
    }

private Q_SLOTS:
    void givesBackThePlanThatTheReportWasMadeOf()
    {
        Plan plan = test::smallPlan();
        plan.name = "</script><script>alert(1)</script> & \"<!--\"";
        const std::string text = page(planElement(plan, 1) + planElement(test::shardedPlan(8), 2));
        QCOMPARE(text.find("<script>alert"), std::string::npos);
        QCOMPARE(text.find("<!--"), std::string::npos);
        const auto back = read(text + std::string(3'000'000, 'x'));
        QVERIFY2(back.ok(), back.ok() ? "" : back.error().detail.c_str());
        QVERIFY(*back == plan);
    }

    void saysThatAReportAboutRecordingsHoldsNoPlan()
    {
        const auto back = read(page(""));
        QVERIFY(!back.ok());
        QVERIFY(back.error().detail.find("holds no plan") != std::string::npos);
    }

    void takesNoOtherPageForAReport()
    {
        const std::string element = planElement(test::smallPlan(), 1);
        QVERIFY(!embeddedPlan("<html>" + element));
        QVERIFY(!embeddedPlan("<!DOCTYPE html>" + std::string(300, ' ') + std::string(kReportMark) +
                              element));
        QVERIFY(!read("<html>" + element).ok());
    }

    void refusesWhatIsCutOffOrStandsTooFarDown()
    {
        const std::string element = planElement(test::smallPlan(), 1);
        QVERIFY(!embeddedPlan(page("").substr(0, 120) + element.substr(0, 40)));
        QVERIFY(!embeddedPlan(page(element.substr(0, element.size() - 20))));
        QVERIFY(!embeddedPlan(page(std::string(70'000, ' ') + element)));
        QVERIFY(
            !read(page("<script type=\"application/json\" id=\"vramscope-plan\">{\"a\":</script>"))
                 .ok());
    }

    void isNamedWhereARecordingIsWanted()
    {
        const std::string text = page(planElement(test::smallPlan(), 1));
        const auto format =
            detectFormat({reinterpret_cast<const std::uint8_t *>(text.data()), text.size()}, true);
        QVERIFY(!format.ok());
        QVERIFY(format.error().detail.find("a report of VRAMscope") != std::string::npos);
    }
};

VRAMSCOPE_TEST(TestEmbeddedPlan)
#include "tst_embedded_plan.moc"
