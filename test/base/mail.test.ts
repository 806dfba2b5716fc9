import { beforeAll, describe, expect, test } from 'vitest';
import { addMember } from '../apps/member.ts';
import { setUpApp } from '../harness/app.ts';
import { freezeClockAtNoon } from '../harness/clock.ts';
import { createJsonClient, type JsonClient } from '../harness/facades/json2.ts';
import { setUp } from '../harness/set-up.ts';

const app = setUpApp();
const admin = createJsonClient(app);
const user = setUp(() => createJsonClient(app, app.main.user.key));
let partner: number;
let ownPartner: number;
beforeAll(async () => {
  partner = await admin.create('res.partner', { name: 'Talked about' });
  ownPartner = (await admin.row('res.users', app.main.admin.id, ['partner_id'])).partner_id[0];
});

const buildDay = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe('message_post', () => {
  test('posts plain text to one record, and returns a list with the message id', async () => {
    const [id] = await admin.value('res.partner/message_post', {
      ids: [partner],
      body: 'Hello <b>you</b> & me',
      subject: 'Hi',
    });
    const [todo] = await admin.value('mail.message/read', {
      ids: [id],
      fields: ['body', 'subject', 'model', 'res_id', 'author_id', 'message_type', 'subtype_id', 'preview'],
    });
    expect(todo).toEqual({
      id,
      body: '<p>Hello &lt;b&gt;you&lt;/b&gt; &amp; me</p>',
      subject: 'Hi',
      model: 'res.partner',
      res_id: partner,
      author_id: [ownPartner, 'admin'],
      message_type: 'notification',
      subtype_id: [expect.any(Number), 'Note'],
      preview: 'Hello <b>you</b> & me',
    });
    expect((await admin.row('res.partner', partner, ['message_ids'])).message_ids).toEqual([id]);
    expect(await admin.value('res.partner/search', { domain: [['message_ids.subject', '=', 'Hi']] })).toEqual(
      [partner],
    );
  });

  test('accepts sanitized HTML, a type, recipients and files', async () => {
    const looseId = await admin.create('ir.attachment', { name: 'loose.txt', raw: 'loose' });
    const [id] = await admin.value('res.partner/message_post', {
      ids: partner,
      body: '<p>Hello</p><script>alert(1)</script>',
      body_is_html: true,
      message_type: 'comment',
      subtype_xmlid: 'mail.mt_comment',
      partner_ids: [ownPartner],
      attachments: [['new.txt', 'bmV3']],
      attachment_ids: [looseId],
    });
    const row = await admin.row('mail.message', id, [
      'body',
      'message_type',
      'subtype_id',
      'partner_ids',
      'attachment_ids',
    ]);
    expect(row).toMatchObject({
      body: '<p>Hello</p>',
      message_type: 'comment',
      subtype_id: [expect.any(Number), 'Discussions'],
      partner_ids: [ownPartner],
    });
    expect(row.attachment_ids).toHaveLength(2);
    expect(await admin.row('ir.attachment', looseId, ['res_model', 'res_id'])).toEqual({
      id: looseId,
      res_model: 'res.partner',
      res_id: partner,
    });
    expect(
      await admin.row('res.partner', partner, ['message_partner_ids', 'message_attachment_count']),
    ).toEqual({ id: partner, message_partner_ids: [ownPartner], message_attachment_count: 2 });
  });

  test('requires a single record, write access and a model that supports messages', async () => {
    const other = await admin.create('res.partner', { name: 'Other' });
    const posts = await admin.value('mail.message/search_count', { domain: [] });
    for (const ids of [[], [partner, other]]) {
      const { name, message } = await admin.expectError(422, 'res.partner/message_post', {
        ids,
        body: 'x',
      });
      expect(name).toBe('builtins.ValueError');
      expect(message).toContain(`Expected singleton: res.partner(${ids.join(', ')})`);
    }
    expect(await admin.value('mail.message/search_count', { domain: [] })).toBe(posts);
    await admin.expectError(404, 'res.partner/message_post', { ids: [999999], body: 'x' });
    await user.expectError(403, 'res.partner/message_post', { ids: [partner], body: 'x' });
    const error = await admin.expectError(404, 'res.country/message_post', { ids: [1], body: 'x' });
    expect(error.message).toContain("The method 'res.country.message_post' does not exist");
    await admin.expectError(422, 'res.partner/message_post', {
      ids: [partner],
      body: 'x',
      subtype_xmlid: 'mail.nope',
    });
  });

  test('makes messages readable to users who can read the record', async () => {
    const messageIds = await user.value('mail.message/search', {
      domain: [
        ['model', '=', 'res.partner'],
        ['res_id', '=', partner],
      ],
    });
    expect(messageIds).toHaveLength(2);
    const hiddenId = await admin.create('mail.message', {
      model: 'ir.config_parameter',
      res_id: 1,
      body: 'x',
    });
    expect(await user.value('mail.message/search', { domain: [['id', '=', hiddenId]] })).toEqual([]);
    await user.expectError(403, 'mail.message/write', { ids: [messageIds[0]], vals: { body: 'mine' } });
    await user.expectError(403, 'mail.message/create', {
      vals_list: [{ model: 'res.partner', res_id: partner, body: 'x' }],
    });
  });

  test('keeps a file uploaded for a wizard private to the uploader until it is attached to a message', async () => {
    const [file] = await admin.value('ir.attachment/create', {
      vals_list: [{ name: 'x.txt', datas: 'aGVsbG8=', res_model: 'mail.compose.message', res_id: 0 }],
    });
    const searchFile = (caller: JsonClient) =>
      caller.value('ir.attachment/search', { domain: [['id', '=', file]] });
    expect([await searchFile(admin), await searchFile(user)]).toEqual([[file], []]);
    await user.expectError(403, 'ir.attachment/read', { ids: [file], fields: ['name'] });
    const about = await admin.create('res.partner', { name: 'With a file' });
    const post = { ids: [about], body: 'See the file.', attachment_ids: [file] };
    const [message] = await admin.value('res.partner/message_post', post);
    expect((await admin.row('mail.message', message, ['attachment_ids'])).attachment_ids).toEqual([file]);
    expect(await user.row('ir.attachment', file, ['res_model', 'res_id', 'datas'])).toEqual({
      ...{ id: file, res_model: 'res.partner', res_id: about, datas: 'aGVsbG8=' },
    });
    await admin.value('res.partner/unlink', { ids: [about] });
  });
});

