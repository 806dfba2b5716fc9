import './profile.css';
import { useState } from 'react';
import { runMutation } from '../graphql/client.ts';
import { formatWhen } from '../i18n/format.ts';
import { ConfirmButton } from '../shell/action-buttons.tsx';
import { PasswordDialog } from '../shell/dialogs/password-dialog.tsx';
import { runWithToast } from '../shell/run-with-toast.ts';
import { LoadError, Screen } from '../shell/screen.tsx';
import { shellStrings } from '../shell/strings.ts';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { useViewer } from '../shell/viewer.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Field, Select } from '../ui/form/field.tsx';
import { Timestamp } from '../ui/layout/timestamp.tsx';
import {
  type KeyPermission,
  OwnKeyCreateDocument,
  OwnKeyRevokeDocument,
  OwnKeysDocument,
  type OwnKeysQuery,
} from './generated.ts';
import { profileStrings } from './strings.ts';

const PERMISSIONS: KeyPermission[] = ['FULL', 'READ', 'SENDING'];
/** In days. 0 means that the key does not expire. */
const KEY_LIFETIMES = [90, 30, 365, 0] as const;

export function OwnKeys() {
  const { viewer } = useViewer();
  const [isAdding, setIsAdding] = useState(false);
  const { data, refusal, reload } = useGraphqlQuery(OwnKeysDocument, { user: viewer.userId! });
  const keys = data?.apiKeys.nodes ?? [];
  const createButton = (
    <Button look="primary" icon="plus" onClick={() => setIsAdding(true)}>
      {profileStrings.createKey}
    </Button>
  );
  return (
    <Screen title={shellStrings.pages.ownKeys} actions={createButton}>
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {data && keys.length === 0 && (
        <EmptyState title={profileStrings.noKeys} text={profileStrings.keysText}>
          {createButton}
        </EmptyState>
      )}
      {keys.length > 0 && (
        <div className="profile">
          <p className="quiet">{profileStrings.keysText}</p>
          <ul className="card item-rows">
            {keys.map((key) => (
              <OwnKeyRow key={key.id} apiKey={key} reload={reload} />
            ))}
          </ul>
        </div>
      )}
      {isAdding && <CreateOwnKeyDialog onClose={() => setIsAdding(false)} reload={reload} />}
    </Screen>
  );
}

interface OwnKeyProps {
  apiKey: OwnKeysQuery['apiKeys']['nodes'][number];
  reload(): void;
}

function OwnKeyRow({ apiKey, reload }: OwnKeyProps) {
  const { id, name, prefix, permission, createdAt, expiresAt, lastUsedAt } = apiKey;
  const revoke = () => runWithToast(OwnKeyRevokeDocument, { id }, profileStrings.revoked(name)).then(reload);
  const end = expiresAt ? (isPast(expiresAt) ? profileStrings.expired : profileStrings.expiresOn) : null;
  return (
    <li>
      <div>
        <strong>{name}</strong> <code>{prefix}…</code>
        <p className="quiet small">
          {permission ? profileStrings.permissions[permission] : profileStrings.permissionOther} ·{' '}
          {profileStrings.createdOn(formatWhen(createdAt))} ·{' '}
          {end ? end(formatWhen(expiresAt!)) : profileStrings.neverExpires} ·{' '}
          {lastUsedAt ? (
            <Timestamp at={lastUsedAt} format={profileStrings.lastUsed} />
          ) : (
            profileStrings.neverUsed
          )}
        </p>
      </div>
      <ConfirmButton
        icon="trash"
        label={profileStrings.revoke}
        aria-label={profileStrings.revokeNamed(name)}
        title={profileStrings.revokeNamed(name)}
        text={profileStrings.revokeKeyText}
        onYes={revoke}
      />
    </li>
  );
}

const isPast = (iso: string): boolean => new Date(iso).getTime() <= Date.now();

function CreateOwnKeyDialog({ onClose, reload }: { onClose(): void; reload(): void }) {
  const create = async (password: string, form: FormData) => {
    const createdKey = await runMutation(OwnKeyCreateDocument, {
      password,
      name: String(form.get('name')).trim(),
      permission: PERMISSIONS.find((permission) => permission === form.get('permission'))!,
      days: Number(form.get('days')) || null,
    });
    reload();
    return createdKey.userKeyCreate.key;
  };
  return (
    <PasswordDialog
      title={profileStrings.createKey}
      yes={profileStrings.createKey}
      warning={profileStrings.keyShownOnce}
      onYes={create}
      onClose={onClose}
    >
      <Field name="name" label={profileStrings.keyName} required />
      <Select
        name="permission"
        label={profileStrings.keyPermissions}
        options={PERMISSIONS.map((permission) => [permission, profileStrings.permissions[permission]])}
      />
      <Select
        name="days"
        label={profileStrings.expiresAt}
        options={KEY_LIFETIMES.map((days) => [String(days), profileStrings.keyLifetimes[days]])}
      />
    </PasswordDialog>
  );
}
