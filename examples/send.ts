import { randomUUID } from 'node:crypto';
import { UseSend } from 'usesend-js';

// Sends an email with useSend's SDK, then reads its state through GraphQL.
//   ATRIUM_URL=… TEAM_KEY=us_… USER_KEY=uk_… node_modules/.bin/node examples/send.ts you@example.org

const {
  ATRIUM_URL = 'http://127.0.0.1:3000',
  TEAM_KEY,
  USER_KEY,
  FROM = 'hello@main.localhost',
} = process.env;
const to = process.argv[2];
if (!to || !TEAM_KEY || !USER_KEY) throw new Error('Set TEAM_KEY and USER_KEY, and name a recipient.');

const usesend = new UseSend(TEAM_KEY, ATRIUM_URL);
const { data: sent, error } = await usesend.emails.send(
  { from: FROM, to, subject: 'Hello', text: 'It works.', html: '<p>It works.</p>' },
  // A retry with the same key within 24 hours returns the first response and sends nothing.
  { idempotencyKey: randomUUID() },
);
if (!sent) throw new Error(`${error?.code}: ${error?.message}`);
console.log('accepted', sent.emailId);

interface Email {
  subject: string;
  state: string;
  latestStatus: string;
}

const query = /* GraphQL */ `
  query ($id: ID!) {
    email(id: $id) {
      subject
      state
      latestStatus
    }
  }
`;
const { email } = await graphql<{ email: Email | null }>(query, { id: sent.emailId });
console.log('state', email?.state, email?.latestStatus);

async function graphql<T>(text: string, variables: object): Promise<T> {
  const response = await fetch(`${ATRIUM_URL}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${USER_KEY}` },
    body: JSON.stringify({ query: text, variables }),
  });
  // GraphQL reports errors in the body, mostly with status 200.
  const { data, errors } = (await response.json()) as { data: T; errors?: { message: string }[] };
  if (errors?.length) throw new Error(errors[0]!.message);
  return data;
}