describe('messages, followers, activities and files', () => {
  let manager: JsonClient;
  let hiddenId: number;
  let foreignId: number;
  let ownPartnerId: number;
  beforeAll(async () => {
    manager = (await addMember(app, app.main, 'manager', ['base.group_system'])).caller;
    const company = await admin.create('res.company', { name: 'Elsewhere' });
    hiddenId = await admin.create('res.partner', { name: 'Hidden', company_id: company });
    const other = createJsonClient(app, (await app.tenant('elsewhere', 'apart')).admin.key);
    foreignId = await other.create('res.partner', { name: 'Foreign' });
    const fields = ['partner_id'];
    const [me] = await manager.value('res.users/search_read', {
      domain: [['login', '=', 'manager']],
      fields,
    });
    ownPartnerId = me.partner_id[0];
  });

  const models: [string, string, () => object][] = [
    ['mail.message', 'model', () => ({ body: 'x' })],
    ['mail.followers', 'res_model', () => ({ partner_id: partner })],
    ['mail.followers', 'res_model', () => ({ partner_id: ownPartnerId })],
    ['mail.activity', 'res_model', () => ({ summary: 'x' })],
    ['ir.attachment', 'res_model', () => ({ name: 'x.txt', raw: 'x' })],
  ];
  test.each(models)('of %s require an existing, visible record', async (model, field, values) => {
    const count = () => admin.value(`${model}/search_count`, { domain: [] });
    const create = (res_model: string, res_id: number, status: number) =>
      manager.expectError(status, `${model}/create`, {
        vals_list: [{ ...values(), [field]: res_model, res_id }],
      });
    const before = await count();
    for (const id of [2_000_000_011, foreignId]) {
      const error = await create('res.partner', id, 404);
      expect(error).toMatchObject({ name: 'odoo.exceptions.MissingError' });
      expect(error.message).toContain(`res.partner(${id},)`);
    }
    expect(await create('res.partner', hiddenId, 403)).toMatchObject({ name: 'odoo.exceptions.AccessError' });
    await create('x.nothing', 1, 422);
    expect(await count()).toBe(before);
    const id = await manager.create(model, { ...values(), [field]: 'res.partner', res_id: ownPartnerId });
    const moves = [
      [2_000_000_011, 404],
      [foreignId, 404],
      [hiddenId, 403],
    ] as const;
    // Messages cannot be moved at all.
    for (const [res_id, status] of model === 'mail.message' ? [] : moves)
      await manager.expectError(status, `${model}/write`, { ids: [id], vals: { res_id } });
    await manager.value(`${model}/unlink`, { ids: [id] });
  });

  test('do not reveal whether a record of a model that the caller cannot read exists', async () => {
    const lead = await admin.create('crm.lead', { name: 'Secret' });
    for (const res_id of [lead, 2_000_000_011])
      for (const [model, values] of [
        ['mail.message', { body: 'x', model: 'crm.lead' }],
        ['mail.activity', { summary: 'x', res_model: 'crm.lead' }],
        ['ir.attachment', { name: 'x.txt', raw: 'x', res_model: 'crm.lead' }],
      ] as const) {
        const error = await user.expectError(403, `${model}/create`, { vals_list: [{ ...values, res_id }] });
        expect(error.message, model).toContain('crm.lead');
      }
  });
});

