import { compare, type Side } from './lib/compare.ts';
import { email } from './lib/email.ts';
import { fillEmails } from './lib/fill-emails.ts';
import { computeMedian, runClient } from './lib/process.ts';
import { openStage, readMemory, type Stage } from './lib/stage.ts';

// `node bench/emails.ts [send|template|batch|import|list|graphql]…` compares the REST and GraphQL APIs' email endpoints
// with the raw handler, in alternating rounds (medians).

const buildOurSide = (stage: Stage, path: string, body?: unknown): Side => ({
  port: stage.app.port,
  path: `/api/v1${path}`,
  headers: { authorization: `Bearer ${stage.teamKey}` },
  ...buildRequestBody(body),
});
const buildRawSide = (stage: Stage, path: string, body?: unknown): Side => ({
  port: stage.baseline.port,
  path,
  headers: {},
  ...buildRequestBody(body),
});
const buildRequestBody = (body: unknown): Pick<Side, 'method' | 'body' | 'uniqueHeader'> =>
  body === undefined
    ? { method: 'GET', body: '' }
    : { body: JSON.stringify(body), uniqueHeader: 'Idempotency-Key' };

const parts: Record<string, (stage: Stage) => Promise<void>> = {
  send: (stage) =>
    compare(
      'POST /emails',
      buildOurSide(stage, '/emails', email),
      buildRawSide(stage, '/emails', email),
      0.6,
    ),
  async template(stage) {
    const { html, text, subject, ...rest } = email;
    const templateId = await makeTemplate(stage, {
      name: 'Bench',
      subject: `${subject} {{n}}`,
      html: `<h1>{{name}}</h1>${html}<p>{{a}} {{b}} {{c}}</p>`,
      text: `{{name}}\n${text}\n{{a}} {{b}} {{c}}`,
    });
    const variables = { name: 'Ann & Co', n: 7, a: 'one', b: true, c: 2.5 };
    const sent = { ...rest, templateId, variables };
    await compare(
      'with a template',
      buildOurSide(stage, '/emails', sent),
      buildRawSide(stage, '/emails', email),
      0.5,
    );
  },
  async batch(stage) {
    const hundred = Array.from({ length: 100 }, (_, n) => ({ ...email, to: `someone${n}@example.org` }));
    await compare(
      'batch of 100',
      buildOurSide(stage, '/emails/batch', hundred),
      buildRawSide(stage, '/emails/batch', hundred),
      0.4,
    );
  },
  async import(stage) {
    const request = async (path: string, type: string, body: string) => {
      const response = await fetch(`http://127.0.0.1:${stage.app.port}/api/v1/contactBooks${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${stage.teamKey}`, 'content-type': type },
        body,
      });
      return (await response.json()) as { id: string; created: number };
    };
    const { id } = await request('', 'application/json', '{"name":"Bench"}');
    const lines = Array.from({ length: 50_000 }, (_, n) => `reader${n}@example.org,First ${n},Last ${n},pro`);
    const before = readMemory(stage);
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, readMemory(stage));
    }, 20);
    const startTime = performance.now();
    const csv = ['email,firstName,lastName,plan', ...lines].join('\n');
    const { created } = await request(`/${id}/contacts/import`, 'text/csv', csv);
    clearInterval(watch);
    if (created !== lines.length) throw new Error(`${created} contacts were created`);
    const perSecond = Math.round((created / (performance.now() - startTime)) * 1000);
    process.stdout.write(`import of 50,000 contacts: ${perSecond}/s, + ${peak - before} MB (target 100)\n`);
  },
  async list(stage) {
    await fillEmails(stage.databaseUrl, 1_000_000);
    await compare('page 1 at 1,000,000', buildOurSide(stage, '/emails'), buildRawSide(stage, '/emails'), 0.5);
    const times: Record<number, number[]> = { 1: [], 1000: [], 19000: [] };
    for (let round = 0; round < 3; round++)
      for (const page of Object.keys(times).map(Number))
        times[page]!.push(await measureRate(buildOurSide(stage, `/emails?page=${page}`)));
    const first = computeMedian(times[1]!);
    for (const [page, figures] of Object.entries(times))
      process.stdout.write(
        `page ${page}: ${computeMedian(figures)}/s, page 1 is ${(first / computeMedian(figures)).toFixed(2)} x (at most 2)\n`,
      );
  },
  async graphql(stage) {
    await fillEmails(stage.databaseUrl, 100_000, 3);
    const headers = { authorization: `Bearer ${stage.teamKey}` };
    const body = JSON.stringify({ query: WITH_EVENTS });
    const hall: Side = { port: stage.app.port, path: '/graphql', headers, body };
    await checkSame(hall, buildRawSide(stage, '/emails/events'));
    await compare('50 emails with their events', hall, buildRawSide(stage, '/emails/events'), 0.4);
  },
};

const WITH_EVENTS = `{ emails(first: 50) { nodes {
  id from to subject latestStatus createdAt sentAt events { nodes { status createdAt data } }
} } }`;

/** Checks that both sides return the same emails and events. An error response would otherwise count as fast. */
async function checkSame(ownSide: Side, otherSide: Side): Promise<void> {
  const [ownResponse, other] = await Promise.all([ownSide, otherSide].map(fetchResponse));
  const nodes = (ownResponse as { data?: { emails: { nodes: object[] } } }).data?.emails.nodes;
  const flat = nodes?.map((node) => ({
    ...node,
    events: (node as { events: { nodes: object } }).events.nodes,
  }));
  if (JSON.stringify(flat) !== JSON.stringify((other as { data: object[] }).data))
    throw new Error(
      `not the same: ${JSON.stringify(ownResponse).slice(0, 500)}\n${JSON.stringify(other).slice(0, 500)}`,
    );
}

async function fetchResponse({ port, path, headers, method = 'POST', body }: Side): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'POST' && { body }),
  });
  return response.json();
}

const measureRate = async (side: Side) => (await runClient({ ...side, connections: 16, ms: 3000 })).perSecond;

async function makeTemplate(stage: Stage, template: object): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${stage.app.port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${stage.userKey}` },
    body: JSON.stringify({
      query: 'mutation ($template: TemplateInput!) { templateCreate(template: $template) { id } }',
      variables: { template },
    }),
  });
  return ((await response.json()) as { data: { templateCreate: { id: string } } }).data.templateCreate.id;
}

const names = process.argv.slice(2);
const stage = await openStage({ ROLE: 'web' }, 'bench/baseline/emails.ts');
try {
  for (const name of names.length ? names : Object.keys(parts)) await parts[name]!(stage);
} finally {
  await stage.close();
}
