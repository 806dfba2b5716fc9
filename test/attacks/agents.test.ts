import { afterAll, beforeAll, expect, test } from 'vitest';
import { mcpProduct } from '../../facades/mcp/tools/index.ts';
import { sql } from '../../src/db/sql.ts';
import { type App, setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { buildRequest, createAgentKey, postMcp, switchMcp } from '../harness/facades/mcp.ts';
import { type AppProcess, startProcess } from '../harness/process.ts';
import { createDice, type Dice } from './dice.ts';

const app = setUpApp();
let otherProcess: AppProcess;
let facades: App[];
let agent: string;

beforeAll(async () => {
  await switchMcp(app, app.main, true);
  otherProcess = await startProcess({ ROLE: 'web', LOG_LEVEL: 'trace', ...app.env });
  facades = [app, { ...app, url: otherProcess.url }];
  agent = await createKey();
});
afterAll(() => otherProcess?.end('SIGKILL'));

const createKey = async (bounds = ''): Promise<string> => (await createAgentKey(app, bounds)).key;
const savePolicy = (fields: string) =>
  postGraphql(app, `mutation { agentPolicySave(${fields}) { confirmation } }`, { key: app.main.admin.key });
const createPartner = (name: string) => createJsonClient(app).create('res.partner', { name });

async function run(facade: App, name: string, args: object, key = agent) {
  return (await postMcp(facade, buildRequest('tools/call', { name, arguments: args }), key)).json().result;
}

test('applies the call budget to 50 concurrent calls across two processes', async () => {
  const key = await createKey('callsPerDay: 15');
  const calls = Array.from({ length: 50 }, (_, n) =>
    run(facades[n % 2]!, 'count', { model: 'res.partner' }, key),
  );
  const responses = await Promise.all(calls);
  expect(responses.filter(({ isError }) => !isError)).toHaveLength(15);
});

test('applies the change budget to 50 concurrent changes across two processes', async () => {
  const key = await createKey('changesPerDay: 11');
  const calls = Array.from({ length: 50 }, (_, n) =>
    run(facades[n % 2]!, 'create', { model: 'res.partner', values: { name: 'Within a budget' } }, key),
  );
  expect((await Promise.all(calls)).filter(({ isError }) => !isError)).toHaveLength(11);
  const { value } = createJsonClient(app);
  expect(await value('res.partner/search_count', { domain: [['name', '=', 'Within a budget']] })).toBe(11);
});

test('accepts one of many concurrent uses of a token across two processes', async () => {
  const id = await createPartner('Deleted once');
  const args = { model: 'res.partner', ids: [id] };
  const { confirm_token } = (await run(app, 'delete', args)).structuredContent;
  const calls = Array.from({ length: 20 }, (_, n) =>
    run(facades[n % 2]!, 'delete', { ...args, confirm_token }),
  );
  const responses = await Promise.all(calls);
  expect(responses.filter(({ isError }) => !isError)).toHaveLength(1);
});

test('executes an action once despite many concurrent approvals across two processes', async () => {
  await savePolicy('holds: [DELETES]');
  try {
    const args = { model: 'res.partner', ids: [await createPartner('Approved once')], confirm: true };
    const { held_action_id: id } = (await run(facades[1]!, 'delete', args)).structuredContent;
    const approve = 'mutation ($id: ID!) { heldActionApprove(id: $id) { state recordCount } }';
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        postGraphql(facades[n % 2]!, approve, { key: app.main.admin.key, variables: { id: String(id) } }),
      ),
    );
    const result = responses.filter(({ errors }) => errors.length === 0);
    expect(result.map(({ data }) => data.heldActionApprove)).toEqual([{ state: 'DONE', recordCount: 1 }]);
  } finally {
    await savePolicy('holds: []');
  }
});

test('rejects a revoked agent in all processes', async () => {
  const key = await createKey();
  for (const facade of facades) await run(facade, 'count', { model: 'res.partner' }, key);
  const ownResponse = await postGraphql(app, '{ agents(first: 1) { nodes { id } } }', {
    key: app.main.admin.key,
  });
  const id = ownResponse.data.agents.nodes[0].id;
  await postGraphql(app, 'mutation ($id: ID!) { agentRevoke(id: $id) { id } }', {
    key: app.main.admin.key,
    variables: { id },
  });
  const call = buildRequest('tools/call', { name: 'count', arguments: { model: 'res.partner' } });
  for (const facade of facades)
    await expect.poll(async () => (await postMcp(facade, call, key)).status, { timeout: 10_000 }).toBe(401);
});

