import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { limits } from '../../../src/limits.ts';
import { TEAM_READ_POLICY } from '../kit/policies.ts';

const Submission = defineTypedShape('SmtpSubmission', 'How programs submit emails to this server by SMTP.', {
  host: { type: 'String', description: 'Host name to connect to.' },
  startTlsPort: {
    type: 'Int',
    nullable: true,
    description: 'Port where a connection begins plain and STARTTLS encrypts it; null if it is off.',
  },
  tlsPort: {
    type: 'Int',
    nullable: true,
    description: 'Port where a connection is encrypted from the first byte; null if it is off.',
  },
  ownCertificate: {
    type: 'Boolean',
    description: 'True if the server made the certificate itself. Programs must be set to trust it.',
  },
  maxBytes: { type: 'Int', description: 'Bytes of one message, with its attachments.' },
  maxRecipients: { type: 'Int', description: 'Recipients of one message.' },
});

export const smtpSubmission = defineOperation('smtpSubmission', {
  kind: 'query',
  effects: ['reads'],
  policy: TEAM_READ_POLICY,
  description:
    "Returns host and ports for SMTP submission. The password is a key of the workspace's own; any user name is taken.",
  args: () => ({}),
  type: Submission.ref,
  async run({ runtime: { config } }) {
    return {
      host: new URL(config.publicUrl).hostname,
      startTlsPort: config.smtpSubmissionPort,
      tlsPort: config.smtpSubmissionsPort,
      ownCertificate: config.smtpTls === null,
      maxBytes: limits.submission.message,
      maxRecipients: limits.email.recipients,
    };
  },
});
