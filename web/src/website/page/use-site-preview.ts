import { useEffect, useState } from 'react';
import type { RequestFailure } from '../../graphql/request-error.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { useDebounced } from '../../ui/input/use-debounced.ts';
import { SitePreviewDocument, type SitePreviewQuery } from './generated.ts';

/** Delay after the last keystroke. */
const DEBOUNCE_MS = 400;

interface PreviewInput {
  site: string;
  name: string;
  arch: string;
  lang: string | undefined;
}

export type RenderedPreview = SitePreviewQuery['websitePagePreview'];

/** Renders the edited markup on the server. Returns the last valid preview while the markup is invalid. */
export function useSitePreview(input: PreviewInput): {
  renderedPreview: RenderedPreview | undefined;
  refusal: RequestFailure | null;
} {
  const debouncedInput = useDebounced(JSON.stringify(input), DEBOUNCE_MS);
  const { data, refusal } = useGraphqlQuery(SitePreviewDocument, JSON.parse(debouncedInput) as PreviewInput);
  const [lastShown, setLastShown] = useState<RenderedPreview>();
  const preview = data?.websitePagePreview;
  useEffect(() => {
    if (preview) setLastShown(preview);
  }, [preview]);
  return { renderedPreview: preview ?? lastShown, refusal };
}
