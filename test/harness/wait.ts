export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

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
