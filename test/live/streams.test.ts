import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createKey } from '../../schema/base/keys/keys.ts';
import { MAX_STREAM_TOPICS } from '../../schema/graph/plan/live.ts';
import { CHANGE_INTERVAL_MS } from '../../src/engine/live/hub.ts';
import { MAX_STREAMS_PER_CALLER } from '../../src/engine/live/stream-budget.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql, sendRequest } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { pause, until } from '../harness/wait.ts';
import { subscribe, waitQuiet } from './listen.ts';

const app = setUpApp();
const admin = createJsonClient(app);

const getAdminKey = () => app.main.admin.key;
const TAGS = 'subscription { crmTagChanged { kind id record { name color } } }';

function openFrames(query: string, headers: Record<string, string> = {}, method = 'POST') {
  const path = method === 'GET' ? `/graphql?query=${encodeURIComponent(query)}` : '/graphql';
  const received = { text: '', status: 0, ended: false, close: () => call.destroy() };
  const all = { accept: 'text/event-stream', 'content-type': 'application/json', ...headers };
  const call = request({ host: '127.0.0.1', port: app.port, method, path, headers: all, agent: false });
  call.on('response', (response) => {
    received.status = response.statusCode!;
    response.on('data', (part: Buffer) => {
      received.text += part.toString();
    });
    response.on('close', () => {
      received.ended = true;
    });
  });
  call.on('error', () => undefined);
  call.end(method === 'POST' ? JSON.stringify({ query }) : undefined);
  return received;
}

const buildBearer = () => ({ authorization: `Bearer ${getAdminKey()}` });

