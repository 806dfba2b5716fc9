import { useEffect, useState } from 'react';
import { type Answered, useAnswer } from '../../shell/answer.ts';
import type { Edited } from './draft.ts';
import { changesOf, isChanged } from './draft.ts';
import { TemplatePreviewDocument, type TemplatePreviewQuery } from './generated.ts';

/** Milliseconds without a key before what was typed is rendered. */
const PAUSE = 300;

type Previewed = Pick<Edited, 'template' | 'draft' | 'samples'>;

/** The template as it is being written, rendered by the server. */
export function usePreview({ template, draft, samples }: Previewed): Answered<TemplatePreviewQuery> {
  const changes = changesOf(draft, template);
  const given = Object.entries(samples).filter(([, value]) => value !== '');
  const asked = useSettled(
    JSON.stringify({
      id: template.id,
      template: isChanged(changes) ? { ...changes, name: undefined } : undefined,
      variables: Object.fromEntries(given),
    }),
  );
  return useAnswer(TemplatePreviewDocument, JSON.parse(asked));
}

/** What a value is once it has not changed for a moment. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
