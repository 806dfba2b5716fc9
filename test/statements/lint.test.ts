import { describe, expect, it } from 'vitest';
import { lint, type Schema } from './lint.ts';
import { findSender } from './record.ts';
import { findMistakes } from './verdict.ts';

/** `a` and `b` are workspace tables; `shared` is on every node, `local` only on the coordinator. */
const schema: Schema = {
  tenants: new Set(['a', 'b']),
  locals: new Set(['local']),
  volatile: new Set(['random', 'clock_timestamp']),
  stable: new Set(['now', 'to_char', 'to_jsonb']),
  times: new Set(['at']),
};

const findRefusals = (text: string) => lint(text, schema).refusals;

describe('the lint rule that binds each table of a statement to one workspace', () => {
  it.each([
    'select 1 from a where workspace_id = $1',
    'select 1 from a where $1::int = a.workspace_id and id = 2',
    'select 1 from a where workspace_id = 5',
    'select 1 from public.a where public.a.workspace_id = $1',
    'select 1 from a where (workspace_id, id) = ($1, $2)',
    'select 1 from a join b on b.workspace_id = $1 and b.id = a.id where a.workspace_id = $1',
    'select 1 from a left join b on b.workspace_id = $1 where a.workspace_id = $1',
    'select 1 from b right join a on b.workspace_id = $1 where a.workspace_id = $1',
    'select (select b.id from b where b.workspace_id = $1 and b.id = a.id) from a where a.workspace_id = $1',
    'select 1 from a, lateral (select 1 from b where b.workspace_id = $1) c where a.workspace_id = $1',
    'with c as (select 1 from a where workspace_id = $1) select 1 from c',
    'with a as (select 1) select 1 from a',
    'select 1 from a where workspace_id = $1 union all select 1 from b where workspace_id = $1',
    'select 1 from shared',
    'select 1 from shared join a on a.id = shared.id where a.workspace_id = $1',
    'select 1 from a where workspace_id in ($1)',
    'select 1 from a where workspace_id in ($1, $2)',
    'select 1 from a where workspace_id = $1 and id = $2 or workspace_id = $3 and id = $4',
    'update a set id = 1 where workspace_id = $1',
    'update a set id = b.id from b where a.workspace_id = $1 and b.workspace_id = $1',
    'delete from a using b where a.workspace_id = $1 and b.workspace_id = $1',
    'insert into a (id, workspace_id) values (1, $1), (2, $2)',
    'insert into a (workspace_id, id) select $1::int, id from b where workspace_id = $1',
    'insert into a (workspace_id, id) select x.workspace_id, x.id from b x where x.workspace_id = $1',
    'insert into a (workspace_id, id) select g.w, g.id from unnest($1::int[], $2::int[]) g(w, id)',
    'with c as (insert into a (workspace_id, id) values ($1, 1) returning id) select id from c',
    'insert into shared (workspace_id) values (default)',
  ])('accepts %s', (text) => {
    expect(findRefusals(text)).toEqual([]);
  });

  it.each([
    ['select 1 from a', 'a'],
    ['select 1 from a where workspace_id > 0', 'a'],
    ['select 1 from a where workspace_id = any($1)', 'a'],
    ['select 1 from a where workspace_id <> $1', 'a'],
    ['select 1 from a where workspace_id not in ($1)', 'a'],
    ['select 1 from a where workspace_id = $1 or id = 1', 'a'],
    ['select 1 from a where not (workspace_id = $1)', 'a'],
    ['select 1 from a where id = $1', 'a'],
    ['select 1 from a join b on b.workspace_id = a.workspace_id where a.workspace_id = $1', 'b'],
    ['select 1 from a left join b on a.workspace_id = $1 and b.workspace_id = $1', 'a'],
    ['select 1 from a full join b on a.workspace_id = $1 and b.workspace_id = $1', 'a'],
    ['select 1 from a x join b y on true where x.workspace_id = $1', 'b y'],
    ['select 1 from a, b where workspace_id = $1', 'a'],
    [
      'select (select b.id from b where b.workspace_id = a.workspace_id) from a where a.workspace_id = $1',
      'b',
    ],
    ['select (select 1 from b where a.workspace_id = $1) from a where a.workspace_id = $1', 'b'],
    ['select 1 from a where workspace_id = (select id from shared)', 'a'],
    ['with c as (select 1 from a) select 1 from c', 'a'],
    ['select 1 from a where workspace_id = $1 union all select 1 from b', 'b'],
    ['select 1 from a where workspace_id = $1 and id in (select id from b)', 'b'],
    ['select 1 from a where workspace_id in ($1, $2) for update', 'a'],
    ['update a set id = 1', 'a'],
    ['update a set id = 1 where workspace_id in ($1, $2)', 'a'],
    ['update a set id = b.id from b where a.workspace_id = $1 and b.workspace_id = a.workspace_id', 'b'],
    ['delete from a using b where b.workspace_id = $1', 'a'],
  ])('rejects %s', (text, table) => {
    expect(findRefusals(text)).toContain(`${table} is not bound to one workspace`);
  });

  it.each([
    'select 1 from a join local on local.id = a.id where a.workspace_id = $1',
    'with c as (update local set id = 1) update a set id = 1 where workspace_id = $1',
  ])('rejects a workspace table and a coordinator table in one statement: %s', (text) => {
    expect(findRefusals(text)).toEqual(['local is only on the coordinator']);
  });

  it.each([
    'insert into a (workspace_id, id) select g.workspace_id, b.id from b, g where b.workspace_id = $1',
    'insert into a (id) values (1)',
    'insert into a (workspace_id) select $1 from b join b c on c.workspace_id = $1 where b.workspace_id = $2',
    'with c as (insert into a (id) values (1) returning id) select 1 from c',
  ])('rejects new rows without a workspace: %s', (text) => {
    expect(findRefusals(text).join()).toMatch(/^new rows of a/);
  });
});

