import { runMutation } from '../../graphql/client.ts';
import { addErrors, type ImportStop } from '../../shell/csv-import/use-csv-import.ts';
import type { CsvFile } from '../../ui/csv-file.ts';
import type { RowError } from '../../ui/row-errors.tsx';
import type { ModelDescription } from '../model.ts';
import {
  ALL_FORMATS,
  completeFormat,
  type FileFormat,
  intersectFormats,
  type PossibleFormats,
} from './format.ts';
import { RecordsLoadDocument } from './generated.ts';
import { type ImportPart, splitParts } from './rows.ts';

export interface ImportCounts {
  /** Rows that were imported or can be imported. */
  rows: number;
  /** Rows in parts that contain errors. */
  failed: number;
  errors: RowError[];
  /** The format that the rows were read in. */
  format: FileFormat;
  possible: PossibleFormats;
}

interface FileImport {
  model: ModelDescription;
  file: CsvFile;
  columns: string[];
  format: FileFormat;
}

/** Validates a file in parts. Repeats the trial if only another format is possible. */
export async function* tryImport(fileImport: FileImport) {
  let last: ImportCounts | undefined;
  for await (const step of importRecords(fileImport, true)) {
    last = step.sum;
    yield step;
  }
  const format = completeFormat(fileImport.format, last!.possible);
  const isKnown =
    format.decimalSeparator === fileImport.format.decimalSeparator &&
    format.dateOrder === fileImport.format.dateOrder;
  if (isKnown) return;
  for await (const { sum } of importRecords({ ...fileImport, format }, true)) yield { rows: 0, sum };
}

/** Validates or imports a file in parts, each atomic. @param from where the import failed before */
export async function* importRecords(
  { model, file, columns, format }: FileImport,
  test: boolean,
  from: ImportStop<ImportCounts> | null = null,
) {
  const fields = columns.filter((path) => path !== '');
  const parts = splitParts(file, columns).slice(from?.parts);
  let sum = from?.sum ?? { rows: 0, failed: 0, errors: [], format, possible: ALL_FORMATS };
  for (const part of parts) {
    const variables = { model: model.name, fields, data: part.rows, test, ...format };
    const { recordLoad } = await runMutation(RecordsLoadDocument, variables);
    sum = {
      ...addPart(sum, part, recordLoad.messages),
      possible: intersectFormats(sum.possible, recordLoad),
    };
    yield { rows: part.rows.length, sum };
  }
  if (parts.length === 0) yield { rows: 0, sum };
}

function addPart(
  sum: ImportCounts,
  { rows, lines }: ImportPart,
  messages: readonly { message: string; firstRow: number }[],
): ImportCounts {
  const isImported = messages.length === 0;
  return {
    ...sum,
    rows: sum.rows + (isImported ? rows.length : 0),
    failed: sum.failed + (isImported ? 0 : rows.length),
    errors: addErrors(
      sum.errors,
      messages.map(({ message, firstRow }) => ({ line: lines[firstRow] ?? 0, message })),
    ),
  };
}
