import { toIsoSql } from '../../../src/db/iso-sql.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { TEAM_READ_POLICY } from '../kit/policies.ts';
import { getBook } from './books.ts';
import { toCsvCell } from './csv-cell.ts';

/** Streams the file, so that it is never entirely in memory. */
interface CsvStream {
  chunks(): AsyncGenerator<string>;
}

export const contactsExport = defineOperation('contactsExport', {
  effects: ['reads'],
  policy: TEAM_READ_POLICY,
  description:
    'Returns the contacts in a contact book as CSV, with one column per property. Cells that a ' +
    'spreadsheet would run as formulas are escaped.',
  args: (arg) => ({ bookId: arg.id({ required: true, description: 'Contact book id.' }) }),
  type: 'String',
  async run(ctx, { bookId }) {
    const book = await getBook(ctx, String(bookId));
    const names = await loadPropertyNames(ctx, book.id);
    const file: CsvStream = { chunks: () => streamLines(ctx, book.id, names) };
    return ctx.streaming ? file : collectText(file);
  },
});

/** @throws USER_ERROR if the text is too large for one response */
async function collectText(file: CsvStream): Promise<string> {
  let text = '';
  for await (const chunk of file.chunks()) {
    text += chunk;
    if (text.length > limits.http.answerBytes) throw errors.answerTooLarge();
  }
  return text;
}

const CONTACT_COLUMNS = ['email', 'firstName', 'lastName', 'subscribed', 'unsubscribeReason', 'createdAt'];

async function loadPropertyNames(ctx: Ctx, bookId: number): Promise<string[]> {
  const rows = await ctx.db.rows<{ name: string }>(
    sql`select distinct p.name from svc_contact c cross join jsonb_object_keys(c.properties) p(name)
     where c.workspace_id = ${ctx.workspace.id} and c.book_id = ${bookId} order by 1`,
  );
  return rows.map((row) => row.name);
}

interface ContactExportRow {
  id: number;
  cells: (string | null)[];
  properties: Record<string, string>;
}

async function* streamLines(ctx: Ctx, bookId: number, names: string[]): AsyncGenerator<string> {
  yield `${[...CONTACT_COLUMNS, ...names].map(toCsvCell).join(',')}\r\n`;
  let after = 0;
  for (;;) {
    const rows = await ctx.db.rows<ContactExportRow>(
      sql`select id, json_build_array(email, first_name, last_name, subscribed::text, unsubscribe_reason,
         ${toIsoSql(sql`create_date`)}) as cells, properties
       from svc_contact where workspace_id = ${ctx.workspace.id} and book_id = ${bookId} and id > ${after}
       order by id limit ${limits.contact.bulk}`,
    );
    if (rows.length === 0) return;
    after = rows.at(-1)!.id;
    yield rows.map((row) => buildContactLine(row, names)).join('');
  }
}

function buildContactLine({ cells, properties }: ContactExportRow, names: string[]): string {
  // A property may be called `constructor`.
  const values = names.map((name) => (Object.hasOwn(properties, name) ? properties[name] : ''));
  return `${[...cells, ...values].map((cell) => toCsvCell(cell ?? '')).join(',')}\r\n`;
}
