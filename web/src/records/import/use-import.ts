import { useEffect, useRef, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { useAction } from '../../shell/use-action.ts';
import type { CsvFile } from '../../ui/csv-file.ts';
import type { RowError } from '../../ui/row-errors.tsx';
import type { ModelDescription } from '../model.ts';
import { RecordsLoadDocument } from './generated.ts';
import { type ImportPart, splitParts } from './rows.ts';

/** What a check has found, or an import has done, so far or at its end. */
export interface ImportCounts {
  /** Rows that are imported, or can be. */
  rows: number;
  /** Rows of parts in which something is wrong. */
  failed: number;
  errors: RowError[];
}

/** Errors that are listed. */
export const MAX_LISTED_ERRORS = 1_000;

/** Checks a file and imports it, part by part, each as a whole or not at all. */
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
        // What was imported before something fails is known all the same.
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
