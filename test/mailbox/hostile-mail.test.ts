import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { chromium, openTab, type Tab } from '../doc/browser.ts';
import { type App, startApp } from '../harness/app.ts';
import { signInWeb } from '../harness/facades/web.ts';
import { loadMailbox } from './mailboxes.ts';
import { fileRaw } from './raw-mail.ts';

// Two defenses protect a reader from hostile mail: the sanitizer and the content security policy. Each message is
// tested with both, and then with the policy alone.

const wall = vi.hoisted(() => ({ isOn: true }));

vi.mock('../../src/message/html/sanitize.ts', async (original) => {
  const sanitizer = await original<typeof import('../../src/message/html/sanitize.ts')>();
  const asGiven = (html: string) => ({
    html,
    remoteImages: false,
    asText: false,
    isCut: false,
    hasHiddenText: false,
    isStyleCut: false,
  });
  return {
    ...sanitizer,
    sanitizeHtml: (html: string, options: Parameters<typeof sanitizer.sanitizeHtml>[1]) =>
      wall.isOn ? sanitizer.sanitizeHtml(html, options) : asGiven(html),
  };
});

const FOLDER = new URL('../fixtures/hostile-mail/', import.meta.url);
const mails = readdirSync(FOLDER).filter((name) => name.endsWith('.eml'));

/** Messages whose height depends on the frame's height. Only the sanitizer can make them fit. */
const OF_FRAME = ['height-of-frame.eml'];

/** Messages with a link that opens inside the frame. Without the sanitizer, it leads to a browser error page. */
const OF_LINK = ['data-html-link.eml'];

const SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox';

interface PageEffects {
  ran: unknown;
  address: string;
  title: string;
  /** True if the frame still contains the message. */
  stays: boolean;
  scrolls: boolean;
  height: number;
  /** Links that do not open in a new window. */
  links: string[];
}

