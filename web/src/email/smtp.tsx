import './smtp.css';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatNumber } from '../i18n/format.ts';
import { LoadError, Screen } from '../shell/screen.tsx';
import { useGraphqlQuery } from '../shell/use-graphql-query.ts';
import { shellWords } from '../shell/words.ts';
import { CopyText } from '../ui/copy-text.tsx';
import { CopyValue } from '../ui/copy-value.tsx';
import { Select } from '../ui/field.tsx';
import { SmtpSubmissionDocument, type SmtpSubmissionQuery } from './generated.ts';
import { useOwnDomain } from './own-domain.ts';
import { SMTP_EXAMPLES } from './smtp-examples.ts';
import { emailWords } from './words.ts';

const { smtp: words } = emailWords;

const copyLabels = { copy: shellWords.copy, copied: shellWords.copied };

/** How programs that speak SMTP alone send emails. */
export function Smtp() {
  const { data, refusal, reload } = useGraphqlQuery(SmtpSubmissionDocument, {});
  const domain = useOwnDomain();
  return (
    <Screen title={words.title} needs="smtpSubmission">
      {refusal && <LoadError refusal={refusal} onAgain={reload} />}
      {!data && !refusal && <p role="status">{shellWords.loading}</p>}
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
      <p>{words.about}</p>
      {isOff && <p className="card">{words.off}</p>}
      <dl className="card">
        <dt>{words.host}</dt>
        <dd>
          <CopyValue value={host} {...copyLabels} />
        </dd>
        <dt>{words.startTls}</dt>
        <dd>{startTlsPort ?? words.portOff('SMTP_SUBMISSION_PORT')}</dd>
        <dt>{words.tls}</dt>
        <dd>{tlsPort ?? words.portOff('SMTP_SUBMISSIONS_PORT')}</dd>
        <dt>{words.user}</dt>
        <dd>{words.userText}</dd>
        <dt>{words.password}</dt>
        <dd>
          {words.passwordText} <Link to="/email/keys">{emailWords.createKey}</Link>
        </dd>
        <dt>{words.sender}</dt>
        <dd>{words.senderText(domain)}</dd>
        <dt>{words.most}</dt>
        <dd>{words.mostText(formatNumber(maxBytes / 1024 / 1024), formatNumber(maxRecipients))}</dd>
      </dl>
      {ownCertificate && !isOff && <p>{words.ownCertificate}</p>}
      {!isOff && <SmtpExampleList submission={submission} domain={domain} />}
    </div>
  );
}

function SmtpExampleList({ submission, domain }: { submission: Submission; domain: string }) {
  const { host, startTlsPort, tlsPort, ownCertificate } = submission;
  const [encryption, setEncryption] = useState(tlsPort === null ? 'startTls' : 'tls');
  const isTls = encryption === 'tls';
  const port = (isTls ? tlsPort : startTlsPort)!;
  const given = { host, port, isTls, ownCertificate, from: `hello@${domain}`, key: emailWords.yourKey };
  return (
    <section className="smtp-lines">
      <h2>{words.lines}</h2>
      {startTlsPort !== null && tlsPort !== null && (
        <Select
          label={words.encryption}
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
          <h3>{words.programs[program as keyof typeof SMTP_EXAMPLES]}</h3>
          <CopyText
            label={words.programs[program as keyof typeof SMTP_EXAMPLES]}
            text={line(given)}
            {...copyLabels}
          />
        </section>
      ))}
    </section>
  );
}
