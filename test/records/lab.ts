import { expect } from 'vitest';
import { type App, type post, startApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';

export interface RecordLab {
  app: App;
  json2(path: string, body?: unknown, key?: string): ReturnType<typeof post>;
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the method
  value(path: string, body?: unknown, key?: string): Promise<any>;
  expectError(
    path: string,
    body?: unknown,
    key?: string,
  ): Promise<{ status: number; name: string; message: string }>;
  close(): Promise<void>;
}

export async function openRecordLab(): Promise<RecordLab> {
  const app = await startApp();
  const request: RecordLab['json2'] = (path, body = {}, key = app.main.admin.key) =>
    json2(app, path, body, key);
  const lab: RecordLab = {
    app,
    json2: request,
    async value(path, body, key) {
      const answer = await request(path, body, key);
      expect(answer.status, `${path} ${answer.text}`).toBe(200);
      return answer.json();
    },
    async expectError(path, body, key) {
      const answer = await request(path, body, key);
      expect(answer.status, `${path} ${answer.text}`).toBeGreaterThanOrEqual(400);
      return { status: answer.status, ...answer.json() };
    },
    close: () => app.close(),
  };
  return lab;
}

/** Types of fields without options. The field of each type is named `x_<type>`. */
const PLAIN_TYPES = [
  'char',
  'text',
  'html',
  'integer',
  'float',
  'boolean',
  'date',
  'datetime',
  'binary',
  'json',
];

export async function makeLab({ value }: RecordLab): Promise<void> {
  const [group] = await value('res.groups/search', { domain: [['full_name', 'ilike', 'user']], limit: 1 });
  const access_ids = [[0, 0, { name: 'lab', group_id: group, ...ALL_RIGHTS }]];
  const [lab] = await value('ir.model/create', { vals_list: { name: 'Lab', model: 'x_lab', access_ids } });
  const [line] = await value('ir.model/create', {
    vals_list: { name: 'Line', model: 'x_lab_line', access_ids },
  });
  const add = (model_id: number, name: string, ttype: string, overrides = {}) =>
    value('ir.model.fields/create', { vals_list: { model_id, name, ttype, state: 'manual', ...overrides } });
  for (const type of PLAIN_TYPES) await add(lab, `x_${type}`, type);
  await add(lab, 'x_selection', 'selection', { selection: "[('a','Aaa'),('b','Bbb')]" });
  await add(lab, 'x_country_id', 'many2one', { relation: 'res.country' });
  await add(lab, 'x_tag_ids', 'many2many', { relation: 'res.partner.category' });
  await add(lab, 'x_ref', 'reference', {
    selection: "[('res.partner','Partner'),('res.country','Country')]",
  });
  await add(lab, 'x_currency_id', 'many2one', { relation: 'res.currency' });
  await add(lab, 'x_money', 'monetary', { currency_field: 'x_currency_id' });
  await add(lab, 'x_code', 'char', { related: 'x_country_id.code', readonly: true });
  await add(line, 'x_lab_id', 'many2one', { relation: 'x_lab', on_delete: 'cascade' });
  await add(line, 'x_qty', 'float');
  await add(lab, 'x_line_ids', 'one2many', { relation: 'x_lab_line', relation_field: 'x_lab_id' });
}

const ALL_RIGHTS = { perm_read: true, perm_write: true, perm_create: true, perm_unlink: true };
