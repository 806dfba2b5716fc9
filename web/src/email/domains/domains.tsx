import './domains.css';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { runMutation } from '../../graphql/client.ts';
import { useLiveChanges } from '../../graphql/live.ts';
import { RequestError, type RequestFailure } from '../../graphql/request-error.ts';
import { formatInstant } from '../../i18n/format.ts';
import { DialogButtons } from '../../shell/dialogs/dialog-buttons.tsx';
import { Loading } from '../../shell/loading.tsx';
import { LoadError, Screen } from '../../shell/screen.tsx';
import { useGraphqlQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field } from '../../ui/field.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { emailStrings } from '../strings.ts';
import { DomainAddDocument, DomainsDocument } from './generated.ts';
import { DOMAIN_TONES } from './status.ts';

export function Domains() {
  const { can } = useViewer();
  const [isAdding, setIsAdding] = useState(false);
  const addButton = can.has('domainAdd') && (
    <Button look="primary" icon="plus" onClick={() => setIsAdding(true)}>
      {emailStrings.addDomain}
    </Button>
  );
  return (
    <Screen title={emailStrings.domains} needs="sendingDomains" actions={addButton}>
      <DomainList addButton={addButton} />
      {isAdding && <AddDomainDialog onClose={() => setIsAdding(false)} />}
    </Screen>
  );
}

/** The server's page size limit. */
const MAX_DOMAINS = 500;

function DomainList({ addButton }: { addButton: ReactNode }) {
  const { data, refusal, reload } = useGraphqlQuery(DomainsDocument, { first: MAX_DOMAINS, offset: 0 });
  useLiveChanges('svc.domain', reload);
  if (refusal) return <LoadError refusal={refusal} onAgain={reload} />;
  if (!data) return <Loading />;
  const { nodes, totalCount } = data.sendingDomains;
  if (totalCount === 0)
    return (
      <EmptyState title={emailStrings.noDomains}>
        <p>{emailStrings.noDomainsText}</p>
        {addButton}
      </EmptyState>
    );
  return (
    <ul className="domains">
      {nodes.map(({ id, name, status, lastCheckedAt }) => (
        <li key={id} className="card">
          <Link to="/email/domains/$id" params={{ id }}>
            {name}
          </Link>
          <StatusBadge tone={DOMAIN_TONES[status]}>{emailStrings.domainStatuses[status]}</StatusBadge>
          <span className="quiet small">
            {lastCheckedAt && emailStrings.checkedAt(formatInstant(lastCheckedAt))}
          </span>
        </li>
      ))}
    </ul>
  );
}

function AddDomainDialog({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const [rejection, setRejection] = useState<RequestFailure | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const add = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get('name')).trim();
    setIsBusy(true);
    try {
      const { domainAdd } = await runMutation(DomainAddDocument, { name });
      showToast(emailStrings.domainAdded(domainAdd.name));
      await navigate({ to: '/email/domains/$id', params: { id: domainAdd.id } });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      setRejection(error.failure);
      setIsBusy(false);
    }
  };
  return (
    <Dialog title={emailStrings.addDomain} onClose={onClose}>
      <p>{emailStrings.addDomainText}</p>
      <form className="domain-add" onSubmit={add}>
        <Field
          name="name"
          label={emailStrings.domainName}
          placeholder="news.example.com"
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={rejection?.message}
        />
        <DialogButtons onClose={onClose}>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {emailStrings.addDomain}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
