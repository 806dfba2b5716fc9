import './domains.css';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { change } from '../../graphql/client.ts';
import { useLive } from '../../graphql/live.ts';
import { formatInstant } from '../../i18n/format.ts';
import { useAct } from '../../shell/act.ts';
import { useAnswer } from '../../shell/answer.ts';
import { Failed, Screen } from '../../shell/screen.tsx';
import { useViewer } from '../../shell/viewer.ts';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { CopyValue } from '../../ui/copy-value.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Tick } from '../../ui/field.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { say } from '../../ui/toasts.tsx';
import { emailWords } from '../words.ts';
import {
  DomainDeleteDocument,
  DomainDocument,
  type DomainQuery,
  DomainRotateKeyDocument,
  DomainTrackingDocument,
  DomainVerifyDocument,
} from './generated.ts';
import { DOMAIN_TONES } from './status.ts';
import { zoneText } from './zone-text.ts';

type Domain = NonNullable<DomainQuery['sendingDomain']>;

/** One sending domain: the records it needs, and whether they are found. */
export function DomainPage() {
  const { id } = useParams({ from: '/email/domains/$id' });
  const { data, refusal, reload } = useAnswer(DomainDocument, { id });
  useLive('svc.domain', reload);
  const domain = data?.sendingDomain;
  return (
    <Screen
      title={domain?.name ?? emailWords.domain}
      needs="sendingDomains"
      measure="middle"
      actions={domain && <Actions domain={domain} reload={reload} />}
    >
      <p>
        <Link to="/email/domains">‹ {emailWords.domains}</Link>
      </p>
      {refusal && <Failed refusal={refusal} onAgain={reload} />}
      {data && !domain && <Empty title={emailWords.noDomain} />}
      {domain && <Shown domain={domain} reload={reload} />}
    </Screen>
  );
}

function Shown({ domain, reload }: { domain: Domain; reload(): void }) {
  const { status, errorMessage, lastCheckedAt, dnsRecords } = domain;
  return (
    <div className="domain">
      <p>
        <StatusBadge tone={DOMAIN_TONES[status]}>{emailWords.domainStatuses[status]}</StatusBadge>{' '}
        {emailWords.domainMeanings[status]}
      </p>
      {errorMessage && <p role="alert">{errorMessage}</p>}
      <p className="quiet small">{lastCheckedAt && emailWords.checkedAt(formatInstant(lastCheckedAt))}</p>
      <h2>{emailWords.records}</h2>
      {dnsRecords.length === 0 && <p>{emailWords.noRecords}</p>}
      <ul className="domain-records">
        {dnsRecords.map((record) => (
          <li key={`${record.type} ${record.name} ${record.value}`} className="card">
            <div className="head">
              <strong>{record.type}</strong>
              <StatusBadge tone={DOMAIN_TONES[record.status]}>
                {emailWords.recordStatuses[record.status]}
              </StatusBadge>
              {record.recommended && <span className="quiet">{emailWords.recommended}</span>}
            </div>
            <dl>
              <dt>{emailWords.recordName}</dt>
              <dd>
                <CopyValue value={record.name} copy={shellWords.copy} copied={shellWords.copied} />
              </dd>
              <dt>{emailWords.recordValue}</dt>
              <dd>
                <CopyValue value={record.value} copy={shellWords.copy} copied={shellWords.copied} />
              </dd>
              <dt>{emailWords.observed}</dt>
              <dd>
                {record.observed.length === 0
                  ? emailWords.nothingObserved
                  : record.observed.map((value) => <code key={value}>{value}</code>)}
              </dd>
              {record.priority && (
                <>
                  <dt>{emailWords.priority}</dt>
                  <dd>{record.priority}</dd>
                </>
              )}
            </dl>
          </li>
        ))}
      </ul>
      {dnsRecords.length > 0 && (
        <details>
          <summary>{emailWords.zoneFile}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, and then need the keyboard */}
          <section className="scroll-x" tabIndex={0} aria-label={emailWords.zoneFile}>
            <pre>{zoneText(domain)}</pre>
          </section>
        </details>
      )}
      <Tracking domain={domain} reload={reload} />
    </div>
  );
}

/** Whether opened mail and clicked links are reported, which needs rewritten links and an image in each mail. */
function Tracking({
  domain: { id, clickTracking, openTracking },
  reload,
}: {
  domain: Domain;
  reload(): void;
}) {
  const { can } = useViewer();
  const { isBusy, act } = useAct();
  const set = (what: { clickTracking?: boolean; openTracking?: boolean }) =>
    void act(async () => {
      await change(DomainTrackingDocument, { id, ...what });
      say(emailWords.trackingSaved);
      reload();
    });
  const isClosed = isBusy || !can.has('domainTracking');
  return (
    <section>
      <h2>{emailWords.tracking}</h2>
      <Tick
        label={emailWords.trackClicks}
        checked={clickTracking}
        disabled={isClosed}
        onChange={({ target }) => set({ clickTracking: target.checked })}
      />
      <Tick
        label={emailWords.trackOpens}
        checked={openTracking}
        disabled={isClosed}
        onChange={({ target }) => set({ openTracking: target.checked })}
      />
    </section>
  );
}

function Actions({ domain: { id, name, dkimNextSelector }, reload }: { domain: Domain; reload(): void }) {
  const { can } = useViewer();
  const navigate = useNavigate();
  const { isBusy, act } = useAct();
  const [asked, setAsked] = useState<'delete' | 'rotate' | null>(null);
  const verify = () =>
    act(async () => {
      const { domainVerify } = await change(DomainVerifyDocument, { id });
      say(emailWords.domainMeanings[domainVerify.status]);
      reload();
    });
  const rotate = () =>
    act(async () => {
      await change(DomainRotateKeyDocument, { id });
      say(emailWords.rotated);
      reload();
    });
  const remove = () =>
    act(async () => {
      await change(DomainDeleteDocument, { id });
      say(emailWords.deleted(name));
      await navigate({ to: '/email/domains' });
    });
  return (
    <div className="buttons">
      {can.has('domainVerify') && (
        <Button icon="refresh" isBusy={isBusy} onClick={verify}>
          {emailWords.verify}
        </Button>
      )}
      {can.has('domainRotateKey') && dkimNextSelector === null && (
        <Button icon="key" onClick={() => setAsked('rotate')}>
          {emailWords.rotateKey}
        </Button>
      )}
      {can.has('domainDelete') && (
        <Button icon="trash" onClick={() => setAsked('delete')}>
          {emailWords.delete}
        </Button>
      )}
      {asked === 'rotate' && (
        <Confirm
          title={emailWords.rotateKey}
          yes={emailWords.rotateKey}
          no={shellWords.close}
          onYes={rotate}
          onClose={() => setAsked(null)}
        >
          <p>{emailWords.rotateKeyText}</p>
        </Confirm>
      )}
      {asked === 'delete' && (
        <Confirm
          title={emailWords.deleteDomain(name)}
          yes={emailWords.delete}
          no={shellWords.close}
          onYes={remove}
          onClose={() => setAsked(null)}
        >
          <p>{emailWords.deleteDomainText}</p>
        </Confirm>
      )}
    </div>
  );
}
