import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Function coverage of a process, as counted by V8. */
export interface Coverage {
  /** Returns, by file, how many of its functions have run since the last call. */
  readCounts(): Promise<Map<string, number>>;
  close(): void;
}

interface CoverageResult {
  result: { url: string; functions: { ranges: { count: number }[] }[] }[];
}

/** Connects to a process started with `--inspect`. `output` contains its URL. */
export async function openCoverage(output: string): Promise<Coverage> {
  const socket = new WebSocket(/ws:\/\/\S+/.exec(output)![0]);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  let calls = 0;
  const waiting = new Map<number, (result: unknown) => void>();
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown };
    waiting.get(id)?.(result);
  };
  const sendCommand = (method: string, params = {}) =>
    new Promise<unknown>((resolve) => {
      calls += 1;
      waiting.set(calls, resolve);
      socket.send(JSON.stringify({ id: calls, method, params }));
    });
  await sendCommand('Profiler.enable');
  await sendCommand('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    readCounts: async () =>
      countByFile((await sendCommand('Profiler.takePreciseCoverage')) as CoverageResult),
    close: () => socket.close(),
  };
}

function countByFile({ result }: CoverageResult): Map<string, number> {
  const files = new Map<string, number>();
  for (const { url, functions } of result) {
    if (!url.startsWith('file:') || url.includes('/node_modules/') || url.includes('/generated/')) continue;
    const ran = functions.filter(({ ranges }) => ranges[0]!.count > 0).length;
    if (ran > 0) files.set(relative(root, fileURLToPath(url)), ran);
  }
  return files;
}
