import type { Config } from '../../../src/config.ts';
import type { Credentials } from './seed.ts';

/** Builds the startup message: the addresses and, on the first start, the credentials and an example command. */
export function buildWelcome(config: Config, port: number, credentials: Credentials | null): string {
  const base = config.publicUrl.replace(/:0$/, `:${port}`);
  const lines = config.role === 'worker' ? buildWorkerLines(base) : buildAddressLines(config, base);
  if (credentials) lines.push(...buildCredentialLines(base, credentials));
  return `${lines.join('\n')}\n`;
}

const buildWorkerLines = (base: string): string[] => [
  '',
  `  Worker running. Status: ${base}/api/ready and ${base}/metrics`,
  '',
];

const buildAddressLines = (config: Config, base: string): string[] => [
  '',
  `  Atrium listens on ${base}`,
  ...(config.web ? [`    Application  ${base}/app`] : []),
  `    GraphiQL     ${base}/graphql`,
  `    Models       ${base}/doc`,
  `    Email API    ${base}/api/v1/ui`,
  ...(config.mailTransport === 'local' ? [`    Outbox       ${base}/dev/outbox`] : []),
  '',
];

function buildCredentialLines(
  base: string,
  { login, password, userKey, teamKey, domain }: Credentials,
): string[] {
  return [
    '  Save these values, which are shown only once:',
    '    workspace    main',
    `    login        ${login}`,
    `    password     ${password}`,
    '',
    `    export ATRIUM_URL=${base}`,
    `    export USER_KEY=${userKey}`,
    `    export TEAM_KEY=${teamKey}`,
    '',
    ...(domain ? buildSendExample(base, teamKey, domain) : ADD_DOMAIN),
  ];
}

function buildSendExample(base: string, teamKey: string, domain: string): string[] {
  const body = JSON.stringify({
    from: `Atrium <hello@${domain}>`,
    to: 'you@example.org',
    subject: 'Hello',
    text: 'It works.',
  });
  return [
    '  Send an email (it lands in the outbox):',
    '',
    `    curl -s ${base}/api/v1/emails -H 'Authorization: Bearer ${teamKey}' ` +
      `-H 'Content-Type: application/json' -d '${body}'`,
    '',
  ];
}

const ADD_DOMAIN = [
  '  Before the first email, add a domain to send from:',
  '',
  '    npm run -s cli -- domain add <name> --workspace main',
  '    npm run -s cli -- domain verify <name> --workspace main',
  '',
];
