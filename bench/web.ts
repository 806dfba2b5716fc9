import pg from 'pg';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { fillEmails } from './lib/fill-emails.ts';
import { computeMedian } from './lib/process.ts';
import { openStage } from './lib/stage.ts';
import {
  buildFramesScript,
  buildShownScript,
  FIRST_ROWS_SCRIPT,
  LONG_TASKS_SCRIPT,
} from './lib/web-measures.ts';

// `node bench/web.ts [cold|mail]…` compares the browser application with a bare page that shows the same rows
// (medians). `cold` measures when the first rows of a list of 100,000 emails appear after a cold navigation, also with
// 4x CPU throttling. `mail` measures a mailbox with 100,000 messages: open, flag, compose, scroll, jump, type, and
// memory.

const EMAILS = Number(process.env.EMAILS ?? 100_000);
const ROUNDS = Number(process.env.ROUNDS ?? 7);
const MESSAGES = Number(process.env.MESSAGES ?? 100_000);
/** Delay of each server response while the list scrolls. */
const RESPONSE_DELAY_MS = 200;
const SCROLL_SPEED_PX = 7_800;

const ACCOUNT_ID = 9_000;
/** The message ids start after this offset. */
const FIRST_MESSAGE_OFFSET = 10_000_000;

const BARE_LIST = `<!doctype html><meta charset="utf-8"><title>Messages</title><style>
.virtual-list { height: 800px; overflow: auto } .row { height: 64px; content-visibility: auto }</style>
<div class="virtual-list"></div><script>
document.querySelector('.virtual-list').innerHTML =
  Array.from({ length: 100000 }, (_, at) => '<div class="row">Message ' + at + '</div>').join('');
</script>`;

const stage = await openStage({ ROLE: 'web' }, 'bench/baseline/page.ts');
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--enable-precise-memory-info'],
});
const app = `http://127.0.0.1:${stage.app.port}`;
const baselineUrl = `http://127.0.0.1:${stage.baseline.port}`;
const parts: Record<string, (cookie: Cookie) => Promise<void>> = {
  cold: measureColdStart,
  mail: measureMail,
};
try {
  const cookie = await signIn();
  for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts))
    await parts[name]!(cookie);
} finally {
  await browser.close();
  await stage.close();
}

async function measureColdStart(cookie: Cookie): Promise<void> {
  await fillEmails(stage.databaseUrl, EMAILS);
  await fetch(baselineUrl, { method: 'PUT', body: await renderBarePage() });
  for (const [slower, budget] of [
    [1, 1_000],
    [4, 2_000],
  ] as const) {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await readFirstRows(browser, `${app}/app/email/emails`, cookie, slower));
      theirs.push(await readFirstRows(browser, baselineUrl, null, slower));
    }
    printFigure(
      `first rows, processor ${slower} times slower`,
      computeMedian(ours),
      budget,
      computeMedian(theirs),
    );
  }
}

/** Opens a URL in a browser with an empty cache. @returns milliseconds until the first rows are rendered */
async function readFirstRows(
  from: Browser,
  url: string,
  cookie: Cookie | null,
  slower: number,
): Promise<number> {
  const context = await from.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    if (cookie) await context.addCookies([cookie]);
    const page = await context.newPage();
    const tools = await context.newCDPSession(page);
    await tools.send('Emulation.setCPUThrottlingRate', { rate: slower });
    await page.goto(url, { waitUntil: 'commit' });
    return (await page.evaluate(FIRST_ROWS_SCRIPT)) as number;
  } finally {
    await context.close();
  }
}

async function measureMail(cookie: Cookie): Promise<void> {
  await fillMailbox();
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addCookies([cookie]);
  const page = await context.newPage();
  await page.goto(`${app}/app/mail/${ACCOUNT_ID}/inbox`);
  await page.locator('.message-row').first().waitFor();
  // Waits for modules that load when the page is idle.
  await page.waitForTimeout(2_000);
  await measureKeyPresses(page);
  await measureTyping(page);
  await measureScrolling(page);
  await measureJumps(page);
  await context.close();
  await measureBareList();
}

