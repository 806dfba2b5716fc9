import { type GraphQLArgument, isNonNullType } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Operation, operations } from '../../src/engine/operation/operation.ts';
import { setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import { createScene, fingerprintWorkspace, type Person, toFlags } from './scene.ts';

const app = setUpApp();
const scene = createScene(app);
/** Has full access to these models, except that a rule hides one record of each. */
let ruledPerson: Person;
let reader: Person;
const SECRET = 'Xylophone';
const MODELS = [
  'crm.lead',
  'sale.order',
  'res.partner',
  'project.task',
  'mail.activity',
  'ir.attachment',
  'crm.tag',
];
const hidden: Record<string, number> = {};

beforeAll(async () => {
  await addRecords();
  const all = await scene.addGroup('All');
  const readingId = await scene.addGroup('Reading');
  for (const model of MODELS) {
    await scene.grant(model, all, 'crwu');
    await scene.grant(model, readingId, 'r');
    await scene.create('ir.rule', {
      name: `all but one of ${model}`,
      model_id: await scene.modelId(model),
      domain_force: `[('id', '!=', ${hidden[model]})]`,
      groups: [[6, 0, [all]]],
      ...toFlags('crwu'),
    });
  }
  ruledPerson = await scene.addPerson('ruled', [all]);
  reader = await scene.addPerson('reader', [readingId]);
});

async function addRecords(): Promise<void> {
  hidden['res.partner'] = await scene.create('res.partner', { name: SECRET, email: 'x@secret.test' });
  hidden['crm.lead'] = await scene.create('crm.lead', { name: SECRET, partner_id: hidden['res.partner'] });
  hidden['sale.order'] = await scene.create('sale.order', {
    partner_id: hidden['res.partner'],
    client_order_ref: SECRET,
    order_line: [[0, 0, { name: SECRET, price_unit: 5 }]],
  });
  hidden['project.task'] = await scene.create('project.task', { name: SECRET });
  hidden['crm.tag'] = await scene.create('crm.tag', { name: SECRET });
  const lead = { res_model: 'crm.lead', res_id: hidden['crm.lead'] };
  hidden['ir.attachment'] = await scene.create('ir.attachment', {
    name: SECRET,
    raw: 'secret',
    ...lead,
  });
  const activity = await scene.admin.value('crm.lead/activity_schedule', {
    ids: [hidden['crm.lead']],
    summary: SECRET,
  });
  hidden['mail.activity'] = Array.isArray(activity) ? activity[0] : activity;
}

const ARGUMENT_VALUES: Record<string, unknown> = {
  vals: { name: 'changed' },
  specification: { display_name: {}, name: {} },
  fields_to_export: ['display_name', 'id'],
  body: 'posted',
  partner_ids: [1],
  operation: 'read',
  default: {},
  summary: 'do it',
  field_name: 'name',
  translations: { en_US: 'changed' },
  user_ids: [],
};

function getNamedArguments(operation: Operation): Record<string, unknown> | null {
  const args = getArguments(operation);
  if (!args.some((arg) => arg.name === 'ids')) return null;
  const namedArgs: Record<string, unknown> = {};
  for (const arg of args) {
    const isRequired = isNonNullType(arg.type) && arg.defaultValue === undefined;
    if (arg.name in ARGUMENT_VALUES) namedArgs[arg.name] = ARGUMENT_VALUES[arg.name];
    else if (isRequired && !['ids', 'model'].includes(arg.name)) namedArgs[arg.name] = [];
  }
  return namedArgs;
}

function getArguments({ kind, name }: Operation): readonly GraphQLArgument[] {
  const { schema } = app.runtime;
  const type = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  return type!.getFields()[name]!.args;
}

interface MethodAttempt {
  method: string;
  status: number;
  text: string;
  changed: string[];
}

async function tryAll(model: string, key: string, id = hidden[model]): Promise<MethodAttempt[]> {
  const triedAttempts: MethodAttempt[] = [];
  let before = await fingerprintWorkspace(app);
  for (const operation of operations.values()) {
    if (operation.model !== model && !(operation.model === '*' && !isOwnMethod(model, operation.method!)))
      continue;
    const namedArgs = getNamedArguments(operation);
    if (!namedArgs) continue;
    const body = { ids: [id], ...namedArgs };
    const { status, text } = await json2(app, `${model}/${operation.method}`, body, key);
    const after = await fingerprintWorkspace(app);
    triedAttempts.push({
      method: operation.method!,
      status,
      text,
      changed: Object.keys(after).filter((name) => after[name] !== before[name]),
    });
    before = after;
  }
  return triedAttempts;
}

const isOwnMethod = (model: string, method: string): boolean =>
  [...operations.values()].some((operation) => operation.model === model && operation.method === method);

describe.each(MODELS)('methods of %s', (model) => {
  test('never return or change a record hidden by a rule', async () => {
    const triedAttempts = await tryAll(model, ruledPerson.key);
    expect(triedAttempts.length).toBeGreaterThan(12);
    const violations = triedAttempts.filter(
      ({ text, changed, status }) => changed.length || text.includes(SECRET) || status >= 500,
    );
    expect(violations).toEqual([]);
    // These methods only report whether access is allowed and why.
    const telling = ['explain_access', 'has_access', 'check_access_rule', 'get_external_id'];
    const result = triedAttempts.filter(({ method, status }) => status === 200 && !telling.includes(method));
    expect(result.map(({ method, text }) => `${method}: ${text}`)).toEqual([]);
  });

  test('change nothing for a user who may only read', async () => {
    const triedAttempts = await tryAll(model, reader.key);
    const violations = triedAttempts.filter(({ changed, status }) => changed.length || status >= 500);
    expect(violations.map(({ method, text }) => `${method}: ${text}`)).toEqual([]);
    expect(triedAttempts.find(({ method }) => method === 'read')!.text).toContain(SECRET);
  });

  test('change and create nothing for missing records', async () => {
    const triedAttempts = await tryAll(model, app.main.admin.key, 2_000_000_011);
    const violations = triedAttempts.filter(({ changed, status }) => changed.length || status >= 500);
    expect(violations.map(({ method, text }) => `${method}: ${text}`)).toEqual([]);
    const writingAttempts = triedAttempts.filter(({ method }) =>
      /^(write|unlink|copy|action_|web_save|message_post)/.test(method),
    );
    expect(writingAttempts.filter(({ status }) => status === 200).map(({ method }) => method)).toEqual([]);
  });
});
