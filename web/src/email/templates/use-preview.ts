import { type QueryState, useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { useDebounced } from '../../ui/input/use-debounced.ts';
import { hasChanges } from '../drafts/use-draft.ts';
import type { TemplateEditorProps } from './draft.ts';
import { computeChanges } from './draft.ts';
import { TemplatePreviewDocument, type TemplatePreviewQuery } from './generated.ts';

/** Delay after the last keystroke. */
export const DEBOUNCE_MS = 300;

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
    DEBOUNCE_MS,
  );
  return useGraphqlQuery(TemplatePreviewDocument, JSON.parse(previewInput));
}