test('adds and removes followers with message_subscribe and message_unsubscribe', async () => {
  const otherId = await admin.create('res.partner', { name: 'Follower' });
  expect(await admin.value('res.partner/message_subscribe', { ids: [partner], partner_ids: [otherId] })).toBe(
    true,
  );
  expect(await admin.value('res.partner/message_subscribe', { ids: [partner], partner_ids: [otherId] })).toBe(
    true,
  );
  const missing = { ids: [partner], partner_ids: [2_000_000] };
  await admin.expectError(404, 'res.partner/message_subscribe', missing);
  const [follower] = await admin.value('mail.followers/search_read', {
    domain: [['partner_id', '=', otherId]],
    fields: ['res_model', 'res_id', 'subtype_ids'],
  });
  expect(follower).toMatchObject({
    res_model: 'res.partner',
    res_id: partner,
    subtype_ids: [expect.any(Number)],
  });
  expect(
    await admin.value('res.partner/search', { domain: [['message_partner_ids', 'in', [otherId]]] }),
  ).toEqual([partner]);
  await user.expectError(403, 'res.partner/message_unsubscribe', { ids: [partner], partner_ids: [otherId] });
  const self = (await admin.row('res.users', app.main.user.id, ['partner_id'])).partner_id[0];
  await user.value('res.partner/message_subscribe', { ids: [partner], partner_ids: [self] });
  await admin.value('res.partner/message_unsubscribe', { ids: [partner], partner_ids: [otherId] });
  expect(await admin.value('mail.followers/search', { domain: [['partner_id', '=', otherId]] })).toEqual([]);
});

