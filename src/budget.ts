import { errors } from './errors.ts';

/** Who holds something: the id of a workspace, 0 for a caller who is not known, or a name. */
type BudgetOwner = number | string;

/** How many bytes, or calls of some kind, may be held at one time: by all who ask and by each of them. */
export interface Budget {
  /** @throws BUSY when they no longer fit */
  reserve(amount: number, holder?: BudgetOwner): void;
  release(amount: number, holder?: BudgetOwner): void;
}

/**
 * @param share of one holder
 * @param refusal said to who finds it full
 */
export function createBudget(
  total: number,
  share: number = total,
  refusal: string = LARGE_REQUESTS_BUSY,
): Budget {
  const held = new Map<BudgetOwner, number>();
  let sum = 0;
  return {
    reserve(amount, holder = 0) {
      const own = (held.get(holder) ?? 0) + amount;
      if (sum + amount > total || own > share) throw errors.busy(refusal);
      held.set(holder, own);
      sum += amount;
    },
    release(amount, holder = 0) {
      const own = (held.get(holder) ?? 0) - amount;
      if (own > 0) held.set(holder, own);
      else held.delete(holder);
      sum -= amount;
    },
  };
}

const LARGE_REQUESTS_BUSY = 'Too many large requests are being read; try again.';
