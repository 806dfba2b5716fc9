import { type FormEvent, useState } from 'react';
import { change } from '../../graphql/client.ts';
import { language } from '../../i18n/language.ts';
import { useAct, useFormAct } from '../../shell/act.ts';
import { useAnswer } from '../../shell/answer.ts';
import { Unsaved } from '../../shell/unsaved.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { say } from '../../ui/toasts.tsx';
import type { OwnModelFacts } from './facts.ts';
import { type FieldDraft, fieldInputs } from './field-draft.ts';
import { FieldDrafts } from './field-drafts.tsx';
import { OwnFieldDeleteDocument, OwnFieldsCreateDocument, OwnModelChoicesDocument } from './generated.ts';
import { modelChoices } from './model-choices.ts';
import { ownModelWords } from './words.ts';

interface OwnFieldsProps {
  model: OwnModelFacts;
  reload(): void;
}

type OwnField = OwnModelFacts['fields']['nodes'][number];

/** Fields that the workspace has added to a model. */
export function OwnFields({ model, reload }: OwnFieldsProps) {
  const [going, setGoing] = useState<OwnField | null>(null);
  const { act } = useAct();
  const fields = model.fields.nodes;
  const remove = () =>
    act(async () => {
      await change(OwnFieldDeleteDocument, { id: going!.id });
      say(ownModelWords.removed);
      reload();
    });
  return (
    <section className="card">
      <h2>{ownModelWords.fields}</h2>
      {fields.length === 0 ? (
        <p className="quiet">{ownModelWords.noFields}</p>
      ) : (
        <div className="scroll-x">
          <table className="figures-table">
            <thead>
              <tr>
                <th scope="col">{ownModelWords.label}</th>
                <th scope="col">{ownModelWords.kind}</th>
                <th scope="col">{ownModelWords.required}</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {fields.map((field) => (
                <tr key={field.id}>
                  <th scope="row">
                    {field.fieldDescription} <code className="quiet small">{field.name}</code>
                  </th>
                  <td>{kindText(field)}</td>
                  <td>{field.required ? ownModelWords.required : ''}</td>
                  <td>
                    <IconButton
                      icon="trash"
                      label={ownModelWords.removeField(field.fieldDescription)}
                      onClick={() => setGoing(field)}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <NewFields model={model} reload={reload} />
      {going && (
        <Confirm
          title={`${ownModelWords.removeField(going.fieldDescription)}?`}
          yes={ownModelWords.remove}
          no={ownModelWords.cancel}
          onYes={remove}
          onClose={() => setGoing(null)}
        >
          <p>{ownModelWords.removeText}</p>
        </Confirm>
      )}
    </section>
  );
}

/** The kind, with where a link leads and what can be chosen. Pure. */
function kindText({ ttype, relation, selections }: OwnField): string {
  const kind = { ...ownModelWords.kinds, ...ownModelWords.otherKinds }[ttype];
  const more = relation ?? selections.nodes.map(({ name }) => name).join(', ');
  return more ? `${kind}: ${more}` : kind;
}

function NewFields({ model, reload }: OwnFieldsProps) {
  const { data } = useAnswer(OwnModelChoicesDocument, { lang: language });
  const [drafts, setDrafts] = useState<FieldDraft[]>([]);
  const { isBusy, refusal, act } = useFormAct();
  const add = (event: FormEvent) => {
    event.preventDefault();
    const there = model.fields.nodes.map(({ name }) => name);
    void act(async () => {
      const inputs = fieldInputs(drafts, there).map((input) => ({ ...input, modelId: model.id }));
      await change(OwnFieldsCreateDocument, { inputs });
      say(ownModelWords.added);
      setDrafts([]);
      reload();
    });
  };
  return (
    <form className="own-model-form" onSubmit={add}>
      <FieldDrafts
        drafts={drafts}
        onChange={setDrafts}
        models={data && modelChoices(data)}
        refusal={refusal}
      />
      {refusal && !/\d/.test(refusal.argument ?? '') && (
        <p role="alert" className="wrong">
          {refusal.message}
        </p>
      )}
      {drafts.length > 0 && (
        <div className="buttons">
          <Button type="submit" look="primary" isBusy={isBusy}>
            {ownModelWords.addFields}
          </Button>
          <Button onClick={() => setDrafts([])}>{ownModelWords.cancel}</Button>
        </div>
      )}
      <Unsaved isDirty={drafts.some(({ label }) => label !== '')} />
    </form>
  );
}
