import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { setUp } from '../harness/set-up.ts';
import { makeLab, openRecordLab } from './lab.ts';

const lab = setUp(openRecordLab);
beforeAll(() => makeLab(lab));

const loadField = async (model: string, name: string) =>
  (await lab.value(`${model}/fields_get`, { allfields: [name] }))[name];

const COMMON_ATTRIBUTES = {
  change_default: false,
  company_dependent: false,
  default_export_compatible: false,
  depends: [],
  exportable: true,
  groupable: true,
  manual: true,
  readonly: false,
  required: false,
  searchable: true,
  sortable: true,
  store: true,
};
const RELATION = { allow_hierachy_operators: false, context: {}, domain: [] };

describe('field attributes', () => {
  test.each<[string, string, object]>([
    ['x_char', 'char', { translate: false, trim: true }],
    ['x_text', 'text', { translate: false }],
    ['x_integer', 'integer', { aggregator: 'sum' }],
    ['x_float', 'float', { aggregator: 'sum' }],
    ['x_boolean', 'boolean', {}],
    ['x_date', 'date', {}],
    ['x_datetime', 'datetime', {}],
    ['x_binary', 'binary', { attachment: true, groupable: false, sortable: false }],
    ['x_json', 'json', { groupable: false, sortable: false }],
    [
      'x_selection',
      'selection',
      {
        selection: [
          ['a', 'Aaa'],
          ['b', 'Bbb'],
        ],
      },
    ],
    ['x_country_id', 'many2one', { ...RELATION, relation: 'res.country' }],
    [
      'x_tag_ids',
      'many2many',
      { ...RELATION, allow_hierachy_operators: true, relation: 'res.partner.category', sortable: false },
    ],
    [
      'x_line_ids',
      'one2many',
      { ...RELATION, relation: 'x_lab_line', relation_field: 'x_lab_id', sortable: false, groupable: false },
    ],
    [
      'x_code',
      'char',
      {
        related: 'x_country_id.code',
        depends: ['x_country_id.code'],
        store: false,
        readonly: true,
        translate: false,
        trim: true,
      },
    ],
  ])('of %s are exactly those of its type', async (name, type, overrides) => {
    const info = await loadField('x_lab', name);
    expect(info).toEqual({ ...COMMON_ATTRIBUTES, name, type, string: expect.any(String), ...overrides });
    expect(Object.keys(info)).toEqual(Object.keys(info).sort());
  });

  test('of an html field describe how it is sanitized', async () => {
    expect(await loadField('x_lab', 'x_html')).toMatchObject({
      sanitize: true,
      sanitize_attributes: true,
      sanitize_style: false,
      sanitize_tags: true,
      strip_classes: false,
      strip_style: false,
      translate: false,
    });
  });

  test('of a reference field list the allowed models', async () => {
    const { selection } = await loadField('x_lab', 'x_ref');
    expect(selection).toEqual([
      ['res.partner', 'Partner'],
      ['res.country', 'Country'],
    ]);
  });

  test('of id and display_name are the same in every model', async () => {
    const core = { ...COMMON_ATTRIBUTES, manual: false, readonly: true };
    expect(await loadField('x_lab', 'id')).toEqual({ ...core, name: 'id', string: 'ID', type: 'integer' });
    expect(await loadField('res.partner', 'display_name')).toMatchObject({
      groupable: false,
      readonly: true,
      searchable: true,
      sortable: false,
      store: false,
      string: 'Display Name',
      type: 'char',
    });
  });

  test('of a monetary field include its currency field, and omit an empty help text', async () => {
    expect(await loadField('crm.lead', 'expected_revenue')).toMatchObject({
      aggregator: 'sum',
      currency_field: 'company_currency',
      type: 'monetary',
    });
    expect(await loadField('x_lab', 'x_char')).not.toHaveProperty('help');
  });
});

describe('fields_get', () => {
  test.each<[object, unknown]>([
    [{ allfields: ['x_char', 'nope'], attributes: ['type', 'nope'] }, { x_char: { type: 'char' } }],
    [{ allfields: ['x_char'], attributes: [] }, { x_char: {} }],
  ])('returns only the requested fields and attributes for %j', async (body, expected) => {
    expect(await lab.value('x_lab/fields_get', body)).toEqual(expected);
  });

  test('returns all fields if none is named', async () => {
    const readNames = async (body: object) => Object.keys(await lab.value('x_lab/fields_get', body));
    expect(await readNames({ allfields: [] })).toEqual(await readNames({}));
    expect(await readNames({ allfields: null })).toContain('write_uid');
  });

  test('requires no permission on the model, and returns the same result without permission', async () => {
    const { key } = lab.app.main.user;
    const body = { allfields: ['name'], attributes: ['readonly', 'type'] };
    expect(await lab.value('res.partner/fields_get', body, key)).toEqual({
      name: { readonly: false, type: 'char' },
    });
    expect(
      await lab.value('svc.audit.event/fields_get', { allfields: ['id'], attributes: ['type'] }, key),
    ).toEqual({
      id: { type: 'integer' },
    });
  });
});

test('returns the fields that clients of Odoo 19 read, except those listed in the guide', async () => {
  const expectedFields: Record<string, string> = JSON.parse(
    readFileSync('test/fixtures/odoo19-fields.json', 'utf8'),
  );
  const { '*': everywhere, ...models } = expectedFields;
  const guide = readFileSync('docs/guides/odoo-clients.md', 'utf8').split('## Unsupported fields')[1]!;
  const rows = [...guide.matchAll(/^\| `([\w.]+)` \| (.*?) \| (.*) \|$/gm)];
  const listed = rows.map(([, model, names]) => [model, names!.replaceAll('`', '').split(', ').sort()]);
  const known = new Set<string>(
    (await lab.value('ir.model/search_read', { domain: [], fields: ['model'] })).map(
      ({ model }: { model: string }) => model,
    ),
  );
  const missing: [string, string[]][] = [];
  for (const [model, names] of Object.entries(models).filter(([model]) => known.has(model))) {
    const fields = await lab.value(`${model}/fields_get`, { attributes: ['type'] });
    const absent = `${everywhere} ${names}`.split(' ').filter((name) => !(name in fields));
    if (absent.length > 0) missing.push([model, absent.sort()]);
  }
  expect(known.size).toBeGreaterThan(40);
  expect(missing).toEqual(listed);
  expect(rows.filter(([, , , reason]) => !/^[A-Z].+\.$/.test(reason!))).toEqual([]);
});
