import { Link } from '@tanstack/react-router';
import { runMutation, runQuery } from '../../../graphql/client.ts';
import { ConfirmButton, DialogOpener } from '../../../shell/action-buttons.tsx';
import { FormDialog } from '../../../shell/dialogs/form-dialog.tsx';
import { LoadStatus } from '../../../shell/loading.tsx';
import { runWithToast } from '../../../shell/run-with-toast.ts';
import { useAction } from '../../../shell/use-action.ts';
import { useGraphqlQuery, useLiveQuery } from '../../../shell/use-graphql-query.ts';
import { Checkbox, Select } from '../../../ui/form/field.tsx';
import { getText } from '../../../ui/form/form.tsx';
import { adminStrings } from '../strings.ts';
import {
  GroupChoicesDocument,
  ModelIdDocument,
  RightChangeDocument,
  type RightChangeMutationVariables,
  type RightFactsFragment,
  RightMakeDocument,
  RightRemoveDocument,
  RightsDocument,
} from './generated.ts';

/** In the order of the checkboxes. */
const PERMISSION_FIELDS = [
  ['permRead', 'READ'],
  ['permCreate', 'CREATE'],
  ['permWrite', 'UPDATE'],
  ['permUnlink', 'DELETE'],
] as const;

export function Rights({ model }: { model: string }) {
  const { data, refusal, reload } = useLiveQuery(RightsDocument, { model }, 'ir.model.access');
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const rights = data.irModelAccessList.nodes;
  return (
    <section className="card admin-stack" aria-label={adminStrings.rights}>
      <div className="section-head">
        <p className="quiet">{adminStrings.rightsText}</p>
        <DialogOpener icon="plus" label={adminStrings.addRight}>
          {(onClose) => <AddAccessRightDialog model={model} onClose={onClose} onAdded={reload} />}
        </DialogOpener>
      </div>
      {rights.length === 0 && <p>{adminStrings.noRights}</p>}
      <ul className="item-rows">
        {rights.map((right) => (
          <RightRow key={right.id} right={right} reload={reload} />
        ))}
      </ul>
    </section>
  );
}

function RightRow({ right, reload }: { right: RightFactsFragment; reload(): void }) {
  const { isBusy, act } = useAction();
  const groupName = right.group?.fullName ?? adminStrings.everyone;
  // Sends only the changed operation, so that concurrent changes to the same right are preserved.
  const set = (input: RightChangeMutationVariables['input']) =>
    act(() => runWithToast(RightChangeDocument, { id: right.id, input }, adminStrings.saved));
  const remove = () =>
    runWithToast(RightRemoveDocument, { id: right.id }, adminStrings.deleted(groupName)).then(reload);
  return (
    <li className="right-row">
      <fieldset className="right-set" disabled={isBusy}>
        <legend>
          {right.group ? (
            <Link to="/admin/groups/$id" params={{ id: right.group.id }} search={{ tab: 'rights' }}>
              {groupName}
            </Link>
          ) : (
            groupName
          )}
        </legend>
        <div className="admin-ticks">
          {PERMISSION_FIELDS.map(([field, operation]) => (
            <Checkbox
              key={field}
              label={adminStrings.operations[operation]}
              checked={right[field]}
              onChange={({ target }) => set({ [field]: target.checked })}
            />
          ))}
          <Checkbox
            label={adminStrings.isActive}
            checked={right.active}
            onChange={({ target }) => set({ active: target.checked })}
          />
        </div>
      </fieldset>
      <ConfirmButton
        look="ghost"
        label={adminStrings.delete}
        aria-label={adminStrings.deleteNamed(groupName)}
        title={adminStrings.deleteTitle(groupName)}
        text={adminStrings.deleteRightText}
        onYes={remove}
      />
    </li>
  );
}

interface AddAccessRightDialogProps {
  model: string;
  onClose(): void;
  onAdded(): void;
}

function AddAccessRightDialog({ model, onClose, onAdded }: AddAccessRightDialogProps) {
  const { data } = useGraphqlQuery(GroupChoicesDocument, {});
  const groups = data?.groups.nodes ?? [];
  const add = async (form: FormData) => {
    const group = getText(form, 'group') || null;
    const { irModels } = await runQuery(ModelIdDocument, { model });
    const name = groups.find(({ id }) => id === group)?.fullName ?? adminStrings.everyone;
    await runMutation(RightMakeDocument, {
      input: {
        name: `${model}: ${name}`,
        modelId: irModels.nodes[0]!.id,
        groupId: group,
        ...Object.fromEntries(PERMISSION_FIELDS.map(([field]) => [field, form.has(field)])),
      },
    });
    onAdded();
  };
  return (
    <FormDialog title={adminStrings.addRight} errorField="group" onSubmit={add} onClose={onClose}>
      <Select
        name="group"
        label={adminStrings.group}
        options={[
          ['', adminStrings.everyone],
          ...groups.map(({ id, fullName }) => [id, fullName ?? id] as const),
        ]}
      />
      <div className="admin-ticks">
        {PERMISSION_FIELDS.map(([field, operation]) => (
          <Checkbox
            key={field}
            name={field}
            label={adminStrings.operations[operation]}
            defaultChecked={field === 'permRead'}
          />
        ))}
      </div>
    </FormDialog>
  );
}
