import { type FormEvent, useState } from 'react';
import { language } from '../../i18n/language.ts';
import { ConfirmDialog } from '../../shell/action-buttons.tsx';
import { runWithToast } from '../../shell/run-with-toast.ts';
import { shellStrings } from '../../shell/strings.ts';
import { UnsavedGuard } from '../../shell/unsaved/unsaved-guard.tsx';
import { useFormAction } from '../../shell/use-action.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { FormError } from '../../ui/form/form.tsx';
import { type FieldDraft, toFieldInputs } from './field-draft.ts';
import { FieldDrafts } from './field-drafts.tsx';
import {
  OwnFieldDeleteDocument,
  OwnFieldsCreateDocument,
  OwnModelChoicesDocument,
  type OwnModelQuery,
} from './generated.ts';
import { getModelChoices } from './model-choices.ts';
import { ownModelStrings } from './strings.ts';

export type OwnModelFacts = OwnModelQuery['irModels']['nodes'][number];

interface OwnFieldsProps {
  model: OwnModelFacts;
  reload(): void;
}

type OwnField = OwnModelFacts['fields']['nodes'][number];

export function OwnFields({ model, reload }: OwnFieldsProps) {
  const [fieldToDelete, setFieldToDelete] = useState<OwnField | null>(null);
  const fields = model.fields.nodes;
  const remove = () =>
    runWithToast(OwnFieldDeleteDocument, { id: fieldToDelete!.id }, ownModelStrings.removed).then(reload);
  return (
    <section className="card">
      <h2>{ownModelStrings.fields}</h2>
      {fields.length === 0 ? (
        <p className="quiet">{ownModelStrings.noFields}</p>
      ) : (
        <div className="scroll-x">
          <table className="figures-table">
            <thead>
              <tr>
                <th scope="col">{ownModelStrings.label}</th>
                <th scope="col">{ownModelStrings.type}</th>
                <th scope="col">{ownModelStrings.required}</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {fields.map((field) => (
                <tr key={field.id}>
                  <th scope="row">
                    {field.fieldDescription} <code className="quiet small">{field.name}</code>
                  </th>
                  <td>{formatKind(field)}</td>
                  <td>{field.required ? ownModelStrings.required : ''}</td>
                  <td>
                    <IconButton
                      icon="trash"
                      label={ownModelStrings.removeField(field.fieldDescription)}
                      onClick={() => setFieldToDelete(field)}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <NewFields model={model} reload={reload} />
      {fieldToDelete && (
        <ConfirmDialog
          title={`${ownModelStrings.removeField(fieldToDelete.fieldDescription)}?`}
          yes={ownModelStrings.remove}
          onYes={remove}
          text={ownModelStrings.removeText}
          onClose={() => setFieldToDelete(null)}
        />
      )}
    </section>
  );
}

function formatKind({ type, relation, selections }: OwnField): string {
  const kind = { ...ownModelStrings.kinds, ...ownModelStrings.otherKinds }[type];
  const extra = relation ?? selections.nodes.map(({ name }) => name).join(', ');
  return extra ? `${kind}: ${extra}` : kind;
}

function NewFields({ model, reload }: OwnFieldsProps) {
  const { data } = useGraphqlQuery(OwnModelChoicesDocument, { lang: language });
  const [drafts, setDrafts] = useState<FieldDraft[]>([]);
  const { isBusy, refusal, act } = useFormAction();
  const add = (event: FormEvent) => {
    event.preventDefault();
    const existingNames = model.fields.nodes.map(({ name }) => name);
    void act(async () => {
      const inputs = toFieldInputs(drafts, existingNames).map((input) => ({ ...input, modelId: model.id }));
      await runWithToast(OwnFieldsCreateDocument, { inputs }, ownModelStrings.added);
      setDrafts([]);
      reload();
    });
  };
  return (
    <form className="own-model-form" onSubmit={add}>
      <FieldDrafts
        drafts={drafts}
        onChange={setDrafts}
        models={data && getModelChoices(data)}
        refusal={refusal}
      />
      {!/\d/.test(refusal?.argument ?? '') && <FormError message={refusal?.message} />}
      {drafts.length > 0 && (
        <div className="buttons">
          <Button type="submit" look="primary" isBusy={isBusy}>
            {ownModelStrings.addFields}
          </Button>
          <Button onClick={() => setDrafts([])}>{shellStrings.cancel}</Button>
        </div>
      )}
      <UnsavedGuard isDirty={drafts.some(({ label }) => label !== '')} />
    </form>
  );
}
