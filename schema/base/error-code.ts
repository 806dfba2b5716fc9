import { builder } from '../../src/engine/operation/builder.ts';
import { type ErrorCode, errorCodes } from '../../src/error-codes.ts';

builder.enumType('ErrorCode', {
  description: 'Error code, returned in `extensions.code`. Codes are stable, but messages may change.',
  values: Object.fromEntries(
    Object.entries(errorCodes).map(([code, { status, about }]) => [
      code,
      { description: `${about} HTTP status ${status}.` },
    ]),
  ) as Record<ErrorCode, { description: string }>,
});
