import type { strings as english } from '../en/suppressions.ts';

export const strings: typeof english = {
  title: 'Sperrliste',
  none: 'Keine Adresse ist gesperrt',
  noneText:
    'Adressen, die endgültig abgewiesen wurden oder eine E-Mail als Spam gemeldet haben, kommen von selbst hierher, ' +
    'und an sie wird nichts mehr gesendet. Sie können auch selbst welche hinzufügen.',
  noneFits: 'Keine Adresse passt zu diesen Filtern',
  showAll: 'Alle Adressen zeigen',
  count: { one: '# Adresse', other: '# Adressen' },
  searchHint: 'Teil einer Adresse',
  total: 'Insgesamt',
  reason: 'Grund',
  reasons: {
    HARD_BOUNCE: 'Abgewiesen',
    SOFT_BOUNCE: 'Mehrmals abgewiesen',
    COMPLAINT: 'Als Spam gemeldet',
    MANUAL: 'Von Hand hinzugefügt',
  },
  meanings: {
    HARD_BOUNCE:
      'Eine E-Mail an diese Adresse wurde endgültig abgewiesen, darum wird nichts mehr dorthin gesendet.',
    SOFT_BOUNCE:
      'Mehrere E-Mails an diese Adresse wurden vorübergehend abgewiesen, zum Beispiel weil das Postfach voll ist. ' +
      'Darum wird eine Zeit lang nichts dorthin gesendet.',
    COMPLAINT: 'Der Empfänger hat eine E-Mail als Spam gemeldet, darum wird nichts mehr dorthin gesendet.',
    MANUAL:
      'Diese Adresse wurde von Hand oder durch einen Import hinzugefügt. Es wird nichts dorthin gesendet.',
  },
  since: (when) => `Auf der Liste seit ${when}`,
  until: (when) => `Läuft ab: ${when}`,
  remove: 'Von der Liste nehmen',
  removeText: {
    HARD_BOUNCE:
      'Nehmen Sie sie von der Liste, wenn es das Postfach wieder gibt. An tote Adressen zu senden schadet Ihrem Ruf.',
    SOFT_BOUNCE:
      'Nehmen Sie sie von der Liste, wenn das Postfach wieder E-Mails annimmt. Sonst läuft der Eintrag von selbst ab.',
    COMPLAINT: 'Nehmen Sie sie nur von der Liste, wenn der Empfänger Ihre E-Mails wieder wünscht.',
    MANUAL: 'Danach werden E-Mails an sie wieder gesendet.',
  },
  removed: (email) => `${email} wurde von der Liste genommen.`,
  export: 'Exportieren',
  add: 'Adressen hinzufügen',
  addText:
    'An Adressen auf der Liste wird nichts gesendet, was auch immer ein Programm oder eine Kampagne verlangt.',
  addresses: 'Adressen',
  addressesHint: 'Eine je Zeile oder durch Kommas getrennt. Höchstens 1.000 auf einmal.',
  added: { one: '# Adresse wurde hinzugefügt.', other: '# Adressen wurden hinzugefügt.' },
};
