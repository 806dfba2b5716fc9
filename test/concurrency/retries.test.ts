import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_TRANSACTION_ATTEMPTS } from '../../src/db/pool.ts';
import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { write } from '../../src/engine/write/write.ts';
import { setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import { until } from '../harness/wait.ts';
import { createScene, loadRows } from '../rights/scene.ts';
import { provokeErrors } from './provoke.ts';

const app = setUpApp();
const scene = createScene(app);
let ctx: Ctx;

beforeAll(async () => {
  const userGroup = await scene.groupId('base.group_user');
  await scene.addModel('x_box', [{ name: 'x_fast', ttype: 'integer', index: true }], userGroup);
  const workspace = (await app.runtime.identity.workspace('main'))!;
  ctx = app.main.ctx.with({ workspace });
});

const call = (path: string, body: object) => json2(app, path, body, app.main.admin.key);

describe('retries after a conflict in PostgreSQL', () => {
  let serial = 0;
  const name = () => `name ${++serial}`;
  const cases: [string, string, (id: number) => Promise<{ status: number; text: string }>][] = [
    [
      'one statement that creates',
      'crm_tag',
      () => call('crm.tag/create', { vals_list: [{ name: name() }] }),
    ],
    [
      'one statement that writes',
      'crm_tag',
      (id) => call('crm.tag/write', { ids: [id], vals: { name: name() } }),
    ],
    [
      'a create with hooks',
      'res_partner',
      () => call('res.partner/create', { vals_list: [{ name: name() }] }),
    ],
    [
      'a create with lines',
      'res_partner',
      () =>
        call('res.partner/create', {
          vals_list: [{ name: name(), child_ids: [[0, 0, { name: 'line' }]] }],
        }),
    ],
    ['a delete', 'crm_tag', (id) => call('crm.tag/unlink', { ids: [id] })],
    [
      'a look-up that is written after the record',
      'ir_field_index',
      () => call('x_box/create', { vals_list: [{ x_name: name(), x_fast: 7 }] }),
    ],
    ['an audited change', 'res_groups', () => call('res.groups/create', { vals_list: [{ name: name() }] })],
    [
      'the line in the audit trail itself',
      'svc_audit_event',
      () => call('res.groups/create', { vals_list: [{ name: name() }] }),
    ],
    [
      'a method',
      'crm_lead',
      async () => {
        const id = await leads.pop()!;
        return call('crm.lead/action_set_won', { ids: [id] });
      },
    ],
  ];
  let leads: number[];
  beforeAll(async () => {
    leads = await scene.admin.value('crm.lead/create', { vals_list: [{ name: 'a' }, { name: 'b' }] });
  });

  test.each(
    cases.flatMap(([label, table, run]) =>
      ['40001', '40P01'].map((code) => [label, code, table, run] as const),
    ),
  )('succeed: %s (%s)', async (_what, code, table, run) => {
    const id = await scene.create('crm.tag', { name: name() });
    const end = await provokeErrors(app, table, code, 2);
    const response = await run(id);
    expect(await end()).toBeGreaterThan(2);
    expect(response.status, response.text).toBe(200);
  });

  test('leave nothing behind from the failed attempts', async () => {
    const tables = ['res_partner', 'mail_message', 'svc_audit_event', 'ir_field_index', 'res_groups'];
    const countRows = async () =>
      Promise.all(
        tables.map(async (table) => JSON.parse(await loadRows(app, app.main, table))[1].length as number),
      );
    const before = await countRows();
    const end = await provokeErrors(app, 'res_partner', '40001', 3);
    const answer = await call('res.partner/create', {
      vals_list: [
        {
          name: 'P',
          child_ids: [
            [0, 0, { name: 'L1' }],
            [0, 0, { name: 'L2' }],
          ],
        },
      ],
    });
    await end();
    expect(answer.status, answer.text).toBe(200);
    const trigger = await provokeErrors(app, 'res_groups', '40001', 1);
    await scene.create('res.groups', { name: 'G' });
    await trigger();
    const countsBefore = await countRows();
    const end2 = await provokeErrors(app, 'res_partner', '40001', 0);
    await call('res.partner/create', {
      vals_list: [
        {
          name: 'P',
          child_ids: [
            [0, 0, { name: 'L1' }],
            [0, 0, { name: 'L2' }],
          ],
        },
      ],
    });
    await end2();
    await scene.create('res.groups', { name: 'G2' });
    const after = await countRows();
    expect(countsBefore.map((n, i) => n - before[i]!)).toEqual(after.map((n, i) => n - countsBefore[i]!));
    expect(countsBefore[0]! - before[0]!).toBe(3);
  });

  test('stop after a few attempts with an error that asks for a retry', async () => {
    const before = await loadRows(app, app.main, 'res_partner', 'crm_tag');
    for (const [table, path, values] of [
      ['res_partner', 'res.partner/create', { name: 'never' }],
      ['crm_tag', 'crm.tag/create', { name: 'never' }],
    ] as const) {
      const end = await provokeErrors(app, table, '40001', 1000);
      const answer = await call(path, { vals_list: [values] });
      const tried = await end();
      expect([answer.status, answer.json().name]).toEqual([503, 'odoo.exceptions.LockError']);
      expect(answer.text).toMatch(/Try again/);
      expect(tried).toBe(MAX_TRANSACTION_ATTEMPTS);
    }
    expect(await loadRows(app, app.main, 'res_partner', 'crm_tag')).toBe(before);
  });

  test('are not made after other errors', async () => {
    const end = await provokeErrors(app, 'crm_tag', '23514', 1000);
    const answer = await call('crm.tag/create', { vals_list: [{ name: 'checked' }] });
    expect(await end()).toBe(1);
    expect(answer.status).toBe(422);
  });
});

function createBarrier(count: number): () => Promise<void> {
  let open: () => void = () => undefined;
  const all = new Promise<void>((resolve) => {
    open = resolve;
  });
  return async () => {
    if (--count === 0) open();
    await all;
  };
}

describe('engine transactions', () => {
  test('complete after a deadlock and run their commit hooks once', async () => {
    const [a, b] = await scene.admin.value('crm.tag/create', { vals_list: [{ name: 'A' }, { name: 'B' }] });
    const meet = createBarrier(2);
    let tries = 0;
    const committed: string[] = [];
    const outcomes: string[] = [];
    const writeBoth = async (name: string, first: number, second: number) =>
      ctx.tx(async (tx) => {
        tries++;
        tx.afterCommit(() => committed.push(name));
        await tx.afterEnd(async () => {
          outcomes.push(name);
        });
        await write(tx, 'crm.tag', [first], { color: 1 });
        await meet();
        await write(tx, 'crm.tag', [second], { color: 2 });
        return name;
      });
    expect(await Promise.all([writeBoth('one', a, b), writeBoth('two', b, a)])).toEqual(['one', 'two']);
    expect(tries).toBeGreaterThan(2);
    expect(committed.sort()).toEqual(['one', 'two']);
    expect(outcomes).toHaveLength(tries);
  });

  test('eventually succeed after serialization failures', async () => {
    const [a, b] = await scene.admin.value('crm.tag/create', {
      vals_list: [
        { name: 'C', color: 1 },
        { name: 'D', color: 1 },
      ],
    });
    const meet = createBarrier(2);
    let tries = 0;
    // Each transaction writes the sum of both tags' colors to its own tag.
    const sum = (ownId: number) =>
      ctx.tx(async (tx) => {
        tries++;
        await tx.db.rows(sql`set transaction isolation level serializable`);
        const rows = await tx.db.rows<{ n: number }>(
          sql`select sum(color)::int as n from crm_tag where workspace_id = ${tx.workspace.id} and id = any(${[a, b]})`,
        );
        await meet();
        await write(tx, 'crm.tag', [ownId], { color: rows[0]!.n });
      });
    await Promise.all([sum(a), sum(b)]);
    expect(tries).toBe(3);
    const rows = await scene.admin.value('crm.tag/read', { ids: [a, b], fields: ['color'] });
    expect(rows.map((row: { color: number }) => row.color).sort()).toEqual([2, 3]);
  });

  test('are not retried and run no hooks if they are rejected', async () => {
    let tries = 0;
    const hooks: string[] = [];
    const failing = ctx.tx(async (tx) => {
      tries++;
      tx.afterCommit(() => hooks.push('commit'));
      await write(tx, 'crm.tag', [2_000_000_011], { color: 1 });
    });
    await expect(failing).rejects.toThrow(/does not exist/);
    expect([tries, hooks]).toEqual([1, []]);
  });
});

const WAITING_SQL = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

describe('a write that waits for another transaction', () => {
  let otherClient: pg.Client;
  beforeAll(async () => {
    otherClient = new pg.Client({ connectionString: app.databaseUrl });
    await otherClient.connect();
  });
  afterAll(() => otherClient?.end());

  /**
   * Makes a change in a transaction, starts a call that waits for it, and commits.
   * @returns the response of the call
   */
  async function callDuringTransaction(
    sql: string,
    params: unknown[],
    path: string,
    body: object,
    key: string,
  ) {
    await otherClient.query('begin');
    await otherClient.query(sql, params);
    const answer = json2(app, path, body, key);
    await until(
      async () => (await app.runtime.db.pool.query(WAITING_SQL)).rowCount,
      'the call waits for the change',
    );
    await otherClient.query('commit');
    return answer;
  }

  test('is rejected if the record no longer matches the record rule', async () => {
    const group = await scene.addGroup('Late');
    const latePerson = await scene.addPerson('late', [group]);
    await scene.grant('crm.tag', group, 'crwu');
    await scene.create('ir.rule', {
      name: 'low',
      model_id: await scene.modelId('crm.tag'),
      domain_force: "[('color', '<', 5)]",
      groups: [[6, 0, [group]]],
    });
    const ids: number[] = await scene.admin.value('crm.tag/create', {
      vals_list: ['x', 'y', 'z'].map((item) => ({ name: `late ${item}`, color: 1 })),
    });
    const leave = `update crm_tag set color = 9 where workspace_id = $1 and id = any($2)`;
    const params = [ctx.workspace.id, ids];
    const vals = { name: 'changed' };
    const one = await callDuringTransaction(
      leave,
      params,
      'crm.tag/write',
      { ids: [ids[0]], vals },
      latePerson.key,
    );
    expect(one.status, one.text).toBe(403);
    await scene.admin.value('crm.tag/write', { ids, vals: { color: 1 } });
    const bulkWrite = await callDuringTransaction(
      leave,
      params,
      'crm.tag/write',
      { ids, vals: { color: 2 } },
      latePerson.key,
    );
    expect(bulkWrite.status, bulkWrite.text).toBe(403);
    await scene.admin.value('crm.tag/write', { ids, vals: { color: 1 } });
    const response = await callDuringTransaction(
      leave,
      params,
      'crm.tag/unlink',
      { ids: [ids[2]] },
      latePerson.key,
    );
    expect(response.status, response.text).toBe(403);
    const rows = await scene.admin.value('crm.tag/read', { ids, fields: ['name', 'color'] });
    expect(rows.map((row: object) => JSON.stringify(row)).join()).not.toMatch(/changed/);
    expect(rows).toHaveLength(3);
  });

  test('reports the record as missing if it has been deleted', async () => {
    const id = await scene.create('x_box', { x_name: 'going', x_fast: 3 });
    const deletion = `delete from ir_record where workspace_id = $1 and id = $2`;
    const answer = await callDuringTransaction(
      deletion,
      [ctx.workspace.id, id],
      'x_box/write',
      { ids: [id], vals: { x_fast: 4 } },
      app.main.admin.key,
    );
    expect(answer.status, answer.text).toBe(404);
  });
});
