import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { limits } from '../../../src/limits.ts';
import { TEAM_READ_POLICY } from '../kit/policies.ts';

const Submission = defineTypedShape('SmtpSubmission', 'Host, ports and limits for SMTP submission.', {
  host: { type: 'String', description: 'Host name to connect to.' },
  startTlsPort: {
    type: 'Int',
    nullable: true,
    description: 'Port for connections that are encrypted with STARTTLS. Null if the port is disabled.',
  },
  tlsPort: {
    type: 'Int',
    nullable: true,
    description: 'Port for connections that use TLS from the start. Null if the port is disabled.',
  },
  ownCertificate: {
    type: 'Boolean',
    description:
      'True if the server uses a certificate that it generated itself, which clients must be configured to trust.',
  },
  maxBytes: { type: 'Int', description: 'Maximum message size in bytes, including attachments.' },
  maxRecipients: { type: 'Int', description: 'Maximum number of recipients per message.' },
});

export const smtpSubmission = defineOperation('smtpSubmission', {
  effects: ['reads'],
  policy: TEAM_READ_POLICY,
  description:
    'Returns the host and ports for SMTP submission. The password is a workspace key, and any user name is accepted.',
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
