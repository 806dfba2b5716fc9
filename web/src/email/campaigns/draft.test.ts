import { expect, it } from 'vitest';
import { campaignsView, campaignView } from './address.ts';
import { changesOf, draftOf, isOpen, localTime, withLeave } from './draft.ts';

const campaign = {
  id: 'x',
  name: 'Spring',
  from: 'News <news@example.com>',
  subject: 'Hello',
  previewText: 'Flowers',
  html: '<p>{{usesend_unsubscribe_url}}</p>',
  content: null,
  replyTo: ['a@example.com', 'b@example.com'],
  status: 'DRAFT' as const,
  reason: null,
  scheduledAt: null,
  updatedAt: '2026-11-23T10:00:00Z',
  batchSize: 500,
  batchWindowMinutes: 0,
  total: 0,
  sent: 0,
  delivered: 0,
  opened: 0,
  clicked: 0,
  bounced: 0,
  hardBounced: 0,
  complained: 0,
  unsubscribed: 0,
  book: { id: 'b', name: 'Readers', variables: [] },
};

it('only what was typed is sent, as the server takes it', () => {
  expect(changesOf(draftOf(campaign), campaign)).toEqual({});
  const draft = { ...draftOf(campaign), replyTo: 'a@example.com,, ', previewText: '', batchSize: '50' };
  expect(changesOf(draft, campaign)).toEqual({
    replyTo: ['a@example.com'],
    previewText: null,
    batchSize: 50,
  });
});

it('words may change until the first email is out', () => {
  expect(isOpen(campaign)).toBe(true);
  expect(isOpen({ status: 'PAUSED', sent: 0 })).toBe(true);
  expect(isOpen({ status: 'PAUSED', sent: 1 })).toBe(false);
  expect(isOpen({ status: 'RUNNING', sent: 0 })).toBe(false);
});

it('the words of a template get the link by which readers leave, once', () => {
  expect(withLeave('<p>Hi</p>', 'LINK')).toBe('<p>Hi</p>LINK');
  expect(withLeave('{{ usesend_unsubscribe_url }}', 'LINK')).toBe('{{ usesend_unsubscribe_url }}');
});

it('an instant and the time of the input are the same moment', () => {
  expect(new Date(localTime('2026-11-23T10:20:00Z')).toISOString()).toBe('2026-11-23T10:20:00.000Z');
});

it('an address keeps what it means and drops the rest', () => {
  const plain = (view: object) => JSON.parse(JSON.stringify(view));
  expect(plain(campaignsView({ status: 'SENT', q: '' }))).toEqual({ status: 'SENT' });
  expect(plain(campaignsView({ status: 'GONE', q: 7 }))).toEqual({ q: '7' });
  expect(plain(campaignView({ tab: 'preview', contact: 'a@b.example', paper: 'dark' }))).toEqual({
    tab: 'preview',
    contact: 'a@b.example',
    paper: 'dark',
  });
});

it('blocks are sent without the HTML that they make, and HTML that takes their place alone', () => {
  const blocks = { ...campaign, content: '{"type":"doc"}' };
  expect(changesOf({ ...draftOf(blocks), content: '{}', html: 'x' }, blocks)).toEqual({ content: '{}' });
  expect(changesOf({ ...draftOf(blocks), content: '' }, blocks)).toEqual({ html: campaign.html });
});
