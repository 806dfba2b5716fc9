import { type FormEvent, useState } from 'react';
import { change } from '../../graphql/client.ts';
import { counted } from '../../i18n/format.ts';
import { useFormAct } from '../../shell/act.ts';
import { Button } from '../../ui/button.tsx';
import { Choice, Field, Tick } from '../../ui/field.tsx';
import { say } from '../../ui/toasts.tsx';
import {
  MailImapProbeDocument,
  type MailImapProbeMutation,
  type MailImapProbeMutationVariables,
  MailImportStartDocument,
} from './generated.ts';
import { transferWords } from './words.ts';

type Conn = MailImapProbeMutationVariables['conn'];
type ImapFolder = NonNullable<MailImapProbeMutation['mailImapProbe']['folders']>[number];

interface Wrong {
  message: string;
  code: string | null;
}

const PROVIDERS = ['gmail', 'outlook', 'yahoo', 'icloud', 'fastmail', 'custom'] as const;

/** Fields that a code is about. */
const FIELD_OF: Record<string, string> = {
  auth_failed: 'password',
  connect_failed: 'host',
  private_address: 'host',
  tls_failed: 'host',
  timeout: 'host',
};

/** Signs in to another mail server, shows its folders, and has the chosen ones imported by a job. */
export function ImapImport({ mailbox, onStarted }: { mailbox: string; onStarted(): void }) {
  // The password stays in this part alone, and goes with it.
  const [conn, setConn] = useState<Conn>({ provider: 'gmail', username: '', password: '' });
  const [folders, setFolders] = useState<readonly ImapFolder[]>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const { isBusy, refusal, act } = useFormAct();
  const put = (changes: Partial<Conn>) => {
    setConn({ ...conn, ...changes });
    setFolders(undefined);
  };
  const isCustom = conn.provider === 'custom';
  const probe = () =>
    act(async () => {
      const { mailImapProbe: found } = await change(MailImapProbeDocument, { mailbox, conn });
      setWrong(found.ok ? null : { message: found.error ?? '', code: found.code });
      setFolders(found.folders ?? undefined);
      const own = (found.folders ?? []).filter(({ kind }) => kind !== 'spam' && kind !== 'trash');
      setChosen(new Set(own.map(({ folder }) => folder)));
    });
  const start = () =>
    act(async () => {
      const wanted = folders!
        .filter(({ folder }) => chosen.has(folder))
        .map(({ folder, kind }) => ({ folder, kind }));
      const { mailImportStart: begun } = await change(MailImportStartDocument, {
        mailbox,
        conn,
        folders: wanted,
      });
      setWrong(begun.ok ? null : { message: begun.error ?? '', code: begun.code });
      if (!begun.ok) return;
      say(transferWords.started);
      onStarted();
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void (folders ? start() : probe());
  };
  const wrongAt = (field: string) => (wrong && fieldOf(wrong, isCustom) === field ? wrong.message : null);
  const rest = refusal?.message ?? (wrong && fieldOf(wrong, isCustom) === null ? wrong.message : null);
  return (
    <form onSubmit={submit}>
      <p className="quiet">{transferWords.imapText}</p>
      <Choice
        label={transferWords.provider}
        value={conn.provider ?? 'custom'}
        options={PROVIDERS.map((each) => [each, transferWords.providers[each]] as const)}
        onChange={({ target }) => put({ provider: target.value, host: undefined, port: undefined })}
      />
      {isCustom && (
        <div className="mail-transfer-server">
          <Field
            label={transferWords.host}
            value={conn.host ?? ''}
            required
            autoComplete="off"
            inputMode="url"
            error={wrongAt('host')}
            onChange={({ target }) => put({ host: target.value.trim() })}
          />
          <Field
            type="number"
            label={transferWords.port}
            value={conn.port ?? 993}
            min={1}
            max={65535}
            error={wrongAt('port')}
            onChange={({ target }) => put({ port: target.valueAsNumber || undefined })}
          />
        </div>
      )}
      <Field
        label={transferWords.username}
        value={conn.username}
        required
        autoComplete="off"
        error={wrongAt('username')}
        onChange={({ target }) => put({ username: target.value })}
      />
      <Field
        type="password"
        label={transferWords.password}
        hint={isCustom ? undefined : transferWords.passwordHint}
        value={conn.password}
        required
        autoComplete="off"
        error={wrongAt('password')}
        onChange={({ target }) => put({ password: target.value })}
      />
      {rest && (
        <p className="wrong" role="alert">
          {rest}
        </p>
      )}
      {folders && (
        <fieldset className="mail-transfer-folders">
          <legend>{transferWords.folders}</legend>
          {folders.map(({ folder, messages }) => (
            <Tick
              key={folder}
              label={messages === null ? folder : `${folder} (${counted(messages, transferWords.messages)})`}
              checked={chosen.has(folder)}
              onChange={({ target }) => {
                const next = new Set(chosen);
                if (target.checked) next.add(folder);
                else next.delete(folder);
                setChosen(next);
              }}
            />
          ))}
        </fieldset>
      )}
      <div className="buttons">
        <Button type="submit" look="primary" isBusy={isBusy} disabled={folders && chosen.size === 0}>
          {folders ? transferWords.startImport : transferWords.probe}
        </Button>
      </div>
    </form>
  );
}

/** The field that a refusal is about; null for none that is shown. Pure. */
function fieldOf({ message, code }: Wrong, isCustom: boolean): string | null {
  const named =
    /^(?:conn\.)?(host|port|username|password): /.exec(message)?.[1] ?? FIELD_OF[code ?? ''] ?? null;
  return !isCustom && (named === 'host' || named === 'port') ? null : named;
}
