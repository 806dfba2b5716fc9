import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buildRequest, load, type RequestBytes } from './load.ts';

// Runs in its own process. Takes a job file as its argument and prints the result as a line of JSON.

export interface ClientJob {
  port: number;
  path: string;
  headers: Record<string, string>;
  body: string;
  /** POST if unset. */
  method?: string;
  connections: number;
  ms: number;
  /** Header that gets a new value for each request. */
  uniqueHeader?: string;
  /** Bodies to cycle through instead of a single one. */
  bodies?: string[];
}

function buildJobRequest(job: ClientJob, headers: Record<string, string>): RequestBytes {
  const { port, path, body, method, uniqueHeader, bodies } = job;
  if (uniqueHeader)
    return () => buildRequest(port, path, { ...headers, [uniqueHeader]: randomUUID() }, body, method);
  if (!bodies) return buildRequest(port, path, headers, body, method);
  const requests = bodies.map((body) => buildRequest(port, path, headers, body, method));
  let index = 0;
  return () => requests[index++ % requests.length]!;
}

if (import.meta.main) {
  const job = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as ClientJob;
  const headers = { 'content-type': 'application/json', ...job.headers };
  const request = buildJobRequest(job, headers);
  process.stdout.write(`${JSON.stringify(await load(job.port, request, job.connections, job.ms))}\n`);
}
