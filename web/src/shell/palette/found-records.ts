import { useEffect, useState } from 'react';
import { client } from '../../graphql/client.ts';
import { type Refusal, refusalOf } from '../../graphql/refusal.ts';
import { language } from '../../i18n/language.ts';
import { PaletteRecordsDocument } from './generated.ts';
import type { FoundRecord } from './palette-search.ts';

/** Milliseconds after the last letter before the server is asked. */
const PAUSE = 200;

interface FoundRecords {
  records: FoundRecord[];
  /** Some models took too long. */
  isPartial: boolean;
  isWaiting: boolean;
  refusal: Refusal | null;
}

const NONE: FoundRecords = { records: [], isPartial: false, isWaiting: false, refusal: null };

/** Records by some letters of their names; what was found by other letters is not shown. */
export function useFoundRecords(text: string): FoundRecords {
  const [answer, setAnswer] = useState({ ...NONE, text: '' });
  useEffect(() => {
    if (text === '') return;
    let isOver = false;
    const ask = async () => {
      const asked = client.query(
        PaletteRecordsDocument,
        { text, lang: language },
        { requestPolicy: 'network-only' },
      );
      const { data, error } = await asked.toPromise();
      if (!isOver) setAnswer({ ...NONE, ...data?.palette, refusal: error ? refusalOf(error) : null, text });
    };
    const waiting = window.setTimeout(() => void ask(), PAUSE);
    return () => {
      isOver = true;
      clearTimeout(waiting);
    };
  }, [text]);
  if (text === '') return NONE;
  return answer.text === text ? answer : { ...NONE, isWaiting: true };
}
