/** Milliseconds between two lines on a terminal. */
const PAUSE = 1_000;

/** Says on a terminal how far the work has come. */
export function progress(): (line: string) => void {
  let next = Date.now() + PAUSE;
  return (line) => {
    if (!process.stderr.isTTY || Date.now() < next) return;
    next = Date.now() + PAUSE;
    process.stderr.write(`${line}\n`);
  };
}
