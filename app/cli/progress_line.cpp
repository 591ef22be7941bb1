// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progress_line.h"

#include "core/base/platform.h"

#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>

namespace vramscope::cli {

namespace {

using Clock = std::chrono::steady_clock;

bool theLineIsOpen = false;

} // namespace

Progress progressLine(std::string what)
{
    struct State
    {
        std::string what;
        Clock::time_point next = Clock::now() + std::chrono::seconds(1);
        bool isTerminal = standardErrorIsTerminal();
    };
    return [state = std::make_shared<State>(State{std::move(what)})](double share) {
        const Clock::time_point now = Clock::now();
        if (now < state->next)
            return true;
        const std::string text =
            state->what + ": " + std::to_string(std::lround(100 * share)) + " %";
        if (state->isTerminal)
            std::cerr << '\r' << text << std::flush;
        else
            std::cerr << "vramscope-cli: " << text << '\n';
        theLineIsOpen = state->isTerminal;
        state->next = now + (state->isTerminal ? std::chrono::milliseconds(200)
                                               : std::chrono::milliseconds(10'000));
        return true;
    };
}

void endProgressLine()
{
    if (theLineIsOpen)
        std::cerr << "\r\033[K" << std::flush;
    theLineIsOpen = false;
}

} // namespace vramscope::cli
