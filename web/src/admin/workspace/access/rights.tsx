import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ask, change } from '../../../graphql/client.ts';
import { useFresh } from '../../../graphql/live.ts';
import { useAct, useFormAct } from '../../../shell/act.ts';
import { useAnswer } from '../../../shell/answer.ts';
import { Failed } from '../../../shell/screen.tsx';
import { shellWords } from '../../../shell/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Choice, Tick } from '../../../ui/field.tsx';
import { say } from '../../../ui/toasts.tsx';
import { adminWords } from '../words.ts';
import {
  GroupChoicesDocument,
  ModelIdDocument,
  RightChangeDocument,
  type RightFactsFragment,
  RightMakeDocument,
  RightRemoveDocument,
  RightsDocument,
} from './generated.ts';

/** The operations of a right, in the order of the ticks. */
const PERMS = [
  ['read', 'permRead', 'READ'],
  ['create', 'permCreate', 'CREATE'],
  ['write', 'permWrite', 'UPDATE'],
  ['unlink', 'permUnlink', 'DELETE'],
] as const;

/** Access rights of a model: what each group may do with its records. */
export function Rights({ model }: { model: string }) {
  const { data, refusal, reload } = useAnswer(RightsDocument, { model });
  useFresh('ir.model.access', reload);
  const [isAdding, setAdding] = useState(false);
  if (refusal) return <Failed refusal={refusal} onAgain={reload} />;
  if (!data) return <p role="status">{shellWords.loading}</p>;
  const rights = data.irModelAccessList.nodes;
  return (
    <section className="card admin-stack" aria-label={adminWords.rights}>
      <div className="admin-head">
        <p className="quiet">{adminWords.rightsText}</p>
        <Button icon="plus" onClick={() => setAdding(true)}>
          {adminWords.addRight}
        </Button>
      </div>
      {rights.length === 0 && <p>{adminWords.noRights}</p>}
      <ul className="admin-rows">
        {rights.map((right) => (
          <RightRow key={right.id} right={right} reload={reload} />
        ))}
      </ul>
      {isAdding && <AddRight model={model} onClose={() => setAdding(false)} onAdded={reload} />}
    </section>
  );
}

function RightRow({ right, reload }: { right: RightFactsFragment; reload(): void }) {
  const { isBusy, act } = useAct();
  const [isAsking, setAsking] = useState(false);
  const who = right.group?.fullName ?? adminWords.everybody;
  // One operation at a time: what others change of the same right stays.
  const set = (changes: { read?: boolean; active?: boolean }) =>
    act(async () => {
      await change(RightChangeDocument, { id: right.id, ...changes });
      say(adminWords.saved);
    });
  const remove = () =>
    act(async () => {
      await change(RightRemoveDocument, { id: right.id });
      say(adminWords.deleted(who));
      reload();
    });
  return (
    <li className="right-row">
      <fieldset className="right-set" disabled={isBusy}>
        <legend>
          {right.group ? (
            <Link to="/admin/groups/$id" params={{ id: right.group.id }} search={{ tab: 'rights' }}>
              {who}
            </Link>
          ) : (
            who
          )}
        </legend>
        <div className="admin-ticks">
          {PERMS.map(([name, field, operation]) => (
            <Tick
              key={name}
              label={adminWords.operations[operation]}
              checked={right[field]}
              onChange={({ target }) => set({ [name]: target.checked })}
            />
          ))}
          <Tick
            label={adminWords.inForce}
            checked={right.active}
            onChange={({ target }) => set({ active: target.checked })}
          />
        </div>
      </fieldset>
      <Button look="ghost" aria-label={adminWords.deleteOf(who)} onClick={() => setAsking(true)}>
        {adminWords.delete}
      </Button>
      {isAsking && (
        <Confirm
          title={adminWords.deleteTitle(who)}
          yes={adminWords.delete}
          no={shellWords.cancel}
          onYes={remove}
          onClose={() => setAsking(false)}
        >
          <p>{adminWords.deleteRightText}</p>
        </Confirm>
      )}
    </li>
  );
}

interface AddProps {
  model: string;
  onClose(): void;
  onAdded(): void;
}

function AddRight({ model, onClose, onAdded }: AddProps) {
  const { data } = useAnswer(GroupChoicesDocument, {});
  const { isBusy, refusal, act } = useFormAct();
  const groups = data?.groups.nodes ?? [];
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const group = String(form.get('group')) || null;
    void act(async () => {
      const { irModels } = await ask(ModelIdDocument, { model });
      const name = groups.find(({ id }) => id === group)?.fullName ?? adminWords.everybody;
      await change(RightMakeDocument, {
        name: `${model}: ${name}`,
        model: irModels.nodes[0]!.id,
        group,
        read: form.has('read'),
        write: form.has('write'),
        create: form.has('create'),
        unlink: form.has('unlink'),
      });
      onClose();
      onAdded();
    });
  };
  return (
    <Dialog title={adminWords.addRight} onClose={onClose}>
      <form className="op-form" onSubmit={add}>
        <Choice
          name="group"
          label={adminWords.group}
          error={refusal?.message}
          options={[
            ['', adminWords.everybody],
            ...groups.map(({ id, fullName }) => [id, fullName ?? id] as const),
          ]}
        />
        <div className="admin-ticks">
          {PERMS.map(([name, , operation]) => (
            <Tick
              key={name}
              name={name}
              label={adminWords.operations[operation]}
              defaultChecked={name === 'read'}
            />
          ))}
        </div>
        <div className="buttons">
          <Button type="submit" look="primary" isBusy={isBusy}>
            {adminWords.add}
          </Button>
          <Button onClick={onClose}>{shellWords.cancel}</Button>
        </div>
      </form>
    </Dialog>
  );
}
