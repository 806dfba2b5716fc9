import { useEffect, useRef, useState } from 'react';
import type { RowError } from '../../ui/row-errors.tsx';
import { useAction } from '../use-action.ts';

const MAX_LISTED_ERRORS = 1_000;

/** Number of imported rows of a part, and all counts up to this part. */
interface ImportedPart<Counts> {
  rows: number;
  sum: Counts;
}

/** Where an import failed: its completed parts, and all counts up to there. */
export interface ImportStop<Counts> {
  parts: number;
  sum: Counts | undefined;
}

/**
 * Runs a trial and the import of a file in parts. Stops if the screen is left.
 * @param load imports the file after a `trial`, or the rest of it after a failure; in a trial, the server only
 * validates it
 * @param showsParts true if the result is shown after each part, because the other parts may fail
 */
export function useCsvImport<Counts>(
  load: (
    isTrial: boolean,
    trial: Counts | undefined,
    from: ImportStop<Counts> | null,
  ) => AsyncGenerator<ImportedPart<Counts>>,
  showsParts = false,
) {
  const { isBusy, act } = useAction();
  const [trial, setTrial] = useState<Counts>();
  const [result, setResult] = useState<Counts>();
  const [stop, setStop] = useState<ImportStop<Counts> | null>(null);
  const [done, setDone] = useState(0);
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  const run = (isTrial: boolean, from: ImportStop<Counts> | null = null) => {
    if (!from) setDone(0);
    setResult(from?.sum);
    setStop(null);
    if (isTrial) setTrial(undefined);
    return act(async () => {
      let { parts, sum: total } = from ?? { parts: 0, sum: undefined };
      try {
        for await (const { rows, sum } of load(isTrial, trial, from)) {
          if (!isMounted.current) return;
          setDone((before) => before + rows);
          if (showsParts && !isTrial) setResult(sum);
          parts++;
          total = sum;
        }
      } catch (error) {
        if (!isTrial) setStop({ parts, sum: total });
        throw error;
      }
      (isTrial ? setTrial : setResult)(total);
    });
  };
  const forget = () => {
    setTrial(undefined);
    setResult(undefined);
    setStop(null);
  };
  // A trial forgets the previous one.
  const isImporting = isBusy && trial !== undefined;
  return { isBusy, isImporting, trial, result, stop, done, run, forget };
}

export const addErrors = (errors: readonly RowError[], more: readonly RowError[]): RowError[] =>
  [...errors, ...more].slice(0, MAX_LISTED_ERRORS);

export const hasMoreErrors = (errors: readonly RowError[]): boolean => errors.length >= MAX_LISTED_ERRORS;
