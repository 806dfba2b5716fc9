import {
  type HeaderLine,
  MailParser,
  type ParsedAddress,
  type ParsedAddresses,
  type ParsedHeaders,
} from 'mailparser';
import { limits } from '../../src/limits.ts';
import { parseAddresses } from '../../src/message/parse/addresses.ts';
import { smtpReplies } from './replies.ts';

const MAX_ADDRESS_HEADER_BYTES = 64 * 1024;

/** Keeps text and HTML unchanged. If one is missing, the composer derives it from the other at a bounded cost. */
const PARSER_OPTIONS = { skipHtmlToText: true, skipTextToHtml: true, skipTextLinks: true };

/** A linear-time parser that limits header bytes. The package's address parsing is not linear. */
export class BoundedParser extends MailParser {
  constructor() {
    super({ ...PARSER_OPTIONS, maxHeadSize: limits.submission.header });
  }

  override processHeaders(lines: HeaderLine[]): ParsedHeaders {
    const fields = lines.filter(({ key }) => ADDRESSES.test(key));
    if (fields.reduce((sum, { line }) => sum + line.length, 0) > MAX_ADDRESS_HEADER_BYTES) {
      this.destroy(smtpReplies.tooManyAddresses(MAX_ADDRESS_HEADER_BYTES));
      return new Map();
    }
    const headers = super.processHeaders(lines.filter(({ key }) => !ADDRESSES.test(key) && !LISTS.test(key)));
    for (const { key, line } of fields) {
      const addresses = parseAddresses(line.slice(line.indexOf(':') + 1).replace(/\r?\n/g, ''));
      const before = isSingle(key) ? [] : ((headers.get(key) as ParsedAddresses | undefined)?.value ?? []);
      const value = [...before, ...addresses];
      headers.set(key, this.#shown(value));
    }
    return headers;
  }

  /** Computes `html` and `text` lazily, because the package uses them only for the headers of nested messages. */
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

const ADDRESSES = /^(?:from|to|cc|bcc|sender|reply-to|delivered-to|return-path|disposition-notification-to)$/;

/** Header fields that are passed on unchanged. The package would parse them as addresses. */
const LISTS = /^list-/;

/** True for fields whose last occurrence replaces earlier ones. */
const isSingle = (key: string): boolean => key === 'from' || key === 'reply-to';
