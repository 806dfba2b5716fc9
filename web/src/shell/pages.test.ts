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

it('an area of a group is closed to who is not in it', () => {
  const areas = (groups: string[]) => openAreas(allowedHere(NEEDED, groups)).map(({ name }) => name);
  expect(areas([])).not.toContain('website');
  expect(areas(['website.group_website_designer'])).toContain('website');
});
