import type { MailImapProbeMutation, MailImapProbeMutationVariables } from './generated.ts';

export type ImapConnection = MailImapProbeMutationVariables['conn'];
export type ImapFolder = NonNullable<MailImapProbeMutation['mailImapProbe']['folders']>[number];

interface ImapOutcome {
  ok: boolean;
  error: string | null;
  code: string | null;
}

interface ImapForm {
  conn: ImapConnection;
  /** The server's folders. Undefined until a connection has been attempted. */
  folders: readonly ImapFolder[] | undefined;
  selected: ReadonlySet<string>;
  error: { message: string; code: string | null } | null;
}

type ImapFormEvent =
  | { kind: 'edit-connection'; changes: Partial<ImapConnection> }
  | { kind: 'probe'; outcome: ImapOutcome & { folders: readonly ImapFolder[] | null } }
  | { kind: 'select'; folder: string; isOn: boolean }
  | { kind: 'start'; outcome: ImapOutcome };

export const EMPTY_IMAP_FORM: ImapForm = {
  conn: { provider: 'gmail', username: '', password: '' },
  folders: undefined,
  selected: new Set(),
  error: null,
};

export function reduceImapForm(form: ImapForm, event: ImapFormEvent): ImapForm {
  switch (event.kind) {
    case 'edit-connection':
      return { ...form, conn: { ...form.conn, ...event.changes }, folders: undefined };
    case 'probe': {
      const { folders } = event.outcome;
      const wanted = (folders ?? []).filter(({ kind }) => kind !== 'spam' && kind !== 'trash');
      const selected = new Set(wanted.map(({ folder }) => folder));
      return { ...form, error: toImapError(event.outcome), folders: folders ?? undefined, selected };
    }
    case 'select': {
      const selected = new Set(form.selected);
      if (event.isOn) selected.add(event.folder);
      else selected.delete(event.folder);
      return { ...form, selected };
    }
    case 'start':
      return { ...form, error: toImapError(event.outcome) };
  }
}

const toImapError = ({ ok, error, code }: ImapOutcome): ImapForm['error'] =>
  ok ? null : { message: error ?? '', code };

const CODE_FIELDS: Record<string, string> = {
  auth_failed: 'password',
  connect_failed: 'host',
  private_address: 'host',
  tls_failed: 'host',
  timeout: 'host',
};

/** Only a custom server has input fields for its host and port. */
export const isCustomServer = ({ provider }: ImapConnection): boolean => provider === 'custom';

/** Returns the visible field that the error refers to, or null. */
export function getImapErrorField({ conn, error }: ImapForm): string | null {
  if (!error) return null;
  const named = /^(?:conn\.)?(host|port|username|password): /.exec(error.message)?.[1];
  const field = named ?? CODE_FIELDS[error.code ?? ''] ?? null;
  return !isCustomServer(conn) && (field === 'host' || field === 'port') ? null : field;
}
