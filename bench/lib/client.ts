import { randomUUID } from 'node:crypto';
import { load, requestBytes } from './load.ts';

// Runs as a process of its own: one job on the command line, its result as a line of JSON.

export interface ClientJob {
  port: number;
  path: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
  ms: number;
  /** A header that gets a new value for each request. */
  fresh?: string;
}

if (import.meta.main) {
  const job = JSON.parse(process.argv[2]!) as ClientJob;
  const headers = { 'content-type': 'application/json', ...job.headers };
  const request = job.fresh
    ? () => requestBytes(job.port, job.path, { ...headers, [job.fresh!]: randomUUID() }, job.body)
    : requestBytes(job.port, job.path, headers, job.body);
  process.stdout.write(`${JSON.stringify(await load(job.port, request, job.connections, job.ms))}\n`);
}
