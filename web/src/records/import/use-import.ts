import { useEffect, useRef, useState } from 'react';
import { change } from '../../graphql/client.ts';
import { useAct } from '../../shell/act.ts';
import type { CsvFile } from '../../ui/csv-file.ts';
import type { RowError } from '../../ui/row-errors.tsx';
import type { Described } from '../model.ts';
import { RecordsLoadDocument } from './generated.ts';
import { type Part, partsOf } from './rows.ts';

/** What a check has found, or an import has done, so far or at its end. */
export interface Loaded {
  /** Rows that are imported, or can be. */
  rows: number;
  /** Rows of parts in which something is wrong. */
  failed: number;
  errors: RowError[];
}

/** Errors that are listed. */
export const SHOWN = 1_000;

/** Checks a file and imports it, part by part, each as a whole or not at all. */
export function useImport(model: Described, file: CsvFile, columns: string[]) {
  const { isBusy, act } = useAct();
  const [trial, setTrial] = useState<Loaded>();
  const [result, setResult] = useState<Loaded>();
  const [done, setDone] = useState(0);
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const run = (test: boolean) => {
    setDone(0);
    setResult(undefined);
    if (test) setTrial(undefined);
    return act(async () => {
      const fields = columns.filter((path) => path !== '');
      let sum: Loaded = { rows: 0, failed: 0, errors: [] };
      for (const part of partsOf(file, columns)) {
        if (!isHere.current) return;
        const asked = { model: model.name, fields, data: part.rows, test };
        const { recordLoad } = await change(RecordsLoadDocument, asked);
        sum = together(sum, part, recordLoad.messages);
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

function together(
  sum: Loaded,
  { rows, lines }: Part,
  messages: readonly { message: string; firstRow: number }[],
): Loaded {
  const isWhole = messages.length === 0;
  return {
    rows: sum.rows + (isWhole ? rows.length : 0),
    failed: sum.failed + (isWhole ? 0 : rows.length),
    errors: [
      ...sum.errors,
      ...messages.map(({ message, firstRow }) => ({ line: lines[firstRow] ?? 0, message })),
    ].slice(0, SHOWN),
  };
}
