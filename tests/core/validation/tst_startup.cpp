// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/shipped_documents.h"
#include "core/validation/shipped.h"
#include "tests/support/test.h"

#include <QCryptographicHash>

#include <algorithm>
#include <cmath>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// The id's sha256, modulo 3, is 0: the third that no formula was fitted to.
bool isHeld(const MeasuredRow &row)
{
    int remainder = 0;
    for (const char byte :
         QCryptographicHash::hash(QByteArray::fromStdString(row.id), QCryptographicHash::Sha256))
        remainder = (remainder * 256 + static_cast<unsigned char>(byte)) % 3;
    return remainder == 0;
}

/// Errors of one figure's rows with known settings, in percent, the smallest first.
std::vector<double> errorsOf(std::string_view figure, bool held)
{
    std::vector<double> errors;
    std::vector<MeasuredRow> rows = *parseMeasured(shippedDocument("measured/startup/rows.csv"));
    std::erase_if(rows, [&](const MeasuredRow &row) {
        return row.figure != figure || row.quality == "C" || (held && !isHeld(row));
    });
    const auto setup = [](const std::string &name) { return shippedSetup("startup/" + name); };
    for (const ComparedFigure &compared : validate(rows, setup).rows)
        errors.push_back(std::abs(compared.errorPercent));
    std::ranges::sort(errors);
    return errors;
}

} // namespace

class TestStartup : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void partsOfTheLogsAreMet_data();
    void partsOfTheLogsAreMet();
};

void TestStartup::partsOfTheLogsAreMet_data()
{
    QTest::addColumn<QByteArray>("figure");
    QTest::addColumn<bool>("held");
    QTest::addColumn<int>("rows");
    QTest::addColumn<double>("median");
    QTest::addColumn<double>("p95");
    const auto row = [](const char *name, const char *figure, bool held, int rows, double median,
                        double p95) {
        QTest::newRow(name) << QByteArray(figure) << held << rows << median << p95;
    };
    row("CUDA graphs", "outside.CUDA graphs.bytes", false, 50, 7, 34);
    row("CUDA graphs, held", "outside.CUDA graphs.bytes", true, 11, 7, 60);
    row("profile run", "inference.activation_peak", false, 28, 1, 5.5);
    row("profile run, held", "inference.activation_peak", true, 9, 1, 4);
    row("outside torch", "inference.non_torch", false, 46, 2, 50);
    row("outside torch, held", "inference.non_torch", true, 7, 2, 50);
}

void TestStartup::partsOfTheLogsAreMet()
{
    QFETCH(QByteArray, figure);
    QFETCH(bool, held);
    QFETCH(int, rows);
    QFETCH(double, median);
    QFETCH(double, p95);
    const std::vector<double> errors = errorsOf(figure.toStdString(), held);
    QVERIFY(int(errors.size()) >= rows);
    const auto at = [&](double share) {
        return errors[std::size_t(share * double(errors.size()))];
    };
    QVERIFY2(at(0.5) <= median, QByteArray::number(at(0.5)));
    QVERIFY2(at(0.95) <= p95, QByteArray::number(at(0.95)));
}

VRAMSCOPE_TEST(TestStartup)
#include "tst_startup.moc"
