const { Till } = require('./till');
export const LIMIT = 3;
export class Basket extends Till {
  add(name, price = 1) { return checkout(this); }
}
export function checkout(basket) { return basket.total; }
const later = async (basket) => checkout(basket);
module.exports.close = function (till) { return till; };
