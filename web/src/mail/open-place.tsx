import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLive } from '../graphql/live.ts';
import type { Rows } from '../graphql/window.ts';
import { counted } from '../i18n/format.ts';
import { useRowKeys } from '../shell/keys/row-keys.ts';
import { useShortcuts } from '../shell/keys/shortcuts.ts';
import { Confirm } from '../ui/confirm.tsx';
import { sayWrong } from '../ui/toasts.tsx';
import { mailActions } from './actions.ts';
import { foldersOf, isFeatureOn, type MailState, type MailView } from './address.ts';
import { type AnswerMode, openComposer, type Start } from './composers.ts';
import { useDeeds } from './deeds.ts';
import { FolderTree } from './folder-tree.tsx';
import { foundListOf, useListRows } from './list-rows.ts';
import { MessageList } from './message-list.tsx';
import type { Listed } from './message-row.tsx';
import { ALL, type Place, STARRED } from './place.ts';
import { Reader } from './reader.tsx';
import type { Chosen } from './select/chosen.ts';
import { FoundDialog } from './select/found-dialog.tsx';
import { LabelDialog } from './select/label-dialog.tsx';
import { MoveDialog } from './select/move-dialog.tsx';
import { useChosen } from './select/use-chosen.ts';
import { type ByThread, useByThread } from './threads/by-thread.ts';
import { useThreadRows } from './threads/thread-rows.ts';
import { justSent, undoSend } from './undo-send.ts';
import { mailWords } from './words.ts';

interface OpenPlaceProps {
  place: Place;
  state: MailState;
  onChange(): void;
}

/** A list of messages or conversations, and the open one beside it. */
export function OpenPlace(props: OpenPlaceProps) {
  const { q } = useSearch({ strict: false }) as MailView;
  const byThread = useByThread(props.state, props.place, q);
  return byThread.isOn ? (
    <ThreadsPlace {...props} byThread={byThread} />
  ) : (
    <MessagesPlace {...props} byThread={byThread} />
  );
}

interface ListedPlaceProps extends OpenPlaceProps {
  byThread: ByThread;
}

function MessagesPlace(props: ListedPlaceProps) {
  const { q } = useSearch({ strict: false }) as MailView;
  const list = useListRows(props.place, q);
  return <ShownPlace {...props} {...list} messages={list.rows.total} whole={itself} />;
}

const itself = async (chosen: Chosen): Promise<Chosen> => chosen;

function ThreadsPlace(props: ListedPlaceProps) {
  const { accountId, id, total } = props.place.folder;
  return <ShownPlace {...props} {...useThreadRows(accountId, id)} messages={total} />;
}

interface ShownPlaceProps extends ListedPlaceProps {
  /** What the list shows: another one begins at its top. */
  asked: object;
  rows: Rows<Listed>;
  /** How many messages the rows stand for, those that are not loaded included. */
  messages: number | null;
  /** Rows of which some may not be loaded; null where they are too many, or cannot be. */
  rowsBetween(first: number, last: number): Promise<Listed[] | null>;
  /** The messages that rows stand for. */
  whole(chosen: Chosen): Promise<Chosen>;
}

