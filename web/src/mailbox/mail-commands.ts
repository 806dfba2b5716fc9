import { useRef, useState } from 'react';
import { client } from '../graphql/client.ts';
import type { Rows } from '../graphql/use-rows.ts';
import { formatCount } from '../i18n/format.ts';
import { showErrorToast, showToast } from '../ui/toasts.tsx';
import type { MailActions, MailChange } from './actions.ts';
import type { Folder, MailState } from './address.ts';
import { getFolderName } from './folder-tree.tsx';
import { MailMessageDocument } from './generated.ts';
import type { MailLocation } from './mail-location.ts';
import type { ListedMessage } from './message-row.tsx';
import { groupByMailbox, type SelectedMessages } from './select/selection.ts';
import type { ListSelection } from './select/use-selection.ts';
import { mailStrings } from './strings.ts';

/** Actions on the selected messages, or on the active row or open message if nothing is selected. */
export interface MailCommands {
  archive(): void;
  /** In Trash and Spam, deletes permanently. */
  trash(): void;
  spam(): void;
  star(isOn: boolean): void;
  read(isOn: boolean): void;
  askMove(): void;
  askLabels(): void;
}

/** A dialog that must be completed before the action runs. */
type CommandDialog =
  | { kind: 'move'; mailbox: string }
  | { kind: 'labels'; mailbox: string; has: readonly string[] }
  | { kind: 'forever'; ids: readonly string[] }
  | { kind: 'found'; change: MailChange; message: string; isGone: boolean };

interface CommandOptions {
  state: MailState;
  location: MailLocation;
  open: string | undefined;
  close(): void;
  rows: Rows<ListedMessage>;
  active: number;
  choosing: ListSelection;
  actions: MailActions;
  /** Returns all messages that the rows represent. */
  whole(selection: SelectedMessages): Promise<SelectedMessages>;
}

