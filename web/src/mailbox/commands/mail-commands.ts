import { client } from '../../graphql/client.ts';
import type { Rows } from '../../graphql/use-rows.ts';
import { showToast } from '../../ui/toasts.tsx';
import type { Folder } from '../address.ts';
import { getFolderName } from '../folder-tree.tsx';
import { MailMessageDocument } from '../generated.ts';
import type { MailLocation } from '../mail-location.ts';
import type { ListedMessage } from '../message-row.tsx';
import { groupByMailbox } from '../select/selection.ts';
import { mailStrings } from '../strings.ts';
import {
  type CommandContext,
  type CommandDialog,
  findTargetMailbox,
  findTargets,
} from './command-context.ts';
import type { TargetChanges } from './target-changes.ts';

/** Actions on the selected messages, or else on the active row or open message. */
export interface MailCommands {
  archive(): void;
  /** Moves messages to Trash. Deletes them permanently if they are in Trash or Spam. */
  trash(): void;
  spam(): void;
  star(isOn: boolean): void;
  read(isOn: boolean): void;
  askMove(): void;
  askLabels(): void;
}

/** @param getContext returns the current context, which can change during a request */
export function createMailCommands(
  getContext: () => CommandContext,
  { changeTargets, changeMessages, findMessages }: TargetChanges,
  openDialog: (dialog: CommandDialog) => void,
): MailCommands {
  return {
    archive: () => void changeTargets({ vals: { archive: true } }, mailStrings.archived, true),
    async trash() {
      const { location, choosing } = getContext();
      if (!deletesForever(location))
        return changeTargets({ vals: { trash: true } }, mailStrings.trashed, true);
      if (choosing.isAll) return showToast(mailStrings.selectOneByOne);
      const ids = [...(await findMessages()).keys()];
      if (ids.length > 0) openDialog({ kind: 'forever', ids });
    },
    async spam() {
      const { location, choosing } = getContext();
      const all = choosing.isAll && location.mailbox && findSpamFolder(getContext(), location.mailbox);
      if (all) return changeTargets({ to: all.id }, getMovedMessage(all), true);
      const rows = await findTargets(getContext());
      for (const [mailbox, ids] of groupByMailbox(await getContext().whole(rows))) {
        const folder = findSpamFolder(getContext(), mailbox);
        const removed = [...rows.keys(), ...ids];
        if (folder) await changeMessages(ids, { to: folder.id }, getMovedMessage(folder), removed);
      }
    },
    star: (isStarred) => void changeTargets({ vals: { isStarred } }, undefined, false),
    read: (isRead) => {
      const isSelected = getContext().choosing.selection.size > 0;
      void changeTargets({ vals: { isRead } }, undefined, !isRead && !isSelected);
    },
    async askMove() {
      const mailbox = await findTargetMailbox(getContext());
      if (mailbox) openDialog({ kind: 'move', mailbox });
    },
    async askLabels() {
      const mailbox = await findTargetMailbox(getContext());
      const has = mailbox && (await findLabels(getContext()));
      if (has) openDialog({ kind: 'labels', mailbox, has });
    },
  };
}

export const getMovedMessage = (folder: Folder): string => mailStrings.moved(getFolderName(folder));

const findSpamFolder = ({ state }: CommandContext, mailbox: string): Folder | undefined =>
  state.folders.find(({ accountId, type }) => accountId === mailbox && type === 'spam');

/** True if deleting a message in the list is permanent. */
export const deletesForever = ({ kind, folder: { type } }: MailLocation): boolean =>
  kind === 'folder' && (type === 'trash' || type === 'spam');

async function findLabels(context: CommandContext): Promise<string[] | undefined> {
  const { choosing, rows } = context;
  const ids = choosing.isAll ? [] : [...(await findTargets(context)).keys()];
  return choosing.selection.size === 0 && ids[0] ? loadLabels(ids[0]) : getCommonLabels(rows, ids);
}

async function loadLabels(id: string): Promise<string[] | undefined> {
  const result = client.query(MailMessageDocument, { id }, { requestPolicy: 'network-only' });
  const { data } = await result.toPromise();
  return data?.mailMessage?.labels.nodes.map((label) => label.id);
}

function getCommonLabels(rows: Rows<ListedMessage>, ids: readonly string[]): string[] {
  const selectedIds = new Set(ids);
  const lists: (readonly string[])[] = [];
  for (let index = 0; index < (rows.total ?? 0) && lists.length < selectedIds.size; index += 1) {
    const row = rows.row(index);
    if (row?.entryId && selectedIds.has(row.entryId)) lists.push(row.labelIds);
  }
  return (lists[0] ?? []).filter((label) => lists.every((list) => list.includes(label)));
}
