import { limits } from '../../src/limits.ts';
import { yieldToOthers } from '../../src/loop/yield.ts';
import { findBodyParts } from '../../src/message/parse/body-parts.ts';
import { parseHeaderFields } from '../../src/message/parse/header-fields.ts';
import { createMessageScanner, type ScannedPart } from '../../src/message/parse/scan.ts';
import buildSubmittedText, {
  readSubmittedMail,
  type SubmittedMail,
  type TextSource,
} from '../../src/message/parse/submitted-mail.ts';
import { runInThread, type TaskOwner } from '../../src/thread.ts';
import { smtpReplies } from './replies.ts';

export type { SubmittedFile, SubmittedMail } from '../../src/message/parse/submitted-mail.ts';

const MAX_ADDRESS_HEADER_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 192 * 1024;
/** Larger texts are decoded in a worker thread. */
const MIN_THREAD_BYTES = 128 * 1024;
const THREAD_OPTIONS = { ms: 10_000 };
const THREAD_URL = new URL('../../src/message/parse/submitted-mail.ts', import.meta.url);
/** Size of each buffer. A client that sends its message in tiny pieces does not use more memory. */
const BLOCK_BYTES = 64 * 1024;

export type MessageReceiver = ReturnType<typeof createMessageReceiver>;
export type ReceivedMessage = ReturnType<MessageReceiver['end']>;

/**
 * Finds the parts of a message while it arrives, and keeps its bytes. Both methods throw an SmtpReply if the message is
 * not acceptable.
 */
export function createMessageReceiver() {
  const scanner = createMessageScanner();
  const blocks: Buffer[] = [];
  let size = 0;
  return {
    push(chunk: Buffer): void {
      scanner.push(chunk);
      for (let from = 0; from < chunk.length; ) {
        if (size % BLOCK_BYTES === 0) {
          checkParts(scanner.parts);
          blocks.push(Buffer.allocUnsafe(BLOCK_BYTES));
        }
        const copied = chunk.copy(blocks.at(-1)!, size % BLOCK_BYTES, from);
        from += copied;
        size += copied;
      }
    },
    end() {
      const scan = scanner.end();
      checkParts(scan.parts);
      if (scan.truncated) throw smtpReplies.invalidMessage();
      return { raw: { size, read: (from: number, to: number) => readBlocks(blocks, from, to) }, scan };
    },
  };
}

async function* readBlocks(blocks: Buffer[], from: number, to: number): AsyncGenerator<Buffer> {
  for (let start = from; start < to; ) {
    const pause = yieldToOthers();
    if (pause) await pause;
    const offset = start % BLOCK_BYTES;
    const bytes = blocks[Math.floor(start / BLOCK_BYTES)]!.subarray(offset, offset + to - start);
    yield bytes;
    start += bytes.length;
  }
}

/**
 * Signed and encrypted types (RFC 1847, RFC 8551). Their bytes must not change, but composing a message from parts can
 * change them.
 */
const SIGNED_OR_ENCRYPTED = /^(?:multipart\/(?:signed|encrypted)|application\/(?:x-)?pkcs7-mime)$/;

/** Mailing lists nest signed parts. Parts of attached messages are not listed, because attachments do not change. */
function checkParts(parts: readonly ScannedPart[]): void {
  const isSigned = ({ type }: ScannedPart, index: number) =>
    SIGNED_OR_ENCRYPTED.test(type) && (index === 0 || type.startsWith('multipart/'));
  if (parts.some(isSigned)) throw smtpReplies.signedOrEncrypted();
  if (parts.some(({ headerFrom, bodyFrom }) => bodyFrom - headerFrom > MAX_HEADER_BYTES))
    throw smtpReplies.headerTooLarge(MAX_HEADER_BYTES);
  if (findBodyParts(parts).attachments.length > limits.email.attachments)
    throw smtpReplies.tooManyFiles(limits.email.attachments);
}

/**
 * @param owner workspace that the work is attributed to
 * @throws SmtpReply; BUSY if decoding the text takes too long
 */
export async function parseMessage({ raw, scan }: ReceivedMessage, owner: TaskOwner): Promise<SubmittedMail> {
  const fields = parseHeaderFields(scan.header);
  const addressFields = fields.filter(({ name }) => ADDRESSES.test(name));
  if (addressFields.reduce((sum, { latin1 }) => sum + latin1.length, 0) > MAX_ADDRESS_HEADER_BYTES)
    throw smtpReplies.tooManyAddresses(MAX_ADDRESS_HEADER_BYTES);
  return readSubmittedMail(raw, scan.parts, fields, (source) => buildText(source, owner));
}

const ADDRESSES = /^(?:from|to|cc|bcc|sender|reply-to|delivered-to|return-path|disposition-notification-to)$/;

function buildText(source: TextSource, owner: TaskOwner) {
  const bytes = [...source.texts.values()].reduce((sum, { length }) => sum + length, 0);
  if (bytes < MIN_THREAD_BYTES) return buildSubmittedText(source);
  return runInThread<ReturnType<typeof buildSubmittedText>>(THREAD_URL, source, owner, THREAD_OPTIONS);
}
