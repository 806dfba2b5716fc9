import { connect, type Socket } from 'node:net';

/** One request as bytes, or a function that builds each request if they must differ. */
export type RequestBytes = Buffer | (() => Buffer);

export interface LoadResult {
  /** Responses with status 200 per second. */
  perSecond: number;
  p50: number;
  p99: number;
  failures: number;
}

export function buildRequest(
  port: number,
  path: string,
  headers: Record<string, string>,
  body: string | Buffer,
  method = 'POST',
): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
}

/**
 * Sends the request over `connections` persistent connections for `ms`. Each connection waits for the response before
 * it sends the next request. Uses plain sockets, so that the client takes little CPU from the measured process.
 */
export async function load(
  port: number,
  request: RequestBytes,
  connections: number,
  ms: number,
): Promise<LoadResult> {
  const end = performance.now() + ms;
  const times: number[] = [];
  let failures = 0;
  const startTime = performance.now();
  await Promise.all(Array.from({ length: connections }, () => runConnection()));
  const seconds = (performance.now() - startTime) / 1000;
  times.sort((a, b) => a - b);
  const getPercentile = (share: number) =>
    Math.round((times[Math.floor(times.length * share)] ?? 0) * 100) / 100;
  return {
    perSecond: Math.round(times.length / seconds),
    p50: getPercentile(0.5),
    p99: getPercentile(0.99),
    failures,
  };

  function runConnection(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      const reader = createResponseCounter(socket, (ok) => {
        if (ok) times.push(performance.now() - sentCount);
        else failures++;
        if (performance.now() >= end) {
          socket.end();
          resolve();
        } else next();
      });
      let sentCount = 0;
      const next = () => {
        sentCount = performance.now();
        socket.write(typeof request === 'function' ? request() : request);
      };
      socket.on('connect', next);
      socket.on('data', reader);
      socket.on('error', reject);
    });
  }
}

/** Calls `done` at the end of each response. Supports Content-Length and chunked bodies. */
function createResponseCounter(_socket: Socket, done: (ok: boolean) => void): (data: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0);
  return (data) => {
    pending = pending.length ? Buffer.concat([pending, data]) : data;
    const head = pending.indexOf('\r\n\r\n');
    if (head < 0) return;
    const text = pending.toString('latin1', 0, head);
    const length = /content-length: (\d+)/i.exec(text)?.[1];
    const complete = length
      ? pending.length >= head + 4 + Number(length)
      : pending.subarray(-5).equals(LAST_CHUNK);
    if (!complete) return;
    pending = Buffer.alloc(0);
    done(text.startsWith('HTTP/1.1 200'));
  };
}

const LAST_CHUNK = Buffer.from('0\r\n\r\n');
