import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sanitizeHtml } from '../../../src/message/html/sanitize.ts';
import { chromium, openTab, type Tab } from '../../doc/browser.ts';
import { LOADING_VECTORS, XSS_VECTORS } from './vectors.ts';

// The page has no content security policy, so only the sanitizer protects it.

const sanitize = (html: string, remoteImages: boolean) =>
  sanitizeHtml(html, { cid: () => null, remoteImage: (address) => (remoteImages ? address : null) }).html;

chromium.describe('in a browser', () => {
  let tab: Tab;
  let server: Server;
  let url: string;
  const pages = new Map<string, string>();

  beforeAll(async () => {
    server = createServer(({ url: path }, response) => {
      const body = pages.get(path!) ?? '';
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(`<!doctype html><title>page</title><script>${COUNT}</script><div id=mail>${body}</div>`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    tab = await openTab();
  });
  afterAll(async () => {
    await tab?.close();
    await new Promise((resolve) => server?.close(resolve));
  });

  /** Loads HTML as part of a page, and again through a script. */
  async function openParts(
    parts: readonly string[],
  ): Promise<{ ran: number; requestedUrls: string[]; title: string }> {
    const path = `/${pages.size}`;
    pages.set(path, parts.map((part) => `<section>${part}</section>`).join('\n'));
    const before = tab.requests.length;
    await tab.open(`${url}${path}`);
    const { ran, title } = await tab.run<{ ran: number; title: string }>(TRY(parts));
    const isOwnRequest = (item: string) =>
      item === `${url}${path}` || item === `${url}/favicon.ico` || item.startsWith('data:image/');
    return { ran, title, requestedUrls: tab.requests.slice(before).filter((item) => !isOwnRequest(item)) };
  }

  it('detects scripts and requests if attack markup is not sanitized', async () => {
    const { ran, requestedUrls } = await openParts([
      '<img src=x onerror=alert(1)>',
      LOADING_VECTORS[0]!,
      LOADING_VECTORS[20]!,
    ]);
    expect(ran).toBeGreaterThan(0);
    expect(requestedUrls).toContain('https://t.x/a');
    expect(requestedUrls.some((item) => item.endsWith('//t.x/b'))).toBe(true);
  });

  it('runs no scripts, loads nothing and stays on the page for each sanitized attack', async () => {
    const all = [...XSS_VECTORS, ...LOADING_VECTORS].map((vector) => sanitize(vector, false));
    expect(await openParts(all)).toEqual({ ran: 0, requestedUrls: [], title: 'page' });
  });

  it('loads only images if remote images are allowed', async () => {
    const all = [...XSS_VECTORS, ...LOADING_VECTORS].map((vector) => sanitize(vector, true));
    const { ran, requestedUrls, title } = await openParts(all);
    expect([ran, title]).toEqual([0, 'page']);
    const images = new Set(all.flatMap((html) => html.match(/https?:\/\/t\.x\/[^"'&) ]*/g) ?? []));
    expect(requestedUrls.filter((item) => !images.has(item))).toEqual([]);
    expect(requestedUrls).toContain('https://t.x/a');
  });

  it('runs no scripts and loads nothing for combinations of two attacks', async () => {
    const all = XSS_VECTORS.flatMap((vector, index) => [
      sanitize(vector + XSS_VECTORS[(index * 7 + 3) % XSS_VECTORS.length], false),
      sanitize(vector.slice(0, vector.length / 2) + XSS_VECTORS[(index * 5 + 1) % XSS_VECTORS.length], false),
    ]);
    expect(await openParts(all)).toEqual({ ran: 0, requestedUrls: [], title: 'page' });
  });
});

const COUNT = `window.ran = 0;
for (const name of ['alert', 'confirm', 'prompt', 'open', 'print']) window[name] = () => { window.ran++; };`;

/** Inserts each part by script, inserts its serialization again, and simulates user actions. */
const TRY = (parts: readonly string[]) => `(async () => {
  const at = location.href;
  for (const html of ${JSON.stringify(parts).replaceAll('<', '\\u003c')}) {
    const [one, other] = [document.createElement('div'), document.createElement('div')];
    document.body.append(one, other);
    one.innerHTML = html;
    other.innerHTML = one.innerHTML;
  }
  await new Promise((done) => setTimeout(done, 300));
  addEventListener('click', (event) => event.preventDefault());
  for (const each of document.body.querySelectorAll('*'))
    for (const kind of ['mouseover', 'focus', 'click', 'animationstart', 'toggle', 'paste'])
      each.dispatchEvent(new Event(kind, { bubbles: true, cancelable: true }));
  for (const link of document.body.querySelectorAll('[href]'))
    if (!/^(?:https?|mailto|tel):/.test(link.href)) window.ran++;
  await new Promise((done) => setTimeout(done, 700));
  if (location.href !== at) window.ran++;
  return { ran: window.ran, title: document.title };
})()`;
