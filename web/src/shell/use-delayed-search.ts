import { useEffect, useState } from 'react';

const SEARCH_DELAY_MS = 200;

/** Runs a search after a pause in typing. Returns undefined until results for the current text arrive. */
export function useDelayedSearch<Result>(
  text: string,
  search: (text: string) => Promise<Result>,
): Result | undefined {
  const [results, setResults] = useState<{ text: string; result: Result }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: callers pass a stable search function
  useEffect(() => {
    if (text === '') return;
    let isOver = false;
    const run = async () => {
      const result = await search(text);
      if (!isOver) setResults({ text, result });
    };
    const waiting = window.setTimeout(() => void run(), SEARCH_DELAY_MS);
    return () => {
      isOver = true;
      clearTimeout(waiting);
    };
  }, [text]);
  return text !== '' && results?.text === text ? results.result : undefined;
}
