// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/field_reference.h"
#include "tests/support/test.h"

#include <QFile>

using namespace vramscope;

class TestFieldReference : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theHelpPageIsWhatTheTableOfFieldsSays();
};

// VRAMSCOPE_UPDATE=1 writes the page anew.
void TestFieldReference::theHelpPageIsWhatTheTableOfFieldsSays()
{
    const QByteArray page = QByteArray::fromStdString(fieldReference());
    QFile file(QStringLiteral(VRAMSCOPE_SOURCE_DIR "/resources/help/plan-document.md"));
    if (qEnvironmentVariableIsSet("VRAMSCOPE_UPDATE")) {
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(page), page.size());
    } else {
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), page);
    }
}

VRAMSCOPE_TEST(TestFieldReference)
#include "tst_field_reference.moc"
