import { type FormEvent, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { language } from '../../i18n/language.ts';
import { runWithToast } from '../../shell/run-with-toast.ts';
import { useAction } from '../../shell/use-action.ts';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/form/field.tsx';
import { showToast } from '../../ui/toasts.tsx';
import {
  OwnModelChoicesDocument,
  OwnRightCreateDocument,
  OwnRightDeleteDocument,
  OwnRightUpdateDocument,
} from './generated.ts';
import type { OwnModelFacts } from './own-fields.tsx';
import { ownModelStrings } from './strings.ts';

const PERMISSIONS = ['permRead', 'permWrite', 'permCreate', 'permUnlink'] as const;
type Permission = (typeof PERMISSIONS)[number];

interface OwnRightsProps {
  model: OwnModelFacts;
  reload(): void;
}

export function OwnRights({ model, reload }: OwnRightsProps) {
  const { act } = useAction();
  const [entered, setEntered] = useState<Record<string, Partial<Record<Permission, boolean>>>>({});
  const rights = model.accesses.nodes;
  const remove = (id: string) =>
    act(async () => {
      await runWithToast(OwnRightDeleteDocument, { id }, ownModelStrings.removed);
      reload();
    });
  // Updates the checkbox optimistically. An error reverts it.
  const set = (id: string, permission: Permission, value: boolean) => {
    setEntered({ [id]: { [permission]: value } });
    return act(async () => {
      try {
        await runMutation(OwnRightUpdateDocument, { id, input: { [permission]: value } });
        showToast(ownModelStrings.saved);
      } finally {
        setEntered({});
      }
    });
  };
  return (
    <section className="card">
      <h2>{ownModelStrings.rights}</h2>
      <p className="quiet">{rights.length > 0 ? ownModelStrings.rightsText : ownModelStrings.noRights}</p>
      {rights.length > 0 && (
        <div className="scroll-x">
          <table className="figures-table">
            <thead>
              <tr>
                <th scope="col">{ownModelStrings.group}</th>
                {PERMISSIONS.map((permission) => (
                  <th key={permission} scope="col">
                    {ownModelStrings[permission]}
                  </th>
                ))}
                <td />
              </tr>
            </thead>
            <tbody>
              {rights.map((right) => (
                <RightRow
                  key={right.id}
                  right={{ ...right, ...entered[right.id] }}
                  onSet={(permission, value) => void set(right.id, permission, value)}
                  onRemove={() => void remove(right.id)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <NewRight model={model} reload={reload} />
    </section>
  );
}

interface RightRowProps {
  right: OwnModelFacts['accesses']['nodes'][number];
  onSet(permission: Permission, value: boolean): void;
  onRemove(): void;
}

function RightRow({ right, onSet, onRemove }: RightRowProps) {
  const group = right.group?.displayName ?? ownModelStrings.everyone;
  return (
    <tr>
      <th scope="row">{group}</th>
      {PERMISSIONS.map((permission) => (
        <td key={permission}>
          <input
            type="checkbox"
            aria-label={ownModelStrings.rightLabel(group, ownModelStrings[permission])}
            checked={right[permission]}
            onChange={({ target }) => onSet(permission, target.checked)}
          />
        </td>
      ))}
      <td>
        <IconButton icon="trash" label={ownModelStrings.removeRight(group)} onClick={onRemove} />
      </td>
    </tr>
  );
}

function NewRight({ model, reload }: OwnRightsProps) {
  const { data } = useGraphqlQuery(OwnModelChoicesDocument, { lang: language });
  const [groupId, setGroupId] = useState('');
  const { isBusy, act } = useAction();
  const existingGroupIds = new Set(model.accesses.nodes.map(({ group }) => group?.id));
  const add = (event: FormEvent) => {
    event.preventDefault();
    const rights = { permRead: true, permWrite: true, permCreate: true, permUnlink: false };
    void act(async () => {
      await runMutation(OwnRightCreateDocument, {
        input: { name: model.model, modelId: model.id, groupId, ...rights },
      });
      setGroupId('');
      reload();
    });
  };
  return (
    <form className="own-right-new" onSubmit={add}>
      <Select
        label={ownModelStrings.group}
        value={groupId}
        required
        options={[
          ['', ''],
          ...(data?.groups.nodes ?? [])
            .filter(({ id }) => !existingGroupIds.has(id))
            .map(({ id, displayName }) => [id, displayName] as const),
        ]}
        onChange={({ target }) => setGroupId(target.value)}
      />
      <Button type="submit" icon="plus" isBusy={isBusy}>
        {ownModelStrings.addGroup}
      </Button>
    </form>
  );
}
