import { z } from '@hono/zod-openapi';
import { isStorableTime } from '../../src/engine/value/instant.ts';

const FORM = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()]);

/**
 * Parses ISO 8601 with Z or an offset, such as +01:00 or +0100. A time without either is in UTC, because the Python
 * library sends the result of `utcnow()` unchanged. The output has milliseconds and Z.
 */
export const instantSchema = z
  .string()
  // An unescaped plus sign in a query string is decoded as a space.
  .transform((text) => text.replace(/ (\d\d:?\d\d)$/, '+$1').replace(/^([^T]*T.*[+-]\d\d)(\d\d)$/, '$1:$2'))
  .refine(
    (text) => FORM.safeParse(text).success,
    'must be an ISO 8601 date and time such as 2026-11-20T08:30:00Z',
  )
  .transform((text) => new Date(addTimeZone(text)))
  // The offset can move the time out of the range of ISO 8601.
  .refine((time) => isStorableTime(time.getTime()), 'must be in the years 1 to 9999, in UTC')
  .transform((time) => time.toISOString())
  .openapi({ type: 'string', format: 'date-time', example: '2026-11-20T08:30:00.000Z' });

function addTimeZone(text: string): string {
  if (!text.includes('T')) return `${text}T00:00:00Z`;
  return /(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`;
}
