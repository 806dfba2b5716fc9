import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { definePeer } from '../harness/peer.ts';

/** Possible paths of Chromium; CHROMIUM sets another one. The headless shell is first, because it is the lightest. */
const CHROMIUM_PATHS = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

export const chromium = definePeer(
  CHROMIUM_PATHS.find((place) => place && existsSync(place)) ?? null,
  'Chromium (apt-get install chromium-headless-shell, or CHROMIUM names one)',
);

/** A tab of a headless browser, driven through its DevTools pipe. */
export interface Tab {
  open(url: string): Promise<void>;
  /** Evaluates an expression in the page and awaits promises. @throws the page's error */
  run<T = unknown>(expression: string): Promise<T>;
  /** Polls until the expression is truthy. @throws after a minute */
  until<T = unknown>(expression: string): Promise<T>;
  press(key: string, modifiers?: { ctrl?: boolean }): Promise<void>;
  type(text: string): Promise<void>;
  /** Sets the window width in CSS pixels and the color scheme. */
  look(width: number, scheme: 'light' | 'dark'): Promise<void>;
  /** URLs of all requests so far, except those that the content security policy blocked. */
  requests: string[];
  /** Script errors and content security policy violations so far. */
  complaints: string[];
  close(): Promise<void>;
}

interface Message {
  id?: number;
  method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: the protocol of DevTools has no types here
  params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  result?: any;
  error?: { message: string };
}

/** Starts the browser with a separate profile and one empty tab. @param extra Chromium flags */
export async function openTab(extra: string[] = []): Promise<Tab> {
  const profile = mkdtempSync(join(tmpdir(), 'atrium-browser-'));
  const flags = [
    '--headless=new',
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-dev-shm-usage',
    '--window-size=1280,900',
    ...extra,
  ];
  const child = spawn(
    chromium.module,
    [...flags, '--disable-background-networking', `--user-data-dir=${profile}`, '--remote-debugging-pipe'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  const requests: string[] = [];
  const complaints: string[] = [];
  const send = connect(child, (message) => recordEvent(message, requests, complaints));
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  const call: SendCommand = (method, params) => send(method, params, sessionId);
  for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await call(`${domain}.enable`, {});
  const tab = createDriver(call);
  return {
    ...tab,
    requests,
    complaints,
    async close() {
      const exit = new Promise((resolve) => child.once('exit', resolve));
      await send('Browser.close', {}).catch(() => child.kill());
      await exit;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: see Message
type SendCommand = (method: string, params: object) => Promise<any>;

const sent = new Map<string, string>();

function recordEvent({ method, params }: Message, requests: string[], complaints: string[]): void {
  if (method === 'Network.requestWillBeSent') {
    requests.push(params.request.url);
    sent.set(params.requestId, params.request.url);
  }
  if (method === 'Network.loadingFailed' && params.blockedReason === 'csp') {
    const index = requests.lastIndexOf(sent.get(params.requestId) ?? '');
    if (index >= 0) requests.splice(index, 1);
  }
  if (method === 'Runtime.exceptionThrown')
    complaints.push(params.exceptionDetails.exception?.description ?? 'error');
  if (method === 'Log.entryAdded' && params.entry.source === 'security') complaints.push(params.entry.text);
}

/** Messages are JSON terminated by a zero byte, on file descriptors 3 and 4. */
function connect(child: ChildProcess, onEvent: (message: Message) => void) {
  const out = child.stdio[3] as Writable;
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let rest = '';
  (child.stdio[4] as Readable).setEncoding('utf8').on('data', (part: string) => {
    const texts = (rest + part).split('\0');
    rest = texts.pop()!;
    for (const message of texts.map((text) => JSON.parse(text) as Message)) {
      const pending = message.id === undefined ? undefined : waiting.get(message.id);
      if (!pending) onEvent(message);
      else if (message.error) pending.reject(new Error(message.error.message));
      else pending.resolve(message.result);
    }
  });
  child.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('the browser ended'));
  });
  let last = 0;
  // biome-ignore lint/suspicious/noExplicitAny: see Message
  return (method: string, params: object, sessionId?: string): Promise<any> =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      out.write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
    });
}

function createDriver(ask: SendCommand): Pick<Tab, 'open' | 'run' | 'until' | 'press' | 'type' | 'look'> {
  const run = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = await ask('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  const until = async <T>(expression: string, ms = 60_000): Promise<T> => {
    const end = performance.now() + ms;
    for (;;) {
      const value = await run<T>(expression);
      if (value) return value;
      if (performance.now() > end) throw new Error(`never came: ${expression}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  };
  return {
    run,
    until,
    async open(url) {
      const isOpen = `document.readyState === 'complete' && location.href === ${JSON.stringify(url)}`;
      await ask('Page.navigate', { url });
      // A pending navigation of the previous page could override this one.
      await until(isOpen, 10_000).catch(async () => {
        await ask('Page.navigate', { url });
        await until(isOpen);
      });
    },
    async press(key, { ctrl = false } = {}) {
      const text = key.length === 1 ? key : undefined;
      const event = { key, code: key, modifiers: ctrl ? 2 : 0, ...KEYS[key] };
      await ask('Input.dispatchKeyEvent', { type: 'keyDown', ...event, ...(text && !ctrl && { text }) });
      await ask('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
    },
    type: (text) => ask('Input.insertText', { text }),
    async look(width, scheme) {
      const size = { width, height: 900, deviceScaleFactor: 1, mobile: width < 600 };
      await ask('Emulation.setDeviceMetricsOverride', size);
      await ask('Emulation.setEmulatedMedia', {
        features: [{ name: 'prefers-color-scheme', value: scheme }],
      });
    },
  };
}

const KEYS: Record<string, object> = {
  Enter: { windowsVirtualKeyCode: 13, text: '\r' },
  Escape: { windowsVirtualKeyCode: 27 },
  ArrowDown: { windowsVirtualKeyCode: 40 },
  ArrowUp: { windowsVirtualKeyCode: 38 },
  Tab: { windowsVirtualKeyCode: 9 },
};
