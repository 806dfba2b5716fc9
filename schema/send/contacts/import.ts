import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { typedShape } from '../../../src/engine/verb/shape.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { limits } from '../../../src/limits.ts';
import { teamWrites } from '../kit/policies.ts';
import { type BookRow, bookBy } from './books.ts';
import { type ContactRow, merged } from './contact-input.ts';
import { csvRows } from './csv-rows.ts';
import { putContacts } from './put.ts';

/** Result of an import. */
interface ImportResult {
  created: number;
  updated: number;
  /** Rows whose address another row of the file has. */
  duplicates: number;
  /** Invalid rows; the first of them are reported. */
  failed: number;
  errors: { line: number; message: string }[];
}

const ImportError = typedShape(
  'ContactImportError',
  'A row of a file that was not imported.',
  {
    line: { type: 'Int', description: 'Line number in the file, starting at 1.' },
    message: { type: 'String', description: 'What is wrong with the row.' },
  },
  { inline: true },
);

const Imported = typedShape('ImportedContacts', 'Result of an import.', {
  created: { type: 'Int', description: 'Contacts added.' },
  updated: { type: 'Int', description: 'Contacts that existed and were updated.' },
  duplicates: { type: 'Int', description: 'Rows that repeat an address of the same file.' },
  failed: { type: 'Int', description: 'Rows skipped because of an error.' },
  errors: { type: [ImportError], description: `The first ${limits.contact.fileErrors} errors.` },
});

export const contactsImportVerb = verb('contactsImport', {
  kind: 'mutation',
  policy: teamWrites,
  description:
    'Imports contacts from CSV. The first line names the columns: email, firstName, lastName, subscribed; any ' +
    'other column is a property. Invalid rows are skipped and reported. Rows are saved in batches, so a failed ' +
    'import can simply be repeated.',
  args: (arg) => ({
    bookId: arg.id({ required: true, description: 'Contact book id.' }),
    csv: arg({ type: 'TextFile', required: true, description: 'Content of the CSV file.' }),
  }),
  type: Imported.ref,
  run: async (ctx, { bookId, csv }) =>
    importContacts(ctx, await bookBy(ctx, String(bookId)), typeof csv === 'string' ? once(csv) : csv),
});

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
