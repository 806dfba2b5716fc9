import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { fillEmails } from './lib/fill-emails.ts';
import { median } from './lib/process.ts';
import { openStage } from './lib/stage.ts';

// node bench/web.ts   First rows of the list of 100,000 emails in the browser application after a cold navigation,
// beside a bare page that holds the same rows, alternating, medians; also with the processor slowed four times.

const EMAILS = Number(process.env.EMAILS ?? 100_000);
const ROUNDS = Number(process.env.ROUNDS ?? 7);

/** When the first row was drawn, in milliseconds since the navigation began. */
const FIRST_ROWS = `new Promise((resolve) => {
  const look = () => {
    if (document.querySelector('.email-row')) resolve(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})`;

const stage = await openStage({ ROLE: 'web' }, 'bench/baseline/page.ts');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
try {
  await fillEmails(stage.databaseUrl, EMAILS);
  const app = `http://127.0.0.1:${stage.app.port}`;
  const bare = `http://127.0.0.1:${stage.baseline.port}`;
  const cookie = await signIn(app);
  await fetch(bare, { method: 'PUT', body: await barePage(app) });
  for (const [slower, most] of [
    [1, 1_000],
    [4, 2_000],
  ] as const) {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await firstRows(browser, `${app}/app/email/emails`, cookie, slower));
      theirs.push(await firstRows(browser, bare, null, slower));
    }
    process.stdout.write(
      `first rows, processor ${slower} times slower: ${median(ours).toFixed(0)} ms (must reach ${most} ms); ` +
        `a bare page with the same rows: ${median(theirs).toFixed(0)} ms\n`,
    );
  }
} finally {
  await browser.close();
  await stage.close();
}

/** Opens an address in a browser that has nothing of it yet. */
async function firstRows(from: Browser, url: string, cookie: Cookie | null, slower: number): Promise<number> {
  const context = await from.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    if (cookie) await context.addCookies([cookie]);
    const page = await context.newPage();
    const tools = await context.newCDPSession(page);
    await tools.send('Emulation.setCPUThrottlingRate', { rate: slower });
    await page.goto(url, { waitUntil: 'commit' });
    return (await page.evaluate(FIRST_ROWS)) as number;
  } finally {
    await context.close();
  }
}

type Cookie = Parameters<BrowserContext['addCookies']>[0][number];

async function signIn(app: string): Promise<Cookie> {
  const password = /password:?\s+(\S+)/i.exec(stage.app.process.output())![1]!;
  const answer = await fetch(`${app}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: app },
    body: new URLSearchParams({ workspace: 'main', login: 'admin', password }),
  });
  const [, name, value] = /^(\w+)=([\w-]+)/.exec(answer.headers.get('set-cookie')!)!;
  return { name: name!, value: value!, url: app };
}

/** The first page of the list, as a server would write it. */
async function barePage(app: string): Promise<string> {
  const query = '{ emails(first: 100) { nodes { to subject latestStatus createdAt } } }';
  const answer = await fetch(`${app}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stage.userKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { data } = (await answer.json()) as { data: { emails: { nodes: Record<string, string>[] } } };
  const rows = data.emails.nodes.map(
    (row) => `<li class="email-row">${row.latestStatus} ${row.to} ${row.subject} ${row.createdAt}</li>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>Emails</title><ul>${rows.join('')}</ul>`;
}
