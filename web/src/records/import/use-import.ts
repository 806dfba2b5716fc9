import { useEffect, useRef, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { useAction } from '../../shell/use-action.ts';
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

export const MAX_LISTED_ERRORS = 1_000;

/** Validates and imports a file in parts. Each part is atomic. */
export function useImport(model: ModelDescription, file: CsvFile, columns: string[]) {
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
  const run = (test: boolean) => {
    setDone(0);
    setResult(undefined);
    if (test) setTrial(undefined);
    return act(async () => {
      const fields = columns.filter((path) => path !== '');
      let sum: ImportCounts = { rows: 0, failed: 0, errors: [] };
      for (const part of splitParts(file, columns)) {
        if (!isMounted.current) return;
        const variables = { model: model.name, fields, data: part.rows, test };
        const { recordLoad } = await runMutation(RecordsLoadDocument, variables);
        sum = addPart(sum, part, recordLoad.messages);
        setDone((before) => before + part.rows.length);
        // If a later part fails, the result includes the rows imported so far.
        if (!test) setResult(sum);
      }
      if (test) setTrial(sum);
    });
  };
  const forget = () => {
    setTrial(undefined);
    setResult(undefined);
  };
  return { isBusy, trial, result, done, run, forget };
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
    errors: [
      ...sum.errors,
      ...messages.map(({ message, firstRow }) => ({ line: lines[firstRow] ?? 0, message })),
    ].slice(0, MAX_LISTED_ERRORS),
  };
}
