import { useEffect, useState } from 'react';
import { type QueryState, useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import type { TemplateEditorProps } from './draft.ts';
import { computeChanges, hasChanges } from './draft.ts';
import { TemplatePreviewDocument, type TemplatePreviewQuery } from './generated.ts';

/** Milliseconds without a key before what was typed is rendered. */
const DEBOUNCE_MS = 300;

type PreviewInput = Pick<TemplateEditorProps, 'template' | 'draft' | 'samples'>;

/** The template as it is being written, rendered by the server. */
export function usePreview({ template, draft, samples }: PreviewInput): QueryState<TemplatePreviewQuery> {
  const changes = computeChanges(draft, template);
  const given = Object.entries(samples).filter(([, value]) => value !== '');
  const asked = useDebounced(
    JSON.stringify({
      id: template.id,
      template: hasChanges(changes) ? { ...changes, name: undefined } : undefined,
      variables: Object.fromEntries(given),
    }),
  );
  return useGraphqlQuery(TemplatePreviewDocument, JSON.parse(asked));
}

/** What a value is once it has not changed for a moment. */
export function useDebounced(value: string): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
