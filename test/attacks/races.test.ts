import { beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setUp } from '../harness/set-up.ts';
import { subscribe } from '../live/listen.ts';
import { makeLab, openRecordLab } from '../records/lab.ts';

// Batched and separate requests have the same results, even with unusual values, changing rules and subscribers.

const lab = setUp(openRecordLab);
let workspace: number;
beforeAll(async () => {
  await makeLab(lab);
  workspace = lab.app.main.ctx.workspace.id;
});
// Requests on new connections are not batched.
beforeEach(async () => {
  await Promise.all(Array.from({ length: 40 }, () => lab.value('crm.lead/search_count', { domain: [] })));
});

const ODD_VALUES: unknown[] = [
  ...[
    '',
    ' ',
    'a\u0000b',
    '\u2028"\\',
    '\u0001\u007f',
    'e\u0301',
    '{"a":1}',
    '\\u0000',
    'null',
    '😀'.repeat(50),
  ],
  ...[null, false, true, 0, -0, 1.5, 1e-7, 0.1 + 0.2, 1e15 + 0.3, 2 ** 31, 2 ** 53, 1e300, 5e-324],
  ...[
    '12',
    '1e5',
    ' 7 ',
    'NaN',
    'Infinity',
    'AA==',
    'QUJD',
    'a',
    '<p onclick="x">&lt;é</p>',
    'res.partner,1',
  ],
  ...['2024-02-29', '2023-02-29', '0001-01-01', '9999-12-31 23:59:59', '2024-02-29T23:59:59.123456'],
  ...[[], [1], [null], {}, { a: null, b: [1, { c: 'x' }], d: 1e21, e: -0 }],
];

/** Sent alone, these values make the request fail. */
const BROKEN = ['\ud800', 'x\udfffy', { a: '\ud800' }, { a: '\u0000' }];

const FIELDS: Record<string, string[]> = {
  x_lab: [
    'x_char',
    'x_html',
    'x_integer',
    'x_float',
    'x_date',
    'x_datetime',
    'x_binary',
    'x_json',
    'x_selection',
  ],
  'crm.lead': ['city', 'description', 'probability', 'color', 'date_deadline', 'priority', 'partner_id'],
};
const CASES = Object.entries(FIELDS).flatMap(([model, fields]) => fields.map((field) => ({ model, field })));

async function tryWrite(model: string, id: number, vals: object): Promise<string> {
  const answer = await lab.json2(`${model}/write`, { ids: [id], vals });
  if (answer.status !== 200) return `${answer.status} ${answer.json().message}`;
  const [row] = await lab.value(`${model}/read`, { ids: [id], fields: Object.keys(vals) });
  return JSON.stringify({ ...row, id: null });
}

test.each(CASES)(
  'stores edge-case values in $field of $model identically in a batch and in separate requests',
  async ({ model, field }) => {
    for (const values of [ODD_VALUES, [...BROKEN, ...ODD_VALUES.slice(0, 10)]]) {
      const vals_list = values.flatMap(() => [{ ...(model === 'crm.lead' && { name: 'odd' }) }]);
      const [first, second]: number[][] = [
        await lab.value(`${model}/create`, { vals_list }),
        await lab.value(`${model}/create`, { vals_list }),
      ];
      const sequential: string[] = [];
      for (const [i, value] of values.entries())
        sequential.push(await tryWrite(model, first![i]!, { [field]: value }));
      const concurrent = values.map((value, i) => tryWrite(model, second![i]!, { [field]: value }));
      expect(await Promise.all(concurrent)).toEqual(sequential);
    }
  },
);

test('rejects a write if a concurrent change makes a rule exclude the record', async () => {
  const { user } = lab.app.main;
  const [model_id] = await lab.value('ir.model/search', { domain: [['model', '=', 'mail.activity.type']] });
  const access = { name: 'all', model_id, perm_read: true, perm_write: true };
  await lab.value('ir.model.access/create', { vals_list: [access] });
  const rule = { name: 'r', model_id, domain_force: "[('icon', '!=', 'gone')]", groups: [[6, 0, []]] };
  await lab.value('ir.rule/create', { vals_list: [rule] });
  for (let round = 0; round < 10; round++) {
    const ids: number[] = await lab.value('mail.activity.type/create', {
      vals_list: Array.from({ length: 30 }, () => ({ name: 'r', icon: 'here', summary: 'before' })),
    });
    const write = (id: number) =>
      lab.json2('mail.activity.type/write', { ids: [id], vals: { summary: 'after' } }, user.key);
    const writes = Promise.all(ids.map(write));
    const leftovers: string[] = [];
    for (const id of ids) {
      const [row] = await lab.app.runtime.db.rows<{ summary: string }>(
        sql`update mail_activity_type set icon = 'gone' where workspace_id = ${workspace} and id = ${id} returning summary`,
      );
      leftovers.push(row!.summary);
    }
    const statuses = (await writes).map(({ status }) => status);
    expect(statuses).toEqual(leftovers.map((summary) => (summary === 'after' ? 200 : 403)));
    const rows = await lab.app.runtime.db.rows<{ summary: string }>(
      sql`select summary from mail_activity_type where workspace_id = ${workspace} and id = any(${ids}) order by id`,
    );
    expect(rows.map(({ summary }) => summary)).toEqual(leftovers);
  }
});

test('delivers each change to a subscriber once', async () => {
  const query = 'subscription { live(topics: [{ model: "crm.tag" }]) { kind id } }';
  const subscription = await subscribe(lab.app.url, { key: lab.app.main.admin.key, query });
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, i) => lab.value('crm.tag/create', { vals_list: [{ name: `tag ${i}` }] })),
  );
  const ids: number[] = responses.flat();
  await subscription.waitForEvents(40);
  await Promise.all(ids.map((id) => lab.value('crm.tag/write', { ids: [id], vals: { color: 3 } })));
  const events = await subscription.waitForEvents(80);
  const getIds = (wantedKind: string) =>
    events.filter(({ kind }) => kind === wantedKind).map(({ id }) => Number(id));
  const inOrder = ids.toSorted((a, b) => a - b);
  expect(getIds('CREATED').toSorted((a, b) => a - b)).toEqual(inOrder);
  expect(getIds('UPDATED').toSorted((a, b) => a - b)).toEqual(inOrder);
  subscription.close();
});
