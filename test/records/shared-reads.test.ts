import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { limits } from '../../src/limits.ts';
import { captureStatements } from '../harness/capture-statements.ts';
import { setUp } from '../harness/set-up.ts';
import { openRecordLab } from './lab.ts';

const FIELDS = ['name', 'comment'];
const lab = setUp(openRecordLab);
let ids: number[];
const readPartner = (id: number, key?: string) =>
  lab.json2('res.partner/read', { ids: [id], fields: FIELDS }, key);

beforeAll(async () => {
  const people = Array.from({ length: 60 }, (_, i) => ({
    name: `Reader ${i}`,
    comment: i % 20 === 7 ? `<p>${'x'.repeat(limits.http.largeResponse)}</p>` : `<p>${i}</p>`,
  }));
  ids = await lab.value('res.partner/create', { vals_list: people });
});

const recordStatements = (fn: () => Promise<void>): Promise<string[]> =>
  captureStatements(lab.app.runtime, 'from "res_partner"', fn);

test('returns the requested record to each concurrent caller', async () => {
  // Opens connections in advance, because requests on new connections do not arrive together.
  await Promise.all(ids.map((id) => readPartner(id)));
  const statements = await recordStatements(async () => {
    const answers = await Promise.all([...ids, ...ids].map((id) => readPartner(id)));
    for (const [i, answer] of answers.entries()) {
      expect(answer.status).toBe(200);
      const [row, ...rest] = answer.json();
      expect([row.id, row.name, rest.length]).toEqual([ids[i % 60], `Reader ${i % 60}`, 0]);
      expect(row.comment.length).toBe(
        i % 20 === 7 ? limits.http.largeResponse + 7 : `<p>${i % 60}</p>`.length,
      );
    }
  });
  expect(statements.length).toBeLessThan(120);
  expect(statements.some((text) => text.includes('any('))).toBe(true);
});

test('fails only for missing records and for records hidden by a rule', async () => {
  const { admin, user } = lab.app.main;
  const [model] = await lab.value('ir.model/search', { domain: [['model', '=', 'res.partner']] });
  const [rule] = await lab.value('ir.rule/create', {
    vals_list: [
      { name: 'hidden', model_id: model, domain_force: `[('id', '!=', ${ids[3]})]`, groups: [[6, 0, []]] },
    ],
  });
  const answers = await Promise.all(ids.slice(0, 30).map((id) => readPartner(id, user.key)));
  expect(answers.map(({ status }) => status)).toEqual(ids.slice(0, 30).map((_, i) => (i === 3 ? 403 : 200)));
  await lab.value('ir.rule/unlink', { ids: [rule] });
  const missing = await Promise.all([ids[0]!, 99_999_999, ids[1]!].map((id) => readPartner(id, admin.key)));
  expect(missing.map((answer) => answer.json().length)).toEqual([1, 0, 1]);
});

test('includes earlier writes in each read, without waiting for concurrent writes', async () => {
  await Promise.all(
    ids.slice(0, 20).map(async (id, i) => {
      if (i % 20 === 7) return;
      for (let round = 0; round < 5; round++) {
        await lab.value('res.partner/write', { ids: [id], vals: { name: `Round ${round}` } });
        const [row] = (await readPartner(id)).json();
        expect(row.name).toBe(`Round ${round}`);
      }
    }),
  );
});

test('retries the reads of a failed batch individually', async () => {
  const { db } = lab.app.runtime;
  const { rows } = db;
  let failedCount = 0;
  db.rows = (statement, running) => {
    if (!statement.render().text.includes('any(')) return rows(statement, running);
    failedCount++;
    return rows(sql`select 1 / 0`);
  };
  try {
    const answers = await Promise.all(ids.slice(0, 30).map((id) => readPartner(id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(failedCount).toBeGreaterThan(0);
  } finally {
    db.rows = rows;
  }
});

test('does not mix records with the same id from different workspaces', async () => {
  const otherTenant = await lab.app.tenant('other');
  const [first] = await lab.value(
    'res.partner/create',
    { vals_list: [{ name: 'Theirs' }] },
    otherTenant.admin.key,
  );
  const [ownContact] = await lab.value('res.partner/search', { domain: [['id', '=', first]] });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) => readPartner(first, i % 2 ? otherTenant.admin.key : undefined)),
  );
  const names = answers.map((answer) => answer.json()[0]?.name);
  expect(new Set(names.filter((_, i) => i % 2))).toEqual(new Set(['Theirs']));
  expect(names.filter((_, i) => i % 2 === 0)).not.toContain('Theirs');
  expect(ownContact === undefined || ownContact === first).toBe(true);
});
