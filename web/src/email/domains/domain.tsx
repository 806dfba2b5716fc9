import { BackLink } from '../../shell/back-link.tsx';
import { runWithToast } from '../../shell/run-with-toast.ts';
import './domains.css';
import { useNavigate, useParams } from '@tanstack/react-router';
import { runMutation } from '../../graphql/client.ts';
import { formatInstant } from '../../i18n/format.ts';
import { ActionButton, ConfirmButton } from '../../shell/action-buttons.tsx';
import { LoadError, Screen } from '../../shell/screen.tsx';
import { useAction } from '../../shell/use-action.ts';
import { useLiveQuery } from '../../shell/use-graphql-query.ts';
import { useViewer } from '../../shell/viewer.ts';
import { CopyValue } from '../../ui/copy-value.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Checkbox } from '../../ui/form/field.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { emailStrings } from '../strings.ts';
import {
  DomainDeleteDocument,
  DomainDocument,
  type DomainQuery,
  DomainRotateKeyDocument,
  DomainTrackingDocument,
  DomainVerifyDocument,
} from './generated.ts';
import { DOMAIN_TONES, isUnsigned } from './status.ts';
import { buildZoneFile, getZoneName } from './zone-text.ts';

type Domain = NonNullable<DomainQuery['sendingDomain']>;

export function DomainPage() {
  const { id } = useParams({ from: '/email/domains/$id' });
  const { data, refusal, reload } = useLiveQuery(DomainDocument, { id }, 'svc.domain');
  const domain = data?.sendingDomain;
  return (
    <Screen
      title={domain?.name ?? emailStrings.domain}
      actions={domain && <DomainActions domain={domain} reload={reload} />}
    >
      <BackLink to="/email/domains">{emailStrings.domains}</BackLink>
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {data && !domain && <EmptyState title={emailStrings.domainNotFound} />}
      {domain && <DomainDetails domain={domain} reload={reload} />}
    </Screen>
  );
}

function DomainDetails({ domain, reload }: { domain: Domain; reload(): void }) {
  const { status, errorMessage, lastCheckedAt, dnsRecords } = domain;
  return (
    <div className="stack">
      <p>
        <StatusBadge tone={DOMAIN_TONES[status]}>{emailStrings.domainStatuses[status]}</StatusBadge>{' '}
        {emailStrings.domainMeanings[status]}
      </p>
      {!domain.canVerify && status !== 'SUCCESS' && <p>{emailStrings.operatorVerifies}</p>}
      {errorMessage && <p role="alert">{errorMessage}</p>}
      {!errorMessage && isUnsigned(domain) && <p role="alert">{emailStrings.unsignedText}</p>}
      <p className="quiet small">{lastCheckedAt && emailStrings.checkedAt(formatInstant(lastCheckedAt))}</p>
      <h2>{emailStrings.records}</h2>
      <p className="quiet">
        {dnsRecords.length === 0 ? emailStrings.noRecords : emailStrings.recordNames(getZoneName(domain))}
      </p>
      <ul className="domain-records stack measure">
        {dnsRecords.map((record) => (
          <li key={`${record.type} ${record.name} ${record.value}`} className="card">
            <div className="head">
              <strong>{record.type}</strong>
              <StatusBadge tone={DOMAIN_TONES[record.status]}>
                {emailStrings.recordStatuses[record.status]}
              </StatusBadge>
              {record.recommended && <span className="quiet">{emailStrings.recommended}</span>}
            </div>
            <dl>
              <dt>{emailStrings.name}</dt>
              <dd>
                <CopyValue value={record.name} />
              </dd>
              <dt>{emailStrings.recordValue}</dt>
              <dd>
                <CopyValue value={record.value} />
              </dd>
              <dt>{emailStrings.currentValue}</dt>
              <dd>
                {record.observed.length === 0
                  ? emailStrings.notObserved
                  : record.observed.map((value) => <code key={value}>{value}</code>)}
              </dd>
              {record.priority && (
                <>
                  <dt>{emailStrings.priority}</dt>
                  <dd>{record.priority}</dd>
                </>
              )}
            </dl>
          </li>
        ))}
      </ul>
      {dnsRecords.length > 0 && (
        <details>
          <summary>{emailStrings.zoneFile}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll long lines */}
          <section className="scroll-x" tabIndex={0} aria-label={emailStrings.zoneFile}>
            <pre>{buildZoneFile(domain)}</pre>
          </section>
        </details>
      )}
      <Tracking domain={domain} reload={reload} />
    </div>
  );
}

/** Settings for open and click tracking, which rewrites links and adds an image to each email. */
function Tracking({
  domain: { id, clickTracking, openTracking },
  reload,
}: {
  domain: Domain;
  reload(): void;
}) {
  const { can } = useViewer();
  const { isBusy, act } = useAction();
  const set = (tracking: { clickTracking?: boolean; openTracking?: boolean }) =>
    void act(async () => {
      await runWithToast(DomainTrackingDocument, { id, ...tracking }, emailStrings.trackingSaved);
      reload();
    });
  const isClosed = isBusy || !can.has('domainTracking');
  return (
    <section className="stack">
      <h2>{emailStrings.tracking}</h2>
      <Checkbox
        label={emailStrings.trackClicks}
        checked={clickTracking}
        disabled={isClosed}
        onChange={({ target }) => set({ clickTracking: target.checked })}
      />
      <Checkbox
        label={emailStrings.trackOpens}
        checked={openTracking}
        disabled={isClosed}
        onChange={({ target }) => set({ openTracking: target.checked })}
      />
    </section>
  );
}

function DomainActions({
  domain: { id, name, canVerify, dkimNextSelector },
  reload,
}: {
  domain: Domain;
  reload(): void;
}) {
  const navigate = useNavigate();
  const verify = async () => {
    const { domainVerify } = await runMutation(DomainVerifyDocument, { id });
    showToast(emailStrings.domainMeanings[domainVerify.status]);
    reload();
  };
  const rotate = () => runWithToast(DomainRotateKeyDocument, { id }, emailStrings.rotated).then(reload);
  const remove = async () => {
    await runWithToast(DomainDeleteDocument, { id }, emailStrings.deleted(name));
    await navigate({ to: '/email/domains' });
  };
  return (
    <div className="buttons">
      {canVerify && (
        <ActionButton needs="domainVerify" icon="refresh" onAct={verify}>
          {emailStrings.verify}
        </ActionButton>
      )}
      {dkimNextSelector === null && (
        <ConfirmButton
          needs="domainRotateKey"
          icon="key"
          label={emailStrings.rotateKey}
          title={emailStrings.rotateKey}
          text={emailStrings.rotateKeyText}
          onYes={rotate}
        />
      )}
      <ConfirmButton
        needs="domainDelete"
        icon="trash"
        label={emailStrings.delete}
        title={emailStrings.deleteTitle(name)}
        text={emailStrings.deleteDomainText}
        onYes={remove}
      />
    </div>
  );
}
