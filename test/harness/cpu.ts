/** Milliseconds that this thread has computed so far: what is slow is so on a busy machine as well, and not for it. */
export function getCpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Runs work of this process. @returns its value and the longest turn of the event loop, in milliseconds of computing */
export async function measureLongestBlock<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  let ms = 0;
  let last = getCpuTime();
  let next: NodeJS.Immediate;
  const look = () => {
    const now = getCpuTime();
    ms = Math.max(ms, now - last);
    last = now;
    next = setImmediate(look);
  };
  look();
  try {
    const value = await work();
    return { value, ms };
  } finally {
    clearImmediate(next!);
  }
}
