import './profile.css';
import { useState } from 'react';
import { runMutation } from '../graphql/client.ts';
import { formatInstant, formatWhen } from '../i18n/format.ts';
import { PasswordDialog } from '../shell/password-dialog.tsx';
import { LoadError, Screen } from '../shell/screen.tsx';
import { useAction } from '../shell/use-action.ts';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { useViewer } from '../shell/viewer.ts';
import { shellWords } from '../shell/words.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Field, Select } from '../ui/field.tsx';
import { showToast } from '../ui/toasts.tsx';
import {
  type KeyPermission,
  OwnKeyCreateDocument,
  OwnKeyRevokeDocument,
  OwnKeysDocument,
  type OwnKeysQuery,
} from './generated.ts';
import { profileWords } from './words.ts';

const PERMISSIONS: KeyPermission[] = ['FULL', 'READ', 'SENDING'];
/** Days that a key may last; 0 stands for no end. */
const KEY_LIFETIMES = [90, 30, 365, 0] as const;

/** Keys with which programs act for the user. */
export function OwnKeys() {
  const { viewer } = useViewer();
  const [isAdding, setAdding] = useState(false);
  const { data, refusal, reload } = useGraphqlQuery(OwnKeysDocument, { user: viewer.userId! });
  const keys = data?.apiKeys.nodes ?? [];
  const createButton = (
    <Button look="primary" icon="plus" onClick={() => setAdding(true)}>
      {profileWords.keyCreate}
    </Button>
  );
  return (
    <Screen title={shellWords.pages.ownKeys} needs="userKeyCreate" measure="narrow" actions={createButton}>
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {data && keys.length === 0 && (
        <EmptyState title={profileWords.keyNone}>
          <p>{profileWords.keysText}</p>
          {createButton}
        </EmptyState>
      )}
      {keys.length > 0 && (
        <div className="profile">
          <p className="quiet">{profileWords.keysText}</p>
          <ul className="card profile-rows">
            {keys.map((key) => (
              <OwnKeyRow key={key.id} apiKey={key} reload={reload} />
            ))}
          </ul>
        </div>
      )}
      {isAdding && <CreateOwnKey onClose={() => setAdding(false)} reload={reload} />}
    </Screen>
  );
}

interface OwnKeyProps {
  apiKey: OwnKeysQuery['apiKeys']['nodes'][number];
  reload(): void;
}

function OwnKeyRow({ apiKey, reload }: OwnKeyProps) {
  const { id, name, prefix, permission, createdAt, expiresAt, lastUsedAt } = apiKey;
  const [isRevoking, setRevoking] = useState(false);
  const { act } = useAction();
  const revoke = () =>
    act(async () => {
      await runMutation(OwnKeyRevokeDocument, { id });
      showToast(profileWords.keyRevoked(name));
      reload();
    });
  const end = expiresAt ? (isPast(expiresAt) ? profileWords.expired : profileWords.expires) : null;
  return (
    <li>
      <div>
        <strong>{name}</strong> <code>{prefix}…</code>
        <p className="quiet small">
          {permission ? profileWords.permissions[permission] : profileWords.permissionOther} ·{' '}
          {profileWords.created(formatWhen(createdAt))} ·{' '}
          {end ? end(formatWhen(expiresAt!)) : profileWords.neverExpires} ·{' '}
          {lastUsedAt ? (
            <time dateTime={lastUsedAt} title={formatInstant(lastUsedAt)}>
              {profileWords.used(formatWhen(lastUsedAt))}
            </time>
          ) : (
            profileWords.neverUsed
          )}
        </p>
      </div>
      <Button icon="trash" onClick={() => setRevoking(true)} aria-label={profileWords.keyRevokeOf(name)}>
        {profileWords.keyRevoke}
      </Button>
      {isRevoking && (
        <Confirm
          title={profileWords.keyRevokeOf(name)}
          yes={profileWords.keyRevoke}
          no={shellWords.cancel}
          onYes={revoke}
          onClose={() => setRevoking(false)}
        >
          <p>{profileWords.keyRevokeText}</p>
        </Confirm>
      )}
    </li>
  );
}

const isPast = (iso: string): boolean => new Date(iso).getTime() <= Date.now();

function CreateOwnKey({ onClose, reload }: { onClose(): void; reload(): void }) {
  const create = async (password: string, form: FormData) => {
    const made = await runMutation(OwnKeyCreateDocument, {
      password,
      name: String(form.get('name')).trim(),
      permission: PERMISSIONS.find((each) => each === form.get('permission'))!,
      days: Number(form.get('days')) || null,
    });
    reload();
    return made.userKeyCreate.key;
  };
  return (
    <PasswordDialog
      title={profileWords.keyCreate}
      yes={profileWords.keyCreate}
      warning={profileWords.keyOnce}
      onYes={create}
      onClose={onClose}
    >
      <Field name="name" label={profileWords.keyName} required autoComplete="off" />
      <Select
        name="permission"
        label={profileWords.keyMay}
        options={PERMISSIONS.map((each) => [each, profileWords.permissions[each]])}
      />
      <Select
        name="days"
        label={profileWords.keyExpires}
        options={KEY_LIFETIMES.map((days) => [String(days), profileWords.keyDays[days]])}
      />
    </PasswordDialog>
  );
}
