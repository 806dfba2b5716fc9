import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLiveChanges } from '../graphql/live.ts';
import type { Rows } from '../graphql/use-rows.ts';
import { formatCount } from '../i18n/format.ts';
import { Confirm } from '../shell/dialogs/confirm.tsx';
import { useShortcuts } from '../shell/keys/shortcuts.ts';
import { useRowKeys } from '../shell/keys/use-row-keys.ts';
import { showErrorToast } from '../ui/toasts.tsx';
import { createMailActions } from './actions.ts';
import { getFolders, isFeatureOn, type MailState, type MailView } from './address.ts';
import { type ComposerStart, openComposer, type ReplyMode } from './composers.ts';
import { FolderTree } from './folder-tree.tsx';
import { useMailCommands } from './mail-commands.ts';
import { ALL_MAILBOXES, type MailLocation, STARRED } from './mail-location.ts';
import { MessageList } from './message-list.tsx';
import type { ListedMessage } from './message-row.tsx';
import { Reader } from './reader.tsx';
import { ChangeAllDialog } from './select/change-all-dialog.tsx';
import { LabelDialog } from './select/label-dialog.tsx';
import { MoveDialog } from './select/move-dialog.tsx';
import type { SelectedMessages } from './select/selection.ts';
import { useSelection } from './select/use-selection.ts';
import { mailStrings } from './strings.ts';
import { useThreadRows } from './threads/use-thread-rows.ts';
import { type Threading, useThreading } from './threads/use-threading.ts';
import { findJustSent, undoSend } from './undo-send.ts';
import { toFoundList, useListRows } from './use-list-rows.ts';

interface OpenLocationProps {
  location: MailLocation;
  state: MailState;
  onChange(): void;
}

/** A list of messages or conversations, and the open item. */
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
  /** Identity of the list. A different value scrolls to the top. */
  queryVariables: object;
  rows: Rows<ListedMessage>;
  /** Number of messages in the whole list, including rows that are not loaded. */
  messages: number | null;
  /** Returns a range of rows and loads missing ones. Null if the range is too large or could not be loaded. */
  rowsBetween(first: number, last: number): Promise<ListedMessage[] | null>;
  whole(selection: SelectedMessages): Promise<SelectedMessages>;
}

