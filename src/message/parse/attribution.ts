/** Verbs of "On …, Ann wrote:" as written by mail clients, surrounded by spaces. */
const ATTRIBUTION_VERBS = [
  ...['wrote', 'writes', 'schrieb', 'a écrit', 'escribió', 'escribio', 'ha scritto', 'scrisse'],
  ...['schreef', 'escreveu', 'het volgende geschreven', 'написал', 'написала', 'написал(а)', 'пишет'],
  ...['napisał', 'napisała', 'napisał(a)', 'napisał/a', 'napsal', 'napsal(a)', 'skrev', 'kirjoitti', 'yazdı'],
].map((operation) => ` ${operation} `);

/** Endings of attributions in languages without spaces between words, and their short forms. */
const ATTRIBUTION_ENDINGS = ['写道', '寫道', '写到', '님이 작성', '작성', 'のメッセージ', 'さんは書きました'];

const ATTRIBUTION_OPENERS = new Set('on am le el il op em no a at den vom'.split(' '));

const MAX_FOLDED_LINES = 4;
const MAX_ATTRIBUTION_CHARS = 500;

/** Counts the lines of the attribution that starts at `index`, at most four. 0 if there is none. */
export function countAttributionLines(lines: readonly string[], index: number): number {
  const folded: string[] = [];
  let length = 0;
  while (folded.length < MAX_FOLDED_LINES) {
    const line = lines[index + folded.length]?.trim() ?? '';
    length += line.length;
    if (line === '' || line.startsWith('>') || length > MAX_ATTRIBUTION_CHARS) return 0;
    folded.push(line);
    if (isColon(line.at(-1)))
      return isAttribution(folded.map(normalizeWords), isQuoteNext(lines, index + folded.length))
        ? folded.length
        : 0;
  }
  return 0;
}

const isColon = (char: string | undefined): boolean => char === ':' || char === '：';

const normalizeWords = (line: string): string =>
  ` ${line
    .replace(/[\s,:：]+/g, ' ')
    .trim()
    .toLowerCase()} `;

/**
 * If no quote follows, an attribution must contain a time or an address, because the next paragraph may be the
 * author's. An attribution of several lines must start with a date, and no later line may start another one.
 */
function isAttribution(folded: string[], isBeforeQuote: boolean): boolean {
  const text = folded.join('');
  if (!hasOperation(text)) return false;
  if (folded.length > 1) {
    if (!(hasOpener(folded[0]!) || hasEasternDate(text)) || !/\d/.test(folded[0]!)) return false;
    if (folded.some((_line, from) => from > 0 && isDated(folded.slice(from).join('')))) return false;
  }
  return isBeforeQuote || /<[^<>\s]{1,254}@/.test(text) || isDated(text);
}

const hasOperation = (text: string): boolean => {
  const phrase = text.replace(/ {2,}/g, ' ');
  if (ATTRIBUTION_VERBS.some((operation) => phrase.includes(operation))) return true;
  // Gmail in Japanese writes only the date and the author.
  if (/^ (?:19|20)\d\d年[^<>]{0,200}<[^<>\s]{1,254}@[^<>\s]{1,254}> $/.test(phrase)) return true;
  return ATTRIBUTION_ENDINGS.some((ending) => phrase.trimEnd().endsWith(ending));
};

/** Matches a Chinese, Japanese or Korean date, or a date that starts with a number, as in Russian. */
const hasEasternDate = (text: string): boolean => /(?:19|20)\d\d ?[年년г]/.test(text);

const hasOpener = (text: string): boolean => ATTRIBUTION_OPENERS.has(text.trimStart().split(' ', 1)[0]!);

/**
 * Returns true if the text starts like a date and has a year or a time. `normalizeWords` has reduced the time to two
 * numbers.
 */
const isDated = (text: string): boolean =>
  hasOperation(text) &&
  (hasOpener(text) || hasEasternDate(text)) &&
  /\b(?:19|20)\d\d\b|\d[ .h]\d\d\b/.test(text);

function isQuoteNext(lines: readonly string[], index: number): boolean {
  let next = index;
  while (next < index + 2 && lines[next]?.trim() === '') next += 1;
  return lines[next]?.trimStart().startsWith('>') ?? false;
}

