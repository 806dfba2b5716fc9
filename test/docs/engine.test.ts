import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createJson2Facade } from '../../facades/json2/facade.ts';
import { addMember } from '../apps/member.ts';
import { setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';

const PAGE = 'docs/engine.md';
const SQL = /^```sql\n(.*?)^```/ms;

const app = setUpApp();

/**
 * Keeps the page in sync with the actual statement. `WRITE_PAGE=1 npx vitest run test/docs/engine.test.ts` writes the
 * current statement to the page; review the change before you commit it.
 */
test('docs/engine.md shows the statement and parameters of its example request', async () => {
  const page = readFileSync(PAGE, 'utf8');
  const { caller, id } = await addMember(app, app.main, 'seller', ['sales_team.group_sale_salesman']);
  const request = JSON.parse(/^```json\n(.*?)^```/ms.exec(page)![1]!);
  const statements = recordStatements();
  expect(await caller.value('crm.lead/search_read', request)).toEqual([]);
  // Statements for authentication may precede it.
  const leadStatements = statements.filter((statement) => statement.text.includes('"crm_lead"'));
  expect(leadStatements).toHaveLength(1);
  const { text, params } = leadStatements[0]!;
  const readableParams = params.map((value) =>
    value === id ? 7 : value === app.main.ctx.workspace.id ? 1 : value,
  );
  const now = `-- parameters: ${JSON.stringify(readableParams)}\n${text}`;
  if (process.env.WRITE_PAGE)
    writeFileSync(
      PAGE,
      page.replace(SQL, () => `\`\`\`sql\n${breakText(now)}\n\`\`\``),
    );
  const documentedSql = SQL.exec(readFileSync(PAGE, 'utf8'))![1]!;
  expect(toOneLine(documentedSql)).toBe(toOneLine(now));
});

test('the requests in docs/engine.md fail with the documented errors', async () => {
  const call = async (body: object, key = app.main.user.key) =>
    (await json2(app, 'crm.lead/search_read', body, key)).json().name;
  expect(await call({ domain: [] })).toBe('odoo.exceptions.AccessError');
  expect(await call({ domain: [['nothing', '=', 1]] }, app.main.admin.key)).toBe('builtins.ValueError');
});

test('docs/engine.md describes every engine module', () => {
  const rooms = readdirSync('src/engine');
  const documented = [...readFileSync(PAGE, 'utf8').matchAll(/^\| \d \| `(\w+)` \|/gm)].map(
    ([, room]) => room,
  );
  expect(documented.sort()).toEqual(rooms.sort());
});

test('a facade handles a request without a port, as docs/engine.md describes', async () => {
  const request = new Request('http://x/json/2/res.partner/search_count', {
    method: 'POST',
    headers: { authorization: `Bearer ${app.main.admin.key}`, 'content-type': 'application/json' },
    body: '{"domain":[]}',
  });
  expect((await createJson2Facade(app.runtime).fetch(request)).status).toBe(200);
});

function recordStatements(): { text: string; params: unknown[] }[] {
  const { db } = app.runtime;
  const statements: { text: string; params: unknown[] }[] = [];
  const { rows } = db;
  db.rows = ((statement) => {
    statements.push(statement.render());
    return rows(statement);
  }) as typeof rows;
  return statements;
}

/** Normalizes whitespace, which the page is free to choose. */
const toOneLine = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/(?<=\() | (?=\))/g, '')
    .trim();

const CLAUSE = /^ (?=(?:from|left join|where|order by|limit|offset) )/;
const PART = /^(?:, | )(?=and |case |when |coalesce\(|t\d*\."\w+" as )/;

/** Formats the statement: each clause starts a new line, subqueries are indented, and long lines are wrapped. */
function breakText(text: string): string {
  const open: boolean[] = [];
  let [lines, line] = ['', ''];
  const turn = (separator: string, indent: number) => {
    lines += `${line}${separator.trimEnd()}\n`;
    line = '  '.repeat(indent);
  };
  for (let index = 0; index < text.length; index++) {
    const rest = text.slice(index, index + 120);
    const queries = open.filter(Boolean).length;
    const separator = open.at(-1) === false ? undefined : CLAUSE.exec(rest)?.[0];
    const part = line.length > 60 ? PART.exec(rest)?.[0] : undefined;
    if (separator !== undefined || part !== undefined) {
      turn(separator ?? part!, separator === undefined ? queries + 2 : queries);
      index += (separator ?? part!).length - 1;
      continue;
    }
    if (text[index] === '(') open.push(rest.startsWith('(select'));
    if (text[index] === ')') open.pop();
    if (text[index] === '\n') turn('', 0);
    else line += text[index];
  }
  return lines + line;
}
