import { escapeHtml } from '../../../src/escape-html.ts';
import { limits } from '../../../src/limits.ts';
import { toSingleLine } from '../../../src/single-line.ts';
import { type Ctx, parseTimestamp } from '../../kit/surface.ts';
import type { IcsEvent } from '../ics/event-lines.ts';
import type { Attendee, EventUnit } from '../ics/load-events.ts';
import { buildResponseLink, RESPONSE_LABELS, type ResponseState } from './response-link.ts';

/** Maximum length of the description in the email. The attached calendar file contains the full description. */
const MAX_DESCRIPTION_CHARS = 5_000;

export type Occasion = 'REQUEST' | 'UPDATE' | 'CANCEL' | 'REMINDER';

const SUBJECTS: Record<Occasion, string> = {
  REQUEST: 'Invitation',
  UPDATE: 'Updated invitation',
  CANCEL: 'Cancelled',
  REMINDER: 'Reminder',
};

export function buildInvitationMail(
  ctx: Ctx,
  { ics, organizer_tz }: EventUnit,
  attendee: Attendee,
  occasion: Occasion,
) {
  const asksForResponse = (occasion === 'REQUEST' || occasion === 'UPDATE') && !attendee.isOrganizer;
  const facts = collectFacts(ics, organizer_tz);
  const links = asksForResponse
    ? Object.entries(RESPONSE_LABELS).map(([state, label]) => ({
        label,
        url: buildResponseLink(ctx, attendee.id, state as ResponseState),
      }))
    : [];
  return {
    subject: toSingleLine(`${SUBJECTS[occasion]}: ${ics.name}`).slice(0, limits.email.subject).toWellFormed(),
    text: renderText(facts, links),
    html: renderHtmlBody(facts, links),
  };
}

interface Link {
  label: string;
  url: string;
}

function collectFacts(ics: IcsEvent, tz: string): [label: string, value: string][] {
  const facts: [string, string | null][] = [
    ['What', ics.name],
    ['When', formatEventTime(ics, tz)],
    ['Where', ics.location],
    ['Meeting', ics.url],
    ['Organizer', ics.organizer && `${ics.organizer.name} <${ics.organizer.email}>`],
    ['Description', ics.description.slice(0, MAX_DESCRIPTION_CHARS).toWellFormed()],
  ];
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]));
}

export function formatEventTime({ allday, start, stop, rule }: IcsEvent, tz: string): string {
  const zone = allday ? 'UTC' : tz;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    dateStyle: 'full',
    ...(!allday && { timeStyle: 'short' }),
  });
  const range = format
    .formatRange(parseTimestamp(start), parseTimestamp(stop))
    .replace(/[\u2009\u202f]/g, ' ');
  return `${range}${allday ? '' : ` (${tz})`}${rule ? ', repeated' : ''}`;
}

const renderText = (facts: [string, string][], links: Link[]): string =>
  [
    ...facts.map(([label, value]) => `${label}: ${value}`),
    ...(links.length ? ['', 'Will you attend?', ...links.map(({ label, url }) => `${label}: ${url}`)] : []),
    '',
  ].join('\n');

const renderHtmlBody = (facts: [string, string][], links: Link[]): string =>
  [
    '<table>',
    ...facts.map(
      ([label, value]) =>
        `<tr><th align="left" valign="top">${label}</th><td>${escapeHtml(value).replace(/\n/g, '<br>')}</td></tr>`,
    ),
    '</table>',
    links.length ? `<p>Will you attend? ${links.map(renderLink).join(' · ')}</p>` : '',
  ].join('');

const renderLink = ({ label, url }: Link): string => `<a href="${escapeHtml(url)}">${label}</a>`;
