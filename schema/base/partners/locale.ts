import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { resolveZoneName } from '../../../src/engine/value/instant.ts';
import { errors } from '../../../src/errors.ts';

/** @throws BAD_VALUE if the time zone is unknown or the language is not installed */
export function checkLocale(ctx: Ctx, model: string, { tz, lang }: Values): void {
  if (tz && (typeof tz !== 'string' || resolveZoneName(tz) === null))
    throw errors.wrongValue(model, 'tz', tz);
  if (lang && (typeof lang !== 'string' || !ctx.catalog.languages.has(lang)))
    throw errors.wrongValue(model, 'lang', lang);
}
