import { beforeAll, expect, test } from 'vitest';
import type { Db } from '../../src/db/db.ts';
import { sql } from '../../src/db/sql.ts';
import { readJsonRow } from '../../src/engine/sql/json-row.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { json2 } from '../harness/facades/json2.ts';

const TOO_LARGE = 'The response is too large. Request fewer records or fields.';
const MiB = 1024 * 1024;
const app = setUpApp();

beforeAll(async () => {
  const { ctx } = app.main;
  await ctx.db.rows(
    sql.given(
      `insert into res_partner (id, workspace_id, name, ref, comment) select nextval('res_partner_id_seq'), $1, 'large', 'large', repeat('x', ${MiB}) from generate_series(1, 70)`,
      [ctx.workspace.id],
    ),
  );
});

const requestLarge = (limit: number) =>
  json2(
    app,
    'res.partner/search_read',
    { domain: [['ref', '=', 'large']], fields: ['comment'], limit },
    app.main.admin.key,
  );

test('rejects a response over the limit with a helpful message', {
  tags: 'slow',
}, async () => {
  const rejection = await requestLarge(70);
  expect([rejection.status, rejection.json().message]).toEqual([422, TOO_LARGE]);
  const response = await requestLarge(50);
  expect([response.status, response.json().length]).toEqual([200, 50]);
});

test('rejects a response over 1 GB, which PostgreSQL cannot build', async () => {
  const readRows = () => Promise.reject(Object.assign(new Error('string buffer exceeds'), { code: '54000' }));
  const db = { rows: readRows } as unknown as Db;
  await expect(readJsonRow(db, sql`select 1`)).rejects.toThrow(TOO_LARGE);
});

test('rejects a page of emails over the limit', { tags: 'slow' }, async () => {
  const { ctx, teamKey, domain } = app.main;
  await ctx.db.rows(
    sql.given(
      `insert into svc_email (id, workspace_id, domain_id, public_id, "from", "to", subject, html, state, latest_status, run_at)
     select nextval('svc_email_id_seq'), $1, d.id, 'large' || n, 'a@${domain}', '{b@example.org}', 'large', repeat('x', ${16 * MiB}), 'sent', 'SENT', now()
     from svc_domain d, generate_series(1, 5) n where d.workspace_id = $1`,
      [ctx.workspace.id],
    ),
  );
  const readPage = async (limit: number) => {
    const response = await fetch(`${app.url}/api/v1/emails?limit=${limit}`, {
      headers: { authorization: `Bearer ${teamKey}` },
    });
    return [response.status, JSON.parse(await response.text())] as const;
  };
  const [status, body] = await readPage(5);
  expect([status, body.error.message]).toEqual([400, TOO_LARGE]);
  const [fine, page2] = await readPage(2);
  expect([fine, page2.data.length, page2.count]).toEqual([200, 2, 5]);
});

test('truncates an outbox source to 64 kB and marks it as truncated', {
  tags: 'slow',
}, async () => {
  const { ctx, admin } = app.main;
  await ctx.db.rows(
    sql`insert into svc_outbox (id, workspace_id, email_id, recipients, raw)
     select nextval('svc_outbox_id_seq'), ${ctx.workspace.id}, (select min(id) from svc_email where workspace_id = ${ctx.workspace.id}), '{b@example.org}', convert_to(repeat('x', n), 'LATIN1')
     from unnest(array[65536, 65537]) n`,
  );
  const { data } = await postGraphql(app, '{ outbox { source isCut } }', { key: admin.key });
  const sources = data.outbox.map((item: { source: string; isCut: boolean }) => [
    item.source.length,
    item.isCut,
  ]);
  expect(sources).toEqual([
    [65536, true],
    [65536, false],
  ]);
});