const SECRET_NAMES = ['password', 'new_passwd', 'client_secret', 'access_token', 'api_key', 'apiKey', 'conn'];
const CONTENT_NAMES = ['body', 'body_html', 'arch', 'messages', 'data_b64', 'attachments', 'raw'];

/** Builds a value in which every string, at any depth, is a marker under a name that must not be logged. */
function buildPlanted(dice: Dice, marks: string[], names: readonly string[], depth = 0): unknown {
  const mark = () => {
    marks.push(dice.mark());
    return marks.at(-1)!;
  };
  const buildInner = () => buildPlanted(dice, marks, names, depth + 1);
  switch (depth > 4 ? 0 : dice.below(5)) {
    case 1:
      return { [dice.pick(names)]: [mark(), mark()], plain: 1 };
    case 2:
      return { [dice.pick(names)]: { deep: mark() }, more: buildInner() };
    case 3:
      return [buildInner(), 7, buildInner()];
    case 4:
      return { value: buildInner(), values: [buildInner()] };
    default:
      return { [dice.pick(names)]: mark() };
  }
}

/** Builds the arguments of a call, and the markers in them that must not be logged or returned. */
function buildAttack(dice: Dice): {
  name: string;
  arguments: unknown;
  marks: string[];
  unanswered: string[];
} {
  const [marks, unanswered]: [string[], string[]] = [[], []];
  const model = dice.pick(['res.partner', 'res.users', 'crm.lead', 'ir.config_parameter', 'nothing.here']);
  const buildSecrets = () => buildPlanted(dice, unanswered, SECRET_NAMES);
  const buildContents = () => buildPlanted(dice, marks, CONTENT_NAMES);
  const buildText = () => {
    marks.push(dice.mark());
    return marks.at(-1)!;
  };
  const name = dice.pick([
    ...mcpProduct.tools.map((tool) => tool.name),
    'call',
    'create',
    'update',
    'unknown',
  ]);
  const args = {
    model,
    ids: [1],
    account_id: 1,
    ...(name === 'call'
      ? {
          method: dice.pick(['write', 'copy', 'message_post']),
          args: [buildText(), [buildText()]],
          kwargs: { a: buildText(), b: buildSecrets() },
        }
      : {
          values: buildSecrets(),
          domain: ['&', ['password', '=', buildText()], ['partner_id.password', 'in', [buildText()]]],
        }),
    ...(dice.once(2) && { extra: buildContents(), confirm: true }),
  };
  const shape = dice.below(6);
  if (shape === 0) return { name, arguments: JSON.stringify(args), marks, unanswered };
  if (shape === 1) return { name, arguments: [args], marks, unanswered };
  return { name, arguments: args, marks, unanswered };
}

const SEED = Number(process.env.ATTACK_SEED ?? Math.floor(Math.random() * 2 ** 31));

test(`leaks no planted secret in logs, process output or responses (seed ${SEED})`, async () => {
  const dice = createDice(SEED);
  const attacks = Array.from({ length: 400 }, () => buildAttack(dice));
  const responses: string[] = [];
  for (let from = 0; from < attacks.length; from += 50) {
    const batch = attacks
      .slice(from, from + 50)
      .map(({ name, arguments: callArguments }, id) =>
        buildRequest('tools/call', { name, arguments: callArguments }, id),
      );
    responses.push((await postMcp(facades[1]!, batch, agent)).text);
  }
  const lines = await app.main.ctx.db.rows<{ text: string }>(
    sql`select l::text as text from svc_mcp_log l where l.workspace_id = ${app.main.ctx.workspace.id}`,
  );
  expect(lines.length).toBeGreaterThanOrEqual(attacks.length);
  const logged = lines.map(({ text }) => text).join('\n');
  const secret = attacks.flatMap(({ unanswered }) => unanswered);
  const all = [...secret, ...attacks.flatMap(({ marks }) => marks)];
  expect(all.length).toBeGreaterThan(attacks.length);
  expect(all.filter((mark) => logged.includes(mark))).toEqual([]);
  expect(all.filter((mark) => otherProcess.output().includes(mark))).toEqual([]);
  const responseText = responses.join('\n');
  expect(secret.filter((mark) => responseText.includes(mark))).toEqual([]);
});
