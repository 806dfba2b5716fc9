import { errors } from './errors.ts';

/** A workspace id, 0 for an unauthenticated caller, or a name. */
type BudgetOwner = number | string;

/** Limits bytes or concurrent calls, in total and per owner. */
export interface Budget {
  /** @throws BUSY if the amount exceeds the budget */
  reserve(amount: number, holder?: BudgetOwner): void;
  release(amount: number, holder?: BudgetOwner): void;
}

/**
 * @param share maximum per owner
 * @param reason error message if the budget is exhausted
 */
export function createBudget(
  total: number,
  share: number = total,
  reason: string = LARGE_REQUESTS_BUSY,
): Budget {
  const usage = new Map<BudgetOwner, number>();
  let sum = 0;
  return {
    reserve(amount, holder = 0) {
      const reserved = (usage.get(holder) ?? 0) + amount;
      if (sum + amount > total || reserved > share) throw errors.busy(reason);
      usage.set(holder, reserved);
      sum += amount;
    },
    release(amount, holder = 0) {
      const remaining = (usage.get(holder) ?? 0) - amount;
      if (remaining > 0) usage.set(holder, remaining);
      else usage.delete(holder);
      sum -= amount;
    },
  };
}

const LARGE_REQUESTS_BUSY = 'Too many large requests are being read. Try again.';
