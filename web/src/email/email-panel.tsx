import './email-panel.css';
import { useLive } from '../graphql/live.ts';
import { formatInstant, formatNumber } from '../i18n/format.ts';
import { useAnswer } from '../shell/answer.ts';
import { useShortcuts } from '../shell/keys/shortcuts.ts';
import { Failed } from '../shell/screen.tsx';
import { useViewer } from '../shell/viewer.ts';
import { shellWords } from '../shell/words.ts';
import { IconButton } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { HtmlFrame } from '../ui/html-frame.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { EMAIL_TABS, type EmailsView, type EmailTab, tagText } from './address.ts';
import { EmailActions } from './email-actions.tsx';
import { EmailDocument, type EmailQuery, EmailSourceDocument, type EmailStatus } from './generated.ts';
import { Returned } from './returned/returned.tsx';
import { EMAIL_TONES } from './status.ts';
import { CallsOfEmail } from './webhooks/calls-of-email.tsx';
import { emailWords } from './words.ts';

type Email = NonNullable<EmailQuery['email']>;

interface PanelProps {
  id: string;
  tab: EmailTab | undefined;
  show(changes: EmailsView): void;
}

/** One email: what became of it, what it said, and what can still be done. */
export function EmailPanel({ id, tab, show }: PanelProps) {
  const { data, refusal, reload } = useAnswer(EmailDocument, { id });
  const close = () => show({ id: undefined, tab: undefined });
  useShortcuts([{ keys: 'u', label: emailWords.keys.close, run: close }]);
  useLive('svc.email', (event) => {
    if (event.id === null || event.id === id) reload();
  });
  const email = data?.email;
  return (
    <section className="email-panel" aria-label={emailWords.email}>
      <header>
        <h2>{email ? email.subject || emailWords.noSubject : emailWords.email}</h2>
        <IconButton icon="close" label={shellWords.close} onClick={close} />
      </header>
      {refusal && <Failed refusal={refusal} onAgain={reload} />}
      {data && !email && <Empty title={emailWords.noEmail} />}
      {email && <Shown email={email} isKept={data.outbox.length > 0} tab={tab} show={show} reload={reload} />}
    </section>
  );
}

interface ShownProps {
  email: Email;
  /** It lies in the outbox of a server without a provider. */
  isKept: boolean;
  tab: EmailTab | undefined;
  show(changes: EmailsView): void;
  reload(): void;
}

function Shown({ email, isKept, tab, show, reload }: ShownProps) {
  const at = tab ?? (email.html === null ? 'text' : 'html');
  const { can } = useViewer();
  const tabs = EMAIL_TABS.filter((each) => each !== 'webhooks' || can.has('webhooks'));
  return (
    <>
      <p>
        <StatusBadge tone={EMAIL_TONES[email.latestStatus]}>
          {emailWords.statuses[email.latestStatus]}
        </StatusBadge>{' '}
        {isKept && TAKEN.includes(email.latestStatus)
          ? emailWords.kept
          : emailWords.meanings[email.latestStatus]}
      </p>
      {email.reason && <p className="email-reason">{email.reason}</p>}
      <Returned events={email.events.nodes} />
      <EmailActions email={email} reload={reload} />
      <dl className="email-facts">
        <Fact name={emailWords.fromAddress} value={email.from} />
        <Fact name={emailWords.toAddress} value={email.to.join(', ')} />
        <Fact name="Cc" value={email.cc.join(', ')} />
        <Fact name="Bcc" value={email.bcc.join(', ')} />
        <Fact name={emailWords.replyTo} value={email.replyTo.join(', ')} />
        <Fact name={emailWords.suppressed} value={email.suppressed.join(', ')} />
        <Fact name={emailWords.created} value={formatInstant(email.createdAt)} />
        <Fact name={emailWords.scheduled} value={email.scheduledAt && formatInstant(email.scheduledAt)} />
        <Fact name={emailWords.key} value={email.key?.name ?? null} />
        <Tags tags={email.tags as Record<string, string> | null} show={show} />
        <Fact
          name={emailWords.files}
          value={email.attachments
            .map(({ filename, size }) => `${filename} (${emailWords.bytes(formatNumber(size))})`)
            .join(', ')}
        />
      </dl>
      <Tabs
        label={emailWords.views}
        tabs={tabs.map((each) => [each, emailWords.tabs[each]])}
        at={at}
        onGo={(next) => show({ tab: next })}
      >
        <View email={email} at={at} />
      </Tabs>
    </>
  );
}

const Fact = ({ name, value }: { name: string; value: string | null }) =>
  value ? (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  ) : null;

/** Tags of the sender; each finds the emails that have it, too. */
const Tags = ({ tags, show }: { tags: Record<string, string> | null } & Pick<ShownProps, 'show'>) =>
  tags && Object.keys(tags).length > 0 ? (
    <div>
      <dt>{emailWords.tags}</dt>
      <dd className="email-tags">
        {Object.entries(tags).map(([name, value]) => (
          <button
            key={name}
            type="button"
            title={emailWords.showTagged}
            onClick={() => show({ tag: tagText(name, value) })}
          >
            {name}={value}
          </button>
        ))}
      </dd>
    </div>
  ) : null;

function View({ email, at }: { email: Email; at: EmailTab }) {
  switch (at) {
    case 'html':
      if (email.html === null) return <Empty title={emailWords.noHtml} />;
      return <HtmlFrame src={`/email/body/${email.id}`} title={emailWords.tabs.html} />;
    case 'text':
      return email.text === null ? <Empty title={emailWords.noText} /> : <pre>{email.text}</pre>;
    case 'source':
      return <Source id={email.id} />;
    case 'events':
      return <Events email={email} />;
    case 'webhooks':
      return <CallsOfEmail id={email.id} />;
    case 'json':
      return <pre>{JSON.stringify(email, null, 2)}</pre>;
  }
}

function Source({ id }: { id: string }) {
  const { data, refusal, reload } = useAnswer(EmailSourceDocument, { id });
  if (refusal) return <Failed refusal={refusal} onAgain={reload} />;
  if (!data) return <p role="status">{shellWords.loading}</p>;
  const [kept] = data.outbox;
  return kept?.source ? <pre>{kept.source}</pre> : <Empty title={emailWords.noSource} />;
}

const Events = ({ email }: { email: Email }) => (
  <ol className="email-events">
    {email.events.nodes.map(({ id, status, createdAt, data }) => (
      <li key={id}>
        <StatusBadge tone={EMAIL_TONES[status]}>{emailWords.statuses[status]}</StatusBadge>
        <time dateTime={createdAt}>{formatInstant(createdAt)}</time>
        {hasFields(data) && <pre>{JSON.stringify(data, null, 2)}</pre>}
      </li>
    ))}
  </ol>
);

/** Statuses in which one would look for it at the recipient's. */
const TAKEN: readonly EmailStatus[] = ['SENT', 'DELIVERED'];

const hasFields = (data: unknown): boolean => data !== null && Object.keys(data as object).length > 0;
