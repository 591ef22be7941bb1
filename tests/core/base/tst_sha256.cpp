// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/base64.h"
#include "core/base/sha256.h"
#include "tests/support/test.h"

#include <QCryptographicHash>

using namespace vramscope;

class TestSha256 : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void isThatOfQtForEveryLength()
    {
        QByteArray bytes;
        for (int length = 0; length < 300; ++length) {
            QCOMPARE(QByteArray::fromStdString(sha256(bytes.toStdString())),
                     QCryptographicHash::hash(bytes, QCryptographicHash::Sha256));
            QCOMPARE(QByteArray::fromStdString(base64(bytes.toStdString())), bytes.toBase64());
            bytes += static_cast<char>(length * 37);
        }
    }
};

VRAMSCOPE_TEST(TestSha256)
#include "tst_sha256.moc"
