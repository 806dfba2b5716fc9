// Typical messages: plain text, the same content as HTML, and the headers added in transit.

const HTML_CHARS = 15_500;
const TEXT_CHARS = 2_200;

/** Returns a word with a skewed frequency: a few words occur in nearly every message, and most are rare. */
const pickWord = (seed: number): string => {
  const share = ((seed * 2_654_435_761) >>> 8) / 2 ** 24;
  return `w${Math.floor(Math.exp(share * Math.log(300_000)))}`;
};

function buildWords(seed: number, characters: number, between: (index: number) => string): string {
  let text = '';
  for (let i = 1; text.length < characters; i++) text += pickWord(seed * 7_919 + i) + between(i);
  return text;
}

/**
 * Builds a 20 kB message.
 * @param id unique, used in the Message-ID
 */
export function buildMail(id: string, seed: number, to: string): Buffer {
  const edge = `=_${seed}`;
  const text = buildWords(seed, TEXT_CHARS, (index) => (index % 11 === 0 ? '\r\n' : ' '));
  // Little text and much markup, as in generated HTML.
  const style = 'style=3D"margin:0;padding:0;font-family:Arial,sans-serif" class=3D"a b c d e f"';
  const html = buildWords(seed, HTML_CHARS, (index) => (index % 4 === 0 ? `</td>=\r\n<td ${style}>` : ' '));
  return Buffer.from(
    'Received: from mail.example.org (mail.example.org [192.0.2.1])\r\n\tby mx.example.com with ESMTPS id 4711;\r\n' +
      '\tMon, 2 Nov 2026 10:00:00 +0000\r\nDKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=s1;\r\n' +
      `\th=from:to:subject:date; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=;\r\n\tb=${'QUJD'.repeat(80)}\r\n` +
      `From: Sender ${seed % 5000} <sender${seed % 5000}@example.org>\r\nTo: ${to}\r\nSubject: ${pickWord(seed)} ${pickWord(seed + 1)}\r\n` +
      `Date: Mon, 2 Nov 2026 10:00:00 +0000\r\nMessage-ID: <${id}@example.org>\r\nMIME-Version: 1.0\r\n` +
      `Content-Type: multipart/alternative; boundary="${edge}"\r\n\r\n--${edge}\r\n` +
      `Content-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n--${edge}\r\nContent-Type: text/html; charset=utf-8\r\n` +
      `Content-Transfer-Encoding: quoted-printable\r\n\r\n<html><body><table><tr><td>${html}</td></tr></table></body></html>\r\n` +
      `--${edge}--\r\n`,
  );
}
