import { z } from '@hono/zod-openapi';

/** A whole number of a query, where everything is text. */
export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most,
      `must be a whole number from ${least} to ${most}`,
    )
    .transform(Number)
    .openapi({ type: 'integer', minimum: least, maximum: most });