function ShownPlace(props: ShownPlaceProps) {
  const { place, state, onChange, byThread, asked, rows, messages, rowsBetween, whole } = props;
  const view = useSearch({ strict: false }) as MailView;
  const navigate = useNavigate();
  const show = useCallback(
    (changes: MailView) =>
      void navigate({ to: '.', search: (old: MailView) => ({ ...old, ...changes }) } as never),
    [navigate],
  );
  const [changes, setChanges] = useState(0);
  const fresh = useCallback(() => {
    setChanges((count) => count + 1);
    rows.reload();
    onChange();
  }, [rows.reload, onChange]);
  const actions = useActions(fresh);
  const { active, setActive, openRow } = useRowKeys({
    asked,
    total: rows.total,
    isOpen: Boolean(view.m),
    open(index) {
      const message = rows.row(index);
      if (message?.draftId) compose({ kind: 'draft', id: message.draftId });
      else if (message?.entryId) show({ m: Number(message.entryId) });
    },
    words: mailWords.keys,
  });
  // All that was asked for is meant: not what is listed because the rest was not understood.
  const canAll =
    place.mailbox !== null &&
    Boolean(rows.total) &&
    rows.notes.length === 0 &&
    place.folder.type !== 'drafts';
  const choosing = useChosen({ asked, rows, messages, canAll, rowsBetween });
  const open = view.m ? String(view.m) : undefined;
  const close = () => show({ m: undefined });
  const doing = useDeeds({ state, place, open, close, rows, active, choosing, actions, whole });
  const { deeds, asked: question, setAsked } = doing;
  const answer = (mode: AnswerMode) => {
    const message = open ?? rows.row(active)?.entryId;
    if (message) compose({ kind: 'answer', mode, message });
  };
  const mailbox = place.folder.accountId;
  const write = useCallback(() => compose({ kind: 'new', mailbox }), [mailbox]);
  const undo = async () => {
    const sent = await justSent();
    if (!sent) return actions.undo();
    await undoSend(sent);
    fresh();
  };
  const go = (folder: string) =>
    void navigate({
      to: '/mail/$mailbox/$folder',
      params: { mailbox: place.mailbox ?? (folder === 'drafts' ? place.folder.accountId : ALL), folder },
      search: {},
    });
  const row = rows.row(active);
  useShortcuts([
    { keys: 'u', label: mailWords.keys.list, run: close },
    { keys: 'x', label: mailWords.keys.choose, run: () => choosing.choice.choose(active, null) },
    { keys: 'e', label: mailWords.keys.archive, run: deeds.archive },
    { keys: '[Shift]+#', label: mailWords.keys.trash, run: deeds.trash },
    { keys: '[Shift]+!', label: mailWords.keys.spam, run: deeds.spam },
    { keys: 's', label: mailWords.keys.star, run: () => deeds.star(choosing.count > 0 || !row?.isStarred) },
    { keys: 'Shift+I', label: mailWords.keys.read, run: () => deeds.read(true) },
    { keys: 'Shift+U', label: mailWords.keys.unread, run: () => deeds.read(false) },
    { keys: 'v', label: mailWords.moveTo, run: deeds.askMove },
    { keys: 'l', label: mailWords.labels, run: deeds.askLabels },
    { keys: 'z', label: mailWords.keys.undo, run: () => void undo() },
    { keys: 'g i', label: mailWords.keys.inbox, run: () => go('inbox') },
    { keys: 'c', label: mailWords.compose, run: write },
    { keys: 'r', label: mailWords.reply, run: () => answer('reply') },
    { keys: 'a', label: mailWords.replyAll, run: () => answer('reply_all') },
    { keys: 'f', label: mailWords.forward, run: () => answer('forward') },
    { keys: 'g s', label: mailWords.keys.starred, run: () => go(STARRED) },
    { keys: 'g d', label: mailWords.keys.drafts, run: () => go('drafts') },
    { keys: 'g t', label: mailWords.keys.sent, run: () => go('sent') },
  ]);
  return (
    <div className={open ? 'mail open' : 'mail'}>
      <FolderTree state={state} place={place} onWrite={write} />
      <MessageList
        place={place}
        state={state}
        view={view}
        show={show}
        rows={rows}
        active={active}
        setActive={setActive}
        openRow={openRow}
        choosing={choosing}
        deeds={deeds}
        byThread={byThread}
        fresh={fresh}
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
          deeds={deeds}
          answer={answer}
          open={(id) => show({ m: Number(id) })}
          close={close}
        />
      )}
      {question?.kind === 'move' && (
        <MoveDialog
          folders={foldersOf(state.folders, question.mailbox).filter(
            ({ id, type }) =>
              !(place.kind === 'folder' && id === place.folder.id) && type !== 'sent' && type !== 'drafts',
          )}
          onMove={doing.moveTo}
          onClose={() => setAsked(undefined)}
        />
      )}
      {question?.kind === 'labels' && (
        <LabelDialog
          mailbox={question.mailbox}
          labels={state.labels.filter(({ accountId }) => accountId === question.mailbox)}
          has={question.has}
          onLabel={(label, on) => void doing.setLabel(label, on)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {question?.kind === 'forever' && (
        <Confirm
          title={mailWords.deleteForever}
          yes={mailWords.deleteForever}
          no={mailWords.cancel}
          onYes={() => doing.deleteForever(question.ids)}
          onClose={() => setAsked(undefined)}
        >
          <p>{counted(question.ids.length, mailWords.deleteForeverText)}</p>
        </Confirm>
      )}
      {question?.kind === 'found' && (
        <FoundDialog
          {...question}
          list={foundListOf(place, view.q)}
          count={messages ?? 0}
          actions={actions}
          onDone={() => doing.left(question.isGone && open ? [open] : [])}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}

function compose(start: Start): void {
  if (!openComposer(start)) sayWrong(mailWords.tooManyComposers);
}

/** Changes of messages, which are heard of from elsewhere too; of many at once, once. */
function useActions(fresh: () => void) {
  const latest = useRef(fresh);
  latest.current = fresh;
  const waiting = useRef<{ timer: number; at: number }>(null);
  useEffect(() => () => clearTimeout(waiting.current?.timer), []);
  const soon = useCallback((pause: number) => {
    const at = performance.now() + pause;
    // A look that comes sooner stays: where messages keep coming, one would be put off for ever.
    if (waiting.current && waiting.current.at <= at) return;
    clearTimeout(waiting.current?.timer);
    const look = () => {
      waiting.current = null;
      latest.current();
    };
    waiting.current = { timer: window.setTimeout(look, pause), at };
  }, []);
  useLive('svc.mail.entry', () => soon(TOGETHER));
  return useMemo(() => mailActions(() => soon(0)), [soon]);
}

/** Milliseconds in which changes become one new look. */
const TOGETHER = 250;
