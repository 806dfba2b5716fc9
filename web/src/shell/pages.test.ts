import { expect, it } from 'vitest';
import { getAccessibleAreas, getAllowedOperations, NEEDED_OPERATIONS, PAGES } from './pages.ts';

it('shows only the profile to a user without permissions, and all pages to one with all permissions', () => {
  expect(getAccessibleAreas(new Set()).map(({ name }) => name)).toEqual(['profile']);
  expect(getAccessibleAreas(new Set(NEEDED_OPERATIONS)).flatMap(({ pages }) => pages)).toEqual(PAGES);
});

it('shows only the area pages whose operations are allowed', () => {
  const [email] = getAccessibleAreas(new Set(['emails']));
  expect(email!.pages.map(({ to }) => to)).toEqual(['/email/emails', '/email/keys']);
});

it('hides pages limited to a group from users outside the group', () => {
  const listPages = (groups: string[]) =>
    getAccessibleAreas(getAllowedOperations(NEEDED_OPERATIONS, groups)).flatMap((area) =>
      area.pages.map(({ to }) => to),
    );
  expect(listPages([])).not.toContain('/website');
  expect(listPages(['website.group_website_designer'])).toContain('/website');
  const portal = listPages(['base.group_portal']);
  expect(portal).not.toContain('/mail');
  expect(portal).not.toContain('/profile/keys');
  expect(portal).not.toContain('/profile/agents');
  expect(portal).not.toContain('/profile/notifications');
  expect(portal).toContain('/profile/me');
  expect(listPages(['base.group_user'])).toEqual(expect.arrayContaining(['/mail', '/profile/keys']));
});