function LocationView(props: LocationViewProps) {
  const { location, state, onChange, byThread, queryVariables, rows, messages, rowsBetween, whole } = props;
  const view = useSearch({ strict: false }) as MailView;
  const navigate = useNavigate();
  const show = useCallback(
    (changes: MailView) =>
      void navigate({ to: '.', search: (old: MailView) => ({ ...old, ...changes }) } as never),
    [navigate],
  );
  const [changes, setChanges] = useState(0);
  const refresh = useCallback(() => {
    setChanges((count) => count + 1);
    rows.reload();
    onChange();
  }, [rows.reload, onChange]);
  const actions = useMailActions(refresh);
  const { active, setActive, openRow } = useRowKeys({
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
  // The server adds a note if it ignored part of the search. The list then contains more than was requested, so
  // selecting all is disabled.
  const canAll =
    location.mailbox !== null &&
    Boolean(rows.total) &&
    rows.notes.length === 0 &&
    location.folder.type !== 'drafts';
  const choosingSelection = useSelection({ queryVariables, rows, messages, canAll, rowsBetween });
  const open = view.m ? String(view.m) : undefined;
  const close = () => show({ m: undefined });
  const doing = useMailCommands({
    state,
    location,
    open,
    close,
    rows,
    active,
    choosing: choosingSelection,
    actions,
    whole,
  });
  const { commands, dialog: openDialog, setDialog } = doing;
  const reply = (mode: ReplyMode) => {
    const message = open ?? rows.row(active)?.entryId;
    if (message) compose({ kind: 'answer', mode, message });
  };
  const mailbox = location.folder.accountId;
  const write = useCallback(() => compose({ kind: 'new', mailbox }), [mailbox]);
  const undo = async () => {
    const sent = await findJustSent();
    if (!sent) return actions.undo();
    await undoSend(sent);
    refresh();
  };
  const go = (folder: string) =>
    void navigate({
      to: '/mail/$mailbox/$folder',
      params: {
        mailbox: location.mailbox ?? (folder === 'drafts' ? location.folder.accountId : ALL_MAILBOXES),
        folder,
      },
      search: {},
    });
  const row = rows.row(active);
  useShortcuts([
    { keys: 'u', label: mailStrings.keys.list, run: close },
    { keys: 'x', label: mailStrings.keys.choose, run: () => choosingSelection.choice.select(active, null) },
    { keys: 'e', label: mailStrings.keys.archive, run: commands.archive },
    { keys: '[Shift]+#', label: mailStrings.keys.trash, run: commands.trash },
    { keys: '[Shift]+!', label: mailStrings.keys.spam, run: commands.spam },
    {
      keys: 's',
      label: mailStrings.keys.star,
      run: () => commands.star(choosingSelection.count > 0 || !row?.isStarred),
    },
    { keys: 'Shift+I', label: mailStrings.keys.read, run: () => commands.read(true) },
    { keys: 'Shift+U', label: mailStrings.keys.unread, run: () => commands.read(false) },
    { keys: 'v', label: mailStrings.moveTo, run: commands.askMove },
    { keys: 'l', label: mailStrings.labels, run: commands.askLabels },
    { keys: 'z', label: mailStrings.keys.undo, run: () => void undo() },
    { keys: 'g i', label: mailStrings.keys.inbox, run: () => go('inbox') },
    { keys: 'c', label: mailStrings.compose, run: write },
    { keys: 'r', label: mailStrings.reply, run: () => reply('reply') },
    { keys: 'a', label: mailStrings.replyAll, run: () => reply('reply_all') },
    { keys: 'f', label: mailStrings.forward, run: () => reply('forward') },
    { keys: 'g s', label: mailStrings.keys.starred, run: () => go(STARRED) },
    { keys: 'g d', label: mailStrings.keys.drafts, run: () => go('drafts') },
    { keys: 'g t', label: mailStrings.keys.sent, run: () => go('sent') },
  ]);
  return (
    <div className={open ? 'mail open' : 'mail'}>
      <FolderTree state={state} location={location} onWrite={write} />
      <MessageList
        location={location}
        state={state}
        view={view}
        show={show}
        rows={rows}
        active={active}
        setActive={setActive}
        openRow={openRow}
        choosing={choosingSelection}
        commands={commands}
        byThread={byThread}
        onRefresh={refresh}
      />
      {open && (
        <Reader
          key={open}
          id={open}
          mailboxOf={(folder) => state.folders.find(({ id }) => id === folder)?.accountId}
          labels={state.labels}
          hasRules={isFeatureOn(state, 'mail.rules')}
          canSearch={isFeatureOn(state, 'mail.search')}
          changes={changes}
          actions={actions}
          commands={commands}
          answer={reply}
          open={(id) => show({ m: Number(id) })}
          close={close}
        />
      )}
      {openDialog?.kind === 'move' && (
        <MoveDialog
          folders={getFolders(state.folders, openDialog.mailbox).filter(
            ({ id, type }) =>
              !(location.kind === 'folder' && id === location.folder.id) &&
              type !== 'sent' &&
              type !== 'drafts',
          )}
          onMove={doing.moveTo}
          onClose={() => setDialog(undefined)}
        />
      )}
      {openDialog?.kind === 'labels' && (
        <LabelDialog
          mailbox={openDialog.mailbox}
          labels={state.labels.filter(({ accountId }) => accountId === openDialog.mailbox)}
          has={openDialog.has}
          onLabel={(label, isOn) => void doing.setLabel(label, isOn)}
          onClose={() => setDialog(undefined)}
        />
      )}
      {openDialog?.kind === 'forever' && (
        <Confirm
          title={mailStrings.deleteForever}
          yes={mailStrings.deleteForever}
          onYes={() => doing.deleteForever(openDialog.ids)}
          onClose={() => setDialog(undefined)}
        >
          <p>{formatCount(openDialog.ids.length, mailStrings.deleteForeverText)}</p>
        </Confirm>
      )}
      {openDialog?.kind === 'found' && (
        <ChangeAllDialog
          {...openDialog}
          list={toFoundList(location, view.q)}
          count={messages ?? 0}
          actions={actions}
          onDone={() => doing.left(openDialog.isGone && open ? [open] : [])}
          onClose={() => setDialog(undefined)}
        />
      )}
    </div>
  );
}

function compose(start: ComposerStart): void {
  if (!openComposer(start)) showErrorToast(mailStrings.tooManyComposers);
}

/** Message actions. Changes, including changes from elsewhere, are combined into one reload. */
function useMailActions(refresh: () => void) {
  const latest = useRef(refresh);
  latest.current = refresh;
  const waitingObject = useRef<{ timer: number; at: number }>(null);
  useEffect(() => () => clearTimeout(waitingObject.current?.timer), []);
  const scheduleReload = useCallback((pause: number) => {
    const at = performance.now() + pause;
    // Keeps an earlier scheduled reload. Otherwise a steady stream of messages would postpone it forever.
    if (waitingObject.current && waitingObject.current.at <= at) return;
    clearTimeout(waitingObject.current?.timer);
    const look = () => {
      waitingObject.current = null;
      latest.current();
    };
    waitingObject.current = { timer: window.setTimeout(look, pause), at };
  }, []);
  useLiveChanges('svc.mail.entry', () => scheduleReload(RELOAD_DELAY_MS));
  return useMemo(() => createMailActions(() => scheduleReload(0)), [scheduleReload]);
}

/** Milliseconds during which changes are combined into one reload. */
const RELOAD_DELAY_MS = 250;
