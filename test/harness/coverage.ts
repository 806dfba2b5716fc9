import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Which functions of a process run, as V8 counts them. */
export interface Coverage {
  /** Files of ours, by path, of which functions have run since it was last asked, with how many. */
  taken(): Promise<Map<string, number>>;
  close(): void;
}

interface CoverageResult {
  result: { url: string; functions: { ranges: { count: number }[] }[] }[];
}

/** Of a process that was started with `--inspect`; `output` is what it said. */
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
    taken: async () => countByFile((await sendCommand('Profiler.takePreciseCoverage')) as CoverageResult),
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
