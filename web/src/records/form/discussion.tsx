import './discussion.css';
import { type FormEvent, useState } from 'react';
import { change } from '../../graphql/client.ts';
import { useLive } from '../../graphql/live.ts';
import { Refused } from '../../graphql/refusal.ts';
import { formatDate, formatInstant, formatWhen } from '../../i18n/format.ts';
import { useAnswer } from '../../shell/answer.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Choice, TextField } from '../../ui/field.tsx';
import { StatusBadge, type StatusTone } from '../../ui/status-badge.tsx';
import { sayWrong } from '../../ui/toasts.tsx';
import { type Activity, type DiscussionAnswer, discussionDocument, type Said } from '../document.ts';
import { RecordActivityDoneDocument, RecordPostDocument } from '../generated.ts';
import type { Described } from '../model.ts';
import { plainText } from '../value.tsx';
import { recordWords } from '../words.ts';
import { ScheduleActivity } from './activity-schedule.tsx';
import { Followers } from './followers.tsx';

interface DiscussionProps {
  model: Described;
  id: string;
  /** Whether the person may write to the record. */
  canWrite: boolean;
}

/** Messages that are shown at first, and that each further look adds. */
const STEP = 30;

/** What was said about a record and what is to be done about it, beside its form. */
export function Discussion(props: DiscussionProps) {
  const document = discussionDocument(props.model);
  return document && <Shown {...props} document={document} />;
}

function Shown({ model, id, canWrite, document }: DiscussionProps & { document: string }) {
  const [first, setFirst] = useState(STEP);
  const { data, refusal, reload } = useAnswer<DiscussionAnswer, object>(document, { id, first });
  useLive('mail.message', reload);
  useLive('mail.activity', reload);
  if (refusal) return <p role="alert">{refusal.message}</p>;
  if (!data?.record) return <p role="status">{shellWords.loading}</p>;
  const { messages, activities, messageFollowers } = data.record;
  return (
    <aside className="discussion" aria-label={recordWords.discussion}>
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
          <h2>{recordWords.activities}</h2>
          <ul>
            {activities.nodes.map((activity) => (
              <ActivityRow key={activity.id} activity={activity} canWrite={canWrite} reload={reload} />
            ))}
          </ul>
          {activities.nodes.length === 0 && <p className="quiet">{recordWords.noActivities}</p>}
          {canWrite && <ScheduleActivity model={model.name} id={id} reload={reload} />}
        </section>
      )}
      {messages && (
        <section>
          <h2>{recordWords.messages}</h2>
          {canWrite && <Post model={model.name} id={id} reload={reload} />}
          <ul>
            {messages.nodes.map((message) => (
              <Message key={message.id} message={message} />
            ))}
          </ul>
          {messages.totalCount === 0 && <p className="quiet">{recordWords.noMessages}</p>}
          {messages.totalCount > first && (
            <Button onClick={() => setFirst(first + STEP)}>{recordWords.earlier}</Button>
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
  const what = summary || activityType?.displayName || recordWords.activity;
  const done = async () => {
    try {
      await change(RecordActivityDoneDocument, { id });
      reload();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      sayWrong(error.refusal.message);
    }
  };
  return (
    <li className="activity">
      <div>
        <strong>{what}</strong>
        <p className="quiet small">
          {state && (
            <>
              <StatusBadge tone={TONES[state] ?? 'plain'}>
                {recordWords.activityStates[state]}
              </StatusBadge>{' '}
            </>
          )}
          {formatDate(dateDeadline)}
          {user && ` · ${user.displayName}`}
        </p>
      </div>
      {canWrite && (
        <Button icon="check" onClick={done} aria-label={recordWords.doneNamed(what)}>
          {recordWords.done}
        </Button>
      )}
    </li>
  );
}

function Post({ model, id, reload }: { model: string; id: string; reload(): void }) {
  const [body, setBody] = useState('');
  const [subtype, setSubtype] = useState('mail.mt_note');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const post = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await change(RecordPostDocument, { model, id, body, subtype });
      setBody('');
      reload();
    } catch (reason) {
      if (!(reason instanceof Refused)) throw reason;
      setError(reason.refusal.message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="post" onSubmit={post}>
      <TextField
        label={recordWords.write}
        value={body}
        required
        error={error}
        onChange={({ target }) => setBody(target.value)}
      />
      <div className="buttons">
        <Choice
          label={recordWords.kind}
          value={subtype}
          options={[
            ['mail.mt_note', recordWords.note],
            ['mail.mt_comment', recordWords.message],
          ]}
          onChange={({ target }) => setSubtype(target.value)}
        />
        <Button type="submit" isBusy={isBusy}>
          {recordWords.post}
        </Button>
      </div>
    </form>
  );
}

function Message({ message: { date, body, author, emailFrom, isInternal, attachments } }: { message: Said }) {
  return (
    <li className="said">
      <p className="small">
        <strong>{author?.displayName ?? emailFrom ?? recordWords.system}</strong>{' '}
        <time className="quiet" dateTime={date} title={formatInstant(date)}>
          {formatWhen(date)}
        </time>
        {isInternal && <span className="quiet"> · {recordWords.note}</span>}
      </p>
      {body && <p className="said-text">{plainText(body)}</p>}
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
