import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import {
  type ConnectionSlot,
  createConnectionLimiter,
  type Requester,
} from '../../src/db/connection-limiter.ts';
import { createSharedReads } from '../../src/db/shared-reads.ts';
import { type Sql, sql } from '../../src/db/sql.ts';
import { setUp } from '../harness/set-up.ts';
import { openRecordLab } from './lab.ts';

const lab = setUp(openRecordLab);
beforeAll(async () => {
  const leads = Array.from({ length: 40 }, (_, i) => ({
    name: `Lead ${i}`,
    city: `City ${i % 4}`,
    expected_revenue: i,
  }));
  await lab.value('crm.lead/create', { vals_list: leads });
});

const readGroups = (domain: unknown[], key?: string) =>
  lab.json2(
    'crm.lead/formatted_read_group',
    { domain, groupby: ['city'], aggregates: ['__count', 'expected_revenue:array_agg'] },
    key,
  );
const count = (domain: unknown[], key?: string): Promise<number> =>
  lab.value('crm.lead/search_count', { domain }, key);

/** Counts the grouping statements that `fn` causes. Each is delayed, so that further calls wait and are batched. */
async function countReads(fn: () => Promise<void>): Promise<number> {
  const { db } = lab.app.runtime;
  const { rows } = db;
  let reads = 0;
  db.rows = async (statement, running) => {
    if (statement.render().text.includes('array_agg')) {
      reads++;
      await pause(30);
    }
    return rows(statement, running);
  };
  await fn().finally(() => {
    db.rows = rows;
  });
  return reads;
}

test('combines identical concurrent counts into fewer statements that return the same result', async () => {
  const alone = (await readGroups([])).text;
  const reads = await countReads(async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => readGroups([])));
    expect(new Set(answers.map((answer) => answer.text))).toEqual(new Set([alone]));
  });
  expect(reads).toBeLessThan(60);
});

test('returns the correct count to each of many concurrent callers', async () => {
  const numbers = Array.from({ length: 80 }, (_, i) => i % 40);
  const responses = await Promise.all(
    numbers.map(async (i) => [
      await count([['expected_revenue', '>=', i]]),
      (await readGroups([['expected_revenue', '<=', i]])).json().length,
    ]),
  );
  expect(responses).toEqual(numbers.map((i) => [40 - i, Math.min(4, i + 1)]));
});

test('includes writes that finished before the count was requested', async () => {
  await Promise.all(
    Array.from({ length: 12 }, async (_, i) => {
      const mine = [['name', '=', `Own ${i}`]];
      for (let round = 1; round <= 5; round++) {
        await lab.value('crm.lead/create', { vals_list: [{ name: `Own ${i}`, city: 'Here' }] });
        const all = count([['city', '=', 'Here']]);
        expect(await count(mine)).toBe(round);
        expect(await all).toBeGreaterThanOrEqual(round);
      }
    }),
  );
  const citySearch = count([['city', '=', 'Here']]);
  expect(await citySearch).toBe(60);
});

test('does not share counts between workspaces or between callers with different rules', async () => {
  const otherTenant = await lab.app.tenant('other');
  const { admin, user } = lab.app.main;
  await lab.value('res.partner/create', { vals_list: Array(10).fill({ name: 'Hidden', city: 'Far' }) });
  const [model] = await lab.value('ir.model/search', { domain: [['model', '=', 'res.partner']] });
  const [group] = await lab.value('ir.model.data/search_read', {
    domain: [['name', '=', 'group_user']],
    fields: ['res_id'],
  });
  const [rule] = await lab.value('ir.rule/create', {
    vals_list: [
      {
        name: 'hidden',
        model_id: model,
        domain_force: `[('city', '!=', 'Far')]`,
        groups: [[6, 0, [group.res_id]]],
      },
    ],
  });
  const readPartners = (key: string): Promise<number> =>
    lab.value('res.partner/search_count', { domain: [['city', '=', 'Far']] }, key);
  const keys = Array.from({ length: 60 }, (_, i) => [admin.key, user.key, otherTenant.admin.key][i % 3]!);
  const counts = await Promise.all(keys.map(readPartners));
  await lab.value('ir.rule/unlink', { ids: [rule] });
  expect(new Set(keys.map((key, i) => `${key} ${counts[i]}`)).size).toBe(3);
  expect([counts[1], counts[2], await readPartners(user.key)]).toEqual([0, 0, 10]);
});

function createBlockedReads() {
  const limiter = createConnectionLimiter(20);
  const slots = [limiter.acquire(1), limiter.acquire(1)] as ConnectionSlot[];
  const readCalls: unknown[][] = [];
  const rows = createSharedReads(limiter, <R>(statement: Sql) => {
    readCalls.push(statement.render().params);
    return Promise.resolve([{ n: readCalls.length }] as R[]);
  });
  return {
    gate: limiter,
    read: readCalls,
    ask: rows<{ n: number }>,
    open: () => slots.forEach(limiter.release),
  };
}

const buildStatement = (n: number): Sql => sql`select ${n} where workspace_id = ${1}`;
const buildRequester = (isDestroyed: boolean): Requester => ({
  user: 0,
  outgoing: {
    destroyed: isDestroyed,
    writableEnded: false,
    writableLength: 0,
    once: () => undefined,
    destroy: () => undefined,
  },
});

test('runs a waiting count once for all callers, and runs it again for a later request', async () => {
  const { read, ask, open } = createBlockedReads();
  const counts = [1, 1, 2, 2, 1].map((n) => ask(1, buildStatement(n), buildRequester(false)));
  open();
  const responses = await Promise.all(counts);
  expect(read).toEqual([
    [1, 1],
    [2, 1],
    [1, 1],
  ]);
  expect(responses[0]).toBe(responses[1]);
  expect(await ask(1, buildStatement(1), buildRequester(false))).toEqual([{ n: 4 }]);
});

test('skips a count whose callers have all aborted, without affecting other callers', async () => {
  const { read, ask, open } = createBlockedReads();
  const [abortedRequester, activeRequester] = [buildRequester(true), buildRequester(false)];
  const counts = [
    ask(1, buildStatement(1), abortedRequester),
    ask(1, buildStatement(1), activeRequester),
    ask(1, buildStatement(1), abortedRequester),
  ];
  const abortedCounts = [
    ask(1, buildStatement(2), abortedRequester),
    ask(1, buildStatement(2), abortedRequester),
  ].map((item) => item.catch(() => 'left'));
  open();
  expect(await Promise.all(counts)).toEqual(Array(3).fill([{ n: 1 }]));
  expect(await Promise.all(abortedCounts)).toEqual(['left', 'left']);
  expect(read).toEqual([[1, 1]]);
});
