import { builder } from '../../src/engine/operation/builder.ts';
import { type ErrorCode, errorCodes } from '../../src/error-codes.ts';

builder.enumType('ErrorCode', {
  description: 'The code of an error, in `extensions.code`. Codes are stable; messages may be reworded.',
  values: Object.fromEntries(
    Object.entries(errorCodes).map(([code, { status, about }]) => [
      code,
      { description: `${about} HTTP status ${status}.` },
    ]),
  ) as Record<ErrorCode, { description: string }>,
});
