import { createHash } from 'node:crypto';
import { createCache } from '../cache.ts';
import { limits } from '../limits.ts';

export const USES_BEFORE_PREPARING = 3;
/**
 * Time after which the prepared statements are selected again if all slots are in use. No connection lives longer,
 * which limits the number of plans that it holds.
 */
export const PREPARED_TTL_MS = 600_000;

export interface StatementNames {
  /**
   * Returns the name of the prepared statement, or undefined to send the statement unprepared. Always undefined with
   * `isOnce`.
   */
  getName(text: string, isOnce?: boolean): string | undefined;
  stop(): void;
  /** Changes all names, because the statements prepared on the connections have become unusable. */
  renew(): void;
}

/**
 * Names recurring statements, so that PostgreSQL plans them a few times per connection instead of on every call.
 * One-time and long statements stay unnamed, which bounds memory here and in the connections. A name is a hash of the
 * text, because behind a pooler, a connection also contains statements prepared by other processes.
 * @param check called with each text until the text has passed once
 * @param now current time in milliseconds
 */
export function createStatementNames(
  check: (text: string) => void,
  now: () => number = Date.now,
): StatementNames {
  // Not an LRU cache: a dropped name would stay prepared in the connections, so all names are dropped together.
  const namesByText = new Map<string, string>();
  // An LRU cache, so that one-time statements are evicted before recurring ones.
  const met = createCache<string, number>({ entries: limits.sql.prepared });
  let since = now();
  let isStopped = false;
  let renewedCount = 0;

  function getCount(text: string): number {
    const before = met.get(text);
    if (before === undefined) check(text);
    const count = (before ?? 0) + 1;
    met.set(text, count);
    return count;
  }

  function hasRoom(): boolean {
    if (namesByText.size < limits.sql.prepared) return true;
    if (now() - since < PREPARED_TTL_MS) return false;
    namesByText.clear();
    since = now();
    return true;
  }

  return {
    getName(text, isOnce = false) {
      const existingName = namesByText.get(text);
      if (existingName) return isOnce ? undefined : existingName;
      if (isOnce || text.length > limits.sql.preparedLength) {
        check(text);
        return undefined;
      }
      if (getCount(text) < USES_BEFORE_PREPARING || isStopped || !hasRoom()) return undefined;
      met.delete(text);
      const name = computeStatementName(renewedCount > 0 ? `${text}\n${renewedCount}` : text);
      namesByText.set(text, name);
      return name;
    },
    renew() {
      namesByText.clear();
      renewedCount++;
    },
    stop() {
      isStopped = true;
      namesByText.clear();
    },
  };
}

/** Names have 46 characters. PostgreSQL truncates them at 63. */
const computeStatementName = (text: string): string =>
  `at_${createHash('sha256').update(text).digest('base64url')}`;
