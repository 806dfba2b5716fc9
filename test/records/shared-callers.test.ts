import pg from 'pg';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { addMember } from '../apps/member.ts';
import { captureStatements } from '../harness/capture-statements.ts';
import { setUp } from '../harness/set-up.ts';
import { until } from '../harness/wait.ts';
import { openRecordLab } from './lab.ts';

// Users who have the same rights share statements. Rules that depend on the user separate them.

const USERS = 12;
const lab = setUp(openRecordLab);
let managers: { id: number; key: string }[];
let sellers: { id: number; key: string }[];
let own: number[];

const addUsers = (login: string, group: string) =>
  Promise.all(
    Array.from({ length: USERS }, (_, i) => addMember(lab.app, lab.app.main, `${login}${i}`, [group])),
  );

beforeAll(async () => {
  managers = await addUsers('manager', 'sales_team.group_sale_manager');
  sellers = await addUsers('seller', 'sales_team.group_sale_salesman');
  own = await lab.value('crm.lead/create', {
    vals_list: sellers.map(({ id }, i) => ({ name: `Lead ${i}`, user_id: id })),
  });
});

// Opens connections in advance, because requests on new connections do not arrive together.
beforeEach(async () => {
  const count = (key: string) => lab.value('crm.lead/search_count', { domain: [] }, key);
  await Promise.all([...managers, ...sellers].map(({ key }) => count(key)));
});

const countShared = async (mark: string, fn: () => Promise<void>): Promise<number> =>
  (await captureStatements(lab.app.runtime, mark, fn)).length;

const readLeads = (ids: number[], fields: string[]) => lab.value('crm.lead/read', { ids, fields });

test('shares creates and writes of users with equal rights, and records each as its user', async () => {
  const created = new Map<number, number>();
  const createAll = () =>
    Promise.all(
      managers.map(async ({ id, key }, i) => {
        const [lead] = await lab.value('crm.lead/create', { vals_list: [{ name: `By ${i}` }] }, key);
        created.set(lead, id);
      }),
    );
  expect(await countShared('jsonb_to_recordset', async () => void (await createAll()))).toBeGreaterThan(0);
  const ids = [...created.keys()];
  const writers = managers.toReversed();
  const writeAll = () =>
    Promise.all(
      ids.map((id, i) =>
        lab.value('crm.lead/write', { ids: [id], vals: { city: `City ${i}` } }, writers[i]!.key),
      ),
    );
  expect(await countShared('jsonb_to_recordset', async () => void (await writeAll()))).toBeGreaterThan(0);
  const rows = await readLeads(ids, ['create_uid', 'write_uid', 'city']);
  for (const [i, row] of rows.entries())
    expect([row.create_uid[0], row.write_uid[0], row.city]).toEqual([
      created.get(row.id),
      writers[i]!.id,
      `City ${i}`,
    ]);
});

test('shares reads of users with equal rights', async () => {
  const statements = await captureStatements(lab.app.runtime, 'from "crm_lead"', async () => {
    const answers = await Promise.all(
      managers.map(({ key }, i) => lab.value('crm.lead/read', { ids: [own[i]], fields: ['name'] }, key)),
    );
    expect(answers.map(([row]) => row.name)).toEqual(own.map((_, i) => `Lead ${i}`));
  });
  expect(statements.some((text) => text.includes('any('))).toBe(true);
  expect(statements.length).toBeLessThan(USERS);
});

test('separates users whose rule contains the user, in reads, creates and writes', async () => {
  for (let shift = 0; shift < USERS; shift++) {
    const targets = sellers.map((_, i) => own[(i + (i % 3 === 0 ? shift : 0)) % USERS]!);
    const isOwn = targets.map((id, i) => id === own[i]);
    const expected = isOwn.map((allowed) => (allowed ? 200 : 403));
    const call = (path: string, buildBody: (i: number) => object) =>
      Promise.all(
        sellers.map(async ({ key }, i) => (await lab.json2(`crm.lead/${path}`, buildBody(i), key)).status),
      );
    const [reads, writes, creates] = await Promise.all([
      call('read', (i) => ({ ids: [targets[i]], fields: ['name'] })),
      call('write', (i) => ({ ids: [targets[i]], vals: { city: `By ${i}` } })),
      call('create', (i) => ({
        vals_list: [{ name: 'New', user_id: sellers[isOwn[i] ? i : (i + 1) % USERS]!.id }],
      })),
    ]);
    expect([reads, writes, creates]).toEqual([expected, expected, expected]);
  }
  const rows = await readLeads(own, ['city']);
  expect(rows.map((row: { city: string }) => row.city)).toEqual(own.map((_, i) => `By ${i}`));
});

test("a user's failing requests cannot fail or repeatedly delay the others' requests", async () => {
  const [failing, ...others] = managers;
  const create = (name: string, key: string) => lab.json2('crm.tag/create', { vals_list: [{ name }] }, key);
  await create('Duplicate', failing!.key);
  const rounds = 20;
  const sharedCount = await countShared('jsonb_to_recordset', async () => {
    for (let round = 0; round < rounds; round++) {
      const [failed, ...answers] = await Promise.all([
        create('Duplicate', failing!.key),
        ...others.map(({ key }, i) => create(`Works ${round} ${i}`, key)),
      ]);
      expect(failed!.status).toBe(422);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    }
  });
  expect(sharedCount).toBeLessThan(rounds);
  const count = await lab.value('crm.tag/search_count', { domain: [['name', 'like', 'Works %']] });
  expect(count).toBe(rounds * others.length);
});

test("a user's slow statements do not delay the statements that other users share with this user", async () => {
  const [slow, ...others] = managers;
  const locking = new pg.Client({ connectionString: lab.app.databaseUrl });
  await locking.connect();
  try {
    await locking.query('begin');
    await locking.query('select 1 from crm_lead where workspace_id = $1 and id = $2 for update', [
      lab.app.main.ctx.workspace.id,
      own[0],
    ]);
    const call = (path: string, body: object, key: string) => lab.json2(`crm.lead/${path}`, body, key);
    const blocked = Array.from({ length: 20 }, () =>
      call('write', { ids: [own[0]], vals: { name: 'Locked' } }, slow!.key),
    );
    await until(() => lab.app.runtime.db.waiting() > 0, 'the slow user waits for a connection');
    const bodies: [string, (i: number) => object][] = [
      ['create', (i) => ({ vals_list: [{ name: `Quick ${i}` }] })],
      ['write', (i) => ({ ids: [own[i]], vals: { street: `Street ${i}` } })],
      ['read', (i) => ({ ids: [own[i]], fields: ['name', 'street'] })],
    ];
    for (const [path, buildBody] of bodies) {
      const statements = await captureStatements(lab.app.runtime, '', async () => {
        blocked.push(call(path, buildBody(1), slow!.key));
        const answers = await Promise.all(others.map(({ key }, i) => call(path, buildBody(i + 1), key)));
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      });
      expect(statements.some((text) => /jsonb_to_recordset|any\(/.test(text))).toBe(true);
    }
    await locking.query('rollback');
    await Promise.all(blocked);
  } finally {
    await locking.end();
  }
});

test('applies new rights of one user at once', async () => {
  const [first, ...others] = managers;
  await lab.value('res.users/write', { ids: [first!.id], vals: { group_ids: [[5]] } });
  const answers = await Promise.all(
    managers.map(({ key }, i) => lab.json2('crm.lead/write', { ids: [own[i]], vals: { city: 'Oslo' } }, key)),
  );
  expect(answers.map(({ status }) => status)).toEqual([403, ...others.map(() => 200)]);
});
