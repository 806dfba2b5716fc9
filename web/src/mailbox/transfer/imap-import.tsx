import { type FormEvent, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { formatCount } from '../../i18n/format.ts';
import { useFormAction } from '../../shell/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Field, Select } from '../../ui/field.tsx';
import { showToast } from '../../ui/toasts.tsx';
import {
  MailImapProbeDocument,
  type MailImapProbeMutation,
  type MailImapProbeMutationVariables,
  MailImportStartDocument,
} from './generated.ts';
import { transferStrings } from './strings.ts';

type ImapConnection = MailImapProbeMutationVariables['conn'];
type ImapFolder = NonNullable<MailImapProbeMutation['mailImapProbe']['folders']>[number];

interface ImapError {
  message: string;
  code: string | null;
}

const PROVIDERS = ['gmail', 'outlook', 'yahoo', 'icloud', 'fastmail', 'custom'] as const;

/** Fields that an error code refers to. */
const CODE_FIELDS: Record<string, string> = {
  auth_failed: 'password',
  connect_failed: 'host',
  private_address: 'host',
  tls_failed: 'host',
  timeout: 'host',
};

/** Connects to another mail server, lists its folders and imports the selected ones as a job. */
export function ImapImport({ mailbox, onStarted }: { mailbox: string; onStarted(): void }) {
  // The password is kept only in the state of this component and is discarded with it.
  const [conn, setConn] = useState<ImapConnection>({ provider: 'gmail', username: '', password: '' });
  const [folders, setFolders] = useState<readonly ImapFolder[]>();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [error, setError] = useState<ImapError | null>(null);
  const { isBusy, refusal, act } = useFormAction();
  const changeConnection = (changes: Partial<ImapConnection>) => {
    setConn({ ...conn, ...changes });
    setFolders(undefined);
  };
  const isCustom = conn.provider === 'custom';
  const probe = () =>
    act(async () => {
      const { mailImapProbe: probe } = await runMutation(MailImapProbeDocument, { mailbox, conn });
      setError(probe.ok ? null : { message: probe.error ?? '', code: probe.code });
      setFolders(probe.folders ?? undefined);
      const folders = (probe.folders ?? []).filter(({ kind }) => kind !== 'spam' && kind !== 'trash');
      setSelected(new Set(folders.map(({ folder }) => folder)));
    });
  const start = () =>
    act(async () => {
      const selectedFolders = folders!
        .filter(({ folder }) => selected.has(folder))
        .map(({ folder, kind }) => ({ folder, kind }));
      const { mailImportStart: job } = await runMutation(MailImportStartDocument, {
        mailbox,
        conn,
        folders: selectedFolders,
      });
      setError(job.ok ? null : { message: job.error ?? '', code: job.code });
      if (!job.ok) return;
      showToast(transferStrings.started);
      onStarted();
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void (folders ? start() : probe());
  };
  const getFieldError = (field: string) =>
    error && getErrorField(error, isCustom) === field ? error.message : null;
  const otherError =
    refusal?.message ?? (error && getErrorField(error, isCustom) === null ? error.message : null);
  return (
    <form onSubmit={submit}>
      <p className="quiet">{transferStrings.imapText}</p>
      <Select
        label={transferStrings.provider}
        value={conn.provider ?? 'custom'}
        options={PROVIDERS.map((provider) => [provider, transferStrings.providers[provider]] as const)}
        onChange={({ target }) =>
          changeConnection({ provider: target.value, host: undefined, port: undefined })
        }
      />
      {isCustom && (
        <div className="mail-transfer-server">
          <Field
            label={transferStrings.host}
            value={conn.host ?? ''}
            required
            autoComplete="off"
            inputMode="url"
            error={getFieldError('host')}
            onChange={({ target }) => changeConnection({ host: target.value.trim() })}
          />
          <Field
            type="number"
            label={transferStrings.port}
            value={conn.port ?? 993}
            min={1}
            max={65535}
            error={getFieldError('port')}
            onChange={({ target }) => changeConnection({ port: target.valueAsNumber || undefined })}
          />
        </div>
      )}
      <Field
        label={transferStrings.username}
        value={conn.username}
        required
        autoComplete="off"
        error={getFieldError('username')}
        onChange={({ target }) => changeConnection({ username: target.value })}
      />
      <Field
        type="password"
        label={transferStrings.password}
        hint={isCustom ? undefined : transferStrings.passwordHint}
        value={conn.password}
        required
        autoComplete="off"
        error={getFieldError('password')}
        onChange={({ target }) => changeConnection({ password: target.value })}
      />
      {otherError && (
        <p className="wrong" role="alert">
          {otherError}
        </p>
      )}
      {folders && (
        <fieldset className="mail-transfer-folders">
          <legend>{transferStrings.folders}</legend>
          {folders.map(({ folder, messages }) => (
            <Checkbox
              key={folder}
              label={
                messages === null ? folder : `${folder} (${formatCount(messages, transferStrings.messages)})`
              }
              checked={selected.has(folder)}
              onChange={({ target }) => {
                const next = new Set(selected);
                if (target.checked) next.add(folder);
                else next.delete(folder);
                setSelected(next);
              }}
            />
          ))}
        </fieldset>
      )}
      <div className="buttons">
        <Button type="submit" look="primary" isBusy={isBusy} disabled={folders && selected.size === 0}>
          {folders ? transferStrings.startImport : transferStrings.showFolders}
        </Button>
      </div>
    </form>
  );
}

/** Returns the field that an error refers to. Null if no visible field does. */
function getErrorField({ message, code }: ImapError, isCustom: boolean): string | null {
  const fieldName =
    /^(?:conn\.)?(host|port|username|password): /.exec(message)?.[1] ?? CODE_FIELDS[code ?? ''] ?? null;
  return !isCustom && (fieldName === 'host' || fieldName === 'port') ? null : fieldName;
}