/** Fields of the header that Outlook copies into a reply, by translated name. */
const HEADER_FIELDS: Record<string, string> = {};
const FIELD_NAMES = {
  from: [
    ...['from', 'von', 'de', 'da', 'van', 'expéditeur', 'remitente', 'mittente'],
    ...['发件人', '寄件者', '寄件人', '差出人', '送信者', '보낸 사람', 'от', 'nadawca'],
  ],
  date: [
    'sent',
    'date',
    'gesendet',
    'datum',
    'envoyé',
    'enviado',
    'enviado el',
    'enviada em',
    'fecha',
    'inviato',
  ],
  dateToo: [
    ...['data', 'verzonden', 'envoyé le', 'gesendet am', 'enviada', 'date d’envoi', 'wysłano'],
    ...[
      '发送时间',
      '日期',
      '寄件日期',
      '傳送時間',
      '送信日時',
      '日時',
      '보낸 날짜',
      '날짜',
      'отправлено',
      'дата',
    ],
  ],
  to: [
    ...['to', 'an', 'à', 'para', 'a', 'aan', 'cc', 'destinataire', 'do'],
    ...['收件人', '收件者', '宛先', '받는 사람', '抄送', '副本', 'кому'],
  ],
  subject: [
    ...['subject', 'betreff', 'objet', 'asunto', 'oggetto', 'onderwerp', 'assunto'],
    ...['主题', '主旨', '主題', '件名', '제목', 'тема', 'temat'],
  ],
};
for (const [field, names] of Object.entries(FIELD_NAMES))
  for (const name of names) HEADER_FIELDS[name] = field.replace('Too', '');

const HEADER_WINDOW_LINES = 8;

/**
 * Returns true if a copied header starts here: a From line, closely followed by at least two of the fields date,
 * recipients and subject.
 */
export function isCopiedHeader(lines: readonly string[], index: number): boolean {
  if (findHeaderField(lines[index]!) !== 'from') return false;
  const copiedFields = new Set(lines.slice(index + 1, index + HEADER_WINDOW_LINES).map(findHeaderField));
  return ['date', 'to', 'subject'].filter((field) => copiedFields.has(field)).length >= 2;
}

const MAX_FIELD_NAME_CHARS = 40;

/** Recognizes formatted names, such as `*Von:* Ann` for `from`. */
function findHeaderField(line: string): string | undefined {
  const colon = line.slice(0, MAX_FIELD_NAME_CHARS).search(/[:：]/);
  if (colon < 1) return undefined;
  const name = line.slice(0, colon).replace(/[*_>]/g, '').trim().toLowerCase();
  return Object.hasOwn(HEADER_FIELDS, name) ? HEADER_FIELDS[name] : undefined;
}

const DIVIDER_TEXTS = [
  ...['original message', 'forwarded message', 'ursprüngliche nachricht', 'originalnachricht'],
  ...[
    'weitergeleitete nachricht',
    'message original',
    "message d'origine",
    'message d’origine',
    'message transféré',
  ],
  ...['mensaje original', 'mensaje reenviado', 'messaggio originale', 'messaggio inoltrato'],
  ...['oorspronkelijk bericht', 'doorgestuurd bericht', 'mensagem original', 'mensagem encaminhada'],
  ...[
    'begin forwarded message',
    'anfang der weitergeleiteten nachricht',
    'original-nachricht',
    'original mail',
  ],
  ...[
    '原始邮件',
    '原始郵件',
    '转发的邮件',
    '轉寄的郵件',
    '元のメッセージ',
    '転送メッセージ',
    '원본 메시지',
    '원본 메일',
  ],
  ...['исходное сообщение', 'пересылаемое сообщение', 'wiadomość oryginalna', 'wiadomość przekazana'],
];

/** Recognizes a line such as `-----Original Message-----`, which precedes another message. */
export function isDivider(line: string): boolean {
  if (line.length > 120 || !/^(?:[-_*]{2}|begin|anfang)/i.test(line)) return false;
  const text = line
    .replace(/[-_*:]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
  return DIVIDER_TEXTS.some((dividerText) => text === dividerText.replaceAll('-', ' '));
}
