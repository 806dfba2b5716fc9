import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { chromium } from '../doc/browser.ts';
import { type App, startApp } from '../harness/app.ts';
import { until } from '../harness/wait.ts';
import { loadMailbox, type Mailbox } from '../mailbox/mailboxes.ts';
import { fileRaw } from '../mailbox/raw-mail.ts';
import { trackPages, type Visitor } from './browser.ts';

/** The application behind the network. */
const app = {} as App;
let mailbox: Mailbox;
let network: Network;

/** A proxy that can interrupt the connection between browser and server. */
interface Network {
  server: Server;
  to: number;
  isCut: boolean;
  sockets: Set<Socket>;
}

async function openNetwork(): Promise<Network> {
  const network: Network = { server: createServer(), to: 0, isCut: false, sockets: new Set() };
  network.server.on('connection', (socket) => {
    if (network.isCut) return socket.destroy();
    const onwards = connect(network.to, '127.0.0.1');
    for (const [item, other] of [
      [socket, onwards],
      [onwards, socket],
    ] as const) {
      network.sockets.add(item);
      item.pipe(other);
      item.on('error', () => other.destroy());
      item.on('close', () => {
        network.sockets.delete(item);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => network.server.listen(0, '127.0.0.1', resolve));
  return network;
}

chromium.describe('changes in many tabs', () => {
  beforeAll(async () => {
    network = await openNetwork();
    const url = `http://127.0.0.1:${(network.server.address() as AddressInfo).port}`;
    const startedApp = await startApp({ PUBLIC_URL: url });
    network.to = startedApp.port;
    Object.assign(app, startedApp, { url });
    mailbox = await loadMailbox(app.main.ctx, app.main.user.id);
  });
  afterAll(async () => {
    await app.close?.();
    network?.server.close();
  });

  const openPage = trackPages(app);
  const cutNetwork = () => {
    network.isCut = true;
    for (const socket of network.sockets) socket.destroy();
  };
  const mend = () => {
    network.isCut = false;
  };
  const buildInbox = () => `/app/mail/${mailbox.id}/inbox`;
  const waitForInbox = (page: Page) => page.getByText(/^Inbox: \d+ messages?$/).waitFor();
  async function openTabs(count: number): Promise<{ person: Visitor; pages: Page[] }> {
    const { login, password } = app.main.user;
    const visitor = await openPage(buildInbox(), { login, password });
    const pages = [visitor.page];
    while (pages.length < count) {
      const page = await visitor.page.context().newPage();
      await page.goto(buildInbox());
      pages.push(page);
    }
    await Promise.all(pages.map(waitForInbox));
    await until(async () => (await countStreams()) > 0, 'the stream is open');
    return { person: visitor, pages };
  }
  const countStreams = () =>
    app.runtime.db.value<number>(
      sql`select count(*)::int from svc_live where workspace_id = ${app.main.ctx.workspace.id}`,
    );
  const fileMail = (name: string) =>
    fileRaw(
      app.main,
      mailbox,
      `From: ${name} <${name}@example.org>\nTo: me@example.org\nSubject: ${name} writes\nMessage-ID: <${name}@x>\n\nText\n`,
      { folderId: mailbox.folders.inbox },
    );
  /** Ignores browser errors about the interrupted network. */
  const forgive = ({ complaints }: Visitor) => {
    for (const item of complaints.splice(0)) expect(item).toMatch(/net::ERR_|Failed to fetch|NetworkError/);
  };

  // A browser opens at most six connections over HTTP/1.1.
  it('shows a new message in each of eight tabs over HTTP/1.1', async () => {
    const { pages } = await openTabs(8);
    await fileMail('first');
    for (const page of pages) await page.getByText('first writes').waitFor();
  });

  it('shows changes made during a network outage in each tab', async () => {
    const { person, pages } = await openTabs(3);
    await fileMail('heard');
    for (const page of pages) await page.getByText('heard writes').waitFor();
    cutNetwork();
    await fileMail('cut');
    // Waits longer than the first reconnect delays.
    await pages[1]!.waitForTimeout(3_500);
    for (const page of pages) expect(await page.getByText('heard writes').count()).toBe(1);
    mend();
    for (const page of pages) await page.getByText('cut writes').waitFor();
    forgive(person);
  });

  it('continues the stream of a closed tab in another tab without missing events', async () => {
    const { person, pages } = await openTabs(3);
    cutNetwork();
    await pages[0]!.close();
    await fileMail('between');
    mend();
    for (const page of pages.slice(1)) await page.getByText('between writes').waitFor();
    await fileMail('after');
    for (const page of pages.slice(1)) await page.getByText('after writes').waitFor();
    forgive(person);
  });
});
