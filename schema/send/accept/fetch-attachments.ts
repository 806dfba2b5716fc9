import { clientGone } from '../../../src/db/stoppable.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { AppError, errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { isMediaType } from '../../../src/mail/attachment.ts';
import { createBudget } from '../../../src/room.ts';
import { fileNameIn } from './email-files.ts';
import type { EmailInput, FileInput } from './email-input.ts';
import { type FetchedFile, fetchFile, NotFetched } from './fetch-file.ts';

const BUSY = 'Too many attachments are being fetched at the moment; try again.';

/** Requests of this process that fetch, and bytes that they hold. */
const seats = createBudget(limits.email.fetching, limits.email.fetchingOfOne, BUSY);
const memory = createBudget(limits.email.fetchedBytes, limits.email.fetchedBytesOfOne, BUSY);

/**
 * Calls `run` with the emails and the content of what they name by address, each address fetched once. No connection
 * to the database is held meanwhile.
 * @throws BAD_REQUEST that names the attachment, and in a batch the email; BUSY when too many are being fetched, or the
 * client has hung up
 */
export async function withFetched<T>(
  ctx: Ctx,
  { emails, batch }: { emails: EmailInput[]; batch: boolean },
  run: (emails: EmailInput[]) => Promise<T>,
): Promise<T> {
  const wanted = wantedOf(emails);
  if (wanted.size > limits.email.fetches)
    throw errors.badRequest(`attachments: at most ${limits.email.fetches} addresses (path) in one request.`);
  const { id } = ctx.workspace;
  seats.reserve(1, id);
  let held = 0;
  const take = (bytes: number) => {
    memory.reserve(bytes, id);
    held += bytes;
  };
  try {
    const files = await fetchAll(ctx, wanted, take).catch((error) => {
      throw batch && error instanceof NamedFault ? error.inBatch() : error;
    });
    return await run(emails.map((email) => filled(email, files)));
  } finally {
    seats.release(1, id);
    memory.release(held, id);
  }
}

/** The first place where an address is named. */
interface Place {
  email: number;
  file: number;
}

/** A file that cannot be had, and where it is named. */
class NamedFault extends AppError {
  readonly #at: number;
  constructor({ email, file }: Place, why: string) {
    super('BAD_REQUEST', `attachments[${file}].path: the file cannot be fetched: ${why}.`);
    this.#at = email;
  }
  /** The same as what other faults of an email in a batch look like. */
  inBatch = (): AppError => new AppError(this.kind, `${this.#at}: ${this.message}`);
}

function wantedOf(emails: readonly EmailInput[]): Map<string, Place> {
  const wanted = new Map<string, Place>();
  for (const [email, { attachments }] of emails.entries()) {
    for (const [file, { path }] of (attachments ?? []).entries())
      if (path && !wanted.has(path)) wanted.set(path, { email, file });
  }
  return wanted;
}

/** The first that fails ends the others; so does the client when it hangs up. */
async function fetchAll(
  { runtime: { config }, requestDb }: Ctx,
  wanted: Map<string, Place>,
  take: (bytes: number) => void,
): Promise<Map<string, KeptFile>> {
  const reach = { allowPrivate: config.attachmentAllowPrivate, dnsServers: config.dnsServers };
  const end = new AbortController();
  requestDb.onGone(() => end.abort());
  const signal = AbortSignal.any([end.signal, AbortSignal.timeout(limits.email.fetchTime)]);
  const files = new Map<string, KeptFile>();
  const waiting = [...wanted];
  let sum = 0;
  const fetchNext = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [path, place] = next;
      let own = 0;
      const count = (bytes: number) => {
        own += bytes;
        sum += bytes;
        if (own > limits.email.attachmentBytes || sum > MOST) throw new NotFetched('it is too large');
        take(bytes);
      };
      files.set(
        path,
        encoded(
          await fetchFile(new URL(path), { reach, agent: AGENT, signal, take: count }).catch(named(place)),
        ),
      );
    }
  };
  let fault: unknown;
  const fetchUntilFault = () =>
    fetchNext().catch((error) => {
      fault ??= error;
      end.abort();
    });
  await Promise.all(Array.from({ length: limits.email.fetchesAtOnce }, fetchUntilFault));
  if (requestDb.isClientGone()) throw clientGone();
  if (fault) throw fault;
  return files;
}

const AGENT = 'Atrium-Attachment/1.0';

/** Bytes that base64 makes as many of as one request may store. */
const MOST = (limits.email.requestBytes / 4) * 3;

const named = (place: Place) => (error: Error) => {
  throw error instanceof NotFetched ? new NamedFault(place, error.message) : error;
};

/** A file as emails keep it. */
interface KeptFile {
  /** Base64; all emails and places that name the file share the one text. */
  content: string;
  contentType: string | null;
}

const encoded = ({ content, contentType }: FetchedFile): KeptFile => ({
  content: content.toString('base64'),
  contentType,
});

const filled = (email: EmailInput, files: Map<string, KeptFile>): EmailInput => ({
  ...email,
  attachments: email.attachments?.map((file) => (file.path ? fileOf(file, files.get(file.path)!) : file)),
});

/** A file without a type and an extension has the type that its server names. */
function fileOf({ path, ...file }: FileInput, { content, contentType }: KeptFile): FileInput {
  const filename = file.filename || fileNameIn(path!);
  const isKnown = /\.[a-z0-9]{1,10}$/i.test(filename) || !contentType || !isMediaType(contentType);
  return {
    ...file,
    filename,
    content,
    contentType: file.contentType ?? (isKnown ? null : contentType),
  };
}
