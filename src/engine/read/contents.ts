import { isUtf8 } from 'node:buffer';
import { readWholeBlob } from '../../db/blobs/read.ts';
import { sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { CONTENT_MARK } from '../sql/projection.ts';

/** Output format of file content: base64, text (base64 for binary content), or the formatted size. */
type ContentForm = 'b' | 't' | 's';

const CONTENT_MARK_PATTERN = new RegExp(`"${CONTENT_MARK}([bts])([^"]+)"`, 'g');

/**
 * Replaces placeholders in JSON rows with file contents. Encrypted content is decrypted here, not in PostgreSQL.
 * @throws USER_ERROR if the contents exceed the response limit
 */
export async function insertContents(ctx: Ctx, rows: string[]): Promise<string[]> {
  const marks = rows.flatMap((row) =>
    [...row.matchAll(CONTENT_MARK_PATTERN)].map(([, form, hash]) => [form, hash]),
  );
  if (marks.length === 0) return rows;
  const sizes = await loadSizes(ctx, [...new Set(marks.map(([, hash]) => hash!))]);
  const bytes = marks.reduce(
    (sum, [form, hash]) => sum + computeShownBytes(form as ContentForm, sizes.get(hash!) ?? 0),
    0,
  );
  if (bytes > limits.http.answerBytes) throw errors.answerTooLarge();
  if (bytes >= limits.http.largeResponse) ctx.db.trackResponse(bytes);
  const texts = new Map<string, string>();
  for (const [form, hash] of marks) {
    const mark = `${form}${hash}`;
    if (!texts.has(mark))
      texts.set(mark, await renderContent(ctx, form as ContentForm, hash!, sizes.get(hash!) ?? 0));
  }
  return rows.map((row) =>
    row.replace(CONTENT_MARK_PATTERN, (_, form, hash) => texts.get(`${form}${hash}`)!),
  );
}

async function loadSizes({ db, workspace }: Ctx, hashes: string[]): Promise<Map<string, number>> {
  const rows = await db.rows<{ hash: string; size: number }>(
    sql`select b.hash, b.size from svc_blob b where b.workspace_id = ${workspace.id} and b.hash = any(${hashes})`,
  );
  return new Map(rows.map(({ hash, size }) => [hash, size]));
}

const computeShownBytes = (form: ContentForm, size: number): number =>
  form === 's' ? 0 : Math.ceil(size / 3) * 4;

async function renderContent(ctx: Ctx, form: ContentForm, hash: string, size: number): Promise<string> {
  if (form === 's') return `"${formatSize(size)}"`;
  const content = await readWholeBlob(ctx, hash);
  return form === 't' && isUtf8(content) && !content.includes(0)
    ? JSON.stringify(content.toString('utf8'))
    : `"${content.toString('base64')}"`;
}

const SIZE_UNITS = ['bytes', 'Kb', 'Mb', 'Gb'];

/** Formats a size as projection.ts does for columns: `1.23 Kb`. */
function formatSize(size: number): string {
  const power = Math.max(
    0,
    SIZE_UNITS.findIndex((_, index) => size < 1024 ** (index + 1)),
  );
  return `${(size / 1024 ** power).toFixed(2)} ${SIZE_UNITS[power]}`;
}
