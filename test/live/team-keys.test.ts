import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import type { Team } from '../harness/facades/rest.ts';
import { getEmailNumbers, startTwoDomains, type TwoDomains } from '../harness/two-domains.ts';
import { until } from '../harness/wait.ts';
import { subscribe, waitQuiet } from './listen.ts';

let stage: TwoDomains;
let team: Team;
let sending: string;

beforeAll(async () => {
  stage = await startTwoDomains();
  team = stage.team;
  sending = await stage.keyFor('send');
});
afterAll(() => team?.close());

const follow = (query: string, key: string) =>
  subscribe(team.url, { key, query: `subscription { ${query} }` });

const ofMain = (subject = 'Secret of main') => stage.sent({ subject });
const ofSecond = () => stage.sent({ from: 'a@second.test', subject: 'Second' });

async function deleteEmail(publicId: string): Promise<void> {
  const { workspaceId, emailId } = await getEmailNumbers(team, publicId);
  await team.runtime.db.rows(
    sql`delete from svc_email where workspace_id = ${workspaceId} and id = ${emailId}`,
  );
}

describe('domain-restricted key', () => {
  it.each([
    ['whatever changes', ''],
    ['with a condition', '(where: { subject: { startsWith: "Se" } })'],
    ['with an alternative', '(domain: ["|", ["subject", "like", "Secret"], ["subject", "=", "Second"]])'],
    ['with a path', '(domain: ["|", ["domain_id.name", "=", "main.test"], ["id", ">", 0]])'],
  ])('receives only emails of its domain, %s', async (_how, condition) => {
    const subscription = await follow(`emailChanged${condition} { kind id record { subject } }`, stage.bound);
    const wholeSubscription = await follow(`emailChanged${condition} { kind id }`, team.main.teamKey);
    const main = await ofMain();
    await deleteEmail(main);
    const ownEmail = await ofSecond();
    const has = (item: typeof subscription) => item.events.some(({ id }) => id === ownEmail);
    await until(() => has(subscription) && has(wholeSubscription), 'both to hear of it');
    await deleteEmail(ownEmail);
    await until(() => subscription.events.at(-1)!.kind === 'DELETED', 'its end');
    await waitQuiet();
    expect(new Set(subscription.events.map(({ id }) => id))).toEqual(new Set([ownEmail]));
    expect(subscription.events.at(-1)).toEqual({ kind: 'DELETED', id: ownEmail, record: null });
    expect(JSON.stringify(subscription.events)).not.toContain('Secret');
    expect(subscription.errors).toEqual([]);
    subscription.close();
    wholeSubscription.close();
  });

  it('receives only events of its domain', async () => {
    const query = 'emailEvent { kind record { status data email { id } } }';
    const subscription = await follow(query, stage.bound);
    const wholeSubscription = await follow(query, team.main.teamKey);
    const main = await ofMain();
    const ownEmail = await ofSecond();
    await wholeSubscription.waitForEvents(2);
    await subscription.waitForEvents(1);
    await waitQuiet();
    expect(wholeSubscription.events.map(({ record }) => record.email.id).sort()).toEqual(
      [main, ownEmail].sort(),
    );
    expect(subscription.events).toEqual([
      { kind: 'CREATED', record: { status: 'SENT', data: { of: ownEmail }, email: { id: ownEmail } } },
    ]);
    subscription.close();
    wholeSubscription.close();
  });

  it("receives no other domain's events and no reload request when it resumes from a cursor", async () => {
    const query = (after: string) => `emailChanged${after} { kind id cursor }`;
    const subscription = await follow(query(''), stage.bound);
    const first = await ofSecond();
    await subscription.waitForEvents(1);
    await waitQuiet();
    subscription.close();
    await ofMain();
    const next = await ofSecond();
    const resumedSubscription = await follow(
      query(`(after: "${subscription.events.at(-1)!.cursor}")`),
      stage.bound,
    );
    await resumedSubscription.waitForEvents(1);
    await waitQuiet();
    for (const { kind, id } of resumedSubscription.events)
      expect([first, next, null], `${kind} ${id}`).toContain(id);
    expect(resumedSubscription.events.map(({ id }) => id)).toContain(next);
    resumedSubscription.close();
  });

  it('receives a deletion when an email moves to another domain', async () => {
    const ownEmail = await ofSecond();
    const subscription = await follow('emailChanged { kind id record { subject } }', stage.bound);
    const { workspaceId, emailId } = await getEmailNumbers(team, ownEmail);
    await team.runtime.db.rows(
      sql`update svc_email set domain_id = (select id from svc_domain where workspace_id = ${workspaceId} and name = 'main.test'),
         subject = 'Secret now' where workspace_id = ${workspaceId} and id = ${emailId}`,
    );
    expect(await subscription.waitForEvents(1)).toEqual([{ kind: 'DELETED', id: ownEmail, record: null }]);
    subscription.close();
  });
});

describe('team key', () => {
  it.each([
    ['bound to a domain', () => stage.bound],
    ['of the team', () => team.main.teamKey],
  ])('cannot subscribe by model name: a key %s', async (_which, key) => {
    const subscription = await follow('live(topics: [{ model: "svc.email" }]) { kind id }', key());
    await subscription.waitForEvents(1);
    expect(subscription.errors[0]!.extensions.code).toBe('FORBIDDEN');
  });

  it.each(['partnerChanged { id }', 'userChanged { id }', 'suppressionChanged { id }'])(
    'cannot subscribe to %s',
    async (query) => {
      for (const key of [stage.bound, team.main.teamKey]) {
        const subscription = await follow(query, key);
        await subscription.waitForEvents(1);
        expect(subscription.errors[0]!.extensions.code).toMatch(/^(FORBIDDEN|GRAPHQL_VALIDATION_FAILED)$/);
      }
    },
  );

  it('cannot subscribe with only the send scope', async () => {
    const subscription = await follow('emailChanged { id }', sending);
    await subscription.waitForEvents(1);
    expect(subscription.errors[0]!.extensions.code).toBe('FORBIDDEN');
  });

  it('receives nothing from another workspace', async () => {
    const subscription = await follow('emailChanged { kind id }', stage.other.teamKey);
    await deleteEmail(await ofMain());
    await ofSecond();
    await waitQuiet();
    expect(subscription.events).toEqual([]);
    expect(subscription.ended).toBe(null);
    subscription.close();
  });
});
