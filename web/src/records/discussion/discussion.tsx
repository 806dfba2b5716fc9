import './discussion.css';
import { type FormEvent, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { useLiveChanges } from '../../graphql/live.ts';
import { formatDate, formatInstant, formatWhen } from '../../i18n/format.ts';
import { ActionButton, DialogOpener } from '../../shell/action-buttons.tsx';
import { Loading } from '../../shell/loading.tsx';
import { UnsavedGuard } from '../../shell/unsaved/unsaved-guard.tsx';
import { useFormAction } from '../../shell/use-action.ts';
import { useLiveQuery } from '../../shell/use-graphql-query.ts';
import { Button } from '../../ui/button.tsx';
import { Select, TextArea } from '../../ui/form/field.tsx';
import { StatusBadge, type StatusTone } from '../../ui/status-badge.tsx';
import { RecordActivityDoneDocument, RecordPostDocument } from '../generated.ts';
import type { ModelDescription } from '../model.ts';
import { recordStrings } from '../strings.ts';
import { htmlToText } from '../value.tsx';
import {
  type Activity,
  buildDiscussionQuery,
  type DiscussionResult,
  type RecordMessage,
} from './document.ts';
import { Followers } from './followers.tsx';
import { ScheduleActivityDialog } from './schedule-dialog.tsx';

interface DiscussionProps {
  model: ModelDescription;
  id: string;
  canWrite: boolean;
}

const PAGE_SIZE = 30;

export function Discussion(props: DiscussionProps) {
  const document = buildDiscussionQuery(props.model);
  return document && <DiscussionView {...props} document={document} />;
}

function DiscussionView({ model, id, canWrite, document }: DiscussionProps & { document: string }) {
  const [first, setFirst] = useState(PAGE_SIZE);
  const { data, refusal, reload } = useLiveQuery<DiscussionResult, object>(
    document,
    { id, first },
    'mail.message',
  );
  useLiveChanges('mail.activity', reload);
  if (refusal) return <p role="alert">{refusal.message}</p>;
  if (!data?.record) return <Loading />;
  const { messages, activities, messageFollowers } = data.record;
  return (
    <aside className="discussion" aria-label={recordStrings.discussion}>
      {messageFollowers && (
        <Followers
          model={model.name}
          id={id}
          followers={messageFollowers.nodes}
          canWrite={canWrite}
          reload={reload}
        />
      )}
      {activities && (
        <section>
          <h2>{recordStrings.activities}</h2>
          <ul>
            {activities.nodes.map((activity) => (
              <ActivityRow key={activity.id} activity={activity} canWrite={canWrite} reload={reload} />
            ))}
          </ul>
          {activities.nodes.length === 0 && <p className="quiet">{recordStrings.noActivities}</p>}
          {canWrite && (
            <DialogOpener icon="plus" label={recordStrings.schedule}>
              {(onClose) => (
                <ScheduleActivityDialog model={model.name} id={id} reload={reload} onClose={onClose} />
              )}
            </DialogOpener>
          )}
        </section>
      )}
      {messages && (
        <section>
          <h2>{recordStrings.messages}</h2>
          {canWrite && <PostForm model={model.name} id={id} reload={reload} />}
          <ul>
            {messages.nodes.map((message) => (
              <MessageView key={message.id} message={message} />
            ))}
          </ul>
          {messages.totalCount === 0 && <p className="quiet">{recordStrings.noMessages}</p>}
          {messages.totalCount > first && (
            <Button onClick={() => setFirst(first + PAGE_SIZE)}>{recordStrings.showEarlierMessages}</Button>
          )}
        </section>
      )}
    </aside>
  );
}

const TONES: Record<string, StatusTone> = {
  OVERDUE: 'bad',
  TODAY: 'waiting',
  PLANNED: 'plain',
  DONE: 'good',
};

function ActivityRow({
  activity: { id, summary, activityType, dateDeadline, state, user },
  canWrite,
  reload,
}: {
  activity: Activity;
  canWrite: boolean;
  reload(): void;
}) {
  const title = summary || activityType?.displayName || recordStrings.activity;
  const markDone = async () => {
    await runMutation(RecordActivityDoneDocument, { id });
    reload();
  };
  return (
    <li className="activity">
      <div>
        <strong>{title}</strong>
        <p className="quiet small">
          {state && (
            <>
              <StatusBadge tone={TONES[state] ?? 'plain'}>
                {recordStrings.activityStates[state]}
              </StatusBadge>{' '}
            </>
          )}
          {formatDate(dateDeadline)}
          {user && ` · ${user.displayName}`}
        </p>
      </div>
      {canWrite && (
        <ActionButton icon="check" onAct={markDone} aria-label={recordStrings.markDoneNamed(title)}>
          {recordStrings.done}
        </ActionButton>
      )}
    </li>
  );
}

function PostForm({ model, id, reload }: { model: string; id: string; reload(): void }) {
  const [body, setBody] = useState('');
  const [subtype, setSubtype] = useState('mail.mt_note');
  const { isBusy, refusal, act } = useFormAction();
  const post = (event: FormEvent) => {
    event.preventDefault();
    void act(async () => {
      await runMutation(RecordPostDocument, { model, id, body, subtype });
      // Keeps what the user has typed in the meantime.
      setBody((current) => (current === body ? '' : current));
      reload();
    });
  };
  return (
    <form className="post" onSubmit={post}>
      <UnsavedGuard isDirty={body !== ''} keepsInput={() => true} />
      <TextArea
        label={recordStrings.writeMessage}
        value={body}
        required
        error={refusal?.message}
        onChange={({ target }) => setBody(target.value)}
      />
      <div className="buttons">
        <Select
          label={recordStrings.visibility}
          value={subtype}
          options={[
            ['mail.mt_note', recordStrings.note],
            ['mail.mt_comment', recordStrings.message],
          ]}
          onChange={({ target }) => setSubtype(target.value)}
        />
        <Button type="submit" isBusy={isBusy}>
          {recordStrings.post}
        </Button>
      </div>
    </form>
  );
}

function MessageView({
  message: { date, body, author, emailFrom, isInternal, attachments },
}: {
  message: RecordMessage;
}) {
  return (
    <li className="said">
      <p className="small">
        <strong>{author?.displayName ?? emailFrom ?? recordStrings.system}</strong>{' '}
        <time className="quiet" dateTime={date} title={formatInstant(date)}>
          {formatWhen(date)}
        </time>
        {isInternal && <span className="quiet"> · {recordStrings.note}</span>}
      </p>
      {body && <p className="said-text">{htmlToText(body)}</p>}
      <ul className="small">
        {attachments.nodes.map((file) => (
          <li key={file.id}>
            <a href={`/web/content/${file.id}?download=true`} download>
              {file.name}
            </a>
          </li>
        ))}
      </ul>
    </li>
  );
}
