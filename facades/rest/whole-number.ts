import { z } from '@hono/zod-openapi';
import { limits } from '../../src/limits.ts';

export const buildWholeNumberSchema = (
  min: number,
  max: number,
  fault = `must be a whole number from ${min} to ${max}`,
) =>
  z
    .string()
    .refine((text) => /^\d{1,10}$/.test(text) && Number(text) >= min && Number(text) <= max, fault)
    .transform(Number)
    .openapi({ type: 'integer', minimum: min, maximum: max });

export const pageQuery = buildWholeNumberSchema(1, limits.rest.pages)
  .optional()
  .openapi({ default: 1, description: 'Page number, starting at 1.' });

export const domainNumber = buildWholeNumberSchema(1, 2_147_483_647, 'must be the id of a domain');
