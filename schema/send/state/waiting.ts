/**
 * SQL of whether an email waits to be sent: in two halves, as the indexes are by which a worker finds its mail. Asked for
 * as one it would be looked for in all mail there ever was.
 */
export const QUEUED = `(state = 'queued' and campaign_id is null or state = 'queued' and campaign_id is not null)`;
