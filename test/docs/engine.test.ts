import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Sql } from '../../src/db/sql.ts';
import { member } from '../apps/caller.ts';
import { type App, post, startApp } from '../harness/app.ts';

const PAGE = 'docs/engine.md';
const SQL = /^```sql\n(.*?)^```/ms;

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/**
 * The page shows what really runs. `WRITE_PAGE=1 npx vitest run test/docs/engine.test.ts` puts the statement of today
 * into the page; look at the change before you commit it.
 */
test('the statement in docs/engine.md is the one that its request runs, with its parameters', async () => {
  const page = readFileSync(PAGE, 'utf8');
  const { caller, id } = await member(app, app.main, 'seller', ['sales_team.group_sale_salesman']);
  const request = JSON.parse(/^```json\n(.*?)^```/ms.exec(page)![1]!);
  await caller.value('crm.lead/search_read', request);
  const statements = recorded();
  expect(await caller.value('crm.lead/search_read', request)).toEqual([]);
  expect(statements).toHaveLength(1);
  const { text, params } = statements[0]!;
  const shown = params.map((value) => (value === id ? 7 : value === app.main.ctx.workspace.id ? 1 : value));
  const now = `-- parameters: ${JSON.stringify(shown)}\n${text}`;
  if (process.env.WRITE_PAGE) writeFileSync(PAGE, page.replace(SQL, () => `\`\`\`sql\n${broken(now)}\n\`\`\``));
  const written = SQL.exec(readFileSync(PAGE, 'utf8'))![1]!;
  expect(oneLine(written)).toBe(oneLine(now));
});

test('the refusals that docs/engine.md tells of come from where it says', async () => {
  const ask = async (body: object, key = app.main.user.key) =>
    (await post(`${app.url}/json/2/crm.lead/search_read`, body, key)).json().name;
  expect(await ask({ domain: [] })).toBe('odoo.exceptions.AccessError');
  expect(await ask({ domain: [['nothing', '=', 1]] }, app.main.admin.key)).toBe('builtins.ValueError');
});

/** Statements that are run from now on. */
function recorded(): { text: string; params: unknown[] }[] {
  const { db } = app.runtime;
  const statements: { text: string; params: unknown[] }[] = [];
  const { rows } = db;
  db.rows = ((query, params = []) => {
    statements.push(query instanceof Sql ? query.render() : { text: query, params });
    return rows(query, params);
  }) as typeof rows;
  return statements;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Broken before its clauses, and between its columns and conditions where a line is still too long. */
function broken(text: string): string {
  const clauses = text.replace(/ (?=(?:from|left join|where|order by|limit|offset) )/g, '\n');
  const lines = clauses.split('\n').flatMap((line) => folded(line));
  return lines.join('\n');
}

function folded(line: string): string[] {
  if (line.length <= 100) return [line];
  const cuts = [...line.slice(0, 100).matchAll(/,? (?=and |or |exists |coalesce|case |t\.)|, /g)];
  const cut = cuts.at(-1);
  if (!cut?.index) return [line];
  const end = cut.index + cut[0].length;
  return [line.slice(0, end).trimEnd(), ...folded(`    ${line.slice(end)}`)];
}