/** Measures the latency of key presses: open a message, set a flag, open the composer. */
async function measureKeyPresses(page: Page): Promise<void> {
  const first = await measureKey(
    page,
    'c',
    '.composer iframe',
    "?.contentDocument?.querySelector('[role=textbox]')",
  );
  printFigure('composer ready, the first time', first, 100);
  const repeatTimes: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await page.keyboard.press('Escape');
    await page.locator('.composer').waitFor({ state: 'detached' });
    repeatTimes.push(
      await measureKey(page, 'c', '.composer iframe', "?.contentDocument?.querySelector('[role=textbox]')"),
    );
  }
  printFigure('composer ready, again', computeMedian(repeatTimes), 100);
  await page.keyboard.press('Escape');
  await page.locator('.composer').waitFor({ state: 'detached' });
  const opened: number[] = [];
  const flagged: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    opened.push(await measureKey(page, 'o', '.reader h2'));
    await page.waitForTimeout(500);
    const row = `.virtual-list .row.active`;
    const was = await page.locator(`${row} .starred`).count();
    flagged.push(
      await measureKey(
        page,
        's',
        row,
        was ? "?.querySelector('.starred') === null" : "?.querySelector('.starred')",
      ),
    );
    await page.waitForTimeout(500);
    await page.keyboard.press('u');
    await page.locator('.reader').waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    await page.waitForTimeout(100);
  }
  printFigure('a message opens', computeMedian(opened), 100);
  printFigure('a star shows', computeMedian(flagged), 16);
}

async function measureKey(page: Page, key: string, selector: string, extra = ''): Promise<number> {
  await page.evaluate(buildShownScript(selector, extra));
  await page.keyboard.press(key);
  return (await page.evaluate('window.shown')) as number;
}

async function measureTyping(page: Page): Promise<void> {
  await page.evaluate(LONG_TASKS_SCRIPT);
  await page.keyboard.press('/');
  await page.keyboard.type('from:sender12 w100', { delay: 40 });
  await page.keyboard.press('Escape');
  await page.locator('.mail-count').click();
  await page.keyboard.press('c');
  const text = page.locator('.composer').frameLocator('iframe').getByRole('textbox');
  await text.waitFor();
  await text.pressSequentially('What is typed here is saved while it is typed. '.repeat(3), { delay: 30 });
  const longest = (await page.evaluate('Math.max(0, ...window.longTasks)')) as number;
  printFigure('longest task while typing in search and composer', longest, 100);
  await page.keyboard.press('Escape');
  await page.locator('.composer').waitFor({ state: 'detached' });
}

/** Measures scrolling so fast that pages must be prefetched from a slow server. */
async function measureScrolling(page: Page): Promise<void> {
  await page.route('**/graphql', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, RESPONSE_DELAY_MS));
    await route.continue();
  });
  const { p95, unloaded, frames } = (await page.evaluate(
    buildFramesScript(SCROLL_SPEED_PX, 3_000 * 64),
  )) as Frames;
  await page.unrouteAll({ behavior: 'wait' });
  printFigure(
    `p95 of ${frames} frames at ${SCROLL_SPEED_PX} px/s over 3,000 rows, the server ${RESPONSE_DELAY_MS} ms late`,
    p95,
    25,
  );
  printFigure('frames of them with rows that are not loaded', unloaded, 0, undefined, '');
  const tools = await page.context().newCDPSession(page);
  await tools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await tools.send('Runtime.getHeapUsage');
  printFigure('heap afterwards', usedSize / 2 ** 20, 25, undefined, ' MB');
}

interface Frames {
  p95: number;
  unloaded: number;
  frames: number;
}

async function measureJumps(page: Page): Promise<void> {
  const jumps: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await page.evaluate(
      buildShownScript(
        '.virtual-list',
        "?.querySelector('.row:not(.ghost)') && !document.querySelector('.row.ghost')",
        true,
      ),
    );
    await page.evaluate(
      (part) => {
        const list = document.querySelector('.virtual-list')!;
        list.scrollTop = list.scrollHeight * part;
        window.dispatchEvent(new Event('jumped'));
      },
      0.3 + round * 0.07,
    );
    jumps.push((await page.evaluate('window.shown')) as number);
    await page.waitForTimeout(500);
  }
  printFigure('a jump to the middle', computeMedian(jumps), 250);
}

/** Measures a list with the same number of plain text rows, which shows the browser's minimum cost. */
async function measureBareList(): Promise<void> {
  await fetch(baselineUrl, { method: 'PUT', body: BARE_LIST });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(baselineUrl);
  const { p95 } = (await page.evaluate(buildFramesScript(SCROLL_SPEED_PX, 3_000 * 64))) as Frames;
  const tools = await page.context().newCDPSession(page);
  await tools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await tools.send('Runtime.getHeapUsage');
  process.stdout.write(
    `a bare list of 100,000 rows: p95 of its frames ${p95.toFixed(1)} ms, heap ${(usedSize / 2 ** 20).toFixed(1)} MB\n`,
  );
  await page.close();
}