describe('activities in mail.activity', () => {
  freezeClockAtNoon();

  test('have defaults for the record, type, due date and user, and accept a model id or name', async () => {
    const [model] = await admin.value('ir.model/search', { domain: [['model', '=', 'res.partner']] });
    const id = await admin.create('mail.activity', { res_model_id: model, res_id: partner });
    expect(
      await admin.row('mail.activity', id, [
        'res_model',
        'res_model_id',
        'res_name',
        'activity_type_id',
        'user_id',
        'state',
        'date_deadline',
      ]),
    ).toEqual({
      id,
      res_model: 'res.partner',
      res_model_id: [model, 'Contact'],
      res_name: 'Talked about',
      activity_type_id: [expect.any(Number), 'To-Do'],
      user_id: [app.main.admin.id, 'admin'],
      state: 'planned',
      date_deadline: buildDay(5),
    });
    const activity = await admin.create('mail.activity', {
      res_model: 'res.partner',
      res_id: partner,
      date_deadline: buildDay(-2),
      summary: 'late',
    });
    expect(await admin.row('mail.activity', activity, ['res_model_id', 'state'])).toEqual({
      id: activity,
      res_model_id: [model, 'Contact'],
      state: 'overdue',
    });
    expect(
      await admin.row('res.partner', partner, [
        'activity_ids',
        'activity_state',
        'activity_summary',
        'activity_date_deadline',
      ]),
    ).toEqual({
      id: partner,
      activity_ids: [activity, id],
      activity_state: 'overdue',
      activity_summary: 'late',
      activity_date_deadline: buildDay(-2),
    });
    expect(await admin.value('mail.activity/search', { domain: [['state', '=', 'overdue']] })).toEqual([
      activity,
    ]);
    expect(await admin.value('res.partner/search', { domain: [['activity_state', '=', 'overdue']] })).toEqual(
      [partner],
    );
    const setting = { res_model: 'ir.config_parameter', res_id: 1 };
    await user.expectError(403, 'mail.activity/create', { vals_list: [setting] });
    const loose = await user.value('mail.activity/create', { vals_list: [{ summary: 'own' }] });
    await user.expectError(403, 'mail.activity/write', { ids: loose, vals: setting });
    await user.value('mail.activity/unlink', { ids: loose });
    await admin.expectError(422, 'mail.activity/create', {
      vals_list: [{ res_model: 'no.such', res_id: 1 }],
    });
  });

  test('take the values of a newly selected type in a form', async () => {
    const type = {
      delay_count: 2,
      delay_unit: 'days',
      summary: 'Call back',
      default_user_id: app.main.user.id,
    };
    const [named, plain] = [
      await admin.create('mail.activity.type', { name: 'Callback', ...type }),
      await admin.create('mail.activity.type', { name: 'Plain', delay_count: 1, delay_unit: 'days' }),
    ];
    const entered = {
      res_model: 'res.partner',
      res_id: partner,
      summary: 'Mine',
      date_deadline: buildDay(9),
    };
    const fields_spec = { summary: {}, date_deadline: {}, user_id: {} };
    const preview = async (activity_type_id: number) => {
      const values = { ...entered, activity_type_id };
      const form = { ids: [], values, field_names: ['activity_type_id'], fields_spec };
      return (await admin.value('mail.activity/onchange', form)).value;
    };
    expect(await preview(named)).toEqual({
      ...{ summary: 'Call back', date_deadline: buildDay(2), user_id: app.main.user.id },
    });
    expect(await preview(plain)).toEqual({ date_deadline: buildDay(1), user_id: app.main.admin.id });
  });

  test("use the current day in the user's time zone", async () => {
    const id = await admin.create('mail.activity', {
      res_model: 'res.partner',
      res_id: partner,
      date_deadline: buildDay(1),
    });
    const readActivity = async (tz: string) =>
      (await admin.value('mail.activity/read', { ids: [id], fields: ['state'], context: { tz } }))[0].state;
    const zones = await Promise.all(['Pacific/Kiritimati', 'Pacific/Pago_Pago'].map(readActivity));
    // Noon UTC is 2 a.m. on the next day in the first time zone.
    expect(zones).toEqual(['today', 'planned']);
  });

  test('support activity_schedule and action_feedback', async () => {
    const [id] = await admin.value('res.partner/activity_schedule', {
      ids: [partner],
      act_type_xmlid: 'mail.mail_activity_data_call',
      summary: 'Ring <them>',
      date_deadline: buildDay(0),
      user_id: app.main.user.id,
    });
    expect(await admin.row('mail.activity', id, ['activity_type_id', 'summary', 'state', 'user_id'])).toEqual(
      {
        id,
        activity_type_id: [expect.any(Number), 'Call'],
        summary: 'Ring <them>',
        state: 'today',
        user_id: [app.main.user.id, 'user'],
      },
    );
    const message = await user.value('mail.activity/action_feedback', { ids: [id], feedback: 'all well' });
    expect(await admin.row('mail.message', message, ['body', 'model', 'res_id', 'author_id'])).toMatchObject({
      body: '<p><b>Call: Ring &lt;them&gt;</b> done</p><p>all well</p>',
      model: 'res.partner',
      res_id: partner,
    });
    const rows = await admin.value('mail.activity/search_read', {
      domain: [
        ['id', '=', id],
        ['active', '=', false],
      ],
      fields: ['state', 'feedback', 'date_done'],
    });
    expect(rows).toEqual([{ id, state: 'done', feedback: 'all well', date_done: buildDay(0) }]);
    await admin.expectError(422, 'res.partner/activity_schedule', {
      ids: [partner],
      act_type_xmlid: 'mail.nope',
    });
    await user.expectError(403, 'res.partner/activity_schedule', { ids: [partner] });
    await admin.expectError(404, 'mail.activity/action_feedback', { ids: [999999] });
  });

  test('deletes messages, followers and activities with their record', async () => {
    await admin.value('res.partner/unlink', { ids: [partner] });
    for (const [model, field] of [
      ['mail.message', 'model'],
      ['mail.activity', 'res_model'],
      ['mail.followers', 'res_model'],
    ])
      expect(
        await admin.value(`${model}/search`, {
          domain: [[field, '=', 'res.partner']],
          context: { active_test: false },
        }),
        model,
      ).toEqual([]);
  });
});

