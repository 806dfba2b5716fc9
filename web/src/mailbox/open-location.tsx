import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { Rows } from '../graphql/use-rows.ts';
import { useRowKeys } from '../shell/keys/use-row-keys.ts';
import { showErrorToast } from '../ui/toasts.tsx';
import type { MailState, MailView } from './address.ts';
import { CommandDialogs } from './commands/command-dialogs.tsx';
import { useMailCommands } from './commands/use-mail-commands.ts';
import { useMailShortcuts } from './commands/use-mail-shortcuts.ts';
import { type ComposerStart, openComposer, type ReplyMode } from './composers.ts';
import { FolderTree } from './folder-tree.tsx';
import type { MailLocation } from './mail-location.ts';
import { MessageList } from './message-list.tsx';
import type { ListedMessage } from './message-row.tsx';
import { Reader } from './reader.tsx';
import type { SelectedMessages } from './select/selection.ts';
import { useSelection } from './select/use-selection.ts';
import { mailStrings } from './strings.ts';
import { useThreadRows } from './threads/use-thread-rows.ts';
import { type Threading, useThreading } from './threads/use-threading.ts';
import { useListRows } from './use-list-rows.ts';
import { useMailActions } from './use-mail-actions.ts';

interface OpenLocationProps {
  location: MailLocation;
  state: MailState;
  onChange(): void;
}

export function OpenLocation(props: OpenLocationProps) {
  const { q } = useSearch({ strict: false }) as MailView;
  const byThread = useThreading(props.state, props.location, q);
  return byThread.isOn ? (
    <ThreadsView {...props} byThread={byThread} />
  ) : (
    <MessagesView {...props} byThread={byThread} />
  );
}

interface LocationListProps extends OpenLocationProps {
  byThread: Threading;
}

function MessagesView(props: LocationListProps) {
  const { q } = useSearch({ strict: false }) as MailView;
  const list = useListRows(props.location, q);
  return <LocationView {...props} {...list} messages={list.rows.total} whole={keepSelection} />;
}

const keepSelection = async (selection: SelectedMessages): Promise<SelectedMessages> => selection;

function ThreadsView(props: LocationListProps) {
  const { accountId, id, total } = props.location.folder;
  return <LocationView {...props} {...useThreadRows(accountId, id)} messages={total} />;
}

interface LocationViewProps extends LocationListProps {
  /** Identifies the list. A different value scrolls to the top. */
  queryVariables: object;
  rows: Rows<ListedMessage>;
  /** Number of messages in the whole list, including rows that are not loaded. */
  messages: number | null;
  /** Returns a range of rows after loading missing rows, or null if the range is too large or could not be loaded. */
  rowsBetween(first: number, last: number): Promise<ListedMessage[] | null>;
  whole(selection: SelectedMessages): Promise<SelectedMessages>;
}

function LocationView(props: LocationViewProps) {
  const { location, state, onChange, byThread, queryVariables, rows, messages, rowsBetween, whole } = props;
  const view = useSearch({ strict: false }) as MailView;
  const show = useViewChange();
  const { actions, refresh, changes } = useMailActions(rows.reload, onChange);
  const rowKeys = useRowKeys({
    queryVariables,
    total: rows.total,
    isOpen: Boolean(view.m),
    open(index) {
      const message = rows.row(index);
      if (message?.draftId) compose({ kind: 'draft', id: message.draftId });
      else if (message?.entryId) show({ m: Number(message.entryId) });
    },
    strings: mailStrings.keys,
  });
  const canAll = canSelectAll(location, rows);
  const choosing = useSelection({ queryVariables, rows, messages, canAll, rowsBetween });
  const open = view.m ? String(view.m) : undefined;
  const close = () => show({ m: undefined });
  const { active } = rowKeys;
  const context = { state, location, open, close, rows, active, choosing, actions, whole };
  const doing = useMailCommands(context);
  const { commands } = doing;
  const reply = (mode: ReplyMode) => {
    const message = open ?? rows.row(active)?.entryId;
    if (message) compose({ kind: 'answer', mode, message });
  };
  const mailbox = location.folder.accountId;
  const write = useCallback(() => compose({ kind: 'new', mailbox }), [mailbox]);
  useMailShortcuts({ context, commands, reply, write, refresh });
  return (
    <div className={open ? 'mail open' : 'mail'}>
      <FolderTree state={state} location={location} onWrite={write} />
      <MessageList
        location={location}
        state={state}
        view={view}
        show={show}
        rows={rows}
        {...rowKeys}
        choosing={choosing}
        commands={commands}
        moveTo={doing.moveTo}
        byThread={byThread}
        onRefresh={refresh}
      />
      {open && (
        <Reader
          key={open}
          id={open}
          state={state}
          changes={changes}
          actions={actions}
          commands={commands}
          answer={reply}
          open={(id) => show({ m: Number(id) })}
          close={close}
        />
      )}
      <CommandDialogs doing={doing} {...context} q={view.q} messages={messages} />
    </div>
  );
}

function useViewChange(): (changes: MailView) => void {
  const navigate = useNavigate();
  return useCallback(
    (changes) => void navigate({ to: '.', search: (old: MailView) => ({ ...old, ...changes }) } as never),
    [navigate],
  );
}

/**
 * The server adds a note if it ignored part of the search. The list then contains more messages than the user searched
 * for, so it cannot be selected as a whole.
 */
const canSelectAll = ({ mailbox, folder }: MailLocation, { total, notes }: Rows<ListedMessage>): boolean =>
  mailbox !== null && Boolean(total) && notes.length === 0 && folder.type !== 'drafts';

function compose(start: ComposerStart): void {
  if (!openComposer(start)) showErrorToast(mailStrings.tooManyComposers);
}