chromium.describe('hostile mail in a browser', () => {
  let app: App;
  let tab: Tab;
  let other: Server;
  const leaked: string[] = [];
  const ids = new Map<string, number>();

  beforeAll(async () => {
    other = createServer(({ url }, response) => {
      // Browsers request the icon some time after a navigation.
      if (url !== '/favicon.ico') leaked.push(url!);
      response.end();
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    app = await startApp({ MAIL_IMAGE_ALLOW_PRIVATE: '1' });
    const { ctx, user } = app.main;
    const mailbox = await loadMailbox(ctx, user.id);
    for (const name of mails) {
      const raw = readFileSync(new URL(name, FOLDER), 'latin1').replaceAll('PEER', host);
      ids.set(name, await fileRaw(app.main, mailbox, Buffer.from(raw.replace(/\r?\n/g, '\r\n'), 'latin1')));
    }
    tab = await openTab();
    await tab.open(`${app.url}/`);
    for (const cookie of (await signInWeb(app, user)).split('; '))
      await tab.run(`document.cookie = ${JSON.stringify(`${cookie}; path=/`)}`);
  });
  afterAll(async () => {
    await tab?.close();
    other?.close();
    await app?.close();
  });

  it('includes at least 40 samples', () => {
    expect(mails.length).toBeGreaterThanOrEqual(40);
  });

  it('detects scripts and requests in an unprotected frame', async () => {
    const host = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    await tab.run(`(async () => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      frame.contentDocument.body.innerHTML = '<a href="javascript:top.ran = 1">x</a>';
      frame.contentWindow.top.ran = 1;
      window.open('http://${host}/seen');
    })()`);
    await vi.waitFor(() => expect(leaked).toContain('/seen'), { timeout: 60_000 });
    expect(await tab.run('window.ran')).toBe(1);
    await tab.run('delete window.ran; document.querySelector("iframe").remove()');
    leaked.length = 0;
  });

  const expectHarmless = (isOn: boolean) => async (name: string) => {
    wall.isOn = isOn;
    const effects = await tab.run<PageEffects>(TRY(ids.get(name)!));
    expect(effects.ran).toBe(false);
    expect(effects.address).toBe(`${app.url}/`);
    expect(effects.title).toBe('Atrium');
    if (isOn || !OF_LINK.includes(name)) expect(effects.stays).toBe(true);
    expect(leaked).toEqual([]);
    if (isOn) expect(effects.links).toEqual([]);
    if (isOn || !OF_FRAME.includes(name)) expect(effects.scrolls).toBe(false);
    if (name === 'height-full.eml') expect(effects.height).toBeGreaterThan(800);
  };

  it.each(mails)(
    'runs no scripts, loads nothing and fits %s into its frame if sanitized',
    expectHarmless(true),
  );

  // All messages get the same policy, so testing it with a quarter of them is sufficient.
  const [few, rest] = [
    mails.filter((_, index) => index % 4 === 0),
    mails.filter((_, index) => index % 4 > 0),
  ];

  it.each(few)(
    'runs no scripts, loads nothing and fits %s into its frame with only the content security policy',
    expectHarmless(false),
  );

  it.each(rest)(
    'runs no scripts, loads nothing and fits %s into its frame with only the content security policy',
    { tags: 'slow' },
    expectHarmless(false),
  );
});

/** Shows a message in a frame as high as the message, simulates user actions and returns the effects. */
const TRY = (id: number) => `(async () => {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', ${JSON.stringify(SANDBOX)});
  frame.style.cssText = 'width: 600px; height: 0; border: 0';
  frame.src = '/mail/body/${id}';
  document.body.append(frame);
  await new Promise((done) => frame.addEventListener('load', done, { once: true }));
  const inner = frame.contentDocument;
  const root = inner.documentElement;
  frame.style.height = root.scrollHeight + 'px';
  frame.style.height = root.scrollHeight + frame.contentWindow.innerHeight - root.clientHeight + 'px';
  const height = frame.clientHeight;
  const scrolls = root.scrollHeight > root.clientHeight + 1;
  const links = [...inner.querySelectorAll('body [href]')]
    .filter((link) => !link.getAttribute('href').startsWith('#mail-'))
    .filter((link) => link.target !== '_blank' || !/^(https?|mailto|tel):/.test(link.protocol) || !/noopener/.test(link.rel))
    .map((link) => link.outerHTML.slice(0, 200));
  for (const each of inner.querySelectorAll('*'))
    for (const kind of ['mouseover', 'mouseenter', 'focus', 'input', 'animationstart', 'toggle', 'beginEvent'])
      each.dispatchEvent(new frame.contentWindow.Event(kind, { bubbles: true, cancelable: true }));
  for (const form of inner.forms) HTMLFormElement.prototype.requestSubmit.call(form);
  for (const button of inner.querySelectorAll('button, input, summary, img')) button.click();
  for (const link of inner.querySelectorAll('a, area')) {
    const address = String(link.getAttribute('href') ?? link.getAttribute('xlink:href') ?? '');
    const isOut = /^https?:/.test(link.href?.baseVal ?? link.href ?? '') && !/^_(top|parent)$/.test(link.target);
    // Links to other servers are allowed.
    if (!isOut || /script|data:/i.test(address)) link.dispatchEvent(new frame.contentWindow.MouseEvent('click', { bubbles: true, cancelable: true }));
  }
  // The browser has sent all its requests before it sends this response.
  for (const round of [1, 2]) {
    const next = document.createElement('iframe');
    next.src = '/mail/editor?' + round;
    document.body.append(next);
    await new Promise((done) => next.addEventListener('load', done, { once: true }));
    next.remove();
  }
  const stays = frame.contentDocument?.documentElement?.dataset.images !== undefined;
  const ran = window.ran ?? false;
  delete window.ran;
  frame.remove();
  return { ran, address: location.href, title: document.title, stays, scrolls, height, links };
})()`;
