import { builder } from '../../../src/engine/operation/builder.ts';
import { EMAIL_STATUSES } from '../state/email-status.ts';

/** Refers to the enum that the record schema registers for `svc.email` under this name. */
export const DeliveryStatus = builder.enumType('EmailStatus', { values: EMAIL_STATUSES });
