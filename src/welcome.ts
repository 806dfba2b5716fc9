import type { Config } from './config.ts';

/** What the first start has made; shown once. */
export interface Credentials {
  login: string;
  password: string;
  userKey: string;
  teamKey: string;
  domain: string;
}

/** What a start prints: the addresses, and on the first one the credentials and a command to try. */
export function welcome(config: Config, port: number, credentials: Credentials | null): string {
  const base = config.publicUrl.replace(/:0$/, `:${port}`);
  const lines = [
    '',
    `  Atrium listens on ${base}`,
    `    GraphiQL     ${base}/graphql`,
    `    Email API    ${base}/api/v1/ui`,
    `    Outbox       ${base}/dev/outbox`,
    '',
  ];
  if (credentials) lines.push(...first(base, credentials));
  return `${lines.join('\n')}\n`;
}

function first(base: string, { login, password, userKey, teamKey, domain }: Credentials): string[] {
  const body = JSON.stringify({
    from: `Atrium <hello@${domain}>`,
    to: 'you@example.org',
    subject: 'Hello',
    text: 'It works.',
  });
  return [
    '  Written once, keep it:',
    `    workspace    main`,
    `    login        ${login}`,
    `    password     ${password}`,
    `    user key     ${userKey}`,
    `    team key     ${teamKey}`,
    '',
    '  Send an email (it lands in the outbox):',
    '',
    `    curl -s ${base}/api/v1/emails -H 'Authorization: Bearer ${teamKey}' -H 'Content-Type: application/json' -d '${body}'`,
    '',
  ];
}
