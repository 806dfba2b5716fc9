/** Milliseconds that this thread has computed so far: what is slow is so on a busy machine as well, and not for it. */
export function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
