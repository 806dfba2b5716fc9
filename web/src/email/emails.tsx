import './emails.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { runQuery } from '../graphql/client.ts';
import { useLiveRows } from '../graphql/use-rows.ts';
import { formatCount } from '../i18n/format.ts';
import { ActionButton } from '../shell/action-buttons.tsx';
import { RowList } from '../shell/rows/row-list.tsx';
import { Screen } from '../shell/screen.tsx';
import { useViewer } from '../shell/viewer.ts';
import { Button } from '../ui/button.tsx';
import { saveFile } from '../ui/download.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Timestamp } from '../ui/layout/timestamp.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { type EmailsView, parseEmailsView, toEmailsVariables } from './address.ts';
import { EmailFilters } from './email-filters.tsx';
import { EmailPanel } from './email-panel.tsx';
import { FirstEmail } from './first-email.tsx';
import { EmailsDocument, EmailsExportDocument, type EmailsQuery } from './generated.ts';
import { ResendFailedButton } from './send-failed-again.tsx';
import { EMAIL_TONES } from './status.ts';
import { emailStrings } from './strings.ts';
import { TestEmail } from './test-email.tsx';

type EmailListItem = EmailsQuery['emails']['nodes'][number];

export function Emails() {
  const view = useSearch({ from: '/email/emails' });
  const navigate = useNavigate({ from: '/email/emails' });
  const isOpen = view.id !== undefined;
  const { can } = useViewer();
  const save = async () => {
    const { emailsExport } = await runQuery(EmailsExportDocument, toEmailsVariables(view));
    saveFile('emails.csv', emailsExport);
  };
  // Makes the browser's Back button return to the list, regardless of how many entries were opened.
  const show = (changes: EmailsView) =>
    void navigate({ search: (old) => ({ ...old, ...changes }), replace: isOpen && changes.id !== undefined });
  return (
    <Screen
      title={emailStrings.emails}
      isFull
      actions={
        <div className="buttons">
          <TestEmail />
          {view.status === 'FAILED' && can.has('emailsSendAgain') && <ResendFailedButton view={view} />}
          <ActionButton needs="emailsExport" onAct={save}>
            {emailStrings.export}
          </ActionButton>
        </div>
      }
    >
      <div className={view.id ? 'split open' : 'split'}>
        <div className="split-list">
          <EmailFilters view={view} show={show} />
          <EmailList view={view} show={show} />
        </div>
        {view.id && <EmailPanel key={view.id} id={view.id} tab={view.tab} show={show} />}
      </div>
    </Screen>
  );
}

function EmailList({ view, show }: { view: EmailsView; show(changes: EmailsView): void }) {
  const variables = toEmailsVariables(view);
  const rows = useLiveRows(EmailsDocument, variables, ({ emails }) => emails, 'svc.email');
  const isFiltered = Object.values(variables).some((value) => value !== undefined);
  if (rows.total === 0 && !isFiltered && !rows.refusal) return <FirstEmail />;
  return (
    <RowList
      label={emailStrings.emails}
      variables={variables}
      rows={rows}
      openId={view.id}
      onOpen={({ id }) => show({ id })}
      keys={emailStrings.keys}
      countText={(total) => formatCount(total, emailStrings.emailCount)}
      none={
        <EmptyState title={emailStrings.noMatches}>
          <Button onClick={() => show(NO_FILTERS)}>{emailStrings.showAll}</Button>
        </EmptyState>
      }
      renderRow={(email) => <EmailRow email={email} />}
    />
  );
}

const { id: _id, tab: _tab, ...NO_FILTERS } = parseEmailsView({});

const EmailRow = ({ email: { to, subject, latestStatus, createdAt } }: { email: EmailListItem }) => (
  <div className="list-row email-row">
    <StatusBadge tone={EMAIL_TONES[latestStatus]}>{emailStrings.statuses[latestStatus]}</StatusBadge>
    <span className="email-to">{to.join(', ')}</span>
    <span className="email-subject quiet">{subject || emailStrings.noSubject}</span>
    <Timestamp at={createdAt} />
  </div>
);
