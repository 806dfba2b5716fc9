import { expect, test, vi } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { createJobs } from '../../src/engine/work/jobs.ts';
import { setUpApp } from '../harness/app.ts';
import { runDueCampaigns } from '../harness/due.ts';
import { postGraphql, queryData } from '../harness/facades/graphql.ts';
import { until } from '../harness/wait.ts';
import { subscribe } from '../live/listen.ts';
import { createSharedMailbox, fileMessage } from '../mailbox/mailboxes.ts';

vi.setConfig({ testTimeout: 120_000 });

const app = setUpApp();

interface NotificationRow {
  id: string;
  kind: string;
  outcome: string;
  title: string;
  details: string | null;
  readAt: string | null;
}
const FIELDS = 'id kind outcome title details readAt';
const loadNotifications = async (key: string): Promise<NotificationRow[]> =>
  (await postGraphql(app, `{ notifications(first: 20) { nodes { ${FIELDS} } } }`, { key })).data.notifications
    .nodes;
const untilNotified = async (key: string, kind: string): Promise<NotificationRow> => {
  await until(
    async () => (await loadNotifications(key)).some((notification) => notification.kind === kind),
    `a notification of ${kind}`,
  );
  return (await loadNotifications(key)).find((notification) => notification.kind === kind)!;
};

test('notifies the user live when an export is complete, and lets them mark the notification as read', async () => {
  const { admin, user } = app.main;
  const query = `subscription { notificationChanged { kind record { kind title } } }`;
  const live = await subscribe(app.url, { key: admin.key, query });
  await postGraphql(app, 'mutation { workspaceExportStart { id } }', { key: admin.key });
  const worker = createJobs(app.runtime);
  await worker.start(true);
  const notification = await untilNotified(admin.key, 'WORKSPACE_EXPORT');
  await worker.stop();
  expect(notification).toMatchObject({
    outcome: 'DONE',
    title: expect.stringContaining('ready to download'),
    readAt: null,
  });
  await live.waitForEvents(1);
  live.close();
  expect(await loadNotifications(user.key)).toEqual([]);
  const markRead = (key: string, ids?: string[]) =>
    postGraphql(app, 'mutation ($ids: [ID!]) { notificationsRead(ids: $ids) }', { key, variables: { ids } });
  expect((await markRead(user.key, [notification.id])).data.notificationsRead).toBe(0);
  expect((await markRead(admin.key, [notification.id])).data.notificationsRead).toBe(1);
  expect((await loadNotifications(admin.key))[0]!.readAt).not.toBeNull();
  expect((await markRead(admin.key)).data.notificationsRead).toBe(0);
});

test('notifies the user of the result of a bulk message update', async () => {
  const { user, ctx } = app.main;
  const mailbox = await createSharedMailbox(ctx, [user.id]);
  await fileMessage(ctx, mailbox.id, mailbox.folders.inbox, { subject: 'One' });
  const start = (count: number) =>
    postGraphql(
      app,
      `mutation { mailChangeFoundStart(folderId: ${mailbox.folders.inbox}, expectCount: ${count},
        vals: { isRead: true }) { error } }`,
      { key: user.key },
    );
  await start(1);
  await app.doMailJobs();
  expect(await untilNotified(user.key, 'MAIL_CHANGE')).toMatchObject({
    outcome: 'DONE',
    details: '1 done, 0 skipped, 0 failed.',
  });
  await start(7);
  await until(async () => (await loadNotifications(user.key)).length === 2, 'the second one');
  expect((await loadNotifications(user.key))[0]).toMatchObject({
    outcome: 'FAILED',
    details: expect.stringContaining('messages, but'),
  });
});

test('notifies the user who scheduled a campaign when it is sent or paused', async () => {
  const { admin, ctx } = app.main;
  const book = (await queryData(app, 'mutation { contactBookCreate(book: { name: "Readers" }) { id } }'))
    .contactBookCreate.id;
  await queryData(
    app,
    `mutation { contactPut(bookId: "${book}", input: { email: "reader@example.net" }) { id } }`,
  );
  const scheduleCampaign = async (name: string) => {
    const campaign = await queryData(
      app,
      `mutation { campaignCreate(campaign: { name: "${name}", from: "news@main.test", subject: "s",
        contactBookId: "${book}", html: "<a href='{{usesend_unsubscribe_url}}'>leave</a>" }) { id } }`,
    );
    await queryData(app, `mutation { campaignSchedule(id: "${campaign.campaignCreate.id}") { id } }`);
  };
  await scheduleCampaign('Spring');
  await runDueCampaigns(app.runtime);
  expect(await untilNotified(admin.key, 'CAMPAIGN')).toMatchObject({
    outcome: 'DONE',
    title: 'The campaign Spring was sent.',
  });
  await scheduleCampaign('Autumn');
  await ctx.db.rows(sql`update svc_domain set status = 'FAILED' where workspace_id = ${ctx.workspace.id}`);
  await runDueCampaigns(app.runtime);
  expect((await loadNotifications(admin.key))[0]).toMatchObject({
    outcome: 'FAILED',
    title: 'The campaign Autumn was paused.',
    details: expect.stringContaining('no longer verified'),
  });
});
