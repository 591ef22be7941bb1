// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
//   make_rank_run FOLDER [RANKS]
//
// Writes the snapshots of a made-up run into a folder, one a rank, for tests that start other
// programs over them, and to measure with.
#include "tests/support/rank_run.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <span>

int main(int argc, char *argv[])
{
    const std::span arguments(argv, static_cast<std::size_t>(argc));
    if (arguments.size() < 2) {
        std::cerr << "make_rank_run FOLDER [RANKS]\n";
        return 2;
    }
    const std::filesystem::path folder(arguments[1]);
    std::filesystem::create_directories(folder);
    vramscope::test::RankRun run;
    if (arguments.size() > 2)
        run.ranks = std::atoi(arguments[2]);
    for (int rank = 0; rank < run.ranks; ++rank) {
        std::ofstream file(folder / run.fileName(rank), std::ios::binary);
        file << vramscope::test::rankSnapshot(run, rank).bytes;
        if (!file.flush()) {
            std::cerr << "A snapshot could not be written.\n";
            return 1;
        }
    }
    return 0;
}
