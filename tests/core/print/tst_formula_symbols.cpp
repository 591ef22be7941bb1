// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/print/formula_symbols.h"
#include "core/validation/shipped.h"
#include "tests/support/test.h"

#include <QRegularExpression>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// The symbols of a formula: what is before its numbers, one letter each, or one with an index. Of
/// a formula in words none: a letter there is an article.
QStringList symbolsOf(const std::string &formula)
{
    static const QRegularExpression kWords(u"(?<![A-Za-z_])[A-Za-z]+(?![A-Za-z_])"_s);
    static const QRegularExpression kSymbol(u"(?<![A-Za-z_])[A-Za-z](?:_\\w+)?(?!\\w)"_s);
    const QString head = QString::fromStdString(formula.substr(0, formula.find(" = ")));
    int words = 0;
    for (const QRegularExpressionMatch &word : kWords.globalMatch(head))
        words += word.capturedLength() > 1 && word.captured() != u"max";
    QStringList symbols;
    for (const QRegularExpressionMatch &symbol : kSymbol.globalMatch(head))
        if (words == 0 || symbol.captured() != u"a")
            symbols += symbol.captured();
    return symbols;
}

QString explanationOf(const std::string &formula)
{
    std::set<std::string_view> none;
    return QString::fromStdString(symbolsText(formula, none));
}

} // namespace

class FormulaSymbolsTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everySymbolOfTheMeasuredSetupsIsExplained();
    void aSymbolIsExplainedOnce();
};

void FormulaSymbolsTest::everySymbolOfTheMeasuredSetupsIsExplained()
{
    std::set<std::string> setups;
    for (const MeasuredRow &row : shippedRows())
        setups.insert(row.setup);
    std::map<QString, QString> missing; // with a formula that has it
    std::size_t formulas = 0;
    const auto look = [&](const Component &component) {
        ++formulas;
        const QStringList explained = explanationOf(component.formula).split(u", "_s);
        for (const QString &symbol : symbolsOf(component.formula)) {
            const bool found = std::ranges::any_of(
                explained, [&](const QString &each) { return each.startsWith(symbol + u' '); });
            if (!found)
                missing.emplace(symbol,
                                QString::fromStdString(component.name + ": " + component.formula));
        }
    };
    for (const std::string &setup : setups) {
        const Result<Plan> plan = shippedSetup(setup);
        QVERIFY2(plan.ok(), setup.c_str());
        const Estimate it = estimate(*plan);
        for (const Moment &moment : it.moments)
            std::ranges::for_each(moment.components, look);
        std::ranges::for_each(it.outside, look);
    }
    QVERIFY(formulas > setups.size());
    QStringList lines;
    for (const auto &[symbol, formula] : missing)
        lines += symbol + u" in "_s + formula;
    QVERIFY2(missing.empty(), qPrintable(lines.join(u'\n')));
}

void FormulaSymbolsTest::aSymbolIsExplainedOnce()
{
    std::set<std::string_view> explained;
    QCOMPARE(symbolsText("4 N / D = 4 × 8 / 2", explained),
             std::string("N parameters, D GPUs that share the states"));
    QCOMPARE(symbolsText("2 N = 2 × 8", explained), std::string());
}

VRAMSCOPE_TEST(FormulaSymbolsTest)
#include "tst_formula_symbols.moc"
