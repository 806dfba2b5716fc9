import { toIsoSql } from '../../../src/db/iso.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { teamReads } from '../kit/policies.ts';
import { bookBy } from './books.ts';
import { csvCell } from './csv-cell.ts';

/** A text streamed in chunks, so that it is never in memory as a whole. */
interface CsvStream {
  chunks(): AsyncGenerator<string>;
}

export const contactsExportVerb = verb('contactsExport', {
  kind: 'query',
  effects: ['reads'],
  policy: teamReads,
  description:
    'Returns the contacts of a book as CSV, with a column for each property. Cells that a spreadsheet would run' +
    ' as a formula are escaped.',
  args: (arg) => ({ bookId: arg.id({ required: true, description: 'Contact book id.' }) }),
  type: 'String',
  async run(ctx, { bookId }) {
    const book = await bookBy(ctx, String(bookId));
    const names = await propertyNames(ctx, book.id);
    const file: CsvStream = { chunks: () => lines(ctx, book.id, names) };
    return ctx.streaming ? file : whole(file);
  },
});

/** @throws USER_ERROR when it is too large for one answer */
async function whole(file: CsvStream): Promise<string> {
  let text = '';
  for await (const chunk of file.chunks()) {
    text += chunk;
    if (text.length > limits.http.answerBytes) throw errors.answerTooLarge();
  }
  return text;
}

const OWN = ['email', 'firstName', 'lastName', 'subscribed', 'unsubscribeReason', 'createdAt'];

async function propertyNames(ctx: Ctx, bookId: number): Promise<string[]> {
  const rows = await ctx.db.rows<{ name: string }>(
    sql`select distinct p.name from svc_contact c cross join jsonb_object_keys(c.properties) p(name)
     where c.workspace_id = ${ctx.workspace.id} and c.book_id = ${bookId} order by 1`,
  );
  return rows.map((row) => row.name);
}

interface Row {
  id: number;
  cells: (string | null)[];
  properties: Record<string, string>;
}

async function* lines(ctx: Ctx, bookId: number, names: string[]): AsyncGenerator<string> {
  yield `${[...OWN, ...names].map(csvCell).join(',')}\r\n`;
  let after = 0;
  for (;;) {
    const rows = await ctx.db.rows<Row>(
      sql`select id, json_build_array(email, first_name, last_name, subscribed::text, unsubscribe_reason,
         ${toIsoSql(sql`create_date`)}) as cells, properties
       from svc_contact where workspace_id = ${ctx.workspace.id} and book_id = ${bookId} and id > ${after}
       order by id limit ${limits.contact.bulk}`,
    );
    if (rows.length === 0) return;
    after = rows.at(-1)!.id;
    yield rows.map((row) => line(row, names)).join('');
  }
}

function line({ cells, properties }: Row, names: string[]): string {
  // A property may be called `constructor`.
  const values = names.map((name) => (Object.hasOwn(properties, name) ? properties[name] : ''));
  return `${[...cells, ...values].map((cell) => csvCell(cell ?? '')).join(',')}\r\n`;
}
