import type { ShapeParts } from '../../../src/engine/operation/shape.ts';
import { catchMailError, MailError } from '../kit/operation.ts';
import type { ImapCode } from './remote-error.ts';

export class ImapError extends MailError {
  constructor(code: ImapCode, message: string) {
    super(message, { code });
  }
}

export const ERROR_CODE_SHAPE: ShapeParts = {
  code: { type: 'String', description: 'Kind of error, such as auth_failed. Null if the call succeeded.' },
};

/** Like `catchMailError`, but every rejection has a code. */
export const catchImapError = <T extends object>(fn: () => Promise<T>) =>
  catchMailError(async () => {
    try {
      return await fn();
    } catch (error) {
      if (error instanceof MailError && !(error instanceof ImapError))
        throw new ImapError('not_allowed', error.message);
      throw error;
    }
  });
