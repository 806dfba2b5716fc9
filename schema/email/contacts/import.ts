import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape, type ValueOf } from '../../../src/engine/operation/shape.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { TEAM_WRITE_POLICY } from '../kit/policies.ts';
import { type BookRow, getBook } from './books.ts';
import { type ContactRow, mergeContacts } from './contact-input.ts';
import { type CsvLine, parseContactsCsv } from './csv-rows.ts';
import { putContacts, type SavedContactRow } from './put-contacts.ts';

const MAX_NAMED_COLUMNS = 1_000;
const MAX_REPORTED_ERRORS = 1_000;

const ImportError = defineTypedShape(
  'ContactImportError',
  'A row in a file that was not imported.',
  {
    line: { type: 'Int', description: 'Line number in the file, starting at 1.' },
    message: { type: 'String', description: 'Description of the error.' },
  },
  { inline: true },
);

const ImportedContactsShape = defineTypedShape('ImportedContacts', 'Result of an import.', {
  created: { type: 'Int', description: 'Contacts added.' },
  updated: { type: 'Int', description: 'Existing contacts that were updated.' },
  duplicates: { type: 'Int', description: 'Rows that repeat an address in the same file.' },
  failed: { type: 'Int', description: 'Rows skipped because of an error.' },
  errors: { type: [ImportError], description: `The first ${MAX_REPORTED_ERRORS} errors.` },
});

type ImportResult = ValueOf<typeof ImportedContactsShape>;

export const contactsImport = defineOperation('contactsImport', {
  effects: ['writes'],
  policy: TEAM_WRITE_POLICY,
  description:
    'Imports contacts from CSV. The first line contains the column names. Columns other than ' +
    '`email`, `firstName`, `lastName` and `subscribed` set properties. Invalid rows are skipped and ' +
    'reported. Rows are saved in batches, so a failed import can be repeated safely.',
  args: (arg) => ({
    bookId: arg.id({ required: true, description: 'Contact book id.' }),
    csv: arg({ type: 'TextFile', required: true, description: 'Content of the CSV file.' }),
    columns: arg.stringList({
      description:
        'Column names, in order. Overrides the header line. Columns with an empty name are ignored.',
    }),
    dryRun: arg.boolean({
      defaultValue: false,
      description: 'True to report what the import would do, without saving anything.',
    }),
  }),
  type: ImportedContactsShape.ref,
  async run(ctx, { bookId, csv, columns, dryRun }) {
    if (columns && columns.length > MAX_NAMED_COLUMNS)
      throw errors.badRequest(`columns: must contain at most ${MAX_NAMED_COLUMNS} columns.`);
    const book = await getBook(ctx, String(bookId));
    const rows = parseContactsCsv(typeof csv === 'string' ? yieldText(csv) : csv, columns ?? undefined);
    return importContacts(rows, (contacts) => (dryRun ? previewContacts : saveContacts)(ctx, book, contacts));
  },
});

/** Saves contacts or, in a dry run, only determines which of them are new. */
type SaveContacts = (contacts: ContactRow[]) => Promise<SavedContact[]>;
type SavedContact = Pick<SavedContactRow, 'email' | 'created'>;

async function* yieldText(text: string): AsyncGenerator<string> {
  yield text;
}

async function importContacts(lines: AsyncIterable<CsvLine>, save: SaveContacts): Promise<ImportResult> {
  const result: ImportResult = { created: 0, updated: 0, duplicates: 0, failed: 0, errors: [] };
  const usedAddresses = new Set<string>();
  let waitingRows: ContactRow[] = [];
  const flush = async () => {
    await saveAndCount(waitingRows, save, usedAddresses, result);
    waitingRows = [];
  };
  for await (const row of lines) {
    if ('fault' in row) {
      result.failed++;
      if (result.errors.length < MAX_REPORTED_ERRORS)
        result.errors.push({ line: row.line, message: row.fault });
      continue;
    }
    waitingRows.push(row.contact);
    if (waitingRows.length >= limits.contact.bulk) await flush();
  }
  await flush();
  return result;
}

async function saveAndCount(
  rows: ContactRow[],
  save: SaveContacts,
  usedAddresses: Set<string>,
  result: ImportResult,
): Promise<void> {
  if (rows.length === 0) return;
  const distinctContacts = mergeContacts(rows);
  const isRepeated = ({ email }: { email: string }) => usedAddresses.has(email.toLowerCase());
  const repeatCount = distinctContacts.filter(isRepeated).length;
  const outcome = await save(distinctContacts);
  const createdCount = outcome.filter((item) => item.created && !isRepeated(item)).length;
  for (const row of distinctContacts) usedAddresses.add(row.email.toLowerCase());
  result.created += createdCount;
  result.duplicates += rows.length - distinctContacts.length + repeatCount;
  result.updated += outcome.length - createdCount - repeatCount;
}

const saveContacts = (ctx: Ctx, book: BookRow, contacts: ContactRow[]): Promise<SavedContact[]> =>
  ctx.tx((tx) => putContacts(tx, book, contacts));

const previewContacts = (ctx: Ctx, book: BookRow, contacts: ContactRow[]): Promise<SavedContact[]> =>
  ctx.db.rows<SavedContact>(
    sql`select g.email, not exists (select 1 from svc_contact c
         where c.workspace_id = ${ctx.workspace.id} and c.book_id = ${book.id} and lower(c.email) = lower(g.email)
       ) as created
     from unnest(${contacts.map(({ email }) => email)}::text[]) g(email)`,
  );
