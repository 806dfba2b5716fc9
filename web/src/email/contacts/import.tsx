import './contacts.css';
import { Link, useParams } from '@tanstack/react-router';
import { type ChangeEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { formatCount, formatNumber } from '../../i18n/format.ts';
import { LoadStatus } from '../../shell/loading.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useAction } from '../../shell/use-action.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button } from '../../ui/button.tsx';
import { type CsvFile, clearFileInput, parseCsvFile, splitCsv } from '../../ui/csv-file.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field, Select } from '../../ui/field.tsx';
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
      <p>
        <Link to="/email/contacts/$book" params={{ book: id }}>
          ‹ {book ? `${book.emoji} ${book.name}` : contactStrings.book}
        </Link>
      </p>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && !book && <EmptyState title={contactStrings.bookNotFound} />}
      {book && <ContactImport book={book} />}
    </Screen>
  );
}

function ContactImport({ book }: { book: BookFactsFragment }) {
  const [file, setFile] = useState<{ read: CsvFile; at: number } | null>(null);
  const [fileError, setFileError] = useState<string>();
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (!file) return;
    const csvFile = parseCsvFile(await file.text());
    setFile(csvFile && { read: csvFile, at: Date.now() });
    setFileError(csvFile ? undefined : contactStrings.emptyFile);
  };
  return (
    <div className="contacts-import">
      <p>{contactStrings.importText}</p>
      {book.doubleOptInEnabled && <p>{contactStrings.confirmationRequired}</p>}
      <Field
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        label={contactStrings.csvFile}
        hint={contactStrings.fileHint}
        error={fileError}
        onClick={clearFileInput}
        onChange={choose}
      />
      {file && <ColumnMapping key={file.at} file={file.read} book={book} />}
    </div>
  );
}

function ColumnMapping({ file, book }: { file: CsvFile; book: BookFactsFragment }) {
  const [columns, setColumns] = useState(() => file.columns.map(guessTarget));
  const importer = useImport(file, columns, book.id);
  const hasEmail = columns.includes('email');
  const set = (index: number, to: string) => {
    setColumns(columns.with(index, to));
    importer.forget();
  };
  return (
    <>
      <h2>{contactStrings.columnMapping}</h2>
      <ul className="columns">
        {file.columns.map((name, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns are identified by position
          <li key={index}>
            <Select
              label={name || contactStrings.unnamedColumn}
              hint={
                file.example[index] ? contactStrings.example(file.example[index].slice(0, 80)) : undefined
              }
              value={columns[index]}
              options={[
                ['', contactStrings.skipColumn],
                ...OWN_COLUMNS.map((column) => [column, contactStrings.contactFields[column]] as const),
                ...getPropertyTargets(name, book.variables).map(
                  (property) => [property, contactStrings.propertyNamed(property)] as const,
                ),
              ]}
              onChange={({ target }) => set(index, target.value)}
            />
          </li>
        ))}
      </ul>
      {!hasEmail && <p role="alert">{contactStrings.noEmailColumn}</p>}
      <div className="buttons">
        <Button
          look={importer.trial ? 'plain' : 'primary'}
          isBusy={importer.isBusy}
          disabled={!hasEmail}
          onClick={() => importer.run(true)}
        >
          {contactStrings.checkFile}
        </Button>
        {importer.trial && !importer.result && (
          <Button
            look="primary"
            isBusy={importer.isBusy}
            disabled={importer.trial.created + importer.trial.updated === 0}
            onClick={() => importer.run(false)}
          >
            {formatCount(importer.trial.created + importer.trial.updated, contactStrings.importNow)}
          </Button>
        )}
      </div>
      <Progress done={importer.done} of={file.rows} isBusy={importer.isBusy} />
      {importer.result ? (
        <ImportResult title={contactStrings.imported} result={importer.result}>
          <Link className="button" to="/email/contacts/$book" params={{ book: book.id }}>
            {contactStrings.viewContacts}
          </Link>
        </ImportResult>
      ) : (
        importer.trial && <ImportResult title={contactStrings.importPreview} result={importer.trial} />
      )}
    </>
  );
}

type ImportCounts = ContactsImportMutation['contactsImport'];

function useImport(file: CsvFile, columns: string[], book: string) {
  const { isBusy, act } = useAction();
  const [trial, setTrial] = useState<ImportCounts>();
  const [result, setResult] = useState<ImportCounts>();
  const [done, setDone] = useState(0);
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  const run = (dryRun: boolean) => {
    setDone(0);
    setResult(undefined);
    if (dryRun) setTrial(undefined);
    return act(async () => {
      let sum: ImportCounts = { created: 0, updated: 0, duplicates: 0, failed: 0, errors: [] };
      for (const { csv, rows, lines } of splitCsv(file)) {
        if (!isMounted.current) return;
        const { contactsImport } = await runMutation(ContactsImportDocument, { book, csv, columns, dryRun });
        sum = addCounts(sum, contactsImport, lines);
        setDone((before) => before + rows);
      }
      (dryRun ? setTrial : setResult)(sum);
    });
  };
  const forget = () => {
    setTrial(undefined);
    setResult(undefined);
  };
  return { isBusy, trial, result, done, run, forget };
}

/** Adds a piece's counts to the total. `lines` is the offset of the piece's line numbers. */
const addCounts = (sum: ImportCounts, piece: ImportCounts, lines: number): ImportCounts => ({
  created: sum.created + piece.created,
  updated: sum.updated + piece.updated,
  duplicates: sum.duplicates + piece.duplicates,
  failed: sum.failed + piece.failed,
  errors: [
    ...sum.errors,
    ...piece.errors.map(({ line, message }) => ({ line: line + lines, message })),
  ].slice(0, MAX_LISTED_ERRORS),
});

const MAX_LISTED_ERRORS = 1_000;

const Progress = ({ done, of, isBusy }: { done: number; of: number; isBusy: boolean }) => (
  <div role="status">
    {isBusy && (
      <>
        <progress value={done} max={of} aria-label={contactStrings.progress} />{' '}
        {contactStrings.rowProgress(formatNumber(done), formatNumber(of))}
      </>
    )}
  </div>
);

interface ImportResultProps {
  title: string;
  result: ImportCounts;
  children?: ReactNode;
}

const ImportResult = ({ title, result, children }: ImportResultProps) => (
  <section className="card" aria-label={title}>
    <h2>{title}</h2>
    <dl className="figures">
      {COUNT_NAMES.map((figure) => (
        <div key={figure}>
          <dt>{contactStrings.importCounts[figure]}</dt>
          <dd>{formatNumber(result[figure])}</dd>
        </div>
      ))}
    </dl>
    <RowErrors
      label={contactStrings.importCounts.failed}
      strings={{ line: contactStrings.line, why: contactStrings.reason }}
      errors={result.errors}
    />
    {children}
  </section>
);

const COUNT_NAMES = ['created', 'updated', 'duplicates', 'failed'] as const;
