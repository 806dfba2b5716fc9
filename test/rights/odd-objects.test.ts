import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, post, startApp } from '../harness/app.ts';
import { json2 } from '../harness/doors/json2.ts';
import { mail } from '../harness/doors/rest.ts';
import { type Scene, sceneOf } from './scene.ts';

// An object of a caller may bring along what JavaScript calls when it makes a text or a number of it.

const ODD = { toString: 1, valueOf: 1 };

let app: App;
let scene: Scene;
beforeAll(async () => {
  app = await startApp();
  scene = sceneOf(app);
});
afterAll(() => app?.close());

/** Calls that were neither answered nor refused. */
async function failing(calls: [path: string, body: object][]): Promise<string[]> {
  const failed: string[] = [];
  for (const [path, body] of calls) {
    const { status } = await json2(app, path, body, app.main.admin.key);
    if (status >= 500) failed.push(`${path} ${JSON.stringify(body)}`);
  }
  return failed;
}

test('as the value of a field it is taken or refused, whichever field it is', { tags: 'soak' }, async () => {
  const { registry } = (await app.runtime.identity.workspace('main'))!.catalog;
  const partner = await scene.create('res.partner', { name: 'P' });
  const lead = await scene.create('crm.lead', { name: 'L' });
  const order = await scene.create('sale.order', {
    partner_id: partner,
    order_line: [[0, 0, { name: 'x' }]],
  });
  const ids: Record<string, number> = { 'res.partner': partner, 'crm.lead': lead, 'sale.order': order };
  const calls = [...registry.values()].flatMap((model) =>
    [...model.fields.keys()].flatMap((field): [string, object][] => [
      [`${model.name}/create`, { vals_list: [{ name: 'x', [field]: ODD }] }],
      [`${model.name}/create`, { vals_list: [{ [field]: ODD }] }],
      [`${model.name}/create`, { vals_list: [{ name: 'x', [field]: [ODD] }] }],
      [
        `${model.name}/onchange`,
        {
          ids: [],
          values: { [field]: ODD },
          field_names: [field],
          fields_spec: { display_name: {}, [field]: {} },
        },
      ],
      [`${model.name}/load`, { fields: [field], data: [[ODD]] }],
      [`${model.name}/search`, { domain: [[field, '=', ODD]] }],
      [`${model.name}/default_get`, { fields: [field], context: { [`default_${field}`]: ODD } }],
      ...(ids[model.name]
        ? [[`${model.name}/write`, { ids: [ids[model.name]], vals: { [field]: ODD } }] as [string, object]]
        : []),
    ]),
  );
  expect(await failing(calls)).toEqual([]);
});

test.each([
  ['svc.contact.book', 'name', {}],
  ['svc.contact.book', 'emoji', { name: 'a' }],
  ['svc.contact.book', 'double_opt_in_from', { name: 'b' }],
  ['svc.contact.book', 'double_opt_in_subject', { name: 'c' }],
  ['svc.contact.book', 'double_opt_in_content', { name: 'd' }],
  ['svc.template', 'name', {}],
  ['svc.template', 'subject', { name: 'e' }],
])('a number or true as the text %s.%s is taken as text or refused', async (model, field, more) => {
  const values = [3, true, 5e-324];
  const calls = values.flatMap((value): [string, object][] => [
    [`${model}/create`, { vals_list: [{ ...more, [field]: value }] }],
    [
      `${model}/onchange`,
      { ids: [], values: { [field]: value }, field_names: [field], fields_spec: { [field]: {} } },
    ],
  ]);
  expect(await failing(calls)).toEqual([]);
});

test('what is no text is no variable of a contact book', async () => {
  const vals_list = [{ name: 'f', variables: [-1] }];
  expect(await failing([['svc.contact.book/create', { vals_list }]])).toEqual([]);
});

