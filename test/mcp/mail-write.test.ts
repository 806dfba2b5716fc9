import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { convertHtmlToText } from '../../src/message/html-text.ts';
import { setUpApp } from '../harness/app.ts';
import { ERAS, switchMcp } from '../harness/facades/mcp.ts';
import { callMailOk, fileMessage, loadStates, setUpMailbox } from '../mailbox/mailboxes.ts';

const app = setUpApp();
const mailbox = setUpMailbox(app);
const otherMailbox = setUpMailbox(app, 'admin');

beforeAll(async () => {
  await switchMcp(app, app.main, true);
  await app.deliver({
    transport: {
      name: 'ses',
      send: async () => ({ kind: 'sent', providerId: 'p1' }),
      limits: async () => null,
      close: async () => undefined,
    },
  });
});

const countEmails = () =>
  app.runtime.db.value<number>(
    sql`select count(*)::int from svc_email where workspace_id = ${app.main.ctx.workspace.id}`,
  );

const fillInbox = async (count: number, overrides = {}) => {
  const ids: number[] = [];
  for (let i = 0; i < count; i++)
    ids.push((await fileMessage(app.main.ctx, mailbox.id, mailbox.folders.inbox, overrides)).id);
  return ids;
};

describe.each(Object.entries(ERAS))('tools of the %s protocol era', (era, callTool) => {
  const call = (name: string, args: object = {}, key = app.main.user.key) => callTool(app, key, name, args);
  const callOk = async (name: string, args: object, key = app.main.user.key) => {
    const result = await call(name, args, key);
    expect(result).toMatchObject({ isError: false });
    expect(result.structuredContent).not.toHaveProperty('confirm_required');
    expect(result.structuredContent._count).toEqual(expect.any(Number));
    return result.structuredContent;
  };
  const previewTool = async (name: string, args: object) => {
    const result = await call(name, args);
    expect(result).toMatchObject({ isError: false });
    expect(result.structuredContent).toMatchObject({ confirm_required: true, _count: 0 });
    expect(JSON.parse(result.content[0]!.text)).toMatchObject(result.structuredContent);
    return result.structuredContent;
  };
  const callRefused = async (name: string, args: object, key = app.main.user.key) => {
    const result = await call(name, args, key);
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^Error: /) }] });
    expect(result).not.toHaveProperty('structuredContent');
    return result.content[0]!.text;
  };

  test('mail_draft_save needs no confirmation, keeps omitted values and clears empty text', async () => {
    const [entry] = await fillInbox(1);
    const first = await callOk('mail_draft_save', {
      account_id: mailbox.id,
      to: 'ann@example.org',
      cc: 'bob@example.org',
      subject: 'Plan',
      body: 'Lunch at <b>one</b>?<br>Or two.',
      in_reply_to: entry,
    });
    expect(first).toMatchObject({ ok: true, draft_id: expect.any(Number), _count: 1 });
    const getDraft = () => callMailOk(app, 'draft_get', { draft_id: first.draft_id });
    expect(await getDraft()).toMatchObject({
      to: 'ann@example.org',
      body: 'Lunch at one?\nOr two.',
      in_reply_to: entry,
      mode: 'reply',
    });
    await callOk('mail_draft_save', {
      account_id: mailbox.id,
      draft_id: first.draft_id,
      cc: '',
      subject: 'Plans',
    });
    expect(await getDraft()).toMatchObject({
      to: 'ann@example.org',
      cc: '',
      subject: 'Plans',
      in_reply_to: entry,
    });
    await callOk('mail_draft_save', {
      account_id: mailbox.id,
      draft_id: first.draft_id,
      body: '1 < 2 & 3\nyes',
    });
    expect(await getDraft()).toMatchObject({ body: '<pre>1 &lt; 2 &amp; 3\nyes</pre>' });
    const body = 'Hi Bob,\n\nwrite to Ann <ann@example.com>, if x <y.\n\nRegards';
    await callOk('mail_draft_save', { account_id: mailbox.id, draft_id: first.draft_id, body });
    expect(convertHtmlToText((await getDraft()).body)).toBe(body);
  });

  test("mail_draft_save rejects another user's draft and message", async () => {
    const { draft_id: foreign } = await callMailOk(
      app,
      'draft_save',
      { account_id: otherMailbox.id, vals: { subject: 'Mine' } },
      app.main.admin.key,
    );
    expect(
      await callRefused('mail_draft_save', { account_id: mailbox.id, draft_id: foreign, body: 'x' }),
    ).toMatch(/access/i);
    const message = await fileMessage(app.main.ctx, otherMailbox.id, otherMailbox.folders.inbox);
    expect(await callRefused('mail_draft_save', { account_id: mailbox.id, in_reply_to: message.id })).toMatch(
      /access/i,
    );
    expect(await callRefused('mail_draft_save', { account_id: otherMailbox.id, body: 'x' })).toMatch(
      /access/i,
    );
    expect(
      await callRefused('mail_draft_save', { account_id: mailbox.id, subject: 'x'.repeat(999) }),
    ).toMatch(/998/);
  });

  test('mail_send previews the message without sending, and sends it with confirm', async () => {
    const before = await countEmails();
    const stranger = `first-${era}@main.localhost`;
    const message = {
      account_id: mailbox.id,
      to: `Ann <${otherMailbox.address}>; ${stranger}`,
      cc: 'bob@example.org',
      bcc: 'eve@example.org',
      subject: 'Plan',
      body: 'ä'.repeat(600),
    };
    const { preview } = await previewTool('mail_send', message);
    expect(preview).toMatchObject({
      to: [`"Ann" <${otherMailbox.address}>`, stranger],
      cc: ['bob@example.org'],
      bcc: ['eve@example.org'],
      recipient_count: 4,
      subject: 'Plan',
      in_reply_to: null,
      attachments: [],
      format: 'text',
      text_starts: 'ä'.repeat(500),
      text_chars: 600,
      text_truncated: true,
    });
    expect(preview.from).toContain(mailbox.address);
    expect(preview.new_recipients).toContain(stranger);
    expect(await countEmails()).toBe(before);
    const sent = await callOk('mail_send', { ...message, confirm: true });
    expect(sent).toMatchObject({
      entry_id: expect.any(Number),
      message_id: expect.stringMatching(/^</),
      _count: 1,
    });
    expect(sent.ok).toBe(true);
    expect(await countEmails()).toBe(before + 1);
    expect((await previewTool('mail_send', message)).preview.new_recipients).not.toContain(stranger);
  });

  test('mail_send deletes the draft that it sends, and a draft id is never a message id', async () => {
    const text = { account_id: mailbox.id, to: 'ann@example.org', subject: 'From a draft', body: 'Hi' };
    const drafts: number[] = [];
    for (let i = 0; i < 2; i++) drafts.push((await callOk('mail_draft_save', text)).draft_id);
    const [entry] = await fillInbox(1);
    expect(new Set([...drafts, entry]).size).toBe(3);
    for (const draft of drafts)
      await callRefused('mail_organize', { entry_ids: [draft], action: 'trash', confirm: true });
    const [sent, left] = drafts as [number, number];
    const letter = { ...text, draft_id: sent };
    await previewTool('mail_send', letter);
    await callMailOk(app, 'draft_get', { draft_id: sent });
    expect(await callOk('mail_send', { ...letter, confirm: true })).toMatchObject({ ok: true });
    const { messages } = await callOk('inbox_read', { folder_type: 'drafts', account_id: mailbox.id });
    const ids = messages.map(({ draft_id }: { draft_id: number }) => draft_id);
    expect(ids).toContain(left);
    expect(ids).not.toContain(sent);
    const before = await countEmails();
    for (const confirm of [false, true])
      expect(await callRefused('mail_send', { ...letter, confirm })).toMatch(/draft/);
    expect(await countEmails()).toBe(before);
  });

  test('mail_send rejects an invalid message with and without confirm', async () => {
    const email = { account_id: mailbox.id, to: 'ann@example.org', subject: 's', body: 'b' };
    const message = await fileMessage(app.main.ctx, otherMailbox.id, otherMailbox.folders.inbox);
    for (const confirm of [false, true]) {
      expect(await callRefused('mail_send', { ...email, to: 'nobody', confirm })).toMatch(
        /not a valid address/,
      );
      expect(await callRefused('mail_send', { ...email, subject: 'x'.repeat(999), confirm })).toMatch(/998/);
      expect(await callRefused('mail_send', { ...email, body: 'x'.repeat(524_289), confirm })).toMatch(
        /524,288/,
      );
      expect(await callRefused('mail_send', { ...email, account_id: otherMailbox.id, confirm })).toMatch(
        /access/i,
      );
      expect(await callRefused('mail_send', { ...email, in_reply_to: message.id, confirm })).toMatch(
        /access/i,
      );
      expect(
        await callRefused('mail_send', { account_id: mailbox.id, to: 'a@example.org', confirm }),
      ).toMatch(/subject/);
    }
  });

  test('mail_send to suppressed recipients returns ok: false, and the preview shows the reason', async () => {
    const { id } = app.main.ctx.workspace;
    await app.runtime.db.rows(
      sql`insert into svc_suppression (workspace_id, id, email, reason) values (${id}, 8000, 'gone@example.org', 'MANUAL')
       on conflict do nothing`,
    );
    const message = { account_id: mailbox.id, to: 'gone@example.org', subject: 's', body: 'b' };
    expect((await previewTool('mail_send', message)).preview.problem).toMatch(/suppression/);
    const sent = await callOk('mail_send', { ...message, confirm: true });
    expect(sent).toMatchObject({ ok: false, error: expect.stringMatching(/suppression/), _count: 0 });
  });

  test('mail_organize flags, stars and archives without confirmation, and returns the calls that undo it', async () => {
    const ids = await fillInbox(2);
    const result = await callOk('mail_organize', { entry_ids: ids, action: 'mark_read' });
    expect(result).toMatchObject({ ok: true, _count: 2 });
    expect(result.previous).toHaveLength(2);
    expect(await loadStates(app.main.ctx, ids)).toMatchObject([{ is_read: true }, { is_read: true }]);
    expect(result.undo).toEqual([
      { tool: 'mail_organize', arguments: { entry_ids: ids, action: 'mark_unread' } },
    ]);
    await callOk('mail_organize', { entry_ids: ids, action: 'star' });
    const archived = await callOk('mail_organize', { entry_ids: ids, action: 'archive' });
    expect(await loadStates(app.main.ctx, ids)).toMatchObject([
      { folder_id: mailbox.folders.archive, is_starred: true },
      { folder_id: mailbox.folders.archive },
    ]);
    for (const { tool, arguments: args } of [...archived.undo, ...result.undo]) await callOk(tool, args);
    await callOk('mail_organize', { entry_ids: ids, action: 'unstar' });
    expect(await loadStates(app.main.ctx, ids)).toEqual(
      ids.map((id) => ({ id, folder_id: mailbox.folders.inbox, is_read: false, is_starred: false })),
    );
  });

  test('mail_organize requires confirmation for trash, moves and more than 25 messages', async () => {
    const ids = await fillInbox(26);
    const [first] = ids;
    const loadState = async () => (await loadStates(app.main.ctx, [first!]))[0]!;
    const trash = { entry_ids: [first], action: 'trash' };
    const move = { entry_ids: [first], action: 'move', folder_id: mailbox.folders.archive };
    for (const args of [trash, move, { entry_ids: ids, action: 'mark_read' }]) {
      expect((await previewTool('mail_organize', args)).message).toEqual(expect.any(String));
      expect(await loadState()).toMatchObject({ folder_id: mailbox.folders.inbox, is_read: false });
    }
    await callOk('mail_organize', { entry_ids: ids.slice(1), action: 'mark_read' });
    const { undo } = await callOk('mail_organize', { ...trash, confirm: true });
    expect(await loadState()).toMatchObject({ folder_id: mailbox.folders.trash });
    expect(undo[0].arguments).toMatchObject({
      action: 'move',
      folder_id: mailbox.folders.inbox,
      confirm: true,
    });
    await callOk('mail_organize', { entry_ids: [first], action: 'restore' });
    expect(await loadState()).toMatchObject({ folder_id: mailbox.folders.inbox });
    await callOk('mail_organize', { ...move, confirm: true });
    expect(await loadState()).toMatchObject({ folder_id: mailbox.folders.archive });
  });

  test('mail_organize rejects invalid messages and actions that cannot be combined', async () => {
    const ids = await fillInbox(1);
    const hundred = Array.from({ length: 101 }, (_, i) => i + 1);
    const foreign = await fileMessage(app.main.ctx, otherMailbox.id, otherMailbox.folders.inbox);
    const mistakes: [object, RegExp][] = [
      [{ entry_ids: [], action: 'star' }, /entry_ids/],
      [{ entry_ids: hundred, action: 'star', confirm: true }, /entry_ids/],
      [{ entry_ids: ids }, /action/],
      [{ entry_ids: ids, action: 'move', confirm: true }, /folder_id/],
      [{ entry_ids: ids, action: 'star', folder_id: 1 }, /folder_id/],
      [{ entry_ids: ids, action: 'delete' }, /one of: mark_read/],
      [{ entry_ids: [...ids, foreign.id], action: 'star' }, /access/i],
      [{ entry_ids: ids, action: 'move', folder_id: otherMailbox.folders.inbox, confirm: true }, /access/i],
    ];
    for (const [args, reason] of mistakes) expect(await callRefused('mail_organize', args)).toMatch(reason);
  });

  test('mail_organize changes labels, alone or with an action, for all messages or none', async () => {
    const [id] = await fillInbox(1);
    const label = await callOk('mail_label', {
      action: 'create',
      account_id: mailbox.id,
      name: `All ${era}`,
    });
    const only = await callOk('mail_organize', { entry_ids: [id], add_label_ids: [label.label_id] });
    expect(only.undo).toEqual([
      { tool: 'mail_organize', arguments: { entry_ids: [id], remove_label_ids: [label.label_id] } },
    ]);
    const readLabels = async () =>
      (await call('inbox_message', { entry_id: id })).structuredContent.label_ids;
    expect(await readLabels()).toEqual([label.label_id]);
    const invalidArgs = {
      entry_ids: [id],
      action: 'move',
      folder_id: otherMailbox.folders.inbox,
      confirm: true,
    };
    await callRefused('mail_organize', { ...invalidArgs, remove_label_ids: [label.label_id] });
    expect(await readLabels()).toEqual([label.label_id]);
    const both = await callOk('mail_organize', {
      entry_ids: [id],
      action: 'star',
      remove_label_ids: [label.label_id],
    });
    expect(await readLabels()).toEqual([]);
    for (const { tool, arguments: args } of both.undo) await callOk(tool, args);
    expect(await readLabels()).toEqual([label.label_id]);
    expect(await loadStates(app.main.ctx, [id!])).toMatchObject([{ is_starred: false }]);
  });

  test('mail_label truncates long names, reuses existing labels, and requires confirmation for deleting', async () => {
    const name = `${era} ${'ä'.repeat(50)}`;
    const label = await callOk('mail_label', { action: 'create', account_id: mailbox.id, name, color: 3 });
    expect(label).toMatchObject({ ok: true, name: [...name].slice(0, 40).join(''), color: 3 });
    const id = label.label_id;
    expect(await callOk('mail_label', { action: 'create', account_id: mailbox.id, name })).toMatchObject({
      label_id: id,
    });
    const other = await callOk('mail_label', {
      action: 'create',
      account_id: mailbox.id,
      name: `Other ${era}`,
    });
    expect(await callRefused('mail_label', { action: 'rename', label_id: id, name: `Other ${era}` })).toMatch(
      /already/,
    );
    await callOk('mail_label', { action: 'rename', label_id: id, name: `Renamed ${era}` });
    expect(await callOk('mail_label', { action: 'recolor', label_id: id, color: 11 })).toMatchObject({
      color: 11,
    });
    expect(await callRefused('mail_label', { action: 'recolor', label_id: id, color: 12 })).toMatch(/color/);
    const entries = await fillInbox(2);
    await callOk('mail_organize', { entry_ids: entries, add_label_ids: [id] });
    expect(await previewTool('mail_label', { action: 'delete', label_id: id })).toMatchObject({
      messages: 2,
    });
    await callOk('mail_label', { action: 'delete', label_id: id, confirm: true });
    expect(await callRefused('mail_label', { action: 'delete', label_id: id })).toMatch(/label/i);
    expect(await loadStates(app.main.ctx, entries)).toHaveLength(2);
    expect(await callRefused('mail_label', { action: 'create', name: 'x' })).toMatch(/account_id/);
    expect(await callRefused('mail_label', { action: 'rename', label_id: other.label_id })).toMatch(/name/);
  });

  test("mail_sender_block requires confirmation, and rejects patterns and the user's own address", async () => {
    const email = `Loud-${era}@example.org`;
    const block = { account_id: mailbox.id, email, action: 'block' };
    const countBlocked = async () =>
      (await call('mail_blocked_list', { account_id: mailbox.id })).structuredContent.total;
    expect((await previewTool('mail_sender_block', block)).message).toContain(email.toLowerCase());
    expect(await countBlocked()).toBe(0);
    expect(await callOk('mail_sender_block', { ...block, confirm: true })).toMatchObject({
      email: email.toLowerCase(),
    });
    expect(await countBlocked()).toBe(1);
    for (const confirm of [false, true])
      for (const invalid of [mailbox.address, '*@example.org', '@example.org', 'nothing'])
        await callRefused('mail_sender_block', { ...block, email: invalid, confirm });
    await callOk('mail_sender_block', { ...block, action: 'unblock' });
    expect(await countBlocked()).toBe(0);
  });

  const buildRule = (action: object, name = 'Rule') => ({
    name,
    conditions: [{ field: 'subject', operator: 'contains', value: 'ruled' }],
    actions: [action],
  });

  test('mail_rule previews matches and warnings, and requires confirmation for saving', async () => {
    await fillInbox(6, { subject: 'ruled matter' });
    const moving = buildRule({ action: 'move_to_folder', folder_id: mailbox.folders.archive }, 'Moves');
    moving.actions.push({ action: 'mark_read' }, { action: 'mark_spam' });
    const { preview } = await callOk('mail_rule', {
      action: 'preview',
      account_id: mailbox.id,
      rule: moving,
    });
    expect(preview.count).toBeGreaterThanOrEqual(6);
    expect(preview.samples).toHaveLength(5);
    expect(preview.samples[0]).toMatchObject({ subject: 'ruled matter', from_email: 'sender@example.org' });
    expect(preview.warnings.join(' ')).toMatch(/moves mail.*read.*Spam/s);
    for (const missing of [{ name: ' ' }, { actions: [] }])
      for (const action of ['preview', 'save'])
        expect(
          await callRefused('mail_rule', { action, account_id: mailbox.id, rule: { ...moving, ...missing } }),
        ).toContain('a name and at least one action');
    const save = { action: 'save', account_id: mailbox.id, rule: moving };
    expect((await previewTool('mail_rule', save)).preview).toMatchObject({ count: preview.count });
    const loadRules = async () =>
      (await call('mail_rules_get', { account_id: mailbox.id })).structuredContent.rules;
    expect(await loadRules()).toEqual([]);
    const { rule_id: id } = await callOk('mail_rule', { ...save, confirm: true });
    expect(await loadRules()).toMatchObject([{ id, name: 'Moves', actions: moving.actions }]);
    expect(
      (await previewTool('mail_rule', { action: 'delete', account_id: mailbox.id, rule_id: id })).rule,
    ).toMatchObject({ id });
    await callOk('mail_rule', { action: 'delete', account_id: mailbox.id, rule_id: id, confirm: true });
    expect(await loadRules()).toEqual([]);
  });

  test('mail_rule requires confirmation for enabling or reordering a rule that moves mail', async () => {
    const save = async (rule: object) =>
      (await callOk('mail_rule', { action: 'save', account_id: mailbox.id, rule, confirm: true })).rule_id;
    const stars = await save(buildRule({ action: 'star' }, 'Stars'));
    const reads = await save(buildRule({ action: 'mark_read' }, 'Reads'));
    const spams = await save(buildRule({ action: 'mark_spam' }, 'Spams'));
    const on = (rule_id: number, active: boolean) => ({
      action: 'set_active',
      account_id: mailbox.id,
      rule_id,
      active,
    });
    await callOk('mail_rule', on(spams, false));
    expect((await previewTool('mail_rule', on(spams, true))).rule).toMatchObject({ id: spams });
    await callOk('mail_rule', { ...on(spams, true), confirm: true });
    await callOk('mail_rule', on(stars, false));
    await callOk('mail_rule', on(stars, true));
    const reorder = (ids: number[]) => ({ action: 'reorder', account_id: mailbox.id, ids });
    await callOk('mail_rule', reorder([reads, stars, spams]));
    expect((await previewTool('mail_rule', reorder([spams, reads, stars]))).rules).toEqual([
      { id: spams, name: 'Spams' },
    ]);
    await callOk('mail_rule', { ...reorder([spams, reads, stars]), confirm: true });
    for (const rule_id of [stars, reads, spams])
      await callOk('mail_rule', { action: 'delete', account_id: mailbox.id, rule_id, confirm: true });
  });

  test("mail_rule rejects forwarding, regular expressions and other users' rules", async () => {
    const save = (rule: object) => ({ action: 'save', account_id: mailbox.id, rule, confirm: true });
    expect(
      await callRefused('mail_rule', save(buildRule({ action: 'forward', to: 'x@example.org' }))),
    ).toMatch(/forward/);
    const regex = {
      ...buildRule({ action: 'star' }),
      conditions: [{ field: 'subject', operator: 'regex', value: '.*' }],
    };
    expect(await callRefused('mail_rule', save(regex))).toMatch(/regular expressions/i);
    expect(
      await callRefused(
        'mail_rule',
        save(buildRule({ action: 'move_to_folder', folder_id: otherMailbox.folders.inbox })),
      ),
    ).toMatch(/folder/i);
    expect(
      await callRefused('mail_rule', { ...save(buildRule({ action: 'star' })), account_id: otherMailbox.id }),
    ).toMatch(/access/i);
    for (const action of ['save', 'set_active', 'delete', 'reorder'])
      expect(await callRefused('mail_rule', { action, account_id: mailbox.id })).toMatch(/requires/);
  });

  test('mail_autoreply_set always returns a preview of the text, and keeps omitted values', async () => {
    const text = { subject: 'Away', body: 'Back on Monday.', from: '2030-01-01', until: '2030-01-07' };
    const on = { account_id: mailbox.id, active: true, ...text };
    expect((await previewTool('mail_autoreply_set', on)).preview).toEqual({
      ...text,
      active: true,
      running: false,
    });
    const readNow = () => callMailOk(app, 'autoreply_get', { account_id: mailbox.id });
    expect(await readNow()).toMatchObject({ active: false });
    expect(await callOk('mail_autoreply_set', { ...on, confirm: true })).toMatchObject({ ok: true, ...text });
    expect(await readNow()).toMatchObject({ active: true, ...text });
    const off = { account_id: mailbox.id, active: false, from: '', until: '' };
    expect((await previewTool('mail_autoreply_set', off)).preview).toMatchObject({
      body: text.body,
      from: '',
    });
    await callOk('mail_autoreply_set', { ...off, confirm: true });
    expect(await readNow()).toMatchObject({
      active: false,
      subject: 'Away',
      body: text.body,
      from: '',
      until: '',
    });
    const bare = (
      await previewTool('mail_autoreply_set', { account_id: mailbox.id, active: true, subject: '' })
    ).preview;
    expect(bare.subject).toMatch(/^Auto: /);
    expect(await callRefused('mail_autoreply_set', { ...on, body: 'x'.repeat(4_001) })).toMatch(/4,000/);
    expect(await callRefused('mail_autoreply_set', { ...on, from: 'soon' })).toMatch(/YYYY-MM-DD/);
    expect(await callRefused('mail_autoreply_set', { ...on, account_id: otherMailbox.id })).toMatch(
      /access/i,
    );
  });

  test('a read-only key cannot use write tools', async () => {
    const message = { account_id: mailbox.id, to: 'a@example.org', subject: 's', confirm: true };
    expect(await callRefused('mail_send', message, app.main.readOnlyKey)).toMatch(/write/);
  });
});
