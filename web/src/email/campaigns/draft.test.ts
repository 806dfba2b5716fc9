import { expect, it } from 'vitest';
import { toLocalInput } from '../../ui/input/local-input.ts';
import { parseCampaignsView, parseCampaignView } from './address.ts';
import { addUnsubscribeLink, computeChanges, isEditable, toDraft } from './draft.ts';

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
  version: 1,
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

it("sends only changed fields, in the server's format", () => {
  expect(computeChanges(toDraft(campaign), campaign)).toEqual({});
  const draft = { ...toDraft(campaign), replyTo: 'a@example.com,, ', previewText: '', batchSize: '50' };
  expect(computeChanges(draft, campaign)).toEqual({
    replyTo: ['a@example.com'],
    previewText: null,
    batchSize: 50,
  });
});

it('allows editing until the first email is sent', () => {
  expect(isEditable(campaign)).toBe(true);
  expect(isEditable({ status: 'PAUSED', sent: 0 })).toBe(true);
  expect(isEditable({ status: 'PAUSED', sent: 1 })).toBe(false);
  expect(isEditable({ status: 'RUNNING', sent: 0 })).toBe(false);
});

it('adds an unsubscribe link to template content that has none', () => {
  expect(addUnsubscribeLink('<p>Hi</p>', 'LINK')).toBe('<p>Hi</p>LINK');
  expect(addUnsubscribeLink('{{ usesend_unsubscribe_url }}', 'LINK')).toBe('{{ usesend_unsubscribe_url }}');
});

it('round-trips an instant through the input value', () => {
  expect(new Date(toLocalInput('2026-11-23T10:20:00Z')).toISOString()).toBe('2026-11-23T10:20:00.000Z');
});

it('keeps valid URL parameters, and drops others', () => {
  const toPlain = (view: object) => JSON.parse(JSON.stringify(view));
  expect(toPlain(parseCampaignsView({ status: 'SENT', q: '' }))).toEqual({ status: 'SENT' });
  expect(toPlain(parseCampaignsView({ status: 'GONE', q: 7 }))).toEqual({ q: '7' });
  expect(toPlain(parseCampaignView({ tab: 'preview', contact: 'a@b.example', paper: 'dark' }))).toEqual({
    tab: 'preview',
    contact: 'a@b.example',
    paper: 'dark',
  });
});

it('sends changed blocks without their HTML, or only the HTML that replaces them', () => {
  const blocks = { ...campaign, content: '{"type":"doc"}' };
  expect(computeChanges({ ...toDraft(blocks), content: '{}', html: 'x' }, blocks)).toEqual({ content: '{}' });
  expect(computeChanges({ ...toDraft(blocks), content: '' }, blocks)).toEqual({ html: campaign.html });
});
