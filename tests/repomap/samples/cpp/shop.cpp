#include "till.hpp"
namespace shop {
class Basket : public Till {
 public:
  explicit Basket(int limit);
  int add(const Line& line) const { return checkout(*this); }
  template <class T> T largest(T first);
};
}
int shop::Basket::close(int rate) { return rate; }
template <typename T> T checkout(const T& basket) { return basket; }
using Lines = int;
