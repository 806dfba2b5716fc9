import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { formatCount, formatNumber } from '../../i18n/format.ts';
import { ColumnMapping, CsvImport, ImportProgress } from '../../shell/csv-import/csv-import.tsx';
import { hasMoreErrors, type ImportStop, useCsvImport } from '../../shell/csv-import/use-csv-import.ts';
import { LoadStatus } from '../../shell/loading.tsx';
import { Screen } from '../../shell/screen.tsx';
import { Button } from '../../ui/button.tsx';
import type { CsvFile } from '../../ui/csv-file.ts';
import { RowErrors } from '../../ui/row-errors.tsx';
import { bulkStrings } from '../bulk-strings.ts';
import { getRights } from '../document.ts';
import type { ModelDescription } from '../model.ts';
import { NoModel } from '../model-screen.tsx';
import { recordStrings } from '../strings.ts';
import { useModel } from '../use-model.ts';
import { ALL_FORMATS, DEFAULT_FORMAT, isUndecided } from './format.ts';
import { FormatChoices } from './format-choices.tsx';
import { type ImportCounts, importRecords, tryImport } from './import-records.ts';
import { type ImportPart, splitParts } from './rows.ts';
import { findDuplicate, getTargets, guessTarget } from './targets.ts';

/** Imports records from a file in three steps: column mapping, trial run and import. */
export function RecordImportPage() {
  const { model: name } = useParams({ from: '/records/$model/import' });
  const { model, refusal, reload } = useModel(name);
  const mayImport = !model || getRights(model).create || getRights(model).update;
  if (refusal?.code === 'NOT_FOUND_MODEL' || !mayImport) return <NoModel />;
  return (
    <Screen title={model ? bulkStrings.importTitle(model.pluralLabel) : bulkStrings.import}>
      <p className="small">
        <Link to="/records/$model" params={{ model: name }}>
          ‹ {model?.pluralLabel ?? recordStrings.title}
        </Link>
      </p>
      {model ? <RecordImport model={model} /> : <LoadStatus refusal={refusal} onAgain={reload} />}
    </Screen>
  );
}

const RecordImport = ({ model }: { model: ModelDescription }) => (
  <CsvImport text={<p>{bulkStrings.importText}</p>} hint={bulkStrings.fileHint}>
    {(file) => <FileImport model={model} file={file} />}
  </CsvImport>
);

function FileImport({ model, file }: { model: ModelDescription; file: CsvFile }) {
  const targets = getTargets(model);
  const [columns, setColumns] = useState(() => file.columns.map((name) => guessTarget(model, targets, name)));
  const [format, setFormat] = useState(DEFAULT_FORMAT);
  const { isBusy, isImporting, trial, result, stop, done, run, forget } = useCsvImport<ImportCounts>(
    (isTrial, trial, from) =>
      isTrial
        ? tryImport({ model, file, columns, format })
        : importRecords({ model, file, columns, format: trial!.format }, false, from),
    true,
  );
  const [possible, setPossible] = useState(ALL_FORMATS);
  if (trial && trial.possible !== possible) setPossible(trial.possible);
  const duplicate = findDuplicate(targets, columns);
  const fault = columns.every((path) => path === '')
    ? bulkStrings.noColumns
    : duplicate && bulkStrings.mappedTwice(duplicate);
  const isAsked = isUndecided(format, possible);
  const isValid = trial?.failed === 0 && !isAsked;
  return (
    <>
      <ColumnMapping
        file={file}
        columns={columns}
        isDisabled={isBusy}
        getTargets={() => targets}
        onChange={(columns) => {
          setColumns(columns);
          setFormat(DEFAULT_FORMAT);
          setPossible(ALL_FORMATS);
          forget();
        }}
      />
      <FormatChoices
        format={format}
        possible={possible}
        isDisabled={isBusy}
        onChange={(format) => {
          setFormat(format);
          forget();
        }}
      />
      {fault && <p role="alert">{fault}</p>}
      <div className="buttons">
        <Button
          look={isValid ? 'plain' : 'primary'}
          isBusy={isBusy && !isImporting}
          disabled={isImporting || fault !== null || isAsked}
          onClick={() => void run(true)}
        >
          {bulkStrings.checkFile}
        </Button>
        {isValid && (isImporting || (!result && !stop)) && (
          <Button look="primary" isBusy={isImporting} onClick={() => void run(false)}>
            {formatCount(trial.rows, bulkStrings.importNow)}
          </Button>
        )}
      </div>
      <ImportProgress
        label={bulkStrings.importProgress}
        done={done}
        rows={file.rows}
        isBusy={isBusy}
        isImporting={isImporting}
      />
      {stop && <StoppedImport stop={stop} parts={splitParts(file, columns)} run={run} />}
      {result ? (
        <ImportSummary model={model} result={result} isBusy={isBusy} />
      ) : (
        trial && !isAsked && <TrialResult trial={trial} />
      )}
    </>
  );
}

interface StoppedImportProps {
  stop: ImportStop<ImportCounts>;
  parts: ImportPart[];
  run(isTrial: false, from: ImportStop<ImportCounts>): Promise<void>;
}

function StoppedImport({ stop, parts, run }: StoppedImportProps) {
  // These records exist if only the response was lost.
  const { lines } = parts[stop.parts]!;
  return (
    <section className="card" aria-label={bulkStrings.importStopped}>
      <p role="alert">{bulkStrings.stoppedAt(formatNumber(lines[0]!), formatNumber(lines.at(-1)!))}</p>
      <div className="buttons">
        <Button onClick={() => void run(false, stop)}>{bulkStrings.repeatLines}</Button>
        <Button onClick={() => void run(false, { ...stop, parts: stop.parts + 1 })}>
          {bulkStrings.skipLines}
        </Button>
      </div>
    </section>
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
    <RowErrors label={bulkStrings.errors} errors={errors} />
    {hasMoreErrors(errors) && <p className="quiet">{bulkStrings.moreErrors}</p>}
  </>
);
