const PROGRESS_INTERVAL_MS = 1_000;

export function createProgress(): (line: string) => void {
  let next = Date.now() + PROGRESS_INTERVAL_MS;
  return (line) => {
    if (!process.stderr.isTTY || Date.now() < next) return;
    next = Date.now() + PROGRESS_INTERVAL_MS;
    process.stderr.write(`${line}\n`);
  };
}
