import './domains.css';
import { Link, useNavigate } from '@tanstack/react-router';
import { runMutation } from '../../graphql/client.ts';
import { formatInstant } from '../../i18n/format.ts';
import { DialogOpener } from '../../shell/action-buttons.tsx';
import { FormDialog } from '../../shell/dialogs/form-dialog.tsx';
import { LoadStatus } from '../../shell/loading.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useLiveQuery } from '../../shell/use-graphql-query.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field } from '../../ui/form/field.tsx';
import { getText } from '../../ui/form/form.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { emailStrings } from '../strings.ts';
import { DomainAddDocument, DomainsDocument } from './generated.ts';
import { DOMAIN_TONES, isUnsigned } from './status.ts';

/** The server's page size limit. */
const MAX_DOMAINS = 500;

export function Domains() {
  const variables = { first: MAX_DOMAINS, offset: 0 };
  const { data, refusal, reload } = useLiveQuery(DomainsDocument, variables, 'svc.domain');
  const addButton = (
    <DialogOpener needs="domainAdd" look="primary" icon="plus" label={emailStrings.addDomain}>
      {(onClose) => <AddDomainDialog onClose={onClose} />}
    </DialogOpener>
  );
  return (
    <Screen title={emailStrings.domains} actions={addButton}>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data?.sendingDomains.totalCount === 0 && (
        <EmptyState title={emailStrings.noDomains} text={emailStrings.noDomainsText}>
          {addButton}
        </EmptyState>
      )}
      <ul className="card-list">
        {data?.sendingDomains.nodes.map(({ id, name, status, dkimStatus, lastCheckedAt }) => (
          <li key={id} className="card">
            <Link to="/email/domains/$id" params={{ id }}>
              {name}
            </Link>
            <StatusBadge tone={DOMAIN_TONES[status]}>{emailStrings.domainStatuses[status]}</StatusBadge>
            {isUnsigned({ status, dkimStatus }) && (
              <StatusBadge tone="bad">{emailStrings.unsigned}</StatusBadge>
            )}
            <span className="quiet small">
              {lastCheckedAt && emailStrings.checkedAt(formatInstant(lastCheckedAt))}
            </span>
          </li>
        ))}
      </ul>
    </Screen>
  );
}

function AddDomainDialog({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const add = async (form: FormData) => {
    const { domainAdd } = await runMutation(DomainAddDocument, { name: getText(form, 'name') });
    showToast(emailStrings.domainAdded(domainAdd.name));
    await navigate({ to: '/email/domains/$id', params: { id: domainAdd.id } });
  };
  return (
    <FormDialog title={emailStrings.addDomain} errorField="name" onSubmit={add} onClose={onClose}>
      <p>{emailStrings.addDomainText}</p>
      <Field
        name="name"
        label={emailStrings.domainName}
        placeholder="news.example.com"
        required
        autoCapitalize="none"
        spellCheck={false}
      />
    </FormDialog>
  );
}
