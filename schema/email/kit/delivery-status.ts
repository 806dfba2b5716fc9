import { builder } from '../../../src/engine/operation/builder.ts';
import { EMAIL_STATUSES } from '../state/email-status.ts';

/** Registered by the record schema as the enum of `svc.email`. */
export const DeliveryStatus = builder.enumType('EmailStatus', { values: EMAIL_STATUSES });
