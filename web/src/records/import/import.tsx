import './import.css';
import { Link, useParams } from '@tanstack/react-router';
import { type ChangeEvent, useState } from 'react';
import { formatCount, formatNumber } from '../../i18n/format.ts';
import { LoadStatus } from '../../shell/loading.tsx';
import { Screen } from '../../shell/screen.tsx';
import { Button } from '../../ui/button.tsx';
import { type CsvFile, clearFileInput, parseCsvFile } from '../../ui/csv-file.ts';
import { Field, Select } from '../../ui/field.tsx';
import { RowErrors } from '../../ui/row-errors.tsx';
import { bulkStrings } from '../bulk-strings.ts';
import { getRights } from '../document.ts';
import { type ModelDescription, useModel } from '../model.ts';
import { NoModel } from '../model-screen.tsx';
import { recordStrings } from '../strings.ts';
import { findDuplicate, getTargets, guessTarget } from './targets.ts';
import { type ImportCounts, MAX_LISTED_ERRORS, useImport } from './use-import.ts';

/** Imports records from a file in three steps: column mapping, trial run and import. */
export function RecordImportPage() {
  const { model: name } = useParams({ from: '/records/$model/import' });
  const { model, refusal, reload } = useModel(name);
  const mayImport = !model || getRights(model).create || getRights(model).update;
  if (refusal?.code === 'NOT_FOUND_MODEL' || !mayImport) return <NoModel />;
  return (
    <Screen
      title={model ? bulkStrings.importTitle(model.pluralLabel) : bulkStrings.import}
      needs="modelDescribe"
    >
      <p className="small">
        <Link to="/records/$model" params={{ model: name }}>
          ‹ {model?.pluralLabel ?? recordStrings.title}
        </Link>
      </p>
      {model ? <RecordImport model={model} /> : <LoadStatus refusal={refusal} onAgain={reload} />}
    </Screen>
  );
}

function RecordImport({ model }: { model: ModelDescription }) {
  const [file, setFile] = useState<{ read: CsvFile; at: number } | null>(null);
  const [fault, setFault] = useState<string>();
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (!file) return;
    const csvFile = parseCsvFile(await file.text());
    setFile(csvFile && { read: csvFile, at: Date.now() });
    setFault(csvFile ? undefined : bulkStrings.emptyFile);
  };
  return (
    <div className="records-import">
      <p>{bulkStrings.importText}</p>
      <Field
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        label={bulkStrings.csvFile}
        hint={bulkStrings.fileHint}
        error={fault}
        onClick={clearFileInput}
        onChange={choose}
      />
      {file && <ColumnMapping key={file.at} model={model} file={file.read} />}
    </div>
  );
}

interface ColumnMappingProps {
  model: ModelDescription;
  file: CsvFile;
}

function ColumnMapping({ model, file }: ColumnMappingProps) {
  const targets = getTargets(model);
  const [columns, setColumns] = useState(() => file.columns.map((name) => guessTarget(model, targets, name)));
  const { isBusy, trial, result, done, run, forget } = useImport(model, file, columns);
  const duplicate = findDuplicate(targets, columns);
  const fault = columns.every((path) => path === '')
    ? bulkStrings.noColumns
    : duplicate && bulkStrings.mappedTwice(duplicate);
  const isValid = trial?.failed === 0;
  return (
    <>
      <h2>{bulkStrings.columnMapping}</h2>
      <ul className="targets">
        {file.columns.map((name, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns are identified by position
          <li key={index}>
            <Select
              label={name || bulkStrings.unnamedColumn}
              hint={file.example[index] ? bulkStrings.example(file.example[index].slice(0, 80)) : undefined}
              value={columns[index]}
              disabled={isBusy}
              options={[['', bulkStrings.skipColumn], ...targets]}
              onChange={({ target }) => {
                setColumns(columns.with(index, target.value));
                forget();
              }}
            />
          </li>
        ))}
      </ul>
      {fault && <p role="alert">{fault}</p>}
      <div className="buttons">
        <Button
          look={isValid ? 'plain' : 'primary'}
          isBusy={isBusy}
          disabled={fault !== null}
          onClick={() => void run(true)}
        >
          {bulkStrings.checkFile}
        </Button>
        {isValid && !result && (
          <Button look="primary" isBusy={isBusy} onClick={() => void run(false)}>
            {formatCount(trial.rows, bulkStrings.importNow)}
          </Button>
        )}
      </div>
      <div role="status">
        {isBusy && (
          <>
            <progress value={done} max={file.rows} aria-label={bulkStrings.importProgress} />{' '}
            {bulkStrings.rowProgress(formatNumber(done), formatNumber(file.rows))}
          </>
        )}
      </div>
      {result ? (
        <ImportSummary model={model} result={result} isBusy={isBusy} />
      ) : (
        trial && <TrialResult trial={trial} />
      )}
    </>
  );
}

const TrialResult = ({ trial }: { trial: ImportCounts }) => (
  <section className="card" aria-label={bulkStrings.checkFile}>
    <p role="status">
      {trial.failed === 0
        ? formatCount(trial.rows, bulkStrings.allValid)
        : formatCount(trial.errors.length, bulkStrings.invalidRows)}
    </p>
    <ImportErrors loaded={trial} />
  </section>
);

const ImportSummary = ({
  model,
  result,
  isBusy,
}: {
  model: ModelDescription;
  result: ImportCounts;
  isBusy: boolean;
}) => (
  <section className="card" aria-label={bulkStrings.import}>
    <p role="status">{formatCount(result.rows, bulkStrings.imported)}</p>
    {result.failed > 0 && <p>{formatCount(result.failed, bulkStrings.notImported)}</p>}
    <ImportErrors loaded={result} />
    {!isBusy && (
      <Link className="button" to="/records/$model" params={{ model: model.name }}>
        {bulkStrings.viewRecords}
      </Link>
    )}
  </section>
);

const ImportErrors = ({ loaded: { errors } }: { loaded: ImportCounts }) => (
  <>
    <RowErrors
      label={bulkStrings.errors}
      strings={{ line: bulkStrings.line, why: bulkStrings.reason }}
      errors={errors}
    />
    {errors.length >= MAX_LISTED_ERRORS && <p className="quiet">{bulkStrings.moreErrors}</p>}
  </>
);
