import type { strings as english } from '../en/mail-search.ts';

export const strings: typeof english = {
  search: 'Post durchsuchen',
  hint: 'from:anna has:attachment Protokoll',
  suggestions: 'Vorschläge',
  recent: 'Letzte Suchen',
  remove: (part) => `${part} entfernen`,
  not: (part) => `nicht ${part}`,
  notUnderstood: 'Ein Teil der Suche wurde ignoriert, daher kann es zusätzliche Treffer geben.',
  operators: {
    from: 'Von',
    to: 'An',
    subject: 'Betreff',
    has: 'Hat',
    is: 'Ist',
    in: 'In',
    label: 'Label',
    after: 'Seit',
    before: 'Vor',
    newer_than: 'Neuer als',
    older_than: 'Älter als',
    filename: 'Dateiname',
    larger: 'Größer als',
    smaller: 'Kleiner als',
    cc: 'Cc',
    bcc: 'Bcc',
    list: 'Mailingliste',
    deliveredto: 'Zugestellt an',
    rfc822msgid: 'Message-ID',
    thread: 'Unterhaltung',
  },
  examples: {
    after: '2026/01/31',
    before: '2026/01/31',
    newer_than: '7d',
    older_than: '1y',
    larger: '5M',
    smaller: '100K',
  },
  notes: {
    prefix: (word, count) =>
      `„${word}*“ braucht ${count} Buchstaben vor dem Stern und wurde als Wort gesucht.`,
    needsValue: (name) => `„${name}:“ braucht einen Wert.`,
    notDate: (text) => `„${text}“ ist kein Datum. Verwenden Sie JJJJ/MM/TT.`,
    notAge: (text) => `„${text}“ ist keine Altersangabe. Verwenden Sie 3d, 2m oder 1y.`,
    notSize: (text) => `„${text}“ ist keine Größe. Verwenden Sie 10K oder 5M.`,
    notFolder: (text) =>
      `Unbekannter Ordner „${text}“. Verwenden Sie einen Ordnernamen oder inbox, sent, spam, trash, archive ` +
      'oder anywhere.',
    notKnown: (text, values) =>
      `Unbekannter Wert „${text}“. Verwenden Sie ${values.replace(' or ', ' oder ')}.`,
    noLabel: (name) => `Label „${name}“ nicht gefunden.`,
    notOperator: (name) => `„${name}:“ ist kein Operator und wurde als Wort gesucht.`,
    bracketNotOpened: () => 'Zu einer schließenden Klammer fehlt die öffnende.',
    bracketNotClosed: () => 'Eine Klammer ist nicht geschlossen.',
    quoteNotClosed: () =>
      'Ein Anführungszeichen ist nicht geschlossen. Der Rest wurde als Wortfolge gesucht.',
    tooManyTerms: (count) => `Nur die ersten ${count} Begriffe wurden berücksichtigt.`,
    tooLong: (count) => `Nur die ersten ${count} Zeichen wurden berücksichtigt.`,
    wordTooLong: () => 'Ein Wort mit mehr als 64 Zeichen wurde ignoriert.',
  },
};
