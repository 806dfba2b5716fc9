export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Waits for the next minute if this one ends within 20 seconds, so that a test's calls count toward the same minute.
 */
export async function avoidEndOfMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 20_000) await pause(left);
}

/**
 * Polls until the check returns a truthy value. Exceptions count as failed attempts. The generous timeout only ends
 * tests that would never pass.
 */
export async function until(check: () => unknown, label: string, ms = 60_000): Promise<void> {
  const end = performance.now() + ms;
  for (;;) {
    let cause: unknown;
    try {
      if (await check()) return;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > end) throw new Error(`it did not happen: ${label}`, { cause });
    await pause(20);
  }
}
