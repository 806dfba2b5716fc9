/** Delay that joins the changes of fast typing. */
const DELAY_MS = 200;

/**
 * Collects the names of changed fields and loads the values that depend on them. Ignores the response if the form has
 * changed again since, and then loads the values for all changes.
 */
export function createChangeQueue<Result>(
  load: (changedNames: string[]) => Promise<Result | null>,
  apply: (result: Result) => void,
) {
  const changedNames = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = Promise.resolve();
  let version = 0;

  const stopTimer = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const run = async () => {
    stopTimer();
    const ownVersion = version;
    const result = await load([...changedNames]);
    if (ownVersion !== version) return;
    changedNames.clear();
    if (result !== null) apply(result);
  };
  return {
    add(name: string) {
      changedNames.add(name);
      version++;
      clearTimeout(timer);
      timer = setTimeout(() => {
        running = run();
      }, DELAY_MS);
    },
    /** Waits until the values are up to date. */
    async flush() {
      if (timer !== undefined) running = run();
      await running;
    },
    clear() {
      stopTimer();
      changedNames.clear();
      version++;
    },
  };
}