export function useMailCommands(options: CommandOptions) {
  const [dialog, setDialog] = useState<CommandDialog>();
  const latest = useRef(options);
  latest.current = options;
  const { location, choosing } = options;

  /** Returns the selected rows, or the active row or open message, with their mailboxes. */
  async function getTargets(): Promise<SelectedMessages> {
    const { choosing, open, rows, active } = latest.current;
    if (choosing.selection.size > 0) return choosing.selection;
    const row = rows.row(active);
    if (row?.entryId && (!open || row.entryId === open)) return new Map([[row.entryId, row.accountId]]);
    const mailbox = open && (await loadMailbox(open));
    return new Map(open && mailbox ? [[open, mailbox]] : []);
  }
  async function loadMailbox(id: string): Promise<string | undefined> {
    const { data } = await client.query(MailMessageDocument, { id }).toPromise();
    const folder = data?.mailMessage?.folderId;
    return latest.current.state.folders.find((item) => item.id === folder)?.accountId;
  }
  const getTargetMessages = async (): Promise<SelectedMessages> => latest.current.whole(await getTargets());
  function clearRemoved(ids: readonly string[]): void {
    const { choosing, open, close } = latest.current;
    choosing.clear();
    if (open && ids.includes(open)) close();
  }
  /** @param removed messages that leave the list */
  async function change(
    ids: readonly string[],
    mailChange: MailChange,
    message: string | undefined,
    removed: readonly string[],
  ) {
    if (
      ids.length > 0 &&
      (await latest.current.actions.change(ids, mailChange, message)) &&
      removed.length > 0
    )
      clearRemoved(removed);
  }
  async function perform(
    mailChange: MailChange,
    message: string | undefined,
    isGone: boolean,
  ): Promise<void> {
    if (choosing.isAll)
      return setDialog({
        kind: 'found',
        change: mailChange,
        message: message ?? mailStrings.updated,
        isGone,
      });
    const rows = await getTargets();
    // A star applies to a single message, not to its conversation.
    const messages = mailChange.vals?.isStarred === undefined ? await latest.current.whole(rows) : rows;
    const manyText = messages.size > 1 ? formatCount(messages.size, mailStrings.updatedCount) : undefined;
    const ids = [...messages.keys()];
    await change(ids, mailChange, message ?? manyText, isGone ? [...rows.keys(), ...ids] : []);
  }
  /**
   * Returns the mailbox of the messages. Undefined if there are no messages, or if they belong to several mailboxes.
   */
  async function getSingleMailbox(): Promise<string | undefined> {
    if (choosing.isAll) return location.mailbox ?? undefined;
    const [mailbox, ...others] = groupByMailbox(await getTargets()).keys();
    if (others.length > 0) showErrorToast(mailStrings.severalMailboxes);
    return others.length > 0 ? undefined : mailbox;
  }
  const findFolderByType = (mailbox: string, type: string): Folder | undefined =>
    options.state.folders.find((folder) => folder.accountId === mailbox && folder.type === type);

  const commands: MailCommands = {
    archive: () => void perform({ vals: { archive: true } }, mailStrings.archived, true),
    async trash() {
      if (!deletesForever(location)) return perform({ vals: { trash: true } }, mailStrings.trashed, true);
      if (choosing.isAll) return showToast(mailStrings.selectOneByOne);
      const ids = [...(await getTargetMessages()).keys()];
      if (ids.length > 0) setDialog({ kind: 'forever', ids });
    },
    async spam() {
      const getMovedMessage = (folder: Folder) => mailStrings.moved(getFolderName(folder));
      const all = choosing.isAll && location.mailbox && findFolderByType(location.mailbox, 'spam');
      if (all) return perform({ to: all.id }, getMovedMessage(all), true);
      const rows = await getTargets();
      for (const [mailbox, ids] of groupByMailbox(await latest.current.whole(rows))) {
        const folder = findFolderByType(mailbox, 'spam');
        if (folder) await change(ids, { to: folder.id }, getMovedMessage(folder), [...rows.keys(), ...ids]);
      }
    },
    star: (isStarred) => void perform({ vals: { isStarred } }, undefined, false),
    read: (isRead) => void perform({ vals: { isRead } }, undefined, !isRead && choosing.selection.size === 0),
    async askMove() {
      const mailbox = await getSingleMailbox();
      if (mailbox) setDialog({ kind: 'move', mailbox });
    },
    async askLabels() {
      const mailbox = await getSingleMailbox();
      if (!mailbox) return;
      const { choosing, rows } = latest.current;
      const [id, ...rest] = choosing.isAll ? [] : (await getTargets()).keys();
      if (choosing.selection.size === 0 && id) {
        const has = await loadLabels(id);
        return has && setDialog({ kind: 'labels', mailbox, has });
      }
      const has = getCommonLabels(rows, id ? [id, ...rest] : []);
      setDialog({ kind: 'labels', mailbox, has });
    },
  };
  return {
    commands,
    dialog,
    setDialog,
    moveTo: (to: Folder) => void perform({ to: to.id }, mailStrings.moved(getFolderName(to)), true),
    async setLabel(label: string, isOn: boolean) {
      const change = isOn ? { add: [label] } : { remove: [label] };
      const getMessage = isOn ? mailStrings.labelAdded : mailStrings.labelRemoved;
      if (choosing.isAll) return setDialog({ kind: 'found', change, message: getMessage, isGone: false });
      const ids = [...(await getTargetMessages()).keys()];
      if (dialog?.kind !== 'labels' || !(await latest.current.actions.change(ids, change, getMessage)))
        return;
      const has = dialog.has.filter((item) => item !== label);
      setDialog({ ...dialog, has: isOn ? [...has, label] : has });
    },
    async deleteForever(ids: readonly string[]) {
      if (await latest.current.actions.deleteForever(ids)) clearRemoved(ids);
    },
    left: clearRemoved,
  };
}

/** True if deleting in this list is permanent. */
export const deletesForever = ({ kind, folder: { type } }: MailLocation): boolean =>
  kind === 'folder' && (type === 'trash' || type === 'spam');

/** Returns the label ids of a message. Undefined if the message does not exist. */
async function loadLabels(id: string): Promise<string[] | undefined> {
  const result = client.query(MailMessageDocument, { id }, { requestPolicy: 'network-only' });
  const { data } = await result.toPromise();
  return data?.mailMessage?.labels.nodes.map((label) => label.id);
}

/** Returns the labels shared by all given messages that are loaded. */
function getCommonLabels(rows: Rows<ListedMessage>, ids: readonly string[]): string[] {
  const selectedIds = new Set(ids);
  const lists: (readonly string[])[] = [];
  for (let index = 0; index < (rows.total ?? 0) && lists.length < selectedIds.size; index += 1) {
    const row = rows.row(index);
    if (row?.entryId && selectedIds.has(row.entryId)) lists.push(row.labelIds);
  }
  return (lists[0] ?? []).filter((label) => lists.every((list) => list.includes(label)));
}
