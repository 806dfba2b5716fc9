import { runMutation } from '../graphql/client.ts';
import type { Rows } from '../graphql/use-rows.ts';
import { formatCount } from '../i18n/format.ts';
import { ConfirmButton } from '../shell/action-buttons.tsx';
import { Loading } from '../shell/loading.tsx';
import { LoadError } from '../shell/screen.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { type Folder, isFeatureOn, type MailState, type MailView } from './address.ts';
import { deletesForever, type MailCommands } from './commands/mail-commands.ts';
import { SelectionBar } from './commands/selection-bar.tsx';
import type { MailCommandState } from './commands/use-mail-commands.ts';
import { getLocationName } from './folder-tree.tsx';
import { MailEmptyTrashDocument } from './generated.ts';
import { canMoveTo, type MailLocation } from './mail-location.ts';
import { assertOk } from './mail-outcome.ts';
import { type ListedMessage, MessageRow } from './message-row.tsx';
import { SearchNotes } from './search/notes.tsx';
import { SearchBox } from './search/search-box.tsx';
import { getDragProps } from './select/message-drag.ts';
import type { ListSelection } from './select/use-selection.ts';
import { mailStrings } from './strings.ts';
import type { Threading } from './threads/use-threading.ts';
import { RunningJobs } from './transfer/running-jobs.tsx';

interface MessageListProps {
  location: MailLocation;
  state: MailState;
  view: MailView;
  show(changes: MailView): void;
  rows: Rows<ListedMessage>;
  active: number;
  setActive(index: number): void;
  openRow(index: number): void;
  choosing: ListSelection;
  commands: MailCommands;
  moveTo: MailCommandState['moveTo'];
  byThread: Threading;
  onRefresh(): void;
}

export function MessageList(props: MessageListProps) {
  const { location, state, view, show, rows, active, setActive, openRow, choosing, commands, byThread } =
    props;
  const { total } = rows;
  const isSent =
    location.folder.type === 'sent' || location.folder.type === 'drafts' || location.within === 'in:sent';
  const getMailboxEmail = (id: string) => state.accounts.find((account) => account.id === id)?.email;
  return (
    <div className="mail-list">
      <SearchBox location={location} state={state} q={view.q} onSearch={(q) => show({ q, m: undefined })} />
      <ListHead {...props} />
      {location.mailbox && <RunningJobs mailbox={location.mailbox} />}
      {rows.refusal && <LoadError refusal={rows.refusal} onAgain={rows.reload} />}
      <SearchNotes notes={rows.notes} />
      {total === null && !rows.refusal && <Loading />}
      {total === 0 && <EmptyList view={view} show={show} />}
      {!rows.refusal && Boolean(total) && (
        <VirtualList
          label={byThread.isOn ? mailStrings.showConversations : mailStrings.messages}
          count={total ?? 0}
          active={active}
          selected={view.m && Number(rows.row(active)?.entryId) === view.m ? active : -1}
          onActive={setActive}
          onOpen={openRow}
          onRange={rows.look}
          choice={choosing.choice}
          renderRow={(index) => {
            const message = rows.row(index);
            return (
              message && (
                <div className="message-drag" {...getDragProps(getDraggedMessages(props, message))}>
                  <MessageRow
                    message={message}
                    isSent={isSent}
                    labels={state.labels}
                    mailbox={location.mailbox === null ? getMailboxEmail(message.accountId) : undefined}
                  />
                </div>
              )
            );
          }}
        />
      )}
      {/* Placed below the list, so that selecting a row does not move the rows. */}
      {choosing.count > 0 && (
        <SelectionBar
          choosing={choosing}
          commands={commands}
          canOrganize={isFeatureOn(state, 'mail.organize')}
          isForGood={deletesForever(location)}
        />
      )}
    </div>
  );
}

/** Returns the selection if it contains the message, or else the message, if users can move it. */
function getDraggedMessages({ location, state, choosing, moveTo }: MessageListProps, message: ListedMessage) {
  const { entryId, accountId, draftId } = message;
  if (!entryId || draftId || !isFeatureOn(state, 'mail.organize')) return null;
  const isSelected = choosing.isAll || choosing.selection.has(entryId);
  const only = isSelected ? undefined : new Map([[entryId, accountId]]);
  return {
    canMove: (to: Folder) => to.accountId === accountId && canMoveTo(to, location),
    move: (to: Folder) => moveTo(to, only),
  };
}

const EmptyList = ({ view, show }: Pick<MessageListProps, 'view' | 'show'>) =>
  view.q ? (
    <EmptyState title={mailStrings.noMatches}>
      <Button onClick={() => show({ q: undefined })}>{mailStrings.clearSearch}</Button>
    </EmptyState>
  ) : (
    <EmptyState title={mailStrings.none} text={mailStrings.noneText} />
  );

const MESSAGE_COUNTS = { count: mailStrings.messageCount, atLeast: mailStrings.countAtLeast };
const THREAD_COUNTS = { count: mailStrings.threadCount, atLeast: mailStrings.threadsAtLeast };

function ListHead({ location, rows: { total, isAtLeast }, choosing, byThread, onRefresh }: MessageListProps) {
  const strings = byThread.isOn ? THREAD_COUNTS : MESSAGE_COUNTS;
  const isTrash = location.kind === 'folder' && location.folder.type === 'trash';
  return (
    <div className="mail-count quiet small">
      <p role="status">
        {total !== null &&
          `${getLocationName(location)}: ${formatCount(total, isAtLeast ? strings.atLeast : strings.count)}`}
      </p>
      <span className="grow" />
      {byThread.toggle && (
        <Button look="ghost" aria-pressed={byThread.isOn} onClick={byThread.toggle}>
          {mailStrings.showConversations}
        </Button>
      )}
      {choosing.choice.selectAll && (
        <Button onClick={choosing.choice.selectAll}>{mailStrings.selectAll}</Button>
      )}
      {isTrash && Boolean(total) && (
        <EmptyTrashButton mailbox={location.folder.accountId} onDone={onRefresh} />
      )}
    </div>
  );
}

function EmptyTrashButton({ mailbox, onDone }: { mailbox: string; onDone(): void }) {
  const empty = async () => {
    const { mailEmptyTrash } = await runMutation(MailEmptyTrashDocument, { mailbox });
    onDone();
    assertOk(mailEmptyTrash);
  };
  return (
    <ConfirmButton
      icon="trash"
      label={mailStrings.emptyTrash}
      title={mailStrings.emptyTrash}
      text={mailStrings.emptyTrashText}
      onYes={empty}
    />
  );
}
