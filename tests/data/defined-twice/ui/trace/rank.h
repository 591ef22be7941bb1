#pragma once

namespace vramscope {

class Other; // declared, not defined
class Rank
{
};

} // namespace vramscope
