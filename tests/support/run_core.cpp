// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"

// The main function of the test programs without a window.
int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    return vramscope::test::run(argc, argv);
}
