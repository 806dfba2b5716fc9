import { useEffect, useState } from 'react';
import { client } from '../../graphql/client.ts';
import type { MailState } from '../address.ts';
import type { MailLocation } from '../mail-location.ts';
import { MailSearchPeopleDocument } from './generated.ts';
import { formatPart, OPERATORS, type Operator, type TypedTerm } from './grammar.ts';
import { searchStrings } from './strings.ts';

export interface Suggestion {
  /** String that replaces the typed text. */
  text: string;
  about: string;
}

const OPERATOR_VALUES: Partial<Record<Operator, readonly string[]>> = {
  has: ['attachment'],
  is: ['unread', 'read', 'starred', 'answered'],
  newer_than: ['7d', '1m', '1y'],
  older_than: ['7d', '1m', '1y'],
  larger: ['1M', '5M', '10M'],
  smaller: ['100K', '1M'],
};

const FOLDER_NAMES = ['inbox', 'sent', 'archive', 'spam', 'trash', 'anywhere'];
const PEOPLE_OPERATORS: ReadonlySet<Operator | null> = new Set([
  'from',
  'to',
  'cc',
  'bcc',
  'deliveredto',
] as const);
const MAX_SUGGESTIONS = 8;

function buildSuggestions(
  term: TypedTerm,
  { labels, folders }: Pick<MailState, 'labels' | 'folders'>,
  location: MailLocation,
) {
  const minus = term.isNegated ? '-' : '';
  const prefix = term.text.toLowerCase();
  const { operator } = term;
  if (!operator)
    return OPERATORS.filter((operator) => operator.startsWith(prefix)).map((item) => ({
      text: `${minus}${item}:`,
      about: [searchStrings.operators[item], searchStrings.examples[item]].filter(Boolean).join(', '),
    }));
  const getNamesInMailbox = (things: readonly { accountId: string; name: string }[]) =>
    things
      .filter(({ accountId }) => location.mailbox === null || accountId === location.mailbox)
      .map(({ name }) => name);
  const values =
    operator === 'label'
      ? getNamesInMailbox(labels)
      : operator === 'in'
        ? [...FOLDER_NAMES, ...getNamesInMailbox(folders.filter(({ type }) => !type))]
        : (OPERATOR_VALUES[operator] ?? []);
  return [...new Set(values)]
    .filter((value) => value.toLowerCase().startsWith(prefix) && value !== term.text)
    .slice(0, MAX_SUGGESTIONS)
    .map((value) => ({ text: `${minus}${formatPart(operator, value)} `, about: '' }));
}

/** Delay after the last keystroke. */
const SUGGESTION_DELAY_MS = 120;

/** Returns completions for the typed term. Requests people's names from the server. */
export function useSearchSuggestions(
  term: TypedTerm | null,
  state: MailState,
  location: MailLocation,
): Suggestion[] {
  const [people, setPeople] = useState<{ query: string; offers: Suggestion[] }>({ query: '', offers: [] });
  const operator = term?.operator ?? null;
  const query = PEOPLE_OPERATORS.has(operator) && operator ? (term?.text ?? '') : '';
  const mailbox = location.folder.accountId;
  const minus = term?.isNegated ? '-' : '';
  useEffect(() => {
    if (!query || !operator) return;
    let isOld = false;
    const timer = setTimeout(async () => {
      const { data } = await client.query(MailSearchPeopleDocument, { mailbox, query }).toPromise();
      const offers = (data?.mailSuggestions ?? [])
        .filter(({ email }) => email !== query)
        .map(({ name, email }) => ({ text: `${minus}${formatPart(operator, email)} `, about: name }));
      if (!isOld) setPeople({ query, offers });
    }, SUGGESTION_DELAY_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [mailbox, query, operator, minus]);
  if (!term) return [];
  return query ? (people.query === query ? people.offers : []) : buildSuggestions(term, state, location);
}