describe('the lint rule for expressions that differ between shards', () => {
  const where = 'where workspace_id = $1';
  it.each([
    `update a set at = now() ${where}`,
    `update a set at = now()::timestamp(3) ${where} and at < now()::timestamp(3) - make_interval(secs => $2)`,
    `update a set at = coalesce(at, n.now) from (select now()::timestamp(3) as now) n ${where}`,
    `update a set at = coalesce(at, $2) ${where} returning at`,
    `update a set id = c.t from (select to_char(at, 'YYYY') as t from b ${where} limit 1) c ${where}`,
    `with c as (update a set id = 1 ${where} returning *) select to_char(at, 'YYYY') from c`,
    'insert into a (workspace_id, at) values ($1, now()) on conflict (id) do update set at = excluded.at',
    'insert into a (workspace_id) values ($1) on conflict (id) do update set at = $2',
    `update a set at = x.t from (select now() as t from b ${where} for update) x ${where}`,
    `select case when at < now() then to_char(at, 'YYYY') end from a ${where}`,
    'update shared set at = coalesce(at, now())',
  ])('accepts the expression in %s', (text) => {
    expect(findRefusals(text)).toEqual([]);
  });

  it.each([
    [`update a set at = coalesce(at, now()) ${where}`, 'now in case or coalesce'],
    [`update a set at = case when id = 1 then now() end ${where}`, 'now in case or coalesce'],
    [`update a set at = coalesce(at, current_timestamp) ${where}`, 'current_timestamp in case or coalesce'],
    ['insert into a (workspace_id, at) values ($1, coalesce($2, now()))', 'now in case or coalesce'],
    [
      'insert into a (workspace_id) values ($1) on conflict (id) do update set at = now()',
      'now in on conflict',
    ],
    [`update a set id = 1 ${where} returning to_char(at, 'YYYY')`, 'to_char in returning'],
    [`delete from a ${where} returning at::text`, "a time's cast to text in returning"],
    [`with c as (delete from a ${where} returning now()) select 1 from c`, 'now in returning'],
    [`update a set id = to_jsonb(id) ${where}`, 'to_jsonb of a column in a write'],
    [`update a set at = x.t from (select now() as t from unnest($2) i) x ${where}`, 'now in a query of from'],
    [
      'insert into a (workspace_id, id) select $1, i from unnest($2) i on conflict (id) do update set id = $3',
      'a parameter in on conflict of insert … select',
    ],
    [`update a set id = random() ${where}`, 'random in a write'],
    [`delete from a ${where} and at < clock_timestamp()`, 'clock_timestamp in a write'],
    [
      `delete from a ${where} and at < now() - interval '1 day'`,
      'now() without a cast and a column in a write',
    ],
    [
      `update a set id = c.t from (select to_char(at, 'Y') as t from b ${where}) c ${where}`,
      'to_char of a column in a write',
    ],
  ])('rejects the expression in %s', (text, reason) => {
    expect(findRefusals(text)).toContain(reason);
  });
});

