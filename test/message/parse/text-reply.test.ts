import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extractReply } from '../../../src/message/parse/text-reply.ts';
import { getCpuTime } from '../../harness/cpu.ts';

const quote = '> Can you come?\n> Ann\n';

test.each([
  ['English', 'On Mon, Nov 2, 2026 at 3:04 AM Ann Berg <ann@example.com> wrote:'],
  ['English, Apple Mail', 'On 2 Nov 2026, at 03:04, Ann Berg <ann@example.com> wrote:'],
  [
    'English, over two lines',
    'On Mon, Nov 2, 2026 at 3:04 AM Ann Berg with a long name\n<ann@example.com> wrote:',
  ],
  ['English, over three lines', 'On Mon, Nov 2, 2026 at 3:04 AM\nAnn Berg\n<ann@example.com> wrote:'],
  ['English, name first', 'Ann Berg <ann@example.com> wrote on Mon, Nov 2:'],
  ['German', 'Am Mo., 2. Nov. 2026 um 03:04 Uhr schrieb Ann Berg <ann@example.com>:'],
  ['German, Thunderbird', 'Am 02.11.2026 um 03:04 schrieb Ann Berg:'],
  ['German, name first', 'Ann Berg <ann@example.com> schrieb am Mo., 2. Nov. 2026, 03:04:'],
  ['French', 'Le lun. 2 nov. 2026 à 03:04, Ann Berg <ann@example.com> a écrit :'],
  ['French, non-breaking space', 'Le 2 nov. 2026 à 03:04, Ann Berg <ann@example.com> a écrit\u00a0:'],
  ['Spanish', 'El lun, 2 nov 2026 a las 3:04, Ann Berg (<ann@example.com>) escribió:'],
  ['Italian', 'Il giorno lun 2 nov 2026 alle ore 03:04 Ann Berg <ann@example.com> ha scritto:'],
  ['Dutch', 'Op ma 2 nov 2026 om 03:04 schreef Ann Berg <ann@example.com>:'],
  ['Portuguese', 'Em seg., 2 de nov. de 2026 às 03:04, Ann Berg <ann@example.com> escreveu:'],
  ['Chinese', 'Ann Berg <ann@example.com> 于2026年11月2日周一 03:04写道：'],
  ['Chinese, of Apple', '2026年11月2日 03:04，Ann Berg <ann@example.com> 写道：'],
  ['Chinese, over two lines', '在 2026年11月2日 03:04，Ann Berg 的邮件\n<ann@example.com> 写道：'],
  ['Chinese, traditional', 'Ann Berg <ann@example.com> 於 2026年11月2日 週一 上午3:04寫道：'],
  ['Japanese', '2026年11月2日(月) 3:04 Ann Berg <ann@example.com>:'],
  ['Korean', '2026년 11월 2일 (월) 오전 3:04, Ann Berg <ann@example.com>님이 작성:'],
  ['Russian', '2 ноября 2026 г., 03:04, Ann Berg <ann@example.com> написал(а):'],
  ['Polish', 'pon., 2 lis 2026 o 03:04 Ann Berg <ann@example.com> napisał(a):'],
  ['Swedish', 'Den mån 2 nov. 2026 kl 03:04 skrev Ann Berg <ann@example.com>:'],
])('extracts the reply above a quote with an attribution line in %s', (_case, attribution) => {
  expect(extractReply(`Yes, gladly.\n\nBob\n\n${attribution}\n\n${quote}`)).toBe('Yes, gladly.\n\nBob');
  expect(extractReply(`Yes.\r\n${attribution.replaceAll('\n', '\r\n')}\r\n${quote}`)).toBe('Yes.');
  expect(extractReply(`Yes.\n\n${attribution}\n\nCan you come?\nAnn`)).toBe('Yes.');
  expect(extractReply(`${attribution}\n${quote}\nYes, below.`)).toBe('Yes, below.');
});

