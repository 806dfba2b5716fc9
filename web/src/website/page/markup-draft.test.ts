import { expect, it } from 'vitest';
import { createMarkupDraft, isMarkupDirty, reduceMarkup } from './markup-draft.ts';

const base = { pageId: '7', arch: '<p>1</p>', version: 1, hasOwn: false };
const newer = { ...base, arch: '<p>2</p>', version: 2 };
const copy = { ...base, pageId: '8', arch: '<p>copy</p>', version: 1 };
const clean = createMarkupDraft(base);
const dirty = reduceMarkup(clean, { kind: 'edit', arch: '<p>mine</p>' });

it.each([
  ['shows a newer version', clean, newer, '<p>2</p>'],
  ['shows the copy of another page', clean, copy, '<p>copy</p>'],
  ['ignores an older version', createMarkupDraft(newer), base, '<p>2</p>'],
  ['retains unsaved edits', dirty, newer, '<p>mine</p>'],
])('%s', (_, draft, markup, arch) => {
  expect(reduceMarkup(draft, { kind: 'follow', markup }).arch).toBe(arch);
});

it('uses the saved version as the base of further edits', () => {
  const saved = reduceMarkup(dirty, { kind: 'saved', pageId: '8', arch: '<p>mine</p>', version: 2 });
  expect(saved.base).toEqual({ pageId: '8', arch: '<p>mine</p>', version: 2, hasOwn: true });
  expect([dirty, saved].map(isMarkupDirty)).toEqual([true, false]);
});

it('remains dirty if the text is edited during a save', () => {
  const edited = reduceMarkup(dirty, { kind: 'edit', arch: '<p>more</p>' });
  const saved = reduceMarkup(edited, { kind: 'saved', pageId: '7', arch: '<p>mine</p>', version: 2 });
  expect(isMarkupDirty(saved)).toBe(true);
});

it('replaces edits with a loaded version', () => {
  const theirs = reduceMarkup(dirty, { kind: 'load', markup: newer });
  expect(theirs).toMatchObject({ base: newer, arch: newer.arch });
});
