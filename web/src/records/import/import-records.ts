import { runMutation } from '../../graphql/client.ts';
import { addErrors } from '../../shell/csv-import/use-csv-import.ts';
import type { CsvFile } from '../../ui/csv-file.ts';
import type { RowError } from '../../ui/row-errors.tsx';
import type { ModelDescription } from '../model.ts';
import { RecordsLoadDocument } from './generated.ts';
import { type ImportPart, splitParts } from './rows.ts';

export interface ImportCounts {
  /** Rows that were imported or can be imported. */
  rows: number;
  /** Rows in parts that contain errors. */
  failed: number;
  errors: RowError[];
}

/** Validates or imports a file in parts. Each part is atomic. */
export async function* importRecords(
  model: ModelDescription,
  file: CsvFile,
  columns: string[],
  test: boolean,
) {
  const fields = columns.filter((path) => path !== '');
  let sum: ImportCounts = { rows: 0, failed: 0, errors: [] };
  for (const part of splitParts(file, columns)) {
    const variables = { model: model.name, fields, data: part.rows, test };
    const { recordLoad } = await runMutation(RecordsLoadDocument, variables);
    sum = addPart(sum, part, recordLoad.messages);
    yield { rows: part.rows.length, sum };
  }
  if (file.rows === 0) yield { rows: 0, sum };
}

function addPart(
  sum: ImportCounts,
  { rows, lines }: ImportPart,
  messages: readonly { message: string; firstRow: number }[],
): ImportCounts {
  const isImported = messages.length === 0;
  return {
    rows: sum.rows + (isImported ? rows.length : 0),
    failed: sum.failed + (isImported ? 0 : rows.length),
    errors: addErrors(
      sum.errors,
      messages.map(({ message, firstRow }) => ({ line: lines[firstRow] ?? 0, message })),
    ),
  };
}
