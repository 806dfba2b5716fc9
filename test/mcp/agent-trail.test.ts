import { beforeAll, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { createAgentKey, readLogLines, runTool, switchMcp } from '../harness/facades/mcp.ts';
import { fileMessage, loadMailbox, loadStates } from '../mailbox/mailboxes.ts';

const app = setUpApp();
beforeAll(() => switchMcp(app, app.main, true));

const TRAIL = `query ($id: ID!, $before: ID) { agentCalls(agentId: $id, before: $before) {
  id tool outcome error summary recordCount undoToken } }`;

test("lets an agent's user review its activity and undo its changes to messages", async () => {
  const { user, admin } = app.main;
  const mailbox = await loadMailbox(app.main.ctx, user.id);
  const { id: entry } = await fileMessage(app.main.ctx, mailbox.id, mailbox.folders.inbox, {});
  const { key: agent } = await createAgentKey(app, '', user.key);
  await runTool(app, agent, 'inbox_message', { entry_id: entry });
  await runTool(app, agent, 'mail_organize', { entry_ids: [entry], action: 'archive' });
  await runTool(app, agent, 'mail_organize', { entry_ids: [entry], action: 'trash' });
  expect(await loadStates(app.main.ctx, [entry])).toMatchObject([{ folder_id: mailbox.folders.archive }]);

  const id = String((await readLogLines(app.main, 1))[0]!.agent_id);
  const readTrail = async (key: string, before?: string) =>
    (await postGraphql(app, TRAIL, { key, variables: { id, before } })).data.agentCalls;
  const calls = await readTrail(user.key);
  expect(calls).toMatchObject([
    { tool: 'mail_organize', outcome: 'asked', undoToken: null },
    { tool: 'mail_organize', outcome: 'done', recordCount: 1, undoToken: expect.any(String) },
    { tool: 'inbox_message', outcome: 'done', undoToken: null },
  ]);
  expect(await readTrail(user.key, calls[1].id)).toHaveLength(1);
  expect(
    (await readTrail(admin.key)).every(({ undoToken }: { undoToken: unknown }) => undoToken === null),
  ).toBe(true);

  const undo = 'mutation ($token: String!) { mailUndo(token: $token) { ok undone error } }';
  const variables = { token: calls[1].undoToken };
  const foreignResponse = await postGraphql(app, undo, { key: admin.key, variables });
  expect(foreignResponse.data.mailUndo.ok).toBe(false);
  const { data } = await postGraphql(app, undo, { key: user.key, variables });
  expect(data.mailUndo).toEqual({ ok: true, undone: 1, error: null });
  expect(await loadStates(app.main.ctx, [entry])).toMatchObject([{ folder_id: mailbox.folders.inbox }]);
});

test('the trail of an agent is hidden from other users and other workspaces', async () => {
  await runTool(app, app.main.admin.key, 'count', { model: 'res.partner' });
  const id = String((await readLogLines(app.main, 1))[0]!.agent_id);
  const otherTenant = await app.tenant('curious');
  for (const key of [app.main.user.key, otherTenant.admin.key]) {
    const { errors } = await postGraphql(app, TRAIL, { key, variables: { id } });
    expect(errors[0]!.extensions.code).toBe('NOT_FOUND');
  }
});

test('rejects a page of the trail that exceeds the maximum size', async () => {
  const id = String((await readLogLines(app.main, 1))[0]!.agent_id);
  const query = `query ($id: ID!) { agentCalls(agentId: $id, first: 201) { id } }`;
  const { errors } = await postGraphql(app, query, { key: app.main.admin.key, variables: { id } });
  expect(errors[0]!.extensions.code).toBe('BAD_VALUE');
});
