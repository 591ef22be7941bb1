// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace vramscope::pickle {

inline constexpr int kNewestProtocol = 5;

/// The instructions of a pickle (Python's pickletools) of protocol 0 to 5.
enum Opcode : std::uint8_t {
    // values
    kNone = 'N',
    kNewTrue = 0x88,
    kNewFalse = 0x89,
    kBinInt = 'J',  // 4 bytes, signed
    kBinInt1 = 'K', // 1 byte, unsigned
    kBinInt2 = 'M', // 2 bytes, unsigned
    kLong1 = 0x8a,  // 1 byte length, little endian two's complement
    kLong4 = 0x8b,  // 4 bytes length
    kBinFloat = 'G',
    kShortBinUnicode = 0x8c,
    kBinUnicode = 'X',
    kBinUnicode8 = 0x8d,
    kShortBinString = 'U', // byte strings of Python 2
    kBinString = 'T',
    kShortBinBytes = 'C',
    kBinBytes = 'B',
    kBinBytes8 = 0x8e,
    kByteArray8 = 0x96,
    // values written as text, by protocol 0
    kInt = 'I',
    kLong = 'L',
    kFloat = 'F',
    kString = 'S',
    kUnicode = 'V',
    // containers
    kMark = '(',
    kEmptyDict = '}',
    kEmptyList = ']',
    kEmptyTuple = ')',
    kEmptySet = 0x8f,
    kTuple = 't',
    kTuple1 = 0x85,
    kTuple2 = 0x86,
    kTuple3 = 0x87,
    kList = 'l',
    kDict = 'd',
    kFrozenSet = 0x91,
    kAppend = 'a',
    kAppends = 'e',
    kSetItem = 's',
    kSetItems = 'u',
    kAddItems = 0x90,
    // memo and stack
    kMemoize = 0x94,
    kPut = 'p', // decimal text
    kBinPut = 'q',
    kLongBinPut = 'r',
    kGet = 'g', // decimal text
    kBinGet = 'h',
    kLongBinGet = 'j',
    kPop = '0',
    kPopMark = '1',
    kDup = '2',
    // frame of the file
    kProto = 0x80,
    kFrame = 0x95,
    kStop = '.',
    // code: refused
    kGlobal = 'c',
    kStackGlobal = 0x93,
};

/// What is refused, by name.
struct RefusedOpcode
{
    std::uint8_t code;
    const char *name;
};

inline constexpr RefusedOpcode kRefusedOpcodes[] = {
    {kGlobal, "GLOBAL"},
    {kStackGlobal, "STACK_GLOBAL"},
    {'i', "INST"},
    {'o', "OBJ"},
    {0x81, "NEWOBJ"},
    {0x92, "NEWOBJ_EX"},
    {'R', "REDUCE"},
    {'b', "BUILD"},
    {0x82, "EXT1"},
    {0x83, "EXT2"},
    {0x84, "EXT4"},
    {'P', "PERSID"},
    {'Q', "BINPERSID"},
    {0x97, "NEXT_BUFFER"},
    {0x98, "READONLY_BUFFER"},
};

} // namespace vramscope::pickle
