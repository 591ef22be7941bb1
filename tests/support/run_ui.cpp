// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"

#include <QApplication>

// The main function of the test programs with a window.
int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    QApplication::setAttribute(Qt::AA_Use96Dpi); // pictures are the same everywhere
    return vramscope::test::run(argc, argv);
}