function printFigure(label: string, figure: number, budget: number, reference?: number, unit = ' ms'): void {
  const base = reference === undefined ? '' : `; a bare page with the same rows: ${reference.toFixed(0)} ms`;
  process.stdout.write(`${label}: ${figure.toFixed(1)}${unit} (must reach ${budget}${unit})${base}\n`);
}

type Cookie = Parameters<BrowserContext['addCookies']>[0][number];

async function signIn(): Promise<Cookie> {
  const password = /password:?\s+(\S+)/i.exec(stage.app.process.output())![1]!;
  const response = await fetch(`${app}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: app },
    body: new URLSearchParams({ workspace: 'main', login: 'admin', password }),
  });
  const [, name, value] = /^(\w+)=([\w-]+)/.exec(response.headers.get('set-cookie')!)!;
  return { name: name!, value: value!, url: app };
}

async function fillMailbox(): Promise<void> {
  const client = new pg.Client({ connectionString: stage.databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into svc_mail_account (workspace_id, id, name, address, kind) values (1, $1, 'Bench', 'bench@main.localhost', 'shared')`,
      [ACCOUNT_ID],
    );
    await client.query('insert into svc_mail_clock (workspace_id, account_id) values (1, $1)', [ACCOUNT_ID]);
    await client.query(
      `insert into svc_mail_member (workspace_id, id, account_id, user_id)
       select 1, $1::int * 100 + id, $1, id from res_users where workspace_id = 1 and login = 'admin'`,
      [ACCOUNT_ID],
    );
    await client.query(
      `insert into svc_mail_folder (workspace_id, id, account_id, role, name)
       select 1, $1::int * 10 + n, $1, role, role from unnest($2::text[]) with ordinality r(role, n)`,
      [ACCOUNT_ID, ['inbox', 'sent', 'drafts', 'spam', 'trash', 'archive']],
    );
    await client.query(
      `insert into svc_mail_message (workspace_id, id, raw_hash, size, subject, from_name, email_from, recipients,
         message_id, snippet, text)
       select 1, $1::int + g, 'bench-' || g, 2000, 'Message ' || g, 'Sender ' || g, 'sender' || g || '@example.org',
         '{"to": [{"name": "", "email": "me@example.org"}], "cc": [], "replyTo": []}', g || '@bench.example',
         repeat('Hello there ', 12), repeat('Hello there ', 100)
       from generate_series(1, 100) g`,
      [FIRST_MESSAGE_OFFSET],
    );
    await client.query(
      `insert into svc_mail_entry (workspace_id, id, account_id, content_id, folder_id, thread_id, date, message_key,
         is_read, is_starred, source, modseq)
       select 1, $1::int + g, $2, $1::int + g % 100 + 1, $2::int * 10 + 1, $1::int + g,
         timestamp '2026-11-01' - make_interval(secs => g), substring(sha256(convert_to('bench:' || g, 'UTF8')) for 16),
         g % 20 > 0, false, 'import', 1
       from generate_series(1, $3::int) g`,
      [FIRST_MESSAGE_OFFSET, ACCOUNT_ID, MESSAGES],
    );
    await client.query(
      `insert into svc_mail_bucket (workspace_id, account_id, folder_id, day, n)
       select workspace_id, account_id, folder_id, date::date - date '1970-01-01', count(*) from svc_mail_entry
       where workspace_id = 1 and account_id = $1 group by 1, 2, 3, 4`,
      [ACCOUNT_ID],
    );
    await client.query(
      `update svc_mail_folder set total = $2, unread = $2 / 20 where workspace_id = 1 and id = $1::int * 10 + 1`,
      [ACCOUNT_ID, MESSAGES],
    );
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

/** Renders the first page of the list as static HTML. */
async function renderBarePage(): Promise<string> {
  const query = '{ emails(first: 100) { nodes { to subject latestStatus createdAt } } }';
  const response = await fetch(`${app}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stage.userKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { data } = (await response.json()) as { data: { emails: { nodes: Record<string, string>[] } } };
  const rows = data.emails.nodes.map(
    (row) => `<li class="email-row">${row.latestStatus} ${row.to} ${row.subject} ${row.createdAt}</li>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>Emails</title><ul>${rows.join('')}</ul>`;
}