test('completes scheduled activities of a type with activity_feedback', async () => {
  const id = await admin.create('res.partner', { name: 'Called' });
  const call = { ids: [id], act_type_xmlid: 'mail.mail_activity_data_call' };
  const feedback = { ids: [id], act_type_xmlids: ['mail.mail_activity_data_call'], feedback: 'Done well' };
  const loadActivityIds = async () => (await admin.row('res.partner', id, ['activity_ids'])).activity_ids;
  await admin.value('res.partner/activity_schedule', call);
  const mine = { ...call, act_type_xmlid: 'mail.mail_activity_data_todo' };
  const [todo] = await admin.value('res.partner/activity_schedule', mine);
  expect(
    await admin.value('res.partner/activity_feedback', { ...feedback, act_type_xmlids: ['mail.nothing'] }),
  ).toBe(false);
  expect(await admin.value('res.partner/activity_feedback', { ...feedback, user_id: app.main.user.id })).toBe(
    true,
  );
  expect(await loadActivityIds()).toHaveLength(2);
  expect(await admin.value('res.partner/activity_feedback', feedback)).toBe(true);
  expect(await loadActivityIds()).toEqual([todo]);
  const { message_ids } = await admin.row('res.partner', id, ['message_ids']);
  expect((await admin.row('mail.message', message_ids[0], ['body'])).body).toContain('Done well');
  const [type] = await admin.value('mail.activity/read', { ids: [todo], fields: ['activity_type_id'] });
  const byHand = { res_model: 'res.partner', res_id: id, activity_type_id: type.activity_type_id[0] };
  const ownActivity = await admin.create('mail.activity', byHand);
  const todos = { ...feedback, act_type_xmlids: [mine.act_type_xmlid] };
  await admin.value('res.partner/activity_feedback', todos);
  expect(await loadActivityIds()).toEqual([ownActivity]);
  await admin.value('res.partner/activity_feedback', { ...todos, only_automated: false });
  expect(await loadActivityIds()).toEqual([]);
  await admin.expectError(404, 'res.country/activity_feedback', { ...feedback, ids: [1] });
});

test('supports messages and activities on a custom model', async () => {
  await admin.create('ir.model', {
    name: 'Talk',
    model: 'x_talk',
    is_mail_thread: true,
    is_mail_activity: true,
  });
  const id = await admin.create('x_talk', { x_name: 'Topic' });
  const [message] = await admin.value('x_talk/message_post', { ids: [id], body: 'said' });
  await admin.value('x_talk/activity_schedule', { ids: [id] });
  expect(await admin.row('x_talk', id, ['message_ids', 'activity_state'])).toEqual({
    id,
    message_ids: [message],
    activity_state: 'planned',
  });
});
