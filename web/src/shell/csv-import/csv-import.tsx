import { UnsavedGuard } from '../unsaved/unsaved-guard.tsx';
import './csv-import.css';
import { type ChangeEvent, Fragment, type ReactNode, useState } from 'react';
import { formatNumber } from '../../i18n/format.ts';
import { type CsvFile, clearFileInput, parseCsvFile } from '../../ui/csv-file.ts';
import { Field, Select } from '../../ui/form/field.tsx';
import { importStrings } from './strings.ts';

interface CsvImportProps {
  text: ReactNode;
  hint: string;
  /** Renders the chosen file. Its state is reset when another file is chosen. */
  children(file: CsvFile): ReactNode;
}

export function CsvImport({ text, hint, children }: CsvImportProps) {
  const [file, setFile] = useState<{ read: CsvFile; at: number } | null>(null);
  const [error, setError] = useState<string>();
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (!file) return;
    const csvFile = parseCsvFile(await file.text());
    setFile(csvFile && { read: csvFile, at: Date.now() });
    setError(csvFile ? undefined : importStrings.emptyFile);
  };
  return (
    <div className="csv-import">
      {text}
      <Field
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        label={importStrings.csvFile}
        hint={hint}
        error={error}
        onClick={clearFileInput}
        onChange={choose}
      />
      {file && <Fragment key={file.at}>{children(file.read)}</Fragment>}
    </div>
  );
}

interface ColumnMappingProps {
  file: CsvFile;
  /** Target of each column. Empty if the column is skipped. */
  columns: string[];
  isDisabled?: boolean;
  getTargets(name: string): readonly (readonly [target: string, label: string])[];
  onChange(columns: string[]): void;
}

export const ColumnMapping = ({ file, columns, isDisabled, getTargets, onChange }: ColumnMappingProps) => (
  <>
    <h2>{importStrings.columnMapping}</h2>
    <ul className="targets">
      {file.columns.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns are identified by position
        <li key={index}>
          <Select
            label={name || importStrings.unnamedColumn}
            hint={file.example[index] ? importStrings.example(file.example[index].slice(0, 80)) : undefined}
            value={columns[index]}
            disabled={isDisabled}
            options={[['', importStrings.skipColumn], ...getTargets(name)]}
            onChange={({ target }) => onChange(columns.with(index, target.value))}
          />
        </li>
      ))}
    </ul>
  </>
);

interface ImportProgressProps {
  label: string;
  done: number;
  rows: number;
  isBusy: boolean;
  /** Leaving the screen would stop the import. */
  isImporting: boolean;
}

export const ImportProgress = ({ label, done, rows, isBusy, isImporting }: ImportProgressProps) => (
  <div role="status">
    <UnsavedGuard isDirty={isImporting} />
    {isBusy && (
      <>
        <progress value={done} max={rows} aria-label={label} />{' '}
        {importStrings.rowProgress(formatNumber(done), formatNumber(rows))}
      </>
    )}
  </div>
);
