import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAM = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';

/** Starts a proxy that adds the key to each request, because the suite cannot send one. */
export async function startKeyProxy(
  url: string,
  key: string,
): Promise<{ url: string; close(): Promise<void> }> {
  const { hostname, port } = new URL(url);
  const server = createServer((incomingMessage, outgoing) => {
    const headers = { ...incomingMessage.headers, authorization: `Bearer ${key}` };
    const { method, url: path } = incomingMessage;
    const onward = request({ hostname, port, method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode!, response.headers);
      response.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incomingMessage.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export function runSuite(url: string, ...options: string[]): Promise<{ code: number | null; text: string }> {
  const out = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
  const args = [PROGRAM, 'server', '--url', `${url}/mcp`, '--output-dir', out, ...options];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH } });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part) => {
        text += part;
      });
    child.on('error', reject);
    child.on('close', (code) => {
      rmSync(out, { recursive: true, force: true });
      resolve({ code, text });
    });
  });
}
