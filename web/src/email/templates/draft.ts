import type { TemplateFactsFragment, TemplateInput } from './generated.ts';

export const toDraft = ({ name, subject, html, text, content, variables }: TemplateFactsFragment) => ({
  name,
  subject,
  html: html ?? '',
  text: text ?? '',
  /** Block editor document that the HTML is rendered from. Empty if the HTML is edited directly. */
  content: content ?? '',
  /** Fallbacks by variable name. An empty string means none. */
  fallbacks: Object.fromEntries(
    Object.entries(variables as Record<string, unknown>).flatMap(([key, value]) =>
      value === null ? [] : [[key, String(value)]],
    ),
  ),
});

type TemplateDraft = ReturnType<typeof toDraft>;

/** Returns the values that differ from the template. The server keeps omitted values. */
export function computeChanges(draft: TemplateDraft, before: TemplateFactsFragment): TemplateInput {
  const old = toDraft(before);
  const changes: TemplateInput = {};
  if (draft.name !== old.name) changes.name = draft.name;
  if (draft.subject !== old.subject) changes.subject = draft.subject;
  if (draft.content !== old.content) changes.content = draft.content;
  // The server renders the HTML of blocks.
  if (!draft.content && draft.html !== old.html) changes.html = draft.html;
  if (draft.text !== old.text) changes.text = draft.text;
  const fallbacks = Object.entries(draft.fallbacks).filter(([, value]) => value !== '');
  if (!hasSameEntries(Object.fromEntries(fallbacks), old.fallbacks)) {
    const oldVariables = before.variables as Record<string, unknown>;
    changes.variables = Object.fromEntries(
      fallbacks.map(([key, value]) => [key, value === old.fallbacks[key] ? oldVariables[key] : value]),
    );
  }
  return changes;
}

function hasSameEntries(a: Record<string, string>, b: Record<string, string>): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

export interface TemplateEditorProps {
  template: TemplateFactsFragment;
  draft: TemplateDraft;
  setDraft(draft: TemplateDraft): void;
  /** Values of the variables in previews and test emails. */
  samples: Record<string, string>;
  setSamples(samples: Record<string, string>): void;
}
