import { expect, it } from 'vitest';
import { computeChanges, parseForm } from './property-changes.ts';

const buildForm = (values: Record<string, string>) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.set(name, value);
  return parseForm(data);
};

const before = buildForm({
  name: 'About',
  url: '/about',
  isIndexed: 'on',
  title: 'Of us',
  publishAt: '2026-11-24T08:30',
});

it('returns only changed values, with null for cleared ones', () => {
  expect(computeChanges(before, before)).toEqual({});
  const now = buildForm({ name: 'About', url: '/about-us', visibility: 'connected', groupId: '7' });
  expect(computeChanges(before, now)).toEqual({
    newUrl: '/about-us',
    indexed: false,
    title: null,
    visibility: 'connected',
    publishAt: null,
  });
});

it('includes the group only if the page is limited to one', () => {
  const now = buildForm({
    ...{ name: 'About', url: '/about' },
    visibility: 'restricted_group',
    groupId: '7',
  });
  expect(computeChanges(before, now)).toMatchObject({ visibility: 'restricted_group', groupId: '7' });
});
