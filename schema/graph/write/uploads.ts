import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { errors, truncateJson } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { createBudget } from '../../../src/room.ts';
import { dropUploads, uploadContent, uploadFacts } from '../../base/uploads/claim-upload.ts';
import { numberOfId } from '../plan/values.ts';

/** An upload that an input names, in place of the content of a field. */
export interface NamedUpload {
  id: string;
  /** Where the input names it. */
  path: string;
  /** The values that get the content, and under which name. */
  values: Values;
  name: string;
}

const room = createBudget(limits.upload.fieldRoom, limits.upload.fieldRoomOfOne);

/**
 * Runs a change with the contents of uploads in its values, and drops these in its transaction: each is used once.
 * @throws BAD_VALUE for an upload that is not the caller's or not there, and for too many bytes; BUSY
 */
export async function withUploads<T>(
  ctx: Ctx,
  named: readonly NamedUpload[],
  change: (inner: Ctx) => Promise<T>,
): Promise<T> {
  if (named.length === 0) return change(ctx);
  const ids = new Set<number>();
  for (const upload of named) {
    const id = numberOfId(upload.id);
    if (id === null || ids.has(id)) throw wrong(upload, id === null ? NOT_THERE : 'is named twice');
    ids.add(id);
  }
  const facts = await uploadFacts(ctx, [...ids]);
  let bytes = 0;
  for (const upload of named) {
    const size = facts.get(Number(upload.id))?.size;
    if (size === undefined) throw wrong(upload, NOT_THERE);
    bytes += size;
    if (bytes > limits.upload.fieldBytes) throw tooLarge(upload);
  }
  room.reserve(bytes, ctx.workspace.id);
  try {
    for (const { id, values, name } of named)
      values[name] = (await uploadContent(ctx, facts.get(Number(id))!)).toString('base64');
    return await ctx.tx(async (tx) => {
      const dropped = await dropUploads(tx, [...ids]);
      // Another change has used it meanwhile.
      const used = named.find(({ id }) => !dropped.has(Number(id)));
      if (used) throw wrong(used, NOT_THERE);
      return change(tx);
    });
  } finally {
    room.release(bytes, ctx.workspace.id);
  }
}

const NOT_THERE = 'is no upload of yours that waits: it may have been used, or dropped after some hours';

const wrong = ({ id, path }: NamedUpload, what: string) =>
  errors.wrongArgument(path, `${truncateJson(id)} ${what}`).withDetails({ model: 'svc.upload', value: id });

const MEGABYTES = limits.upload.fieldBytes / 1_000_000;

const tooLarge = ({ path }: NamedUpload) =>
  errors.wrongArgument(
    path,
    `files in fields have at most ${MEGABYTES} MB together; attach larger ones to the record`,
  );
