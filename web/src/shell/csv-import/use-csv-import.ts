import { useEffect, useRef, useState } from 'react';
import type { RowError } from '../../ui/row-errors.tsx';
import { useAction } from '../use-action.ts';

const MAX_LISTED_ERRORS = 1_000;

/** Number of imported rows of a part, and all counts up to this part. */
interface ImportedPart<Counts> {
  rows: number;
  sum: Counts;
}

/**
 * Runs a trial and the import of a file in parts. Stops if the screen is left.
 * @param load imports the file after a `trial`; in a trial, the server only validates it
 * @param showsParts true if the result is shown after each part, because the other parts may fail
 */
export function useCsvImport<Counts>(
  load: (isTrial: boolean, trial: Counts | undefined) => AsyncGenerator<ImportedPart<Counts>>,
  showsParts = false,
) {
  const { isBusy, act } = useAction();
  const [trial, setTrial] = useState<Counts>();
  const [result, setResult] = useState<Counts>();
  const [done, setDone] = useState(0);
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  const run = (isTrial: boolean) => {
    setDone(0);
    setResult(undefined);
    if (isTrial) setTrial(undefined);
    return act(async () => {
      let total: Counts | undefined;
      for await (const { rows, sum } of load(isTrial, trial)) {
        if (!isMounted.current) return;
        setDone((before) => before + rows);
        if (showsParts && !isTrial) setResult(sum);
        total = sum;
      }
      (isTrial ? setTrial : setResult)(total);
    });
  };
  const forget = () => {
    setTrial(undefined);
    setResult(undefined);
  };
  // A trial forgets the previous one.
  const isImporting = isBusy && trial !== undefined;
  return { isBusy, isImporting, trial, result, done, run, forget };
}

export const addErrors = (errors: readonly RowError[], more: readonly RowError[]): RowError[] =>
  [...errors, ...more].slice(0, MAX_LISTED_ERRORS);

export const hasMoreErrors = (errors: readonly RowError[]): boolean => errors.length >= MAX_LISTED_ERRORS;
