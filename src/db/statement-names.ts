import { createHash } from 'node:crypto';
import { createCache } from '../cache.ts';
import { limits } from '../limits.ts';

/** Names to prepare statements under. */
export interface StatementNames {
  /** undefined: to be sent as it is. With `once` it is not prepared, though it may be with other parameters. */
  getName(text: string, once?: boolean): string | undefined;
  /** Nothing has a name from now on. */
  stop(): void;
  /** Everything gets another name: what the connections have prepared is of no use any more. */
  renew(): void;
}

/**
 * A statement that is met often is prepared: Postgres then plans it a few times per connection, not per call. Those
 * that differ each time stay unnamed, and so do long ones, so that neither this process nor its connections fill up. A
 * name is the hash of its text: behind a pooler a connection has statements of other processes, under their names.
 * @param check run for a text unless it has passed before
 * @param now ms
 */
export function createStatementNames(
  check: (text: string) => void,
  now: () => number = Date.now,
): StatementNames {
  // No cache: a name that is forgotten stays prepared in the connections, so names are forgotten together.
  const named = new Map<string, string>();
  // In the order of their last meeting, so that a passing text leaves before one that comes again.
  const met = createCache<string, number>({ entries: limits.sql.prepared });
  let since = now();
  let stopped = false;
  let renewed = 0;

  function countOf(text: string): number {
    const before = met.get(text);
    if (before === undefined) check(text);
    const count = (before ?? 0) + 1;
    met.set(text, count);
    return count;
  }

  function hasRoom(): boolean {
    if (named.size < limits.sql.prepared) return true;
    if (now() - since < limits.sql.preparedTime) return false;
    named.clear();
    since = now();
    return true;
  }

  return {
    getName(text, once = false) {
      const known = named.get(text);
      if (known) return once ? undefined : known;
      if (once || text.length > limits.sql.preparedLength) {
        check(text);
        return undefined;
      }
      if (countOf(text) < limits.sql.preparedAfter || stopped || !hasRoom()) return undefined;
      met.delete(text);
      const name = computeStatementName(renewed > 0 ? `${text}\n${renewed}` : text);
      named.set(text, name);
      return name;
    },
    renew() {
      named.clear();
      renewed++;
    },
    stop() {
      stopped = true;
      named.clear();
    },
  };
}

/** 46 characters of the 63 that Postgres reads. */
const computeStatementName = (text: string): string =>
  `at_${createHash('sha256').update(text).digest('base64url')}`;
