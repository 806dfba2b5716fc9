import { expect, it } from 'vitest';
import { buildMail, setUpTeam } from '../harness/facades/rest.ts';
import { until } from '../harness/wait.ts';
import { subscribe } from './listen.ts';

const team = setUpTeam();

const LIVE = `subscription ($topics: [LiveTopic!]!, $after: String) {
  live(topics: $topics, after: $after) { model cursor record { ... on Email { to: domain { name } } ... on Contact { to: book { name } } } }
}`;

it('distinguishes related records of different models whose fields have the same name in the document', async () => {
  // The first book prevents the second book's id from matching a domain id.
  await team.book({ name: 'Others' });
  const book = await team.book({ name: 'Readers' });
  const topics = [{ model: 'svc.email' }, { model: 'svc.contact' }];
  const listen = (after?: string) =>
    subscribe(team.url, { key: team.main.admin.key, query: LIVE, variables: { topics, after } });
  const add = (email: string) =>
    team.ask('POST', `/api/v1/contactBooks/${book}/contacts`, { body: { email } });
  const before = await listen();
  await add('first@example.net');
  const [{ cursor }] = (await before.waitForEvents(1)) as [Record<string, string>];
  before.close();
  await team.send(buildMail({}));
  await add('second@example.net');
  // Missed events are replayed in a single batch.
  const subscription = await listen(cursor);
  await subscription.waitForEvents(2);
  await until(() => subscription.events.some(({ model }) => model === 'svc.email'), 'the email');
  const links = new Set(subscription.events.map(({ model, record }) => `${model} to ${record?.to?.name}`));
  expect(links).toEqual(new Set([`svc.email to ${team.main.domain}`, 'svc.contact to Readers']));
  expect(subscription.errors).toEqual([]);
  subscription.close();
});

it.each(['svc.webhook', 'svc.api.key', 'svc.contact.book'])(
  'rejects %s, which does not support subscriptions',
  async (model) => {
    const subscription = await subscribe(team.url, {
      key: team.main.admin.key,
      query: LIVE,
      variables: { topics: [{ model }] },
    });
    await expect.poll(() => subscription.errors[0]?.extensions.code).toBe('BAD_REQUEST');
    subscription.close();
  },
);
