// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llama_cpp/llama_flags.h"
#include "core/print/split_report.h"
#include "tests/support/test.h"

using namespace vramscope;
using namespace Qt::StringLiterals;

/// How a model that llama.cpp divides is shown.
class TestSplitReport : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void aPatternCannotActOnTheTerminal()
    {
        LlamaModel model;
        model.layers.assign(2, {64, 64, false, 0});
        model.trainedContext = 4096;
        const LlamaMachine machine = parseMachine("24GiB").value();
        LlamaSettings settings;
        QVERIFY(setLlamaFlag(settings, "-ot", "a\x1b\xff.*=CPU").ok());
        const LlamaSplit split = splitModel(model, settings, machine.devices);
        const QString text = QString::fromStdString(splitText(split, settings, machine));
        QVERIFY2(text.contains(u"-ot \"a?\uFFFD.*=CPU\""_s), qPrintable(text));
        QVERIFY(!text.contains(u'\x1b'));
    }
};

VRAMSCOPE_TEST(TestSplitReport)
#include "tst_split_report.moc"
