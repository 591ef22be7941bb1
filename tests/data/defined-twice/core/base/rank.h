#pragma once

namespace vramscope {

struct Rank
{
    int index = 0;
};

} // namespace vramscope
