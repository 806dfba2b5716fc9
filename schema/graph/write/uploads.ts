import { createBudget } from '../../../src/budget.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { errors, truncateJson } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { dropUploads, loadUploads, readUpload } from '../../base/uploads/claim-upload.ts';
import { parseRecordId } from '../plan/values.ts';

/** Maximum total size of the files in field values that a process handles at the same time. */
const FIELD_MEMORY_BYTES = 200_000_000;
const FIELD_MEMORY_BYTES_PER_WORKSPACE = 60_000_000;

export interface InputUpload {
  id: string;
  /** Path of the reference in the input. */
  path: string;
  /** Values that receive the content under the key `name`. */
  values: Values;
  name: string;
}

const uploadBudget = createBudget(FIELD_MEMORY_BYTES, FIELD_MEMORY_BYTES_PER_WORKSPACE);

/**
 * Runs a change after adding the uploads' contents to its values. Deletes the uploads in the same transaction, because
 * each can be used only once.
 * @throws BAD_VALUE if an upload does not exist or belongs to another user, or the uploads are too large
 * @throws BUSY if the uploads of all changes in progress are too large
 */
export async function withUploads<T>(
  ctx: Ctx,
  uploads: readonly InputUpload[],
  change: (inner: Ctx) => Promise<T>,
): Promise<T> {
  if (uploads.length === 0) return change(ctx);
  const ids = new Set<number>();
  for (const upload of uploads) {
    const id = parseRecordId(upload.id);
    if (id === null || ids.has(id))
      throw createWrongUploadError(upload, id === null ? MISSING_UPLOAD_PROBLEM : 'is listed twice');
    ids.add(id);
  }
  const facts = await loadUploads(ctx, [...ids]);
  let bytes = 0;
  for (const upload of uploads) {
    const size = facts.get(Number(upload.id))?.size;
    if (size === undefined) throw createWrongUploadError(upload, MISSING_UPLOAD_PROBLEM);
    bytes += size;
    if (bytes > limits.upload.fieldBytes) throw createTooLargeError(upload);
  }
  uploadBudget.reserve(bytes, ctx.workspace.id);
  try {
    for (const { id, values, name } of uploads)
      values[name] = (await readUpload(ctx, facts.get(Number(id))!)).toString('base64');
    return await ctx.tx(async (tx) => {
      const droppedIds = await dropUploads(tx, [...ids]);
      // Another change has used the upload in the meantime.
      const used = uploads.find(({ id }) => !droppedIds.has(Number(id)));
      if (used) throw createWrongUploadError(used, MISSING_UPLOAD_PROBLEM);
      return change(tx);
    });
  } finally {
    uploadBudget.release(bytes, ctx.workspace.id);
  }
}

const MISSING_UPLOAD_PROBLEM =
  'is not one of your unused uploads: it may have been used already, or deleted after some hours';

const createWrongUploadError = ({ id, path }: InputUpload, problem: string) =>
  errors
    .wrongArgument(path, `${truncateJson(id)} ${problem}`)
    .withDetails({ model: 'svc.upload', value: id });

const MAX_FIELD_MEGABYTES = limits.upload.fieldBytes / 1_000_000;

const createTooLargeError = ({ path }: InputUpload) =>
  errors.wrongArgument(
    path,
    `files in fields are limited to ${MAX_FIELD_MEGABYTES} MB in total; attach larger files to the record`,
  );
