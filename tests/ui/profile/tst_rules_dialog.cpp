// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sample_profile.h"
#include "tests/support/test.h"
#include "ui/profile/breakdown_bar.h"
#include "ui/profile/profile_items.h"
#include "ui/profile/profile_page.h"
#include "ui/profile/profile_text.h"
#include "ui/profile/rules_dialog.h"
#include "ui/profile/rules_model.h"

#include <QAbstractItemModelTester>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

ProfilePointer twoSteps(std::vector<WorkRule> rules = defaultWorkRules())
{
    return analyse(test::twoStepProfile(), {}, {.rules = std::move(rules)});
}

WorkRule communication(const char *pattern)
{
    return {.pattern = pattern, .workClass = WorkClass::Communication};
}

std::int64_t computed(const ProfileDocument &document)
{
    return document.study->devices().front().times.compute;
}

} // namespace

/// The rules by which work gets its class, edited in the window.
class RulesDialogTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void eachRuleSaysWhatItTakes();
    void theFirstRuleThatFitsTakesAKernel();
    void whatIsNoRuleSaysWhy();
    void onlyComputeHasAFamily();
    void theDialogOffersARuleForTheSelectedKernel();
    void rulesGoThroughAFile();
    void aDocumentIsFiledByItsRules();
    void thePageSaysThatRulesAreTheUsersOwn();
};

void RulesDialogTest::eachRuleSaysWhatItTakes()
{
    const ProfilePointer document = twoSteps();
    RulesModel model(document);
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), static_cast<int>(defaultWorkRules().size()));
    std::int64_t names = 0;
    for (int row = 0; row < model.rowCount(); ++row)
        names += model.index(row, RulesModel::Kernels).data().toString().toLongLong();
    QCOMPARE(names, static_cast<std::int64_t>(document->classes().groups.size()));
    // Rows are moved, made and taken away under the tester.
    model.move(0, 3);
    model.move(3, 0);
    QVERIFY(model.rules() == defaultWorkRules());
    model.insert(2, communication("x"));
    model.remove(2);
    QVERIFY(model.rules() == defaultWorkRules());
    model.remove(-1);
    model.remove(999);
    model.move(0, 999);
    QVERIFY(model.rules() == defaultWorkRules());
}

void RulesDialogTest::theFirstRuleThatFitsTakesAKernel()
{
    RulesModel model(twoSteps());
    model.setRules({communication("gemm"), {.pattern = "xmma", .family = WorkFamily::Other}});
    const auto kernels = [&model](int row) {
        return model.index(row, RulesModel::Kernels).data().toString();
    };
    QCOMPARE(kernels(0), u"1"_s);
    QCOMPARE(kernels(1), QString());
    QVERIFY(model.index(0, RulesModel::Pattern)
                .data(Qt::ToolTipRole)
                .toString()
                .contains(u"xmma_gemm"_s));
    model.move(1, 0);
    QCOMPARE(kernels(0), u"1"_s);
    QCOMPARE(kernels(1), QString());
}

void RulesDialogTest::whatIsNoRuleSaysWhy()
{
    RulesDialog dialog(twoSteps(), {});
    RulesModel &model = *dialog.model();
    const auto apply = [&dialog] {
        for (const QPushButton *button : dialog.findChildren<QPushButton *>()) {
            if (button->text() == u"A&pply"_s)
                return button->isEnabled();
        }
        return false;
    };
    QVERIFY(apply());
    QVERIFY(model.setData(model.index(2, RulesModel::Pattern), u"a|?"_s, Qt::EditRole));
    QVERIFY(model.trouble().startsWith(u"Rule 3 takes nothing: "_s));
    QVERIFY(model.index(2, 0).data(RulesModel::kTroubleRole).toBool());
    QVERIFY(!apply());
    QVERIFY(model.setData(model.index(2, RulesModel::Pattern), u"a"_s, Qt::EditRole));
    QVERIFY(model.trouble().isEmpty());
    QVERIFY(apply());
    QVERIFY(!model.setData(model.index(2, RulesModel::Class), u"nonsense"_s, Qt::EditRole));
}

