import { useEffect, useState } from 'react';
import type { Refusal } from '../../graphql/refusal.ts';
import { useAnswer } from '../../shell/answer.ts';
import { SitePreviewDocument, type SitePreviewQuery } from './generated.ts';

/** Milliseconds without a key before what was typed is rendered. */
const PAUSE = 400;

interface Previewed {
  site: string;
  name: string;
  arch: string;
  lang: string | undefined;
}

export type ShownPreview = SitePreviewQuery['websitePagePreview'];

/** Markup as it is being written, rendered by the server; while it is wrong, as it was before. */
export function useSitePreview(given: Previewed): {
  shown: ShownPreview | undefined;
  refusal: Refusal | null;
} {
  const asked = useSettled(JSON.stringify(given));
  const { data, refusal } = useAnswer(SitePreviewDocument, JSON.parse(asked) as Previewed);
  const [kept, setKept] = useState<ShownPreview>();
  const shown = data?.websitePagePreview;
  useEffect(() => {
    if (shown) setKept(shown);
  }, [shown]);
  return { shown: shown ?? kept, refusal };
}

/** What a value is once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
