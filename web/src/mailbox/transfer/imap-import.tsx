import { formatCount } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, Field, Select } from '../../ui/form/field.tsx';
import { Form, FormError } from '../../ui/form/form.tsx';
import { type ImapConnection, type ImapFolder, isCustomServer } from './imap-form.ts';
import { transferStrings } from './strings.ts';
import { useImapImport } from './use-imap-import.ts';

export function ImapImport({ mailbox, onStarted }: { mailbox: string; onStarted(): void }) {
  const { form, isBusy, editConnection, selectFolder, submit, ...errors } = useImapImport(mailbox, onStarted);
  const { conn, folders, selected } = form;
  return (
    <Form onSubmit={submit}>
      <p className="quiet">{transferStrings.imapText}</p>
      <ConnectionFields conn={conn} onEdit={editConnection} getFieldError={errors.getFieldError} />
      <FormError message={errors.otherError} />
      {folders && <FolderChoice folders={folders} selected={selected} onSelect={selectFolder} />}
      <div className="buttons">
        <Button type="submit" look="primary" isBusy={isBusy} disabled={folders && selected.size === 0}>
          {folders ? transferStrings.startImport : transferStrings.showFolders}
        </Button>
      </div>
    </Form>
  );
}

const PROVIDERS = ['gmail', 'outlook', 'yahoo', 'icloud', 'fastmail', 'custom'] as const;

interface ConnectionFieldsProps {
  conn: ImapConnection;
  onEdit(changes: Partial<ImapConnection>): void;
  getFieldError(field: string): string | null;
}

const ConnectionFields = ({ conn, onEdit, getFieldError }: ConnectionFieldsProps) => (
  <>
    <Select
      label={transferStrings.provider}
      value={conn.provider ?? 'custom'}
      options={PROVIDERS.map((provider) => [provider, transferStrings.providers[provider]] as const)}
      onChange={({ target }) => onEdit({ provider: target.value, host: undefined, port: undefined })}
    />
    {isCustomServer(conn) && (
      <div className="mail-transfer-server">
        <Field
          label={transferStrings.host}
          value={conn.host ?? ''}
          required
          inputMode="url"
          error={getFieldError('host')}
          onChange={({ target }) => onEdit({ host: target.value.trim() })}
        />
        <Field
          type="number"
          label={transferStrings.port}
          value={conn.port ?? 993}
          min={1}
          max={65535}
          error={getFieldError('port')}
          onChange={({ target }) => onEdit({ port: target.valueAsNumber || undefined })}
        />
      </div>
    )}
    <Field
      label={transferStrings.username}
      value={conn.username}
      required
      error={getFieldError('username')}
      onChange={({ target }) => onEdit({ username: target.value })}
    />
    <Field
      type="password"
      label={transferStrings.password}
      hint={isCustomServer(conn) ? undefined : transferStrings.passwordHint}
      value={conn.password}
      required
      error={getFieldError('password')}
      onChange={({ target }) => onEdit({ password: target.value })}
    />
  </>
);

interface FolderChoiceProps {
  folders: readonly ImapFolder[];
  selected: ReadonlySet<string>;
  onSelect(folder: string, isOn: boolean): void;
}

const FolderChoice = ({ folders, selected, onSelect }: FolderChoiceProps) => (
  <fieldset className="mail-transfer-folders">
    <legend>{transferStrings.folders}</legend>
    {folders.map(({ folder, messages }) => (
      <Checkbox
        key={folder}
        label={
          messages === null ? folder : `${folder} (${formatCount(messages, transferStrings.messageCount)})`
        }
        checked={selected.has(folder)}
        onChange={({ target }) => onSelect(folder, target.checked)}
      />
    ))}
  </fieldset>
);
