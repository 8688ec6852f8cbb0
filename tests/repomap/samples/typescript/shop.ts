import { Till } from './till';
export interface Priced { price: number; tax(rate: number): number; }
export type Line = Priced | null;
enum State { Open, Closed }
export abstract class Basket<T extends Priced> extends Till {
  add(line: T): void { checkout(this); }
  abstract close(): State;
}
export function checkout(basket: Basket<Priced>): number { return 0; }
namespace Later { export function settle(line: Line): void {} }
