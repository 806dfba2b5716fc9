import { builder } from '../../../src/engine/operation/builder.ts';
import { EMAIL_STATUSES } from '../state/email-status.ts';

/** Refers to the enum of the model `svc.email`, which the record schema registers under this name. */
export const DeliveryStatus = builder.enumType('EmailStatus', { values: EMAIL_STATUSES });
