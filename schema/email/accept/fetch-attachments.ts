import { createBudget } from '../../../src/budget.ts';
import { createClientGoneError } from '../../../src/db/stoppable.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { AppError, errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { isMediaType } from '../../../src/message/attachment.ts';
import { type FileInput, parseFileName } from './email-files.ts';
import type { EmailInput } from './email-input.ts';
import { FetchError, type FetchedFile, fetchFile } from './fetch-file.ts';

/** Maximum stored size of all emails in one request. */
export const MAX_REQUEST_BYTES = 64 * 1024 * 1024;
const MAX_FETCHES = 20;
const MAX_CONCURRENT_FETCHES = 4;
/** Maximum concurrent requests that fetch attachments, per workspace and process. */
export const MAX_FETCHING_REQUESTS_PER_WORKSPACE = 8;
const MAX_FETCHING_REQUESTS = 64;
const MAX_FETCHED_BYTES_PER_WORKSPACE = 64 * 1024 * 1024;
const MAX_FETCHED_BYTES_PER_PROCESS = 256 * 1024 * 1024;

const BUSY_MESSAGE = 'Too many attachments are being fetched at the moment. Try again.';

const fetchSlots = createBudget(MAX_FETCHING_REQUESTS, MAX_FETCHING_REQUESTS_PER_WORKSPACE, BUSY_MESSAGE);
const fetchBytes = createBudget(MAX_FETCHED_BYTES_PER_PROCESS, MAX_FETCHED_BYTES_PER_WORKSPACE, BUSY_MESSAGE);

/**
 * Calls `run` with the emails and the contents of their URLs. Fetches each URL once, without holding a database
 * connection.
 * @throws BAD_REQUEST that names the attachment and, in a batch, the email
 * @throws BUSY if too many files are being fetched, or the client has disconnected
 */
export async function withFetchedFiles<T>(
  ctx: Ctx,
  { emails, batch }: { emails: EmailInput[]; batch: boolean },
  run: (emails: EmailInput[]) => Promise<T>,
): Promise<T> {
  const urls = collectFileUrls(emails);
  if (urls.size > MAX_FETCHES)
    throw errors.badRequest(`attachments: a request may contain at most ${MAX_FETCHES} URLs (path).`);
  const { id } = ctx.workspace;
  fetchSlots.reserve(1, id);
  let reservedBytes = 0;
  const take = (bytes: number) => {
    fetchBytes.reserve(bytes, id);
    reservedBytes += bytes;
  };
  try {
    const files = await fetchAllFiles(ctx, urls, take).catch((error) => {
      throw batch && error instanceof FileFetchError ? error.inBatch() : error;
    });
    return await run(emails.map((email) => fillAttachments(email, files)));
  } finally {
    fetchSlots.release(1, id);
    fetchBytes.release(reservedBytes, id);
  }
}

/** Indexes of the email and the attachment that first use a URL. */
interface FilePosition {
  email: number;
  file: number;
}

class FileFetchError extends AppError {
  readonly #at: number;
  constructor({ email, file }: FilePosition, reason: string) {
    super('BAD_REQUEST', `attachments[${file}].path: the file cannot be fetched: ${reason}.`);
    this.#at = email;
  }
  inBatch = (): AppError => new AppError(this.kind, `${this.#at}: ${this.message}`);
}

function collectFileUrls(emails: readonly EmailInput[]): Map<string, FilePosition> {
  const urls = new Map<string, FilePosition>();
  for (const [email, { attachments }] of emails.entries()) {
    for (const [file, { path }] of (attachments ?? []).entries())
      if (path && !urls.has(path)) urls.set(path, { email, file });
  }
  return urls;
}

/** Fetches all URLs. If one fails or the client disconnects, aborts the others. */
async function fetchAllFiles(
  { runtime: { config }, requestDb }: Ctx,
  urls: Map<string, FilePosition>,
  take: (bytes: number) => void,
): Promise<Map<string, EncodedFile>> {
  const reach = { allowPrivate: config.attachmentAllowPrivate, dnsServers: config.dnsServers };
  const end = new AbortController();
  requestDb.onGone(() => end.abort());
  const signal = AbortSignal.any([end.signal, AbortSignal.timeout(limits.email.fetchTime)]);
  const files = new Map<string, EncodedFile>();
  const remainingUrls = [...urls];
  let sum = 0;
  const fetchNext = async () => {
    for (let next = remainingUrls.shift(); next; next = remainingUrls.shift()) {
      const [path, position] = next;
      let fileBytes = 0;
      const count = (bytes: number) => {
        fileBytes += bytes;
        sum += bytes;
        if (fileBytes > limits.email.attachmentBytes || sum > MAX_FETCHED_BYTES)
          throw new FetchError('it is too large');
        take(bytes);
      };
      files.set(
        path,
        encodeFile(
          await fetchFile(new URL(path), { reach, agent: USER_AGENT, signal, take: count }).catch(
            rethrowWithFilePosition(position),
          ),
        ),
      );
    }
  };
  let fault: unknown;
  const fetchUntilError = () =>
    fetchNext().catch((error) => {
      fault ??= error;
      end.abort();
    });
  await Promise.all(Array.from({ length: MAX_CONCURRENT_FETCHES }, fetchUntilError));
  if (requestDb.isClientGone()) throw createClientGoneError();
  if (fault) throw fault;
  return files;
}

const USER_AGENT = 'Atrium-Attachment/1.0';

/** Base64 expands this to the limit of stored bytes per request. */
const MAX_FETCHED_BYTES = (MAX_REQUEST_BYTES / 4) * 3;

const rethrowWithFilePosition = (position: FilePosition) => (error: Error) => {
  throw error instanceof FetchError ? new FileFetchError(position, error.message) : error;
};

interface EncodedFile {
  /** Base64, shared by all emails and attachments that use the file. */
  content: string;
  contentType: string | null;
}

const encodeFile = ({ content, contentType }: FetchedFile): EncodedFile => ({
  content: content.toString('base64'),
  contentType,
});

const fillAttachments = (email: EmailInput, files: Map<string, EncodedFile>): EmailInput => ({
  ...email,
  attachments: email.attachments?.map((file) =>
    file.path ? toFileInput(file, files.get(file.path)!) : file,
  ),
});

/** Falls back to the server's media type if the file has neither a type nor an extension. */
function toFileInput({ path, ...file }: FileInput, { content, contentType }: EncodedFile): FileInput {
  const filename = file.filename || parseFileName(path!);
  const isKnown = /\.[a-z0-9]{1,10}$/i.test(filename) || !contentType || !isMediaType(contentType);
  return {
    ...file,
    filename,
    content,
    contentType: file.contentType ?? (isKnown ? null : contentType),
  };
}
