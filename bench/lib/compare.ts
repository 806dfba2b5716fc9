import { randomUUID } from 'node:crypto';
import { computeMedian, runClient } from './process.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 3);
const MS = Number(process.env.MS ?? 5000);
const CONNECTIONS = 16;
const WARM_UP_MS = Number(process.env.WARM ?? 5000);

export interface Side {
  port: number;
  path: string;
  headers: Record<string, string>;
  body: string;
  method?: string;
  uniqueHeader?: string;
  /** Bodies to cycle through instead of a single one. */
  bodies?: string[];
  /** API keys of the callers, to cycle through. */
  keys?: string[];
}

/**
 * Loads both sides alternately, `ROUNDS` times for `MS` ms each, and prints each figure and the ratio of the medians.
 */
export async function compare(name: string, ownSide: Side, raw: Side, target: number): Promise<void> {
  const sides = { ours: ownSide, raw };
  const figures = { ours: [] as number[], raw: [] as number[] };
  for (const side of [ownSide, raw]) await checkCallers(side);
  for (const side of [ownSide, raw]) await runClient({ ...side, connections: CONNECTIONS, ms: WARM_UP_MS });
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of ['ours', 'raw'] as const) {
      const result = await runClient({ ...sides[side], connections: CONNECTIONS, ms: MS });
      if (result.failures > 0) throw new Error(`${name} ${side}: ${result.failures} responses were not 200`);
      figures[side].push(result.perSecond);
      process.stdout.write(
        `${name} ${side} ${result.perSecond}/s p50 ${result.p50} ms p99 ${result.p99} ms\n`,
      );
    }
  }
  const ratio = computeMedian(figures.ours) / computeMedian(figures.raw);
  process.stdout.write(
    `${name}: ${computeMedian(figures.ours)}/s against ${computeMedian(figures.raw)}/s = ${ratio.toFixed(2)} (target ${target})\n`,
  );
}

/** @throws Error if a caller gets an error, which with status 200 would otherwise count as a fast response */
async function checkCallers(side: Side): Promise<void> {
  for (const key of side.keys ?? [null]) {
    const headers = new Headers({ 'content-type': 'application/json', ...side.headers });
    if (key) headers.set('authorization', `Bearer ${key}`);
    if (side.uniqueHeader) headers.set(side.uniqueHeader, randomUUID());
    const response = await fetch(`http://127.0.0.1:${side.port}${side.path}`, {
      method: side.method ?? 'POST',
      headers,
      body: side.method === 'GET' ? null : (side.bodies?.[0] ?? side.body),
    });
    const text = await response.text();
    if (!response.ok || /"errors":|"error":|"isError":true|<fault>/.test(text))
      throw new Error(`${side.path}: ${response.status} ${text.slice(0, 500)}`);
  }
}
