import { beforeAll, describe, expect, test } from 'vitest';
import { addMember } from '../apps/member.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import type { Tenant } from '../harness/tenant.ts';
import { type Event, type LiveSubscription, subscribe, waitQuiet } from './listen.ts';

const app = setUpApp();
const admin = createJsonClient(app);
let seller: { id: number; key: string };
let other: Tenant;
const open: LiveSubscription[] = [];

const LEADS = `subscription ($after: String) {
  crmLeadChanged(after: $after) { kind id cursor record { id name } }
}`;

async function follow(key: string, after: string | null = null): Promise<LiveSubscription> {
  const subscription = await subscribe(app.url, { key, query: LEADS, variables: { after } });
  open.push(subscription);
  return subscription;
}

beforeAll(async () => {
  seller = await addMember(app, app.main, 'seller', ['sales_team.group_sale_salesman']);
  other = await app.tenant('other');
  return () => {
    for (const subscription of open) subscription.close();
  };
});

const createLead = (values: object): Promise<number> =>
  admin.create('crm.lead', { name: 'Secret', ...values });

/** Keeps the change log active, so that a later cursor does not lead to a RESYNC. */
async function loadCursor(): Promise<string> {
  const subscription = await follow(app.main.admin.key);
  await createLead({ name: 'Marker' });
  return (await subscription.waitForEvents(1))[0]!.cursor;
}

/** Returns the events of a resumed stream until it delivers a lead that is created now. */
async function resume(key: string, after: string, values: object): Promise<Event[]> {
  const subscription = await follow(key, after);
  const last = String(await createLead({ name: 'Last', ...values }));
  const hasEnded = () => subscription.events.some(({ id }) => id === last) || subscription.ended !== null;
  await expect.poll(hasEnded).toBe(true);
  return subscription.events;
}

const encode = (text: string): string => Buffer.from(text).toString('base64url');

describe('a cursor', () => {
  test('that is malformed is rejected before the stream starts', async () => {
    const [, at, snapshot] = Buffer.from(await loadCursor(), 'base64url')
      .toString()
      .split(' ');
    const xmin = snapshot!.split(':')[0]!;
    const texts = [
      'x',
      `2 ${at} ${snapshot}`,
      `1 ${at} ${snapshot} `,
      `1 -1 ${snapshot}`,
      `1 ${at} ${snapshot}'; select 1 --`,
      `1 ${at} 0:0:`,
      `1 ${at} 10:9:`,
      `1 ${at} ${xmin}:${Number(xmin) + 5}:${Number(xmin) + 5}`,
      `1 ${at} ${xmin}:${Number(xmin) + 5}:${Number(xmin) + 2},${Number(xmin) + 1}`,
      `1 ${at} ${xmin}:${Number(xmin) + 5}:1`,
      `1 ${at} 9999999999999999999:9999999999999999999:`,
      `1 ${'9'.repeat(13)} ${snapshot}`,
      `1 ${at}\n${snapshot}`,
      `1 ${at} 1:99999:${Array.from({ length: 5_000 }, (_, n) => n + 1)}`,
    ];
    for (const text of texts) {
      const subscription = await follow(seller.key, encode(text));
      await subscription.waitForEvents(1);
      const { errors } = subscription;
      expect([text, errors[0]?.extensions.code]).toEqual([text, 'BAD_VALUE']);
    }
  });

  test('that is forged returns no hidden records', async () => {
    const cursor = await loadCursor();
    const [, at, snapshot] = Buffer.from(cursor, 'base64url').toString().split(' ');
    const hidden = await createLead({ user_id: app.main.admin.id });
    await admin.value('crm.lead/write', { ids: [hidden], vals: { name: 'Still secret' } });
    const deleted = await createLead({ user_id: app.main.admin.id });
    await admin.value('crm.lead/unlink', { ids: [deleted] });
    const xmax = 10n ** 17n;
    for (const forged of [
      cursor,
      encode(`1 ${at} 1:1:`),
      encode(`1 999999999999 ${snapshot}`),
      encode('1 999999999999 1:1:'),
      encode(`1 0 ${snapshot}`),
      encode(`1 ${at} ${xmax}:${xmax}:`),
      encode(`1 ${at} 1:${xmax}:`),
    ]) {
      const events = await resume(seller.key, forged, { user_id: seller.id });
      const records = events.filter(({ kind }) => kind !== 'RESYNC');
      expect(records.map(({ kind, record }) => [kind, record.name])).toEqual(
        records.map(() => ['CREATED', 'Last']),
      );
    }
  });

  test('of another user grants nothing', async () => {
    const cursor = await loadCursor();
    const hidden = await createLead({ user_id: app.main.admin.id });
    const own = await createLead({ name: 'Mine', user_id: seller.id });
    const events = await resume(seller.key, cursor, { user_id: seller.id });
    expect(JSON.stringify(events)).not.toMatch(/Secret/);
    expect(events.map(({ id }) => id)).not.toContain(String(hidden));
    expect(events.map(({ id }) => id)).toContain(String(own));
  });

  test('of another workspace returns only changes of the own workspace', async () => {
    const cursor = await loadCursor();
    await createLead({});
    const foreign = createJsonClient(app, other.admin.key);
    const before = await foreign.create('crm.lead', { name: 'Foreign' });
    const subscription = await follow(other.admin.key, cursor);
    const after = await foreign.create('crm.lead', { name: 'Later' });
    await expect.poll(() => subscription.events.some(({ id }) => id === String(after))).toBe(true);
    await waitQuiet();
    const names = subscription.events.flatMap(({ record }) => record?.name ?? []);
    expect(names.filter((name) => name !== 'Foreign')).toEqual(['Later']);
    const ids = subscription.events.flatMap(({ id }) => id ?? []);
    expect(ids.filter((id) => ![String(before), String(after)].includes(id))).toEqual([]);
  });

  test('returns no records that a rule has hidden since', async () => {
    const lead = await createLead({ name: 'Yours', user_id: seller.id });
    const [{ cursor }] = (await resume(seller.key, await loadCursor(), { user_id: seller.id })).slice(-1) as [
      Event,
    ];
    await admin.value('crm.lead/write', {
      ids: [lead],
      vals: { user_id: app.main.admin.id, name: 'Taken away' },
    });
    const events = await resume(seller.key, cursor, { user_id: seller.id });
    expect(JSON.stringify(events)).not.toMatch(/Taken away/);
    expect(events.filter(({ kind }) => kind !== 'RESYNC')).toMatchObject([{ record: { name: 'Last' } }]);
    expect(events[0]!.kind).toBe('RESYNC');
  });

  test('does not resume a stream without access to the model', async () => {
    const cursor = await loadCursor();
    await createLead({});
    const outsider = await addMember(app, app.main, 'outsider', []);
    for (const key of [outsider.key, app.main.teamKey]) {
      const { data, errors } = await postGraphql(app, LEADS, { key, variables: { after: cursor } });
      expect([data?.crmLeadChanged, errors?.length]).toEqual([undefined, 1]);
    }
  });
});