it.each([
  [
    'with recursive c(id) as (select id from a where workspace_id = $1) cycle id set looped using path select 1 from c',
    'cycle',
  ],
  ['delete from a where workspace_id = $1 and ctid = any($2)', 'ctid'],
  [
    'with c as (update a set id = case $2 when 1 then 2 end where workspace_id = $1 returning 1) select 1 from c',
    'case x when … in a write',
  ],
  [
    `with recursive c(t) as (select to_char(at, 'Y') from a where workspace_id = $1)
     update a set id = 1 from c where workspace_id = $1`,
    'to_char of a column in a write',
  ],
  ['merge into a using b on true when matched then do nothing', 'merge'],
  [
    `with c as (insert into a (workspace_id, id) values ($1, 1) returning id)
     insert into b (workspace_id, id) select $1, id from c`,
    'an insert reads the with query c',
  ],
  [
    'with c as (delete from a where workspace_id = $1 returning id) insert into b (workspace_id, id) select $1, id from c',
    'an insert reads the with query c',
  ],
])('rejects SQL that Citus does not support: %s', (text, reason) => {
  expect(findRefusals(text)).toContain(reason);
});

describe('the result of a test run', () => {
  const recorded = [
    { text: 'select 1\n from a where id = 1', place: '' },
    { text: 'select 1\n from a where id = 1', place: 'src/x.ts:1' },
    { text: 'select 1 from a where workspace_id = $1', place: 'src/y.ts:2' },
  ];
  const exceptions = [{ text: 'from a where id', reason: 'it is only read' }];

  it('reports a rejected statement once, with the location that sent it', () => {
    expect(findMistakes(recorded, schema, true, [])).toEqual([
      'src/x.ts:1: a is not bound to one workspace\n  select 1 from a where id = 1',
    ]);
  });

  it('accepts listed exceptions, unless they write or lock', () => {
    const locking = [{ text: 'select 1 from a where id = 1 for update', place: 'src/x.ts:1' }];
    expect(findMistakes(recorded, schema, true, exceptions)).toEqual([]);
    expect(findMistakes(locking, schema, true, exceptions)).toHaveLength(1);
  });

  it('rejects an unused exception after all tests have run', () => {
    const clean = recorded.slice(2);
    expect(findMistakes(clean, schema, false, exceptions)).toEqual([]);
    expect(findMistakes(clean, schema, true, exceptions)).toEqual([
      'no statement needs the exception "from a where id"',
    ]);
  });
});

describe('the source location of a statement', () => {
  const buildStack = (...places: string[]) =>
    ['Error', ...places.map((place) => `    at f (/home/x/${place}:7:1)`)].join('\n');

  it.each([
    [
      ['test/statements/record.ts', 'src/db/pool.ts', 'schema/email/emails/emails.ts'],
      'schema/email/emails/emails.ts:7',
    ],
    [['src/db/pool.ts', 'src/db/id-allocator.ts', 'test/base/ir.test.ts'], 'src/db/id-allocator.ts:7'],
    [
      [
        'node_modules/@prisma/adapter-pg/dist/index.mjs',
        'src/db/prisma.ts',
        'schema/settings/read-resource.ts',
      ],
      'schema/settings/read-resource.ts:7',
    ],
    [['node_modules/@prisma/adapter-pg/dist/index.mjs'], ''],
    [['src/db/pool.ts', 'test/base/ir.test.ts', 'schema/email/emails/emails.ts'], null],
    [['node_modules/pg-pool/index.js', 'src/db/pool.ts', 'schema/email/emails/emails.ts'], null],
    [['node_modules/pg-boss/dist/db.js', 'src/engine/work/jobs.ts'], null],
    [['src/db/migrations/migrate.ts', 'boot/server.ts'], null],
  ])('resolves %j to %s', (places, sender) => {
    expect(findSender(buildStack(...places))).toBe(sender);
  });
});
