import { expect, test } from 'vitest';
import { post, setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import { buildMail } from '../harness/facades/rest.ts';
import { createScene } from './scene.ts';

// Objects whose properties JavaScript calls when it converts the object to a string or number.

const ODD_OBJECT = { toString: 1, valueOf: 1 };

const app = setUpApp();
const scene = createScene(app);

async function findFailing(calls: [path: string, body: object][]): Promise<string[]> {
  const failed: string[] = [];
  for (const [path, body] of calls) {
    const { status } = await json2(app, path, body, app.main.admin.key);
    if (status >= 500) failed.push(`${path} ${JSON.stringify(body)}`);
  }
  return failed;
}

test('never fails unexpectedly for an object as the value of any field', { tags: 'soak' }, async () => {
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
      [`${model.name}/create`, { vals_list: [{ name: 'x', [field]: ODD_OBJECT }] }],
      [`${model.name}/create`, { vals_list: [{ [field]: ODD_OBJECT }] }],
      [`${model.name}/create`, { vals_list: [{ name: 'x', [field]: [ODD_OBJECT] }] }],
      [
        `${model.name}/onchange`,
        {
          ids: [],
          values: { [field]: ODD_OBJECT },
          field_names: [field],
          fields_spec: { display_name: {}, [field]: {} },
        },
      ],
      [`${model.name}/load`, { fields: [field], data: [[ODD_OBJECT]] }],
      [`${model.name}/search`, { domain: [[field, '=', ODD_OBJECT]] }],
      [`${model.name}/default_get`, { fields: [field], context: { [`default_${field}`]: ODD_OBJECT } }],
      ...(ids[model.name]
        ? [
            [`${model.name}/write`, { ids: [ids[model.name]], vals: { [field]: ODD_OBJECT } }] as [
              string,
              object,
            ],
          ]
        : []),
    ]),
  );
  expect(await findFailing(calls)).toEqual([]);
});

test.each([
  ['svc.contact.book', 'name', {}],
  ['svc.contact.book', 'emoji', { name: 'a' }],
  ['svc.contact.book', 'double_opt_in_from', { name: 'b' }],
  ['svc.contact.book', 'double_opt_in_subject', { name: 'c' }],
  ['svc.contact.book', 'double_opt_in_content', { name: 'd' }],
  ['svc.template', 'name', {}],
  ['svc.template', 'subject', { name: 'e' }],
])('never fails unexpectedly for a number or true as %s.%s', async (model, field, overrides) => {
  const values = [3, true, 5e-324];
  const calls = values.flatMap((value): [string, object][] => [
    [`${model}/create`, { vals_list: [{ ...overrides, [field]: value }] }],
    [
      `${model}/onchange`,
      { ids: [], values: { [field]: value }, field_names: [field], fields_spec: { [field]: {} } },
    ],
  ]);
  expect(await findFailing(calls)).toEqual([]);
});

test('never fails unexpectedly for contact book variables that are not text', async () => {
  const vals_list = [{ name: 'f', variables: [-1] }];
  expect(await findFailing([['svc.contact.book/create', { vals_list }]])).toEqual([]);
});

