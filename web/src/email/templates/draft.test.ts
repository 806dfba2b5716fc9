import { expect, it } from 'vitest';
import { parsePreviewView, parseTemplatesView, parseTemplateView } from './address.ts';
import { computeChanges, toDraft } from './draft.ts';

const template = {
  id: 'x',
  name: 'Welcome',
  subject: 'Hi',
  html: '<p>Hi</p>',
  text: null,
  content: null,
  variables: { count: 3, name: 'you', gone: null },
  version: 2,
  updatedAt: '2026-11-23T10:00:00Z',
  updatedBy: null,
};

it('finds no changes in a draft identical to the template', () => {
  expect(computeChanges(toDraft(template), template)).toEqual({});
});

it('sends only changed fields, and keeps the type of an unchanged fallback', () => {
  const draft = { ...toDraft(template), html: '', fallbacks: { count: '3', name: '', more: 'x' } };
  expect(computeChanges(draft, template)).toEqual({ html: '', variables: { count: 3, more: 'x' } });
});

it('sends changed blocks unmodified, and clears them if HTML replaces them', () => {
  const blocks = { ...template, content: '{"type":"doc"}' };
  expect(computeChanges({ ...toDraft(blocks), content: '{"type":"doc","content":[]}' }, blocks)).toEqual({
    content: '{"type":"doc","content":[]}',
  });
  expect(computeChanges({ ...toDraft(blocks), content: '', html: '<p>Ho</p>' }, blocks)).toEqual({
    content: '',
    html: '<p>Ho</p>',
  });
});

it('keeps valid URL parameters, and drops others', () => {
  const toPlain = (view: object) => JSON.parse(JSON.stringify(view));
  expect(toPlain(parseTemplatesView({ q: 12 }))).toEqual({ q: '12' });
  expect(toPlain(parsePreviewView({ width: 'phone', paper: 'red', part: 'text' }))).toEqual({
    width: 'phone',
    part: 'text',
  });
  expect(toPlain(parseTemplateView({ tab: 'versions', version: 12 }))).toEqual({
    tab: 'versions',
    version: '12',
  });
  expect(toPlain(parseTemplateView({ tab: 'x', version: 'y' }))).toEqual({});
});
