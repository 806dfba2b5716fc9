import { useEffect, useState } from 'react';
import { client } from '../../graphql/client.ts';
import { type RequestFailure, toRequestFailure } from '../../graphql/request-error.ts';
import { language } from '../../i18n/language.ts';
import { PaletteRecordsDocument } from './generated.ts';
import type { FoundRecord } from './palette-search.ts';

const SEARCH_DELAY_MS = 200;

interface RecordSearchState {
  records: FoundRecord[];
  /** True if some models took too long. */
  isPartial: boolean;
  isWaiting: boolean;
  refusal: RequestFailure | null;
}

const NO_RESULTS: RecordSearchState = { records: [], isPartial: false, isWaiting: false, refusal: null };

/** Finds records by parts of their names. Results for an earlier text are not returned. */
export function useRecordSearch(text: string): RecordSearchState {
  const [result, setResult] = useState({ ...NO_RESULTS, text: '' });
  useEffect(() => {
    if (text === '') return;
    let isOver = false;
    const search = async () => {
      const request = client.query(
        PaletteRecordsDocument,
        { text, lang: language },
        { requestPolicy: 'network-only' },
      );
      const { data, error } = await request.toPromise();
      if (!isOver)
        setResult({ ...NO_RESULTS, ...data?.palette, refusal: error ? toRequestFailure(error) : null, text });
    };
    const waiting = window.setTimeout(() => void search(), SEARCH_DELAY_MS);
    return () => {
      isOver = true;
      clearTimeout(waiting);
    };
  }, [text]);
  if (text === '') return NO_RESULTS;
  return result.text === text ? result : { ...NO_RESULTS, isWaiting: true };
}
