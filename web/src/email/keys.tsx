import { useState } from 'react';
import { runMutation } from '../graphql/client.ts';
import { formatWhen } from '../i18n/format.ts';
import { ConfirmButton, DialogOpener } from '../shell/action-buttons.tsx';
import { ActionForm } from '../shell/action-form.tsx';
import { DialogButtons } from '../shell/dialogs/dialog-buttons.tsx';
import { FormDialog } from '../shell/dialogs/form-dialog.tsx';
import { runWithToast } from '../shell/run-with-toast.ts';
import { LoadError, Screen } from '../shell/screen.tsx';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Field, Select } from '../ui/form/field.tsx';
import { getText } from '../ui/form/form.tsx';
import { Timestamp } from '../ui/layout/timestamp.tsx';
import { SecretOnce } from '../ui/secret-once.tsx';
import { DomainChoice } from './domain-choice.tsx';
import {
  KeyCreateDocument,
  type KeyPermission,
  KeyRevokeDocument,
  KeysDocument,
  type KeysQuery,
  KeyUpdateDocument,
} from './generated.ts';
import { emailStrings } from './strings.ts';

type Key = KeysQuery['apiKeys']['nodes'][number];

/** The server's page size limit. */
const MAX_KEYS = 500;

export function Keys() {
  const [isAdding, setIsAdding] = useState(false);
  const { data, refusal, reload } = useGraphqlQuery(KeysDocument, { first: MAX_KEYS });
  const createButton = (
    <Button look="primary" icon="plus" onClick={() => setIsAdding(true)}>
      {emailStrings.createKey}
    </Button>
  );
  return (
    <Screen title={emailStrings.keyList} actions={createButton}>
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {data?.apiKeys.totalCount === 0 && (
        <EmptyState title={emailStrings.noKeys} text={emailStrings.noKeysText}>
          {createButton}
        </EmptyState>
      )}
      <ul className="card-list">
        {data?.apiKeys.nodes.map((key) => (
          <KeyRow key={key.id} apiKey={key} reload={reload} />
        ))}
      </ul>
      {isAdding && <CreateKeyDialog onClose={() => setIsAdding(false)} reload={reload} />}
    </Screen>
  );
}

function KeyRow({ apiKey, reload }: { apiKey: Key; reload(): void }) {
  const { id, name, prefix, permission, domain, createdAt, lastUsedAt } = apiKey;
  const revoke = () => runWithToast(KeyRevokeDocument, { id }, emailStrings.revoked(name)).then(reload);
  return (
    <li className="card">
      <div>
        <strong>{name}</strong> <code>{prefix}…</code>
        <p className="quiet small">
          {permission && emailStrings.permissions[permission]}
          {domain && ` · ${domain.name}`} · {emailStrings.createdOn(formatWhen(createdAt))} ·{' '}
          {lastUsedAt ? <Timestamp at={lastUsedAt} format={emailStrings.lastUsed} /> : emailStrings.neverUsed}
        </p>
      </div>
      <DialogOpener
        needs="keyUpdate"
        icon="pen"
        label={emailStrings.edit}
        aria-label={emailStrings.editNamed(name)}
      >
        {(onClose) => <EditKeyDialog apiKey={apiKey} onClose={onClose} />}
      </DialogOpener>
      <ConfirmButton
        icon="trash"
        label={emailStrings.revoke}
        aria-label={emailStrings.revokeNamed(name)}
        title={emailStrings.revokeNamed(name)}
        text={emailStrings.revokeText}
        onYes={revoke}
      />
    </li>
  );
}

const PERMISSIONS: KeyPermission[] = ['SENDING', 'READ', 'FULL'];

function EditKeyDialog({ apiKey: { id, name, permission }, onClose }: { apiKey: Key; onClose(): void }) {
  const save = async (form: FormData) => {
    const changes = {
      name: getText(form, 'name'),
      permission: PERMISSIONS.find((permission) => permission === form.get('permission')),
    };
    await runWithToast(KeyUpdateDocument, { id, ...changes }, emailStrings.keyUpdated(changes.name));
  };
  // The key's scopes might not match any permission.
  const unchangedOption = permission === null ? ([['', emailStrings.unchanged]] as const) : [];
  return (
    <FormDialog
      title={emailStrings.editNamed(name)}
      submit={emailStrings.save}
      errorField="name"
      onSubmit={save}
      onClose={onClose}
    >
      <Field name="name" label={emailStrings.keyName} defaultValue={name} required />
      <Select
        name="permission"
        label={emailStrings.permission}
        defaultValue={permission ?? ''}
        options={[
          ...unchangedOption,
          ...PERMISSIONS.map((permission) => [permission, emailStrings.permissions[permission]] as const),
        ]}
      />
    </FormDialog>
  );
}

function CreateKeyDialog({ onClose, reload }: { onClose(): void; reload(): void }) {
  const [permission, setPermission] = useState<KeyPermission>('SENDING');
  const [domain, setDomain] = useState<string>();
  const [secret, setSecret] = useState<string>();
  const create = async (form: FormData) => {
    const name = getText(form, 'name');
    setSecret((await runMutation(KeyCreateDocument, { name, permission, domain })).keyCreate.key);
    reload();
  };
  return (
    <Dialog title={emailStrings.createKey} onClose={onClose}>
      {secret ? (
        <>
          <SecretOnce secret={secret} warning={emailStrings.keyShownOnce} />
          <DialogButtons onClose={onClose} />
        </>
      ) : (
        <ActionForm submit={emailStrings.createKey} errorField="name" onSubmit={create} onClose={onClose}>
          <Field name="name" label={emailStrings.keyName} required />
          <Select
            label={emailStrings.permission}
            value={permission}
            options={PERMISSIONS.map((permission) => [permission, emailStrings.permissions[permission]])}
            onChange={({ target }) => setPermission(target.value as KeyPermission)}
          />
          <DomainChoice value={domain} onChoose={setDomain} />
        </ActionForm>
      )}
    </Dialog>
  );
}