test('in the arguments of a question it is taken or refused', async () => {
  const on = { domain: [] };
  const calls: [string, object][] = [
    ['search', { domain: [ODD] }],
    ['search', { domain: [[ODD, '=', 1]] }],
    ['search', { domain: [['name', ODD, 1]] }],
    ['search', { domain: [['name', 'in', [ODD]]] }],
    ['search', { domain: [['child_ids', 'any', ODD]] }],
    ['search', { domain: [['child_ids', 'any', [ODD]]] }],
    ['search', { ...on, context: { lang: ODD, tz: ODD, allowed_company_ids: [ODD], active_test: ODD } }],
    ['search_read', { ...on, fields: [ODD] }],
    ['read', { ids: [1], fields: [ODD], load: null }],
    ['web_search_read', { ...on, specification: { name: ODD } }],
    ['web_search_read', { ...on, specification: { child_ids: { fields: ODD } } }],
    ['web_search_read', { ...on, specification: { child_ids: { fields: {}, order: ODD, limit: ODD } } }],
    ['web_search_read', { ...on, specification: { child_ids: { fields: {}, context: ODD } } }],
    ['web_search_read', { ...on, specification: ODD }],
    ['read_group', { ...on, groupby: [ODD], fields: [] }],
    ['read_group', { ...on, groupby: ['color'], fields: [ODD] }],
    ['formatted_read_group', { ...on, groupby: [ODD] }],
    ['formatted_read_group', { ...on, groupby: ['color'], aggregates: [ODD] }],
    ['formatted_read_group', { ...on, groupby: ['color'], having: [[ODD, '>', 1]] }],
    ['formatted_read_group', { ...on, groupby: ['color'], having: [['__count', ODD, 1]] }],
    ['formatted_read_group', { ...on, groupby: ['color'], having: [['__count', '>', ODD]] }],
    ['formatted_read_group', { ...on, groupby: ['color'], having: [ODD] }],
    ['formatted_read_grouping_sets', { ...on, grouping_sets: [[ODD]] }],
    ['export_data', { ids: [1], fields_to_export: [ODD] }],
    ['load', { fields: [ODD], data: [['x']] }],
    ['load', { fields: ['name'], data: [ODD] }],
    ['fields_get', { allfields: [ODD], attributes: [ODD] }],
    ['default_get', { fields: [ODD] }],
    ['onchange', { ids: [], values: ODD, field_names: [ODD], fields_spec: { name: ODD } }],
    ['create', { vals_list: [{ name: 'x', category_id: [ODD] }] }],
    ['create', { vals_list: [{ name: 'x', category_id: [[ODD, 0, 0]] }] }],
    ['create', { vals_list: [{ name: 'x', category_id: [[4, ODD]] }] }],
    ['create', { vals_list: [{ name: 'x', category_id: [[6, 0, [ODD]]] }] }],
    ['create', { vals_list: [{ name: 'x', child_ids: [[0, 0, ODD]] }] }],
    ['create', { vals_list: [{ name: 'x', child_ids: [[1, ODD, {}]] }] }],
  ];
  expect(await failing(calls.map(([method, body]) => [`res.partner/${method}`, body]))).toEqual([]);
});

test('in an email, a campaign and a contact it is taken or refused', async () => {
  const doc = (attrs: unknown, type: unknown = 'button') =>
    JSON.stringify({
      type: 'doc',
      content: [
        { type, attrs, content: ODD },
        { type: 'variable', attrs },
        { type: 'text', text: ODD, marks: [ODD] },
        { type: 'image', attrs },
        { type: 'heading', attrs, content: [{ type: 'variable', attrs }] },
      ],
    });
  const attrs = {
    id: ODD,
    name: ODD,
    text: ODD,
    alt: ODD,
    src: ODD,
    url: ODD,
    href: ODD,
    level: ODD,
    width: ODD,
    height: ODD,
    align: ODD,
    fallback: ODD,
    size: ODD,
  };
  const failed: string[] = [];
  for (const [path, body] of [
    ['templates', { name: 't', subject: 's', content: doc(attrs) }],
    ['templates', { name: 't', subject: 's', content: doc(attrs, ODD) }],
    ['templates', { name: 't', subject: 's', content: doc(ODD) }],
    ['campaigns', { name: 'c', from: 'a@main.test', subject: 's', content: doc(attrs), contactBookId: 'x' }],
    ['emails', mail({ headers: { a: ODD } })],
    ['emails', mail({ headers: ODD })],
    ['emails', mail({ variables: { a: ODD } })],
    ['emails', mail({ text: '{{a}}', variables: { a: ODD } })],
    ['emails', mail({ attachments: [ODD] })],
    ['emails', mail({ to: [ODD] })],
    ['emails', mail({ scheduledAt: ODD })],
    ['contactBooks', { name: 'b', properties: { a: ODD }, variables: [ODD] }],
  ] as const) {
    const { status, text } = await post(`${app.url}/api/v1/${path}`, body, app.main.teamKey);
    if (status >= 500) failed.push(`${path} ${JSON.stringify(body)} ${text}`);
  }
  expect(failed).toEqual([]);
});
