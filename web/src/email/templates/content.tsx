import { useRef } from 'react';
import type { RequestFailure } from '../../graphql/request-error.ts';
import { Field, TextArea } from '../../ui/form/field.tsx';
import { Form, FormError } from '../../ui/form/form.tsx';
import { BodyField } from '../blocks/body-field.tsx';
import { buildStarterDocument } from '../blocks/starter-document.ts';
import type { TemplateEditorProps } from './draft.ts';
import { templateStrings } from './strings.ts';
import { usePreview } from './use-preview.ts';

interface TemplateContentProps extends TemplateEditorProps {
  refusal: RequestFailure | null;
  onSave(): void;
}

export const TEMPLATE_FORM_ID = 'template-content';

export function TemplateContent({ refusal: saveFailure, onSave, ...edited }: TemplateContentProps) {
  const { draft, setDraft } = edited;
  const { data, refusal: previewFailure } = usePreview(edited);
  const error = saveFailure ?? previewFailure;
  const getFieldError = (field: string) => (getArgument(error) === field ? error!.message : null);
  const otherError = error && !FORM_FIELDS.has(getArgument(error)) ? error.message : null;
  // While the content is invalid, keeps the variables of the last valid preview.
  const latest = useRef<{ names: string[]; missing: string[] }>({ names: [], missing: [] });
  if (data) latest.current = data.templatePreview;
  const { names, missing } = latest.current;
  return (
    <Form id={TEMPLATE_FORM_ID} onSubmit={onSave}>
      <div className="template-heads">
        <Field
          label={templateStrings.name}
          value={draft.name}
          error={getFieldError('name')}
          onChange={({ target }) => setDraft({ ...draft, name: target.value })}
        />
        <Field
          label={templateStrings.subject}
          value={draft.subject}
          error={getFieldError('subject')}
          onChange={({ target }) => setDraft({ ...draft, subject: target.value })}
        />
      </div>
      <BodyField
        html={draft.html}
        htmlHint={templateStrings.htmlHint}
        content={draft.content}
        starter={buildStarterDocument(templateStrings.starter)}
        variables={names}
        missing={missing}
        error={{ html: getFieldError('html'), content: getFieldError('content') }}
        onChange={(body) => setDraft({ ...draft, ...body })}
      />
      <TextArea
        label={templateStrings.text}
        hint={templateStrings.textHint}
        rows={6}
        value={draft.text}
        error={getFieldError('text')}
        onChange={({ target }) => setDraft({ ...draft, text: target.value })}
      />
      <FormError message={otherError} />
      <VariableFallbacks names={names} draft={draft} setDraft={setDraft} />
    </Form>
  );
}

type VariableFallbacksProps = Pick<TemplateEditorProps, 'draft' | 'setDraft'> & { names: readonly string[] };

const VariableFallbacks = ({ names, draft, setDraft }: VariableFallbacksProps) => (
  <section className="card template-variables">
    <h2>{templateStrings.variables}</h2>
    <p className="quiet small">
      {names.length > 0 ? templateStrings.variablesText : templateStrings.noVariables}
    </p>
    <div className="template-values">
      {names.map((name) => (
        <Field
          key={name}
          label={templateStrings.fallbackFor(name)}
          value={draft.fallbacks[name] ?? ''}
          onChange={({ target }) =>
            setDraft({ ...draft, fallbacks: { ...draft.fallbacks, [name]: target.value } })
          }
        />
      ))}
    </div>
  </section>
);

/** Errors about these arguments are shown next to their fields. A version conflict opens a dialog. */
const FORM_FIELDS = new Set<string | undefined>([
  'name',
  'subject',
  'html',
  'content',
  'text',
  'expectedVersion',
]);

const getArgument = (error: RequestFailure | null): string | undefined => error?.argument?.split('.').at(-1);
