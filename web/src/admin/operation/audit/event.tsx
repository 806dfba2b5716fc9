import { Link } from '@tanstack/react-router';
import { formatInstant } from '../../../i18n/format.ts';
import { LoadError } from '../../../shell/screen.tsx';
import { useGraphqlQuery } from '../../../shell/use-graphql-query.ts';
import { shellWords } from '../../../shell/words.ts';
import { CopyValue } from '../../../ui/copy-value.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { DetailPanel, Facts } from '../detail-panel.tsx';
import { SubjectLinks } from '../subject-links.tsx';
import { formatArguments, parseEventSubject } from '../summary.ts';
import { operationWords } from '../words.ts';
import { type AuditView, NO_AUDIT_FILTERS } from './address.ts';
import { AuditEventDocument, type AuditEventQuery } from './generated.ts';

interface AuditEventPanelProps {
  id: string;
  show(changes: AuditView): void;
}

/** One event: who did it, from where, with which arguments, and whether it was refused. */
export function AuditEventPanel({ id, show }: AuditEventPanelProps) {
  const { data, refusal, reload } = useGraphqlQuery(AuditEventDocument, { id });
  const event = data?.auditEvent;
  return (
    <DetailPanel
      label={operationWords.event}
      title={event?.event ?? operationWords.event}
      onClose={() => show({ id: undefined })}
    >
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {!data && !refusal && <p role="status">{shellWords.loading}</p>}
      {data && !event && <EmptyState title={operationWords.noSuchEvent} />}
      {event && <EventDetails event={event} />}
    </DetailPanel>
  );
}

function EventDetails({ event }: { event: NonNullable<AuditEventQuery['auditEvent']> }) {
  const subject = parseEventSubject(event.event, event.summary);
  return (
    <>
      <p>
        <StatusBadge tone={event.success ? 'good' : 'bad'}>
          {event.success ? operationWords.results.done : operationWords.results.refused}
        </StatusBadge>
      </p>
      {event.error && <p className="op-wrong">{event.error}</p>}
      <Facts
        facts={[
          [operationWords.when, formatInstant(event.createdAt)],
          [
            operationWords.user,
            event.userId ? (
              <Link
                key="user"
                to="/admin/audit"
                search={{ ...NO_AUDIT_FILTERS, user: event.userId, id: event.id }}
              >
                {event.user ? `${event.user.displayName} (${event.user.login})` : event.userId}
              </Link>
            ) : (
              operationWords.noUser
            ),
          ],
          [operationWords.door, operationWords.doors[event.channel] ?? event.channel],
          [operationWords.records, subject && <SubjectLinks subject={subject} />],
          [
            operationWords.request,
            event.requestId && (
              <CopyValue value={event.requestId} copy={shellWords.copy} copied={shellWords.copied} />
            ),
          ],
        ]}
      />
      {event.requestId && (
        <p>
          <Link to="/admin/audit" search={{ ...NO_AUDIT_FILTERS, request: event.requestId, id: event.id }}>
            {operationWords.sameRequest}
          </Link>
        </p>
      )}
      {event.summary && (
        <>
          <h3>{operationWords.given}</h3>
          <pre>{formatArguments(event.summary)}</pre>
          <p className="quiet small">{operationWords.redacted}</p>
        </>
      )}
    </>
  );
}
