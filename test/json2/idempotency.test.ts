import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { create } from '../../src/engine/write/write.ts';
import { errors } from '../../src/errors.ts';
import { setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import type { Tenant } from '../harness/tenant.ts';
import { expectError } from './error.ts';

/** The operation below calls `onStart` when it starts, and then waits for `open`. */
const gate: { onStart: () => void; open: Promise<void> } = {
  onStart: () => undefined,
  open: Promise.resolve(),
};

defineOperation('testWrite', {
  effects: ['writes'],
  address: 'res.partner/test_write',
  policy: { auth: ['USER'], scope: 'write' },
  description: 'Makes a contact, waits, and fails when asked to.',
  args: (arg) => ({ name: arg.string({ required: true }), fail: arg.boolean() }),
  run: async (ctx, { name, fail }) => {
    const ids = await create(ctx, 'res.partner', [{ name }]);
    gate.onStart();
    await gate.open;
    if (fail) throw errors.user('This one fails.');
    return ids;
  },
});

const app = setUpApp();
let acme: Tenant;
beforeAll(async () => {
  acme = await app.tenant('acme');
});

const callOnce = (method: string, body: object, key: string, bearer = app.main.admin.key) =>
  json2(app, `res.partner/${method}`, body, bearer, { 'idempotency-key': key });
const make = (name: string, key: string, bearer?: string) =>
  callOnce('create', { vals_list: [{ name }] }, key, bearer);
const countNamed = (name: string, tenant = app.main): Promise<number> =>
  tenant.ctx.db.value<number>(
    sql`select count(*)::int from res_partner where workspace_id = ${tenant.ctx.workspace.id} and name = ${name}`,
  );
const isReplayed = (response: { headers: Headers }) => response.headers.get('idempotency-replayed');

describe('a write with an Idempotency-Key', () => {
  test('runs once, and returns the first response for every repeated request', async () => {
    const first = await make('Once', 'once-1');
    expect([first.status, isReplayed(first)]).toEqual([200, null]);
    for (let i = 0; i < 3; i++) {
      const repeated = await make('Once', 'once-1');
      expect([repeated.status, repeated.text, isReplayed(repeated)]).toEqual([200, first.text, 'true']);
    }
    expect(await countNamed('Once')).toBe(1);
    await make('Once', 'once-2');
    expect(await countNamed('Once')).toBe(2);
  });

  test('is rejected if its key was used for a different request, and changes nothing', async () => {
    await make('Mine', 'other-1');
    const vals = { ids: [1], vals: { name: 'Other' } };
    for (const answer of [await make('Other', 'other-1'), await callOnce('write', vals, 'other-1')]) {
      expectError(answer, 422, 'werkzeug.exceptions.UnprocessableEntity', /Idempotency-Key.*another request/);
    }
    expect(await countNamed('Other')).toBe(0);
  });

  test('stores no response if it fails, so a retry runs it again', async () => {
    const callFailing = (fail: boolean) => callOnce('test_write', { name: 'Failing', fail }, 'fail-1');
    for (let i = 0; i < 2; i++) {
      expectError(await callFailing(true), 422, 'odoo.exceptions.UserError', /This one fails/);
      expect(await countNamed('Failing')).toBe(0);
    }
    expect((await callFailing(false)).status).toBe(200);
    expect(await countNamed('Failing')).toBe(1);
  });

  test('is rolled back if its response cannot be stored', async () => {
    const { rows } = app.runtime.db;
    await rows(
      sql`alter table svc_replay add constraint unkept check (workspace_id is null or key <> 'unkept-1')`,
    );
    expect((await make('Unkept', 'unkept-1')).status).toBe(422);
    expect(await countNamed('Unkept')).toBe(0);
    await rows(sql`alter table svc_replay drop constraint unkept -- workspace_id`);
    expect((await make('Unkept', 'unkept-1')).status).toBe(200);
  });

  test('rejects a repeated request while the first one is running', async () => {
    let open = () => {};
    gate.open = new Promise((resolve) => {
      open = resolve;
    });
    const hasBegun = new Promise<void>((resolve) => {
      gate.onStart = resolve;
    });
    const call = (key: string) => callOnce('test_write', { name: 'Slow' }, key);
    const first = call('slow-1');
    await hasBegun;
    const second = await call('slow-1');
    expectError(second, 409, 'odoo.exceptions.LockError', /still running/);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
    open();
    expect((await first).status).toBe(200);
    expect(isReplayed(await call('slow-1'))).toBe('true');
    expect(await countNamed('Slow')).toBe(1);
  });

  test('creates one record for 40 concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => make('Crowd', 'crowd-1')));
    expect(await countNamed('Crowd')).toBe(1);
    const done = answers.filter(({ status }) => status === 200);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    expect(done.filter((answer) => !isReplayed(answer))).toHaveLength(1);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
  });

  test('expires after a day', async () => {
    await make('Old', 'old-1');
    const backdateKey = (hours: number) =>
      app.runtime.db.rows(
        sql`update svc_replay set created_at = now() - make_interval(hours => ${hours}) where workspace_id > 0 and key = 'old-1'`,
      );
    await backdateKey(23);
    expect(isReplayed(await make('Old', 'old-1'))).toBe('true');
    await backdateKey(25);
    expect(isReplayed(await make('Old', 'old-1'))).toBeNull();
    expect(await countNamed('Old')).toBe(2);
    expect(isReplayed(await make('Old', 'old-1'))).toBe('true');
  });
});

describe('Idempotency-Key header', () => {
  test('belongs to its principal', async () => {
    await make('Shared', 'shared-1');
    expect(isReplayed(await make('Shared', 'shared-1', acme.admin.key))).toBeNull();
    expect(await countNamed('Shared', acme)).toBe(1);
    expectError(
      await make('Shared', 'shared-1', app.main.user.key),
      403,
      'odoo.exceptions.AccessError',
      /not allowed to create/,
    );
    expectError(
      await make('Shared', 'shared-1', app.main.readOnlyKey),
      403,
      'odoo.exceptions.AccessError',
      /scope write/,
    );
    expect(await countNamed('Shared')).toBe(1);
  });

  test('has no effect on a read', async () => {
    const domain = [['name', '=', 'Read']];
    const count = () => callOnce('search_count', { domain }, 'read-1');
    expect((await count()).text).toBe('0');
    await make('Read', 'read-2');
    const later = await count();
    expect([later.text, isReplayed(later)]).toEqual(['1', null]);
  });

  test('rejects an empty key and a key of more than 256 characters', async () => {
    for (const key of ['', 'k'.repeat(257)])
      expectError(
        await make('Long', key),
        400,
        'werkzeug.exceptions.BadRequest',
        /^Idempotency-Key: must have 1 to 256/,
      );
    expect((await make('Long', 'k'.repeat(256))).status).toBe(200);
    expect(await countNamed('Long')).toBe(1);
  });
});
