import { limits } from '../../limits.ts';

/** What Postgres says when it undid something because of what others did at the same time. */
const RETRIED = new Set(['40001', '40P01', '55P03']);

/** As Postgres says it, for what we see ourselves. */
export const serializationFailure = (): Error =>
  Object.assign(new Error('changed meanwhile'), { code: '40001' });

/**
 * Runs `fn` again, after a moment, when Postgres undid it because of others; a few times. `fn` must leave no trace when
 * it fails.
 */
export async function persistent<T>(fn: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fn();
    } catch (error) {
      if (attempt >= limits.sql.attempts || !mayBeRetried(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * limits.sql.attemptPause * attempt));
    }
  }
}

/** What was undone may have been put into words for the caller already; the words keep their cause. */
function mayBeRetried(error: unknown): boolean {
  const { code = '', cause } = error as { code?: string; cause?: unknown };
  return RETRIED.has(code) || (cause instanceof Error && mayBeRetried(cause));
}
