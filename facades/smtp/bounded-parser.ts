import {
  type HeaderLine,
  MailParser,
  type ParsedAddress,
  type ParsedAddresses,
  type ParsedHeaders,
} from 'mailparser';
import { limits } from '../../src/limits.ts';
import { parseAddresses } from '../../src/mail/parse/addresses.ts';
import { smtpReplies } from './replies.ts';

/** Texts are taken as they are: to make one from the other is the composer's, which bounds what that costs. */
const PARSER_OPTIONS = { skipHtmlToText: true, skipTextToHtml: true, skipTextLinks: true };

/**
 * A parser whose time is linear in the size of a header, of which it takes a bounded number of bytes. The package's
 * own reading of addresses is neither.
 */
export class BoundedParser extends MailParser {
  constructor() {
    super({ ...PARSER_OPTIONS, maxHeadSize: limits.submission.header });
  }

  override processHeaders(lines: HeaderLine[]): ParsedHeaders {
    const fields = lines.filter(({ key }) => ADDRESSES.test(key));
    if (fields.reduce((sum, { line }) => sum + line.length, 0) > limits.submission.addresses) {
      this.destroy(smtpReplies.tooManyAddresses(limits.submission.addresses));
      return new Map();
    }
    const headers = super.processHeaders(lines.filter(({ key }) => !ADDRESSES.test(key) && !LISTS.test(key)));
    for (const { key, line } of fields) {
      const named = parseAddresses(line.slice(line.indexOf(':') + 1).replace(/\r?\n/g, ''));
      const before = isSingle(key) ? [] : ((headers.get(key) as ParsedAddresses | undefined)?.value ?? []);
      const value = [...before, ...named];
      headers.set(key, this.#shown(value));
    }
    return headers;
  }

  /** As the package shows the header of a message within a message, and of no other. */
  #shown(value: ParsedAddress[]): ParsedAddresses {
    const [html, text] = [() => this.getAddressesHTML(value), () => this.getAddressesText(value)];
    return {
      value,
      get html() {
        return html();
      },
      get text() {
        return text();
      },
    };
  }
}

/** The fields that the package reads as addresses. */
const ADDRESSES = /^(?:from|to|cc|bcc|sender|reply-to|delivered-to|return-path|disposition-notification-to)$/;

/** Also read as addresses by the package; they go on as they came. */
const LISTS = /^list-/;

/** Of these, the last counts. */
const isSingle = (key: string): boolean => key === 'from' || key === 'reply-to';
