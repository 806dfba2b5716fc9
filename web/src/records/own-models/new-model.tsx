import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { runMutation } from '../../graphql/client.ts';
import { language } from '../../i18n/language.ts';
import { Screen } from '../../shell/screen.tsx';
import { shellStrings } from '../../shell/strings.ts';
import { UnsavedGuard } from '../../shell/unsaved/unsaved-guard.tsx';
import { useFormAction } from '../../shell/use-action.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/form/field.tsx';
import { FormError } from '../../ui/form/form.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { createDraft, toFieldInputs, toTechnicalName } from './field-draft.ts';
import { FieldDrafts } from './field-drafts.tsx';
import {
  type IrModelAccessesListNewInput,
  OwnModelChoicesDocument,
  type OwnModelChoicesQuery,
  OwnModelCreateDocument,
} from './generated.ts';
import { getModelChoices } from './model-choices.ts';
import { ownModelStrings } from './strings.ts';

/** External id of the workspace administrators' group. */
const ADMINISTRATORS = 'base.group_system';

type Groups = OwnModelChoicesQuery['groups']['nodes'];

export function NewOwnModel() {
  const navigate = useNavigate();
  const { data } = useGraphqlQuery(OwnModelChoicesDocument, { lang: language });
  const [name, setName] = useState('');
  const [group, setGroup] = useState('');
  const [drafts, setDrafts] = useState([createDraft(0)]);
  const [isDone, setIsDone] = useState(false);
  const { isBusy, refusal, getFieldError, getFormError, act } = useFormAction(undefined, {
    name,
    fields: drafts,
  });
  const groups = data?.groups.nodes ?? [];
  const model = toTechnicalName(name, new Set(data?.models.map(({ model }) => model)));
  const create = (event: FormEvent) => {
    event.preventDefault();
    void act(async () => {
      const fields = { create: toFieldInputs(drafts, ['x_name']) };
      const accesses = { create: buildAccesses(model, group, groups) };
      const input = { name: name.trim(), model, fields, accesses };
      const { irModelCreate: createdModel } = await runMutation(OwnModelCreateDocument, { input });
      showToast(ownModelStrings.created(name.trim()));
      // Resets the state before navigating, so that the guard for unsaved changes is not triggered.
      flushSync(() => setIsDone(true));
      await navigate({ to: '/records/models/$model', params: { model: createdModel.model }, replace: true });
    });
  };
  return (
    <Screen title={ownModelStrings.create}>
      <form className="own-model-form" onSubmit={create}>
        <Field
          label={ownModelStrings.name}
          hint={name.trim() ? ownModelStrings.apiName(model) : ownModelStrings.nameHint}
          value={name}
          required
          maxLength={100}
          error={getFieldError('name')}
          onChange={({ target }) => setName(target.value)}
        />
        <h2>{ownModelStrings.fields}</h2>
        <p className="quiet">{ownModelStrings.nameField}</p>
        <FieldDrafts
          drafts={drafts}
          onChange={setDrafts}
          models={data && getModelChoices(data)}
          refusal={refusal}
        />
        <AccessChoice groups={groups} group={group} onChoose={setGroup} />
        {!/\d/.test(refusal?.argument ?? '') && <FormError message={getFormError(['name'])} />}
        <div className="buttons">
          <Button type="submit" look="primary" isBusy={isBusy}>
            {ownModelStrings.create}
          </Button>
          <Button onClick={() => void navigate({ to: '/records/models' })}>{shellStrings.cancel}</Button>
        </div>
      </form>
      <UnsavedGuard isDirty={!isDone && (name !== '' || drafts.some(({ label }) => label !== ''))} />
    </Screen>
  );
}

interface AccessChoiceProps {
  groups: Groups;
  /** Empty if only administrators have access. */
  group: string;
  onChoose(group: string): void;
}

const AccessChoice = ({ groups, group, onChoose }: AccessChoiceProps) => (
  <Select
    label={ownModelStrings.access}
    hint={ownModelStrings.accessHint}
    value={group}
    options={[
      ['', ownModelStrings.onlyAdmins],
      ...groups
        .filter(({ externalId }) => externalId !== ADMINISTRATORS)
        .map(({ id, displayName }) => [id, displayName] as const),
    ]}
    onChange={({ target }) => onChoose(target.value)}
  />
);

/** Grants all rights to the chosen group and to administrators. Returns an empty list if no group was chosen. */
function buildAccesses(model: string, group: string, groups: Groups): IrModelAccessesListNewInput[] {
  if (!group) return [];
  const administrators = groups.find(({ externalId }) => externalId === ADMINISTRATORS);
  return [group, administrators?.id].flatMap((groupId) =>
    groupId
      ? { name: model, groupId, permRead: true, permWrite: true, permCreate: true, permUnlink: true }
      : [],
  );
}
