import './import.css';
import { Link, useParams } from '@tanstack/react-router';
import { type ChangeEvent, useState } from 'react';
import { counted, formatNumber } from '../../i18n/format.ts';
import { Failed, Screen } from '../../shell/screen.tsx';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { type CsvFile, csvFile, letChooseAgain } from '../../ui/csv-file.ts';
import { Choice, Field } from '../../ui/field.tsx';
import { RowErrors } from '../../ui/row-errors.tsx';
import { bulkWords } from '../bulk-words.ts';
import { rightsOf } from '../document.ts';
import { type Described, useModel } from '../model.ts';
import { NoModel } from '../no-model.tsx';
import { takenFor, targetsOf, twice } from './targets.ts';
import { type Loaded, SHOWN, useImport } from './use-import.ts';

/** Records of a file: what its columns hold, what an import would say to it, then the import. */
export function ImportRecords() {
  const { model: name } = useParams({ from: '/records/$model/import' });
  const { model, refusal, reload } = useModel(name);
  const mayImport = !model || rightsOf(model).create || rightsOf(model).update;
  if (refusal?.code === 'NOT_FOUND_MODEL' || !mayImport) return <NoModel name={name} />;
  return (
    <Screen title={bulkWords.importTitle(model?.label ?? name)} needs="modelDescribe">
      <p className="small">
        <Link to="/records/$model" params={{ model: name }}>
          ‹ {model?.label ?? name}
        </Link>
      </p>
      {refusal && <Failed refusal={refusal} onAgain={reload} />}
      {!model && !refusal && <p role="status">{shellWords.loading}</p>}
      {model && <Import model={model} />}
    </Screen>
  );
}

function Import({ model }: { model: Described }) {
  const [file, setFile] = useState<{ read: CsvFile; at: number } | null>(null);
  const [fault, setFault] = useState<string>();
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [given] = target.files ?? [];
    if (!given) return;
    const read = csvFile(await given.text());
    setFile(read && { read, at: Date.now() });
    setFault(read ? undefined : bulkWords.emptyFile);
  };
  return (
    <div className="records-import">
      <p>{bulkWords.importText}</p>
      <Field
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        label={bulkWords.file}
        hint={bulkWords.fileHint}
        error={fault}
        onClick={letChooseAgain}
        onChange={choose}
      />
      {file && <Columns key={file.at} model={model} file={file.read} />}
    </div>
  );
}

function Columns({ model, file }: { model: Described; file: CsvFile }) {
  const targets = targetsOf(model);
  const [columns, setColumns] = useState(() => file.columns.map((name) => takenFor(model, targets, name)));
  const { isBusy, trial, result, done, run, forget } = useImport(model, file, columns);
  const doubled = twice(targets, columns);
  const fault = columns.every((path) => path === '')
    ? bulkWords.noColumns
    : doubled && bulkWords.twice(doubled);
  const isRight = trial?.failed === 0;
  const set = (at: number, to: string) => {
    setColumns(columns.with(at, to));
    forget();
  };
  return (
    <>
      <h2>{bulkWords.columns}</h2>
      <ul className="targets">
        {file.columns.map((name, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns are known by their place
          <li key={at}>
            <Choice
              label={name || bulkWords.unnamed}
              hint={file.example[at] ? bulkWords.example(file.example[at].slice(0, 80)) : undefined}
              value={columns[at]}
              disabled={isBusy}
              options={[['', bulkWords.leaveOut], ...targets]}
              onChange={({ target }) => set(at, target.value)}
            />
          </li>
        ))}
      </ul>
      {fault && <p role="alert">{fault}</p>}
      <div className="buttons">
        <Button
          look={isRight ? 'plain' : 'primary'}
          isBusy={isBusy}
          disabled={fault !== null}
          onClick={() => void run(true)}
        >
          {bulkWords.check}
        </Button>
        {isRight && !result && (
          <Button look="primary" isBusy={isBusy} onClick={() => void run(false)}>
            {counted(trial.rows, bulkWords.importNow)}
          </Button>
        )}
      </div>
      <div role="status">
        {isBusy && (
          <>
            <progress value={done} max={file.rows} aria-label={bulkWords.importProgress} />{' '}
            {bulkWords.rowsOf(formatNumber(done), formatNumber(file.rows))}
          </>
        )}
      </div>
      {result ? (
        <Done model={model} result={result} isBusy={isBusy} />
      ) : (
        trial && (
          <section className="card" aria-label={bulkWords.check}>
            <p role="status">
              {isRight
                ? counted(trial.rows, bulkWords.allRight)
                : counted(trial.errors.length, bulkWords.wrongRows)}
            </p>
            <Errors loaded={trial} />
          </section>
        )
      )}
    </>
  );
}

const Done = ({ model, result, isBusy }: { model: Described; result: Loaded; isBusy: boolean }) => (
  <section className="card" aria-label={bulkWords.import}>
    <p role="status">{counted(result.rows, bulkWords.imported)}</p>
    {result.failed > 0 && <p>{counted(result.failed, bulkWords.notImported)}</p>}
    <Errors loaded={result} />
    {!isBusy && (
      <Link className="button" to="/records/$model" params={{ model: model.name }}>
        {bulkWords.toRecords}
      </Link>
    )}
  </section>
);

const Errors = ({ loaded: { errors } }: { loaded: Loaded }) => (
  <>
    <RowErrors
      label={bulkWords.errors}
      words={{ line: bulkWords.line, why: bulkWords.why }}
      errors={errors}
    />
    {errors.length >= SHOWN && <p className="quiet">{bulkWords.moreErrors}</p>}
  </>
);
