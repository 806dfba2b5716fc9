import { builder } from '../../../src/engine/verb/builder.ts';
import { EMAIL_STATUSES } from '../state/email-status.ts';

/** Stands in for the enum of the model `svc.email`, which the record graph has under this name. */
export const DeliveryStatus = builder.enumType('EmailStatus', { values: EMAIL_STATUSES });
