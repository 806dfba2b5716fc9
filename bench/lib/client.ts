import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buildRequest, load, type RequestBytes } from './load.ts';

// A separate process that takes a job file as its argument and prints the result as a line of JSON.

export interface ClientJob {
  port: number;
  path: string;
  headers: Record<string, string>;
  body: string;
  method?: string;
  connections: number;
  ms: number;
  uniqueHeader?: string;
  /** Bodies to cycle through instead of a single one. */
  bodies?: string[];
  /** API keys of the callers. Requests cycle through them. */
  keys?: string[];
}

function buildJobRequest({ uniqueHeader, bodies, keys, ...job }: ClientJob): RequestBytes {
  const build = (body: string, headers: Record<string, string>) =>
    buildRequest(job.port, job.path, { ...job.headers, ...headers }, body, job.method);
  const allBodies = bodies ?? [job.body];
  const allHeaders = keys?.map((key) => ({ authorization: `Bearer ${key}` })) ?? [{}];
  let index = 0;
  const next = <Value>(values: Value[]): Value => values[index % values.length]!;
  if (uniqueHeader)
    return () => {
      index++;
      return build(next(allBodies), { ...next(allHeaders), [uniqueHeader]: randomUUID() });
    };
  // Built in advance, so that the client uses little CPU. An odd number of bodies pairs each body with every key.
  const requests = Array.from({ length: allBodies.length * allHeaders.length }, () => {
    index++;
    return build(next(allBodies), next(allHeaders));
  });
  return () => {
    index++;
    return next(requests);
  };
}

if (import.meta.main) {
  const job = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as ClientJob;
  const request = buildJobRequest({
    ...job,
    headers: { 'content-type': 'application/json', ...job.headers },
  });
  process.stdout.write(`${JSON.stringify(await load(job.port, request, job.connections, job.ms))}\n`);
}