describe('the event stream protocol', () => {
  it('sends `next` events with the cursor as their id, over POST and GET', async () => {
    for (const method of ['POST', 'GET']) {
      const received = openFrames(TAGS, buildBearer(), method);
      await until(() => received.text === ':\n\n', 'the stream to begin');
      const id = await admin.create('crm.tag', { name: `By ${method}` });
      await until(() => received.text.endsWith('}\n\n'), 'an event');
      const event = /^event: next\nid: ([\w-]+)\ndata: (.*)\n\n$/.exec(received.text.slice(3));
      expect(JSON.parse(event![2]!)).toEqual({
        data: {
          crmTagChanged: { kind: 'CREATED', id: String(id), record: { name: `By ${method}`, color: 0 } },
        },
      });
      received.close();
    }
  });

  it('ends the stream after one event for a query or an invalid document', async () => {
    const validFrames = openFrames('{ viewer { login } }', buildBearer());
    await until(() => validFrames.ended, 'the end');
    expect(validFrames.text).toBe(
      'event: next\ndata: {"data":{"viewer":{"login":"admin"}}}\n\nevent: complete\ndata:\n\n',
    );
    const invalidFrames = openFrames('subscription { noneChanged { id } }', buildBearer());
    await until(() => invalidFrames.ended, 'the end');
    expect(invalidFrames.text).toContain('GRAPHQL_VALIDATION_FAILED');
    expect(invalidFrames.text.endsWith('event: complete\ndata:\n\n')).toBe(true);
  });

  it('compresses streams of events and of single results if the client accepts gzip', async () => {
    const controller = new AbortController();
    const open = (query: string, encoding: string) =>
      fetch(`${app.url}/graphql`, {
        method: 'POST',
        signal: controller.signal,
        headers: {
          ...buildBearer(),
          'content-type': 'application/json',
          accept: 'text/event-stream',
          'accept-encoding': encoding,
        },
        body: JSON.stringify({ query }),
      });
    const texts = new Map<Response, string>();
    const read = async (response: Response) => {
      for await (const part of response.body!.pipeThrough(new TextDecoderStream()))
        texts.set(response, `${texts.get(response) ?? ''}${part}`);
    };
    for (const query of ['{ viewer { login } }', '{ __schema { types { name } } }']) {
      const [zipped, plain] = [await open(query, 'gzip'), await open(query, 'identity')];
      expect([zipped.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual([
        'gzip',
        null,
      ]);
      expect(await zipped.text()).toBe(await plain.text());
    }
    const [zipped, plain] = [await open(TAGS, 'br, gzip;q=0.5'), await open(TAGS, 'gzip;q=0')];
    expect([zipped.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual([
      'gzip',
      null,
    ]);
    const readers = [read(zipped), read(plain)].map((reader) => reader.catch(() => undefined));
    for (const name of ['First', 'Second']) {
      await admin.create('crm.tag', { name });
      await until(() => texts.get(plain)?.includes(name) && texts.get(zipped)?.includes(name), name);
    }
    expect(texts.get(zipped)).toBe(texts.get(plain));
    expect(zipped.headers.get('vary')).toContain('Accept-Encoding');
    controller.abort();
    await Promise.all(readers);
  });

  it('is the only transport that accepts subscriptions', async () => {
    const { errors } = await postGraphql(app, TAGS, { key: getAdminKey() });
    expect(errors[0]!.message).toContain('Accept: text/event-stream');
  });

  it('rejects an unauthenticated client before a stream starts', async () => {
    const unknown = openFrames(TAGS, {
      authorization: 'Bearer uk_0000000000_00000000000000000000000000000000',
    });
    await until(() => unknown.ended, 'the end');
    expect(unknown.status).toBe(401);
    const stranger = openFrames(TAGS);
    await until(() => stranger.ended, 'the end');
    expect(stranger.text).toContain('UNAUTHENTICATED');
  });

  it('rejects a session from a page of another origin', async () => {
    const login = await sendRequest(
      app,
      'POST',
      '/web/session/authenticate',
      { 'content-type': 'application/json' },
      JSON.stringify({ params: { db: 'main', login: 'admin', password: app.main.admin.password } }),
    );
    const cookie = /session_id=[\w-]+/.exec(String(login.headers['set-cookie']))![0];
    const foreign = openFrames(TAGS, { cookie, origin: 'https://evil.example' });
    await until(() => foreign.ended, 'the end');
    expect(foreign.status).toBe(403);
    const sessionStream = openFrames(TAGS, { cookie, origin: app.url });
    await until(() => sessionStream.text === ':\n\n', 'the stream to begin');
    await sendRequest(
      app,
      'POST',
      '/web/session/destroy',
      { 'content-type': 'application/json', cookie },
      '{}',
    );
    await until(() => sessionStream.ended, 'the session to end');
    expect(sessionStream.text).toContain('UNAUTHENTICATED');
  });

  it('rejects a stream that is pipelined after a running request', async () => {
    const options = { userId: app.main.user.id, scopes: [], days: null };
    const { id, key } = await createKey(app.main.ctx, { name: 'pipelined', ...options });
    const body = JSON.stringify({ query: 'subscription { partnerChanged { kind } }' });
    const buildRequest = (key: string) =>
      `POST /graphql HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
      'Accept: text/event-stream\r\nContent-Type: application/json\r\n' +
      `Content-Length: ${body.length}\r\n\r\n${body}`;
    const socket = connect(app.port, '127.0.0.1');
    let text = '';
    socket.on('data', (part) => {
      text += part;
    });
    socket.write(buildRequest(key) + buildRequest(getAdminKey()));
    await until(() => text.includes(':\n\n'), 'the first stream to begin');
    await admin.create('res.partner', { name: 'Pipelined' });
    await until(() => text.includes('CREATED'), 'an event');
    await postGraphql(app, `mutation { keyRevoke(id: ${id}) { id } }`, { key: getAdminKey() });
    await until(() => text.includes('HTTP/1.1 400'), 'a refusal');
    expect(text).toContain('A subscription cannot follow a request that is still running');
    socket.destroy();
  });
});

describe('stream limit', () => {
  it('restricts the number of streams per caller, and frees a slot when a client disconnects', async () => {
    const ownKey = (
      await createKey(app.main.ctx, { name: 'many', userId: app.main.user.id, scopes: [], days: null })
    ).key;
    const query = 'subscription { partnerChanged { kind } }';
    const open = Array.from({ length: MAX_STREAMS_PER_CALLER }, () =>
      openFrames(query, { authorization: `Bearer ${ownKey}` }),
    );
    await until(() => open.every((item) => item.text === ':\n\n'), 'all to begin');
    const over = await subscribe(app.url, { key: ownKey, query });
    await until(() => over.ended, 'a refusal');
    expect((over.ended as { response: Response }).response.status).toBe(429);
    const more = openFrames(query, { authorization: `Bearer ${ownKey}` });
    await until(() => more.ended, 'a refusal');
    expect(JSON.parse(more.text).errors[0].message).toContain(`At most ${MAX_STREAMS_PER_CALLER}`);
    const others = openFrames(query, buildBearer());
    await until(() => others.text === ':\n\n', 'another caller to begin');
    others.close();
    open[0]!.close();
    await pause(50);
    const next = openFrames(query, { authorization: `Bearer ${ownKey}` });
    await until(() => next.text === ':\n\n', 'one more to begin');
    for (const item of [...open, next]) item.close();
  });
});

describe('a client that does not read its stream', () => {
  it('gets a reload event once its buffered events reach the memory limit', async () => {
    const query = 'subscription { crmTagChanged { kind id record { name } } }';
    const body = JSON.stringify({ query });
    const socket = connect(app.port, '127.0.0.1');
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${getAdminKey()}\r\nAccept: text/event-stream\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    let text = '';
    socket.on('data', (part) => {
      text += part.toString('latin1');
    });
    await until(() => text.includes(':\n\n'), 'the stream to begin');
    socket.pause();
    const attentive = await subscribe(app.url, { key: getAdminKey(), query });
    const long = 'x'.repeat(60_000);
    const rounds = 200;
    const id = await admin.create('crm.tag', { name: 'Long' });
    for (let i = 0; i < rounds; i++) {
      await admin.value('crm.tag/write', { ids: [id], vals: { name: `${long} ${i}` } });
      await pause(CHANGE_INTERVAL_MS / 2);
    }
    await admin.value('crm.tag/write', { ids: [id], vals: { name: 'Short' } });
    await until(() => attentive.events.at(-1)?.record.name === 'Short', 'the others to hear all');
    socket.resume();
    await until(() => text.includes('"RESYNC"'), 'a request to read again');
    expect(text.match(/"RESYNC"/g)).toHaveLength(1);
    const eventCount = text.match(/event: next/g)!.length;
    expect(eventCount).toBeLessThan(attentive.events.length);
    await admin.value('crm.tag/write', { ids: [id], vals: { name: 'Heard again' } });
    await until(() => text.includes('Heard again'), 'it to go on');
    expect(text.includes('Short')).toBe(false);
    socket.destroy();
    attentive.close();
  });
});

describe('one stream for several topics', () => {
  const LIVE = `subscription Live($topics: [LiveTopic!]!, $after: String) {
    live(topics: $topics, after: $after) {
      topic kind model id cursor
      record { __typename ... on CrmTag { id name } ... on Partner { id email } }
    }
  }`;
  const topics = [
    { name: 'tags', model: 'crm.tag', domain: [['name', 'like', 'Topic']] },
    { model: 'res.partner' },
  ];

  it('sends typed records of each topic, and resumes from a cursor', async () => {
    const subscription = await subscribe(app.url, { key: getAdminKey(), query: LIVE, variables: { topics } });
    await admin.create('crm.tag', { name: 'Another' });
    const tag = await admin.create('crm.tag', { name: 'Topic' });
    await subscription.waitForEvents(1);
    const partner = await admin.create('res.partner', { name: 'P', email: 'p@example.org' });
    await subscription.waitForEvents(2);
    expect(subscription.events).toMatchObject([
      {
        topic: 'tags',
        kind: 'CREATED',
        model: 'crm.tag',
        id: String(tag),
        record: { __typename: 'CrmTag', id: String(tag), name: 'Topic' },
      },
      {
        topic: 'res.partner',
        kind: 'CREATED',
        model: 'res.partner',
        record: { __typename: 'Partner', id: String(partner), email: 'p@example.org' },
      },
    ]);
    subscription.close();
    await admin.value('crm.tag/unlink', { ids: [tag] });
    await admin.value('res.partner/write', { ids: [partner], vals: { email: 'q@example.org' } });
    const after = subscription.events.at(-1)!.cursor;
    const resumedSubscription = await subscribe(app.url, {
      key: getAdminKey(),
      query: LIVE,
      variables: { topics, after },
    });
    await resumedSubscription.waitForEvents(2);
    expect(resumedSubscription.events).toMatchObject([
      { topic: 'tags', kind: 'DELETED', id: String(tag), record: null },
      { topic: 'res.partner', kind: 'UPDATED', record: { email: 'q@example.org' } },
    ]);
    resumedSubscription.close();
  });

  it.each([
    [[], 'BAD_REQUEST'],
    [Array(MAX_STREAM_TOPICS + 1).fill({ model: 'crm.tag' }), 'BAD_REQUEST'],
    [[{ model: 'no.such' }], 'NOT_FOUND_MODEL'],
    [[{ model: 'crm.tag', domain: [['nothing', '=', 1]] }], 'BAD_VALUE'],
  ])('rejects an invalid list of topics (%#)', async (topics, code) => {
    const subscription = await subscribe(app.url, {
      key: getAdminKey(),
      query: LIVE,
      variables: { topics },
    });
    await subscription.waitForEvents(1);
    expect(subscription.errors[0]!.extensions.code).toBe(code);
  });

  it("includes a custom model's records, but not those of other models in the same table", async () => {
    for (const name of ['x_live_one', 'x_live_two'])
      await admin.create('ir.model', {
        name,
        model: name,
        field_id: [[0, 0, { name: 'x_name', ttype: 'char' }]],
      });
    const access = await admin.value('ir.model/search', { domain: [['model', 'like', 'x_live']] });
    for (const model_id of access)
      await admin.create('ir.model.access', {
        name: 'all',
        model_id,
        perm_read: true,
        perm_write: true,
        perm_create: true,
        perm_unlink: true,
      });
    const query =
      'subscription { live(topics: [{ model: "x_live_one" }]) { kind id record { __typename } } }';
    const subscription = await subscribe(app.url, { key: getAdminKey(), query });
    const otherId = await admin.create('x_live_two', { x_name: 'Two' });
    const id = await admin.create('x_live_one', { x_name: 'One' });
    await admin.value('x_live_two/unlink', { ids: [otherId] });
    await subscription.waitForEvents(1);
    await waitQuiet();
    expect(subscription.events).toEqual([
      { kind: 'CREATED', id: String(id), record: { __typename: 'XLiveOne' } },
    ]);
    const typed = 'subscription { xLiveOneChanged(where: { xName: { eq: "Typed" } }) { record { xName } } }';
    const stream = await subscribe(app.url, { key: getAdminKey(), query: typed });
    await admin.create('x_live_one', { x_name: 'Typed' });
    expect(await stream.waitForEvents(1)).toEqual([{ record: { xName: 'Typed' } }]);
    stream.close();
    subscription.close();
  });
});

describe('email events', () => {
  it('are sent in full if they match the filter, even to a team key', async () => {
    const query =
      'subscription { emailEvent(where: { status: { eq: SENT } }) { kind id record { status } } }';
    const subscription = await subscribe(app.url, { key: getAdminKey(), query });
    const team = await subscribe(app.url, { key: app.main.teamKey, query });
    const delivery = await app.deliver();
    const { status } = await sendRequest(
      app,
      'POST',
      '/api/v1/emails',
      { 'content-type': 'application/json', authorization: `Bearer ${app.main.teamKey}` },
      JSON.stringify({ from: `a@${app.main.domain}`, to: 'b@example.org', subject: 'Live', text: 'Hello' }),
    );
    expect(status).toBe(200);
    expect(await subscription.waitForEvents(1)).toMatchObject([
      { kind: 'CREATED', record: { status: 'SENT' } },
    ]);
    await waitQuiet();
    expect(subscription.events).toHaveLength(1);
    expect(await team.waitForEvents(1)).toEqual(subscription.events);
    team.close();
    await delivery.stop();
    subscription.close();
  });
});
