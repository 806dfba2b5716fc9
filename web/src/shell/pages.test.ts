import { expect, it } from 'vitest';
import { allowedHere, NEEDED, openAreas, PAGES } from './pages.ts';

it('who may do nothing sees the profile alone, and who may do all sees everything', () => {
  expect(openAreas(new Set()).map(({ name }) => name)).toEqual(['profile']);
  expect(openAreas(new Set(NEEDED)).flatMap(({ pages }) => pages)).toEqual(PAGES);
});

it('an area shows the pages whose operation is allowed', () => {
  const [email] = openAreas(new Set(['emails']));
  expect(email!.pages.map(({ to }) => to)).toEqual(['/email/emails', '/email/keys']);
});

it('what is for a group is closed to who is not in it', () => {
  const pages = (groups: string[]) =>
    openAreas(allowedHere(NEEDED, groups)).flatMap((area) => area.pages.map(({ to }) => to));
  expect(pages([])).not.toContain('/website');
  expect(pages(['website.group_website_designer'])).toContain('/website');
  const portal = pages(['base.group_portal']);
  expect(portal).not.toContain('/mail');
  expect(portal).not.toContain('/profile/keys');
  expect(portal).not.toContain('/profile/agents');
  expect(portal).not.toContain('/profile/notifications');
  expect(portal).toContain('/profile/me');
  expect(pages(['base.group_user'])).toEqual(expect.arrayContaining(['/mail', '/profile/keys']));
});
