import { useEffect, useState } from 'react';
import { type QueryState, useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { hasChanges } from '../drafts/draft-state.ts';
import type { TemplateEditorProps } from './draft.ts';
import { computeChanges } from './draft.ts';
import { TemplatePreviewDocument, type TemplatePreviewQuery } from './generated.ts';

/** Delay after the last keystroke. */
const DEBOUNCE_MS = 300;

type PreviewInput = Pick<TemplateEditorProps, 'template' | 'draft' | 'samples'>;

export function usePreview({ template, draft, samples }: PreviewInput): QueryState<TemplatePreviewQuery> {
  const changes = computeChanges(draft, template);
  const values = Object.entries(samples).filter(([, value]) => value !== '');
  const previewInput = useDebounced(
    JSON.stringify({
      id: template.id,
      template: hasChanges(changes) ? { ...changes, name: undefined } : undefined,
      variables: Object.fromEntries(values),
    }),
  );
  return useGraphqlQuery(TemplatePreviewDocument, JSON.parse(previewInput));
}

export function useDebounced(value: string): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