void RulesDialogTest::onlyComputeHasAFamily()
{
    RulesModel model(twoSteps());
    model.setRules({{.pattern = "gemm", .family = WorkFamily::MatrixProduct}});
    const auto set = [&model](int column, const QString &text) {
        QVERIFY(model.setData(model.index(0, column), text, Qt::EditRole));
    };
    QVERIFY(model.flags(model.index(0, RulesModel::Family)) & Qt::ItemIsEditable);
    set(RulesModel::Class, u"communication"_s);
    QCOMPARE(model.rules()[0].family, WorkFamily::None);
    QVERIFY(!(model.flags(model.index(0, RulesModel::Family)) & Qt::ItemIsEditable));
    set(RulesModel::Class, u"compute"_s);
    QCOMPARE(model.rules()[0].family, WorkFamily::Other);
    set(RulesModel::Family, u"attention"_s);
    QCOMPARE(model.rules()[0].family, WorkFamily::Attention);
    set(RulesModel::Kind, u"copy"_s);
    QCOMPARE(model.rules()[0].kind, std::optional(WorkKind::Copy));
    set(RulesModel::Kind, u"anything"_s);
    QCOMPARE(model.rules()[0].kind, std::optional<WorkKind>());
    // What was edited is a table that can be read again.
    const auto read = workRulesFromJson(workRulesJson(model.rules()));
    QVERIFY(read.ok());
    QVERIFY(*read == model.rules());
}

void RulesDialogTest::theDialogOffersARuleForTheSelectedKernel()
{
    RulesDialog dialog(twoSteps(), u"void at::native::My_Kernel<float, 4>(int)"_s);
    dialog.add();
    QCOMPARE(dialog.rules().front().pattern, "at::native::my_kernel");
    QVERIFY(dialog.model()->trouble().isEmpty());
    QCOMPARE(dialog.rules().size(), defaultWorkRules().size() + 1);
}

void RulesDialogTest::rulesGoThroughAFile()
{
    const QTemporaryDir folder;
    RulesDialog dialog(twoSteps(), {});
    dialog.model()->setRules({communication("my_own")});
    const QString file = folder.filePath(u"rules.json"_s);
    QCOMPARE(dialog.writeFile(file), QString());
    dialog.model()->setRules(defaultWorkRules());
    QCOMPARE(dialog.takeFile(file), QString());
    QCOMPARE(dialog.rules().size(), std::size_t(1));
    QCOMPARE(dialog.rules()[0].pattern, "my_own");
    QVERIFY(dialog.takeFile(folder.filePath(u"none.json"_s)).contains(u"none.json"_s));
    QFile broken(folder.filePath(u"broken.json"_s));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write(R"([{"class": "sums"}])");
    broken.close();
    QVERIFY(dialog.takeFile(broken.fileName()).contains(u"rule 1: its \"class\""_s));
    QCOMPARE(dialog.rules()[0].pattern, "my_own"); // what is no file of rules changes none
}

void RulesDialogTest::aDocumentIsFiledByItsRules()
{
    const ProfilePointer shipped = twoSteps();
    std::vector<WorkRule> rules = defaultWorkRules();
    rules.insert(rules.begin(), communication("gemm"));
    const ProfilePointer own = twoSteps(rules);
    QVERIFY(computed(*own) < computed(*shipped));
    const ProfilePointer again = analyse(own->profile, {}, own->analysis());
    QCOMPARE(computed(*again), computed(*own));
}

void RulesDialogTest::thePageSaysThatRulesAreTheUsersOwn()
{
    std::vector<WorkRule> rules = defaultWorkRules();
    rules.insert(rules.begin(), communication("gemm"));
    const auto ruleOf = [](const ProfileDocument &document) {
        for (std::uint32_t row = 0; row < document.profile->work().count(); ++row) {
            const ProfileEventId event{EventKind::Work, row};
            if (!eventName(document, event).contains(u"gemm"_s))
                continue;
            for (const EventFact &fact : eventFacts(document, event, ByteUnit::Binary)) {
                if (fact.name == "By rule")
                    return toQString(fact.value);
            }
        }
        return QString();
    };
    const ProfilePointer own = twoSteps(rules);
    QCOMPARE(ruleOf(*own), u"1: gemm"_s);
    QVERIFY(ruleOf(*twoSteps()).contains(u": gemm|gemv"_s));
    ProfilePage page(own);
    QStringList links;
    for (const QPushButton *button : page.findChildren<QPushButton *>())
        links += button->text();
    QVERIFY(links.contains(u"Kernel classes (custom rules)…"_s));
    Report report;
    addProfileSection(report, *own, "run.json", 1, ByteUnit::Binary);
    Report usual;
    addProfileSection(usual, *twoSteps(), "run.json", 1, ByteUnit::Binary);
    QVERIFY(report.blocks.size() > usual.blocks.size());
}

VRAMSCOPE_TEST(RulesDialogTest)

} // namespace vramscope

#include "tst_rules_dialog.moc"
