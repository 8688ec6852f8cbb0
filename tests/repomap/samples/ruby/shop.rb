require_relative 'till'

module Shop
  LIMIT = 3

  class Basket < Till
    def add(name, price = 1)
      checkout(self)
    end

    def self.empty; end
  end
end
