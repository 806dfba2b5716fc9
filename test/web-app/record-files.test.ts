import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAX_PENDING_UPLOADS } from '../../schema/base/uploads/receive-upload.ts';
import { sql } from '../../src/db/sql.ts';
import { limits } from '../../src/limits.ts';
import { chromium } from '../doc/browser.ts';
import { setUpTeam } from '../harness/facades/rest.ts';
import { expectFaultless, trackPages } from './browser.ts';

const team = setUpTeam();
let folder: string;
let path: string;

chromium.describe('files of records in the browser', () => {
  beforeAll(async () => {
    const partner = await team.graphql('mutation { partnerCreate(input: { name: "Papers" }) { id } }', {});
    path = `/app/records/res.partner/${partner.data.partnerCreate.id}`;
    folder = mkdtempSync(join(tmpdir(), 'atrium-files-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const openPath = trackPages(team);
  const openPage = async () => {
    const visitor = await openPath(path);
    await visitor.page.getByRole('button', { name: 'Add file' }).waitFor();
    return visitor;
  };
  const buildFile = (name: string, content: Buffer): string => {
    const file = join(folder, name);
    writeFileSync(file, content);
    return file;
  };
  const choose = (page: Page, ...files: string[]) =>
    page.locator('.record-files input[type=file]').setInputFiles(files);
  const limitUpload = async (page: Page, bytesASecond: number) => {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytesASecond,
    });
  };
  const countUploads = async () =>
    (
      await team.runtime.db.rows(
        sql`select id from svc_upload where workspace_id = ${team.main.ctx.workspace.id}`,
      )
    ).length;

  it('adds a file of 20 MB by keyboard, and downloads it unchanged', async () => {
    const visitor = await openPage();
    const { page } = visitor;
    const content = randomBytes(20 * 1024 * 1024);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Add file' }).press('Enter'),
    ]);
    await chooser.setFiles(buildFile('large.pdf', content));
    const link = page.getByRole('link', { name: 'large.pdf' });
    await link.waitFor();
    await page.getByText('21 MB').waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    const sum = (bytes: Buffer) => createHash('sha1').update(bytes).digest('hex');
    expect(sum(readFileSync(await download.path()))).toBe(sum(content));
    expect(await countUploads()).toBe(0);
    await expectFaultless(visitor, 'a record with a large file');
  });

  it("adds files dropped anywhere on a record's page", async () => {
    const { page } = await openPage();
    const droppedJshandle = await page.evaluateHandle(`(() => {
      const files = new DataTransfer();
      for (const name of ['one.txt', 'two.txt']) files.items.add(new File([name], name));
      return files;
    })()`);
    await page.dispatchEvent('h1', 'dragover', { dataTransfer: droppedJshandle });
    await page.locator('.record-files.taking').waitFor();
    await page.dispatchEvent('h1', 'drop', { dataTransfer: droppedJshandle });
    for (const name of ['one.txt', 'two.txt']) await page.getByRole('link', { name }).waitFor();
    await page.locator('.record-files.taking').waitFor({ state: 'detached' });
  });

  it('shows upload progress, and adds the next file after one is canceled', async () => {
    const visitor = await openPage();
    const { page } = visitor;
    await limitUpload(page, 300_000);
    const [slow, next] = [
      buildFile('slow.bin', randomBytes(4_000_000)),
      buildFile('next.txt', Buffer.from('next')),
    ];
    await choose(page, slow, next);
    const progress = page.getByRole('progressbar', { name: 'Uploading slow.bin' });
    await expect
      .poll(async () => Number(await progress.getAttribute('value')), { timeout: 20_000 })
      .toBeGreaterThan(0.02);
    expect(Number(await progress.getAttribute('value'))).toBeLessThan(1);
    await page.getByRole('progressbar', { name: 'Uploading next.txt' }).waitFor();
    await page.getByRole('button', { name: 'Cancel upload of slow.bin' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'next.txt' }).waitFor();
    expect(await page.getByText('slow.bin').count()).toBe(0);
    await expect.poll(countUploads, { timeout: 20_000 }).toBe(0);
  });

  it('is accessible during an upload, and cancels it when the user leaves the record', async () => {
    const visitor = await openPage();
    const { page } = visitor;
    await limitUpload(page, 100_000);
    await choose(page, buildFile('left.bin', randomBytes(10_000_000)));
    await page.getByRole('progressbar', { name: 'Uploading left.bin' }).waitFor();
    await expectFaultless(visitor, 'a file on its way');
    await page.goto('/app/records/res.partner');
    await expect.poll(countUploads, { timeout: 20_000 }).toBe(0);
  });

  it('rejects an oversized file before sending it, with a clear message', async () => {
    const { page } = await openPage();
    const file = buildFile('huge.iso', Buffer.alloc(1));
    truncateSync(file, limits.upload.fileBytes + 1);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await choose(page, file);
    await page.getByText('huge.iso is too large. The limit is 100 MB.').first().waitFor();
    expect(sent.filter((url) => url.includes('/web/uploads'))).toEqual([]);
    expect(await page.getByRole('progressbar').count()).toBe(0);
  });

  it('reports an upload rejected by the server, and stores no part of it', async () => {
    const { page, complaints } = await openPage();
    const { workspace } = team.main.ctx;
    await team.runtime.db.rows(
      sql`insert into svc_upload (workspace_id, id, user_id, name, size)
       select ${workspace.id}::int, 900000 + i, ${team.main.admin.id}::int, 'x', 1
       from generate_series(1, ${MAX_PENDING_UPLOADS}::int) i`,
    );
    await choose(page, buildFile('full.txt', Buffer.from('full')));
    await page.getByText('Your unused uploads would exceed 50 files or 500 MB').first().waitFor();
    expect(await page.getByRole('progressbar').count()).toBe(0);
    await team.runtime.db.rows(sql`delete from svc_upload where workspace_id = ${workspace.id}`);
    // The browser logs the error response.
    expect(complaints.splice(0)).toHaveLength(1);
  });
});
