import { beforeAll, describe, expect, test } from 'vitest';
import { mcpProduct } from '../../facades/mcp/tools/index.ts';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { ERAS, switchMcp } from '../harness/facades/mcp.ts';
import {
  callMailOk,
  fileMany,
  fileMessage,
  loadStates,
  runWithoutFeature,
  setUpMailbox,
} from '../mailbox/mailboxes.ts';
import { fileRaw } from '../mailbox/raw-mail.ts';

const app = setUpApp();
const mailbox = setUpMailbox(app);
const otherMailbox = setUpMailbox(app, 'admin');

beforeAll(() => switchMcp(app, app.main, true));

const RAW = `From: "Ann Example" <ann@example.org>
To: user@main.localhost
Cc: third@example.org
Subject: Figures
Date: Wed, 4 Mar 2026 05:06:07 +0100
Message-ID: <figures-tool@example.org>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=m

--m
Content-Type: text/html

<p>See the <b>figures</b>.</p><script>alert(1)</script>
--m
Content-Type: text/csv
Content-Disposition: attachment; filename=figures.csv

a;b
--m--
`;

describe.each(Object.entries(ERAS))('tools of the %s protocol era', (_era, callTool) => {
  const call = (name: string, args: object = {}, key = app.main.user.key) => callTool(app, key, name, args);
  /** Returns the structured content, and verifies that the text block contains the same JSON. */
  const callAs = async (name: string, args: object = {}, key = app.main.user.key) => {
    const result = await call(name, args, key);
    expect(result).toMatchObject({ isError: false, content: [{ type: 'text' }] });
    expect(result.structuredContent._count).toEqual(expect.any(Number));
    expect(JSON.parse(result.content[0]!.text)).toMatchObject(result.structuredContent);
    return result.structuredContent;
  };
  const callRefused = async (name: string, args: object, key = app.main.user.key) => {
    const result = await call(name, args, key);
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^Error: /) }] });
    expect(result).not.toHaveProperty('structuredContent');
    return result.content[0]!.text;
  };

  test('mail_features lists enabled and disabled features, and the available tools', async () => {
    const all = await callAs('mail_features');
    expect(all.enabled).toContain('mail.rules');
    expect(all.disabled).toEqual([]);
    expect(all).toMatchObject({ rules_module_installed: true, webmail_installed: true });
    const mailTools = mcpProduct.tools.filter(({ group }) => group === 'mail');
    expect(Object.keys(all.tools).toSorted()).toEqual(mailTools.map(({ name }) => name).toSorted());
    expect(all.tools.mail_rule).toEqual({ available: true, missing: [], limited: [] });
    expect(all.tools.mail_domain_status).toEqual({
      available: false,
      missing: ['mail administrator'],
      limited: [],
    });
    await runWithoutFeature(app, 'mail.rules', async () => {
      const reducedFeatures = await callAs('mail_features');
      expect(reducedFeatures.disabled).toEqual(['mail.rules']);
      expect(reducedFeatures.tools.mail_rule).toEqual({
        available: false,
        missing: ['mail.rules'],
        limited: [],
      });
    });
    await runWithoutFeature(app, 'mail.search', async () =>
      expect((await callAs('mail_features')).tools.inbox_read).toEqual({
        available: true,
        missing: [],
        limited: ['mail.search'],
      }),
    );
  });

  test('a tool whose feature is disabled returns an error that names the feature', async () => {
    await runWithoutFeature(app, 'mail.rules', async () => {
      expect(await callRefused('mail_rules_get', { account_id: mailbox.id })).toMatch(
        /not enabled \(mail\.rules\)/,
      );
      for (const args of [
        { action: 'preview', rule: { conditions: [{ field: 'subject', operator: 'contains', value: 'x' }] } },
        { action: 'delete', rule_id: 1 },
      ])
        expect(await callRefused('mail_rule', { account_id: mailbox.id, ...args })).toMatch(/mail\.rules/);
      expect(await callRefused('mail_autoreply_set', { account_id: mailbox.id, active: false })).toMatch(
        /mail\.rules/,
      );
    });
    await runWithoutFeature(app, 'mail.organize', async () => {
      const label = { action: 'create', account_id: mailbox.id, name: 'off' };
      expect(await callRefused('mail_label', label)).toMatch(/mail\.organize/);
      const { id } = await fileMessage(app.main.ctx, mailbox.id, mailbox.folders.inbox);
      expect(await callRefused('mail_organize', { entry_ids: [id], action: 'archive' })).toMatch(
        /mail\.organize/,
      );
    });
    await runWithoutFeature(app, 'mail.blocklist', async () =>
      expect(
        await callRefused('mail_sender_block', {
          account_id: mailbox.id,
          email: 'a@example.org',
          action: 'block',
        }),
      ).toMatch(/mail\.blocklist/),
    );
    await runWithoutFeature(app, 'mail.unified_inbox', async () =>
      expect(await callRefused('inbox_read', { scope: 'all_inboxes' })).toMatch(/mail\.unified_inbox/),
    );
  });

  test('mailbox_list returns mailboxes with folders, labels and unread counts', async () => {
    const label = (await callMailOk(app, 'create_label', { account_id: mailbox.id, name: 'Listed' }))
      .label_id;
    await fileMessage(app.main.ctx, mailbox.id, mailbox.folders.inbox);
    const { mailboxes, _count } = await callAs('mailbox_list');
    expect(_count).toBe(1);
    expect(mailboxes[0]).toMatchObject({ account_id: mailbox.id, email: mailbox.address, kind: 'personal' });
    expect(mailboxes[0].unread).toBeGreaterThan(0);
    const inbox = mailboxes[0].folders.find(({ type }: { type: string }) => type === 'inbox');
    expect(inbox).toMatchObject({ folder_id: mailbox.folders.inbox, unread: mailboxes[0].unread });
    expect(mailboxes[0].labels).toContainEqual({ label_id: label, name: 'Listed', color: 0, total: 0 });
    const bare = await callAs('mailbox_list', { include_labels: false });
    expect(bare.mailboxes[0]).not.toHaveProperty('labels');
  });

  test('inbox_read lists messages newest first, filters them, and changes no flags', async () => {
    const { ctx } = app.main;
    const fileMail = (subject: string, minute: number, overrides = {}) =>
      fileMessage(ctx, mailbox.id, mailbox.folders.inbox, {
        subject,
        date: new Date(Date.UTC(2097, 1, 1, 0, minute)),
        ...overrides,
      });
    const old = await fileMail('older tool', 1, { isRead: true });
    const young = await fileMail('younger tool', 2);
    const page = await callAs('inbox_read', { limit: 2 });
    expect(page.messages.map((message: { entry_id: number }) => message.entry_id)).toEqual([
      young.id,
      old.id,
    ]);
    expect(page.messages[0]).toMatchObject({
      subject: 'younger tool',
      from_name: 'A sender',
      from_email: 'sender@example.org',
      date: '2097-02-01T00:02:00Z',
      is_read: false,
      is_starred: false,
      snippet: 'Some text.',
    });
    expect(page).toMatchObject({ _count: 2, next_offset: 2 });
    const next = await callAs('inbox_read', { limit: 1, offset: 1 });
    expect(next.messages[0].entry_id).toBe(old.id);
    const unread = await callAs('inbox_read', {
      folder_id: mailbox.folders.inbox,
      unread_only: true,
      limit: 200,
    });
    const ids = unread.messages.map((message: { entry_id: number }) => message.entry_id);
    expect(ids[0]).toBe(young.id);
    expect(ids).not.toContain(old.id);
    const both = { folder_type: 'inbox', unread_only: true, search: 'subject:none' };
    expect(await callAs('inbox_read', both)).toMatchObject({ messages: [], total: 0 });
    const label = (await callMailOk(app, 'create_label', { account_id: mailbox.id, name: 'Read' })).label_id;
    await callMailOk(app, 'set_labels', { entry_ids: [old.id], add_label_ids: [label] });
    const labeled = await callAs('inbox_read', { label_id: label, scope: 'all_mail' });
    expect(labeled.messages.map((message: { entry_id: number }) => message.entry_id)).toContain(old.id);
    expect(await loadStates(ctx, [young.id])).toMatchObject([{ is_read: false }]);
    await callMailOk(app, 'set_flags', { entry_ids: [old.id, young.id], vals: { trash: true } });
  });

  test('inbox_read supports search operators, and reports unrecognized syntax', async () => {
    const subject = `needle${Math.random().toString(36).slice(2)}`;
    const id = await fileRaw(
      app.main,
      mailbox,
      RAW.replace('Figures', subject).replace('<figures', `<${subject}`),
    );
    const searchInbox = async (search: string, overrides = {}) =>
      (await callAs('inbox_read', { search, ...overrides })).messages.map(
        (message: { entry_id: number }) => message.entry_id,
      );
    for (const search of [
      subject,
      `from:ann ${subject}`,
      `subject:${subject} has:attachment`,
      `${subject} is:unread -is:starred`,
      `${subject} after:2026/03/01 before:2026/03/10`,
      `(${subject} OR nothing) filename:figures.csv`,
    ])
      expect([search, await searchInbox(search)]).toEqual([search, [id]]);
    expect(await searchInbox(`${subject} from:bob`)).toEqual([]);
    expect((await callAs('inbox_read', { search: `${subject} size:many` })).notes).toHaveLength(1);
    await callMailOk(app, 'set_flags', { entry_ids: [id], vals: { archive: true } });
    expect(await searchInbox(subject)).toEqual([]);
    expect(await searchInbox(subject, { scope: 'all_mail' })).toEqual([id]);
    expect(await searchInbox(`${subject} in:archive`)).toEqual([id]);
  });

  test("all_mail omits Trash, Spam and Drafts, and all_inboxes covers all of the user's mailboxes", async () => {
    const { ctx } = app.main;
    const at = { date: new Date(Date.UTC(2098, 1, 1)) };
    const ids: Record<string, number> = {};
    for (const role of ['inbox', 'archive', 'sent', 'trash', 'spam'] as const)
      ids[role] = (await fileMessage(ctx, mailbox.id, mailbox.folders[role], at)).id;
    const readIds = async (args: object) =>
      (await callAs('inbox_read', args)).messages.map((message: { entry_id: number }) => message.entry_id);
    const all = await readIds({ scope: 'all_mail', limit: 3 });
    expect(all.toSorted()).toEqual([ids.inbox, ids.archive, ids.sent].toSorted());
    expect((await readIds({ scope: 'all_inboxes', limit: 1 }))[0]).toBe(ids.inbox);
    expect((await readIds({ folder_type: 'spam', limit: 1 }))[0]).toBe(ids.spam);
    for (const extra of [{ folder_id: mailbox.folders.inbox }, { folder_type: 'inbox' }])
      expect(await callRefused('inbox_read', { scope: 'all_mail', ...extra })).toMatch(/scope/);
    await callMailOk(app, 'set_flags', { entry_ids: Object.values(ids), vals: { trash: true } });
  });

  test("folder_type drafts lists the user's drafts by draft_id", async () => {
    const { draft_id: id } = await callMailOk(app, 'draft_save', {
      account_id: mailbox.id,
      vals: { to: 'a@example.org', subject: 'A draft', body: 'Not yet.' },
    });
    const unread = { folder_id: mailbox.folders.drafts, unread_only: true };
    expect((await callAs('inbox_read', unread)).messages).toEqual([]);
    const { messages } = await callAs('inbox_read', { folder_type: 'drafts' });
    expect(messages[0]).toMatchObject({ draft_id: id, subject: 'A draft', snippet: 'Not yet.' });
    expect(messages[0]).not.toHaveProperty('entry_id');
  });

  test("inbox_read returns at most 200 messages, and rejects other users' mailboxes", async () => {
    const { ctx } = app.main;
    const dates = Array.from({ length: 210 }, (_, i) => new Date(Date.UTC(2020, 1, 1, 0, i)));
    await fileMany(ctx, mailbox.id, mailbox.folders.archive, dates);
    expect((await callAs('inbox_read', { folder_type: 'archive', limit: 1000 }))._count).toBe(200);
    expect(await callRefused('inbox_read', { account_id: otherMailbox.id })).toMatch(/no mailbox/);
    expect(await callRefused('inbox_read', { folder_id: otherMailbox.folders.inbox })).toMatch(/access/i);
    expect(await callRefused('inbox_read', { account_id: otherMailbox.id, scope: 'all_inboxes' })).toMatch(
      /access/i,
    );
  });

  test('inbox_message returns headers, plain text, attachment names and verdicts, and changes no flags', async () => {
    const id = await fileRaw(app.main, mailbox, RAW.replace('<figures', `<${Math.random()}`));
    const message = await callAs('inbox_message', { entry_id: id });
    expect(message).toMatchObject({
      entry_id: id,
      headers: {
        from: { name: 'Ann Example', email: 'ann@example.org' },
        to: [{ email: 'user@main.localhost' }],
        cc: [{ email: 'third@example.org' }],
        subject: 'Figures',
        date: '2026-03-04T04:06:07.000Z',
      },
      body_truncated: false,
      attachments: [{ name: 'figures.csv', type: 'text/csv' }],
      is_read: false,
      verdicts: null,
      _count: 1,
    });
    expect(message.body.trim()).toBe('See the figures.');
    expect(await loadStates(app.main.ctx, [id])).toMatchObject([{ is_read: false }]);
    const foreign = await fileMessage(app.main.ctx, otherMailbox.id, otherMailbox.folders.inbox);
    expect(await callRefused('inbox_message', { entry_id: foreign.id })).toMatch(/access/i);
    expect(await callRefused('inbox_message', { entry_id: 2_000_000_000 })).toMatch(/access/i);
  });

  test.each([
    [524_288, false],
    [524_289, true],
  ])('inbox_message returns up to 524,288 of %i characters, and links to the rest', async (size, isCut) => {
    const text = `${'x'.repeat(size - 1)}Ω`;
    const raw = `Subject: Long\nContent-Type: text/plain; charset=utf-8\n\n${text}`;
    const message = await callAs('inbox_message', { entry_id: await fileRaw(app.main, mailbox, raw) });
    expect(message.body === text.slice(0, 524_288)).toBe(true);
    expect(message).toMatchObject({ body_chars: size, body_truncated: isCut });
    const link = message.raw_url;
    expect(link === undefined).toBe(!isCut);
    if (isCut) expect((await (await fetch(link as string)).text()).endsWith('Ω')).toBe(true);
  });

  test('inbox_message returns the SPF, DKIM and DMARC results', async () => {
    const { id, contentId } = await fileMessage(app.main.ctx, mailbox.id, mailbox.folders.inbox);
    const verdicts = { spf: 'fail', dkim: 'none', signedBy: [], dmarc: 'fail', policy: 'reject', arc: null };
    await app.runtime.db.rows(
      sql`update svc_mail_message set verdicts = ${JSON.stringify(verdicts)}::jsonb
       where workspace_id = ${app.main.ctx.workspace.id} and id = ${contentId}`,
    );
    const expectedVerdicts = {
      doubt: 'disowned',
      spf: 'fail',
      dkim: 'none',
      dmarc: 'fail',
      policy: 'reject',
    };
    expect((await callAs('inbox_message', { entry_id: id })).verdicts).toMatchObject(expectedVerdicts);
    expect((await callAs('inbox_thread', { entry_id: id })).messages[0].verdicts).toMatchObject(
      expectedVerdicts,
    );
  });

  test('inbox_thread truncates bodies to 4,000 characters and 20,000 in total, newest first', async () => {
    const { ctx } = app.main;
    const [first, ...rest] = await fileConversation(8, 'ä'.repeat(4_500));
    const thread = await callAs('inbox_thread', { entry_id: first!, max_messages: 7 });
    expect(thread.messages.map((message: { entry_id: number }) => message.entry_id)).toEqual(rest);
    const lengths = thread.messages.map((message: { body: string }) => [...message.body].length);
    expect(lengths).toEqual([0, 0, 4_000, 4_000, 4_000, 4_000, 4_000]);
    expect(thread.messages[0]).toMatchObject({ date: '2026-05-01T00:01:00.000Z', body_truncated: true });
    expect(thread).toMatchObject({
      total: 8,
      left_out: { older_messages: 1, bodies_cut: 7, characters: 7 * 4_500 - 20_000 },
      _count: 7,
    });
    expect(await loadStates(ctx, [first!])).toMatchObject([{ is_read: false }]);
    expect((await callAs('inbox_thread', { entry_id: first! }))._count).toBe(8);
  });

  test('inbox_thread returns at most 50 messages', async () => {
    const [first] = await fileConversation(52, 'short');
    const thread = await callAs('inbox_thread', { entry_id: first!, max_messages: 500 });
    expect(thread).toMatchObject({
      _count: 50,
      left_out: { older_messages: 2, bodies_cut: 0, characters: 0 },
    });
    expect((await callAs('inbox_thread', { entry_id: first! }))._count).toBe(20);
    expect(await callRefused('inbox_thread', { entry_id: first!, max_messages: 0 })).toMatch(/max_messages/);
  });

  test('mail_rules_get returns the rules in order with the data needed to edit them', async () => {
    const rule = {
      name: 'Stars',
      conditions: [{ field: 'subject', operator: 'contains', value: 'star' }],
      actions: [{ action: 'star' }],
    };
    const { rule_id: id } = await callMailOk(app, 'rule_save', { account_id: mailbox.id, rule });
    const rules = await callAs('mail_rules_get', { account_id: mailbox.id });
    expect(rules).toMatchObject({
      account: { id: mailbox.id, email: mailbox.address },
      max_rules: 50,
      rules: [{ id, ...rule, active: true, match_type: 'all', editable: true }],
      rule_count: 1,
      autoreply: { active: false, running: false },
      note: expect.any(String),
      _count: 1,
    });
    expect(rules.folders.map(({ role }: { role: string }) => role)).toContain('archive');
    expect(rules.labels).toEqual(expect.any(Array));
    await callMailOk(app, 'rule_delete', { account_id: mailbox.id, rule_id: id });
    expect(await callRefused('mail_rules_get', { account_id: otherMailbox.id })).toMatch(/access/i);
  });

  test('mail_blocked_list returns up to 500 addresses, and reports whether there may be more', async () => {
    await callMailOk(app, 'block_sender', { account_id: mailbox.id, email: 'spam@example.org' });
    const few = await callAs('mail_blocked_list', { account_id: mailbox.id });
    expect(few).toMatchObject({
      account: { id: mailbox.id },
      blocking_enabled: true,
      blocked: [{ email: 'spam@example.org', blocked_at: expect.stringMatching(/^\d{4}-.*T.*Z$/) }],
      total: 1,
    });
    expect(few).not.toHaveProperty('total_is_at_least');
    await runWithoutFeature(app, 'mail.blocklist', async () =>
      expect(await callAs('mail_blocked_list', { account_id: mailbox.id })).toMatchObject({
        blocking_enabled: false,
        total: 1,
      }),
    );
    const { id } = app.main.ctx.workspace;
    await app.runtime.db.rows(
      sql`insert into svc_mail_block (workspace_id, id, account_id, email)
       select ${id}, 5000 + n, ${mailbox.id}, 'b' || n || '@example.org' from generate_series(1, 500) n`,
    );
    expect(await callAs('mail_blocked_list', { account_id: mailbox.id })).toMatchObject({
      total: 500,
      total_is_at_least: true,
      _count: 500,
    });
    await app.runtime.db.rows(
      sql`delete from svc_mail_block where workspace_id = ${id} and account_id = ${mailbox.id}`,
    );
  });

  test('mail_domain_status returns the domains with their DNS records only to mail administrators', async () => {
    const { id } = app.main.ctx.workspace;
    await app.runtime.db.rows(
      sql`insert into svc_domain (workspace_id, id, name, region, subdomain, status, dkim_selector, public_key,
         dkim_tokens, error_message, dns_seen)
       values (${id}, 7000, 'news.status.example', 'local', 'news', 'FAILED', 'sel', 'KEY', array['t'], 'No record.',
         '{"dkim": "FAILED", "mx": "NOT_STARTED", "spf": "NOT_STARTED", "dmarc": "SUCCESS"}'::jsonb)
       on conflict do nothing`,
    );
    const { domains, note, _count } = await callAs(
      'mail_domain_status',
      { domain: 'STATUS' },
      app.main.admin.key,
    );
    expect(_count).toBe(1);
    expect(note).toEqual(expect.any(String));
    expect(domains[0]).toMatchObject({
      name: 'news.status.example',
      verification_state: 'FAILED',
      is_sendable: false,
      last_checked: null,
      last_error: 'No record.',
      records: [
        {
          purpose: 'dkim',
          type: 'TXT',
          host: 'sel._domainkey.news.status.example',
          value: 'p=KEY',
          required: true,
          status: 'FAILED',
          observed_value: null,
        },
        {
          purpose: 'dmarc',
          host: '_dmarc.status.example',
          required: false,
          observed_value: 'v=DMARC1; p=none;',
        },
      ],
    });
    expect(await callRefused('mail_domain_status', {})).toMatch(/mail administrator/);
  });
});

/** Files identical messages, one minute apart, and returns their ids, oldest first. */
async function fileConversation(count: number, text: string): Promise<number[]> {
  const refs = [Buffer.from(Math.random().toString(36).padEnd(16, '0').slice(0, 16))];
  const ids: number[] = [];
  for (let minute = 0; minute < count; minute++) {
    const date = new Date(Date.UTC(2026, 4, 1, 0, minute));
    const threads = { refs, subject: refs[0]! };
    ids.push(
      (await fileMessage(app.main.ctx, mailbox.id, mailbox.folders.inbox, { date, text, threads })).id,
    );
  }
  return ids;
}
