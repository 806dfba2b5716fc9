import { BackLink } from '../../shell/back-link.tsx';
import './contacts.css';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { formatCount, formatNumber } from '../../i18n/format.ts';
import { ColumnMapping, CsvImport, ImportProgress } from '../../shell/csv-import/csv-import.tsx';
import { addErrors, useCsvImport } from '../../shell/csv-import/use-csv-import.ts';
import { LoadStatus } from '../../shell/loading.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button } from '../../ui/button.tsx';
import { type CsvFile, splitCsv } from '../../ui/csv-file.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RowErrors } from '../../ui/row-errors.tsx';
import { getPropertyTargets, guessTarget, OWN_COLUMNS } from './csv-columns.ts';
import {
  type BookFactsFragment,
  ContactBookDocument,
  ContactsImportDocument,
  type ContactsImportMutation,
} from './generated.ts';
import { contactStrings } from './strings.ts';

/** Imports contacts from a file in three steps: column mapping, trial run and import. */
export function ImportPage() {
  const { book: id } = useParams({ from: '/email/contacts/$book/import' });
  const { data, refusal, reload } = useGraphqlQuery(ContactBookDocument, { id });
  const book = data?.contactBook;
  return (
    <Screen title={contactStrings.importTitle} needs="contactsImport">
      <BackLink to="/email/contacts/$book" params={{ book: id }}>
        {book ? `${book.emoji} ${book.name}` : contactStrings.book}
      </BackLink>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && !book && <EmptyState title={contactStrings.bookNotFound} />}
      {book && <ContactImport book={book} />}
    </Screen>
  );
}

const ContactImport = ({ book }: { book: BookFactsFragment }) => (
  <CsvImport
    text={
      <>
        <p>{contactStrings.importText}</p>
        {book.doubleOptInEnabled && <p>{contactStrings.confirmationRequired}</p>}
      </>
    }
    hint={contactStrings.fileHint}
  >
    {(file) => <FileImport file={file} book={book} />}
  </CsvImport>
);

function FileImport({ file, book }: { file: CsvFile; book: BookFactsFragment }) {
  const [columns, setColumns] = useState(() => file.columns.map(guessTarget));
  const { isBusy, isImporting, trial, result, done, run, forget } = useCsvImport((isTrial) =>
    importContacts(file, columns, book.id, isTrial),
  );
  const hasEmail = columns.includes('email');
  return (
    <>
      <ColumnMapping
        file={file}
        columns={columns}
        getTargets={(name) => [
          ...OWN_COLUMNS.map((column) => [column, contactStrings.contactFields[column]] as const),
          ...getPropertyTargets(name, book.variables).map(
            (property) => [property, contactStrings.propertyNamed(property)] as const,
          ),
        ]}
        onChange={(columns) => {
          setColumns(columns);
          forget();
        }}
      />
      {!hasEmail && <p role="alert">{contactStrings.noEmailColumn}</p>}
      <div className="buttons">
        <Button
          look={trial ? 'plain' : 'primary'}
          isBusy={isBusy && !isImporting}
          disabled={isImporting || !hasEmail}
          onClick={() => run(true)}
        >
          {contactStrings.checkFile}
        </Button>
        {trial && !result && (
          <Button
            look="primary"
            isBusy={isImporting}
            disabled={trial.created + trial.updated === 0}
            onClick={() => run(false)}
          >
            {formatCount(trial.created + trial.updated, contactStrings.importNow)}
          </Button>
        )}
      </div>
      <ImportProgress
        label={contactStrings.progress}
        done={done}
        rows={file.rows}
        isBusy={isBusy}
        isImporting={isImporting}
      />
      {result ? (
        <ImportResult title={contactStrings.imported} result={result}>
          <Link className="button" to="/email/contacts/$book" params={{ book: book.id }}>
            {contactStrings.viewContacts}
          </Link>
        </ImportResult>
      ) : (
        trial && <ImportResult title={contactStrings.importPreview} result={trial} />
      )}
    </>
  );
}

type ImportCounts = ContactsImportMutation['contactsImport'];

async function* importContacts(file: CsvFile, columns: string[], book: string, dryRun: boolean) {
  let sum: ImportCounts = { created: 0, updated: 0, duplicates: 0, failed: 0, errors: [] };
  for (const { csv, rows, lines } of splitCsv(file)) {
    const { contactsImport } = await runMutation(ContactsImportDocument, { book, csv, columns, dryRun });
    sum = addCounts(sum, contactsImport, lines);
    yield { rows, sum };
  }
  if (file.rows === 0) yield { rows: 0, sum };
}

/** Adds a piece's counts to the total. `lines` is the offset of the piece's line numbers. */
const addCounts = (sum: ImportCounts, piece: ImportCounts, lines: number): ImportCounts => ({
  created: sum.created + piece.created,
  updated: sum.updated + piece.updated,
  duplicates: sum.duplicates + piece.duplicates,
  failed: sum.failed + piece.failed,
  errors: addErrors(
    sum.errors,
    piece.errors.map(({ line, message }) => ({ line: line + lines, message })),
  ),
});

interface ImportResultProps {
  title: string;
  result: ImportCounts;
  children?: ReactNode;
}

const ImportResult = ({ title, result, children }: ImportResultProps) => (
  <section className="card" aria-label={title}>
    <h2>{title}</h2>
    <dl className="figures import-counts">
      {COUNT_NAMES.map((figure) => (
        <div key={figure}>
          <dt>{contactStrings.importCounts[figure]}</dt>
          <dd>{formatNumber(result[figure])}</dd>
        </div>
      ))}
    </dl>
    <RowErrors label={contactStrings.importCounts.failed} errors={result.errors} />
    {children}
  </section>
);

const COUNT_NAMES = ['created', 'updated', 'duplicates', 'failed'] as const;
