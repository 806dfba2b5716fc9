import { Link } from '@tanstack/react-router';
import { formatInstant } from '../../../i18n/format.ts';
import { LoadStatus } from '../../../shell/loading.tsx';
import { SidePanel } from '../../../shell/side-panel.tsx';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { CopyValue } from '../../../ui/copy-value.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Facts } from '../../../ui/layout/facts.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { operationStrings } from '../strings.ts';
import { SubjectLinks } from '../subject-links.tsx';
import { formatArguments, parseEventSubject } from '../summary.ts';
import { type AuditView, NO_AUDIT_FILTERS } from './address.ts';
import { AuditEventDocument, type AuditEventQuery } from './generated.ts';

export function AuditEventPanel({ id, show }: { id: string; show(changes: AuditView): void }) {
  const { data, refusal, reload } = useGraphqlQuery(AuditEventDocument, { id });
  const event = data?.auditEvent;
  return (
    <SidePanel
      label={operationStrings.event}
      title={event?.event ?? operationStrings.event}
      onClose={() => show({ id: undefined })}
    >
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && !event && <EmptyState title={operationStrings.eventNotFound} />}
      {event && <EventDetails event={event} />}
    </SidePanel>
  );
}

function EventDetails({ event }: { event: NonNullable<AuditEventQuery['auditEvent']> }) {
  const subject = parseEventSubject(event.event, event.summary);
  return (
    <>
      <p>
        <StatusBadge tone={event.success ? 'good' : 'bad'}>
          {event.success ? operationStrings.results.done : operationStrings.results.refused}
        </StatusBadge>
      </p>
      {event.error && <p className="error-note">{event.error}</p>}
      <Facts
        facts={[
          [operationStrings.when, formatInstant(event.createdAt)],
          [
            operationStrings.user,
            event.userId ? (
              <Link
                key="user"
                to="/admin/audit"
                search={{ ...NO_AUDIT_FILTERS, user: event.userId, id: event.id }}
              >
                {event.user ? `${event.user.displayName} (${event.user.login})` : event.userId}
              </Link>
            ) : (
              operationStrings.noUser
            ),
          ],
          [operationStrings.channel, operationStrings.channels[event.channel] ?? event.channel],
          [operationStrings.records, subject && <SubjectLinks subject={subject} />],
          [operationStrings.request, event.requestId && <CopyValue value={event.requestId} />],
        ]}
      />
      {event.requestId && (
        <p>
          <Link to="/admin/audit" search={{ ...NO_AUDIT_FILTERS, request: event.requestId, id: event.id }}>
            {operationStrings.showRequestEvents}
          </Link>
        </p>
      )}
      {event.summary && (
        <>
          <h3>{operationStrings.arguments}</h3>
          <pre className="sunk">{formatArguments(event.summary)}</pre>
          <p className="quiet small">{operationStrings.redacted}</p>
        </>
      )}
    </>
  );
}
