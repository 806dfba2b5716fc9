import type pg from 'pg';
import { describe, expect, test } from 'vitest';
import { createOutageTracker } from '../../src/db/outage.ts';
import { sql } from '../../src/db/sql.ts';
import {
  createStatementNames,
  PREPARED_TTL_MS,
  USES_BEFORE_PREPARING,
} from '../../src/db/statement-names.ts';
import { createStatementRunner, MAX_PREPARED_LIST_ITEMS } from '../../src/db/statement-runner.ts';
import { assertTenantScoped } from '../../src/db/tripwire.ts';
import { limits } from '../../src/limits.ts';
import { createLog } from '../../src/log.ts';

/** PostgreSQL truncates names at 63 characters. */
const NAME = /^at_[\w-]{43}$/;
const noop = () => undefined;
/** Requests a name for the statement text repeatedly until it is prepared. */
const prepareText = (names: ReturnType<typeof createStatementNames>, text: string) => {
  for (let i = 1; i < USES_BEFORE_PREPARING; i++) names.getName(text);
  return names.getName(text);
};

describe('statements on tenant tables', () => {
  test.each([
    'select * from res_partner',
    'select 1 from workspace w, svc_email e',
    'delete from "svc_outbox"',
    'select 1 from workspace cross join RES_GROUPS_USERS_REL',
    'update svc_domain set name = $1',
  ])('are rejected without a workspace: %s', (text) => {
    expect(() => assertTenantScoped(text)).toThrow('statement without workspace_id');
  });

  test('are always rejected without a workspace, even if all statement names are in use', () => {
    const names = createStatementNames(assertTenantScoped);
    for (let i = 0; i < limits.sql.prepared; i++) prepareText(names, `select ${i}`);
    for (let i = 0; i < 5; i++) expect(() => names.getName('select 1 from svc_email')).toThrow();
    const long = `select 1 from svc_email -- ${'x'.repeat(limits.sql.preparedLength)}`;
    for (let i = 0; i < 5; i++) expect(() => names.getName(long)).toThrow();
  });

  test.each([
    'select 1',
    'select id from workspace where slug = $1',
    'select 1 from res_partner where workspace_id = $1',
    'select 1 from svc_emails_of_somebody_else',
  ])('are accepted by exception: %s', (text) => {
    expect(() => assertTenantScoped(text)).not.toThrow();
  });
});

describe('prepared statements', () => {
  test('have a name that depends only on their text', () => {
    const [one, other] = [createStatementNames(noop), createStatementNames(noop)];
    prepareText(other, 'select 0');
    expect(prepareText(one, 'select 1')).toBe(prepareText(other, 'select 1'));
    const texts = Array.from({ length: limits.sql.prepared }, (_, i) => `select ${i}`);
    expect(new Set(texts.map((text) => prepareText(createStatementNames(noop), text))).size).toBe(
      texts.length,
    );
  });

  test('can be disabled without disabling the workspace check', () => {
    const names = createStatementNames(assertTenantScoped);
    expect(prepareText(names, 'select 1')).toMatch(NAME);
    names.stop();
    expect(prepareText(names, 'select 1')).toBeUndefined();
    expect(() => prepareText(names, 'select 1 from svc_email')).toThrow('without workspace_id');
  });

  test('are created for short statements on second use and keep their name', () => {
    const names = createStatementNames(noop);
    expect(names.getName('select 1')).toBeUndefined();
    const name = prepareText(names, 'select 1');
    expect(name).toMatch(NAME);
    expect(names.getName('select 1')).toBe(name);
    expect(prepareText(names, 'select 2')).not.toBe(name);
    expect(prepareText(names, `select '${'x'.repeat(limits.sql.preparedLength)}'`)).toBeUndefined();
  });

  test('are not used for long lists, because a generic plan would search each value', async () => {
    const sent: (string | undefined)[] = [];
    const client = {
      query: (query: { name?: string }, _: undefined, callback: (error: null, result: object) => void) => {
        sent.push(query.name);
        callback(null, { rows: [] });
      },
    } as unknown as pg.Pool;
    const run = createStatementRunner(
      createStatementNames(noop),
      createLog('fatal', 2),
      createOutageTracker(createLog('fatal', 2), () => false),
    );
    const lists = [1, 1, 1, MAX_PREPARED_LIST_ITEMS + 1, 1].map((length) => Array(length).fill('a'));
    for (const list of lists) await run.one(client, sql`select ${'a'} = any(${list})`);
    const name = expect.stringMatching(NAME);
    expect(sent).toEqual([undefined, undefined, name, undefined, name]);
  });

  test('are created for frequent statements even if others run in between', () => {
    const names = createStatementNames(noop);
    for (let i = 0; i < 1_000; i++) {
      names.getName(`select ${i}`);
      if (i % 100 === 0) names.getName('select hot');
    }
    expect(names.getName('select hot')).toMatch(NAME);
  });

  test('reuse an expired slot under a new name when all slots are in use', () => {
    let now = 0;
    const names = createStatementNames(noop, () => now);
    const first = new Set<string | undefined>();
    for (let i = 0; i < limits.sql.prepared; i++) first.add(prepareText(names, `select ${i}`));
    expect(first.size).toBe(limits.sql.prepared);
    expect(prepareText(names, 'select late')).toBeUndefined();
    now += PREPARED_TTL_MS;
    const lateName = names.getName('select late');
    expect(lateName).toMatch(NAME);
    expect(first.has(lateName)).toBe(false);
  });
});
