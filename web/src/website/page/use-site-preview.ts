import { useEffect, useState } from 'react';
import type { RequestFailure } from '../../graphql/request-error.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { SitePreviewDocument, type SitePreviewQuery } from './generated.ts';

/** Milliseconds without a key before what was typed is rendered. */
const DEBOUNCE_MS = 400;

interface PreviewInput {
  site: string;
  name: string;
  arch: string;
  lang: string | undefined;
}

export type RenderedPreview = SitePreviewQuery['websitePagePreview'];

/** Markup as it is being written, rendered by the server; while it is wrong, as it was before. */
export function useSitePreview(given: PreviewInput): {
  shown: RenderedPreview | undefined;
  refusal: RequestFailure | null;
} {
  const debouncedInput = useDebounced(JSON.stringify(given));
  const { data, refusal } = useGraphqlQuery(SitePreviewDocument, JSON.parse(debouncedInput) as PreviewInput);
  const [lastShown, setLastShown] = useState<RenderedPreview>();
  const shown = data?.websitePagePreview;
  useEffect(() => {
    if (shown) setLastShown(shown);
  }, [shown]);
  return { shown: shown ?? lastShown, refusal };
}

/** What a value is once it has not changed for a moment. */
function useDebounced(value: string): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
