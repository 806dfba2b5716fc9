import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { limits } from '../../src/limits.ts';
import { chromium } from '../doc/browser.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { setUpTeam } from '../harness/facades/rest.ts';
import { buildPng } from '../harness/png.ts';
import { expectFaultless, trackPages } from './browser.ts';

const team = setUpTeam();
let folder: string;
const png = buildPng(300, 200);

chromium.describe('file fields in the browser', () => {
  beforeAll(async () => {
    const calls = createJsonClient(team);
    const [model] = await calls.value('ir.model/search', { domain: [['model', '=', 'res.partner']] });
    const field = { name: 'x_contract', field_description: 'Contract', ttype: 'binary' };
    await calls.create('ir.model.fields', { ...field, model_id: model });
    folder = mkdtempSync(join(tmpdir(), 'atrium-pictures-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const openPage = trackPages(team);
  const make = async (values: object): Promise<number> =>
    createJsonClient(team).create('res.partner', values);
  const writeFile = (name: string, content: Buffer): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const group = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
  const save = async (page: Page) => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText(/^(Saved\.|Created\.)$/).waitFor();
  };
  const createStored = async (id: number) =>
    createJsonClient(team).row('res.partner', id, ['image_1920', 'x_contract', 'name']);
  const countUploads = async () => {
    const workspace = team.main.ctx.workspace.id;
    return (await team.runtime.db.rows(sql`select 1 from svc_upload where workspace_id = ${workspace}`))
      .length;
  };
  const isLoaded = (page: Page, name: string) =>
    expect
      .poll(() =>
        group(page, name)
          .locator('img')
          .evaluate((image) => (image as HTMLImageElement).naturalWidth),
      )
      .toBeGreaterThan(0);

  it('selects, previews, saves, replaces and removes an image and a file', async () => {
    const id = await make({ name: 'Pictured' });
    const visitor = await openPage(`/app/records/res.partner/${id}`);
    const { page } = visitor;
    const image = group(page, 'Image');
    const contract = group(page, 'Contract');
    await image.locator('input').setInputFiles(writeFile('face.png', png));
    await isLoaded(page, 'Image');
    await contract.locator('input').setInputFiles(writeFile('contract.pdf', Buffer.from('%PDF-1.7 hello')));
    await contract.getByText('contract.pdf').waitFor();
    expect(await createStored(id)).toMatchObject({ image_1920: false, x_contract: false });
    expect(await countUploads()).toBe(0);
    await save(page);
    await expect
      .poll(() => createStored(id))
      .toMatchObject({
        image_1920: png.toString('base64'),
        x_contract: Buffer.from('%PDF-1.7 hello').toString('base64'),
      });
    expect(await countUploads()).toBe(0);
    await isLoaded(page, 'Image');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      contract.getByRole('link', { name: 'Download (14 bytes)' }).click(),
    ]);
    expect(await download.failure()).toBeNull();
    await expectFaultless(visitor, 'a form with files');
    await page.setViewportSize({ width: 1280, height: 900 });
    await contract.getByRole('button', { name: 'Remove: Contract' }).click();
    await image.locator('input').setInputFiles(writeFile('other.png', buildPng(50, 50)));
    await save(page);
    await expect
      .poll(() => createStored(id))
      .toMatchObject({
        image_1920: buildPng(50, 50).toString('base64'),
        x_contract: false,
      });
  });

  it('restores the saved image on discard, and shows errors next to the field', async () => {
    const id = await make({ name: 'Careful' });
    const { page } = await openPage(`/app/records/res.partner/${id}`);
    const image = group(page, 'Image');
    await image.locator('input').setInputFiles(writeFile('notes.txt', Buffer.from('no picture')));
    await image.getByRole('alert').getByText('notes.txt is not an image.').waitFor();
    await image.locator('input').setInputFiles(writeFile('fake.png', Buffer.from('no picture')));
    await image.getByRole('alert').getByText('fake.png is not an image.').waitFor();
    const large = writeFile('large.bin', Buffer.alloc(0));
    truncateSync(large, limits.upload.fieldBytes + 1);
    await group(page, 'Contract').locator('input').setInputFiles(large);
    await group(page, 'Contract').getByRole('alert').getByText('large.bin is too large').waitFor();
    await image.locator('input').setInputFiles(writeFile('face.png', png));
    await image.getByRole('button', { name: 'Replace: Image' }).waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => image.locator('img').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    expect(await createStored(id)).toMatchObject({ image_1920: false, x_contract: false });
  });

  it('creates a record with its image, and leaves no upload behind if the record is rejected', async () => {
    const calls = createJsonClient(team);
    const [model] = await calls.value('ir.model/search', { domain: [['model', '=', 'res.partner']] });
    const rule = { name: 'No such name', model_id: model, domain_force: "[('name', '!=', 'Refused')]" };
    await calls.create('ir.rule', { ...rule, perm_read: false, perm_write: false, perm_unlink: false });
    const { page } = await openPage('/app/records/res.partner/new');
    await group(page, 'Image').locator('input').setInputFiles(writeFile('face.png', png));
    await page.getByLabel('Name', { exact: true }).fill('Refused');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').first().waitFor();
    await expect.poll(countUploads).toBe(0);
    await page.getByLabel('Name', { exact: true }).fill('Newcomer');
    await save(page);
    await page.waitForURL(/res\.partner\/\d+/);
    const id = Number(page.url().match(/res\.partner\/(\d+)/)![1]);
    expect(await createStored(id)).toMatchObject({ name: 'Newcomer', image_1920: png.toString('base64') });
    expect(await countUploads()).toBe(0);
  });

  it('shows images to read-only users, in lists and on cards', async () => {
    const id = await make({ name: 'Shown', image_1920: png.toString('base64'), x_contract: 'AAAAAA==' });
    const visitor = await openPage(`/app/records/res.partner/${id}`, {
      login: 'user',
      password: team.main.user.password,
    });
    const { page } = visitor;
    await page.getByText('Image', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /Choose file/ }).count()).toBe(0);
    const waitForWidth = (option: Locator) =>
      expect
        .poll(() => option.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth))
        .toBeGreaterThan(0);
    await page.goto(
      `/app/records/res.partner?cols=${JSON.stringify(['displayName', 'image1920', 'xContract'])}`,
    );
    const row = page.getByRole('option').filter({ hasText: 'Shown' });
    await waitForWidth(row);
    await row.getByText('4 bytes').waitFor();
    await expectFaultless(visitor, 'a list with pictures');
    const without = JSON.stringify([['image1920', 'empty', '', '']]);
    await page.goto(`/app/records/res.partner?where=${encodeURIComponent(without)}`);
    await page.getByRole('option').filter({ visible: true }).first().waitFor();
    expect(await row.count()).toBe(0);
    const filled = JSON.stringify([['image1920', 'filled', '', '']]);
    await page.goto(`/app/records/res.partner?where=${encodeURIComponent(filled)}`);
    await page.getByText('Image is not empty').waitFor();
    await row.waitFor();
    await page.goto('/app/records/res.partner?view=kanban&group=country&q=Shown');
    await waitForWidth(page.locator('.kanban-card').filter({ hasText: 'Shown' }));
    await expectFaultless(visitor, 'cards with pictures');
  });
});
