/**
 * SQL of whether the provider has told of an email `m`, so that it has it, whatever came of the answer. DELIVERY_DELAYED is
 * our own word as well; that of the provider comes with its id.
 */
export const TOLD = `(m.latest_status in ('DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED')
  or m.latest_status = 'DELIVERY_DELAYED' and m.provider_id is not null)`;
