import './smtp.css';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatNumber } from '../i18n/format.ts';
import { LoadStatus } from '../shell/loading.tsx';
import { Screen } from '../shell/screen.tsx';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { CopyText } from '../ui/copy-text.tsx';
import { CopyValue } from '../ui/copy-value.tsx';
import { Select } from '../ui/form/field.tsx';
import { SmtpSubmissionDocument, type SmtpSubmissionQuery } from './generated.ts';
import { useOwnDomain } from './own-domain.ts';
import { SMTP_EXAMPLES } from './smtp-examples.ts';
import { emailStrings } from './strings.ts';

const { smtp: strings } = emailStrings;

export function Smtp() {
  const { data, refusal, reload } = useGraphqlQuery(SmtpSubmissionDocument, {});
  const domain = useOwnDomain();
  return (
    <Screen title={strings.title}>
      {!data && <LoadStatus refusal={refusal} onAgain={reload} />}
      {data && domain && <SmtpDetails submission={data.smtpSubmission} domain={domain} />}
    </Screen>
  );
}

type Submission = SmtpSubmissionQuery['smtpSubmission'];

function SmtpDetails({ submission, domain }: { submission: Submission; domain: string }) {
  const { startTlsPort, tlsPort, host, ownCertificate, maxBytes, maxRecipients } = submission;
  const isOff = startTlsPort === null && tlsPort === null;
  return (
    <div className="smtp">
      <p>{strings.about}</p>
      {isOff && <p className="card">{strings.off}</p>}
      <dl className="card">
        <dt>{strings.host}</dt>
        <dd>
          <CopyValue value={host} />
        </dd>
        <dt>{strings.startTls}</dt>
        <dd>{startTlsPort ?? strings.portOff('SMTP_SUBMISSION_PORT')}</dd>
        <dt>{strings.tls}</dt>
        <dd>{tlsPort ?? strings.portOff('SMTP_SUBMISSIONS_PORT')}</dd>
        <dt>{strings.user}</dt>
        <dd>{strings.userText}</dd>
        <dt>{strings.password}</dt>
        <dd>
          {strings.passwordText} <Link to="/email/keys">{emailStrings.createKey}</Link>
        </dd>
        <dt>{strings.sender}</dt>
        <dd>{strings.senderText(domain)}</dd>
        <dt>{strings.limits}</dt>
        <dd>{strings.limitsText(formatNumber(maxBytes / 1024 / 1024), formatNumber(maxRecipients))}</dd>
      </dl>
      {ownCertificate && !isOff && <p>{strings.ownCertificate}</p>}
      {!isOff && <SmtpExampleList submission={submission} domain={domain} />}
    </div>
  );
}

function SmtpExampleList({ submission, domain }: { submission: Submission; domain: string }) {
  const { host, startTlsPort, tlsPort, ownCertificate } = submission;
  const [encryption, setEncryption] = useState(tlsPort === null ? 'startTls' : 'tls');
  const isTls = encryption === 'tls';
  const port = (isTls ? tlsPort : startTlsPort)!;
  const settings = {
    host,
    port,
    isTls,
    ownCertificate,
    from: `hello@${domain}`,
    key: emailStrings.apiKeyPlaceholder,
  };
  return (
    <section className="stack smtp-lines">
      <h2>{strings.codeSamples}</h2>
      {startTlsPort !== null && tlsPort !== null && (
        <Select
          label={strings.encryption}
          value={encryption}
          options={[
            ['tls', 'TLS'],
            ['startTls', 'STARTTLS'],
          ]}
          onChange={({ target }) => setEncryption(target.value)}
        />
      )}
      {Object.entries(SMTP_EXAMPLES).map(([program, line]) => (
        <section key={program}>
          <h3>{strings.programs[program as keyof typeof SMTP_EXAMPLES]}</h3>
          <CopyText label={strings.programs[program as keyof typeof SMTP_EXAMPLES]} text={line(settings)} />
        </section>
      ))}
    </section>
  );
}
