import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Coverage, openCoverage } from './harness/coverage.ts';
import { type AppProcess, startProcess } from './harness/process.ts';
import { until } from './harness/wait.ts';
import { createTopic } from './standins/sns.ts';

// Counts the source files that a single request executes in a warm process, as a measure of how much code a reader has
// to follow.

let app: AppProcess;
let coverage: Coverage;
const dataDir = mkdtempSync(join(tmpdir(), 'atrium-paths-'));
const findInOutput = (pattern: RegExp): string => pattern.exec(app.output())![1]!;

/** A stand-in for Amazon SNS that serves the certificate of its notifications. */
const sns = createServer((_request, response) => response.end(topic.pem));
const getSnsUrl = () => `http://127.0.0.1:${(sns.address() as AddressInfo).port}`;
const topic = createTopic({ base: getSnsUrl });

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    sns.listen(0, '127.0.0.1', resolve);
  });
  // Delivery is disabled in this process, so only the request's code runs.
  const env = {
    DATA_DIR: dataDir,
    ROLE: 'web',
    NODE_OPTIONS: '--inspect=127.0.0.1:0',
    SES_TOPIC_ARNS: topic.arn,
    AWS_SNS_ENDPOINT: getSnsUrl(),
  };
  app = await startProcess(env, undefined, ['--source']);
  // The background job queue starts after the process accepts requests.
  await until(async () => (await fetch(`${app.url}/api/ready`)).ok, 'it is ready');
  coverage = await openCoverage(app.output());
});

afterAll(async () => {
  coverage?.close();
  await app?.end('SIGTERM');
  sns.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const post = (path: string, key: string, type: string, body: string) =>
  fetch(app.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': type },
    body,
  });

const JSON_TYPE = 'application/json';

const send = () =>
  post(
    '/api/v1/emails',
    findInOutput(/TEAM_KEY=(\S+)/),
    JSON_TYPE,
    JSON.stringify({
      from: `a@${findInOutput(/hello@([\w.]+)/)}`,
      to: 'b@example.org',
      subject: 'Hi',
      text: 'Hi',
    }),
  );

/** Reports the delivery of an email through SES. */
let sent: Promise<string> | undefined;

async function requestReport(): Promise<Response> {
  sent ??= send().then(async (response) => ((await response.json()) as { emailId: string }).emailId);
  const timestamp = new Date().toISOString();
  const mail = {
    messageId: 'ses-1',
    timestamp,
    headers: [{ name: 'X-Atrium-Email-Id', value: await sent }],
    tags: { workspace: ['1'] },
  };
  const notification = topic.notification({ eventType: 'Delivery', mail, delivery: { timestamp } });
  return post('/api/ses_callback', '', 'text/plain', JSON.stringify(notification));
}

const REQUESTS = {
  'POST /api/v1/emails': {
    maxFiles: 55,
    run: send,
  },
  'search_read of /json/2': {
    maxFiles: 58,
    run: () =>
      post(
        '/json/2/res.partner/search_read',
        findInOutput(/USER_KEY=(\S+)/),
        JSON_TYPE,
        JSON.stringify({ domain: [['name', 'ilike', 'a']], fields: ['name', 'email'], limit: 5 }),
      ),
  },
  'write of XML-RPC': {
    maxFiles: 72,
    run: () => post('/xmlrpc/2/object', '', 'text/xml', buildXmlCall(findInOutput(/USER_KEY=(\S+)/))),
  },
  'notification of SNS': { maxFiles: 40, run: requestReport },
};

/** Builds `execute_kw(main, 1, key, 'res.partner', 'write', [[1], {city: …}])`, called by the key's owner. */
const buildXmlCall = (key: string): string => `<?xml version="1.0"?>
<methodCall><methodName>execute_kw</methodName><params>
<param><value>main</value></param><param><value><int>1</int></value></param><param><value>${key}</value></param>
<param><value>res.partner</value></param><param><value>write</value></param>
<param><value><array><data><value><array><data><value><int>1</int></value></data></array></value>
<value><struct><member><name>city</name><value>Riga</value></member></struct></value></data></array></value></param>
</params></methodCall>`;

const MIN_ROUNDS = 20;
const MAX_ROUNDS = 200;

/**
 * Returns the functions that run in each of several requests, so that timer callbacks are not counted. On a loaded
 * machine, callbacks can run in many consecutive requests, so more requests are sent while there are too many files.
 */
async function measurePath(run: () => Promise<Response>, maxFiles: number): Promise<Map<string, number>> {
  for (let warming = 0; warming < 3; warming++) {
    const response = await run();
    const text = await response.text();
    expect(response.status, text).toBe(200);
    expect(text).not.toContain('<fault>');
  }
  let common: Map<string, number> | undefined;
  for (let round = 0; round < MIN_ROUNDS || (round < MAX_ROUNDS && common!.size > maxFiles); round++) {
    await coverage.readCounts();
    await (await run()).text();
    const path = await coverage.readCounts();
    common = common ? new Map([...common].filter(([file]) => path.has(file))) : path;
  }
  return common!;
}

describe('source files executed by a request', () => {
  it.each(Object.entries(REQUESTS))('are limited for %s', async (name, { maxFiles, run }) => {
    const path = await measurePath(run, maxFiles);
    const files = [...path.keys()].sort();
    const functions = [...path.values()].reduce((sum, count) => sum + count, 0);
    if (process.env.SHOW_FILES)
      console.log(`${name}: ${functions} functions in ${files.length} files\n${files.join('\n')}`);
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(maxFiles);
    expect(files.length).toBeGreaterThan(10);
  });
});
