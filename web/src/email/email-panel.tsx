import './email-panel.css';
import { useLiveChanges } from '../graphql/live.ts';
import { formatInstant, formatNumber } from '../i18n/format.ts';
import { LoadStatus } from '../shell/loading.tsx';
import { LoadError } from '../shell/screen.tsx';
import { SidePanel } from '../shell/side-panel.tsx';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { useViewer } from '../shell/viewer.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { HtmlFrame } from '../ui/html-frame.tsx';
import { Facts } from '../ui/layout/facts.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { EMAIL_TABS, type EmailsView, type EmailTab, formatTag } from './address.ts';
import { BounceDetails } from './bounces/bounce-details.tsx';
import { isRepeated, parseBounces } from './bounces/bounces.ts';
import { EmailActions } from './email-actions.tsx';
import { EmailDocument, type EmailQuery, EmailSourceDocument, type EmailStatus } from './generated.ts';
import { EMAIL_TONES } from './status.ts';
import { emailStrings } from './strings.ts';
import { EmailWebhookCalls } from './webhooks/email-webhook-calls.tsx';

type Email = NonNullable<EmailQuery['email']>;

interface EmailPanelProps {
  id: string;
  tab: EmailTab | undefined;
  show(changes: EmailsView): void;
}

export function EmailPanel({ id, tab, show }: EmailPanelProps) {
  const { data, refusal, reload } = useGraphqlQuery(EmailDocument, { id });
  const close = () => show({ id: undefined, tab: undefined });
  useLiveChanges('svc.email', (event) => {
    if (event.id === null || event.id === id) reload();
  });
  const email = data?.email;
  return (
    <SidePanel
      label={emailStrings.email}
      title={email ? email.subject || emailStrings.noSubject : emailStrings.email}
      shortcut={emailStrings.keys.close}
      onClose={close}
    >
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {data && !email && <EmptyState title={emailStrings.emailNotFound} />}
      {email && (
        <EmailDetails email={email} isKept={data.outbox.length > 0} tab={tab} show={show} reload={reload} />
      )}
    </SidePanel>
  );
}

interface EmailDetailsProps {
  email: Email;
  /** True if no provider is configured and the email is in the local outbox. */
  isKept: boolean;
  tab: EmailTab | undefined;
  show(changes: EmailsView): void;
  reload(): void;
}

function EmailDetails({ email, isKept, tab, show, reload }: EmailDetailsProps) {
  const at = tab ?? (email.html === null ? 'text' : 'html');
  const { can } = useViewer();
  const bounces = parseBounces(email.events.nodes);
  const tagEntries = Object.entries((email.tags ?? {}) as Record<string, string>);
  const tabs = EMAIL_TABS.filter((emailTab) => emailTab !== 'webhooks' || can.has('webhooks'));
  return (
    <>
      <p>
        <StatusBadge tone={EMAIL_TONES[email.latestStatus]}>
          {emailStrings.statuses[email.latestStatus]}
        </StatusBadge>{' '}
        {(bounces.length === 0 || email.latestStatus !== 'BOUNCED') &&
          (isKept && SENT_STATUSES.includes(email.latestStatus)
            ? emailStrings.storedInOutbox
            : emailStrings.meanings[email.latestStatus])}
      </p>
      {email.reason && !isRepeated(email.reason, bounces) && <p className="error-note">{email.reason}</p>}
      <BounceDetails bounces={bounces} />
      <EmailActions email={email} reload={reload} />
      <Facts
        facts={[
          [emailStrings.fromAddress, email.from],
          [emailStrings.toAddress, email.to.join(', ')],
          ['Cc', email.cc.join(', ')],
          ['Bcc', email.bcc.join(', ')],
          [emailStrings.replyTo, email.replyTo.join(', ')],
          [emailStrings.suppressed, email.suppressed.join(', ')],
          [emailStrings.accepted, formatInstant(email.createdAt)],
          [emailStrings.scheduled, email.scheduledAt && formatInstant(email.scheduledAt)],
          [emailStrings.key, email.key?.name],
          [emailStrings.tags, tagEntries.length > 0 && <Tags tags={tagEntries} show={show} />],
          [
            emailStrings.attachments,
            email.attachments
              .map(({ filename, size }) => `${filename} (${emailStrings.byteCount(formatNumber(size))})`)
              .join(', '),
          ],
        ]}
      />
      <Tabs
        label={emailStrings.views}
        tabs={tabs.map((tab) => [tab, emailStrings.tabs[tab]])}
        at={at}
        onGo={(next) => show({ tab: next })}
      >
        <EmailBody email={email} at={at} />
      </Tabs>
    </>
  );
}

/** Links each tag to the emails with the same tag. */
const Tags = ({ tags, show }: { tags: [string, string][] } & Pick<EmailDetailsProps, 'show'>) => (
  <div className="email-tags">
    {tags.map(([name, value]) => (
      <button
        key={name}
        type="button"
        title={emailStrings.showTagged}
        onClick={() => show({ tag: formatTag(name, value) })}
      >
        {name}={value}
      </button>
    ))}
  </div>
);

function EmailBody({ email, at }: { email: Email; at: EmailTab }) {
  switch (at) {
    case 'html':
      if (email.html === null) return <EmptyState title={emailStrings.noHtml} />;
      return <HtmlFrame src={`/email/body/${email.id}`} title={emailStrings.tabs.html} />;
    case 'text':
      return email.text === null ? (
        <EmptyState title={emailStrings.noText} />
      ) : (
        <pre className="sunk">{email.text}</pre>
      );
    case 'source':
      return <EmailSource id={email.id} />;
    case 'events':
      return <EmailEvents email={email} />;
    case 'webhooks':
      return <EmailWebhookCalls id={email.id} />;
    case 'json':
      return <pre className="sunk">{JSON.stringify(email, null, 2)}</pre>;
  }
}

function EmailSource({ id }: { id: string }) {
  const { data, refusal, reload } = useGraphqlQuery(EmailSourceDocument, { id });
  if (!data) return <LoadStatus refusal={refusal} onAgain={reload} />;
  const [stored] = data.outbox;
  return stored?.source ? (
    <pre className="sunk">{stored.source}</pre>
  ) : (
    <EmptyState title={emailStrings.noSource} />
  );
}

const EmailEvents = ({ email }: { email: Email }) => (
  <ol className="email-events">
    {email.events.nodes.map(({ id, status, createdAt, data }) => (
      <li key={id}>
        <StatusBadge tone={EMAIL_TONES[status]}>{emailStrings.statuses[status]}</StatusBadge>
        <time dateTime={createdAt}>{formatInstant(createdAt)}</time>
        {hasFields(data) && <pre className="sunk">{JSON.stringify(data, null, 2)}</pre>}
      </li>
    ))}
  </ol>
);

/** Statuses that are shown as stored if the email is in the local outbox. */
const SENT_STATUSES: readonly EmailStatus[] = ['SENT', 'DELIVERED'];

const hasFields = (data: unknown): boolean => data !== null && Object.keys(data as object).length > 0;