test('never fails unexpectedly for objects in query arguments', async () => {
  const on = { domain: [] };
  const calls: [string, object][] = [
    ['search', { domain: [ODD_OBJECT] }],
    ['search', { domain: [[ODD_OBJECT, '=', 1]] }],
    ['search', { domain: [['name', ODD_OBJECT, 1]] }],
    ['search', { domain: [['name', 'in', [ODD_OBJECT]]] }],
    ['search', { domain: [['child_ids', 'any', ODD_OBJECT]] }],
    ['search', { domain: [['child_ids', 'any', [ODD_OBJECT]]] }],
    [
      'search',
      {
        ...on,
        context: {
          lang: ODD_OBJECT,
          tz: ODD_OBJECT,
          allowed_company_ids: [ODD_OBJECT],
          active_test: ODD_OBJECT,
        },
      },
    ],
    ['search_read', { ...on, fields: [ODD_OBJECT] }],
    ['read', { ids: [1], fields: [ODD_OBJECT], load: null }],
    ['web_search_read', { ...on, specification: { name: ODD_OBJECT } }],
    ['web_search_read', { ...on, specification: { child_ids: { fields: ODD_OBJECT } } }],
    [
      'web_search_read',
      { ...on, specification: { child_ids: { fields: {}, order: ODD_OBJECT, limit: ODD_OBJECT } } },
    ],
    ['web_search_read', { ...on, specification: { child_ids: { fields: {}, context: ODD_OBJECT } } }],
    ['web_search_read', { ...on, specification: ODD_OBJECT }],
    ['read_group', { ...on, groupby: [ODD_OBJECT], fields: [] }],
    ['read_group', { ...on, groupby: ['color'], fields: [ODD_OBJECT] }],
    ['formatted_read_group', { ...on, groupby: [ODD_OBJECT] }],
    ['formatted_read_group', { ...on, groupby: ['color'], aggregates: [ODD_OBJECT] }],
    ['formatted_read_group', { ...on, groupby: ['color'], having: [[ODD_OBJECT, '>', 1]] }],
    ['formatted_read_group', { ...on, groupby: ['color'], having: [['__count', ODD_OBJECT, 1]] }],
    ['formatted_read_group', { ...on, groupby: ['color'], having: [['__count', '>', ODD_OBJECT]] }],
    ['formatted_read_group', { ...on, groupby: ['color'], having: [ODD_OBJECT] }],
    ['formatted_read_grouping_sets', { ...on, grouping_sets: [[ODD_OBJECT]] }],
    ['export_data', { ids: [1], fields_to_export: [ODD_OBJECT] }],
    ['load', { fields: [ODD_OBJECT], data: [['x']] }],
    ['load', { fields: ['name'], data: [ODD_OBJECT] }],
    ['fields_get', { allfields: [ODD_OBJECT], attributes: [ODD_OBJECT] }],
    ['default_get', { fields: [ODD_OBJECT] }],
    [
      'onchange',
      { ids: [], values: ODD_OBJECT, field_names: [ODD_OBJECT], fields_spec: { name: ODD_OBJECT } },
    ],
    ['create', { vals_list: [{ name: 'x', category_id: [ODD_OBJECT] }] }],
    ['create', { vals_list: [{ name: 'x', category_id: [[ODD_OBJECT, 0, 0]] }] }],
    ['create', { vals_list: [{ name: 'x', category_id: [[4, ODD_OBJECT]] }] }],
    ['create', { vals_list: [{ name: 'x', category_id: [[6, 0, [ODD_OBJECT]]] }] }],
    ['create', { vals_list: [{ name: 'x', child_ids: [[0, 0, ODD_OBJECT]] }] }],
    ['create', { vals_list: [{ name: 'x', child_ids: [[1, ODD_OBJECT, {}]] }] }],
  ];
  expect(await findFailing(calls.map(([method, body]) => [`res.partner/${method}`, body]))).toEqual([]);
});

test('never fails unexpectedly for objects in an email, campaign or contact', async () => {
  const buildDoc = (attrs: unknown, type: unknown = 'button') =>
    JSON.stringify({
      type: 'doc',
      content: [
        { type, attrs, content: ODD_OBJECT },
        { type: 'variable', attrs },
        { type: 'text', text: ODD_OBJECT, marks: [ODD_OBJECT] },
        { type: 'image', attrs },
        { type: 'heading', attrs, content: [{ type: 'variable', attrs }] },
      ],
    });
  const attrs = {
    id: ODD_OBJECT,
    name: ODD_OBJECT,
    text: ODD_OBJECT,
    alt: ODD_OBJECT,
    src: ODD_OBJECT,
    url: ODD_OBJECT,
    href: ODD_OBJECT,
    level: ODD_OBJECT,
    width: ODD_OBJECT,
    height: ODD_OBJECT,
    align: ODD_OBJECT,
    fallback: ODD_OBJECT,
    size: ODD_OBJECT,
  };
  const failed: string[] = [];
  for (const [path, body] of [
    ['templates', { name: 't', subject: 's', content: buildDoc(attrs) }],
    ['templates', { name: 't', subject: 's', content: buildDoc(attrs, ODD_OBJECT) }],
    ['templates', { name: 't', subject: 's', content: buildDoc(ODD_OBJECT) }],
    [
      'campaigns',
      { name: 'c', from: 'a@main.test', subject: 's', content: buildDoc(attrs), contactBookId: 'x' },
    ],
    ['emails', buildMail({ headers: { a: ODD_OBJECT } })],
    ['emails', buildMail({ headers: ODD_OBJECT })],
    ['emails', buildMail({ variables: { a: ODD_OBJECT } })],
    ['emails', buildMail({ text: '{{a}}', variables: { a: ODD_OBJECT } })],
    ['emails', buildMail({ attachments: [ODD_OBJECT] })],
    ['emails', buildMail({ to: [ODD_OBJECT] })],
    ['emails', buildMail({ scheduledAt: ODD_OBJECT })],
    ['contactBooks', { name: 'b', properties: { a: ODD_OBJECT }, variables: [ODD_OBJECT] }],
  ] as const) {
    const { status, text } = await post(`${app.url}/api/v1/${path}`, body, app.main.teamKey);
    if (status >= 500) failed.push(`${path} ${JSON.stringify(body)} ${text}`);
  }
  expect(failed).toEqual([]);
});
