/**
 * SQL of when an email `m` that goes back into the queue is due: at `time`, or with its campaign when that is paused. The
 * lock waits for a pause or a resume that is being written, which could not see the email; counting does not wait for it.
 */
export const dueAgain = (time: string): string => `case when m.campaign_id is not null
  and (select c.status from svc_campaign c where c.workspace_id = m.workspace_id and c.id = m.campaign_id for key share) = 'PAUSED'
  then 'infinity' else ${time} end`;
