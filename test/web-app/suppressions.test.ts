import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { chromium } from '../doc/browser.ts';
import { setUpTeam } from '../harness/facades/rest.ts';
import { until } from '../harness/wait.ts';
import { expectFaultless, trackPages } from './browser.ts';

const team = setUpTeam();

chromium.describe('the suppression list in the browser', () => {
  const openPage = trackPages(team);

  it('adds pasted addresses, finds, shows, exports and removes them', async () => {
    const visitor = await openPage('/app/email/suppressions');
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await page.getByRole('heading', { name: 'No suppressed addresses' }).waitFor();
    await page.getByRole('button', { name: 'Add addresses' }).click();
    await dialog.getByLabel('Addresses').fill('ann@example.net\nnot an address');
    await dialog.getByRole('button', { name: 'Add addresses' }).click();
    await dialog.getByRole('alert').getByText('not an address').waitFor();
    await dialog.getByLabel('Addresses').fill('ann@example.net\nBob <bob@example.net>, cy@example.org');
    await dialog.getByRole('button', { name: 'Add addresses' }).click();
    await page.getByText('3 addresses added.').waitFor();
    await page.getByText('3 addresses', { exact: true }).waitFor();
    await until(
      async () => (await page.locator('.figures dd').allTextContents()).join() === '0,0,0,3,3',
      'the addresses are counted by reason',
    );
    await expectFaultless(visitor, 'the suppression list');
    await page.keyboard.press('/');
    await page.keyboard.type('EXAMPLE.NET');
    await page.keyboard.press('Enter');
    await page.getByText('2 addresses', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('EXAMPLE.NET');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const lines = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines.join()).not.toContain('cy@');
    await page.getByRole('listbox').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog.getByRole('heading', { name: 'ann@example.net' }).waitFor();
    await expectFaultless(visitor, 'a suppressed address');
    await dialog.getByRole('button', { name: 'Remove from list' }).click();
    await page.getByText('ann@example.net removed from the list.').waitFor();
    await page.getByText('1 address', { exact: true }).waitFor();
    await page.getByLabel('Reason').selectOption('COMPLAINT');
    await page.getByRole('heading', { name: 'No addresses match these filters' }).waitFor();
    await page.getByRole('button', { name: 'Show all addresses' }).click();
    await page.getByText('2 addresses', { exact: true }).waitFor();
  });
});
