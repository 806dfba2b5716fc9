import type { FormEvent } from 'react';
import type { Refusal } from '../../graphql/refusal.ts';
import { Field, TextField } from '../../ui/field.tsx';
import { beginning } from '../blocks/begin.ts';
import { BodyField } from '../blocks/body-field.tsx';
import type { Edited } from './draft.ts';
import { usePreview } from './use-preview.ts';
import { templateWords } from './words.ts';

interface ContentProps extends Edited {
  /** Why it was not saved. */
  refusal: Refusal | null;
  onSave(): void;
}

/** The id of the form, for the button that saves it. */
export const CONTENT_FORM = 'template-content';

/** What a template says, and what stands where a value is missing. */
export function Content({ refusal: unsaved, onSave, ...edited }: ContentProps) {
  const { draft, setDraft } = edited;
  const { data, refusal: unread } = usePreview(edited);
  const refusal = unsaved ?? unread;
  const about = (field: string) => (argumentOf(refusal) === field ? refusal!.message : null);
  const rest = refusal && !PLACES.has(argumentOf(refusal)) ? refusal.message : null;
  const { names, missing } = data?.templatePreview ?? { names: [], missing: [] };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave();
  };
  return (
    <form id={CONTENT_FORM} className="template-form" onSubmit={submit}>
      <div className="template-heads">
        <Field
          label={templateWords.name}
          value={draft.name}
          error={about('name')}
          onChange={({ target }) => setDraft({ ...draft, name: target.value })}
        />
        <Field
          label={templateWords.subject}
          value={draft.subject}
          error={about('subject')}
          onChange={({ target }) => setDraft({ ...draft, subject: target.value })}
        />
      </div>
      <BodyField
        html={draft.html}
        htmlHint={templateWords.htmlHint}
        content={draft.content}
        starter={beginning(templateWords.starter)}
        variables={names}
        missing={missing}
        error={{ html: about('html'), content: about('content') }}
        onChange={(body) => setDraft({ ...draft, ...body })}
      />
      <TextField
        label={templateWords.text}
        hint={templateWords.textHint}
        rows={6}
        value={draft.text}
        error={about('text')}
        onChange={({ target }) => setDraft({ ...draft, text: target.value })}
      />
      {rest && (
        <p role="alert" className="template-wrong">
          {rest}
        </p>
      )}
      <section className="card template-variables">
        <h2>{templateWords.variables}</h2>
        <p className="quiet small">
          {names.length > 0 ? templateWords.variablesText : templateWords.noVariables}
        </p>
        <div className="template-values">
          {names.map((name) => (
            <Field
              key={name}
              label={templateWords.fallbackOf(name)}
              value={draft.fallbacks[name] ?? ''}
              onChange={({ target }) =>
                setDraft({ ...draft, fallbacks: { ...draft.fallbacks, [name]: target.value } })
              }
            />
          ))}
        </div>
      </section>
    </form>
  );
}

/** Fields that a refusal can stand at; that somebody else has saved is asked about. */
const PLACES = new Set<string | undefined>(['name', 'subject', 'html', 'content', 'text', 'expectedVersion']);

const argumentOf = (refusal: Refusal | null): string | undefined => refusal?.argument?.split('.').at(-1);
