import { useEffect, useState } from 'react';
import { client } from '../../graphql/client.ts';
import type { MailState } from '../address.ts';
import type { Place } from '../place.ts';
import { MailSearchPeopleDocument } from './generated.ts';
import { OPERATORS, type Operator, type Typed, writtenPart } from './grammar.ts';
import { searchWords } from './words.ts';

/** Something that a search can be completed by. */
export interface Offer {
  /** What is put in place of what was typed. */
  text: string;
  /** What it means, where that is not plain. */
  about: string;
}

/** Values that an operator knows. */
const VALUES: Partial<Record<Operator, readonly string[]>> = {
  has: ['attachment'],
  is: ['unread', 'read', 'starred', 'answered'],
  newer_than: ['7d', '1m', '1y'],
  older_than: ['7d', '1m', '1y'],
  larger: ['1M', '5M', '10M'],
  smaller: ['100K', '1M'],
};

const PLACES = ['inbox', 'sent', 'archive', 'spam', 'trash', 'anywhere'];
const PEOPLE: ReadonlySet<Operator | null> = new Set(['from', 'to', 'cc', 'bcc', 'deliveredto'] as const);
const MOST = 8;

/** What can be known without asking the server. Pure. */
export function offersFor(
  typed: Typed,
  { labels, folders }: Pick<MailState, 'labels' | 'folders'>,
  place: Place,
) {
  const minus = typed.isNegated ? '-' : '';
  const begun = typed.text.toLowerCase();
  const { operator } = typed;
  if (!operator)
    return OPERATORS.filter((each) => each.startsWith(begun)).map((each) => ({
      text: `${minus}${each}:`,
      about: [searchWords.operators[each], searchWords.examples[each]].filter(Boolean).join(', '),
    }));
  const own = (things: readonly { accountId: string; name: string }[]) =>
    things
      .filter(({ accountId }) => place.mailbox === null || accountId === place.mailbox)
      .map(({ name }) => name);
  const values =
    operator === 'label'
      ? own(labels)
      : operator === 'in'
        ? [...PLACES, ...own(folders.filter(({ type }) => !type))]
        : (VALUES[operator] ?? []);
  return [...new Set(values)]
    .filter((value) => value.toLowerCase().startsWith(begun) && value !== typed.text)
    .slice(0, MOST)
    .map((value) => ({ text: `${minus}${writtenPart(operator, value)} `, about: '' }));
}

/** Milliseconds without a key after which the server is asked. */
const PAUSE = 120;

/** What completes what is typed; people come from the server. */
export function useOffers(typed: Typed | null, state: MailState, place: Place): Offer[] {
  const [people, setPeople] = useState<{ query: string; offers: Offer[] }>({ query: '', offers: [] });
  const operator = typed?.operator ?? null;
  const query = PEOPLE.has(operator) && operator ? (typed?.text ?? '') : '';
  const mailbox = place.folder.accountId;
  const minus = typed?.isNegated ? '-' : '';
  useEffect(() => {
    if (!query || !operator) return;
    let isOld = false;
    const timer = setTimeout(async () => {
      const { data } = await client.query(MailSearchPeopleDocument, { mailbox, query }).toPromise();
      const offers = (data?.mailSuggestions ?? [])
        .filter(({ email }) => email !== query)
        .map(({ name, email }) => ({ text: `${minus}${writtenPart(operator, email)} `, about: name }));
      if (!isOld) setPeople({ query, offers });
    }, PAUSE);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [mailbox, query, operator, minus]);
  if (!typed) return [];
  return query ? (people.query === query ? people.offers : []) : offersFor(typed, state, place);
}