test.each([
  ['English', 'From: Ann <ann@x.org>\nSent: Monday, November 2, 2026 3:04 AM\nTo: Bob\nSubject: Party'],
  ['English, bold', '*From:* Ann\n*Sent:* Monday\n*To:* Bob\n*Cc:* Cid\n*Subject:* Party'],
  ['German', 'Von: Ann\nGesendet: Montag, 2. November 2026 03:04\nAn: Bob\nBetreff: Party'],
  ['French', 'De : Ann\nEnvoyé : lundi 2 novembre 2026\nÀ : Bob\nObjet : Party'],
  ['Spanish', 'De: Ann\nEnviado el: lunes\nPara: Bob\nAsunto: Party'],
  ['Italian', 'Da: Ann\nInviato: lunedì\nA: Bob\nOggetto: Party'],
  ['Dutch', 'Van: Ann\nVerzonden: maandag\nAan: Bob\nOnderwerp: Party'],
  ['Portuguese', 'De: Ann\nEnviada em: segunda-feira\nPara: Bob\nAssunto: Party'],
  ['Chinese', '发件人: Ann\n发送时间: 2026年11月2日\n收件人: Bob\n主题: Party'],
  ['Chinese, traditional', '寄件者：Ann\n寄件日期：2026年11月2日\n收件者：Bob\n主旨：Party'],
  ['Japanese', '差出人: Ann\n送信日時: 2026年11月2日\n宛先: Bob\n件名: Party'],
  ['Korean', '보낸 사람: Ann\n보낸 날짜: 2026년 11월 2일\n받는 사람: Bob\n제목: Party'],
  ['Russian', 'От: Ann\nОтправлено: 2 ноября 2026 г.\nКому: Bob\nТема: Party'],
])('extracts the reply above an Outlook header in %s', (_case, header) => {
  expect(extractReply(`Yes.\n\n${header}\n\nCan you come?`)).toBe('Yes.');
  expect(extractReply(`Yes.\n\n________________________________\n${header}\n\nCan you come?`)).toBe('Yes.');
});

test.each([
  ['-----Original Message-----'],
  ['-------- Original Message --------'],
  ['-----Ursprüngliche Nachricht-----'],
  ["-----Message d'origine-----"],
  ['-----Mensaje original-----'],
  ['-----Messaggio originale-----'],
  ['-----Oorspronkelijk bericht-----'],
  ['-----Mensagem original-----'],
  ['---------- Forwarded message ---------'],
  ['Begin forwarded message:'],
  ['------------------ 原始邮件 ------------------'],
  ['-------- 元のメッセージ --------'],
  ['-----원본 메시지-----'],
  ['-----Исходное сообщение-----'],
])('removes the text after %s', (divider) => {
  expect(extractReply(`See below.\n\n${divider}\nFrom: Ann\n\nHello`)).toBe('See below.');
});

