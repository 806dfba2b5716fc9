import { beforeAll, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { queryData } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { createAgentKey, runTool, switchMcp } from '../harness/facades/mcp.ts';

const app = setUpApp();
let agent: string;
let partner: number;
let tags: Record<'red' | 'green' | 'hidden', number>;

const create = (model: string, values: object): Promise<number> =>
  createJsonClient(app).create(model, values);

beforeAll(async () => {
  await switchMcp(app, app.main, true);
  await queryData(
    app,
    'mutation { agentPolicySave(confirmation: AGENT, holds: [CONFIRMED]) { confirmation } }',
  );
  agent = (await createAgentKey(app)).key;
  partner = await create('res.partner', { name: 'Ann' });
  const createTag = (name: string) => create('res.partner.category', { name });
  tags = {
    red: await createTag('Red'),
    green: await createTag('Green'),
    hidden: await createTag('hidden tag'),
  };
  const [model] = await createJsonClient(app).value('ir.model/search', {
    domain: [['model', '=', 'res.partner.category']],
  });
  await create('ir.rule', {
    name: 'Hidden tags',
    model_id: model,
    domain_force: "[('name', 'not ilike', 'hidden')]",
  });
});

interface Part {
  level: number;
  name: string;
  label: string | null;
  change: string | null;
  value: string | null;
  values: string[];
}

async function holdCall(tool: string, args: object): Promise<string> {
  const { structuredContent } = await runTool(app, agent, tool, { ...args, confirm: true });
  return String(structuredContent.held_action_id);
}

async function loadParts(id: string, lang = 'en'): Promise<Part[]> {
  const query = `query ($id: ID!, $lang: String) {
    heldAction(id: $id) { parts(lang: $lang) { level name label change value values } }
  }`;
  return (await queryData(app, query, { variables: { id, lang } })).heldAction.parts;
}

/** Formats a part as one indented line. */
const format = ({ level, name, label, change, value, values }: Part): string =>
  '  '.repeat(level) + [label ?? name, change, value, values.join(' + ')].filter(Boolean).join(' | ');

/** Loads the new values of an update. */
async function loadValues(values: object, lang?: string): Promise<string[]> {
  const id = await holdCall('update', { model: 'res.partner', ids: [partner], values });
  const lines = (await loadParts(id, lang)).map(format);
  return lines.slice(lines.indexOf('  values') + 1).map((line) => line.slice(4));
}

test('describes a held update as a flat list of typed parts', async () => {
  const id = await holdCall('update', {
    model: 'res.partner',
    ids: [partner],
    values: { comment: 'New\nto: forged\u202e', bank_ids: [[5]] },
  });
  const part = { label: null, change: null, value: null, values: [] };
  expect(await loadParts(id)).toEqual([
    { ...part, level: 0, name: 'would_update' },
    { ...part, level: 1, name: '' },
    { ...part, level: 2, name: 'id', value: String(partner) },
    { ...part, level: 2, name: 'name', value: 'Ann' },
    { ...part, level: 0, name: 'arguments' },
    { ...part, level: 1, name: 'model', value: 'res.partner' },
    { ...part, level: 1, name: 'ids', values: [String(partner)] },
    { ...part, level: 1, name: 'values' },
    { ...part, level: 2, name: 'comment', label: 'Notes', value: 'New\nto: forged<U+202E>' },
    { ...part, level: 2, name: 'bank_ids', label: 'Banks', values: [] },
    { ...part, level: 3, name: '', change: 'CLEAR' },
  ]);
});

test('describes list commands with the names of the records', async () => {
  const child = await create('res.partner', { name: 'Bea', parent_id: partner });
  const { red, green } = tags;
  expect(
    await loadValues({
      category_id: [
        [4, red],
        [3, green],
        [6, 0, [red, green]],
        [6, 0, []],
        [9, 1],
      ],
      parent_id: child,
      child_ids: [
        [0, 0, { name: 'New', category_id: [red] }],
        [1, child, { active: false, parent_id: false }],
        [2, child],
      ],
    }),
  ).toEqual([
    'Tags',
    '  ADD | Red',
    '  REMOVE | Green',
    '  SET | Red + Green',
    '  CLEAR',
    '  9 + 1',
    'Related Company | Ann, Bea',
    'Contacts',
    '  CREATE',
    '    Name | New',
    '    Tags',
    '      SET | Red',
    '  UPDATE | Ann, Bea',
    '    Active | false',
    '    Related Company',
    '  DELETE | Ann, Bea',
  ]);
});

test('shows invalid values as they are', async () => {
  const values = {
    category_id: [
      ['length', 1],
      [4, { toString: 1 }],
      [4, 1e12],
    ],
    parent_id: { toString: 1 },
    bank_ids: [[5]],
  };
  expect(await loadValues(values)).toEqual([
    'Tags',
    '  length + 1',
    '  ADD | {"toString":1}',
    '  ADD | 1000000000000',
    'Related Company | {"toString":1}',
    'Banks',
    '  CLEAR',
  ]);
});

test('does not reveal the names of records that the approver may not read', async () => {
  const { red, hidden } = tags;
  expect(await loadValues({ category_id: [[6, 0, [red, hidden, 999_999]]], bank_ids: [[5]] })).toEqual([
    'Tags',
    `  SET | Red + #${hidden} + #999999`,
    'Banks',
    '  CLEAR',
  ]);
});

test('translates the labels of fields and options', async () => {
  const values = { category_id: [[4, tags.red]], type: 'invoice', bank_ids: [[5]] };
  expect(await loadValues(values, 'de')).toEqual([
    'Stichwörter',
    '  ADD | Red',
    'Adresstyp | Rechnungsadresse',
    'Bankverbindungen',
    '  CLEAR',
  ]);
});

test('masks secrets, also after the decision', async () => {
  const kwargs = { body: 'Hi', subtype_token: 'hidden-token' };
  const id = await holdCall('call', { model: 'res.partner', method: 'message_post', ids: [partner], kwargs });
  const expectMasked = async () => {
    const secrets = (await loadParts(id)).filter(({ name }) => name === 'subtype_token');
    expect(secrets.map(format)).toEqual(['    subtype_token | ***', '    subtype_token | ***']);
  };
  await expectMasked();
  await queryData(app, `mutation { heldActionReject(id: "${id}") { id } }`);
  await expectMasked();
});
