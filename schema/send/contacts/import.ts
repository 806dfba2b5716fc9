import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { teamWrites } from '../kit/policies.ts';
import { type BookRow, bookBy } from './books.ts';
import { type ContactRow, merged } from './contact-input.ts';
import { csvRows } from './csv-rows.ts';
import { putContacts } from './put.ts';

/** Result of an import. */
export interface ImportResult {
  created: number;
  updated: number;
  /** Rows whose address another row of the file has. */
  duplicates: number;
  /** Invalid rows; the first of them are reported. */
  failed: number;
  errors: { line: number; message: string }[];
}

verb('contactsImport', {
  kind: 'mutation',
  policy: teamWrites,
  description:
    'Imports contacts from CSV. The first line names the columns: email, firstName, lastName, subscribed; any ' +
    'other column is a property. Invalid rows are skipped and reported. Rows are saved in batches, so a failed ' +
    'import can simply be repeated.',
  args: (arg) => ({
    bookId: arg.string({ required: true, description: 'Contact book id.' }),
    csv: arg({ type: 'JSON', required: true, description: 'Content of the CSV file.' }),
  }),
  async run(ctx, { bookId, csv }) {
    return importContacts(ctx, await bookBy(ctx, bookId), sourceOf(csv));
  },
});

/** A door that has the file as a stream passes it on as it is. */
function sourceOf(csv: unknown): AsyncIterable<Uint8Array | string> {
  if (typeof csv === 'string') return once(csv);
  if (csv !== null && typeof csv === 'object' && Symbol.asyncIterator in csv)
    return csv as AsyncIterable<Uint8Array>;
  throw errors.badValue('csv: the content of a file is required.');
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

async function importContacts(
  ctx: Ctx,
  book: BookRow,
  source: AsyncIterable<Uint8Array | string>,
): Promise<ImportResult> {
  const result: ImportResult = { created: 0, updated: 0, duplicates: 0, failed: 0, errors: [] };
  const seen = new Set<string>();
  let waiting: ContactRow[] = [];
  const flush = async () => {
    await put(ctx, book, waiting, seen, result);
    waiting = [];
  };
  for await (const row of csvRows(source)) {
    if ('fault' in row) {
      result.failed++;
      if (result.errors.length < limits.contact.fileErrors)
        result.errors.push({ line: row.line, message: row.fault });
      continue;
    }
    waiting.push(row.contact);
    if (waiting.length >= limits.contact.bulk) await flush();
  }
  await flush();
  return result;
}

async function put(
  ctx: Ctx,
  book: BookRow,
  rows: ContactRow[],
  seen: Set<string>,
  result: ImportResult,
): Promise<void> {
  if (rows.length === 0) return;
  const distinct = merged(rows);
  const done = await ctx.tx((tx) => putContacts(tx, book, distinct));
  const again = distinct.filter((row) => seen.has(row.email.toLowerCase())).length;
  for (const row of distinct) seen.add(row.email.toLowerCase());
  const created = done.filter((each) => each.created).length;
  result.created += created;
  result.duplicates += rows.length - distinct.length + again;
  result.updated += done.length - created - again;
}