test.each([
  ['a signature', 'Yes.\n\n-- \nBob\nExample Ltd', 'Yes.'],
  ['a signature separator without the space', 'Yes.\n--\nBob', 'Yes.'],
  ['a phone signature', 'Yes.\n\nSent from my iPhone', 'Yes.'],
  [
    'a phone signature above a quote',
    `Yes.\n\nSent from my iPhone\n\nOn 2 Nov 2026, at 03:04, Ann wrote:\n\n${quote}`,
    'Yes.',
  ],
  ['a German phone signature', 'Ja.\n\nVon meinem iPhone gesendet', 'Ja.'],
  ['a French phone signature', 'Oui.\n\nEnvoyé de mon iPhone', 'Oui.'],
  ['a Spanish phone signature', 'Sí.\n\nEnviado desde mi iPhone', 'Sí.'],
  ['an Italian phone signature', 'Sì.\n\nInviato da iPhone', 'Sì.'],
  ['a Dutch phone signature', 'Ja.\n\nVerstuurd vanaf mijn iPhone', 'Ja.'],
  ['a Portuguese phone signature', 'Sim.\n\nEnviado do meu iPhone', 'Sim.'],
  ['Outlook on a phone', 'Yes.\n\nGet Outlook for iOS<https://aka.ms/o0ukef>', 'Yes.'],
  ['replies between quotes', `On Monday Ann wrote:\n> One?\nYes.\n\n> Two?\n\n\nNo.\n`, 'Yes.\n\nNo.'],
  ['a nested quote', 'Yes.\n> > One?\n>> Two?\n', 'Yes.'],
  ['only a quote', quote, ''],
  [
    'a message that is not a reply',
    'Dear Ann,\n\nthe plan:\n- a\n- b\n\nBob',
    'Dear Ann,\n\nthe plan:\n- a\n- b\n\nBob',
  ],
  [
    'a sentence that ends like an attribution',
    'He asked what she wrote:\nnothing at all',
    'He asked what she wrote:\nnothing at all',
  ],
  ['a short line above an attribution', `No thanks\nAnn <a@x.org> wrote:\n${quote}`, 'No thanks'],
  [
    'a line like an attribution above a real one',
    `On it, 2 of us.\nOn 2 Nov 2026, Ann wrote:\n${quote}`,
    'On it, 2 of us.',
  ],
  ['a line that starts with From', 'From: the start\nwe knew', 'From: the start\nwe knew'],
  ['a sentence about a phone', 'I saw it was\nSent from my iPhone', 'I saw it was\nSent from my iPhone'],
  ['an arrow', 'a -> b\n--> c', 'a -> b\n--> c'],
  ['no content', '', ''],
  ['a built-in object property name', 'constructor: x\n__proto__: y', 'constructor: x\n__proto__: y'],
])('extracts the reply from a text with %s', (_case, text, reply) => {
  expect(extractReply(text)).toBe(reply);
});

const line = fc.oneof(
  fc.constantFrom(
    'On 2 Nov 2026 at 03:04 Ann <a@x> wrote:',
    'On',
    'wrote:',
    '> q',
    '',
    '-- ',
    'From: a',
    'Sent: b',
    'To: c',
    '\r',
    '---',
    'Sent from my x',
    '-----Original Message-----',
  ),
  fc.fullUnicodeString({ maxLength: 20 }),
);

test('returns only lines of the input, in order', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.constantFrom('\n', '\r\n'), (lines, end) => {
      const text = lines.join(end);
      const inputLines = text
        .toWellFormed()
        .split(/\r\n|\r|\n/)
        .map((item) => item.trimEnd());
      let position = 0;
      for (const item of extractReply(text).split('\n').filter(Boolean)) {
        position = inputLines.indexOf(item, position) + 1;
        expect(position).toBeGreaterThan(0);
      }
    }),
    { numRuns: 3_000 },
  );
});

test('is idempotent', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('Yes.', 'No, thanks', '', 'a > b'), { maxLength: 10 }), (lines) => {
      const reply = extractReply(lines.join('\n'));
      expect(extractReply(reply)).toBe(reply);
      expect(extractReply(`${reply}\n\nOn 2 Nov 2026 at 03:04 Ann <a@x> wrote:\n${quote}`)).toBe(reply);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['unterminated attributions', 'On 2 Nov 2026\n'.repeat(1e5)],
  ['long lines', `On ${'a '.repeat(1e6)}`],
  ['headers', 'From: a\n'.repeat(2e5)],
  ['empty lines', '\n'.repeat(1e6)],
  ['dashes', `${'-'.repeat(1e6)}`],
  ['spaces', `${' '.repeat(1e6)}x`],
  ['spaces in lines', `${`${' '.repeat(400)}x\n`.repeat(2_000)}`],
  ['angle brackets', `On 2026 ${'<'.repeat(480)} wrote:\n`.repeat(3_000)],
])('extracts the reply from a long text of %s in time', (_case, text) => {
  const startTime = getCpuTime();
  extractReply(text);
  expect(getCpuTime() - startTime).toBeLessThan(10_000);
});
