// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/snapshot_generator.h"

#include <filesystem>
#include <fstream>
#include <iostream>

/// Writes the example snapshots of resources/examples anew: make_example_snapshots FOLDER
int main(int argc, char *argv[])
{
    if (argc != 2) {
        std::cerr << "usage: make_example_snapshots FOLDER\n";
        return 2;
    }
    for (const auto &example : vramscope::test::exampleSnapshots()) {
        const std::filesystem::path path = std::filesystem::path(argv[1]) / example.name;
        const std::string bytes = vramscope::test::snapshotOf(example.tell());
        std::ofstream file(path, std::ios::binary);
        file << bytes;
        if (!file.flush()) {
            std::cerr << "make_example_snapshots: " << path.string() << " cannot be written\n";
            return 1;
        }
        std::cout << path.string() << ": " << bytes.size() << " bytes\n";
    }
    return 0;
}
