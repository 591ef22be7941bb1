// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/categories.h"
#include "core/analysis/categories/kept_rules.h"
#include "core/analysis/study/study.h"
#include "core/readers/read_trace.h"
#include "tests/support/test.h"

#include <QFile>
#include <QTemporaryDir>

#include <algorithm>

using namespace vramscope;
using namespace Qt::StringLiterals;

/// What a user states about the memory of a recording.
class TestKeptRules : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aStatedCategoryHoldsForItsLineAlone()
    {
        const auto trace = example();
        const DeviceTrace &device = trace->devices().front();
        const Study before(trace, device);
        const Allocations &allocations = before.allocations();
        AllocationIndex chosen = 0;
        while (allocations.birth[chosen] < 0 ||
               before.categories().of(chosen).category != Category::Activations)
            ++chosen;
        const auto rule = ruleForStack(*trace, allocations.stack[chosen], Category::KeyValueCache);
        QVERIFY(rule && rule->line > 0);
        const Study after(
            trace, device, {},
            std::make_shared<const std::vector<CategoryRule>>(withBuiltInRules({*rule})));
        QCOMPARE(after.categories().of(chosen).category, Category::KeyValueCache);
        QCOMPARE(after.categories().of(chosen).confidence, 1.0F);
        QVERIFY(after.categories().reason(chosen).starts_with("stated by the user for "));
        int same = 0;
        int other = 0;
        for (AllocationIndex at = 0; at < allocations.count(); ++at) {
            const auto of = ruleForStack(*trace, allocations.stack[at], Category::KeyValueCache);
            if (of == rule && allocations.birth[at] >= 0) {
                QCOMPARE(after.categories().of(at).category, Category::KeyValueCache);
                ++same;
            } else if (after.categories().of(at).category != Category::KeyValueCache) {
                ++other;
            }
        }
        QVERIFY(same > 0 && other > 0);
    }

    void rulesAreKeptNextToTheRecordingAndDropped()
    {
        QTemporaryDir folder;
        const std::filesystem::path recording = folder.filePath(u"run.pickle"_s).toStdString();
        QVERIFY(keptRules(recording)->empty());
        const CategoryRule one{.category = Category::Gradients,
                               .name = "^step$",
                               .file = "^/home/me/train.py$",
                               .line = 12,
                               .priority = 1000,
                               .confidence = 1,
                               .reason = "stated"};
        CategoryRule other = one;
        other.line = 13;
        QVERIFY(keepRule(recording, one).ok());
        QVERIFY(keepRule(recording, other).ok());
        QCOMPARE(keptRules(recording)->size(), std::size_t(2));
        CategoryRule changed = one;
        changed.category = Category::Activations;
        QVERIFY(*keepRule(recording, changed) == (std::vector<CategoryRule>{other, changed}));
        QVERIFY(*keptRules(recording) == (std::vector<CategoryRule>{other, changed}));
        CategoryRule dropped = changed;
        dropped.category.reset();
        QVERIFY(*keepRule(recording, dropped) == std::vector<CategoryRule>{other});
    }

    void aDocumentThatCannotBeReadStays()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"run.pickle"_s);
        QFile file(path + u".vramrules"_s);
        const QByteArray text = R"({"vramscope-category-rules": 1, "rules": [{"name": "x", )"
                                R"("line": -3, "category": "inputs"}]})";
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        const auto rules = keptRules(path.toStdString());
        QVERIFY(!rules.ok());
        QCOMPARE(QString::fromStdString(rules.error().text()),
                 u"run.pickle.vramrules: Rule 1: \"line\" must be the number of a line"_s);
        CategoryRule rule;
        rule.category = Category::Inputs;
        rule.name = "y";
        QVERIFY(!keepRule(path.toStdString(), rule).ok());
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), text);
    }

private:
    static std::shared_ptr<const Trace> example()
    {
        return *readTrace(
            test::projectFile(u"resources/examples/training-expandable-segments.pickle"_s)
                .toStdString());
    }
};

VRAMSCOPE_TEST(TestKeptRules)
#include "tst_kept_rules.moc"
