import { client } from '../../graphql/client.ts';
import type { Rows } from '../../graphql/use-rows.ts';
import { showErrorToast } from '../../ui/toasts.tsx';
import type { MailActions, MailChange } from '../actions.ts';
import type { MailState } from '../address.ts';
import { MailMessageDocument } from '../generated.ts';
import type { MailLocation } from '../mail-location.ts';
import type { ListedMessage } from '../message-row.tsx';
import { groupByMailbox, type SelectedMessages } from '../select/selection.ts';
import type { ListSelection } from '../select/use-selection.ts';
import { mailStrings } from '../strings.ts';

export interface CommandContext {
  state: MailState;
  location: MailLocation;
  open: string | undefined;
  close(): void;
  rows: Rows<ListedMessage>;
  active: number;
  choosing: ListSelection;
  actions: MailActions;
  whole(selection: SelectedMessages): Promise<SelectedMessages>;
}

/** A dialog that a command opens before it runs. */
export type CommandDialog =
  | { kind: 'move'; mailbox: string }
  | { kind: 'labels'; mailbox: string; has: readonly string[] }
  | { kind: 'forever'; ids: readonly string[] }
  | { kind: 'found'; change: MailChange; message: string; isGone: boolean };

/** Returns the selected rows, or else the active row or open message, with their mailboxes. */
export async function findTargets(context: CommandContext): Promise<SelectedMessages> {
  const { choosing, open, rows, active } = context;
  if (choosing.selection.size > 0) return choosing.selection;
  const row = rows.row(active);
  if (row?.entryId && (!open || row.entryId === open)) return new Map([[row.entryId, row.accountId]]);
  const mailbox = open && (await loadMailbox(open, context.state));
  return new Map(open && mailbox ? [[open, mailbox]] : []);
}

async function loadMailbox(id: string, { folders }: MailState): Promise<string | undefined> {
  const { data } = await client.query(MailMessageDocument, { id }).toPromise();
  const folder = data?.mailMessage?.folderId;
  return folders.find((item) => item.id === folder)?.accountId;
}

/** Returns the targets' mailbox, or undefined if there are no targets or several mailboxes. */
export async function findTargetMailbox(context: CommandContext): Promise<string | undefined> {
  if (context.choosing.isAll) return context.location.mailbox ?? undefined;
  const [mailbox, ...others] = groupByMailbox(await findTargets(context)).keys();
  if (others.length > 0) showErrorToast(mailStrings.severalMailboxes);
  return others.length > 0 ? undefined : mailbox;
}
