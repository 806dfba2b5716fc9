/** Runs at most `max` tasks concurrently. Further tasks wait in FIFO order. */
export function limitConcurrency(max: number): <T>(run: () => Promise<T>) => Promise<T> {
  let freeSlots = max;
  const waitingStarts: (() => void)[] = [];
  return async (run) => {
    if (freeSlots > 0) freeSlots--;
    else await new Promise<void>((resolve) => waitingStarts.push(resolve));
    try {
      return await run();
    } finally {
      const next = waitingStarts.shift();
      if (next) next();
      else freeSlots++;
    }
  };
}
